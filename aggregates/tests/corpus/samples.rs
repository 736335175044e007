//! Examples of every event but a run's.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use leasehold_aggregates::account::{AccountEvent, Role};
use leasehold_aggregates::allowance::AllowanceEvent;
use leasehold_aggregates::definition::{Content, DefinitionEvent, WithheldCause};
use leasehold_aggregates::deployment::{DeploymentEvent, FreezeScope, RewindCause, StopRuns};
use leasehold_aggregates::genesis::GenesisEvent;
use leasehold_aggregates::ledger::{LedgerEvent, Let};
use leasehold_aggregates::module::{ActionSignature, ModuleEvent};
use leasehold_aggregates::note::NoteRef;
use leasehold_aggregates::reservation::{SlotEvent, SlugEvent};
use leasehold_aggregates::schedule::LocalDateTime;
use leasehold_aggregates::series::SeriesEvent;
use leasehold_aggregates::signal::{Recorded, SignalEvent};
use leasehold_aggregates::switchboard::SwitchEvent;
use leasehold_module::Mark;
use serde_json::json;

pub fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

pub fn account() -> Vec<AccountEvent> {
    vec![
        AccountEvent::AccountAdded { role: Role::Admin },
        AccountEvent::AccountRoleChanged { role: Role::Editor },
        AccountEvent::AccountDisabled {},
        AccountEvent::AccountEnabled {},
        AccountEvent::TokenIssued { token: "t-1".into() },
        AccountEvent::TokenRevoked { token: "t-1".into() },
        AccountEvent::MemberLinked { member: uuid::Uuid::from_u128(3) },
        AccountEvent::MemberUnlinked { member: uuid::Uuid::from_u128(3) },
        AccountEvent::AccountErased { notes: 3, reason: Some(note()) },
    ]
}

pub fn genesis() -> Vec<GenesisEvent> {
    vec![GenesisEvent::LogOpened { log_id: uuid::Uuid::from_u128(1) }]
}

pub fn note() -> NoteRef {
    NoteRef { id: uuid::Uuid::from_u128(7), digest: "ab".repeat(32) }
}

fn authored() -> LocalDateTime {
    "2027-03-28T20:00".parse().unwrap()
}

pub fn definition() -> Vec<DefinitionEvent> {
    vec![
        DefinitionEvent::DefinitionCreated { slug: "harvest-party".into() },
        DefinitionEvent::DefinitionPublished { version: 1, content: Box::new(content()) },
        DefinitionEvent::DefinitionVerified { version: 1 },
        DefinitionEvent::DefinitionArchived {},
        DefinitionEvent::OccurrenceWithheld {
            scope: "main".into(),
            slot: authored(),
            version: 1,
            cause: WithheldCause::NeverVerified,
        },
        DefinitionEvent::OccurrenceSkipped { scope: "main".into(), slot: authored(), note: Some(note()) },
        DefinitionEvent::OccurrenceMoved {
            scope: "main".into(),
            slot: authored(),
            to: "2027-03-29T19:30".parse().unwrap(),
            note: Some(note()),
        },
        DefinitionEvent::OccurrenceRestored { scope: "main".into(), slot: authored(), note: None },
    ]
}

pub fn allowance() -> Vec<AllowanceEvent> {
    vec![
        AllowanceEvent::AllowanceCounted { capped_by: 4, drawn: 15 },
        AllowanceEvent::AllowanceDrawn { run_id: "r-1".into(), step: "lamps".into(), amount: 12 },
    ]
}

pub fn deployment() -> Vec<DeploymentEvent> {
    let mark =
        |position, digits: &str| Mark { log: "6b3f1e0c-52c5-4f4e-9d3b-2f4f0a6c8d11".into(), position, hash: digits.repeat(32) };
    let freeze = uuid::Uuid::from_u128(9);
    let [from, to] = ["2027-03-28T18:00:00Z", "2027-03-29T06:00:00Z"].map(|at| at.parse().unwrap());
    vec![
        DeploymentEvent::RewindAccepted {
            scope: "main".into(),
            cause: RewindCause::Behind,
            seen: mark(4_711, "5e"),
            head: mark(4_213, "1d"),
        },
        DeploymentEvent::FreezeDeclared { freeze, from, to, scope: FreezeScope::All, note: Some(note()) },
        DeploymentEvent::FreezeLifted { freeze },
        DeploymentEvent::StopDeclared { stop: uuid::Uuid::from_u128(4), runs: StopRuns::TearDown, note: Some(note()) },
        DeploymentEvent::StopLifted { stop: uuid::Uuid::from_u128(4) },
        DeploymentEvent::DayCapped { dimension: "demo.lamps".into(), cap: Some(100) },
        DeploymentEvent::ZoneDataChanged { from: Some("2025b".into()), to: "2026f".into() },
        DeploymentEvent::MemberErased { member: uuid::Uuid::from_u128(3) },
    ]
}

