//! The engine's own actions, offered through the same door as any module's: with no other module at all, an event of
//! these runs.

mod announce;
mod cue;
mod lease;
mod manifest;
mod wait;

#[cfg(test)]
mod tests;

use leasehold_aggregates::run::PUBLISH_ACTION;
use leasehold_module::{
    Action, Answering, Choice, Failure, Manifest, Module, Options, OptionsAnswer, Perform, Performed, Revert, Reverted, Success,
    check_params,
};

/// The id of the engine's own module.
pub const CORE: &str = leasehold_aggregates::run::OWN_MODULE;

/// The module `core`.
pub struct Core {
    manifest: Manifest,
    /// Value and label of every lease that some module declares.
    leases: Vec<Choice>,
}

impl Core {
    /// `leases` are the ids and labels that `core.lease` may name.
    pub fn new(mut leases: Vec<Choice>) -> Self {
        leases.sort_by(|a, b| a.value.cmp(&b.value));
        Self { manifest: manifest::manifest(), leases }
    }

    fn answer(&self, request: &Perform) -> Performed {
        let Some(action) = self.manifest.action(&request.action) else {
            return no_such_action(&request.action);
        };
        if let Some(failure) = wrong_params(action, request) {
            return Performed::Failed(failure);
        }
        match request.action.as_str() {
            announce::ID => announce::perform(request),
            wait::ID => wait::perform(request),
            cue::ID => cue::perform(request),
            lease::ID => lease::perform(),
            // What there is to publish the run itself knows: its decision does so.
            PUBLISH_ACTION => Performed::Done(Success::default()),
            other => no_such_action(other),
        }
    }

    fn choices(&self, request: &Options) -> OptionsAnswer {
        let choices = match request.source.as_str() {
            announce::LEGS => announce::legs(),
            lease::LEASES => self.leases.clone(),
            other => {
                return OptionsAnswer::Failed(Failure::refused("no_such_source", format!("there is no option source {other}")));
            }
        };
        OptionsAnswer::Choices(choices.into_iter().filter(|choice| request.keeps(choice)).collect())
    }
}

impl Module for Core {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn perform(&self, request: Perform) -> Answering<'_, Performed> {
        Box::pin(async move { self.answer(&request) })
    }

    fn revert(&self, request: Revert) -> Answering<'_, Reverted> {
        Box::pin(async move {
            let reason = format!("{} makes nothing in any world, so there is nothing to take back", request.action);
            Reverted::Failed(Failure::refused("nothing_to_revert", reason))
        })
    }

    fn options(&self, request: Options) -> Answering<'_, OptionsAnswer> {
        Box::pin(async move { self.choices(&request) })
    }
}

fn no_such_action(id: &str) -> Performed {
    Performed::Failed(Failure::refused("no_such_action", format!("there is no action {id}")))
}

fn wrong_params(action: &Action, request: &Perform) -> Option<Failure> {
    let faults = check_params(&action.params, &request.params);
    let details: Vec<_> = faults.into_iter().map(|fault| fault.detail).collect();
    (!details.is_empty()).then(|| Failure::refused("wrong_params", details.join("; ")))
}

/// A text parameter that [`wrong_params`] has found to be there.
fn text<'a>(request: &'a Perform, name: &str) -> &'a str {
    request.params.get(name).and_then(serde_json::Value::as_str).unwrap_or_default()
}
