//! What an audit of one run needs from the log: the run's own stream, and those that say on what and on whose word it rests.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use leasehold_aggregates::account::Account;
use leasehold_aggregates::definition::Definition;
use leasehold_aggregates::run::{Run, RunRefusal};
use leasehold_aggregates::switchboard::Switchboard;
use leasehold_projections::SeenEvent;
use leasehold_projections::story::{self, RunStory};
use uuid::Uuid;

use super::Fault;
use super::projector::seen;
use super::stories::{NotThere, Until, untold};
use super::streams::{Loaded, fold, stream};
use crate::log::{Bundle, BundleRequest, Log, LogError, Recorded, StreamId};

/// The request for the bundle of one run: its stream; the definition with its versions and who published and verified
/// them; every stream that was written to together with the run (targets in the ledger, its slot); the switches of its
/// actions; and the accounts of everybody who acted on one of these, and of whoever gave them their roles.
///
/// Refused as missing where there is no such run.
pub async fn of_run(log: &Log, run_id: &str, notes: bool, at: DateTime<Utc>) -> Result<BundleRequest, Fault> {
    let subject = stream::<Run>(run_id);
    let events = log.load(&subject).await?;
    let mut streams = written_together(log, &subject, &events).await?;
    let run: Loaded<Run> = fold(run_id, events)?;
    let scheduled = run.state.scheduled.as_ref().ok_or_else(|| Fault::refused(RunRefusal::Missing))?;
    streams.insert(stream::<Definition>(&scheduled.definition_id));
    let steps = scheduled.plan.phases.iter().flat_map(|phase| &phase.steps);
    streams.extend(steps.map(|step| stream::<Switchboard>(&step.action)));
    let streams = with_accounts(log, streams).await?;
    Ok(BundleRequest { subject, streams: streams.into_iter().collect(), notes, at })
}

/// The run's stream, and those in which the same commands wrote. Another run that one of them touched has its own bundle.
async fn written_together(log: &Log, subject: &StreamId, events: &[Recorded]) -> Result<BTreeSet<StreamId>, Fault> {
    let commands: BTreeSet<Uuid> = events.iter().filter_map(|event| event.metadata.get("command_id")?.parse().ok()).collect();
    let streams: Vec<(String, String)> = sqlx::query_as(
        "select distinct e.aggregate_type, e.aggregate_id
         from public.commands c join public.events e on e.position between c.first_position and c.last_position
         where c.command_id = any($1)",
    )
    .bind(commands.into_iter().collect::<Vec<_>>())
    .fetch_all(log.pool())
    .await
    .map_err(LogError::from)?;
    let streams = streams.into_iter().map(|(aggregate_type, aggregate_id)| StreamId { aggregate_type, aggregate_id });
    let others = |stream: &StreamId| stream.aggregate_type != subject.aggregate_type;
    Ok(streams.filter(others).chain([subject.clone()]).collect())
}

/// The accounts behind every actor in these streams come along, and then those behind them.
async fn with_accounts(log: &Log, streams: BTreeSet<StreamId>) -> Result<BTreeSet<StreamId>, Fault> {
    let (mut all, mut fresh) = (streams.clone(), streams);
    while !fresh.is_empty() {
        let accounts = actors(log, &fresh).await?.into_iter().map(|actor| stream::<Account>(&actor));
        fresh = accounts.filter(|account| !all.contains(account)).collect();
        all.extend(fresh.iter().cloned());
    }
    Ok(all)
}

/// Everybody who acted in one of these streams and has an account.
async fn actors(log: &Log, streams: &BTreeSet<StreamId>) -> Result<Vec<String>, LogError> {
    let types: Vec<&str> = streams.iter().map(|stream| stream.aggregate_type.as_str()).collect();
    let ids: Vec<&str> = streams.iter().map(|stream| stream.aggregate_id.as_str()).collect();
    let actors = sqlx::query_scalar(
        "select distinct e.metadata ->> 'actor'
         from unnest($1::text[], $2::text[]) as s (aggregate_type, aggregate_id)
         join public.events e using (aggregate_type, aggregate_id)
         where exists (select from public.events a
                       where a.aggregate_type = 'account' and a.aggregate_id = e.metadata ->> 'actor')",
    );
    Ok(actors.bind(types).bind(ids).fetch_all(log.pool()).await?)
}

/// The story of the run that a bundle is about, from the bundle alone, up to and with this position of the log. Words are
/// told where the bundle has the notes.
pub fn story(bundle: &Bundle, until: u64) -> Result<RunStory, Fault> {
    let by_then = |stream: &StreamId| -> Vec<SeenEvent> {
        bundle.stream(stream).into_iter().filter(|event| event.position <= until).map(seen).collect()
    };
    let words = bundle.notes.iter().filter_map(|note| Some((note.id, note.words.as_ref()?.1.clone())));
    let (events, notes) = (by_then(&bundle.subject), words.collect());
    let story = story::tell(&bundle.subject.aggregate_id, &events, &notes).map_err(untold)?;
    let definition = by_then(&stream::<Definition>(&story.run.definition_id));
    let before: Vec<SeenEvent> = definition.into_iter().filter(|event| event.position <= story.run.position).collect();
    story.signed(&before).map_err(untold)
}

/// The position that a place names for the run that a bundle is about. Refused where the log had not come so far when the
/// bundle was made.
pub fn position(bundle: &Bundle, until: Until) -> Result<u64, Fault> {
    let head = bundle.head.position;
    let events: Vec<SeenEvent> = bundle.stream(&bundle.subject).into_iter().map(seen).collect();
    match until {
        Until::Now => Ok(head),
        Until::Position(asked) if asked > head => Err(Fault::refused(NotThere::BeyondHead { asked, head })),
        Until::Position(asked) => Ok(asked),
        Until::Instant(asked) if events.iter().map(SeenEvent::at).fold(bundle.exported_at, DateTime::max) < asked => {
            Err(Fault::refused(NotThere::InFuture { asked, head }))
        }
        Until::Instant(asked) => {
            let by_then = events.iter().take_while(|event| event.at() <= asked);
            Ok(by_then.last().map_or(0, |event| event.position))
        }
    }
}
