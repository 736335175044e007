//! `towncrier.post` and `news.post`: what the criers cry and what the board says. A name posted again takes the place of what it said.

use super::{Done, judge};
use crate::{
    call::{Call, bad_field},
    game::Game,
    world::What,
};
use leasehold_link::wire::{ErrorName, Kind, Placed, PostCrier, PostNews, Refusal, Stamp, limits};

pub fn crier(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let order: PostCrier = call.fields()?;
    if order.lines.len() > limits::CRIER_LINES_MAX {
        let reason = format!("a crier cries at most {} lines, not {}", limits::CRIER_LINES_MAX, order.lines.len());
        return Err(Refusal::new(ErrorName::LinesExceeded, reason).with("ceiling", limits::CRIER_LINES_MAX));
    }
    if order.lines.is_empty() {
        return Err(bad_field("lines must hold at least one line"));
    }
    for (index, line) in order.lines.iter().enumerate() {
        judge::line(&format!("lines[{index}]"), line, limits::LINE_MAX_CHARS)?;
    }
    let for_ms = judge::length_ms("forMs", order.for_ms, limits::CRIER_MAX_MS, ErrorName::HoldTooLong)?;
    let until_ms = Some(game.now_ms.saturating_add(for_ms));
    let what = What::Crier { notice: order.notice, lines: order.lines };
    post(Kind::TowncrierPost, game, what, &order.stamp, until_ms)
}

pub fn news(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let order: PostNews = call.fields()?;
    judge::line("title", &order.title, limits::TITLE_MAX_CHARS)?;
    let length = order.text.chars().count();
    let unprintable = |letter: char| letter.is_control() && letter != '\n';
    if !(1..=limits::ARTICLE_MAX_CHARS).contains(&length) || order.text.contains(unprintable) {
        let most = limits::ARTICLE_MAX_CHARS;
        return Err(bad_field(format!("text must have 1 to {most} characters, none of them a control character but line feeds")));
    }
    let what = What::News { notice: order.notice, title: order.title, text: order.text };
    post(Kind::NewsPost, game, what, &order.stamp, None)
}

/// Takes the earlier notice of that name and run away, if there is one, and puts this one up.
fn post(kind: Kind, game: &mut Game, what: What, stamp: &Stamp, until_ms: Option<i64>) -> Result<Done, Refusal> {
    let notice = what.notice().unwrap_or_default().to_owned();
    if !(1..=limits::NOTICE_ID_MAX_BYTES).contains(&notice.len()) || notice.chars().any(char::is_control) {
        let most = limits::NOTICE_ID_MAX_BYTES;
        return Err(bad_field(format!("notice must be a text of 1 to {most} bytes without control characters")));
    }
    let same_sort = |other: &What| other.sort() == what.sort();
    let earlier = game.world.things().find(|thing| {
        thing.owner.run_id == stamp.run_id && same_sort(&thing.what) && thing.what.notice() == Some(notice.as_str())
    });
    let earlier = earlier.map(|thing| thing.serial);
    let up = game.world.things().filter(|thing| same_sort(&thing.what)).count();
    if earlier.is_none() && up >= limits::NOTICES_MAX {
        let reason = format!("{up} notices are up already; the ceiling is {}", limits::NOTICES_MAX);
        return Err(Refusal::new(ErrorName::NoticesExceeded, reason).with("ceiling", limits::NOTICES_MAX));
    }
    if let Some(earlier) = earlier {
        game.world.remove_thing(earlier);
    }
    let serial = game.world.place(what, None, judge::owner(stamp), until_ms);
    let mut done = Done::new(kind.ok_kind(), Placed { serial });
    done.detail.insert("notice".to_owned(), notice.into());
    done.detail.extend(earlier.map(|serial| ("instead".to_owned(), serial.to_string().into())));
    Ok(done)
}
