//! The lines of who took part, and of the result.

use serde_json::json;

use super::line::StoryKind;
use super::teller::{About, Teller};
use crate::sentences::count;

pub(super) fn reported(teller: &mut Teller<'_>, step: &str, told: usize) {
    let mut phase = String::new();
    let about = teller.about_step(step, &mut phase);
    let text = format!("step {step} told of {}", count(told, "participant"));
    teller.say(StoryKind::ParticipantsRecorded, about, text, json!({"participants": told}));
}

pub(super) fn published(teller: &mut Teller<'_>, step: Option<&str>, places: usize) {
    let mut phase = String::new();
    let about = step.map_or_else(About::default, |step| teller.about_step(step, &mut phase));
    let who = if step.is_some() { "published" } else { "published by a person" };
    let text = format!("the result is {who}: {}", count(places, "place"));
    teller.say(StoryKind::ResultsPublished, about, text, json!({"places": places}));
}
