//! What is on: definitions of every kind, and when, by nothing but a calendar, each of them has to happen.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc, Weekday};
use serde_json::{Value, json};

use crate::world::World;
use crate::world::plans::{alone, cue, event, hail, once, orcs, phase, shout, skill_for, wait};

/// A Friday noon in Greenwich, two days before Berlin turns its clocks.
pub const BEGINNING: &str = "2027-03-26T12:00:00Z";
/// Creatures that one run may have, ever.
pub const CAP: u64 = 20;
/// Bosses for which the hunt waits.
pub const BOSSES: u64 = 3;
/// Two definitions that want the same value, and must not meet.
pub const ORCHARD: &str = "orchard:Yew";
/// The days of the slots that people alter, and of the freeze.
pub const SATURDAY: &str = "2027-03-27";
pub const SUNDAY: &str = "2027-03-28";
/// The window in which nothing starts: the parade of Sunday falls due in it, and its grace ends in it.
pub const FREEZE: (&str, &str) = ("2027-03-28T15:00:00Z", "2027-03-28T16:30:00Z");

/// One definition, and the wall clocks at which it has to happen.
pub struct Item {
    pub slug: &'static str,
    pub id: String,
    when: When,
    pub verified: bool,
}

enum When {
    Days(&'static [Weekday], &'static [&'static str]),
    Once(&'static str),
    ByHand,
}

const EVERY_DAY: &[Weekday] = &[Weekday::Mon, Weekday::Tue, Weekday::Wed, Weekday::Thu, Weekday::Fri, Weekday::Sat, Weekday::Sun];

impl Item {
    /// Every slot of the window with the instant that the wall clocks of Berlin give it.
    pub fn slots(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> Vec<(String, DateTime<Utc>)> {
        let mut locals = Vec::new();
        match &self.when {
            When::Days(days, times) => {
                let mut date = from.date_naive();
                while date <= to.date_naive() + TimeDelta::days(1) {
                    if days.contains(&date.weekday()) {
                        locals.extend(times.iter().map(|time| date.and_time(time_of_day(time))));
                    }
                    date += TimeDelta::days(1);
                }
            }
            When::Once(at) => locals.push(at.parse::<NaiveDateTime>().unwrap_or_else(|_| format!("{at}:00").parse().unwrap())),
            When::ByHand => {}
        }
        let named = locals.into_iter().map(|local| (local.format("%Y-%m-%dT%H:%M").to_string(), in_berlin(local)));
        named.filter(|(_, at)| (from..to).contains(at)).collect()
    }

    pub fn by_hand(&self) -> bool {
        matches!(self.when, When::ByHand)
    }

    fn schedule(&self) -> Value {
        match &self.when {
            When::Days(days, times) => {
                let days: Vec<&str> = days.iter().copied().map(name).collect();
                json!({"kind": "weekly", "days": days, "times": times})
            }
            When::Once(at) => json!({"kind": "once", "at": at}),
            When::ByHand => json!({"kind": "manual"}),
        }
    }
}

fn name(day: Weekday) -> &'static str {
    match day {
        Weekday::Mon => "monday",
        Weekday::Tue => "tuesday",
        Weekday::Wed => "wednesday",
        Weekday::Thu => "thursday",
        Weekday::Fri => "friday",
        Weekday::Sat => "saturday",
        Weekday::Sun => "sunday",
    }
}

fn time_of_day(time: &str) -> NaiveTime {
    NaiveTime::parse_from_str(time, "%H:%M").unwrap()
}

/// The law of 2027 in the month of the test, by hand: an hour ahead of Greenwich, two from 28 March, 01:00 in Greenwich. What
/// would fall into the hour that there is not happens at its end.
fn in_berlin(local: NaiveDateTime) -> DateTime<Utc> {
    let turn = NaiveDate::from_ymd_opt(2027, 3, 28).unwrap().and_time(time_of_day("01:00"));
    let winter = local - TimeDelta::hours(1);
    if winter < turn { winter.and_utc() } else { (local - TimeDelta::hours(2)).max(turn).and_utc() }
}

/// Everything published, verified where it is to be, altered by people and frozen.
pub async fn publish(world: &World) -> Vec<Item> {
    world.engine.api.enable("uo.creature.spawn", &json!({"uo.creatures": CAP})).await;
    world.engine.api.enable("uo.broadcast", &json!({})).await;
    let mut items = Vec::new();
    for (slug, when, plan, verified) in plans() {
        let mut item = Item { slug, id: String::new(), when, verified };
        let mut plan = plan;
        if let When::Once(at) = item.when {
            plan = once(plan, at);
        } else {
            plan["spec"]["schedule"] = item.schedule();
        }
        item.id = world.engine.api.publish(&plan).await;
        if verified {
            world.engine.api.verify(&item.id).await;
        }
        items.push(item);
    }
    world.the_scheduler_has_read_everything().await;
    let id = |slug: &str| items.iter().find(|item| item.slug == slug).unwrap().id.clone();
    let night = id("night");
    let alter = async |slot: String, verb: &str, body: Value| {
        world.engine.api.post(&format!("/{night}/occurrences/{slot}/{verb}"), &body).await.yes();
    };
    alter(format!("{SATURDAY}T12:30"), "skip", json!({"reason": "the hall is taken"})).await;
    alter(format!("{SUNDAY}T12:30"), "move", json!({"reason": "later", "to": format!("{SUNDAY}T14:00")})).await;
    let freeze = json!({"from": FREEZE.0, "to": FREEZE.1, "reason": "the game is being moved"});
    world.engine.api.post("/freezes", &freeze).await.yes();
    items
}

/// Slug, schedule, plan, and whether somebody verifies it.
fn plans() -> Vec<(&'static str, When, Value, bool)> {
    let mut harvest = event(
        "harvest",
        &[phase("gather", &[hail(), skill_for(60)], "30m"), phase("boss", &[held(orcs("raid", 6), "10m"), hail2()], "20m")],
    );
    harvest["graceSeconds"] = json!(7_200);
    let mut fair = event("fair", &[phase("all", &[skill_for(45), orcs("raid", 4)], "40m")]);
    fair["graceSeconds"] = json!(7_200);
    let mut hunt = phase("boss", &[orcs("raid", 3)], "5m");
    hunt["advance"] = json!({
        "on": "uo.champ.boss_killed", "where": {"var": "region", "cmp": "eq", "value": "Yew Orchard"}, "count": BOSSES,
        "timeout": {"after": "6h", "then": "skip"}
    });
    let mut trust = orcs("raid", 5);
    trust["await"] = json!("human");
    let mut more = orcs("more", 12);
    more["onFailure"] = json!("skip");
    let weekend = &[Weekday::Fri, Weekday::Sat, Weekday::Sun, Weekday::Wed];
    vec![
        ("harvest", When::Days(EVERY_DAY, &["20:00"]), alone(harvest, "orchard:{region}"), true),
        ("fair", When::Once("2027-03-27T20:00"), alone(fair, "orchard:{region}"), true),
        ("hunt", When::Days(weekend, &["18:00"]), event("hunt", &[hunt, phase("after", &[shout()], "5m")]), true),
        ("gap", When::Days(&[Weekday::Sun], &["02:30"]), event("gap", &[phase("all", &[orcs("raid", 3)], "10m")]), true),
        (
            "night",
            When::Days(EVERY_DAY, &["03:00", "12:30"]),
            event("night", &[phase("all", &[hail(), wait("5m"), orcs("raid", 2)], "20m")]),
            true,
        ),
        ("parade", When::Days(EVERY_DAY, &["17:30"]), event("parade", &[phase("all", &[shout(), orcs("raid", 7)], "15m")]), true),
        ("unseen", When::Days(EVERY_DAY, &["10:00"]), event("unseen", &[phase("all", &[orcs("raid", 1)], "5m")]), false),
        ("trust", When::ByHand, event("trust", &[phase("all", &[trust, cue(), hail()], "10m")]), false),
        ("greedy", When::ByHand, event("greedy", &[phase("all", &[orcs("raid", 12), more], "30m")]), false),
    ]
}

fn hail2() -> Value {
    let mut again = hail();
    again["key"] = json!("farewell");
    again
}

fn held(mut step: Value, span: &str) -> Value {
    step["holdFor"] = json!(span);
    step
}
