use std::collections::{BTreeMap, BTreeSet};

/// What may be asked of a switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SwitchCommand {
    /// Store this row. `spends` names the dimensions that the action's declared cost can spend; a cap of `None` is no cap.
    Set { enabled: bool, caps: BTreeMap<String, Option<u64>>, spends: BTreeSet<String> },
}
