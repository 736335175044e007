//! What a command costs, beside the plainest thing that PostgreSQL could do instead: same server, taking turns within the same
//! minutes. A command loads its aggregate by the engine's remembered fold, decides, and appends five events; a plain commit
//! inserts five rows of the same columns into a table without guards.
//!
//! The server is the engine's own, made for this and durable. Every figure is a median of turns and is printed with its limit;
//! the exit code is 1 if one is missed. `cargo bench --bench append -- SECONDS` sets the length of a turn (default 1), and
//! names after it choose from `commands`, `engines`, `seen` and `growth`.

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run ends there")]

mod bed;
mod figures;
mod lamp;
mod ways;

use std::process::ExitCode;
use std::time::Duration;

use bed::Bed;
use figures::{Figures, median, quantile};
use leasehold::log::Log;
use ways::{Way, rate};

/// As the engine does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Turns of each figure.
const ROUNDS: usize = 7;
/// Writers at once, and what part of plain commits the log must reach with them.
const COMMANDS: [(usize, f64); 3] = [(1, 0.5), (16, 0.7), (64, 0.8)];
/// Events in the log of which a command's cost must not depend.
const FEW: u64 = 10_000;
const MANY: u64 = 1_000_000;
/// Appends, and plain commits, whose latencies are compared.
const SAMPLES: usize = 1_000;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let seconds = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(1.0);
    let turn = Duration::from_secs_f64(seconds);
    let chosen = |name: &str| {
        let mut names = arguments.iter().filter(|argument| argument.parse::<f64>().is_err()).peekable();
        names.peek().is_none() || names.any(|argument| argument == name)
    };
    let bed = Bed::made().await;
    let mut figures = Figures::default();
    println!("{} events a command; medians of {ROUNDS} turns of {seconds} s", lamp::EVENTS);
    if chosen("commands") {
        commands(&bed, turn, &mut figures).await;
    }
    if chosen("engines") {
        engines(&bed, turn, &mut figures).await;
    }
    if chosen("seen") {
        seen(&bed, &mut figures).await;
    }
    if chosen("growth") {
        growth(&bed, turn, &mut figures).await;
    }
    let verified = bed.log("leasehold").await.verify(None, |_| {}).await.unwrap();
    println!("the log holds {} events, and its chain is unbroken", verified.events);
    bed.end().await;
    figures.verdict()
}

async fn commands(bed: &Bed, turn: Duration, figures: &mut Figures) {
    let (logs, plain) = ([bed.log("leasehold").await], bed.plain().await);
    for (writers, limit) in COMMANDS {
        let (mut appends, mut inserts) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            appends.push(rate(Way::Commands(&logs), writers, turn).await);
            inserts.push(rate(Way::Plain(&plain), writers, turn).await);
        }
        let ratio = median(appends.iter().zip(&inserts).map(|(append, insert)| append / insert).collect());
        let what = format!("{writers} writers: {:.0} commands/s of {:.0} plain commits/s", median(appends), median(inserts));
        figures.at_least(&what, ratio, limit);
    }
}

async fn engines(bed: &Bed, turn: Duration, figures: &mut Figures) {
    let one = [bed.log("leasehold").await];
    let two = [bed.log("leasehold").await, bed.log("leasehold").await];
    let (mut alone, mut together, mut divided) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        alone.push(rate(Way::Commands(&one), 16, turn).await);
        together.push(rate(Way::Commands(&two), 2 * 16, turn).await);
        divided.push(rate(Way::Commands(&two), 16, turn).await);
    }
    let of_one = |rates: &[f64]| median(rates.iter().zip(&alone).map(|(two, one)| two / one).collect());
    let (each, halves) = (of_one(&together), of_one(&divided));
    let what = format!("two engines, 16 writers each: {:.0} commands/s of {:.0} by one", median(together), median(alone.clone()));
    figures.at_least(&what, each, 0.8);
    println!("the same 16 writers, 8 at each of two: {:.0} commands/s: {halves:.2} of one, no limit", median(divided));
}

async fn seen(bed: &Bed, figures: &mut Figures) {
    let (log, plain) = (bed.log("leasehold").await, bed.plain().await);
    let (mut seen, mut committed) = (Vec::new(), Vec::new());
    let mut consumer = ways::Consumer::following(&log).await;
    for _ in 0..SAMPLES {
        seen.push(consumer.after_an_append(&log).await);
        committed.push(ways::plain_commit(&plain).await);
    }
    let (seen_99, committed_99) = (quantile(&mut seen, 0.99), quantile(&mut committed, 0.99));
    let what = format!(
        "appended to seen, p50 {:.2} and p99 {seen_99:.2} ms, of a durable commit, p50 {:.2} and p99 {committed_99:.2} ms",
        quantile(&mut seen, 0.5),
        quantile(&mut committed, 0.5),
    );
    figures.at_most(&what, seen_99 / committed_99, 1.5);
}

async fn growth(bed: &Bed, turn: Duration, figures: &mut Figures) {
    let (few, many): ([Log; 1], [Log; 1]) = ([bed.filled("few", FEW).await], [bed.filled("many", MANY).await]);
    let (mut small, mut large) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        small.push(rate(Way::Commands(&few), 16, turn).await);
        large.push(rate(Way::Commands(&many), 16, turn).await);
    }
    let ratio = median(small.iter().zip(&large).map(|(small, large)| small / large).collect());
    let what = format!("a command behind {MANY} events: {:.0}/s, behind {FEW}: {:.0}/s", median(large), median(small));
    figures.at_most(&what, ratio, 1.1);
}
