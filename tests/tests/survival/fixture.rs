//! Where everything can be killed: a PostgreSQL of its own, a supplier, the crash target, one agency.

use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc, Once,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use rustix::{
    io::Errno,
    process::{Pid, Signal, geteuid, getpid, kill_process, test_kill_process},
};
use tokio::{process::Command, sync::OnceCell};
use wayfare_local_postgres::{Download, LocalPostgres, Settings};
use wayfare_operations::{Database, operator::people};
use wayfare_sandbox::{Running, Sandbox};
use wayfare_tests::{Agency, Books, Person, Supplier, WorldOptions};

use crate::{crash_target::CrashTarget, operator::Operator};

/// When it is known by itself what became of an effect: its deadline, the grace after it, a look-up or two, each of which a
/// dead database may leave under a lease, and a busy machine.
const SETTLED_WITHIN: Duration = Duration::from_secs(300);
/// An effect whose sender has died, or could not write down what it learnt, is due within this time: a lease.
const SOON: Duration = Duration::from_secs(35);
/// Longer than a look-up takes on a busy machine, which holds what it looks up under a lease.
const LONGEST_LOOK_UP: Duration = Duration::from_secs(30);
/// The supplier's quotes of cancellations have lapsed by then.
const QUOTES_LAPSED: &str = "insert into test_clock (ahead) values ('2 hours')";
const AS_BEFORE: &str = "delete from test_clock";
const MONEY: &str = "100000000";
/// How the folders of fixtures are named, before process id and number.
const PREFIX: &str = "wayfare-survival-";

pub struct Fixture {
    folder: Folder,
    postgres: LocalPostgres,
    sandbox: Running,
    bugs: Vec<&'static str>,
    agency: Agency,
    operator: Operator,
    pub crash_target: CrashTarget,
    pub supplier: Supplier,
    pub books: Books,
}

impl Fixture {
    /// A new one, whose process has these bugs.
    pub async fn new(bugs: &[&'static str]) -> Self {
        let folder = Folder::with_database().await;
        let postgres = LocalPostgres::start_or_adopt(folder.settings()).await.unwrap();
        let sandbox = Sandbox::start(wayfare_sandbox::Settings::of_seed(1)).await.unwrap();
        let supplier = Supplier::at(sandbox.base_url());
        let (database, suppliers) = (postgres.url(), sandbox.base_url());
        let crash_target = CrashTarget::start(&database, &suppliers, &folder.reports(), true, bugs).await;
        // For the operator and the auditor, who are not killed.
        let database = Database::connect(&postgres.url(), 2).unwrap();
        let platform = WorldOptions::hurried().platform(database, &sandbox.base_url());
        Self {
            agency: Agency::open(&platform, &crash_target.url).await,
            books: Books::of(Arc::clone(&platform), supplier.clone()),
            operator: Operator { platform, supplier: supplier.clone() },
            folder,
            postgres,
            sandbox,
            bugs: bugs.to_vec(),
            crash_target,
            supplier,
        }
    }

    /// A new agent of the agency, with money.
    pub async fn agent(&self, username: &str) -> Person {
        self.agency.agent(username, MONEY).await
    }

    pub async fn admin(&self) -> Person {
        self.agency.admin("0").await
    }

    /// Kills PostgreSQL and says so when it is dead; nothing is cleaned up and nobody is told.
    pub async fn kill_postgres(&mut self) {
        let pid = fs::read_to_string(self.folder.0.join("postgres/data/postmaster.pid")).unwrap();
        let pid: i32 = pid.lines().next().unwrap().parse().unwrap();
        kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
        self.postgres.exited().await;
    }

    /// Starts PostgreSQL again over the same data.
    pub async fn revive_postgres(&mut self) {
        self.postgres = LocalPostgres::start_or_adopt(self.folder.settings()).await.unwrap();
    }

    /// Ends the process, if it is not dead yet, and starts a new one over the same data, as the only one there.
    pub async fn restart(&mut self) {
        self.start_with(true, &[]).await;
    }

    /// As [`Fixture::restart`], as one of several: what was leased to the dead waits for the leases' end.
    pub async fn restart_beside_others(&mut self) {
        self.start_with(false, &[]).await;
    }

    /// The names of all files of reports, unfinished ones included.
    pub fn report_files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.reports()).into_iter().flatten();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    pub fn remove_report_files(&self) {
        fs::remove_dir_all(self.folder.reports()).unwrap();
    }

    /// As [`Fixture::restart`], with what else the process is told.
    pub async fn restart_with(&mut self, what_else: &[&str]) {
        self.start_with(true, what_else).await;
    }

