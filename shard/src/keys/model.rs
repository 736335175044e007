//! The store beside the plainest thing that could be right, under random commands, repeats, refusals, failures, deferrals, restarts
//! and evictions. Seeds are fixed, so a failure repeats.

use super::{
    tests::{by, identity, object},
    *,
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::json;

const TTL_MS: i64 = 60_000;
const CAP: usize = 6;

/// A list, searched from end to end.
#[derive(Default)]
struct Model {
    keys: Vec<(String, Identity, i64, Standing)>,
    /// How often each key's handler ran to its end since the key was last forgotten.
    applied: HashMap<String, u32>,
    evicted: u64,
}

impl Model {
    fn age(&mut self, now: i64) {
        let dead = |(_, _, begun, standing): &(String, Identity, i64, Standing)| {
            begun + TTL_MS <= now && *standing != Standing::InFlight
        };
        for (key, ..) in self.keys.iter().filter(|entry| dead(entry)) {
            self.applied.remove(key);
        }
        self.keys.retain(|entry| !dead(entry));
    }

    fn expected(&self, key: &str, asked: &Identity, req_id: &str) -> Verdict {
        let Some((_, known, _, standing)) = self.keys.iter().find(|(known, ..)| known == key) else { return Verdict::Fresh };
        match standing {
            _ if known != asked => Verdict::Refused(known.disagreement(asked).unwrap()),
            Standing::InFlight => Verdict::Busy,
            Standing::Interrupted => Verdict::Interrupted,
            Standing::Answered(answer) => {
                let mut answer = answer.clone();
                answer.insert("reqId".into(), req_id.into());
                answer.insert("replayed".into(), true.into());
                Verdict::Replay(answer)
            }
        }
    }

    /// Makes room; false where there is none.
    fn make_room(&mut self) -> bool {
        if self.keys.len() < CAP {
            return true;
        }
        let Some(oldest) = self.keys.iter().position(|(_, _, _, standing)| *standing != Standing::InFlight) else { return false };
        let (key, ..) = self.keys.remove(oldest);
        self.applied.remove(&key);
        self.evicted += 1;
        true
    }

    fn set(&mut self, key: &str, standing: Standing) {
        self.keys.iter_mut().find(|(known, ..)| known == key).unwrap().3 = standing;
    }
}

fn answer(chance: &mut StdRng, key: &str) -> Map<String, Value> {
    object(json!({"kind": "world.spawn.ok", "reqId": "first", "of": key, "n": chance.random::<u32>()}))
}

#[test]
fn the_store_does_what_the_model_does() {
    for seed in 0..200 {
        let mut chance = StdRng::seed_from_u64(seed);
        let (mut model, mut store) = (Model::default(), KeyStore::new(60, CAP));
        let mut now = 0;
        for step in 0..400 {
            let key = format!("key-{}", chance.random_range(0..9));
            match chance.random_range(0..100) {
                0..55 => ask_and_perhaps_run(&mut chance, &mut model, &mut store, now, &key),
                55..75 => finish_one_in_flight(&mut chance, &mut model, &mut store),
                75..97 => now += chance.random_range(0..TTL_MS / 4),
                _ => store = restart(&mut model, &store),
            }
            model.age(now);
            assert!(store.len() <= CAP, "seed {seed}, step {step}");
            assert!(model.applied.values().all(|times| *times <= 1), "seed {seed}, step {step}: applied twice while remembered");
        }
        assert_eq!(store.counters.evicted, model.evicted, "seed {seed}");
    }
}

fn ask_and_perhaps_run(chance: &mut StdRng, model: &mut Model, store: &mut KeyStore, now: i64, key: &str) {
    let asked = identity("world.spawn", if chance.random_ratio(1, 12) { "another body" } else { "a body" });
    let req_id = format!("r-{}", chance.random::<u16>());
    model.age(now);
    let verdict = store.ask(now, key, &asked, &by("reqId", &req_id));
    assert_eq!(verdict, model.expected(key, &asked, &req_id));
    if verdict != Verdict::Fresh {
        return;
    }
    let began = store.begin(now, key, asked.clone());
    assert_eq!(began.is_ok(), model.make_room());
    if began.is_ok() {
        model.keys.push((key.to_owned(), asked, now, Standing::InFlight));
    }
}

/// A handler ends: done, failed half-way (kept all the same), or refused.
fn finish_one_in_flight(chance: &mut StdRng, model: &mut Model, store: &mut KeyStore) {
    let in_flight: Vec<String> =
        model.keys.iter().filter(|(_, _, _, standing)| *standing == Standing::InFlight).map(|(key, ..)| key.clone()).collect();
    if in_flight.is_empty() {
        return;
    }
    let key = &in_flight[chance.random_range(0..in_flight.len())];
    if chance.random_ratio(1, 4) {
        store.release(key);
        model.keys.retain(|(known, ..)| known != key);
    } else {
        let answer = answer(chance, key);
        store.settle(key, answer.clone());
        model.set(key, Standing::Answered(answer));
        *model.applied.entry(key.clone()).or_default() += 1;
    }
}

fn restart(model: &mut Model, store: &KeyStore) -> KeyStore {
    let mut fresh = KeyStore::new(60, CAP);
    for (key, entry) in store.entries() {
        fresh.restore(key.to_owned(), entry.clone());
    }
    fresh.counters = store.counters;
    for (.., standing) in &mut model.keys {
        if *standing == Standing::InFlight {
            *standing = Standing::Interrupted;
        }
    }
    fresh
}
