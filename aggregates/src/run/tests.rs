//! Given, when, then: every rule of a run.

mod authored;
mod bench;
mod bounds;
mod controls;
mod endings;
mod gates;
mod health;
mod late;
mod life;
mod reconcile;
mod results;
mod teardown;
