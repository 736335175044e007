use leasehold_module::Mark;

/// What may be asked of the deployment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeploymentCommand {
    /// Go on from `head` although commands to the scope came from `seen`; `here` is the hash that this log holds there.
    AcceptRewind { scope: String, seen: Mark, head: Mark, here: Option<String> },
}
