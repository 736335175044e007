//! The eight controls: what people do to a run under way, and may send again.

use leasehold_aggregates::account::Role;
use leasehold_aggregates::authorise::Asker;
use leasehold_aggregates::run::{Retry, RunCommand};

use super::{Committed, Extras, Reading};
use crate::engine::{Act, Engine, Fault};

/// One control. What is about a step names its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Control {
    Pause,
    Resume,
    /// Opens the gate that the phase waits at.
    Advance,
    /// Ends the run; with `cleanup`, what it holds is given back.
    Cancel {
        cleanup: bool,
    },
    Skip {
        step: String,
    },
    Retry {
        step: String,
    },
    Confirm {
        step: String,
    },
}

impl Engine {
    /// Does what somebody in this role asks of a run. Answers at once: whatever follows in the world follows by itself.
    pub async fn control_run(
        &self,
        act: &Act,
        role: Role,
        run_id: &str,
        control: &Control,
        words: Option<&str>,
    ) -> Result<Committed, Fault> {
        let (note, row) = words.map(|words| act.note(words)).unzip();
        let extras = Extras { rows: row.into_iter().collect(), ..Extras::default() };
        let (at, note) = (act.at, || note.clone());
        let command = |reading: &Reading| {
            let facts = || reading.facts.clone();
            match control.clone() {
                Control::Pause => RunCommand::Pause { at, stop: None, note: note() },
                Control::Resume => RunCommand::Resume { at, note: note(), facts: facts() },
                Control::Advance => RunCommand::OpenGate { at, note: note() },
                Control::Cancel { cleanup } => {
                    RunCommand::Cancel { at, by: Asker::Person(role), cleanup, stop: None, note: note() }
                }
                Control::Skip { step } => RunCommand::Skip { at, step, note: note(), facts: facts() },
                Control::Retry { step } => {
                    let caps = (role == Role::Admin).then(|| reading.budget_now());
                    RunCommand::Retry(Retry { at, step, note: note(), facts: facts(), caps })
                }
                Control::Confirm { step } => RunCommand::Confirm { at, step, note: note(), facts: facts() },
            }
        };
        self.command_of_person(act, run_id, &extras, command).await
    }

    /// Asks for another round of a run's teardown. Answers at once; nothing to do is an answer, too.
    pub async fn clean_up_run(&self, act: &Act, run_id: &str) -> Result<Committed, Fault> {
        self.command_of_person(act, run_id, &Extras::default(), |_| RunCommand::Cleanup { at: act.at }).await
    }

    async fn command_of_person(
        &self,
        act: &Act,
        run_id: &str,
        extras: &Extras,
        command: impl Fn(&Reading) -> RunCommand + Send,
    ) -> Result<Committed, Fault> {
        self.once(act, || self.commit_run(act, run_id, extras, command), |done| self.as_left(run_id, done, act.at)).await
    }
}
