//! What games have declared, on record.

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::module::{Module, ModuleCommand, ModuleRefusal};
use leasehold_module::{Manifest, ManifestFault};

use super::{Declarations, LinkedModule, Sent, Sound};
use crate::engine::again::again;
use crate::engine::streams::{Loaded, load};
use crate::engine::{Act, Engine, Fault};

impl Declarations {
    /// What was on record when the engine last ran, in the scopes that have a link now.
    pub(super) async fn recall(&mut self) -> Result<(), Fault> {
        for id in self.engine.log.stream_ids(Module::TYPE).await? {
            let module: Loaded<Module> = load(&self.engine.log, &id).await?;
            let recorded = self.recorded.entry(id).or_default();
            for (scope, digest, manifest) in module.state.declared() {
                recorded.insert(scope.to_owned());
                if self.engine.scopes.contains(scope) {
                    let sent = Sent { digest: digest.to_owned(), manifest: manifest.clone() };
                    self.heard.insert(scope.to_owned(), sent);
                }
            }
        }
        Ok(())
    }

    /// Records a manifest for one of its scopes, where it is new there. The fault where it contradicts what was declared before, or comes
    /// too soon after too many others.
    pub(super) async fn declare(&mut self, sound: &Sound, scope: &str) -> Result<Option<ManifestFault>, Fault> {
        let id = &sound.manifest.id;
        let command = ModuleCommand::Declare {
            scope: scope.to_owned(),
            at: self.engine.clock.now().await?,
            digest: sound.sent.digest.clone(),
            sent: sound.sent.manifest.clone(),
            manifest: Box::new(sound.manifest.clone()),
        };
        let Err(refusal) = self.engine.record_declaration(id, &command).await? else {
            self.recorded.entry(id.clone()).or_default().insert(scope.to_owned());
            return Ok(None);
        };
        let entry = match &refusal {
            ModuleRefusal::ActionChanged { action, .. } => action.clone(),
            ModuleRefusal::VersionReused { .. } => id.clone(),
            ModuleRefusal::TooMany { .. } => {
                self.held_back.insert((id.clone(), scope.to_owned()));
                id.clone()
            }
        };
        Ok(Some(ManifestFault { entry, reason: refusal.to_string() }))
    }

    /// Records which modules a scope's game declares no longer.
    pub(super) async fn withdraw(&mut self, in_force: &[LinkedModule]) -> Result<(), Fault> {
        let (engine, held_back) = (self.engine.clone(), &self.held_back);
        for (id, scopes) in &mut self.recorded {
            let holds = in_force.iter().find(|linked| &linked.module.manifest().id == id);
            let gone =
                |scope: &&String| engine.scopes.contains(*scope) && holds.is_none_or(|linked| !linked.scopes.contains(scope));
            let of_now = |scope: &&String| !held_back.contains(&(id.clone(), (*scope).clone()));
            let gone: Vec<String> = scopes.iter().filter(gone).filter(of_now).cloned().collect();
            for scope in gone {
                let command = ModuleCommand::Withdraw { scope: scope.clone() };
                if engine.record_declaration(id, &command).await?.is_ok() {
                    tracing::info!(module = id, scope, "a game's manifest is no longer in force");
                }
                scopes.remove(&scope);
            }
        }
        Ok(())
    }

    /// The newest manifest that a module had, and everywhere that it was declared.
    pub(super) async fn declared_last(&self, id: &str) -> Result<Option<(Manifest, Vec<String>)>, Fault> {
        let module: Loaded<Module> = load(&self.engine.log, id).await?;
        let Some((sent, scopes)) = module.state.last() else { return Ok(None) };
        let manifest = Manifest::read(sent, self.offers.budget_ms()).ok();
        Ok(manifest.map(|manifest| (manifest, scopes.map(str::to_owned).collect())))
    }
}

impl Engine {
    async fn record_declaration(&self, id: &str, command: &ModuleCommand) -> Result<Result<(), ModuleRefusal>, Fault> {
        again(self, || self.try_record_declaration(id, command)).await
    }

    async fn try_record_declaration(&self, id: &str, command: &ModuleCommand) -> Result<Result<(), ModuleRefusal>, Fault> {
        let module: Loaded<Module> = load(&self.log, id).await?;
        let events = match module.state.decide(command.clone()) {
            Ok(events) => events,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if events.is_empty() || self.is_read_only() {
            return Ok(Ok(()));
        }
        let mut append = Act::by("engine", self.clock.now().await?).append(&self.recorded_by());
        append.writes = vec![module.write(&events)?];
        self.log.append(append).await?;
        Ok(Ok(()))
    }
}
