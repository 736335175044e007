//! The auditor's own role in the database: what it can run, and that nothing it runs writes.

use sqlx::{Connection, Executor, PgConnection};

use crate::asked::{light, with_events};
use crate::heads::Desk;
use crate::programs;
use crate::support::TestDatabase;

/// As an operator gives somebody a login that is an auditor and nothing else.
async fn auditor(database: &TestDatabase) -> String {
    let mut owner = PgConnection::connect(&database.owner_url).await.unwrap();
    owner
        .execute(
            "do $$ begin create role leasehold_test_auditor login password 'three' in role leasehold_auditor;
             exception when duplicate_object or unique_violation then null; end $$",
        )
        .await
        .unwrap();
    owner.close().await.unwrap();
    database.app_url.replacen("leasehold_app:leasehold_app", "leasehold_test_auditor:three", 1)
}

fn run(url: &str, args: &[&str]) -> (i32, String, String) {
    let mut command = std::process::Command::new(programs::engine());
    let output = command.args(args).env("DATABASE_URL", url).env_remove("LEASEHOLD_OWNER_URL").output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[tokio::test]
async fn an_auditor_looks_at_everything_and_changes_nothing() {
    let (database, desk) = (with_events(3).await, Desk::new());
    light(&database, 3).await;
    let url = auditor(&database).await;
    let (pin, key) = (desk.text("pin"), desk.text("private.pem"));
    let looks: [(&[&str], &str); 6] = [
        (&["log", "head"], "\"position\":3"),
        (&["log", "head", "--pin", &pin], "\"position\":3"),
        (&["log", "head", "--sign", &key], "leasehold-checkpoint-1"),
        (&["log", "verify", "--pin", &pin], "\"ok\":true"),
        (&["log", "tail", "--limit", "1"], "log_opened"),
        (&["in-force", "--format", "json"], "\"items\": []"),
    ];
    for (args, printed) in looks {
        let (status, out, told) = run(&url, args);
        assert!(status == 0 && out.contains(printed), "{args:?}: {out}{told}");
    }
    let missing = "11111111-2222-3333-4444-555555555555";
    for args in [&["replay", missing][..], &["log", "export", "--run", missing]] {
        let (status, _, told) = run(&url, args);
        assert!(status == 2 && told.contains("there is no run"), "{args:?}: {told}");
    }
    // What is personal is not the auditor's to read, and nothing is the auditor's to write.
    for args in [&["log", "export", "--all"][..], &["user", "add", "Eve", "--role", "admin"], &["user", "list"]] {
        let (status, _, told) = run(&url, args);
        assert!(status == 1 && told.contains("permission denied"), "{args:?}: {told}");
    }
    let file = desk.at("whole");
    std::fs::write(&file, "{}").unwrap();
    assert_eq!(run(&url, &["log", "import", &file.display().to_string()]).0, 1);
    let log = database.log().await;
    assert_eq!(log.verify(None, |_| {}).await.unwrap().events, 4, "nothing was written");
}
