//! The lines of a game that has started anew, and of what it has told of the run since.

use leasehold_aggregates::run::Lost;
use leasehold_aggregates::target::Target;
use serde_json::json;

use super::line::StoryKind;
use super::teller::{About, Teller};
use crate::sentences::count;

pub(super) fn restarted(teller: &mut Teller<'_>, module: &str, boot: &str) {
    let text = format!("the game of {module} has started anew; what it still has of this run, a look will tell");
    teller.say(StoryKind::GameReconciled, About::default(), text, json!({"module": module, "boot": boot}));
}

pub(super) fn told(teller: &mut Teller<'_>, module: &str, lost: &[Lost], returned: &[Target], unknown: u64) {
    for Lost { target, reason } in lost {
        let text = format!("{target} has vanished: its game has it no more");
        about(teller, StoryKind::ResourceOrphaned, target, text, json!({"target": target, "reason": reason}));
    }
    for target in returned {
        let text = format!("{target} had been let go, and is there again");
        about(teller, StoryKind::ResourceReturned, target, text, json!({"target": target}));
    }
    let open =
        if unknown == 0 { String::new() } else { format!("; it cannot tell yet of {}", count(as_usize(unknown), "thing")) };
    let text = format!("the game of {module} has told what it has of this run{open}");
    let detail = json!({"module": module, "lost": lost.len(), "returned": returned.len(), "unknown": unknown});
    teller.say(StoryKind::GameReconciled, About::default(), text, detail);
}

fn about(teller: &mut Teller<'_>, kind: StoryKind, target: &Target, text: String, detail: serde_json::Value) {
    let held = teller.run.holdings.iter().rfind(|held| held.target == *target);
    let (step, mut phase) = (held.map_or_else(String::new, |held| held.step.clone()), String::new());
    let about = teller.about_step(&step, &mut phase);
    teller.say(kind, about, text, detail);
}

fn as_usize(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
