//! What the role that the service connects as may do: all its work, and nothing that would change the ledger.
#![allow(clippy::unwrap_used, reason = "a test may panic, and so may its helpers")]

use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use wayfare_store::Database;
use wayfare_tests::TestDatabase;

/// A transfer with its entries, of an agency of its own.
const A_TRANSFER: &str = "
    insert into organizations (id, agent_id, name, slug, email, phone, address, country, subscription_type,
        status, currency, timezone, created_at, updated_at)
    values (gen_random_uuid(), 'WF000001', 'Agency', 'agency', 'a@example.com', '', '', 'IN', 'full',
        'active', 'INR', 'Asia/Kolkata', now(), now());
    insert into transfers (org_id, id, key, reason, description, currency, at)
    select id, gen_random_uuid(), 'topup:1', 'topup', '', 'INR', now() from organizations;
    insert into entries (org_id, transfer_id, leg, account, side, amount)
    select org_id, id, leg, 'funding', 'debit', 100 from transfers, generate_series(0, 1) leg";

async fn refusal(connection: &mut AsyncPgConnection, statement: &str) -> String {
    match connection.batch_execute(statement).await {
        Err(refusal) => refusal.to_string(),
        Ok(()) => "nothing".to_owned(),
    }
}

async fn connect(url: &str) -> AsyncPgConnection {
    AsyncPgConnection::establish(url).await.unwrap()
}

#[tokio::test]
async fn the_service_reads_the_ledger_and_adds_to_it_and_can_do_nothing_else_to_it() {
    let test = TestDatabase::fresh().await;
    let mut service = connect(&test.url).await;
    service.batch_execute(A_TRANSFER).await.unwrap();
    for table in ["transfers", "entries"] {
        for (statement, refused) in [
            (
                "update TABLE set org_id = org_id",
                "permission denied for table TABLE",
            ),
            (
                "update TABLE set org_id = org_id where false",
                "permission denied for table TABLE",
            ),
            ("delete from TABLE", "permission denied for table TABLE"),
            ("truncate TABLE cascade", "permission denied for table"),
            (
                "select from TABLE for update",
                "permission denied for table TABLE",
            ),
            (
                "lock table TABLE in exclusive mode",
                "permission denied for table TABLE",
            ),
            ("drop table TABLE cascade", "must be owner of table TABLE"),
            (
                "alter table TABLE disable trigger all",
                "must be owner of table TABLE",
            ),
            (
                "alter table TABLE disable trigger TABLE_are_final",
                "must be owner of table TABLE",
            ),
            (
                "alter table TABLE add column note text",
                "must be owner of table TABLE",
            ),
            (
                "alter table TABLE owner to wayfare_app",
                "must be owner of table TABLE",
            ),
            (
                "drop trigger TABLE_are_final on TABLE",
                "must be owner of relation TABLE",
            ),
            (
                "create trigger mine before insert on TABLE for each row execute function ledger_rows_are_final()",
                "permission denied for table TABLE",
            ),
            (
                "create rule mine as on insert to TABLE do instead nothing",
                "must be owner of relation TABLE",
            ),
            (
                "create table TABLE_instead ()",
                "permission denied for schema public",
            ),
        ] {
            let (statement, refused) = (statement.replace("TABLE", table), refused.replace("TABLE", table));
            let told = refusal(&mut service, &statement).await;
            assert!(told.starts_with(&refused), "{statement}: {told}");
        }
    }
    for (statement, refused) in [
        (
            "insert into transfers select * from transfers
             on conflict (key, org_id) do update set description = 'other'",
            "permission denied for table transfers",
        ),
        (
            "set session_replication_role = replica",
            "permission denied to set parameter",
        ),
        (
            "create or replace function ledger_rows_are_final() returns trigger language plpgsql
             as 'begin return null; end'",
            "permission denied for schema public",
        ),
        (
            "drop function ledger_rows_are_final() cascade",
            "must be owner of function",
        ),
        (
            "grant update on entries to wayfare_app",
            "permission denied for table entries",
        ),
        ("set role wayfare", "permission denied to set role"),
    ] {
        let told = refusal(&mut service, statement).await;
        assert!(told.starts_with(refused), "{statement}: {told}");
    }
}

#[tokio::test]
async fn a_database_of_one_role_is_split_and_brought_back_by_the_next_start() {
    let test = TestDatabase::empty().await;
    let one_role = Database::connect(&test.owner_url, 1).unwrap();
    one_role.migrate().await.unwrap();
    let mut service = connect(&test.url).await;
    let denied = "permission denied for table transfers";
    assert_eq!(refusal(&mut service, "select from transfers").await, denied);
    assert!(test.database.ready().await.is_err());

    assert_eq!(test.database.migrate().await.unwrap(), Vec::<String>::new());
    test.database.ready().await.unwrap();
    service.batch_execute(A_TRANSFER).await.unwrap();

    let mut owner = test.owner().await;
    let given = "grant all on all tables in schema public to wayfare_app;
        grant update (description) on transfers to wayfare_app; revoke select on users from wayfare_app;
        create table made_later (id int generated by default as identity, name text)";
    owner.batch_execute(given).await.unwrap();
    let edit = "update transfers set description = ''";
    assert!(refusal(&mut service, edit).await.contains("never updated"));
    // What comes later is open at once.
    let later = "insert into made_later (name) values ('x'); update made_later set name = 'y'; delete from made_later";
    service.batch_execute(later).await.unwrap();

    test.database.migrate().await.unwrap();
    assert_eq!(refusal(&mut service, edit).await, denied);
    service.batch_execute("select from users").await.unwrap();
}

#[tokio::test]
async fn a_role_from_which_the_ledger_cannot_be_kept_is_refused_by_the_names_of_the_variables() {
    let test = TestDatabase::empty().await;
    let twice = Database::connect(&test.owner_url, 1)
        .unwrap()
        .owned_by(Some(&test.owner_url));
    let told = twice.migrate().await.unwrap_err().to_string();
    assert!(
        told.contains("role wayfare (DATABASE_URL)") && told.contains("MIGRATION_DATABASE_URL"),
        "{told}"
    );

    let mut owner = test.owner().await;
    owner
        .batch_execute("grant update (description) on transfers to public")
        .await
        .unwrap();
    let told = test.database.migrate().await.unwrap_err().to_string();
    assert!(
        told.contains("role wayfare_app (DATABASE_URL) may change the ledger"),
        "{told}"
    );

    let nobody = "postgres://wayfare:open-sesame@127.0.0.1:1/wayfare";
    let unreachable = test.database.clone().owned_by(Some(nobody));
    let told = unreachable.migrate().await.unwrap_err().to_string();
    assert!(
        told.contains("MIGRATION_DATABASE_URL") && !told.contains("open-sesame"),
        "{told}"
    );
}
