//! What `/metrics` tells: the format, the names, and that nobody's typing becomes a series.

use std::fmt::Write as _;
use std::{env, fs};

use leasehold::telling::{Kind, Process, catalogue};

use crate::bench::Bench;
use crate::exposition::Exposition;

async fn look(bench: &Bench) -> Exposition {
    let answer = bench.call("GET", "/metrics").send().await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    Exposition::read(&answer.text)
}

#[tokio::test]
async fn what_is_told_is_listed_and_nobody_needs_a_token_for_it() {
    Process::install();
    let bench = Bench::new().await;
    bench.admin("GET", "/none").send().await;
    let told = look(&bench).await;
    for name in told.families() {
        let metric = catalogue::ALL.iter().find(|metric| metric.name == name);
        let metric = metric.unwrap_or_else(|| panic!("{name} is not in the catalogue"));
        assert_eq!(told.types[&name], metric.kind.word(), "{name}");
        assert_eq!(told.helps[&name], metric.meaning, "{name}");
        assert_eq!(told.labels(&name), metric.labels.iter().map(|label| (*label).to_owned()).collect(), "{name}");
    }
    assert_eq!(told.whole("leasehold_database_up", &[]), 1);
    let most = bench.engine.log.pool().options().get_max_connections();
    assert_eq!(told.whole("leasehold_database_connections_most", &[]), u64::from(most));
}

#[tokio::test]
async fn the_head_is_the_logs() {
    let bench = Bench::new().await;
    let head = bench.head().await;
    assert_eq!(look(&bench).await.whole("leasehold_log_head_position", &[]), head);
}

#[tokio::test]
async fn refusals_are_counted_by_code_and_addresses_are_not() {
    Process::install();
    let bench = Bench::new().await;
    for path in ["/nowhere", "/%00%ff\"}", "/api/v1/admin/events/x{y=\"z\"}", "/metrics/x?code=y"] {
        bench.call("GET", path).send().await;
    }
    bench.call("GET", "/api/v1/me").send().await.problem(401, "unauthorized");
    bench.call("POST", "/metrics").send().await.problem(405, "method_not_allowed");
    let told = look(&bench).await;
    let refused = |status: &str, code: &str| told.get("leasehold_refusals_total", &[("status", status), ("code", code)]);
    assert_eq!((refused("404", "not_found"), refused("401", "unauthorized")), (Some(3.0), Some(2.0)));
    assert_eq!((refused("405", "method_not_allowed"), told.series("leasehold_refusals_total")), (Some(1.0), 3));
}

#[tokio::test]
async fn without_a_database_that_is_what_is_told() {
    Process::install();
    let bench = Bench::new().await;
    bench.engine.log.pool().close().await;
    let told = look(&bench).await;
    assert_eq!(told.whole("leasehold_database_up", &[]), 0);
    assert_eq!(told.get("leasehold_log_head_position", &[]), None);
}

/// `docs/metrics.txt` is the catalogue.
#[test]
fn the_documented_list_is_the_catalogue() {
    let mut list = String::new();
    for metric in catalogue::ALL {
        let labels = metric.labels.join(",");
        _ = writeln!(
            list,
            "{} {}{}{labels}\n    {}",
            metric.name,
            metric.kind.word(),
            if labels.is_empty() { "" } else { " by " },
            metric.meaning
        );
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/metrics.txt");
    if env::var_os("BLESS").is_some() {
        fs::write(path, &list).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap_or_default(), list, "run this test with BLESS=1 and look at what changed");
}

#[test]
fn names_say_what_they_count_and_in_which_unit() {
    for (at, metric) in catalogue::ALL.iter().enumerate() {
        let name = metric.name;
        assert!(name.starts_with("leasehold_") || name == "process_start_time_seconds", "{name}");
        assert_eq!(name.ends_with("_total"), metric.kind == Kind::Counter, "{name}");
        assert!(metric.meaning.ends_with('.') && metric.meaning.is_ascii(), "{name}");
        assert!(!name.ends_with("_ms") && !name.ends_with("_milliseconds"), "{name}");
        assert!(catalogue::ALL[..at].iter().all(|other| other.name != name), "{name} is listed twice");
    }
}
