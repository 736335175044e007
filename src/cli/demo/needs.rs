//! Programs of others that a demonstration needs: looked for, and installed where they are not there.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use leasehold_module::demo::Need;

use crate::cli::Failed;

/// Where the program lies, once its packages have been installed if they had to be.
///
/// # Errors
/// With the packages to install by hand where there is no `apt-get`, or it fails.
pub fn found(need: &Need) -> Result<PathBuf, Failed> {
    if let Some(there) = look(need) {
        return Ok(there);
    }
    let by_hand = format!("{} is not there; install it by hand (Debian and Ubuntu: {})", need.name, need.packages.join(" "));
    println!("Not found here: {}. Installing with apt-get: {}", need.name, need.packages.join(" "));
    let installed =
        apt_get(&["update"]) && apt_get(&[&["install", "--yes", "--no-install-recommends"], &*packages(need)].concat());
    match look(need) {
        Some(there) if installed => Ok(there),
        _ => Err(by_hand.into()),
    }
}

fn look(need: &Need) -> Option<PathBuf> {
    need.found_at.iter().map(PathBuf::from).find(|path| path.is_file())
}

fn packages(need: &Need) -> Vec<&str> {
    need.packages.iter().map(String::as_str).collect()
}

/// Runs it as root: as whoever we are, or else through `sudo`. Whether it ended well.
fn apt_get(args: &[&str]) -> bool {
    let root = Command::new("id").arg("-u").output().is_ok_and(|told| told.stdout.trim_ascii() == b"0");
    let mut command = if root { Command::new("apt-get") } else { Command::new("sudo") };
    if !root {
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
    }
    command.args(args).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::inherit());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_is_there_is_taken() {
        let here = std::env::current_exe().unwrap();
        let found_at = vec!["/nowhere/at/all".to_owned(), here.display().to_string()];
        let need = Need { name: "server".to_owned(), found_at, packages: Vec::new() };
        assert_eq!(found(&need).unwrap(), here);
    }
}
