//! What a real game tells, as gates and eyes of every rank get it; who took part; and what is lent no longer.

use leasehold_module::{
    Audience, FeedAnswer, FeedAsk, FeedPlace, FeedRead, LeaseApplied, LeaseApply, Module, Reconcile, Reconciled, RevertTarget,
    Reverted, Seen, Standing, UndoneOutcome,
};
use leasehold_uo::{Uo, Visibility};
use serde_json::{Map, Value, json};

use crate::common::{apply, claim, done, key, perform, revert, spawn};
use crate::pair::{CONSENTS, Shard, Sidecar};

async fn read(uo: &Uo, after: Option<FeedPlace>) -> FeedRead {
    match uo.feed(FeedAsk { scope: "main".into(), after, limit: 100, wait_ms: 200 }).await {
        FeedAnswer::Read(read) => read,
        other => panic!("{other:?}"),
    }
}

async fn player(shard: &Shard, name: &str, landmark: &str) -> String {
    let made = shard.console(&format!("player create {name}")).await;
    let serial = made["serial"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
    shard.console(&format!("player connect {name}")).await;
    shard.console(&format!("player walk {name} {landmark}")).await;
    serial
}

#[tokio::test]
async fn a_fallen_champion_is_counted_in_a_trigger_and_shown_by_rank() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    let start = read(&uo, None).await;
    let altar = shard.console("altar list").await["altars"][0].clone();
    let boss =
        shard.console(&format!("altar raise {}", altar["serial"].as_str().unwrap())).await["boss"].as_str().unwrap().to_owned();
    for name in ["Tester", "Darrow"] {
        player(&shard, name, "britain-graveyard").await;
        shard.console(&format!("player fight {name} {boss} 600")).await;
    }
    let mut place = FeedPlace { feed: start.feed, number: start.through };
    let mut fired = Vec::new();
    while !fired.iter().any(|fired: &leasehold_module::Fired| fired.trigger == "uo.champ.boss_killed") {
        let more = read(&uo, Some(place.clone())).await;
        place.number = more.through;
        fired.extend(more.fired);
    }
    let fell = fired.iter().find(|fired| fired.trigger == "uo.champ.boss_killed").unwrap();
    let told = json!({"region": "Britain Graveyard", "map": "Felucca", "boss": "Semidar", "category": "champion", "altar": "Abyss",
        "damagerCount": 2, "damagerNote": "by the hands of 2"});
    assert_eq!(Value::Object(fell.vars.clone()), told);
    let triggers: Vec<&str> = fired.iter().map(|fired| fired.trigger.as_str()).collect();
    assert!(triggers.contains(&"uo.champ.changed") && triggers.contains(&"uo.region.entered"), "{triggers:?}");
    let names = ["Tester", "Darrow", "tester", "darrow"];
    assert!(fired.iter().all(|fired| names.iter().all(|name| !json!(fired.vars).to_string().contains(name))), "{fired:?}");

    let frame: Map<String, Value> =
        sidecar.frames().await.into_iter().find(|frame| frame["kind"] == "champ.boss.killed").unwrap();
    let rules = Visibility::default();
    for viewer in Audience::ALL {
        let seen = json!(rules.seen_by(viewer, &frame).unwrap());
        let staff = matches!(viewer, Audience::Staff | Audience::Admin);
        assert_eq!(seen.get("damagers").is_some(), staff, "{viewer}");
        assert_eq!(seen.to_string().contains("acct"), viewer == Audience::Admin, "{viewer}");
    }
}

