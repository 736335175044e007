//! Accounts and the first admin, as the engine keeps them.

use leasehold::engine::Fault;
use leasehold::engine::accounts::{Bootstrap, Change};
use leasehold_aggregates::account::Role;

use crate::bench::{Bench, Person};

#[track_caller]
fn code(result: Result<impl Sized, Fault>) -> &'static str {
    match result.err().expect("a refusal") {
        Fault::Refused(refusal) => refusal.code(),
        other => panic!("{other}"),
    }
}

async fn works(bench: &Bench, token: &str) -> bool {
    let me = bench.call("GET", "/api/v1/me").header("authorization", &format!("Bearer {token}")).send().await;
    me.status == 200 && me.body["role"] == "admin"
}

#[tokio::test]
async fn a_changed_bootstrap_token_ends_the_old_and_an_old_one_never_comes_back() {
    let bench = Bench::new().await;
    let (first, second) = ("first-token-0123456789", "second-token-0123456789");
    assert!(bench.engine.bootstrap_admin(Some(first)).await.unwrap() == Bootstrap::Installed);
    assert!(works(&bench, first).await);
    let before = bench.head().await;
    assert!(bench.engine.bootstrap_admin(Some(first)).await.unwrap() == Bootstrap::Unchanged);
    assert_eq!(bench.head().await, before);
    assert!(bench.engine.bootstrap_admin(Some(second)).await.unwrap() == Bootstrap::Installed);
    assert!(works(&bench, second).await && !works(&bench, first).await);
    assert_eq!(code(bench.engine.bootstrap_admin(Some(first)).await), "token_used");
    assert!(works(&bench, second).await, "a refusal changes nothing");
    let somebodys = bench.person(Role::Editor).token.clone();
    assert_eq!(code(bench.engine.bootstrap_admin(Some(&somebodys)).await), "token_used");
}

#[tokio::test]
async fn a_token_that_no_header_could_carry_is_refused() {
    let bench = Bench::new().await;
    for wrong in ["", "short", "with space 0123", "with\nline 0123456789", "größe-0123456789", &"x".repeat(257)] {
        assert_eq!(code(bench.engine.bootstrap_admin(Some(wrong)).await), "token_unusable", "{wrong:?}");
    }
}

#[tokio::test]
async fn a_token_is_made_only_where_nobody_could_log_in() {
    let bench = Bench::new().await;
    assert!(bench.engine.bootstrap_admin(None).await.unwrap() == Bootstrap::Unchanged);
    let database = crate::support::fresh_database().await;
    let log = database.log().await;
    log.open_genesis(uuid::Uuid::from_u128(1), std::collections::BTreeMap::new()).await.unwrap();
    let clock = leasehold::engine::clock::Clock::of_database(log.pool().clone());
    let registry = leasehold::engine::registry::Registry::new(Vec::new()).unwrap();
    let empty = leasehold::engine::Engine::new(log, registry, leasehold::engine::settings::Settings::default(), clock);
    let Bootstrap::Minted(token) = empty.bootstrap_admin(None).await.unwrap() else { panic!("no token was made") };
    assert!(token.starts_with("lh_") && token.len() == 43, "{}", token.len());
    assert!(empty.bootstrap_admin(None).await.unwrap() == Bootstrap::Unchanged);
    let events = empty.log.read_after(None, 100).await.unwrap();
    assert!(!format!("{events:?}").contains(&token), "the log never sees a token");
}

#[tokio::test]
async fn the_last_admin_stays_whatever_two_admins_do_at_once() {
    let bench = Bench::new().await;
    let second = bench.add(Role::Admin).await;
    let first = bench.person(Role::Admin).clone();
    let demote = async |person: &Person| {
        let act = bench.act().await;
        bench.engine.change_account(&act, &person.id, Change::Role(Role::Player)).await
    };
    let (one, other) = tokio::join!(demote(&first), demote(&second));
    let refused = if let Ok(true) = one { other } else { one };
    assert_eq!(code(refused), "last_admin");
    let admins = bench.engine.accounts().await.unwrap().into_iter().filter(|row| row.role == "admin" && !row.disabled);
    let last = admins.collect::<Vec<_>>();
    assert_eq!(last.len(), 1);
    let act = bench.act().await;
    assert_eq!(code(bench.engine.change_account(&act, &last[0].account_id, Change::Disable).await), "last_admin");
    assert_eq!(code(bench.engine.change_account(&act, "nobody", Change::Enable).await), "account_missing");
}
