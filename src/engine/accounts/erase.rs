use leasehold_aggregates::account::AccountCommand;
use leasehold_aggregates::body::{Fault as BodyFault, Text};
use leasehold_aggregates::decide::Decide;

use crate::engine::again::again;
use crate::engine::{Act, Engine, Fault};
use crate::log::RowWrite;

/// Why somebody is erased: 1 to 2,000 characters, in any number of lines.
const REASON: Text = Text::lines(2_000);

/// What an erasure did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Erased {
    /// False where nothing was left to erase.
    pub changed: bool,
    /// Notes that were blanked now.
    pub notes: u64,
}

impl Engine {
    /// Erases the person behind an account, for good: its name, what its tokens are called, and the text and salt of
    /// every note that it wrote. The account may do nothing from its next request on; events, hashes and counts stay as
    /// they are, and the act is an event of its own. Doing it again blanks what was typed at that very moment, or
    /// nothing.
    ///
    /// Refused for the last enabled admin. The reason is a note of the actor's and is kept: it should name nobody.
    pub async fn erase_account(&self, act: &Act, id: &str, reason: &str) -> Result<Erased, Fault> {
        let wrong = |code, detail| Fault::Invalid(vec![BodyFault::new("/reason", code, detail)]);
        REASON.check("the reason", &reason.into()).map_err(|(code, detail)| wrong(code, detail))?;
        if reason.trim().is_empty() {
            return Err(wrong("wrong_length", "the reason must say why".to_owned()));
        }
        again(self, || self.try_erase(act, id, reason)).await
    }

    async fn try_erase(&self, act: &Act, id: &str, reason: &str) -> Result<Erased, Fault> {
        let standing = self.account_standing(id).await?;
        let other = self.another_admin(id).await?;
        let notes = self.log.notes_written_by(id).await?;
        let (note, row) = act.note(reason);
        let command = AccountCommand::Erase { notes, reason: Some(note), other_admins: other.is_some() };
        let events = standing.account.state.decide(command).map_err(Fault::refused)?;
        if events.is_empty() {
            return Ok(Erased { changed: false, notes: 0 });
        }
        let mut append = act.append(&self.recorded_by());
        append.writes = vec![standing.account.write(&events)?];
        append.requires = other.iter().map(crate::engine::streams::Loaded::required).collect();
        // The reason comes last: who erases their own account leaves no text either.
        append.rows = vec![
            RowWrite::EraseAccount { account_id: id.to_owned(), at: act.at },
            RowWrite::BlankNotes { written_by: id.to_owned(), expected: notes },
            row,
        ];
        self.log.append(append).await?;
        Ok(Erased { changed: true, notes })
    }
}
