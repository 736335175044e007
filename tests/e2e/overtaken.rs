//! Something that a decision rests on changes between the reading and the append: the decision is taken again.

use serde_json::{Value, json};
use sqlx::{Postgres, Transaction};

use crate::world::World;
use crate::world::plans::{event, once, phase, raid, skill};

/// Keeps everybody from appending until it ends.
pub struct Hold(Transaction<'static, Postgres>);

impl Hold {
    /// Appends one event, as another engine would, and does not commit yet.
    pub async fn appending(world: &World, (kind, id): (&str, &str), event: &Value) -> Self {
        let mut held = world.log().await.pool().begin().await.unwrap();
        let append =
            "insert into public.events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
                      select $1, $2, coalesce(max(sequence), 0) + 1, $3, '1', $4::text::json, '{\"actor\": \"somebody\"}'
                      from public.events where aggregate_type = $1 and aggregate_id = $2";
        let append = sqlx::query(append).bind(kind).bind(id).bind(event["type"].as_str()).bind(event.to_string());
        assert_eq!(append.execute(&mut *held).await.unwrap().rows_affected(), 1);
        Self(held)
    }

    /// Returns once somebody waits: it has decided, and cannot append.
    pub async fn keeps_somebody_waiting(&mut self) {
        let waiting = "select exists(select from pg_locks l where l.locktype = 'advisory' and not l.granted
                                     and l.database = (select oid from pg_database where datname = current_database()))";
        while !sqlx::query_scalar::<_, bool>(waiting).fetch_one(&mut *self.0).await.unwrap() {
            tokio::task::yield_now().await;
        }
    }

    pub async fn commit(self) {
        self.0.commit().await.unwrap();
    }

    pub async fn give_up(self) {
        self.0.rollback().await.unwrap();
    }
}

#[tokio::test]
async fn a_claim_by_a_switch_that_is_turned_off() {
    let world = World::new().await;
    let plan = event("switched", &[phase("first", &[skill()], "10m"), phase("second", &[raid()], "10m")]);
    let run_id = world.engine.api.start(&world.engine.api.publish(&plan).await).await;
    world.step_is(&run_id, "skill", "done").await;
    let off = json!({"type": "action_switched", "enabled": false, "caps": {}});
    let mut held = Hold::appending(&world, ("action", "uo.creature.spawn"), &off).await;
    world.advance(600).await;
    held.keeps_somebody_waiting().await;
    held.commit().await;

    let run = world.step_is(&run_id, "raid", "refused").await;
    assert_eq!(crate::world::step(&run, "raid")["lastError"]["code"], "action_disabled");
    assert_eq!(world.shard.outcomes("world.spawn"), Vec::<String>::new(), "the game was not asked");
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    world.ended(&run_id, "cancelled", "complete").await;
    world.finish().await;
}

#[tokio::test]
async fn a_start_by_a_definition_that_is_archived() {
    let world = World::new().await;
    let plan = once(event("archived", &[phase("all", &[raid()], "5m")]), "2027-03-01T13:10");
    let definition = world.engine.api.publish(&plan).await;
    world.engine.api.verify(&definition).await;
    let run_id = world.run_of(&definition).await;
    let mut held = Hold::appending(&world, ("definition", &definition), &json!({"type": "definition_archived"})).await;
    world.advance(600).await;
    held.keeps_somebody_waiting().await;
    held.commit().await;

    world.ended(&run_id, "cancelled", "not_required").await;
    assert_eq!(world.events(&run_id, "run_started").await, Vec::<Value>::new());
    assert_eq!(world.shard.outcomes("world.spawn"), Vec::<String>::new());
    world.finish().await;
}
