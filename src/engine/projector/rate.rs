//! How fast something moves towards its end, from looks at it.

use std::time::{Duration, Instant};

/// How much of the older rate is kept over this time.
const FADING: Duration = Duration::from_secs(5);

/// A rate that forgets; monotonic time is a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    at: Instant,
    position: u64,
    per_second: Option<f64>,
}

impl Rate {
    pub fn starting(position: u64, at: Instant) -> Self {
        Self { at, position, per_second: None }
    }

    /// A new look. A position that went back starts anew.
    pub fn look(&mut self, position: u64, at: Instant) {
        if position < self.position {
            *self = Self::starting(position, at);
            return;
        }
        let seconds = at.saturating_duration_since(self.at).as_secs_f64();
        if seconds < 0.01 {
            return;
        }
        #[expect(clippy::cast_precision_loss, reason = "a rate is told to three digits")]
        let fresh = (position - self.position) as f64 / seconds;
        let kept = (-seconds / FADING.as_secs_f64()).exp();
        let rate = self.per_second.map_or(fresh, |old| old * kept + fresh * (1.0 - kept));
        *self = Self { at, position, per_second: Some(rate) };
    }

    /// Positions a second, rounded; none before the second look.
    pub fn per_second(&self) -> Option<u64> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rates are small and not negative")]
        self.per_second.map(|rate| rate.round() as u64)
    }

    /// Seconds until `head` is reached at this rate; none while nothing moves.
    pub fn seconds_left(&self, head: u64) -> Option<u64> {
        self.per_second().filter(|rate| *rate > 0).map(|rate| head.saturating_sub(self.position).div_ceil(rate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_follows_and_tells_what_is_left() {
        let start = Instant::now();
        let mut rate = Rate::starting(0, start);
        assert_eq!((rate.per_second(), rate.seconds_left(9)), (None, None));
        rate.look(1_000, start + Duration::from_secs(1));
        assert_eq!((rate.per_second(), rate.seconds_left(11_000)), (Some(1_000), Some(10)));
        for second in 2..40 {
            rate.look(1_000 + (second - 1) * 3_000, start + Duration::from_secs(second));
        }
        assert!(rate.per_second().unwrap().abs_diff(3_000) < 10, "{rate:?}");
        rate.look(5, start + Duration::from_secs(40));
        assert_eq!(rate.per_second(), None, "it went back");
        rate.look(5, start + Duration::from_secs(41));
        assert_eq!((rate.per_second(), rate.seconds_left(9)), (Some(0), None), "nothing moves");
    }
}
