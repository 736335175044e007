//! The processes of a demonstration: started one after the other, stopped in the reverse order.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use leasehold_module::demo::{Process, fill};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::cli::Failed;
use crate::embedded::dies_with_its_parent;

/// How long a process may take to stop before it is killed.
const PATIENCE: Duration = Duration::from_secs(5);
const GLANCE: Duration = Duration::from_millis(20);

#[derive(Default)]
pub struct Children(Vec<(String, Child)>);

impl Children {
    /// Starts one process, waits for its ready line, and answers with what it told there as `NAME.FIELD`.
    ///
    /// To be called from the main thread: the process ends with the thread that spawned it.
    pub async fn start(
        &mut self,
        process: &Process,
        values: &BTreeMap<String, String>,
    ) -> Result<BTreeMap<String, String>, Failed> {
        let program = beside_us(&process.program)?;
        let args = process.args.iter().map(|arg| fill(arg, values)).collect::<Result<Vec<_>, _>>()?;
        let mut command = Command::new(&program);
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).process_group(0);
        dies_with_its_parent(&mut command);
        let mut child = command.spawn().map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
        let stdout = child.stdout.take().ok_or("a child without standard output")?;
        self.0.push((process.name.clone(), child));
        let patience = Duration::from_secs(process.ready_within_seconds);
        let mut lines = BufReader::new(tokio::process::ChildStdout::from_std(stdout)?).lines();
        let ready = tokio::time::timeout(patience, ready_line(&mut lines)).await;
        let ready = ready.map_err(|_| format!("{} was not ready within {} s", process.name, patience.as_secs()))??;
        // Whatever else it says is of no interest, but somebody has to listen.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let named = |(field, value): (String, Value)| Some((format!("{}.{field}", process.name), value.as_str()?.to_owned()));
        Ok(ready.into_iter().filter_map(named).collect())
    }

    /// Asks each to stop, the last one started first, and kills what does not.
    pub fn stop(&mut self) {
        for (name, mut child) in self.0.drain(..).rev() {
            let pid = child.id().to_string();
            // The child may be gone already; then there is nobody to ask.
            let _ = Command::new("kill").args(["-TERM", &pid]).stderr(Stdio::null()).status();
            let deadline = std::time::Instant::now() + PATIENCE;
            while matches!(child.try_wait(), Ok(None)) {
                if std::time::Instant::now() > deadline {
                    tracing::warn!(name, "did not stop when asked, and is killed");
                    let _ = child.kill();
                    let _ = child.wait();
                    break;
                }
                std::thread::sleep(GLANCE);
            }
        }
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        self.stop();
    }
}

type Lines = tokio::io::Lines<BufReader<tokio::process::ChildStdout>>;

async fn ready_line(lines: &mut Lines) -> Result<serde_json::Map<String, Value>, Failed> {
    while let Some(line) = lines.next_line().await? {
        if let Ok(Value::Object(fields)) = serde_json::from_str(&line)
            && fields.get("ready") == Some(&Value::Bool(true))
        {
            return Ok(fields);
        }
    }
    Err("it ended before it was ready".into())
}

fn beside_us(program: &str) -> Result<PathBuf, Failed> {
    let path = std::env::current_exe()?.with_file_name(program);
    if path.exists() {
        Ok(path)
    } else {
        Err(format!("{program} is not there beside this program; build the whole workspace").into())
    }
}
