use leasehold_aggregates::account::{Account, AccountCommand, Role};
use leasehold_aggregates::body::{Fault as BodyFault, Text};
use leasehold_aggregates::decide::Decide;

use super::row_of;
use crate::engine::again::again;
use crate::engine::streams::{Loaded, load};
use crate::engine::{Act, Engine, Fault, mint};

/// What an account may be called: one line of 1 to 120 characters.
const NAME: Text = Text::line(1, 120);

impl Engine {
    /// Adds an account and answers its id. The name is kept beside the log.
    pub async fn add_account(&self, act: &Act, name: &str, role: Role) -> Result<String, Fault> {
        let id = mint::id().to_string();
        self.add_account_as(act, &id, name, role).await?;
        Ok(id)
    }

    pub(super) async fn add_account_as(&self, act: &Act, id: &str, name: &str, role: Role) -> Result<(), Fault> {
        NAME.check("the name", &name.into())
            .map_err(|(code, detail)| Fault::Invalid(vec![BodyFault::new("/name", code, detail)]))?;
        again(self, || self.try_add(act, id, name, role)).await
    }

    async fn try_add(&self, act: &Act, id: &str, name: &str, role: Role) -> Result<(), Fault> {
        let account: Loaded<Account> = load(&self.log, id).await?;
        let events = account.state.decide(AccountCommand::Add { role }).map_err(Fault::refused)?;
        let mut append = act.append(&self.recorded_by());
        append.writes = vec![account.write(&events)?];
        append.rows = vec![row_of(id, name, &Account::fold(events))];
        self.log.append(append).await?;
        Ok(())
    }
}
