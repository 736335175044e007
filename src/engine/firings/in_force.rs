//! Which trigger files are in force: those whose trigger is declared at the moment, by this build or by a game. Their texts are
//! read once, at the start of the engine; they are judged again whenever games declare something else.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::Notify;

use super::{TriggerFault, TriggerFile, TriggerText};
use crate::engine::Engine;
use crate::engine::registry::Registry;

/// The trigger files of one engine.
#[derive(Debug, Default)]
pub struct TriggerFiles {
    judged: RwLock<Judged>,
    /// Told where the record shows that a game has declared a trigger that is not in force here.
    unheard: Notify,
}

#[derive(Debug, Clone, Default)]
struct Judged {
    texts: Arc<[TriggerText]>,
    in_force: Arc<[TriggerFile]>,
    faults: Vec<TriggerFault>,
    /// Triggers that some file is on and that nothing here declares.
    unknown: BTreeSet<String>,
}

impl Judged {
    fn of(texts: Arc<[TriggerText]>, registry: &Registry) -> Self {
        let (mut in_force, mut faults, mut unknown) = (Vec::new(), Vec::new(), BTreeSet::new());
        for text in texts.iter() {
            match text.judge(registry) {
                Ok(file) => in_force.push(file),
                Err(fault) => {
                    unknown.extend(text.on().filter(|on| registry.trigger(on).is_none()));
                    faults.push(fault);
                }
            }
        }
        Self { texts, in_force: in_force.into(), faults, unknown }
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
        let mut files = self.triggers.judged.write().unwrap_or_else(PoisonError::into_inner);
        let after = Judged::of(texts.unwrap_or_else(|| Arc::clone(&files.texts)), &self.registry());
        after.tell_after(&files);
        *files = after;
    }

    /// Those in force at the moment.
    pub(in crate::engine) fn trigger_files(&self) -> Arc<[TriggerFile]> {
        Arc::clone(&self.triggers.judged.read().unwrap_or_else(PoisonError::into_inner).in_force)
    }

    /// The triggers that some file is on in this scope.
    pub(in crate::engine) fn triggers_of_files(&self, scope: &str) -> BTreeSet<String> {
        self.trigger_files().iter().filter(|file| file.scope == scope).map(|file| file.on.clone()).collect()
    }

    /// Triggers that some file is on, and that nothing in force here declares.
    pub(super) fn unknown_triggers_of_files(&self) -> BTreeSet<String> {
        self.triggers.judged.read().unwrap_or_else(PoisonError::into_inner).unknown.clone()
    }

    /// Has what is on record of games taken in, soon.
    pub(super) fn take_in_what_is_on_record(&self) {
        self.triggers.unheard.notify_one();
    }

    /// Waits until what is on record has to be taken in.
    pub(in crate::engine) async fn has_something_unheard(&self) {
        self.triggers.unheard.notified().await;
    }

    /// Whether there are any files, in force or not.
    pub(in crate::engine) fn has_trigger_files(&self) -> bool {
        !self.triggers.judged.read().unwrap_or_else(PoisonError::into_inner).texts.is_empty()
    }
}
