//! One metric: its name, kind, labels and meaning in one place, and the three ways to tell it.

use chrono::{DateTime, Utc};
use metrics::{Key, Label, Level, Metadata};

static METADATA: Metadata<'static> = Metadata::new("leasehold", Level::INFO, None);

/// What a metric's number is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Only ever grows, until the process ends.
    Counter,
    /// What is so now.
    Gauge,
    /// How many were at most this, for each of these bounds.
    Histogram(&'static [f64]),
}

impl Kind {
    /// As the exposition spells it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram(_) => "histogram",
        }
    }
}

/// A metric. Label values come from closed sets: whoever tells one must not pass on what somebody typed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Metric {
    pub name: &'static str,
    pub kind: Kind,
    pub labels: &'static [&'static str],
    /// One sentence, with the unit in words.
    pub meaning: &'static str,
}

impl Metric {
    pub(super) const fn counter(name: &'static str, labels: &'static [&'static str], meaning: &'static str) -> Self {
        Self { name, kind: Kind::Counter, labels, meaning }
    }

    pub(super) const fn gauge(name: &'static str, labels: &'static [&'static str], meaning: &'static str) -> Self {
        Self { name, kind: Kind::Gauge, labels, meaning }
    }

    pub(super) const fn histogram(
        name: &'static str,
        bounds: &'static [f64],
        labels: &'static [&'static str],
        meaning: &'static str,
    ) -> Self {
        Self { name, kind: Kind::Histogram(bounds), labels, meaning }
    }

    /// Counts `more` for these label values, in the order of [`Self::labels`].
    pub fn add(&self, values: &[&str], more: u64) {
        metrics::with_recorder(|recorder| recorder.register_counter(&self.key(values), &METADATA).increment(more));
    }

    /// Says what is so now.
    #[expect(clippy::cast_precision_loss, reason = "the exposition knows floats alone; exact to 2^53")]
    pub fn count(&self, values: &[&str], now: u64) {
        self.set(values, now as f64);
    }

    /// Says what is so now, where it is no whole number.
    pub fn set(&self, values: &[&str], now: f64) {
        metrics::with_recorder(|recorder| recorder.register_gauge(&self.key(values), &METADATA).set(now));
    }

    /// Says whether something is so now: 1 or 0.
    pub fn flag(&self, values: &[&str], now: bool) {
        self.set(values, f64::from(u8::from(now)));
    }

    /// Adds one observation.
    pub fn record(&self, values: &[&str], seen: f64) {
        metrics::with_recorder(|recorder| recorder.register_histogram(&self.key(values), &METADATA).record(seen));
    }

    /// Adds one observation of how many at once.
    #[expect(clippy::cast_precision_loss, reason = "the exposition knows floats alone; exact to 2^53")]
    pub fn count_seen(&self, many: usize) {
        self.record(&[], many as f64);
    }

    /// Adds the seconds from one instant to another; none where a clock has stepped back.
    pub fn lapse(&self, values: &[&str], from: DateTime<Utc>, to: DateTime<Utc>) {
        self.record(values, (to - from).to_std().unwrap_or_default().as_secs_f64());
    }

    fn key(&self, values: &[&str]) -> Key {
        debug_assert_eq!(self.labels.len(), values.len(), "{} has other labels", self.name);
        let labels = self.labels.iter().zip(values).map(|(label, value)| Label::new(*label, (*value).to_owned()));
        Key::from_parts(self.name, labels.collect::<Vec<_>>())
    }

    pub(super) fn describe(&self) {
        let (name, meaning) = (self.name.into(), self.meaning.into());
        metrics::with_recorder(|recorder| match self.kind {
            Kind::Counter => recorder.describe_counter(name, None, meaning),
            Kind::Gauge => recorder.describe_gauge(name, None, meaning),
            Kind::Histogram(_) => recorder.describe_histogram(name, None, meaning),
        });
    }
}
