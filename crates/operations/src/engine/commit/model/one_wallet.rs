//! Kept seals beside the simple ledger: two servers write for one wallet in turns at random, others change it behind their
//! backs, connections are cut and answers lost. Whatever a server has kept, it answers what the model expects.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use diesel::sql_types::Text;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{UnixListener, UnixStream},
};
use wayfare_store::Database;

use super::{
    super::{AnyJob, Job, kept_seals::KeptSeals, together},
    Run,
    real::{AGENTS, Real, outcome_of_move, platform},
    simple::{Ask, Model, Outcome, Simple},
};
use crate::{Platform, money::wallet_transfer::WalletTransfer, operator};

const STEPS: usize = 240;
const WALLET: usize = 1;

/// A server's committer, carried out here so that what it keeps can be seen.
struct Server {
    platform: Arc<Platform>,
    seals: KeptSeals,
    /// Batches that were decided by a kept seal and written.
    by_seal: usize,
    /// Those that PostgreSQL has refused, since the wallet stood otherwise.
    overtaken: usize,
}

impl Server {
    fn on(platform: Arc<Platform>) -> Self {
        Self { platform, seals: KeptSeals::default(), by_seal: 0, overtaken: 0 }
    }

    fn has_seal(&self, real: &Real) -> bool {
        self.seals.usable(real.owner(WALLET)).is_some()
    }

    /// What the committer does with one batch.
    async fn moves(&mut self, real: &Real, asks: &[Ask]) -> Vec<Outcome> {
        let transfers = asks.iter().map(|ask| real.transfer_of(ask).unwrap()).collect();
        self.carries_out(real, transfers).await
    }

    async fn carries_out(&mut self, real: &Real, transfers: Vec<WalletTransfer>) -> Vec<Outcome> {
        let had_seal = self.has_seal(real);
        let is_alone = transfers.iter().all(|transfer| transfer.credited_user().is_none());
        let mut waiting = Vec::new();
        let jobs = transfers.into_iter().map(|transfer| {
            let (job, waits) = Job::new(transfer);
            waiting.push(waits);
            job as Box<dyn AnyJob>
        });
        let jobs = jobs.collect();
        together(&self.platform.engine, &mut self.seals, jobs).await;
        let mut outcomes = Vec::new();
        for waits in waiting {
            outcomes.push(outcome_of_move(waits.await.unwrap()));
        }
        if had_seal && is_alone {
            match self.has_seal(real) {
                true => self.by_seal += 1,
                false => self.overtaken += 1,
            }
        }
        outcomes
    }
}

/// An agency with 9,000.00 in its wallet and in the agent's that all is about, and the model of it.
async fn run(seed: u64, database: u64) -> Run {
    let empty = Simple { balance: 0, held: 0, credit: 0, active: true, entries: 0 };
    let mut run = Run {
        random: StdRng::seed_from_u64(seed),
        real: Real::new(database).await,
        model: Model { wallets: vec![empty; AGENTS + 1], ..Model::default() },
        count: 0,
    };
    for to in [0, WALLET] {
        let first = Ask::TopUp { to, amount: 900_000, key: format!("first {to}") };
        let (outcome, _) = run.real.carry_out(&first).await;
        assert_eq!(outcome, run.model.step(&first));
    }
    run
}

impl Run {
    fn spends(&mut self) -> Ask {
        self.count += 1;
        let (amount, key) = (self.random.random_range(1..=20_000), format!("kept:{}", self.count));
        match self.random.random_range(0..10) {
            0 => self.again_of_wallet(),
            1..4 => Ask::Deduct { from: WALLET, amount, key },
            _ => Ask::Spend { from: WALLET, amount, key },
        }
    }

    /// What took money out of the wallet before, now and then with another amount.
    fn again_of_wallet(&mut self) -> Ask {
        match self.again() {
            again @ (Ask::Spend { from: WALLET, .. } | Ask::Deduct { from: WALLET, .. }) => again,
            _ => self.spends(),
        }
    }

