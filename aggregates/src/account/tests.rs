use AccountCommand as C;
use AccountEvent as E;

use super::*;
use crate::decide::Decide;

fn admin() -> Vec<E> {
    vec![E::AccountAdded { role: Role::Admin }]
}

fn given(events: &[E], more: &[E]) -> Account {
    Account::fold(events.iter().chain(more).cloned())
}

fn token(name: &str) -> String {
    name.to_owned()
}

#[test]
fn an_account_is_added_once() {
    assert_eq!(Account::default().decide(C::Add { role: Role::Editor }), Ok(vec![E::AccountAdded { role: Role::Editor }]));
    assert_eq!(given(&admin(), &[]).decide(C::Add { role: Role::Admin }), Err(AccountRefusal::Exists));
}

#[test]
fn nothing_happens_to_an_account_that_does_not_exist() {
    for command in [
        C::ChangeRole { role: Role::Admin, other_admins: true },
        C::Disable { other_admins: true },
        C::Enable,
        C::IssueToken { token: token("t1") },
        C::RevokeToken { token: token("t1") },
    ] {
        assert_eq!(Account::default().decide(command), Err(AccountRefusal::Missing));
    }
}

#[test]
fn the_last_enabled_admin_stays() {
    let account = given(&admin(), &[]);
    let demote = |other_admins| account.decide(C::ChangeRole { role: Role::Editor, other_admins });
    assert_eq!(demote(false), Err(AccountRefusal::LastAdmin));
    assert_eq!(demote(true), Ok(vec![E::AccountRoleChanged { role: Role::Editor }]));
    assert_eq!(account.decide(C::Disable { other_admins: false }), Err(AccountRefusal::LastAdmin));
    assert_eq!(account.decide(C::Disable { other_admins: true }), Ok(vec![E::AccountDisabled {}]));
    assert_eq!(account.decide(C::ChangeRole { role: Role::Admin, other_admins: false }), Ok(vec![]));
}

#[test]
fn a_disabled_admin_and_everybody_else_are_not_the_last_admin() {
    let disabled = given(&admin(), &[E::AccountDisabled {}]);
    let demoted = disabled.decide(C::ChangeRole { role: Role::Player, other_admins: false });
    assert_eq!(demoted, Ok(vec![E::AccountRoleChanged { role: Role::Player }]));
    let editor = given(&[E::AccountAdded { role: Role::Editor }], &[]);
    assert_eq!(editor.decide(C::Disable { other_admins: false }), Ok(vec![E::AccountDisabled {}]));
}

#[test]
fn what_is_so_already_makes_no_event() {
    let disabled = given(&admin(), &[E::AccountDisabled {}]);
    assert_eq!(disabled.decide(C::Disable { other_admins: true }), Ok(vec![]));
    assert_eq!(disabled.acts_as(), None);
    assert_eq!(given(&admin(), &[]).decide(C::Enable), Ok(vec![]));
    assert_eq!(disabled.decide(C::Enable), Ok(vec![E::AccountEnabled {}]));
}

#[test]
fn tokens_are_issued_and_revoked_once() {
    let with = given(&admin(), &[E::TokenIssued { token: token("t1") }]);
    assert_eq!(with.tokens().collect::<Vec<_>>(), ["t1"]);
    assert_eq!(with.decide(C::IssueToken { token: token("t1") }), Ok(vec![]));
    assert_eq!(with.decide(C::RevokeToken { token: token("t1") }), Ok(vec![E::TokenRevoked { token: token("t1") }]));
    assert_eq!(with.decide(C::RevokeToken { token: token("t2") }), Err(AccountRefusal::NoSuchToken));
    let without = given(&admin(), &[E::TokenIssued { token: token("t1") }, E::TokenRevoked { token: token("t1") }]);
    assert_eq!(without.tokens().count(), 0);
    assert_eq!(without.decide(C::RevokeToken { token: token("t1") }), Ok(vec![]));
    assert_eq!(without.decide(C::IssueToken { token: token("t1") }), Err(AccountRefusal::TokenRevoked));
}

#[test]
fn a_disabled_account_gets_no_token_but_loses_one() {
    let disabled = given(&admin(), &[E::TokenIssued { token: token("t1") }, E::AccountDisabled {}]);
    assert_eq!(disabled.decide(C::IssueToken { token: token("t2") }), Err(AccountRefusal::Disabled));
    assert!(disabled.decide(C::RevokeToken { token: token("t1") }).is_ok());
}

#[test]
fn an_erased_account_is_over_and_erasing_it_again_is_harmless() {
    let erase = |notes| C::Erase { notes, reason: None, other_admins: true };
    let erased = |notes| E::AccountErased { notes, reason: None };
    let before = given(&admin(), &[E::TokenIssued { token: token("t1") }]);
    assert_eq!(before.decide(erase(3)), Ok(vec![erased(3)]));
    let after = given(&admin(), &[E::TokenIssued { token: token("t1") }, erased(3)]);
    assert!(after.exists() && after.erased() && after.disabled() && after.acts_as().is_none() && after.tokens().count() == 0);
    assert_eq!(after.decide(erase(0)), Ok(vec![]), "nothing is left to blank");
    assert_eq!(after.decide(erase(1)), Ok(vec![erased(1)]), "something was typed at the very moment");
    for command in [
        C::Enable,
        C::ChangeRole { role: Role::Admin, other_admins: true },
        C::IssueToken { token: token("t2") },
        C::IssueToken { token: token("t1") },
    ] {
        assert_eq!(after.decide(command), Err(AccountRefusal::Erased));
    }
    assert_eq!(after.decide(C::Disable { other_admins: true }), Ok(vec![]));
    assert_eq!(after.decide(C::RevokeToken { token: token("t1") }), Ok(vec![]));
    assert_eq!(after.decide(C::Add { role: Role::Admin }), Err(AccountRefusal::Exists));
}

#[test]
fn the_last_admin_is_not_erased_and_a_stranger_cannot_be() {
    let erase = C::Erase { notes: 0, reason: None, other_admins: false };
    assert_eq!(given(&admin(), &[]).decide(erase.clone()), Err(AccountRefusal::LastAdmin));
    assert!(given(&admin(), &[E::AccountDisabled {}]).decide(erase.clone()).is_ok(), "a disabled admin is nobody's last");
    assert_eq!(Account::default().decide(erase), Err(AccountRefusal::Missing));
}
