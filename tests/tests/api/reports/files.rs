//! The files of reports: how long they are kept, who may read them, and what is no longer served.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
};

use wayfare_tests::World;

use super::{Folder, ask, download, january};

#[tokio::test(flavor = "multi_thread")]
async fn files_are_kept_for_thirty_days_and_then_gone() {
    let folder = Folder::new();
    let (world, agency, agent) = World::with(folder.options()).await.and_agent("1").await;
    let id = ask(&agent, "/reports", &january("wallet")).await;
    world.make_reports().await;
    world.pass(30 * 24 * 3600 - 1);
    let agent = agency.log_in("arjun").await;
    assert_eq!(world.make_reports().await, 0);
    assert_eq!(download(&agent, "/reports", &id).await.status, 200);
    world.pass(1);
    // Before anybody has removed it.
    download(&agent, "/reports", &id).await.is_missing();
    assert_has!(agent.get("/reports").await.ok()[0], { "status": "ready", "file_url": null });
    assert_eq!(folder.names().len(), 1);
    assert_eq!(world.make_reports().await, 1);
    assert_eq!(folder.names(), [""; 0]);
    download(&agent, "/reports", &id).await.is_missing();
    let report = agent.get("/reports").await.ok()[0].clone();
    assert_has!(report, { "status": "ready", "file_url": null, "expires_at": "2027-02-14T08:00:00Z" });
    assert_eq!(world.make_reports().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_nobody_elses_to_read_in_a_folder_that_was_there_before() {
    let folder = Folder::new();
    let (world, _, agent) = World::with(folder.options()).await.and_agent("1").await;
    fs::create_dir(&folder.0).unwrap();
    fs::set_permissions(&folder.0, Permissions::from_mode(0o755)).unwrap();
    let id = ask(&agent, "/reports", &january("wallet")).await;
    world.make_reports().await;
    let file = fs::metadata(folder.0.join(format!("{id}-1.csv"))).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
    assert_eq!(download(&agent, "/reports", &id).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_the_one_that_was_made_is_not_served() {
    let folder = Folder::new();
    let (world, _, agent) = World::with(folder.options()).await.and_agent("1").await;
    let id = ask(&agent, "/reports", &january("wallet")).await;
    world.make_reports().await;
    let file = folder.0.join(format!("{id}-1.csv"));
    let whole = fs::read_to_string(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let broken = "internal server error, please try again later";
    download(&agent, "/reports", &id).await.is(500, broken);
    fs::remove_file(&file).unwrap();
    download(&agent, "/reports", &id).await.is(500, broken);
}
