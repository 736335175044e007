//! `leasehold user`, the real program, and what the API makes of it.

use serde_json::Value;
use tokio::process::Command;
use uuid::Uuid;

use crate::bench::Bench;

/// The real program with these arguments, on the bench's database.
pub async fn leasehold(bench: &Bench, args: &[&str]) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_leasehold"));
    command.args(args).env("DATABASE_URL", &bench.database.app_url);
    command.env("LEASEHOLD_OWNER_URL", &bench.database.owner_url);
    command.output().await.unwrap()
}

/// Status, what was printed line by line, and what was told on standard error.
pub async fn user(bench: &Bench, args: &[&str]) -> (i32, Vec<Value>, String) {
    let output = leasehold(bench, &[&["user"], args].concat()).await;
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (output.status.code().unwrap(), lines, String::from_utf8(output.stderr).unwrap())
}

#[tokio::test]
async fn an_account_is_added_given_a_token_changed_and_let_out() {
    let bench = Bench::new().await;
    let (status, added, told) = user(&bench, &["add", "Ada", "--role", "editor"]).await;
    assert_eq!((status, &added[0]["role"], &added[0]["name"]), (0, &"editor".into(), &"Ada".into()), "{told}");
    let id = added[0]["id"].as_str().unwrap().to_owned();
    let (status, issued, told) = user(&bench, &["token", &id, "--label", "laptop"]).await;
    assert_eq!(status, 0, "{told}");
    assert_eq!(issued[0]["id"], id.as_str());
    assert_eq!(user(&bench, &["token", "Ada"]).await.1[0]["id"], id.as_str(), "a name that only one has is as good");
    let token = issued[0]["token"].as_str().unwrap().to_owned();
    let me = || bench.call("GET", "/api/v1/me").header("authorization", &format!("Bearer {token}")).send();
    assert_eq!(me().await.is(200)["name"], "Ada");
    assert_eq!(user(&bench, &["role", &id, "player"]).await.1[0]["changed"], true);
    assert_eq!(me().await.is(200)["role"], "player");
    assert_eq!(user(&bench, &["disable", &id]).await.0, 0);
    me().await.problem(403, "account_disabled");
    assert_eq!(user(&bench, &["enable", &id]).await.0, 0);
    let (status, accounts, _) = user(&bench, &["list"]).await;
    assert_eq!(status, 0);
    assert!(accounts.iter().any(|row| row["id"] == id && row["role"] == "player" && row["disabled"] == false), "{accounts:?}");
}

#[tokio::test]
async fn wrong_use_is_2_and_a_refusal_is_1_and_both_say_why() {
    let bench = Bench::new().await;
    let (status, _, told) = user(&bench, &["add", "Ada", "--role", "queen"]).await;
    assert!(status == 2 && told.contains("[possible values: admin, editor, moderator, player]"), "{told}");
    assert_eq!(user(&bench, &["add", " ", "--role", "editor"]).await.0, 2);
    let (status, printed, told) = user(&bench, &["role", "nobody", "editor"]).await;
    assert_eq!((status, printed.len()), (1, 0));
    assert!(told.contains("there is no such account"), "{told}");
    let twins =
        [user(&bench, &["add", "Twin", "--role", "editor"]).await.1, user(&bench, &["add", "Twin", "--role", "player"]).await.1];
    let (status, printed, told) = user(&bench, &["disable", "Twin"]).await;
    assert_eq!((status, printed.len()), (1, 0));
    assert!(twins.iter().all(|twin| told.contains(twin[0]["id"].as_str().unwrap())), "{told}");
}

#[tokio::test]
async fn a_member_becomes_somebodys_and_nobodys_again() {
    let bench = Bench::new().await;
    let (log, member) = (&bench.engine.log, Uuid::from_u128(78));
    let at = bench.engine.clock.now().await.unwrap();
    log.members_of("demo", &["76561198000000001".to_owned()], &[member], at).await.unwrap();
    let member = member.to_string();
    for name in ["Ada", "Bert"] {
        assert_eq!(user(&bench, &["add", name, "--role", "player"]).await.0, 0);
    }
    let (status, linked, told) = user(&bench, &["link", "Ada", &member]).await;
    assert_eq!((status, &linked[0]["changed"], &linked[0]["member"]), (0, &true.into(), &member.clone().into()), "{told}");
    assert_eq!(user(&bench, &["link", "Ada", &member]).await.1[0]["changed"], false);
    let (status, printed, told) = user(&bench, &["link", "Bert", &member]).await;
    assert!(status == 1 && printed.is_empty() && told.contains("another account"), "{told}");
    assert_eq!(user(&bench, &["unlink", &member]).await.1[0]["changed"], true);
    assert_eq!(user(&bench, &["unlink", &member]).await.1[0]["changed"], false);
    assert_eq!(user(&bench, &["link", "Bert", &member]).await.1[0]["changed"], true);
    let (status, _, told) = user(&bench, &["link", "Ada", &Uuid::nil().to_string()]).await;
    assert!(status == 1 && told.contains("no such member"), "{told}");
    assert_eq!(user(&bench, &["link", "Ada", "the-winner"]).await.0, 2);
}
