//! What an engine before this one left behind: a server that still runs, sessions of one that died, a file that says
//! there is one.
//!
//! PostgreSQL looks for itself, but takes a dead process for a living one for as long as nobody has collected it, which in
//! a container may be for ever, and then refuses to start. Its file may only be removed once nobody works in the cluster
//! any more: sessions whose server was killed hold its memory until they notice.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use super::binaries::Binaries;
use super::error::{EmbeddedError, io};
use super::place::Place;
use super::server::stop;

/// How long sessions without a server may take to notice. They are told by the kernel and leave within moments.
const NOTICE: Duration = Duration::from_secs(15);
const BETWEEN: Duration = Duration::from_millis(20);

/// Leaves the cluster as if its last server had been stopped properly; one that still runs is.
pub(super) async fn clear(place: &Place, binaries: &Binaries) -> Result<(), EmbeddedError> {
    let file = place.cluster.join("postmaster.pid");
    let Some(server) = named_in(&file) else { return Ok(()) };
    if !Path::new("/proc/self").exists() {
        return Ok(()); // Only Linux shows who works where; elsewhere PostgreSQL's own look must do.
    }
    if at_work(&place.cluster).contains(&server) {
        tracing::warn!(server, cluster = %place.cluster.display(), "a PostgreSQL outlived its engine; stopping it first");
        return stop(place, binaries);
    }
    let since = Instant::now();
    while !at_work(&place.cluster).is_empty() {
        if since.elapsed() > NOTICE {
            return Ok(()); // PostgreSQL will say what is in its way.
        }
        tokio::time::sleep(BETWEEN).await;
    }
    tracing::warn!(server, cluster = %place.cluster.display(), "the last PostgreSQL was killed; removing its mark");
    match fs::remove_file(&file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(io("cannot be removed", &file)(error)),
        _ => Ok(()),
    }
}

fn named_in(file: &Path) -> Option<u32> {
    fs::read_to_string(file).ok()?.lines().next()?.trim().parse().ok()
}

/// The living processes that work in the cluster. A server and its sessions have it as their working directory; of a
/// process whose directory we may not see, its name and its user must do.
fn at_work(cluster: &Path) -> Vec<u32> {
    let Ok(owner) = fs::metadata(cluster).map(|metadata| metadata.uid()) else { return Vec::new() };
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let works = |process: &Path| match fs::read_link(process.join("cwd")) {
        Ok(directory) => directory == cluster,
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            let name = fs::read_to_string(process.join("comm")).unwrap_or_default();
            name.trim() == "postgres" && fs::metadata(process).is_ok_and(|metadata| metadata.uid() == owner)
        }
        // It has ended, and waits to be collected.
        Err(_) => false,
    };
    let number = |process: &Path| process.file_name()?.to_str()?.parse().ok();
    processes
        .filter_map(|entry| {
            let process = entry.ok()?.path();
            let number = number(&process)?;
            works(&process).then_some(number)
        })
        .collect()
}
