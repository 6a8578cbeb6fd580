//! The private database, shared by programs.

use clap::Parser;
use wayfare_launch::{Common, database, parse_from};

use crate::support::{Folder, Running};

#[derive(Parser)]
struct Ctl {
    #[command(flatten)]
    common: Common,
}

fn common(folder: &Folder) -> Common {
    let data = folder.data();
    let (ctl, _) = parse_from::<Ctl>(["ctl", "--data-dir", data.to_str().unwrap()]).unwrap();
    ctl.common
}

fn is_running(folder: &Folder) -> bool {
    folder.data().join("postgres/data/postmaster.pid").exists()
}

#[tokio::test]
async fn a_database_that_this_program_started_ends_with_its_close() {
    let folder = Folder::new();
    let database = database::open(&common(&folder)).await.unwrap();
    assert!(database.url().starts_with("postgres://wayfare_app@"));
    assert!(database.owner_url().unwrap().starts_with("postgres://wayfare@"));
    assert!(folder.data().join("keys.toml").exists());
    assert!(is_running(&folder));
    database.close().await.unwrap();
    assert!(!is_running(&folder));
}

#[tokio::test]
async fn a_database_of_another_program_is_shared_and_left_running() {
    let folder = Folder::new();
    let server = Running::start(folder.host().arg("database"));
    let database = database::open(&common(&folder)).await.unwrap();
    assert_eq!(database.url(), server.line);
    database.close().await.unwrap();
    assert!(is_running(&folder));
    server.interrupt();
    assert!(!is_running(&folder));
}

#[tokio::test]
async fn an_operators_database_is_taken_as_it_is() {
    let url = "postgres://me:secret@nowhere.invalid/db";
    let owner_url = "postgres://owner:secret@nowhere.invalid/db";
    let given = ["ctl", "--database-url", url, "--migration-database-url", owner_url];
    for (arguments, expected) in [(&given[..3], None), (&given, Some(owner_url))] {
        let (ctl, _) = parse_from::<Ctl>(arguments).unwrap();
        let database = database::open(&ctl.common).await.unwrap();
        assert_eq!((database.url(), database.owner_url()), (url, expected));
        assert!(!format!("{database:?}").contains("secret"));
        assert!(database.private().is_none());
        database.close().await.unwrap();
    }
}
