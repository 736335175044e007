/// What may be asked of a day's allowance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowanceCommand {
    /// A step draws `amount`; `cap` is what the day may come to.
    Draw { run_id: String, step: String, amount: u64, cap: u64 },
}
