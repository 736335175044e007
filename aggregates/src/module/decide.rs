use chrono::{DateTime, Utc};
use leasehold_module::Manifest;

use super::event::ActionSignature;
use super::signature::signatures;
use super::{DECLARATIONS_AN_HOUR, HOUR, Module, ModuleCommand, ModuleEvent, ModuleRefusal};
use crate::decide::Decide;

impl Decide for Module {
    const TYPE: &'static str = "module";
    type Command = ModuleCommand;
    type Event = ModuleEvent;
    type Refusal = ModuleRefusal;

    fn decide(&self, command: ModuleCommand) -> Result<Vec<ModuleEvent>, ModuleRefusal> {
        match command {
            ModuleCommand::Declare { scope, digest, .. } if self.scopes.get(&scope) == Some(&digest) => Ok(Vec::new()),
            ModuleCommand::Declare { scope, at, digest, sent, manifest } => {
                let signatures = self.agrees(&manifest, &digest)?;
                self.may_declare(&scope, at)?;
                let version = manifest.version;
                Ok(vec![ModuleEvent::ManifestDeclared { scope, at: Some(at), version, digest, manifest: sent, signatures }])
            }
            ModuleCommand::Withdraw { scope } if self.scopes.contains_key(&scope) => {
                Ok(vec![ModuleEvent::ManifestWithdrawn { scope }])
            }
            ModuleCommand::Withdraw { .. } => Ok(Vec::new()),
        }
    }

    fn apply(&mut self, event: ModuleEvent) {
        match event {
            ModuleEvent::ManifestDeclared { scope, at, version, digest, manifest, signatures } => {
                if let Some(at) = at {
                    let declared = self.declared_at.entry(scope.clone()).or_default();
                    declared.retain(|before| at - before < HOUR);
                    declared.push(at);
                }
                self.versions.insert(version, digest.clone());
                for ActionSignature { action, version, signature } in signatures {
                    self.signatures.entry(action).or_default().insert(version, signature);
                }
                self.manifests.insert(digest.clone(), manifest);
                self.last.clone_from(&digest);
                self.known.insert(scope.clone());
                self.scopes.insert(scope, digest);
            }
            ModuleEvent::ManifestWithdrawn { scope } => {
                self.scopes.remove(&scope);
            }
        }
        let (in_use, last) = (&self.scopes, &self.last);
        self.manifests.retain(|digest, _| digest == last || in_use.values().any(|used| used == digest));
    }
}

impl Module {
    /// Nobody declares without end.
    fn may_declare(&self, scope: &str, at: DateTime<Utc>) -> Result<(), ModuleRefusal> {
        let declared = self.declared_at.get(scope).map(Vec::as_slice).unwrap_or_default();
        let recent: Vec<_> = declared.iter().filter(|before| at - **before < HOUR).collect();
        match recent.len().checked_sub(DECLARATIONS_AN_HOUR).and_then(|first| recent.get(first)) {
            Some(first) => Err(ModuleRefusal::TooMany { scope: scope.to_owned(), from: **first + HOUR }),
            None => Ok(()),
        }
    }

    /// What was declared under a version before, of the manifest or of an action, is declared so again.
    fn agrees(&self, manifest: &Manifest, digest: &str) -> Result<Vec<ActionSignature>, ModuleRefusal> {
        if let Some(before) = self.versions.get(&manifest.version).filter(|before| *before != digest) {
            let before = before.chars().take(12).collect();
            return Err(ModuleRefusal::VersionReused { version: manifest.version, before });
        }
        let signatures = signatures(manifest);
        for ActionSignature { action, version, signature } in &signatures {
            let before = self.signatures.get(action).and_then(|versions| versions.get(version));
            if before.is_some_and(|before| before != signature) {
                return Err(ModuleRefusal::ActionChanged { action: action.clone(), version: *version });
            }
        }
        Ok(signatures)
    }
}

crate::cqrs_aggregate!(Module);
