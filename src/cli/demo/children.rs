//! The processes of a demonstration: started one after the other, stopped in the reverse order.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use leasehold_module::demo::{Process, fill};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader, Lines};

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
        let program = program(&fill(&process.program, values)?)?;
        let args = process.args.iter().map(|arg| fill(arg, values)).collect::<Result<Vec<_>, _>>()?;
        let mut command = Command::new(&program);
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).process_group(0);
        if process.ready_when.is_some() {
            command.stderr(Stdio::piped());
        }
        dies_with_its_parent(&mut command);
        let mut child = command.spawn().map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        self.0.push((process.name.clone(), child));
        let patience = Duration::from_secs(process.ready_within_seconds);
        let heard = async {
            match (&process.ready_when, stdout, stderr) {
                (Some(words), Some(stdout), Some(stderr)) => {
                    listen(lines(tokio::process::ChildStdout::from_std(stdout)?));
                    wait_for(lines(tokio::process::ChildStderr::from_std(stderr)?), |line| {
                        line.contains(words).then(serde_json::Map::new)
                    })
                    .await
                }
                (None, Some(stdout), _) => wait_for(lines(tokio::process::ChildStdout::from_std(stdout)?), ready_line).await,
                _ => Err("a child without standard output".into()),
            }
        };
        let ready = tokio::time::timeout(patience, heard).await;
        let ready = ready.map_err(|_| format!("{} was not ready within {} s", process.name, patience.as_secs()))??;
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

type Ready = serde_json::Map<String, Value>;

fn lines<R: AsyncRead + Unpin>(from: R) -> Lines<BufReader<R>> {
    BufReader::new(from).lines()
}

/// Reads what it says until a line says that it is ready, and whatever it says after that.
async fn wait_for<R: AsyncRead + Unpin + Send + 'static>(
    mut lines: Lines<BufReader<R>>,
    ready: impl Fn(&str) -> Option<Ready>,
) -> Result<Ready, Failed> {
    while let Some(line) = lines.next_line().await? {
        if let Some(fields) = ready(&line) {
            listen(lines);
            return Ok(fields);
        }
    }
    Err("it ended before it was ready".into())
}

/// What else it says is of no interest, but somebody has to listen.
fn listen<R: AsyncRead + Unpin + Send + 'static>(mut lines: Lines<BufReader<R>>) {
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
}

fn ready_line(line: &str) -> Option<Ready> {
    let Ok(Value::Object(fields)) = serde_json::from_str(line) else { return None };
    (fields.get("ready") == Some(&Value::Bool(true))).then_some(fields)
}

/// A path as it is; a name beside this program.
fn program(program: &str) -> Result<PathBuf, Failed> {
    if program.contains('/') { Ok(program.into()) } else { beside_us(program) }
}

fn beside_us(program: &str) -> Result<PathBuf, Failed> {
    let path = std::env::current_exe()?.with_file_name(program);
    if path.exists() {
        Ok(path)
    } else {
        Err(format!("{program} is not there beside this program; build the whole workspace").into())
    }
}
