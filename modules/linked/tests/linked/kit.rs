//! The conformance kit over a manifest: every obligation, over the wire.

use std::sync::Arc;

use leasehold_module::conformance::{Asked, Bench, Point, check};
use leasehold_module::{Answering, Lease, Module, ParamType};
use serde_json::{Value, json};

use crate::lanterns::{Fault, Lanterns, manifest};
use crate::link::{Sidecar, away, there};

struct Rig {
    lanterns: Lanterns,
    module: Arc<dyn Module>,
    _sidecar: Sidecar,
}

impl Rig {
    async fn of(manifest: Value) -> Self {
        let sidecar = Sidecar::start().await;
        let lanterns = Lanterns::dial(&sidecar.game, "main", Some(manifest.clone()));
        let module = sidecar.module(&manifest, &lanterns).await;
        Self { lanterns, module, _sidecar: sidecar }
    }
}

fn fault(point: Point) -> Option<Fault> {
    Some(match point {
        Point::Away => return None,
        Point::AnswerLost => Fault::LoseAnswer,
        Point::DiesBefore => Fault::DieBefore,
        Point::DiesAfter => Fault::DieAfter,
        Point::FailsHalfWay => Fault::Fail,
        Point::Late => Fault::Defer,
        Point::Nonsense => Fault::Nonsense,
    })
}

impl Bench for Rig {
    fn module(&self) -> &dyn Module {
        &*self.module
    }

    fn scope(&self) -> &'static str {
        "main"
    }

    fn world(&self) -> Answering<'_, Value> {
        Box::pin(async { self.lanterns.world() })
    }

    fn other_value(&self, lease: &Lease, current: &str) -> String {
        match lease.value_type {
            ParamType::Int => (current.parse::<u32>().unwrap() % 10 + 1).to_string(),
            ParamType::Bool => (current != "true").to_string(),
            _ => format!("{current}!"),
        }
    }

    fn break_at(&self, point: Point, asked: Asked<'_>) -> Answering<'_, bool> {
        let kind = match asked {
            Asked::Perform(_) => "act.perform",
            Asked::Revert(_) => "act.revert",
            Asked::LeaseApply(_) => "lease.apply",
            Asked::LeaseRestore(_) => "lease.release",
        };
        Box::pin(async move {
            if let Some(fault) = fault(point) {
                self.lanterns.fault(kind, fault);
            } else {
                self.lanterns.hide(true);
                away(&*self.module).await;
            }
            true
        })
    }

    fn mend(&self) -> Answering<'_, ()> {
        Box::pin(async {
            self.lanterns.hide(false);
            self.lanterns.mend();
            there(&*self.module, &self.lanterns).await;
        })
    }

    fn restart(&self) -> Answering<'_, bool> {
        Box::pin(async {
            self.lanterns.restart(Some(manifest()));
            there(&*self.module, &self.lanterns).await;
            true
        })
    }

    fn move_by_hand<'a>(&'a self, lease: &'a Lease, value: &'a str) -> Answering<'a, ()> {
        self.lanterns.set(&lease.id, value);
        Box::pin(async {})
    }

    fn effect<'a>(&'a self, lease: &'a Lease) -> Answering<'a, Value> {
        let seen = self.lanterns.shines(&lease.id);
        Box::pin(async move { seen.into() })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_manifest_over_the_link_meets_every_obligation() {
    let rig = Rig::of(manifest()).await;
    let before = rig.lanterns.world();
    let findings: Vec<String> = check(&rig).await.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    assert_eq!(rig.lanterns.world(), before, "the world is as before");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_value_that_reads_back_and_does_nothing_is_found() {
    let mut one_value = manifest();
    one_value["actions"] = json!([]);
    one_value["leases"] = json!([one_value["leases"][0]]);
    let rig = Rig::of(one_value).await;
    rig.lanterns.make_inert("lanterns.brightness");
    let findings: Vec<String> = check(&rig).await.iter().map(ToString::to_string).collect();
    assert_eq!(findings.len(), 1, "{}", findings.join("\n"));
    assert!(findings[0].starts_with("LendsWithEffect: lanterns.brightness"), "{}", findings[0]);
}
