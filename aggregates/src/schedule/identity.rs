//! Names of runs, derived so that the same occurrence has the same name wherever and whenever it is worked out.

use uuid::Uuid;

use super::LocalDateTime;

/// Fixed for ever: every name ever derived depends on it.
const NAMESPACE: Uuid = Uuid::from_u128(0x6c65_6173_6568_5f6c_8d21_5be0_77a4_19c3);

/// The run of one occurrence: of a definition, in a scope, at an authored wall clock. `generation` is 0, and one more
/// each time that a slot is opened again after its run had started.
pub fn occurrence_id(definition: &str, scope: &str, slot: LocalDateTime, generation: u32) -> Uuid {
    let slot = slot.0.format("%Y-%m-%dT%H:%M:%S");
    Uuid::new_v5(&NAMESPACE, format!("{definition}\n{scope}\n{slot}\n{generation}").as_bytes())
}

/// The run that one command started by hand.
pub fn manual_run_id(definition: &str, command_id: &str) -> Uuid {
    Uuid::new_v5(&NAMESPACE, format!("{definition}\nmanual\n{command_id}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_never_change() {
        let slot = "2027-03-28T20:00".parse().unwrap();
        let id = |definition, scope, generation| occurrence_id(definition, scope, slot, generation).to_string();
        assert_eq!(id("d1", "main", 0), "02b5430e-1ad7-5d41-9de4-bb111785255c");
        assert_eq!(id("d1", "main", 1), "570d0414-097b-5770-a176-13039d588012");
        assert_eq!(manual_run_id("d1", "c1").to_string(), "900702a2-0f6f-50ed-8508-46a664922fc6");
    }

    #[test]
    fn another_slot_scope_definition_or_generation_is_another_run() {
        let slot = |text: &str| text.parse::<LocalDateTime>().unwrap();
        let first = occurrence_id("d1", "main", slot("2027-03-28T20:00"), 0);
        assert_eq!(first, occurrence_id("d1", "main", slot("2027-03-28T20:00:00"), 0), "one slot, two spellings");
        for other in [
            occurrence_id("d2", "main", slot("2027-03-28T20:00"), 0),
            occurrence_id("d1", "west", slot("2027-03-28T20:00"), 0),
            occurrence_id("d1", "main", slot("2027-03-28T20:00:01"), 0),
            occurrence_id("d1", "main", slot("2027-03-28T20:00"), 1),
        ] {
            assert_ne!(first, other);
        }
    }
}