    async fn start_with(&mut self, is_alone: bool, what_else: &[&str]) {
        self.crash_target.kill().await;
        let (database, sandbox) = (self.postgres.url(), self.sandbox.base_url());
        let reports = self.folder.reports();
        let what_else = [&self.bugs[..], what_else].concat();
        self.crash_target = CrashTarget::start(&database, &sandbox, &reports, is_alone, &what_else).await;
    }

    /// Writes all bookings as they were before people were sealed. No server runs meanwhile, nor after it.
    pub async fn unseal(&mut self) {
        self.crash_target.kill().await;
        people::unseal_all(&self.operator.platform).await.unwrap();
    }

    /// Waits until nothing is under way, or nobody will look at it soon; what then still is.
    pub async fn settle(&self) -> Vec<String> {
        self.wait(Some(LONGEST_LOOK_UP), None).await.1
    }

    /// As [`Fixture::settle`], with the operator who rules on what no look-up tells: on how much, and what then still is
    /// under way.
    pub async fn settle_by_operator(&self) -> (usize, Vec<String>) {
        self.wait(Some(LONGEST_LOOK_UP), Some(&self.operator)).await
    }

    /// Waits until nothing is under way; gives up when nobody would have looked at it for so long. How much the operator
    /// has ruled on, and what still is under way.
    async fn wait(
        &self,
        give_up_after: Option<Duration>,
        operator: Option<&Operator>,
    ) -> (usize, Vec<String>) {
        let patience = Instant::now() + SETTLED_WITHIN;
        let mut looked = Instant::now();
        let mut ruled = 0;
        loop {
            if let Some(operator) = operator {
                ruled += operator.rule().await;
            }
            let under_way = self.books.under_way().await;
            if self.somebody_looks_soon().await {
                looked = Instant::now();
            }
            let given_up = give_up_after.is_some_and(|time| looked.elapsed() > time);
            if under_way.is_empty() || given_up || Instant::now() > patience {
                return (ruled, under_way);
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Not when all that is open was looked up in vain for long, is leased to a dead process, or is looked up now.
    async fn somebody_looks_soon(&self) -> bool {
        let soon = format!(
            "select id from effects where state = 'open' and due_at < now() + interval '{} s'",
            SOON.as_secs()
        );
        !self.books.lines(&soon).await.is_empty()
    }

    /// As [`Fixture::settle`], hours later, when suppliers' quotes have lapsed. It is as late as before afterwards.
    pub async fn settle_much_later(&mut self) -> Vec<String> {
        self.operator.sql(QUOTES_LAPSED).await;
        self.restart().await;
        let (_, under_way) = self.wait(None, None).await;
        self.operator.sql(AS_BEFORE).await;
        self.restart().await;
        under_way
    }

    /// That nothing is wrong in the books.
    pub async fn is_well(&self, when: &str) {
        let wrongs = self.books.wrongs().await;
        assert!(wrongs.is_empty(), "{when}:\n  {}\n", wrongs.join("\n  "));
    }

    pub async fn sql(&self, statement: &str) {
        self.operator.sql(statement).await;
    }

    pub async fn end(mut self) {
        self.crash_target.kill().await;
        self.postgres.stop().await.unwrap();
        self.sandbox.stop().await;
    }
}

/// A folder that goes with the value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(1);
        static REMOVED: Once = Once::new();
        REMOVED.call_once(remove_left_overs);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("{PREFIX}{}-{number}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    /// One in which PostgreSQL has been before, and the tables are.
    async fn with_database() -> Self {
        static TEMPLATE: OnceCell<Folder> = OnceCell::const_new();
        let template = TEMPLATE.get_or_init(async || {
            let folder = Self::new();
            let postgres = LocalPostgres::start_or_adopt(folder.settings()).await.unwrap();
            Database::connect(&postgres.url(), 1).unwrap().migrate().await.unwrap();
            postgres.stop().await.unwrap();
            folder
        });
        let folder = Self::new();
        let copied =
            Command::new("cp").arg("-a").arg(template.await.0.join("postgres")).arg(&folder.0).status();
        assert!(copied.await.unwrap().success());
        folder
    }

    fn reports(&self) -> PathBuf {
        self.0.join("reports")
    }

    /// Durable, as in production: a killed server must find what it has promised.
    fn settings(&self) -> Settings {
        let fetched = format!("wayfare-test-binaries-{}", geteuid().as_raw());
        Settings {
            download: Some(Download::new(std::env::temp_dir().join(fetched))),
            ..Settings::new(self.0.join("postgres"))
        }
    }
}

/// Removes what test processes left that ended before they could tidy up.
fn remove_left_overs() {
    for entry in fs::read_dir(std::env::temp_dir()).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap_or_default();
        let owner = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next());
        let owner = owner.and_then(|pid| Pid::from_raw(pid.parse().ok()?));
        if owner.is_some_and(|pid| pid == getpid() || test_kill_process(pid) == Err(Errno::SRCH)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
