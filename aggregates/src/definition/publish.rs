//! From a draft to what may be published, and from a version to what a run does.

use serde_json::{Map, Value};

use super::check::{Checker, Findings, Stage};
use super::{Content, Draft, Facts};
use crate::account::Role;
use crate::body::{Fault, Rejected};
use crate::plan::{Plan, Template, bind, substitute};
use crate::reservation::slot_id;

/// Content that was judged fit to be a version, at this moment and by this registry. Made by [`Draft::publishable`] alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Publishable(Content);

impl Publishable {
    pub fn into_content(self) -> Content {
        self.0
    }
}

/// What one run is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct ForRun {
    /// Every parameter that has a value.
    pub params: Map<String, Value>,
    /// With the values in their places; not a template any more.
    pub plan: Plan,
    pub concurrency_key: Option<String>,
}

impl Draft {
    /// Judges the draft anew, whatever judged it at save: a module may have gone since.
    pub fn publishable(&self, facts: &Facts, role: Role) -> Result<Publishable, Rejected> {
        if role != Role::Admin {
            let detail = "publishing takes the role admin";
            return Err(Rejected::Forbidden(vec![Fault::new("", "forbidden", detail)]));
        }
        let checker = Checker::new(facts, Stage::Publish, Some(role));
        let mut content = self.content.clone();
        checker.pin(&mut content.plan);
        let mut findings = checker.check(&content);
        of_publishing(&content.plan, &mut findings);
        let faults = findings.into_faults();
        if !faults.is_empty() {
            return Err(Rejected::Invalid(faults));
        }
        if bind(&content.plan.params, &Map::new()).is_ok() {
            content.for_run(&Map::new(), facts)?;
        }
        Ok(Publishable(content))
    }
}

fn of_publishing(plan: &Plan, findings: &mut Findings) {
    if plan.steps().next().is_none() {
        findings.fault("/spec/phases", "required", "a version needs at least one step");
    }
    let open = plan.params.iter().enumerate().filter(|(_, decl)| decl.required && decl.default.is_none());
    for (index, decl) in open.filter(|_| plan.schedule.starts_by_itself()) {
        let detail = format!("nobody is there to choose {} when the schedule starts a run: give it a default", decl.name);
        findings.fault(format!("/spec/params/{index}/default"), "required", detail);
    }
}

impl Content {
    /// Puts a run's values in and judges the outcome. Pointers are those of a start's body (`/params/…`) for what was
    /// given, and those of the definition (`/spec/…`) for what the values made of it.
    pub fn for_run(&self, given: &Map<String, Value>, facts: &Facts) -> Result<ForRun, Rejected> {
        let params = bind(&self.plan.params, given).map_err(Rejected::Invalid)?;
        let plan = substitute(&self.plan, &params).map_err(Rejected::Invalid)?;
        let concurrency_key = self.concurrency_key.as_ref().map(|key| render_key(key, &params)).transpose()?;
        let settled = Self { plan, ..self.clone() };
        let faults = Checker::new(facts, Stage::Run, None).check(&settled).into_faults();
        if !faults.is_empty() {
            return Err(Rejected::Invalid(faults));
        }
        Ok(ForRun { params, plan: settled.plan, concurrency_key })
    }
}

fn render_key(key: &str, params: &Map<String, Value>) -> Result<String, Rejected> {
    let fault = |code, detail: String| Rejected::Invalid(vec![Fault::new("/concurrencyKey", code, detail)]);
    let template = Template::parse(key).map_err(|error| fault("wrong_template", error.to_string()))?;
    let missing = |name: String| fault("unknown_param", format!("the parameter {name} has no value"));
    let rendered = template.render(params).map_err(missing)?;
    slot_id(&rendered).map_err(|error| fault("wrong_length", error.to_string()))?;
    Ok(rendered)
}
