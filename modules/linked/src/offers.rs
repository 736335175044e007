//! Which manifests the games on the links have sent, and the modules made of them.

use std::sync::Arc;

use leasehold_link::wire::ManifestTold;
use leasehold_module::{Answering, Link, Manifest, Module, Offered, Offers};
use leasehold_sidecar::{Patience, Ways};

use crate::Linked;

/// Every link of the deployment, asked what its game offers.
pub struct LinkedGames {
    links: Vec<Link>,
    patience: Patience,
    ways: Ways,
}

impl LinkedGames {
    pub fn new(links: &[Link], patience: Patience) -> Self {
        Self { links: links.to_vec(), patience, ways: Ways::new(links, patience) }
    }
}

impl Offers for LinkedGames {
    fn offered(&self, scope: &str) -> Answering<'_, Offered> {
        let sidecar = self.ways.to(scope);
        Box::pin(async move {
            let told = async { sidecar?.manifest().await };
            match told.await {
                Ok(ManifestTold { digest: Some(digest), manifest: Some(manifest), .. }) => Offered::Manifest { digest, manifest },
                Ok(_) => Offered::Nothing,
                Err(failure) => Offered::Unreached(failure),
            }
        })
    }

    fn budget_ms(&self) -> u64 {
        self.patience.budget_ms()
    }

    fn module(&self, manifest: Manifest, scopes: &[String]) -> Arc<dyn Module> {
        let links: Vec<Link> = self.links.iter().filter(|link| scopes.contains(&link.scope)).cloned().collect();
        Arc::new(Linked::new(manifest, &links, self.patience))
    }
}
