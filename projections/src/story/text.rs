//! A story as text, for a terminal: one line a line. Control characters that somebody typed are shown, never sent.

use std::fmt;

use leasehold_module::spell_duration;

use super::{RunStory, Signature, StoryLine};
use crate::run_view::ResourceView;
use crate::sentences::{count, instant, plain};

impl fmt::Display for RunStory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run = &self.run;
        let rehearsal = if run.rehearsal { ", a rehearsal" } else { "" };
        writeln!(f, "run {} “{}”{rehearsal}", plain(&run.id), plain(&run.title))?;
        writeln!(f, "version {} of definition {}, in {}", run.version, plain(&run.definition_id), plain(&run.scope))?;
        self.write_signatures(f)?;
        writeln!(f, "scheduled for {} ({})", instant(run.scheduled_for), plain(&run.timezone))?;
        if let Some(started) = &self.started {
            writeln!(f, "started {}", signature(started))?;
        }
        let (status, health, cleanup) = (run.status, run.health, run.cleanup_status);
        writeln!(f, "at position {}: {status}, health {health}, cleanup {cleanup}", run.position)?;
        writeln!(f)?;
        let actors = self.lines.iter().map(|line| plain(&line.actor).chars().count()).max().unwrap_or(0);
        for line in &self.lines {
            write_line(f, line, actors)?;
        }
        self.write_plan(f)?;
        self.write_budget(f)?;
        self.write_resources(f)
    }
}

impl RunStory {
    fn write_signatures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(published) = &self.published else { return Ok(()) };
        let verified = match &self.verified {
            Some(verified) => format!("verified {}", signature(verified)),
            None => "not verified by then".to_owned(),
        };
        writeln!(f, "published {}, {verified}", signature(published))
    }

    fn write_plan(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nplan")?;
        for phase in &self.phases {
            let time = phase.after_seconds.map(|after| format!(", {} at least", spell_duration(after))).unwrap_or_default();
            let gate = phase.gate.as_ref().map(|gate| format!(", until {}", plain(gate))).unwrap_or_default();
            writeln!(f, "  {} “{}”{time}{gate}", phase.key, plain(&phase.label))?;
            for step in self.steps.iter().filter(|step| step.phase == phase.key) {
                let attempts = count(step.attempts as usize, "attempt");
                let (action, version, summary) = (&step.action, step.action_version, plain(&step.summary));
                writeln!(f, "    {}: {}, {attempts}: {summary} ({action} version {version})", step.key, step.status)?;
            }
        }
        Ok(())
    }

    fn write_budget(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.budget.is_empty() {
            writeln!(f, "\nspent")?;
        }
        for meter in &self.budget {
            let of = meter.cap.map_or_else(|| ", without a cap".to_owned(), |cap| format!(" of {cap}"));
            writeln!(f, "  {}: {}{of}", meter.dimension, meter.consumed)?;
        }
        Ok(())
    }

    fn write_resources(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.resources.is_empty() {
            writeln!(f, "\nheld")?;
        }
        for held in &self.resources {
            writeln!(f, "  {}", plain(&resource(held)))?;
        }
        writeln!(f, "\nnot given back: {}", self.unresolved_resources)
    }
}

fn write_line(f: &mut fmt::Formatter<'_>, line: &StoryLine, actors: usize) -> fmt::Result {
    let (at, kind) = (instant(line.at), line.kind.as_str());
    writeln!(f, "{:>8}  {at:<27}  {:<actors$}  {kind:<17}  {}", line.position, plain(&line.actor), plain(&line.text))
}

fn signature(signed: &Signature) -> String {
    format!("{} by {}", instant(signed.at), plain(&signed.by))
}

fn resource(held: &ResourceView) -> String {
    let named = leasehold_aggregates::target::Target {
        module: held.module.clone(),
        scope: held.scope.clone(),
        kind: held.kind.clone(),
        reference: held.reference.clone(),
    };
    let values = [("before", &held.baseline), ("applied", &held.applied), ("found", &held.found)];
    let told = values.iter().filter_map(|(what, value)| Some(format!(", {} {what}", value.as_ref()?)));
    format!("{named}: {}, by step {}{}", held.status, held.step, told.collect::<String>())
}
