//! A run as it stood at a place, with the story up to there; and what changed from one place to another.

use leasehold_aggregates::definition::Definition;
use leasehold_aggregates::run::RunRefusal;
use leasehold_projections::Placed;
use leasehold_projections::difference::RunDifference;
use leasehold_projections::run_view::{Notes, RunView};
use leasehold_projections::story::{self, RunStory, Telling};
use serde::Serialize;

use super::around::newest;
use super::{NotThere, Stories, Until, Whole, untold};
use crate::engine::Fault;
use crate::engine::projector::seen;
use crate::engine::streams::{StreamFault, stream};

/// The answer to a replay.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Retelling {
    /// As a read of the run at that place of the log had told of it.
    pub run: RunView,
    pub story: RunStory,
}

impl Stories<'_> {
    /// One run up to a place. Refused as missing where there is no such run, and in words where there was none by then
    /// or the log has not come so far.
    pub async fn replay(&self, run_id: &str, until: Until) -> Result<Retelling, Fault> {
        let [told] = self.replays(run_id, [until]).await?;
        told
    }

    /// The story alone.
    pub async fn story(&self, run_id: &str, until: Until) -> Result<RunStory, Fault> {
        Ok(self.replay(run_id, until).await?.story)
    }

    /// One run up to each of several places, in whatever order: its stream is read once and each event once.
    pub async fn replays<const N: usize>(
        &self,
        run_id: &str,
        places: [Until; N],
    ) -> Result<[Result<Retelling, Fault>; N], Fault> {
        let whole = self.whole(run_id).await?;
        let notes = self.notes(&story::notes_of(&whole.events)).await?;
        let mut ends = Vec::new();
        for (nth, place) in places.into_iter().enumerate() {
            ends.push((nth, place.position_in(self.log, &whole.events, whole.head, self.now).await));
        }
        ends.sort_by_key(|(_, end)| end.as_ref().copied().unwrap_or_default());
        let (mut telling, mut heard) = (Telling::of(run_id, &notes), 0);
        let mut told = [const { None }; N];
        for (nth, end) in ends {
            told[nth] = Some(match end {
                Ok(end) => self.retold(run_id, &whole, &mut telling, &mut heard, end, &notes).await,
                Err(fault) => Err(fault),
            });
        }
        Ok(told.map(|told| told.unwrap_or_else(|| Err(Fault::refused(RunRefusal::Missing)))))
    }

    /// Goes on to the end that is named, and tells the run as of there.
    async fn retold(
        &self,
        run_id: &str,
        whole: &Whole,
        telling: &mut Telling<'_>,
        heard: &mut usize,
        end: u64,
        notes: &Notes,
    ) -> Result<Retelling, Fault> {
        while let Some(event) = whole.events.get(*heard).filter(|event| event.position <= end) {
            telling.hear(event).map_err(untold)?;
            *heard += 1;
        }
        let events = &whole.events[..*heard];
        if events.is_empty() {
            return Err(Fault::refused(NotThere::NotYet { run_id: run_id.to_owned(), first: whole.first }));
        }
        let story = telling.story().map_err(untold)?;
        let definition = stream::<Definition>(&story.run.definition_id);
        let recorded = self.log.load_types(&definition, &story::ANSWERING, end).await?;
        let story = story.signed(&recorded.into_iter().map(seen).collect::<Vec<_>>()).map_err(untold)?;
        Ok(Retelling { run: self.view_of(run_id, telling.run(), newest(events), end, notes).await?, story })
    }
}

impl Retelling {
    /// What changed from this place of the run to a later one, or the same. Refused the other way round.
    pub fn until(&self, later: Self) -> Result<RunDifference, Fault> {
        let (from, to) = (placed(&self.run), placed(&later.run));
        if from.position > to.position {
            return Err(Fault::refused(NotThere::Backwards { from, to }));
        }
        let difference = RunDifference::between(&self.run, &later.run, later.story.lines);
        Ok(difference.map_err(StreamFault::Unwritable)?)
    }
}

fn placed(view: &RunView) -> Placed {
    Placed { position: view.summary.position, at: view.at }
}
