//! Which trigger files are in force: those whose trigger is declared at the moment, by this build or by a game. Their texts are
//! read once, at the start of the engine; they are judged again whenever games declare something else.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock};

use super::{TriggerFault, TriggerFile, TriggerText};
use crate::engine::Engine;
use crate::engine::registry::Registry;

/// The trigger files of one engine.
#[derive(Debug, Default)]
pub struct TriggerFiles(RwLock<Judged>);

#[derive(Debug, Clone, Default)]
struct Judged {
    texts: Arc<[TriggerText]>,
    in_force: Arc<[TriggerFile]>,
    faults: Vec<TriggerFault>,
}

impl Judged {
    fn of(texts: Arc<[TriggerText]>, registry: &Registry) -> Self {
        let (mut in_force, mut faults) = (Vec::new(), Vec::new());
        for text in texts.iter() {
            match text.judge(registry) {
                Ok(file) => in_force.push(file),
                Err(fault) => faults.push(fault),
            }
        }
        Self { texts, in_force: in_force.into(), faults }
    }

    /// What is otherwise than it was is told.
    fn tell_after(&self, before: &Self) {
        for fault in self.faults.iter().filter(|fault| !before.faults.contains(fault)) {
            tracing::error!(%fault, "a trigger file does nothing");
        }
        for file in self.in_force.iter().filter(|file| !before.in_force.contains(file)) {
            let TriggerFile { name, on, scope, start, .. } = file;
            tracing::info!(file = name, on, scope, start, "a trigger file is in force");
        }
    }
}

impl Engine {
    /// What this engine lets trigger files start, in place of what it did.
    pub fn take_trigger_files(&self, texts: Vec<TriggerText>) {
        self.judge_files(Some(texts.into()));
    }

    /// Judges the files by what can be reached for now.
    pub(in crate::engine) fn judge_trigger_files(&self) {
        self.judge_files(None);
    }

    fn judge_files(&self, texts: Option<Arc<[TriggerText]>>) {
        let mut files = self.triggers.0.write().unwrap_or_else(PoisonError::into_inner);
        let after = Judged::of(texts.unwrap_or_else(|| Arc::clone(&files.texts)), &self.registry());
        after.tell_after(&files);
        *files = after;
    }

    /// Those in force at the moment.
    pub(in crate::engine) fn trigger_files(&self) -> Arc<[TriggerFile]> {
        Arc::clone(&self.triggers.0.read().unwrap_or_else(PoisonError::into_inner).in_force)
    }

    /// The triggers that some file is on in this scope.
    pub(in crate::engine) fn triggers_of_files(&self, scope: &str) -> BTreeSet<String> {
        self.trigger_files().iter().filter(|file| file.scope == scope).map(|file| file.on.clone()).collect()
    }

    /// Whether there are any files, in force or not.
    pub(in crate::engine) fn has_trigger_files(&self) -> bool {
        !self.triggers.0.read().unwrap_or_else(PoisonError::into_inner).texts.is_empty()
    }
}
