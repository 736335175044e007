//! A strict reader of Prometheus' text format: whatever a scraper might stumble over ends the test.

use std::collections::{BTreeMap, BTreeSet};

/// One look at `/metrics`.
#[derive(Debug, Default)]
pub struct Exposition {
    pub types: BTreeMap<String, String>,
    pub helps: BTreeMap<String, String>,
    samples: BTreeMap<(String, BTreeMap<String, String>), f64>,
}

impl Exposition {
    #[track_caller]
    pub fn read(text: &str) -> Self {
        assert!(text.ends_with('\n'), "the last line has an end");
        let mut read = Self::default();
        for line in text.lines().filter(|line| !line.is_empty()) {
            match line.strip_prefix("# ") {
                Some(comment) => read.comment(comment),
                None => read.sample(line),
            }
        }
        for name in read.families() {
            assert!(read.types.contains_key(&name) && read.helps.contains_key(&name), "{name} has no TYPE or no HELP");
        }
        read
    }

    /// The names of everything told, without what a histogram adds to its own.
    pub fn families(&self) -> BTreeSet<String> {
        let is_histogram = |name: &str| self.types.get(name).is_some_and(|kind| kind == "histogram");
        let family = |name: &String| {
            let of =
                ["_bucket", "_sum", "_count"].iter().filter_map(|end| name.strip_suffix(end)).find(|name| is_histogram(name));
            of.unwrap_or(name).to_owned()
        };
        self.samples.keys().map(|(name, _)| family(name)).collect()
    }

    /// The value of one series; none if it is not told.
    pub fn get(&self, name: &str, labels: &[(&str, &str)]) -> Option<f64> {
        let labels = labels.iter().map(|(label, value)| ((*label).to_owned(), (*value).to_owned())).collect();
        self.samples.get(&(name.to_owned(), labels)).copied()
    }

    #[track_caller]
    pub fn value(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        self.get(name, labels).unwrap_or_else(|| panic!("there is no {name} {labels:?} in {:#?}", self.samples))
    }

    /// The same where it counts something.
    #[track_caller]
    pub fn whole(&self, name: &str, labels: &[(&str, &str)]) -> u64 {
        let value = self.value(name, labels);
        format!("{value}").parse().unwrap_or_else(|_| panic!("{name} {labels:?} is {value}"))
    }

    /// How many series a metric has.
    pub fn series(&self, name: &str) -> usize {
        self.samples.keys().filter(|(known, _)| known == name).count()
    }

    /// The names of the labels of a metric's series, but for those that histograms add.
    pub fn labels(&self, name: &str) -> BTreeSet<String> {
        let of = |known: &str| known == name || known.strip_suffix("_bucket") == Some(name);
        let series = self.samples.keys().filter(|(known, _)| of(known));
        series.flat_map(|(_, labels)| labels.keys().cloned()).filter(|label| label != "le").collect()
    }

    fn comment(&mut self, comment: &str) {
        let (kind, rest) = comment.split_once(' ').unwrap();
        let (name, said) = rest.split_once(' ').unwrap();
        let told = match kind {
            "TYPE" => &mut self.types,
            "HELP" => &mut self.helps,
            other => panic!("a comment of the kind {other}"),
        };
        assert!(told.insert(name.to_owned(), said.to_owned()).is_none(), "{kind} of {name} is told twice");
        assert!(!self.samples.keys().any(|(known, _)| known == name), "{kind} of {name} comes after its samples");
        assert!(kind == "HELP" || ["counter", "gauge", "histogram"].contains(&said), "{name} is a {said}");
    }

    fn sample(&mut self, line: &str) {
        let (series, value) = line.rsplit_once(' ').unwrap();
        let (name, labels) = match series.split_once('{') {
            Some((name, rest)) => (name, read_labels(rest.strip_suffix('}').unwrap_or_else(|| panic!("{line} has no }}")))),
            None => (series, BTreeMap::new()),
        };
        assert!(is_name(name, true), "{name} is no name");
        let value = if value == "+Inf" { f64::INFINITY } else { value.parse().unwrap_or_else(|_| panic!("{line}: no number")) };
        assert!(self.samples.insert((name.to_owned(), labels), value).is_none(), "{series} is told twice");
    }
}

fn read_labels(mut text: &str) -> BTreeMap<String, String> {
    let mut labels = BTreeMap::new();
    while !text.is_empty() {
        let (name, rest) = text.split_once("=\"").unwrap_or_else(|| panic!("{text} is no label"));
        assert!(is_name(name, false), "{name} is no label's name");
        let (mut value, mut characters) = (String::new(), rest.char_indices());
        let end = loop {
            match characters.next().unwrap_or_else(|| panic!("{rest} has no end")) {
                (at, '"') => break at,
                (_, '\\') => value.push(match characters.next() {
                    Some((_, 'n')) => '\n',
                    Some((_, escaped @ ('\\' | '"'))) => escaped,
                    other => panic!("{other:?} is no escape"),
                }),
                (_, character) => value.push(character),
            }
        };
        assert!(labels.insert(name.to_owned(), value).is_none(), "the label {name} is given twice");
        text = &rest[end + 1..];
        text = text.strip_prefix(',').unwrap_or(text);
    }
    labels
}

fn is_name(name: &str, colons: bool) -> bool {
    let first = name.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    first && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || (colons && c == ':'))
}
