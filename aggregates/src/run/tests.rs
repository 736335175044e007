//! Given, when, then: every rule of a run.

mod bench;
mod controls;
mod endings;
mod late;
mod life;
mod teardown;
