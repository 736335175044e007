use super::*;
use crate::world::{Map, NewPlayer, World};
use leasehold_link::wire::Serial;

const RULES: ParticipationRules = ParticipationRules { runs: 2, members: 2, radius: 300, grace_ms: 86_400_000 };
const CENTRE: Place = Place { map: Map::Felucca, x: 540, y: 992 };
const WEIGHTS: Weights = Weights { minute: 1, kill: 5 };

struct Bench {
    world: World,
    counting: Participation,
}

impl Bench {
    /// Counting from the instant 1,000 on for run 77, with these characters in the middle of its area.
    fn new(names: &[&str]) -> (Self, Vec<Serial>) {
        let mut world = World::empty(7);
        let mut serials = Vec::new();
        for name in names {
            let new = NewPlayer { name: (*name).to_owned(), ..NewPlayer::default() };
            serials.push(world.create_player(new, 100, 100).unwrap().serial);
            let player = world.player_named(name).unwrap();
            (player.online, player.stands) = (true, CENTRE);
        }
        let mut counting = Participation::default();
        counting.take_up(Vec::new(), 1_000);
        counting.open(1_000, &opening("77", 10), RULES).unwrap();
        (Self { world, counting }, serials)
    }

    fn count(&mut self, now_ms: i64) {
        self.counting.count_time(now_ms, &self.world, RULES);
    }

    fn member(&self, serial: Serial) -> Member {
        self.counting.of("77").unwrap().members.get(&serial).copied().unwrap_or_default()
    }
}

fn opening(run: &str, radius: u32) -> Opening<'_> {
    Opening { run, area: Area { centre: CENTRE, radius }, hold_ms: 3_600_000, weights: WEIGHTS }
}

#[test]
fn seconds_are_of_those_who_are_connected_and_inside() {
    let (mut bench, serials) = Bench::new(&["Aa", "Bb"]);
    bench.world.player_named("Bb").unwrap().online = false;
    bench.count(61_000);
    assert_eq!((bench.member(serials[0]).seconds(), bench.member(serials[1]).seconds()), (60, 0));
    bench.world.player_named("Aa").unwrap().stands.x += 11;
    bench.count(121_000);
    assert_eq!(bench.member(serials[0]).seconds(), 60, "a tile outside");
    bench.world.player_named("Aa").unwrap().stands.x -= 1;
    bench.count(121_500);
    bench.count(122_000);
    assert_eq!(bench.member(serials[0]).seconds(), 61, "halves of a second add up");
    assert_eq!(bench.member(serials[0]).score(WEIGHTS).to_string(), "1.0167");
}

#[test]
fn a_part_in_a_kill_has_every_hand_that_is_inside_and_no_other() {
    let (mut bench, serials) = Bench::new(&["Aa", "Bb"]);
    bench.world.player_named("Aa").unwrap().hits = 0;
    bench.counting.count_kill(2_000, &[(serials[0], 1), (serials[1], 99)], &bench.world, RULES);
    bench.world.player_named("Bb").unwrap().stands.map = Map::Trammel;
    bench.counting.count_kill(3_000, &[(serials[0], 5), (serials[1], 5)], &bench.world, RULES);
    assert_eq!(
        (bench.member(serials[0]).kills, bench.member(serials[1]).kills),
        (2, 1),
        "the dead have a part, the gone have none"
    );
    assert_eq!(bench.member(serials[1]).score(WEIGHTS).to_string(), "5");
}

#[test]
fn whom_the_cap_turns_away_is_counted_once() {
    let (mut bench, _) = Bench::new(&["Aa", "Bb", "Cc", "Dd"]);
    for now_ms in [10_000, 20_000] {
        bench.count(now_ms);
    }
    let tally = bench.counting.of("77").unwrap();
    assert_eq!((tally.members.len(), tally.turned_away.len()), (2, 2));
}

#[test]
fn the_end_is_the_games_own_and_nothing_counts_behind_it() {
    let (mut bench, serials) = Bench::new(&["Aa"]);
    bench.count(3_600_000 + 60_000);
    assert_eq!(bench.member(serials[0]).seconds(), 3_600);
    bench.count(9_000_000);
    assert_eq!(bench.member(serials[0]).seconds(), 3_600);
    assert_eq!(bench.counting.close(9_000_000, "77"), Some((3_601_000, 1)), "closed when its time was over");
    assert_eq!(bench.counting.close(9_000_000, "78"), None);
}

#[test]
fn what_is_saved_goes_on_and_the_time_away_counts_for_nobody() {
    let (mut bench, serials) = Bench::new(&["Aa"]);
    bench.count(11_000);
    let saved = serde_json::to_string(&bench.counting.kept()).unwrap();
    bench.counting = Participation::default();
    bench.counting.take_up(serde_json::from_str(&saved).unwrap(), 1_000_000);
    bench.count(1_005_000);
    assert_eq!((bench.member(serials[0]).seconds(), bench.member(serials[0]).first_ms), (15, 11_000));
}

#[test]
fn bounds_are_refused_and_the_same_again_goes_on() {
    let (mut bench, _) = Bench::new(&[]);
    let error = |bench: &mut Bench, run, radius| bench.counting.open(2_000, &opening(run, radius), RULES).unwrap_err().error;
    assert_eq!(bench.counting.open(2_000, &opening("77", 10), RULES).unwrap(), 3_601_000);
    assert_eq!(error(&mut bench, "77", 11), ErrorName::AlreadyCounted);
    assert_eq!(error(&mut bench, "78", 301), ErrorName::AreaTooWide);
    bench.counting.open(2_000, &opening("78", 300), RULES).unwrap();
    assert_eq!(error(&mut bench, "79", 1), ErrorName::TooManyCounted);
    bench.counting.close(3_000, "78");
    bench.counting.open(3_000, &opening("79", 1), RULES).unwrap();
    assert_eq!(error(&mut bench, "78", 300), ErrorName::AlreadyCounted);
    bench.counting.close(3_500, "79");
    let day_later = 3_500 + 86_400_000;
    bench.counting.open(day_later, &Opening { hold_ms: 1, ..opening("80", 1) }, RULES).unwrap();
    assert!(bench.counting.of("78").is_none(), "its time of grace is over");
}
