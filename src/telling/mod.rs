//! What the engine tells about itself to those who watch it: metrics, traces, and whether its loops are still at their work.
//!
//! Below everything else, so that every part may tell. What is told is listed in [`catalogue`], and nothing is told that is
//! not listed there.

pub mod catalogue;
mod metric;
mod pulse;
mod recorder;
pub mod traces;

pub use metric::{Kind, Metric};
pub use pulse::{Beat, Heart, Pulse};
pub use recorder::{EXPOSITION, Process, exposition};
