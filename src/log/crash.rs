//! Crash points: places where a test has the process die, by name. They exist in debug builds alone.

/// Dies here, as by `kill -9`, if `LEASEHOLD_CRASH_AT` names this point. Once: the point is reached, told on standard
/// error, and nothing after it runs.
pub fn point(name: &str) {
    #[cfg(debug_assertions)]
    if std::env::var("LEASEHOLD_CRASH_AT").is_ok_and(|at| at == name) {
        eprintln!("crash point {name} reached");
        std::process::abort();
    }
    #[cfg(not(debug_assertions))]
    let _ = name;
}
