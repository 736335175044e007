//! Lines as nobody should send them: the kept corpus, every line of the specification, and what becomes of them when bytes
//! are changed, cut, doubled and joined. The same seed gives the same lines. Shared by the tests of both halves.

use rand::{Rng, SeedableRng, rngs::StdRng};
use std::{fs, path::Path};

const SPECIFICATION: &str = include_str!("../../../docs/wire.md");

/// Bytes that mean something to a parser of lines of JSON.
const TELLING: &[u8] = b"{}[]\",:\\u0n.e-+ \t\r\n\x00\x7f\x80\xc0\xed\xff9";

/// What the lines are made of: the kept corpus and every frame of the specification.
pub fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../link/tests/corpus");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let kept = files.iter().map(|file| fs::read(file).unwrap());
    let said = SPECIFICATION.lines().filter_map(|line| line.strip_prefix("link>").or_else(|| line.strip_prefix("game>")));
    let corpus: Vec<Vec<u8>> = kept.chain(said.map(|frame| frame.trim().as_bytes().to_vec())).collect();
    assert!(corpus.len() > 80, "{} lines", corpus.len());
    corpus
}

/// So many lines made of the corpus, each without a line feed of its own but where one was put in.
pub fn mutations(corpus: &[Vec<u8>], seed: u64, count: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut chance = StdRng::seed_from_u64(seed);
    std::iter::repeat_with(move || {
        let mut line = corpus[chance.random_range(0..corpus.len())].clone();
        for _ in 0..chance.random_range(1..6) {
            mutate(&mut line, corpus, &mut chance);
        }
        line
    })
    .take(count)
}

fn mutate(line: &mut Vec<u8>, corpus: &[Vec<u8>], chance: &mut StdRng) {
    let at = chance.random_range(0..=line.len());
    let end = chance.random_range(at..=line.len());
    match chance.random_range(0..8) {
        0 => line.truncate(at),
        1 => drop(line.drain(at..end)),
        2 => line.insert(at, TELLING[chance.random_range(0..TELLING.len())]),
        3 if at < line.len() => line[at] = chance.random(),
        4 => {
            let again = line[at..end].to_vec();
            line.splice(at..at, again);
        }
        5 => {
            let other = &corpus[chance.random_range(0..corpus.len())];
            line.splice(at..end, other.iter().copied());
        }
        6 => {
            let deep = b"[{".map(|byte| vec![byte; chance.random_range(1..300)]).concat();
            line.splice(at..at, deep);
        }
        _ => line.splice(at..at, vec![b'x'; chance.random_range(0..3_000)]).for_each(drop),
    }
}
