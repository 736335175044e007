/// What had been drawn in the day before this stream knew of it: while nothing bounded the day, nobody kept count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// The sequence of the deployment's event that has bounded the day.
    pub capped_by: u64,
    /// All draws of the day so far.
    pub drawn: u64,
}

/// What may be asked of a day's allowance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowanceCommand {
    /// A step draws `amount`; `cap` is what the day may come to. `counted`: what this stream has not been told of yet.
    Draw { run_id: String, step: String, amount: u64, cap: u64, counted: Option<Counted> },
}
