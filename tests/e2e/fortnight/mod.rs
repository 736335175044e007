//! A fortnight of mixed events on a clock that tests move, with every kind of fault in an order drawn from a seed; and then a
//! judge who knows nothing of the engine but its log, and nothing of the world but its audit.
//!
//! Three days of it in every run of the tests, fourteen with `LEASEHOLD_SOAK=1`. `LEASEHOLD_FORTNIGHT_SEED` draws another one.

mod blows;
mod days;
mod judge;
mod programme;
mod recorded;
mod world;

use days::Days;

#[tokio::test]
async fn leaves_every_occurrence_told_every_effect_once_and_the_world_as_it_was() {
    let seed = std::env::var("LEASEHOLD_FORTNIGHT_SEED").map_or(1, |seed| seed.parse().expect("a number"));
    let length = if std::env::var_os("LEASEHOLD_SOAK").is_some() { 14 } else { 3 };
    println!("fortnight: seed {seed}, {length} days");
    let mut days = Days::begin(seed, length).await;
    days.pass().await;
    days.come_to_rest().await;
    judge::judge(&days).await;
    days.world.finish().await;
}
