//! A batch as one statement that is its own transaction: written behind the head that is remembered, in the belief that
//! nobody else has written meanwhile. The schema says whether that was so.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use sqlx::PgConnection;

use super::known::{self, Known};
use super::plan::{Plan, Seen, plan};
use super::trouble::Trouble;
use super::waiting::Prepared;
use super::{columns, statement};
use crate::log::{RecordedText, crash};

/// Writes what of the batch can be written, and says what that is, with the events as they stand in the log. [`Trouble::Behind`] when it is not one for this.
pub(super) async fn carry<'a>(
    connection: &mut PgConnection,
    commands: &[&'a Prepared],
    known: &Mutex<Known>,
) -> Result<(Plan<'a>, Vec<RecordedText>), Trouble> {
    let (plan, columns, newest) = {
        let mut known = known::of(known);
        let clock = known.clock(Instant::now()).filter(|_| known.in_step).ok_or(Trouble::Behind)?;
        let plan = plan(commands, &mut known, Seen::default());
        if plan.behind || (plan.events == 0 && !plan.ahead.is_empty()) {
            return Err(Trouble::Behind);
        }
        let (columns, newest) = columns::stamp(commands, &plan, known.head.as_ref(), clock);
        (plan, columns, newest)
    };
    let events = columns.recorded();
    if plan.events > 0 {
        crash::point("batch.before_statement");
        let written = statement::write(connection, commands, &plan, columns, true).await;
        let clock = written.map_err(|error| Trouble::of(Arc::new(error), true))?;
        crash::point("batch.after_statement");
        let mut known = known::of(known);
        known.heard(clock, Instant::now());
        known.committed(&plan.ends, newest);
    }
    Ok((plan, events))
}
