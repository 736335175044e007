//! The game modules of this build. This crate alone names them to the engine: to add one, depend on it here.

use std::sync::Arc;

use leasehold_module::{Link, Module};
use leasehold_uo::Uo;

/// Every installed module, reaching its games by `links`.
pub fn installed(links: &[Link]) -> Vec<Arc<dyn Module>> {
    vec![Arc::new(Uo::new(links))]
}

/// The demonstrations that modules bring along: the module's id and the text of its `demo.toml`, read as
/// [`leasehold_module::demo::Demo`].
pub fn demos() -> Vec<(&'static str, &'static str)> {
    vec![("uo", include_str!("../../uo/demo.toml"))]
}

#[cfg(test)]
mod tests;