pub fn module() -> Vec<ModuleEvent> {
    let manifest = json!({"id": "demo", "label": "Demo", "version": 3, "budgets": [{"id": "demo.lamps", "label": "Lamps", "unit": "count"}]});
    vec![
        ModuleEvent::ManifestDeclared {
            scope: "main".into(),
            at: Some(at("2027-01-15T08:00:00Z")),
            version: 3,
            digest: "5e".repeat(32),
            manifest: manifest.as_object().cloned().unwrap(),
            signatures: vec![ActionSignature {
                action: "demo.lamp.light".into(),
                version: 2,
                signature: r#"["change","ledger","effect_once",[],null,[]]"#.into(),
            }],
        },
        ModuleEvent::ManifestWithdrawn { scope: "main".into() },
    ]
}

pub fn series() -> Vec<SeriesEvent> {
    let (name, description) = ("Autumn".to_owned(), "Three evenings\nin the orchard".to_owned());
    vec![
        SeriesEvent::SeriesCreated { slug: "autumn".into(), name: name.clone(), description: description.clone(), order: 3 },
        SeriesEvent::SeriesRenamed { name },
        SeriesEvent::SeriesDescribed { description },
        SeriesEvent::SeriesReordered { order: 1 },
        SeriesEvent::SeriesDeleted { detached: 2 },
    ]
}

/// With every shape that a plan may take, those included that cannot be published yet.
fn content() -> Content {
    serde_json::from_value(json!({
        "title": "Harvest Party", "summary": "In the orchard", "storyline": "Once\nupon a time",
        "image": "https://example.org/a.png", "venue": {"label": "The orchard", "value": "orchard"}, "category": "gathering",
        "ownerModule": "demo", "timezone": "Europe/Berlin", "graceSeconds": 900, "concurrencyKey": "harvest:{region}",
        "spec": {
            "schedule": {"kind": "weekly", "days": ["friday", "saturday"], "every": 2, "times": ["12:00", "20:00"], "from": "2027-03-05",
                         "until": "2027-10-31", "except": ["2027-03-19", "2027-04-02T12:00"]},
            "params": [{"name": "region", "type": "string", "required": true, "default": "North", "example": "North"}],
            "phases": [
                {"key": "gather", "label": "Gathering",
                 "steps": [{"key": "rate", "action": "core.lease", "actionVersion": 1, "onFailure": "abort", "holdFor": "5m", "await": "human",
                            "params": {"lease": "demo.rate.gather", "value": "2", "minutes": 60}}],
                 "advance": {"after": "30m"}},
                {"key": "lights", "label": "Lights",
                 "steps": [{"key": "light", "action": "demo.lamp.light", "actionVersion": 2, "params": {"count": 12}}],
                 "advance": {"on": "demo.lamp.broken", "where": {"var": "region", "cmp": "eq", "value": "North"}, "count": 3,
                             "timeout": {"after": "2h", "then": "abort"}}}]
        }
    }))
    .unwrap()
}

pub fn signal() -> Vec<SignalEvent> {
    let signal = Recorded {
        at: at("2027-03-28T18:00:00.5Z"),
        trigger: "demo.lamp.broken".into(),
        module: "demo".into(),
        scope: "main".into(),
        happened_at: Some(at("2027-03-28T17:59:59Z")),
        hops: 1,
        rehearsal: true,
        vars: json!({"region": "North"}).as_object().cloned().unwrap(),
    };
    vec![SignalEvent::SignalRecorded { signal }]
}

pub fn slug() -> Vec<SlugEvent> {
    vec![SlugEvent::SlugTaken { by: "d-1".into() }]
}

pub fn slot() -> Vec<SlotEvent> {
    vec![SlotEvent::SlotTaken { by: "r-1".into() }, SlotEvent::SlotReleased { by: "r-1".into() }]
}

pub fn switchboard() -> Vec<SwitchEvent> {
    vec![SwitchEvent::ActionSwitched { enabled: true, caps: BTreeMap::from([("demo.lamps".into(), 30)]) }]
}

pub fn ledger() -> Vec<LedgerEvent> {
    let run_id = || "r-1".to_owned();
    let until = Some(at("2027-03-28T19:00:00Z"));
    vec![
        LedgerEvent::TargetReserved { run_id: run_id(), step: "rate".into(), wanted: Some("2".into()), until },
        LedgerEvent::TargetConfirmed {
            run_id: run_id(),
            step: "rate".into(),
            baseline: Some("1".into()),
            applied: Some("2".into()),
            until,
        },
        LedgerEvent::UndoBegun { run_id: run_id(), round: 1, attempt: 1 },
        LedgerEvent::UndoFailed { run_id: run_id(), code: "unreachable".into() },
        LedgerEvent::TargetReverted { run_id: run_id(), reason: Let::Restored },
        LedgerEvent::TargetDrifted { run_id: run_id(), found: "3".into() },
        LedgerEvent::TargetOrphaned { run_id: run_id(), reason: "not held any more".into() },
    ]
}
