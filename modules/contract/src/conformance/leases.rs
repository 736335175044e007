//! Borrowing a value and giving it back, through whatever happens meanwhile.

use super::Obligation::{
    FailsLoudly, GivesBack, KnowsWhatIsHeld, LeavesDrift, LendsOnce, LendsWithBaseline, LendsWithEffect, LendsWithinBounds,
    RecoversWhole, VerifiesWithoutChange,
};
use super::asking::{Attempt, Trial};
use super::{Asked, Point};
use crate::{InForce, Lease, LeaseApplied, LeaseRead, LeaseRestored, same_value};

pub async fn check(trial: &mut Trial<'_>, lease: &Lease) {
    let attempt = trial.attempt();
    let baseline = match trial.read(lease, &attempt).await {
        LeaseRead::Value(value) => value,
        LeaseRead::Failed(failure) => {
            return trial.owes(LendsWithBaseline, &lease.id, false, || format!("it cannot be read: {failure:?}"));
        }
    };
    let value = trial.bench.other_value(lease, &baseline);
    dry(trial, lease, &value).await;
    bounds(trial, lease, &value).await;
    lent_and_given_back(trial, lease, (&baseline, &value)).await;
    drifted(trial, lease, (&baseline, &value)).await;
    if !trial.bench.breaks(&lease.id) {
        return;
    }
    restarted(trial, lease, (&baseline, &value)).await;
    for point in Point::ALL {
        borrowing_broken(trial, lease, &value, point).await;
        giving_back_broken(trial, lease, &value, point).await;
    }
}

async fn dry(trial: &mut Trial<'_>, lease: &Lease, value: &str) {
    let before = trial.world().await;
    let attempt = trial.attempt();
    let mut request = trial.borrowing(lease, &attempt, value);
    request.verify = true;
    let answer = trial.borrow(request).await;
    let fine = matches!(answer, LeaseApplied::Acceptable { .. });
    trial.owes(VerifiesWithoutChange, &lease.id, fine, || format!("a dry run does not tell that it would do: {answer:?}"));
    trial.owes_same(VerifiesWithoutChange, &lease.id, &before, || "a dry run changes the world".into()).await;
}

async fn bounds(trial: &mut Trial<'_>, lease: &Lease, value: &str) {
    let before = trial.world().await;
    let beyond = lease.max.as_ref().map(|max| format!("{max}0")).map(|value| (value, lease.max_duration_ms.min(60_000)));
    let too_long = Some((value.to_owned(), lease.max_duration_ms.saturating_add(1)));
    for (value, hold_ms) in beyond.into_iter().chain(too_long) {
        for verify in [true, false] {
            let attempt = trial.attempt();
            let mut request = trial.borrowing(lease, &attempt, &value);
            (request.verify, request.hold_ms) = (verify, hold_ms);
            let answer = trial.borrow(request).await;
            let refused = matches!(&answer, LeaseApplied::Failed(failure) if !failure.unknown);
            let told = || format!("{value:?} for {hold_ms} ms is not refused (dry: {verify}): {answer:?}");
            trial.owes(LendsWithinBounds, &lease.id, refused, told);
            trial.give_back(lease, &attempt, (&value, None), 1).await;
        }
    }
    trial.owes_same(LendsWithinBounds, &lease.id, &before, || "what is refused changes the world".into()).await;
}

async fn lent_and_given_back(trial: &mut Trial<'_>, lease: &Lease, values: (&str, &str)) {
    let (baseline, value) = values;
    let (before, usual) = (trial.world().await, trial.bench.effect(lease).await);
    let attempt = trial.attempt();
    let first = trial.borrow(trial.borrowing(lease, &attempt, value)).await;
    let LeaseApplied::Applied { baseline: told, applied, .. } = &first else {
        return trial.owes(LendsWithBaseline, &lease.id, false, || format!("it is not lent: {first:?}"));
    };
    let right = same_value(lease.value_type, told, baseline) && same_value(lease.value_type, applied, value);
    trial.owes(LendsWithBaseline, &lease.id, right, || format!("{baseline:?} was there and {value:?} asked for: {first:?}"));
    let shown = trial.bench.effect(lease).await;
    trial.owes(LendsWithEffect, &lease.id, shown != usual, || format!("{value:?} was set, and what is seen is still {shown}"));
    let mut again = trial.borrowing(lease, &attempt, value);
    again.fence += 1;
    let again = trial.borrow(again).await;
    let same = matches!(&again, LeaseApplied::Applied { baseline, replayed: true, .. } if baseline == told);
    trial.owes(LendsOnce, &lease.id, same, || format!("a repeat of its key is not the first answer: {again:?}"));
    let other = trial.attempt();
    let taken = trial.borrow(trial.borrowing(lease, &other, value)).await;
    let refused = matches!(&taken, LeaseApplied::Failed(failure) if !failure.unknown);
    trial.owes(LendsWithinBounds, &lease.id, refused, || format!("what one run holds is lent to another: {taken:?}"));
    let held = trial.in_force(lease, &attempt).await;
    trial.owes(KnowsWhatIsHeld, &lease.id, held != InForce::No, || "what is held is told not to be".into());
    for round in [1, 1, 2] {
        let given = trial.give_back(lease, &attempt, (value, Some(told)), round).await;
        let fine = matches!(given, LeaseRestored::Restored | LeaseRestored::LetGo { .. });
        trial.owes(GivesBack, &lease.id, fine, || format!("it is not given back (round {round}): {given:?}"));
    }
    let same = trial.owes_same(GivesBack, &lease.id, &before, || "giving back leaves the world changed".into()).await;
    if !same {
        trial.bench.move_by_hand(lease, baseline).await;
    }
    let shown = trial.bench.effect(lease).await;
    trial.owes(LendsWithEffect, &lease.id, shown == usual, || {
        format!("it was given back: {usual} was seen before, and now {shown}")
    });
    let held = trial.in_force(lease, &attempt).await;
    trial.owes(KnowsWhatIsHeld, &lease.id, held != InForce::Yes, || "what was given back is told to be held".into());
}

