//! Figures and their limits.

use std::process::ExitCode;

#[derive(Default)]
pub struct Figures {
    missed: bool,
}

impl Figures {
    pub fn at_least(&mut self, what: &str, figure: f64, limit: f64) {
        self.told(what, figure, &format!("at least {limit}"), figure >= limit);
    }

    pub fn at_most(&mut self, what: &str, figure: f64, limit: f64) {
        self.told(what, figure, &format!("at most {limit}"), figure <= limit);
    }

    fn told(&mut self, what: &str, figure: f64, limit: &str, met: bool) {
        println!("{what}: {figure:.2} ({limit}) {}", if met { "ok" } else { "MISSED" });
        self.missed |= !met;
    }

    pub fn verdict(self) -> ExitCode {
        if self.missed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

pub fn median(mut figures: Vec<f64>) -> f64 {
    quantile(&mut figures, 0.5)
}

/// The figure below which this part of them lies.
pub fn quantile(figures: &mut [f64], part: f64) -> f64 {
    figures.sort_by(f64::total_cmp);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a place in a short list"
    )]
    let place = (figures.len() as f64 * part) as usize;
    figures[place.min(figures.len() - 1)]
}
