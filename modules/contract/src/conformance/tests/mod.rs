//! The kit, tried on modules that are broken on purpose: each in one place, and found exactly there.

mod lamps;
mod values;
mod world;

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use lamps::{Flaw, Lamps};

use super::{Finding, Obligation, check};

/// Whatever these modules answer is there at once.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("nothing here waits"),
    }
}

fn found(flaw: Option<Flaw>) -> Vec<Finding> {
    now(check(&Lamps::new(flaw)))
}

#[test]
fn a_sound_module_has_no_findings() {
    let findings = found(None);
    assert_eq!(findings, [], "{}", findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
}

#[test]
fn each_flaw_is_found_under_its_own_obligation_alone() {
    let mut wrong = Vec::new();
    for (flaw, obligation) in Flaw::ALL {
        let findings = found(Some(flaw));
        let told: BTreeSet<Obligation> = findings.iter().map(|finding| finding.obligation).collect();
        if told != BTreeSet::from([obligation]) {
            let all = findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
            wrong.push(format!("{flaw:?} is to break {obligation:?}:\n{all}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn each_obligation_has_a_flaw_that_breaks_it() {
    let broken: BTreeSet<Obligation> = Flaw::ALL.into_iter().map(|(_, obligation)| obligation).collect();
    assert_eq!(broken, BTreeSet::from(Obligation::ALL));
}
