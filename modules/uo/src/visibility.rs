//! Who may see what of a game's reports: by kind, and within a kind by field. One classification, and this is it.
//!
//! 1. What ends in `acct`, `webId` or `address` is for admins, at whatever depth, and no rule widens it.
//! 2. A kind that is not named here is for admins. A kind of tomorrow shows itself to nobody by accident.
//! 3. A field without a rule of its own is as its kind.

use leasehold_link::wire::SERVER_SHUTDOWN;
use leasehold_link::wire::feed::{
    BOSS_KILLED, CHAMP_UPDATE, MOB_KILLED, PLAYER_DEATH, PRESENCE, REGION_ENTER, SAVE_FINISHED, SAVE_STARTED,
};
use leasehold_module::Audience;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What no rule widens.
const LOCKED: [&str; 3] = ["acct", "webid", "address"];

/// The rules in force.
#[derive(Debug, Clone)]
pub struct Visibility {
    kinds: BTreeMap<&'static str, Audience>,
    /// By kind and the name of a field at the frame's own level; what is inside it goes with it.
    fields: BTreeMap<(&'static str, String), Audience>,
}

impl Default for Visibility {
    fn default() -> Self {
        let everyone =
            [BOSS_KILLED, CHAMP_UPDATE, MOB_KILLED, PLAYER_DEATH, PRESENCE, REGION_ENTER, SERVER_HELLO, SERVER_SHUTDOWN];
        let kinds = everyone.map(|kind| (kind, Audience::Everyone)).into_iter();
        let staff = [SAVE_STARTED, SAVE_FINISHED].map(|kind| (kind, Audience::Staff));
        // That somebody arrived is the news; who it was and where they stand would be a way to follow people about. That a champion fell
        // is announced in the world; who was strong enough to fell it is a record of people who did not ask to be in one.
        let fields = [(BOSS_KILLED, "damagers"), (REGION_ENTER, "actor"), (REGION_ENTER, "x"), (REGION_ENTER, "y")];
        let fields = fields.map(|(kind, field)| ((kind, field.to_owned()), Audience::Staff));
        Self { kinds: kinds.chain(staff).collect(), fields: fields.into() }
    }
}

/// The frame of a game's start, as the link keeps it.
pub const SERVER_HELLO: &str = "server.hello";

impl Visibility {
    /// An operator shows one field to others than is usual; false where no rule is for it, or none can be.
    pub fn show(&mut self, kind: &str, field: &str, to: Audience) -> bool {
        let Some((kind, _)) = self.kinds.get_key_value(kind).filter(|_| !is_locked(field)) else { return false };
        self.fields.insert((kind, field.to_owned()), to);
        true
    }

    /// What somebody of that audience sees of a frame; `None` where they do not see that there is one.
    pub fn seen_by(&self, viewer: Audience, frame: &Map<String, Value>) -> Option<Map<String, Value>> {
        if viewer == Audience::Admin {
            return Some(frame.clone());
        }
        let (kind, audience) = self.kinds.get_key_value(frame.get("kind")?.as_str()?)?;
        if !audience.holds(viewer) {
            return None;
        }
        let shown = frame.iter().filter(|(field, _)| {
            let rule = self.fields.get(&(*kind, (*field).clone())).unwrap_or(audience);
            !is_locked(field) && rule.holds(viewer)
        });
        Some(shown.map(|(field, value)| (field.clone(), without_locked(value))).collect())
    }
}

fn is_locked(field: &str) -> bool {
    let field = field.to_lowercase();
    LOCKED.iter().any(|suffix| field.ends_with(suffix))
}

fn without_locked(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let open = fields.iter().filter(|(name, _)| !is_locked(name));
            open.map(|(name, value)| (name.clone(), without_locked(value))).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(without_locked).collect(),
        plain => plain.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn frame(value: Value) -> Map<String, Value> {
        serde_json::from_value(value).unwrap()
    }

    fn boss() -> Map<String, Value> {
        frame(json!({"kind": BOSS_KILLED, "boss": "Semidar", "region": "Britain", "killerAcct": "x",
            "killer": {"name": "tester", "acct": "wttest", "webId": "1"},
            "damagers": [{"name": "tester", "acct": "wttest", "damage": 100_240, "of": {"homeAddress": "x", "kin": [{"acct": "y"}]}}]}))
    }

    #[test]
    fn the_kill_is_public_and_the_table_is_not() {
        let rules = Visibility::default();
        let public = rules.seen_by(Audience::Everyone, &boss()).unwrap();
        assert_eq!(
            Value::Object(public.clone()),
            json!({"kind": BOSS_KILLED, "boss": "Semidar", "region": "Britain", "killer": {"name": "tester"}})
        );
        assert_eq!(rules.seen_by(Audience::Authenticated, &boss()).unwrap(), public);
        let staff = rules.seen_by(Audience::Staff, &boss()).unwrap();
        assert_eq!(staff["damagers"], json!([{"name": "tester", "damage": 100_240, "of": {"kin": [{}]}}]));
        assert_eq!(rules.seen_by(Audience::Admin, &boss()).unwrap(), boss());
    }

    #[test]
    fn an_operator_opens_one_field_and_never_a_locked_one() {
        let mut rules = Visibility::default();
        assert!(rules.show(BOSS_KILLED, "damagers", Audience::Everyone));
        assert!(
            !rules.show(BOSS_KILLED, "killerAcct", Audience::Everyone) && !rules.show("lease.applied", "key", Audience::Everyone)
        );
        let public = rules.seen_by(Audience::Everyone, &boss()).unwrap();
        assert!(public["damagers"][0]["acct"].is_null() && public["damagers"][0]["damage"] == 100_240);
        assert!(rules.show(BOSS_KILLED, "killer", Audience::Admin));
        assert!(rules.seen_by(Audience::Staff, &boss()).unwrap().get("killer").is_none());
    }

    #[test]
    fn what_is_not_named_is_for_admins() {
        let rules = Visibility::default();
        for kind in ["lease.applied", "lease.expired", "lease.offer", "a.kind.of.tomorrow"] {
            let frame = frame(json!({"kind": kind, "runId": "77"}));
            for viewer in Audience::ALL {
                assert_eq!(rules.seen_by(viewer, &frame).is_some(), viewer == Audience::Admin, "{kind} to {viewer}");
            }
        }
        assert_eq!(rules.seen_by(Audience::Everyone, &frame(json!({"kind": 7}))), None);
    }

    #[test]
    fn nobody_is_followed_about() {
        let arrival =
            frame(json!({"kind": REGION_ENTER, "to": "Yew", "map": "Felucca", "x": 1, "y": 2, "actor": {"name": "Aldric"}}));
        let public = Visibility::default().seen_by(Audience::Everyone, &arrival).unwrap();
        assert_eq!(Value::Object(public), json!({"kind": REGION_ENTER, "to": "Yew", "map": "Felucca"}));
    }
}