#[tokio::test]
async fn who_took_part_is_collected_by_a_key_that_names_nobody() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    let opening = json!({"location": "yew-orchard", "radius": 10, "minutes": 60});
    let counting = done(uo.perform(perform("uo.participation.open", "run/1", key(1), &opening)).await);
    assert_eq!((counting.resources[0].kind.as_str(), counting.resources[0].reference.as_str()), ("counting", "run/1"));
    let member = player(&shard, "Tester", "yew-orchard").await;
    let prey = done(uo.perform(spawn("run/1", key(2), 1)).await).resources[0].reference.clone();
    shard.console(&format!("player fight Tester {prey} 100")).await;
    shard.console("clock +90").await;
    let taken = done(uo.perform(perform("uo.participation.collect", "run/1", key(3), &json!({}))).await);
    let [one] = &taken.participants[..] else { panic!("{taken:?}") };
    assert_eq!((&one.member_key, &one.meta["kills"]), (&member, &json!(1)));
    assert!(one.score.parse::<f64>().unwrap() >= 6.5 && one.joined_at.is_some() && one.meta["seconds"].as_u64().unwrap() >= 90);
    assert!(!format!("{taken:?}").contains("Tester"));
    let gifts = json!({"item": "event_token", "amount": 2, "most": 5, "min_score": 5});
    done(uo.perform(perform("uo.item.grant_participants", "run/1", key(4), &gifts)).await);
    assert_eq!(shard.console("player list").await["players"][0]["pack"], json!({"event_token": 2}));

    let mut close = revert("run/1", key(5), key(1), &[]);
    close.action = "uo.participation.open".into();
    close.resources = vec![RevertTarget { kind: "counting".into(), reference: "run/1".into() }];
    let Reverted::Done(undone) = uo.revert(close.clone()).await else { panic!("done") };
    assert_eq!(undone[0].outcome, UndoneOutcome::Removed);
    close.run_id = "run/2".into();
    (close.idempotency_key, close.resources[0].reference) = (key(6), "run/2".into());
    let Reverted::Done(undone) = uo.revert(close).await else { panic!("done") };
    assert_eq!(undone[0].outcome, UndoneOutcome::Gone);
}

#[tokio::test]
async fn dials_and_seasons_are_lent_and_what_does_nothing_is_lent_no_longer() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    let of = |lease: &str, nth, value: &str| LeaseApply { lease: lease.into(), ..apply("run-1", key(nth), value) };
    for (nth, (lease, value, baseline)) in (1..).zip([
        ("uo.spawner.yew-orchard-1.max_count", "12", "4"),
        ("uo.spawner.yew-orchard-1.running", "false", "true"),
        ("uo.season.harvestfair", "Active", "Inactive"),
        ("uo.config.damage", "200", "100"),
    ]) {
        let applied = LeaseApplied::Applied { baseline: baseline.into(), applied: value.into(), replayed: false };
        assert_eq!(uo.lease_apply(of(lease, nth, value)).await, applied, "{lease}");
    }
    let unknown = |answer: LeaseApplied| match answer {
        LeaseApplied::Failed(failure) => failure,
        other => panic!("{other:?}"),
    };
    assert_eq!(claim(&unknown(uo.lease_apply(of("uo.season.springbloom", 8, "active")).await)), ("bad_value", false, false));
    shard.console("fault inert object:*.MinDelay").await;
    shard.console("disconnect").await;
    let dry = LeaseApply { verify: true, ..of("uo.spawner.yew-orchard-2.min_delay", 9, "30") };
    let withdrawn = async {
        loop {
            if let LeaseApplied::Failed(failure) = uo.lease_apply(dry.clone()).await
                && failure.code == "unknown_lease"
            {
                return failure;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    let withdrawn =
        tokio::time::timeout(std::time::Duration::from_secs(60), withdrawn).await.expect("it goes with the next hello");
    assert!(withdrawn.reason.contains("object:yew-orchard-2.MinDelay"), "{withdrawn}");
}

#[tokio::test]
async fn what_is_not_loaded_is_not_said_to_be_gone() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    let placed = done(uo.perform(spawn("run-1", key(1), 1)).await).resources;
    let target = |reference: &str| RevertTarget { kind: "creature".into(), reference: reference.into() };
    let ask = Reconcile {
        scope: "main".into(),
        run_id: "run-1".into(),
        action: "uo.creature.spawn".into(),
        resources: vec![target(&placed[0].reference), target("0x1")],
    };
    let standings = |told: Reconciled| match told {
        Reconciled::Looked(seen) => seen.into_iter().map(|Seen { standing, .. }| standing).collect::<Vec<_>>(),
        Reconciled::Failed(failure) => panic!("{failure}"),
    };
    assert_eq!(standings(uo.reconcile(ask.clone()).await), [Standing::Present, Standing::Gone]);
    shard.console("facet unload Felucca").await;
    assert_eq!(standings(uo.reconcile(ask.clone()).await), [Standing::Unknown, Standing::Unknown]);
    shard.console("facet load Felucca").await;
    assert_eq!(standings(uo.reconcile(ask).await), [Standing::Present, Standing::Gone]);
}
