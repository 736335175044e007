use super::{Allowance, AllowanceCommand, AllowanceEvent, AllowanceRefusal, Counted};
use crate::decide::Decide;

impl Decide for Allowance {
    const TYPE: &'static str = "allowance";
    type Command = AllowanceCommand;
    type Event = AllowanceEvent;
    type Refusal = AllowanceRefusal;

    fn decide(&self, command: AllowanceCommand) -> Result<Vec<AllowanceEvent>, AllowanceRefusal> {
        let AllowanceCommand::Draw { run_id, step, amount, cap, counted } = command;
        let news = counted.filter(|counted| counted.capped_by != self.capped_by);
        let drawn = news.map_or(self.drawn, |counted| counted.drawn);
        if drawn.saturating_add(amount) > cap {
            return Err(AllowanceRefusal::Spent { amount, drawn, cap });
        }
        let news = news.map(|Counted { capped_by, drawn }| AllowanceEvent::AllowanceCounted { capped_by, drawn });
        Ok(news.into_iter().chain([AllowanceEvent::AllowanceDrawn { run_id, step, amount }]).collect())
    }

    fn apply(&mut self, event: AllowanceEvent) {
        match event {
            AllowanceEvent::AllowanceCounted { capped_by, drawn } => (self.capped_by, self.drawn) = (capped_by, drawn),
            AllowanceEvent::AllowanceDrawn { amount, .. } => self.drawn = self.drawn.saturating_add(amount),
        }
    }
}

crate::cqrs_aggregate!(Allowance);
