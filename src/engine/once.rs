//! A command that may be sent again: done once, and told as often as it comes.

use std::future::Future;

use super::act::{Act, Sent};
use super::{Engine, Fault};
use crate::log::{AppendError, Appended};

impl Engine {
    /// Carries the command out, or tells what it came to when it was carried out before.
    ///
    /// A refusal is heard only if the command is not done: what stands in its way may be what it has done itself.
    pub(crate) async fn once<T, C, D>(
        &self,
        act: &Act,
        carry: impl FnOnce() -> C,
        told: impl FnOnce(Appended) -> D,
    ) -> Result<T, Fault>
    where
        C: Future<Output = Result<T, Fault>>,
        D: Future<Output = Result<T, Fault>>,
    {
        if act.sent == Sent::Again
            && let Some(done) = self.log.command(act.command_id).await?
        {
            return told(done).await;
        }
        match carry().await {
            Err(Fault::Append(AppendError::AlreadyDone(done))) => told(done).await,
            Err(fault @ (Fault::Refused(_) | Fault::Append(_))) if act.sent != Sent::Once => {
                match self.log.command(act.command_id).await {
                    Ok(Some(done)) => told(done).await,
                    Ok(None) | Err(_) => Err(fault),
                }
            }
            settled => settled,
        }
    }
}
