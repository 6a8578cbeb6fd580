//! What a lone booking asks of PostgreSQL, compared with the committed `counts.txt`: counts that don't hang on the machine.
//! One more statement, round trip or transaction fails, and a tenth more of buffers. `WAYFARE_RENEW_COUNTS=1 cargo test -p
//! wayfare-tests --test api a_lone_booking_asks` writes the file anew.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
};

use wayfare_tests::{MONEY, one_way};

use super::{
    explained::{Log, Stretch},
    explained_world_with,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/api/plans/counts.txt");
const HEAD: &str = "# For a lone booking, at least of eight. `WAYFARE_RENEW_COUNTS=1 cargo test -p wayfare-tests --test api \
    a_lone_booking_asks` writes it anew.\n";

/// So often everything is done before it is counted: from its sixth time on a connection keeps a statement's plan.
const BEFORE: usize = 8;
/// So often everything is counted; the least counts, since PostgreSQL tidies up as it reads.
const COUNTED: usize = 8;

/// What some work asked of PostgreSQL.
#[derive(Clone, Copy, Default)]
struct Counts {
    statements: i64,
    /// A batch takes two: begin travels with its reads, commit with what it writes.
    round_trips: i64,
    /// A statement outside of any counts as one.
    transactions: i64,
    /// Those of the checks of references included.
    buffers: i64,
}

/// In what a connection's statements are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    Transaction,
    Batch,
}

impl Counts {
    fn of(stretch: &Stretch) -> Self {
        let mut counts = Self { buffers: stretch.buffers(), ..Self::default() };
        let mut inside = HashMap::new();
        for (process, statement) in stretch.statements() {
            let inside = inside.entry(process).or_insert(Inside::Nothing);
            counts.statements += 1;
            let begins = statement.to_lowercase().starts_with("begin");
            let (round_trips, transactions) = match inside {
                // A transaction of diesel's begins with BEGIN.
                Inside::Nothing if statement == "begin" => (2, 1),
                Inside::Nothing => (1, 1),
                Inside::Transaction => (1, 0),
                Inside::Batch => (0, 0),
            };
            counts.round_trips += round_trips;
            counts.transactions += transactions;
            *inside = match *inside {
                Inside::Nothing if round_trips == 2 => Inside::Batch,
                Inside::Nothing if begins => Inside::Transaction,
                _ if ["commit", "rollback"].contains(&statement.to_lowercase().as_str()) => Inside::Nothing,
                other => other,
            };
        }
        counts
    }

    fn named(self) -> [(&'static str, i64); 4] {
        [
            ("statements", self.statements),
            ("round trips", self.round_trips),
            ("transactions", self.transactions),
            ("buffers", self.buffers),
        ]
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lone_booking_asks_postgres_for_so_much_at_most() {
    let world = explained_world_with(&[("log_statement", "all")]).await;
    let (world, _, agent) = world.and_agent(MONEY).await;
    let mut log = Log::of(&world).await;
    let trip = one_way("DEL", "BOM");
    let mut least = BTreeMap::new();
    for round in 0..BEFORE + COUNTED {
        let offer = agent.offer(&trip).await;
        log.stretch().await;
        let mut count = async |step: &str| {
            let counts = Counts::of(&log.stretch().await);
            for (what, count) in counts.named().into_iter().filter(|_| round >= BEFORE) {
                let known = least.entry(format!("{step} {what}")).or_insert(count);
                *known = count.min(*known);
            }
        };
        let priced = agent.price(&offer).await.ok();
        count("price").await;
        let booked = agent.book(&agent.order(&priced, &trip)).await.ok();
        count("book").await;
        world.deliver().await;
        count("publish").await;
        agent.cancels(booked["booking_ref"].as_str().unwrap()).await;
        count("cancel").await;
        world.deliver().await;
    }
    compare(&least);
}

fn compare(counted: &BTreeMap<String, i64>) {
    if std::env::var_os("WAYFARE_RENEW_COUNTS").is_some() {
        let lines = counted.iter().map(|(what, count)| format!("{what} {count}\n"));
        fs::write(FILE, HEAD.to_owned() + &lines.collect::<String>()).unwrap();
        return;
    }
    let file = fs::read_to_string(FILE).unwrap();
    let known: BTreeMap<&str, i64> = file
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.rsplit_once(' ').unwrap())
        .map(|(what, count)| (what, count.parse().unwrap()))
        .collect();
    let grown: Vec<String> = counted
        .iter()
        .filter_map(|(what, count)| {
            let known = known.get(what.as_str()).copied().unwrap_or_default();
            let most = if what.ends_with("buffers") { known + known / 10 } else { known };
            (*count > most).then(|| format!("{what}: {count} instead of {known}"))
        })
        .collect();
    assert!(grown.is_empty(), "{}", grown.join("\n"));
}
