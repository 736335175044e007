use leasehold_aggregates::run::RunCommand;

use super::{Committed, Extras};
use crate::engine::{Act, Engine, Fault};

impl Engine {
    /// Publishes the result of a run as steps have told it so far. The same result again changes nothing.
    pub async fn publish_results(&self, act: &Act, run_id: &str) -> Result<Committed, Fault> {
        let at = act.at;
        self.commit_run(act, run_id, &Extras::default(), |_| RunCommand::PublishResults { at }).await
    }
}
