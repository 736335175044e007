//! What a demonstration writes before a process of it starts.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use leasehold_module::demo::{Written, fill};

use super::Files;
use crate::cli::Failed;
use crate::cli::database::write_secret;

/// Writes a file or a folder, over what an earlier demonstration has written there.
pub fn write(written: &Written, files: Files, values: &BTreeMap<String, String>) -> Result<(), Failed> {
    let path = fill(written.path(), values)?;
    let path = Path::new(&path);
    match written {
        Written::Text { text, .. } => {
            let text = fill(text, values)?;
            fs::create_dir_all(path.parent().unwrap_or(path))?;
            // It may hold a token.
            Ok(write_secret(path, &text)?)
        }
        Written::Folder { folder, .. } => {
            let prefix = format!("{folder}/");
            for (name, text) in files.iter().filter_map(|(name, text)| Some((name.strip_prefix(&prefix)?, text))) {
                let file = path.join(name);
                fs::create_dir_all(file.parent().unwrap_or(path))?;
                fs::write(file, text)?;
            }
            Ok(())
        }
    }
}
