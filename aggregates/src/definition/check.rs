//! Judging content against what is registered, at save, at publish and when a run is made.

use super::check_params::check_params;
use super::{Content, Facts};
use crate::account::Role;
use crate::body::{Fault, pointer};
use crate::plan::{Plan, Step, Template};

/// When content is judged, and so how strictly.
#[derive(Debug, Clone, Copy)]
pub(super) enum Stage<'a> {
    /// What was there before may stay.
    Save { previous: Option<&'a Content> },
    /// Everything must be there, at the version that the author meant.
    Publish,
    /// As publish, and with its values put in: nothing is a template any more.
    Run,
}

/// What was found: faults, and places that are faultless but take another role.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub faults: Vec<Fault>,
    /// What is wrong with the names of parameters, as they are used: means nothing where their declarations are faulty.
    pub of_names: Vec<Fault>,
    pub forbidden: Vec<Fault>,
}

impl Findings {
    pub fn fault(&mut self, pointer: impl Into<String>, code: &'static str, detail: impl Into<String>) {
        self.faults.push(Fault::new(pointer, code, detail));
    }

    pub fn name_fault(&mut self, pointer: impl Into<String>, code: &'static str, detail: impl Into<String>) {
        self.of_names.push(Fault::new(pointer, code, detail));
    }

    /// All faults, and no word of what is forbidden.
    pub fn into_faults(self) -> Vec<Fault> {
        self.faults.into_iter().chain(self.of_names).collect()
    }
}

pub(super) struct Checker<'a> {
    pub facts: &'a Facts,
    pub stage: Stage<'a>,
    role: Option<Role>,
}

impl<'a> Checker<'a> {
    /// Without a role nothing is forbidden: what was published was permitted then.
    pub fn new(facts: &'a Facts, stage: Stage<'a>, role: Option<Role>) -> Self {
        Self { facts, stage, role }
    }

    /// Gives each step that names no version of its action the registered one, and each borrowed value its one text.
    pub fn pin(&self, plan: &mut Plan) {
        for step in plan.phases.iter_mut().flat_map(|phase| &mut phase.steps) {
            if step.action_version == 0 {
                let registered = self.facts.actions.get(&step.action).map(|action| action.version);
                let before = self.steps_before().find(|before| before.action == step.action).map(|s| s.action_version);
                step.action_version = registered.or(before).unwrap_or_default();
            }
            super::check_lease::settle_value(step, self.facts);
        }
    }

    /// Steps of the draft that is being replaced.
    pub fn steps_before(&self) -> impl Iterator<Item = &'a Step> + use<'a> {
        let previous = if let Stage::Save { previous } = self.stage { previous } else { None };
        previous.into_iter().flat_map(|content| content.plan.steps().map(|(_, step)| step))
    }

    pub fn check(&self, content: &Content) -> Findings {
        let mut findings = Findings::default();
        self.of_the_page(content, &mut findings);
        check_decls(&content.plan, &mut findings);
        for (p, phase) in content.plan.phases.iter().enumerate() {
            for (s, step) in phase.steps.iter().enumerate() {
                self.check_step(step, &format!("/spec/phases/{p}/steps/{s}"), &content.plan, &mut findings);
            }
            self.check_gate(phase, &format!("/spec/phases/{p}/advance"), &mut findings);
        }
        findings
    }

    fn of_the_page(&self, content: &Content, findings: &mut Findings) {
        if let Err(fault) = self.facts.zones.find(&content.timezone) {
            findings.fault("/timezone", "unknown_zone", fault.to_string());
        }
        if content.image.as_ref().is_some_and(|image| !is_web_address(image)) {
            findings.fault("/image", "wrong_value", "image must be a web address: http:// or https://, a host, no spaces");
        }
        if let Some(module) = content.owner_module.as_ref().filter(|module| !self.facts.modules.contains(*module)) {
            let kept =
                matches!(self.stage, Stage::Save { previous: Some(before) } if before.owner_module == content.owner_module);
            if !kept {
                findings.fault("/ownerModule", "unknown_module", format!("there is no module {module:?} here"));
            }
        }
        if let Some(key) = content.concurrency_key.as_ref().filter(|_| !matches!(self.stage, Stage::Run)) {
            check_template(key, "/concurrencyKey", &content.plan, findings);
        }
    }

    fn check_step(&self, step: &Step, at: &str, plan: &Plan, findings: &mut Findings) {
        let action_at = pointer(at, "action");
        let Some(action) = self.facts.actions.get(&step.action) else {
            if !self.steps_before().any(|before| before.action == step.action) {
                let detail = format!("there is no action {:?} here: is its module installed?", step.action);
                findings.fault(action_at, "unknown_action", detail);
            }
            return;
        };
        if action.risk.changes_the_world() && self.role.is_some_and(|role| role != Role::Admin) {
            let detail = format!("{} changes the world, which takes the role admin", action.label);
            findings.forbidden.push(Fault::new(action_at, "forbidden", detail));
        }
        if step.action_version != action.version {
            let same = |before: &Step| before.action == step.action && before.action_version == step.action_version;
            if !self.steps_before().any(same) {
                let (old, new) = (step.action_version, action.version);
                let detail = format!(
                    "{} is at version {new} here, and this step was written for version {old}: look at its parameters \
                     and save it with actionVersion {new}",
                    step.action
                );
                findings.fault(pointer(at, "actionVersion"), "action_version", detail);
            }
            return;
        }
        check_params(self, step, action, &pointer(at, "params"), plan, findings);
    }
}

fn check_decls(plan: &Plan, findings: &mut Findings) {
    for (index, decl) in plan.params.iter().enumerate() {
        for (field, value) in [("default", &decl.default), ("example", &decl.example)] {
            if let Some(Err(fault)) = value.as_ref().map(|value| decl.check(value)) {
                findings.faults.push(Fault { pointer: format!("/spec/params/{index}/{field}"), ..fault });
            }
        }
    }
}

/// Checks braces and names of a text; the template, if there is nothing wrong with it.
pub(super) fn check_template(text: &str, at: &str, plan: &Plan, findings: &mut Findings) -> Option<Template> {
    let template = match Template::parse(text) {
        Ok(template) => template,
        Err(fault) => {
            findings.fault(at, "wrong_template", fault.to_string());
            return None;
        }
    };
    let before = findings.of_names.len();
    for name in template.names() {
        check_name(name, at, plan, findings);
    }
    (findings.of_names.len() == before).then_some(template)
}

/// A name must be declared and must always have a value.
pub(super) fn check_name(name: &str, at: &str, plan: &Plan, findings: &mut Findings) {
    match plan.params.iter().find(|decl| decl.name == name) {
        None => findings.name_fault(at, "unknown_param", format!("this definition declares no parameter {name}")),
        Some(decl) if !decl.required && decl.default.is_none() => {
            let detail = format!("{name} may have no value: make it required, or give it a default");
            findings.name_fault(at, "may_be_missing", detail);
        }
        Some(_) => {}
    }
}

fn is_web_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    !host.is_empty() && !text.chars().any(|c| c.is_whitespace() || c.is_control() || "<>\"\\".contains(c))
}
