use leasehold_module::Manifest;

use super::event::ActionSignature;
use super::signature::signatures;
use super::{Module, ModuleCommand, ModuleEvent, ModuleRefusal};
use crate::decide::Decide;

impl Decide for Module {
    const TYPE: &'static str = "module";
    type Command = ModuleCommand;
    type Event = ModuleEvent;
    type Refusal = ModuleRefusal;

    fn decide(&self, command: ModuleCommand) -> Result<Vec<ModuleEvent>, ModuleRefusal> {
        match command {
            ModuleCommand::Declare { scope, digest, .. } if self.scopes.get(&scope) == Some(&digest) => Ok(Vec::new()),
            ModuleCommand::Declare { scope, digest, sent, manifest } => {
                let signatures = self.agrees(&manifest, &digest)?;
                let version = manifest.version;
                Ok(vec![ModuleEvent::ManifestDeclared { scope, version, digest, manifest: sent, signatures }])
            }
            ModuleCommand::Withdraw { scope } if self.scopes.contains_key(&scope) => {
                Ok(vec![ModuleEvent::ManifestWithdrawn { scope }])
            }
            ModuleCommand::Withdraw { .. } => Ok(Vec::new()),
        }
    }

    fn apply(&mut self, event: ModuleEvent) {
        match event {
            ModuleEvent::ManifestDeclared { scope, version, digest, manifest, signatures } => {
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