    /// What is no business of a kept seal, but changes its wallet.
    async fn behind_their_backs(&mut self, server: &mut Server) {
        self.count += 1;
        let (amount, key) = (self.random.random_range(1..=60_000), format!("other:{}", self.count));
        let reference = format!("FA-K{:07}", self.count);
        let ask = match self.random.random_range(0..7) {
            0 => return self.change_a_wallet().await,
            1 => {
                let threshold = self.random.random_range(0..10_000);
                return self.real.set("low_balance_alert", &threshold.to_string()).await;
            }
            2 => Ask::Allocate { from: 0, to: WALLET, amount, key },
            3 => Ask::TopUp { to: WALLET, amount, key },
            4 => Ask::Open { by: WALLET, amount, reference },
            _ => self.closing(),
        };
        if self.real.transfer_of(&ask).is_some() {
            let outcomes = server.moves(&self.real, std::slice::from_ref(&ask)).await;
            for outcome in outcomes {
                self.compare(&ask, outcome, None, false).await;
            }
            return;
        }
        self.real.promise(std::slice::from_ref(&ask)).await;
        let (outcome, step) = self.real.carry_out(&ask).await;
        self.compare(&ask, outcome, step, false).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_on_one_wallet_do_what_a_simple_ledger_does() {
    let number = |name: &str| std::env::var(name).ok().map(|value| value.parse().expect("a number"));
    let seed = number("WAYFARE_MODEL_SEED").unwrap_or_else(|| rand::rng().random_range(0..1_000_000));
    let steps = number("WAYFARE_MODEL_STEPS").map_or(STEPS, |steps| usize::try_from(steps).unwrap());
    println!("WAYFARE_MODEL_SEED={seed} WAYFARE_MODEL_STEPS={steps}");
    let mut run = run(seed, seed + 1_000_000).await;
    let mut servers = [(); 2].map(|()| Server::on(run.real.beside()));
    let mut at = 0;
    for _ in 0..steps {
        if run.random.random_bool(0.2) {
            at = 1 - at;
        }
        if run.random.random_bool(0.15) {
            run.behind_their_backs(&mut servers[at]).await;
            continue;
        }
        let asks: Vec<Ask> = (0..run.random.random_range(1..=4)).map(|_| run.spends()).collect();
        let cut = run.random.random_bool(0.1);
        let after = std::time::Duration::from_micros(run.random.random_range(0..3_000));
        let outcomes = {
            let real = &run.real;
            let crash = async {
                if cut {
                    tokio::time::sleep(after).await;
                    real.run(
                        "select pg_terminate_backend(pid) from pg_stat_activity
                         where datname = current_database() and pid <> pg_backend_pid()",
                    )
                    .await;
                }
            };
            let (outcomes, ()) = tokio::join!(servers[at].moves(real, &asks), crash);
            outcomes
        };
        for (ask, outcome) in asks.iter().zip(outcomes) {
            run.compare(ask, outcome, None, cut).await;
        }
        run.agree().await;
    }
    let [by_seal, overtaken] = [
        servers.iter().map(|server| server.by_seal).sum::<usize>(),
        servers.iter().map(|server| server.overtaken).sum::<usize>(),
    ];
    println!("{} works, {by_seal} batches by kept seals, {overtaken} overtaken", run.count);
    assert!(by_seal > steps / 10, "{by_seal} batches were written by kept seals");
    assert!(overtaken > 0, "no kept seal was overtaken");
    let report = operator::verify_ledger(&run.real.platform, |_| {}).await.unwrap();
    assert_eq!(report.problems, Vec::<String>::new());
    let entries: i64 = run.model.wallets.iter().map(|wallet| wallet.entries).sum();
    assert_eq!(report.entries, entries);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_at_once_spend_no_more_than_there_is() {
    let run = run(1, u64::MAX - 1).await;
    let mut servers = [(); 2].map(|()| Server::on(run.real.beside()));
    // Twice as much as there is: 900 times 20.00 of 9,000.00.
    let real = &run.real;
    let spend = async |server: &mut Server, name: &str| {
        let mut spent = 0;
        for number in 0..450 {
            let ask = Ask::Spend { from: WALLET, amount: 2_000, key: format!("{name} {number}") };
            match server.moves(real, &[ask]).await.as_slice() {
                [Outcome::Moved { repeated: false, .. }] => spent += 1,
                [Outcome::Refused(available, 2_000)] => assert!(*available < 2_000),
                other => panic!("{other:?}"),
            }
        }
        spent
    };
    let [one, two] = &mut servers;
    let (one, two) = tokio::join!(spend(one, "one"), spend(two, "two"));
    assert_eq!(one + two, 450, "{one} and {two} were spent");
    let report = operator::verify_ledger(&real.platform, |_| {}).await.unwrap();
    assert_eq!(report.problems, Vec::<String>::new());
}

/// A server with a kept seal of the wallet that may be used.
async fn with_seal(run: &mut Run, platform: Arc<Platform>) -> Server {
    let mut server = Server::on(platform);
    while server.by_seal == 0 {
        let ask = run.spends_one();
        let outcomes = server.moves(&run.real, std::slice::from_ref(&ask)).await;
        assert_eq!(outcomes, [run.model.step(&ask)]);
    }
    assert!(server.has_seal(&run.real));
    server
}

impl Run {
    fn spends_one(&mut self) -> Ask {
        self.count += 1;
        Ask::Spend { from: WALLET, amount: 100, key: format!("one {}", self.count) }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changes_behind_a_kept_seal_is_seen() {
    let mut run = run(2, u64::MAX - 2).await;
    let owner = run.real.owner(WALLET).uuid();
    let wallet = format!("where owner_id = '{owner}'");
    let platform = run.real.beside();
    type Change = fn(&mut Simple);
    let changes: [(&str, Change); 4] = [
        ("credit_limit = 50", |wallet| wallet.credit = 5_000),
        ("credit_limit = 0", |wallet| wallet.credit = 0),
        ("is_active = false", |wallet| wallet.active = false),
        ("is_active = true", |wallet| wallet.active = true),
    ];
    for (change, of_model) in changes {
        run.model.wallets[WALLET].active = true;
        run.real.run(&format!("update wallets set is_active = true {wallet}")).await;
        let mut server = with_seal(&mut run, platform.clone()).await;
        if change == "is_active = true" {
            // What is kept says frozen.
            run.real.run(&format!("update wallets set is_active = false {wallet}")).await;
            run.model.wallets[WALLET].active = false;
            for _ in 0..2 {
                let ask = Ask::Deduct { from: WALLET, amount: 100, key: format!("frozen {}", run.count) };
                run.count += 1;
                let outcomes = server.moves(&run.real, std::slice::from_ref(&ask)).await;
                assert_eq!(outcomes, [run.model.step(&ask)]);
            }
            assert!(server.has_seal(&run.real));
        }
        run.real.run(&format!("update wallets set {change} {wallet}")).await;
        of_model(&mut run.model.wallets[WALLET]);
        // All that may be spent, and one paisa more.
        let all = run.model.wallets[WALLET].balance + run.model.wallets[WALLET].credit;
        for amount in [all + 1, 100] {
            run.count += 1;
            let ask = Ask::Spend { from: WALLET, amount, key: format!("seen {}", run.count) };
            let outcomes = server.moves(&run.real, std::slice::from_ref(&ask)).await;
            assert_eq!(outcomes, [run.model.step(&ask)], "{change}");
        }
        run.agree().await;
    }
    let report = operator::verify_ledger(&run.real.platform, |_| {}).await.unwrap();
    assert_eq!(report.problems, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_threshold_that_is_set_behind_a_kept_seal_is_heard() {
    let mut run = run(3, u64::MAX - 3).await;
    let platform = run.real.beside();
    let mut server = with_seal(&mut run, platform).await;
    run.real.set("low_balance_alert", "8900").await;
    let notified = "select 1 from events where action = 'wallet.low_balance'";
    for amount in [9_000, 1_000, 1_000] {
        run.count += 1;
        let ask = Ask::Spend { from: WALLET, amount, key: format!("low {}", run.count) };
        assert!(!run.real.finds(notified).await || amount == 1_000);
        let outcomes = server.moves(&run.real, std::slice::from_ref(&ask)).await;
        assert_eq!(outcomes, [run.model.step(&ask)]);
    }
    assert!(run.real.finds(notified).await);
    assert!(!run.real.finds(&format!("{notified} offset 1")).await, "it was told twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transfer_that_is_repeated_by_a_kept_seal_is_answered_and_not_made() {
    let mut run = run(4, u64::MAX - 4).await;
    let platform = run.real.beside();
    let mut server = with_seal(&mut run, platform).await;
    let first = run.spends_one();
    let outcomes = server.moves(&run.real, std::slice::from_ref(&first)).await;
    assert_eq!(outcomes, [run.model.step(&first)]);
    let Ask::Spend { key, .. } = &first else { unreachable!("it spends") };
    let other = Ask::Spend { from: WALLET, amount: 101, key: key.clone() };
    // Alone, beside another one, and twice in one batch.
    let new = run.spends_one();
    for asks in [
        vec![first.clone()],
        vec![run.spends_one(), first.clone(), other.clone()],
        vec![other],
        vec![new.clone(), new],
    ] {
        let expected: Vec<Outcome> = asks.iter().map(|ask| run.model.step(ask)).collect();
        assert_eq!(server.moves(&run.real, &asks).await, expected, "{asks:?}");
        run.agree().await;
        server = with_seal(&mut run, server.platform).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backend_that_dies_before_it_writes_leaves_nothing_and_no_seal() {
    let mut run = run(5, u64::MAX - 5).await;
    let platform = run.real.beside();
    let mut server = with_seal(&mut run, platform).await;
    let ask = run.spends_one();
    let mut transfer = run.real.transfer_of(&ask).unwrap();
    transfer.audited = None;
    let mut in_the_way = AsyncPgConnection::establish(&run.real.url).await.unwrap();
    let owner = run.real.owner(WALLET).uuid();
    let lock = format!("begin; select 1 from wallets where owner_id = '{owner}' for update");
    in_the_way.batch_execute(&lock).await.unwrap();
    let real = &run.real;
    let kill = async {
        let waits = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() \
            and wait_event_type = 'Lock' and query like 'with wallets_saved%'";
        while !real.finds(waits).await {
            tokio::task::yield_now().await;
        }
    };
    let (outcomes, ()) = tokio::join!(server.carries_out(real, vec![transfer.clone()]), kill);
    in_the_way.batch_execute("rollback").await.unwrap();
    assert_eq!(outcomes, [Outcome::Lost]);
    assert!(!server.has_seal(real));
    run.agree().await;
    let outcomes = server.carries_out(&run.real, vec![transfer]).await;
    assert_eq!(outcomes, [run.model.step(&ask)]);
    run.agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_lost_after_the_commit_is_not_asked_for_again() {
    let mut run = run(6, u64::MAX - 6).await;
    let proxy = Proxy::before(&run.real).await;
    let platform = platform(Database::connect(&proxy.url, 6).unwrap());
    let mut server = with_seal(&mut run, platform).await;
    let ask = run.spends_one();
    let Ask::Spend { key, .. } = &ask else { unreachable!("what spends is a spend") };
    proxy.swallow_answer_to(key);
    let outcomes = server.moves(&run.real, std::slice::from_ref(&ask)).await;
    assert_eq!(*proxy.swallows.lock().unwrap(), None, "no answer was swallowed");
    assert_eq!(outcomes, [Outcome::Lost]);
    assert!(!server.has_seal(&run.real));
    assert!(run.real.happened(&ask).await, "it was not committed");
    run.model.step(&ask);
    run.agree().await;
    let outcomes = server.moves(&run.real, std::slice::from_ref(&ask)).await;
    assert_eq!(outcomes, [run.model.step(&ask)]);
    run.agree().await;
    let report = operator::verify_ledger(&run.real.platform, |_| {}).await.unwrap();
    assert_eq!(report.problems, Vec::<String>::new());
}

/// Stands between a server and PostgreSQL. It can wait for the statement that carries these bytes, drop what PostgreSQL
/// answers when that is committed, and the connection.
struct Proxy {
    folder: PathBuf,
    url: String,
    swallows: Swallows,
}

type Swallows = Arc<Mutex<Option<Vec<u8>>>>;

/// How an answer ends that leaves no transaction open: `ReadyForQuery`, idle.
const COMMITTED: &[u8] = b"Z\0\0\0\x05I";

#[derive(diesel::QueryableByName)]
struct Setting {
    #[diesel(sql_type = Text)]
    setting: String,
}

const SOCKET: &str = ".s.PGSQL.5432";

impl Proxy {
    async fn before(real: &Real) -> Self {
        let mut connection = AsyncPgConnection::establish(&real.url).await.unwrap();
        let theirs: Setting =
            diesel::sql_query("select setting from pg_settings where name = 'unix_socket_directories'")
                .get_result(&mut connection)
                .await
                .unwrap();
        let theirs = Path::new(theirs.setting.trim_matches('"')).join(SOCKET);
        let folder = std::env::temp_dir().join(format!("wayfare-proxy-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let ours = UnixListener::bind(folder.join(SOCKET)).unwrap();
        let swallows = Swallows::default();
        let swallowing = swallows.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = ours.accept().await {
                let server = UnixStream::connect(&theirs).await.unwrap();
                tokio::spawn(pass_on(client, server, swallowing.clone()));
            }
        });
        let (user, of_server) = real.url.split_once('@').unwrap();
        let (_, database) = of_server.split_once('/').unwrap();
        let host = folder.to_str().unwrap().replace('/', "%2F");
        Self { url: format!("{user}@{host}/{database}"), folder, swallows }
    }

    fn swallow_answer_to(&self, mark: &str) {
        *self.swallows.lock().unwrap() = Some(mark.as_bytes().to_vec());
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

async fn pass_on(mut client: UnixStream, mut server: UnixStream, swallows: Swallows) {
    let (mut asked, mut answer) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    let mut swallowing = false;
    loop {
        let passed_on = tokio::select! {
            Ok(length @ 1..) = client.read(&mut asked) => {
                let asked = &asked[..length];
                let has = |mark: &mut Vec<u8>| asked.windows(mark.len()).any(|bytes| bytes == mark);
                swallowing |= swallows.lock().unwrap().take_if(has).is_some();
                server.write_all(asked).await
            }
            Ok(length @ 1..) = server.read(&mut answer) => {
                let answer = &answer[..length];
                if swallowing && answer.ends_with(COMMITTED) {
                    return;
                }
                client.write_all(answer).await
            }
            else => return,
        };
        if passed_on.is_err() {
            return;
        }
    }
}
