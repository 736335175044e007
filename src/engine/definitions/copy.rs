use leasehold_aggregates::account::Role;
use leasehold_aggregates::definition::{DefinitionRefusal, Draft};

use super::Saved;
use super::create::Origin;
use crate::engine::{Act, Engine, Fault};

/// What a copy is to be, beyond what it is a copy of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyRequest {
    pub slug: String,
    /// Absent: the original's.
    pub title: Option<String>,
    /// Absent: the draft as it stands.
    pub version: Option<u64>,
}

impl Engine {
    /// Makes a new definition whose draft is another's draft, or one of its versions. It belongs to the same series, and has no
    /// place in it. An archived definition may be copied, too.
    pub async fn copy_definition(&self, act: &Act, role: Role, id: &str, request: &CopyRequest) -> Result<Saved, Fault> {
        let mut draft = self.definition(id).await?.content()?;
        if let Some(version) = request.version {
            draft.content = self.version(id, version).await?.content;
        }
        let slug = request.slug.clone();
        let original = Draft { slug, series_order: None, ..draft };
        let mut copy = original.clone();
        if let Some(title) = &request.title {
            copy.content.title.clone_from(title);
        }
        self.create_from(act, &Origin { role, body: &copy.to_body(), original: Some(&original) }).await
    }

    /// One published version; a refusal where there is none of that number.
    pub async fn version(&self, id: &str, version: u64) -> Result<super::Version, Fault> {
        let versions = self.versions(id).await?;
        let newest = versions.first().map_or(0, |newest| newest.version);
        let missing = || Fault::refused(DefinitionRefusal::NoSuchVersion { version, newest });
        versions.into_iter().find(|found| found.version == version).ok_or_else(missing)
    }
}
