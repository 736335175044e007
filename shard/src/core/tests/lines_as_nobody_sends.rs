//! Whatever comes over the line, the next command is answered.

use super::{
    bench::Bench,
    fuzz::{corpus, mutations},
};
use leasehold_link::wire::LineSplitter;
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::json;

#[tokio::test]
async fn after_any_line_however_it_is_cut_the_next_command_is_answered() {
    let (mut bench, mut splitter) = (Bench::new(), LineSplitter::default());
    let mut chance = StdRng::seed_from_u64(3);
    let corpus = corpus();
    let soak = std::env::var("LEASEHOLD_SOAK").is_ok();
    let lines = corpus.iter().cloned().chain(mutations(&corpus, 20_260_905, if soak { 100_000 } else { 1_500 }));
    for (nth, said) in lines.enumerate() {
        let asked = json!({"kind": "lease.list", "reqId": format!("q-{nth}")});
        let bytes = [said.as_slice(), b"\n", asked.to_string().as_bytes(), b"\n"].concat();
        let (mut rest, mut answered) = (bytes.as_slice(), false);
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(chance.random_range(1..=rest.len()));
            rest = behind;
            for line in splitter.push(piece) {
                let told = bench.received(&line, bench.clock.now_ms());
                answered |= told.iter().any(|told| told["kind"] == "lease.list.ok" && told["reqId"] == asked["reqId"]);
            }
        }
        assert!(answered, "no answer after {}", said.escape_ascii());
    }
}
