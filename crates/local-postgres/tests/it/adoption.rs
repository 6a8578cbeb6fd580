//! Several processes, one server.

use wayfare_local_postgres::{Error, LocalPostgres};

use crate::support::{Folder, Helper, sql};

#[tokio::test]
async fn a_running_server_is_adopted_and_an_adopted_one_can_be_stopped() {
    let (folder, owner) = Folder::started().await;
    let guest = folder.start().await;
    assert!(!owner.adopted() && guest.adopted());
    assert_eq!(owner.url(), guest.url());
    let watcher = tokio::spawn(owner.exited());
    guest.stop().await.unwrap();
    assert!(matches!(watcher.await.unwrap(), Error::Ended { .. }));
    // There is nothing left to stop, and that is no error.
    owner.stop().await.unwrap();
    assert!(!folder.dir().join("data/postmaster.pid").exists());
}

#[tokio::test]
async fn an_adopted_server_that_is_let_go_runs_on() {
    let (folder, owner) = Folder::started().await;
    drop(folder.start().await);
    assert_eq!(sql(&owner.url(), "SELECT 1").await.unwrap(), ["1"]);
    owner.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_starters_at_once_one_starts_and_the_others_adopt() {
    let folder = Folder::new();
    let mut helpers = [Helper::spawn(&folder.dir()), Helper::spawn(&folder.dir())];
    let starts: Vec<_> =
        (0..3).map(|_| tokio::spawn(LocalPostgres::start_or_adopt(folder.settings()))).collect();
    let mut adopted = Vec::new();
    let mut server = None;
    for start in starts {
        let started = start.await.unwrap().unwrap();
        adopted.push(started.adopted());
        assert_eq!(sql(&started.url(), "SELECT 1").await.unwrap(), ["1"]);
        server = Some(started);
    }
    adopted.extend(helpers.iter_mut().map(Helper::adopted));
    adopted.sort_unstable();
    assert_eq!(adopted, [false, true, true, true, true]);
    server.unwrap().stop().await.unwrap();
}
