use super::{Allowance, AllowanceCommand, AllowanceEvent, AllowanceRefusal};
use crate::decide::Decide;

impl Decide for Allowance {
    const TYPE: &'static str = "allowance";
    type Command = AllowanceCommand;
    type Event = AllowanceEvent;
    type Refusal = AllowanceRefusal;

    fn decide(&self, command: AllowanceCommand) -> Result<Vec<AllowanceEvent>, AllowanceRefusal> {
        let AllowanceCommand::Draw { run_id, step, amount, cap } = command;
        if self.drawn.saturating_add(amount) > cap {
            return Err(AllowanceRefusal::Spent { amount, drawn: self.drawn, cap });
        }
        Ok(vec![AllowanceEvent::AllowanceDrawn { run_id, step, amount }])
    }

    fn apply(&mut self, event: AllowanceEvent) {
        let AllowanceEvent::AllowanceDrawn { amount, .. } = event;
        self.drawn = self.drawn.saturating_add(amount);
    }
}

crate::cqrs_aggregate!(Allowance);
