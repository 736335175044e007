use super::*;
use crate::faults::Moment;
use leasehold_link::wire::{Kind, Serial};

#[test]
fn what_can_be_typed_is_read() {
    let table = [
        ("status", Command::Status),
        ("  audit   12 ", Command::Audit { from: 12 }),
        ("config set General.ServerName a b", Command::ConfigSet { key: "General.ServerName".into(), value: "a b".into() }),
        ("creatures --owned --run 77", Command::Creatures { owned: true, run: Some("77".into()) }),
        ("creature delete 0x4000002a", Command::CreatureDelete { serial: Serial(0x4000_002a) }),
        ("clock +3600", Command::Clock { advance_ms: Some(3_600_000) }),
        ("fault drop-ack world.spawn", Command::Fault(FaultCommand::DropAck { kind: Kind::WorldSpawn, times: 1 })),
        (
            "fault crash-unsent lease.apply",
            Command::Fault(FaultCommand::Crash { kind: Kind::LeaseApply, moment: Moment::Unsent }),
        ),
    ];
    for (line, command) in table {
        assert_eq!(parse(line), Ok(command), "{line}");
    }
}

#[test]
fn what_cannot_be_typed_is_answered_in_words() {
    let wrong = [
        "",
        "stat",
        "audit -1",
        "audit x",
        "config set K",
        "creatures --run",
        "creatures 5",
        "creature delete 12",
        "clock 5",
        "clock +-5",
        "clock +99999999",
        "fault",
        "fault drop-ack",
        "fault drop-ack world.nothing",
        "fault delay-ack world.spawn soon",
    ];
    for line in wrong {
        assert!(parse(line).is_err_and(|reason| reason.len() > 10), "{line}");
    }
}
