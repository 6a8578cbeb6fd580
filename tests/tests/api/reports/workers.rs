//! Workers that make reports: failures, leases and turns.

use std::fs;

use diesel_async::SimpleAsyncConnection;
use wayfare_operations::reports;
use wayfare_store::reports::Due;
use wayfare_tests::{World, WorldOptions, eventually};

use super::{Folder, NOT_READY, ask, download, january};

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_kept_is_tried_again_and_given_up_at_last() {
    let folder = Folder::new();
    let (world, _, agent) = World::with(folder.options()).await.and_agent("1").await;
    // Nothing can be kept in a file.
    fs::write(&folder.0, "").unwrap();
    let lost = ask(&agent, "/reports", &january("wallet")).await;
    for wait in [10, 40, 160, 640] {
        assert_eq!(world.make_reports().await, 1);
        assert_eq!(agent.get("/reports").await.ok()[0]["status"], "processing");
        download(&agent, "/reports", &lost).await.is(400, NOT_READY);
        world.pass(wait - 1);
        assert_eq!(world.make_reports().await, 0, "{wait}");
        world.pass(1);
    }
    assert_eq!(world.make_reports().await, 1);
    let reports = agent.get("/reports").await.ok();
    assert_has!(reports[0], { "status": "failed", "file_url": null, "expires_at": null });
    download(&agent, "/reports", &lost).await.is(400, NOT_READY);
    let problem = world.line("select problem from reports").await;
    assert!(problem.contains("can't be made"), "{problem}");
    let told = world
        .lines("select concat_ws(' ', action, new_value ->> 'scope') from events where entity_type = 'report' order by id")
        .await;
    assert_eq!(told, ["report.requested user", "report.failed user"]);

    // One that fails once is made the next time.
    let late = ask(&agent, "/reports", &january("wallet")).await;
    assert_eq!(world.make_reports().await, 1);
    fs::remove_file(&folder.0).unwrap();
    world.pass(10);
    assert_eq!(world.make_reports().await, 1);
    assert_eq!(download(&agent, "/reports", &late).await.status, 200);
    assert_eq!(folder.names(), [format!("{late}-2.csv")]);
    assert_eq!(world.line("select coalesce(problem, '') from reports where status = 'ready'").await, "");
    // The one that was given up is looked after once more, and then never again.
    world.pass(31 * 24 * 3600);
    assert_eq!(world.make_reports().await, 2);
    assert_eq!(world.line("select count(due_at) from reports").await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_ends_all_its_makers_is_given_up() {
    let folder = Folder::new();
    let (world, _, agent) = World::with(folder.options()).await.and_agent("1").await;
    let id = ask(&agent, "/reports", &january("wallet")).await;
    // Each of five has died and told nobody; of the third is left what it had begun, of the fourth a whole file.
    world.sql("update reports set status = 'processing', attempts = 5").await;
    fs::create_dir(&folder.0).unwrap();
    fs::write(folder.0.join(format!("{id}-3.csv#1")), "ID,Da").unwrap();
    fs::write(folder.0.join(format!("{id}-4.csv")), "ID,Date\r\n").unwrap();
    assert_eq!(world.make_reports().await, 1);
    assert_eq!(agent.get("/reports").await.ok()[0]["status"], "failed");
    let problem = world.line("select problem from reports").await;
    assert_eq!(problem, "gave up: every worker that started this report crashed");
    assert_eq!(folder.names(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_maker_whose_lease_has_ended_changes_nothing() {
    let folder = Folder::new();
    let (world, _, agent) = World::with(folder.options()).await.and_agent("1").await;
    let id = ask(&agent, "/reports", &january("booking")).await;
    // Both makers wait here for what they are to read.
    let mut stopper = world.database.owner().await;
    stopper.batch_execute("begin; lock table bookings in access exclusive mode").await.unwrap();
    let waiting = async |makers: usize| {
        let query = "select count(*) from pg_locks where relation = 'bookings'::regclass and not granted";
        let all = async || (world.line(query).await == makers.to_string()).then_some(());
        eventually("the makers", all).await;
    };
    let other = WorldOptions { clock: world.clock.clone(), ..folder.options() };
    let other = other.platform(world.database.database.clone(), "http://127.0.0.1:9");
    let slow = tokio::spawn({
        let platform = world.platform.clone();
        async move { reports::make_due(&platform.reports).await }
    });
    waiting(1).await;
    assert_eq!(reports::make_due(&other.reports).await.unwrap(), 0, "it is leased");
    world.pass(301);
    let next = tokio::spawn(async move { reports::make_due(&other.reports).await });
    waiting(2).await;
    stopper.batch_execute("commit").await.unwrap();
    assert_eq!(slow.await.unwrap().unwrap(), 1);
    assert_eq!(next.await.unwrap().unwrap(), 1);

    assert_eq!(world.line("select status || ' ' || attempts from reports").await, "ready 2");
    assert_eq!(world.line("select count(*) from events where action = 'report.ready'").await, "1");
    assert_eq!(folder.names(), [format!("{id}-2.csv")]);
    assert_eq!(download(&agent, "/reports", &id).await.status, 200);
}

async fn next(world: &World) -> Option<Due> {
    let now = world.clock.now();
    let mut connection = world.database.owner().await;
    let leased_until = now + chrono::Duration::seconds(300);
    wayfare_store::reports::take_due(&mut connection, now, leased_until).await.unwrap()
}

async fn next_id(world: &World) -> String {
    match next(world).await {
        Some(Due::Report(report)) => report.id.to_string(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agency_whose_report_is_being_made_lets_others_go_first() {
    let world = World::frozen().await;
    let eager = world.agency().await.admin("0").await;
    let mut asked = Vec::new();
    for _ in 0..3 {
        asked.push(ask(&eager, "/org/reports", &january("booking")).await);
        world.pass(1);
    }
    let waiting = ask(&world.agency().await.admin("0").await, "/org/reports", &january("booking")).await;
    let mut taken = Vec::new();
    for _ in 0..4 {
        taken.push(next_id(&world).await);
    }
    // Nobody waits for the two that are left.
    let [first, second, third] = <[String; 3]>::try_from(asked).unwrap();
    assert_eq!(taken, [first, waiting, second, third]);
    assert!(next(&world).await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_of_a_later_version_does_not_keep_others_waiting() {
    let world = World::frozen().await;
    let agent = world.agency().await.agent("arjun", "1").await;
    let strange = ask(&agent, "/reports", &january("wallet")).await;
    world.sql("update reports set filters = '{\"status\": \"a word of tomorrow\"}'").await;
    world.pass(1);
    let other = world.agency().await.agent("zara", "1").await;
    let late = ask(&other, "/reports", &january("wallet")).await;
    assert_eq!(world.make_reports().await, 2);
    assert_eq!(download(&other, "/reports", &late).await.status, 200);
    assert_eq!(world.make_reports().await, 0);
    // Nothing was taken from it for the version that knows it.
    world.sql("update reports set filters = '{}' where status = 'queued'").await;
    world.pass(300);
    assert_eq!(world.make_reports().await, 1);
    assert_eq!(download(&agent, "/reports", &strange).await.status, 200);
    assert_eq!(world.lines("select distinct attempts::text from reports").await, ["1"]);
}