async fn drifted(trial: &mut Trial<'_>, lease: &Lease, values: (&str, &str)) {
    let (baseline, value) = values;
    let by_hand = [baseline.to_owned(), value.to_owned()];
    let mut third = trial.bench.other_value(lease, value);
    if by_hand.iter().any(|taken| same_value(lease.value_type, taken, &third)) {
        // A type of two values has no third: the baseline, put back by somebody else, is his and not ours.
        baseline.clone_into(&mut third);
    }
    let before = trial.world().await;
    let attempt = trial.attempt();
    let LeaseApplied::Applied { .. } = trial.borrow(trial.borrowing(lease, &attempt, value)).await else { return };
    trial.bench.move_by_hand(lease, &third).await;
    let given = trial.give_back(lease, &attempt, (value, Some(baseline)), 1).await;
    let told = match &given {
        LeaseRestored::Drifted { current } => same_value(lease.value_type, current, &third),
        _ => false,
    };
    trial.owes(LeavesDrift, &lease.id, told, || format!("{third:?} was set by hand, and giving back says {given:?}"));
    if let LeaseRead::Value(now) = trial.read(lease, &attempt).await {
        let kept = same_value(lease.value_type, &now, &third);
        trial.owes(LeavesDrift, &lease.id, kept, || format!("{third:?} was set by hand, and giving back has written {now:?}"));
    }
    trial.bench.move_by_hand(lease, baseline).await;
    trial.owes_same(LeavesDrift, &lease.id, &before, || "a drifted value is still held by the run".into()).await;
}

/// In a new life of the game, what is told of the hold is what is so.
async fn restarted(trial: &mut Trial<'_>, lease: &Lease, values: (&str, &str)) {
    let (baseline, value) = values;
    let before = trial.world().await;
    let attempt = trial.attempt();
    let LeaseApplied::Applied { .. } = trial.borrow(trial.borrowing(lease, &attempt, value)).await else { return };
    let restarted = trial.bench.restart().await;
    let held = trial.in_force(lease, &attempt).await;
    if restarted
        && held == InForce::No
        && let LeaseRead::Value(now) = trial.read(lease, &attempt).await
    {
        let gone = same_value(lease.value_type, &now, baseline);
        trial.owes(KnowsWhatIsHeld, &lease.id, gone, || format!("after a restart it is told not to be held, and is {now:?}"));
    }
    let given = trial.give_back(lease, &attempt, (value, Some(baseline)), 1).await;
    let fine = matches!(given, LeaseRestored::Restored | LeaseRestored::LetGo { .. });
    trial.owes(GivesBack, &lease.id, fine, || format!("after a restart it is not given back: {given:?}"));
    trial.owes_same(GivesBack, &lease.id, &before, || "after a restart giving back leaves the world changed".into()).await;
}

async fn borrowing_broken(trial: &mut Trial<'_>, lease: &Lease, value: &str, point: Point) {
    let before = trial.world().await;
    let attempt = trial.attempt();
    if !trial.bench.break_at(point, Asked::LeaseApply(&lease.id)).await {
        return;
    }
    let broken = trial.borrow(trial.borrowing(lease, &attempt, value)).await;
    trial.bench.mend().await;
    let changed = trial.world().await != before;
    let loud = matches!(&broken, LeaseApplied::Failed(failure) if failure.unknown || !changed);
    trial.owes(FailsLoudly, &lease.id, loud, || format!("borrowing that meets {point:?} reads as {broken:?}"));
    settled(trial, lease, &attempt, value).await;
    trial.owes_same(RecoversWhole, &lease.id, &before, || format!("borrowing that met {point:?} cannot be undone")).await;
}

async fn giving_back_broken(trial: &mut Trial<'_>, lease: &Lease, value: &str, point: Point) {
    let before = trial.world().await;
    let attempt = trial.attempt();
    let LeaseApplied::Applied { .. } = trial.borrow(trial.borrowing(lease, &attempt, value)).await else { return };
    if trial.bench.break_at(point, Asked::LeaseRestore(&lease.id)).await {
        let standing = trial.world().await;
        let broken = trial.give_back(lease, &attempt, (value, None), 1).await;
        trial.bench.mend().await;
        let changed = trial.world().await != standing;
        let loud = matches!(&broken, LeaseRestored::Failed(failure) if failure.unknown || !changed);
        trial.owes(FailsLoudly, &lease.id, loud, || format!("giving back that meets {point:?} reads as {broken:?}"));
    }
    settled(trial, lease, &attempt, value).await;
    trial.owes_same(RecoversWhole, &lease.id, &before, || format!("giving back that met {point:?} is never whole")).await;
}

/// Gives back, without the baseline that no answer has told, whatever is there.
async fn settled(trial: &mut Trial<'_>, lease: &Lease, attempt: &Attempt, value: &str) {
    let given = trial.give_back(lease, attempt, (value, None), 2).await;
    let fine = matches!(given, LeaseRestored::Restored | LeaseRestored::LetGo { .. });
    trial.owes(RecoversWhole, &lease.id, fine, || format!("it cannot be given back afterwards: {given:?}"));
}
