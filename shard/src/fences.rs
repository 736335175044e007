//! Claims of runs: which fence was seen, which was closed. A late owner is told so and changes nothing.

use leasehold_link::wire::{ErrorName, Refusal};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};

/// How many runs are remembered. The oldest is forgotten beyond.
const CAP: usize = 16_384;

/// What is known of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// The highest fence seen.
    pub highest: u64,
    /// The highest fence closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<u64>,
}

/// The marks of every remembered run.
#[derive(Debug, Default)]
pub struct Fences {
    runs: HashMap<String, Marks>,
    order: VecDeque<String>,
}

impl Fences {
    /// Judges a command of a run and notes its fence. A command of a closed run and one of an older claim are refused.
    pub fn admit(&mut self, run: &str, fence: u64) -> Result<(), Refusal> {
        let marks = self.marks(run);
        if let Some(closed) = marks.closed.filter(|closed| fence <= *closed) {
            let reason = format!("run {run} was closed at fence {closed}; this command has {fence}");
            return Err(Refusal::new(ErrorName::RunClosed, reason));
        }
        Self::not_stale(run, fence, marks)?;
        self.note(run, Marks { highest: fence, closed: marks.closed });
        Ok(())
    }

    /// Closes a run at that fence; gives the highest fence closed so far. A repeat is no fault, an older claim is.
    pub fn close(&mut self, run: &str, fence: u64) -> Result<u64, Refusal> {
        let marks = self.marks(run);
        Self::not_stale(run, fence, marks)?;
        let closed = marks.closed.map_or(fence, |closed| closed.max(fence));
        self.note(run, Marks { highest: fence, closed: Some(closed) });
        Ok(closed)
    }

    fn not_stale(run: &str, fence: u64, marks: Marks) -> Result<(), Refusal> {
        if fence >= marks.highest {
            return Ok(());
        }
        let reason = format!("run {run} was seen with fence {}; this command has {fence}", marks.highest);
        Err(Refusal::new(ErrorName::StaleFence, reason))
    }

    /// The marks of a run; none set where it was never seen.
    pub fn marks(&self, run: &str) -> Marks {
        self.runs.get(run).copied().unwrap_or_default()
    }

    /// Takes in marks; marks only rise.
    pub fn note(&mut self, run: &str, marks: Marks) {
        if let Some(known) = self.runs.get_mut(run) {
            known.highest = known.highest.max(marks.highest);
            known.closed = known.closed.max(marks.closed);
            return;
        }
        if self.runs.len() >= CAP
            && let Some(oldest) = self.order.pop_front()
        {
            tracing::warn!(run = oldest, "more than {CAP} runs: the fences of the oldest are forgotten");
            self.runs.remove(&oldest);
        }
        self.order.push_back(run.to_owned());
        self.runs.insert(run.to_owned(), marks);
    }

    /// Every remembered run, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = (&str, Marks)> {
        self.order.iter().filter_map(|run| Some((run.as_str(), *self.runs.get(run)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(result: Result<(), Refusal>) -> Option<ErrorName> {
        result.err().map(|refusal| refusal.error)
    }

    #[test]
    fn an_older_claim_is_stale_and_the_same_one_is_not() {
        let mut fences = Fences::default();
        assert_eq!(error(fences.admit("77", 5)), None);
        assert_eq!(error(fences.admit("77", 5)), None);
        assert_eq!(error(fences.admit("77", 4)), Some(ErrorName::StaleFence));
        assert_eq!(error(fences.admit("78", 1)), None, "another run has its own");
    }

    #[test]
    fn a_closed_run_refuses_up_to_its_fence_and_admits_a_newer_claim() {
        let mut fences = Fences::default();
        assert_eq!(fences.close("77", 9).unwrap(), 9);
        assert_eq!(error(fences.admit("77", 9)), Some(ErrorName::RunClosed));
        assert_eq!(error(fences.admit("77", 3)), Some(ErrorName::RunClosed));
        assert_eq!(fences.close("77", 9).unwrap(), 9, "closing twice is no fault");
        assert_eq!(fences.close("77", 8).unwrap_err().error, ErrorName::StaleFence);
        assert_eq!(error(fences.admit("77", 10)), None);
        assert_eq!(error(fences.admit("77", 9)), Some(ErrorName::RunClosed));
    }

    #[test]
    fn the_memory_of_runs_is_bounded_and_drops_the_oldest() {
        let mut fences = Fences::default();
        for run in 0..=CAP {
            fences.close(&run.to_string(), 1).unwrap();
        }
        assert_eq!(fences.entries().count(), CAP);
        assert_eq!(fences.marks("0"), Marks::default());
        assert_eq!(fences.marks("1").closed, Some(1));
    }
}
