//! PostgreSQL that is stopped, not dead: it takes what is sent and says nothing. Nobody waits for ever, and nobody takes its
//! silence for a refusal.

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use rustix::process::{Pid, Signal, kill_process};
use tokio::time::timeout;
use wayfare_local_postgres::{Durability, LocalPostgres, Settings};
use wayfare_store::{Batch, Database, batch::writes::Writes};

/// Longer than anything may take then.
const FOR_EVER: Duration = Duration::from_secs(60);

/// A server of its own in a folder that goes with it.
struct Server {
    dir: PathBuf,
    postgres: Option<LocalPostgres>,
}

impl Server {
    async fn start() -> Self {
        let dir = env::temp_dir().join(format!("wayfare-stopped-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir(&dir).unwrap();
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o755)).unwrap();
        let settings = Settings {
            durability: Durability::None,
            ..Settings::new(dir.join("postgres"))
        };
        let postgres = LocalPostgres::start_or_adopt(settings).await.unwrap();
        Self {
            dir,
            postgres: Some(postgres),
        }
    }

    /// Its first process and all that this one has started.
    fn processes(&self) -> Vec<Pid> {
        let file = self.dir.join("postgres/data/postmaster.pid");
        let Ok(text) = fs::read_to_string(file) else {
            return Vec::new();
        };
        let postmaster: i32 = text.lines().next().unwrap().parse().unwrap();
        let parent = |pid: &i32| -> Option<i32> {
            let stat = fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat")).ok()?;
            stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
        };
        let all = fs::read_dir("/proc").unwrap().flatten();
        all.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
            .filter(|pid| *pid == postmaster || parent(pid) == Some(postmaster))
            .filter_map(Pid::from_raw)
            .collect()
    }

    fn signal(&self, signal: Signal) {
        for pid in self.processes() {
            let _ = kill_process(pid, signal);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.signal(Signal::CONT);
        self.signal(Signal::INT);
        let _ = fs::remove_dir_all(&self.dir);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_ends_and_whether_it_was_committed_nobody_knows() {
    if !Path::new("/proc/self/stat").exists() {
        println!("did not run: there is no /proc");
        return;
    }
    let mut server = Server::start().await;
    let postgres = server.postgres.as_ref().unwrap();
    let database = Database::connect_server(&postgres.url(), 3).unwrap();
    let mut asking = database.connection().await.unwrap();
    asking
        .batch_execute("create table made (number int)")
        .await
        .unwrap();
    let mut batch = Batch::on(database.connection().await.unwrap());
    batch.begin().await.unwrap();
    let insert = diesel::sql_query("insert into made values (1)");
    insert.execute(batch.connection_mut().unwrap()).await.unwrap();

    server.signal(Signal::STOP);
    let asked = tokio::spawn(async move { asking.batch_execute("insert into made values (2)").await });
    let committed = tokio::spawn(batch.commit(Writes::default()));
    let waited = database.connection();
    let (asked, committed, waited) = timeout(FOR_EVER, async { tokio::join!(asked, committed, waited) })
        .await
        .unwrap();
    asked.unwrap().unwrap_err();
    let lost = committed.unwrap().unwrap_err();
    assert!(!lost.surely_undone(), "{lost}");
    assert!(
        waited.is_err(),
        "there was no third connection, and none could be made"
    );

    server.signal(Signal::CONT);
    let mut again = timeout(FOR_EVER, database.connection()).await.unwrap().unwrap();
    let counted = diesel::sql_query("select count(*) as count from made");
    #[derive(diesel::QueryableByName)]
    struct Counted {
        #[diesel(sql_type = diesel::sql_types::BigInt)]
        count: i64,
    }
    // It went on with what it had been sent, or it did not: both were possible.
    let counted: Counted = counted.get_result(&mut again).await.unwrap();
    assert!((0..=2).contains(&counted.count), "{}", counted.count);
    drop(again);
    drop(database);
    server.postgres.take().unwrap().stop().await.unwrap();
}
