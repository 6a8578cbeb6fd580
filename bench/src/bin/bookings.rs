//! Bookings per second, end to end, beside pgbench on the same PostgreSQL in the same run.
#![allow(clippy::float_arithmetic, reason = "rates and ratios are no money and need no digits")]

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use clap::Parser;
use futures_util::future::try_join_all;
use wayfare_bench::{
    Client, CoreTime, Cost, Installation, Load, Pgbench, Place, Result, Turn, Watch, at_least, at_most, run,
};

/// Enough for any run.
const MONEY: &str = "100000000000";
/// How long the first bookings go on at most, and how many each client has for them.
const WARM_UP: Duration = Duration::from_secs(2);
const WARM_UP_ORDERS: usize = 100;
/// By what factor a run may be faster than those before it runs out of orders.
const RESERVE: f64 = 1.5;
/// How many bookings each client makes while statements are counted.
const COUNTED: usize = 25;

/// Measures bookings per second of the released programs beside pgbench
#[derive(Parser)]
struct Options {
    /// How long each measurement goes on
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// How many clients at once
    #[arg(long, default_value_t = 16)]
    clients: usize,
    /// The folder of another build's `wayfare` and `wayfarectl`: these programs are measured beside those, in turns
    #[arg(long)]
    baseline: Option<PathBuf>,
    /// How often each of the two has its turn
    #[arg(long, default_value_t = 6)]
    rounds: usize,
    /// In turns, how many bookings a turn has instead of how many seconds
    #[arg(long)]
    bookings: Option<usize>,
    #[command(flatten)]
    place: Place,
}

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    let compare = async |installation: &Installation| match &options.baseline {
        Some(baseline) => beside(installation, baseline, &options).await,
        None => compare(installation, &options).await,
    };
    wayfare_bench::ended("bookings", options.place.measure(compare).await)
}

/// This build beside another one, in turns on the same machine: what is slow for a while is slow for both.
async fn beside(ours: &Installation, baseline: &Path, options: &Options) -> Result<()> {
    let both = async |theirs: &Installation| in_turns(ours, theirs, options).await;
    options.place.measure_programs(baseline, "", both).await
}

async fn in_turns(ours: &Installation, theirs: &Installation, options: &Options) -> Result<()> {
    let mut our_buyers = buyers_of_one_wallet(ours, options.clients).await?;
    let mut their_buyers = buyers_of_one_wallet(theirs, options.clients).await?;
    let turn = async |installation: &Installation, buyers: &mut [Buyer]| match options.bookings {
        Some(bookings) => book_so_many(installation, buyers, bookings).await,
        None => book(installation, buyers, Duration::from_secs(options.seconds)).await,
    };
    let each = options
        .bookings
        .map_or_else(|| format!("{} s", options.seconds), |bookings| format!("about {bookings} bookings"));
    println!(
        "{} clients, one wallet, {each} a turn; baseline: {}\n",
        options.clients,
        options.baseline.as_deref().unwrap_or(Path::new("")).display()
    );
    println!("{:<10} {:>14} {:>14} {:>8}", "round", "baseline per s", "this per s", "ratio");
    let (mut ratios, mut our_time, mut their_time) = (Vec::new(), Spent::default(), Spent::default());
    for round in 1..=options.rounds {
        // Neither always has the machine as the other left it.
        let (our_turn, their_turn) = match round % 2 {
            0 => {
                let ours = turn(ours, &mut our_buyers).await?;
                (ours, turn(theirs, &mut their_buyers).await?)
            }
            _ => {
                let theirs = turn(theirs, &mut their_buyers).await?;
                (turn(ours, &mut our_buyers).await?, theirs)
            }
        };
        our_time.add(&our_turn);
        their_time.add(&their_turn);
        let (ours, theirs) = (our_turn.load.per_second(), their_turn.load.per_second());
        println!("{round:<10} {theirs:>14.0} {ours:>14.0} {:>8.3}", ours / theirs);
        ratios.push(ours / theirs);
    }
    ratios.sort_by(f64::total_cmp);
    let middle = ratios.get(ratios.len() / 2).copied().unwrap_or_default();
    let (least, most) = (ratios.first().copied(), ratios.last().copied());
    println!(
        "\nof the baseline, median of the rounds: {middle:.3} ({:.3} to {:.3})\n",
        least.unwrap_or_default(),
        most.unwrap_or_default()
    );
    core_time_head();
    their_time.print("baseline");
    our_time.print("this");
    prove(ours).await?;
    prove(theirs).await
}

/// What clients got done, and the time on the cores that it took.
struct Measured {
    load: Load,
    time: CoreTime,
}

/// The same of several turns.
#[derive(Default)]
struct Spent {
    bookings: usize,
    time: CoreTime,
}

impl Spent {
    fn add(&mut self, turn: &Measured) {
        self.bookings += turn.load.count();
        self.time = self.time.and(turn.time);
    }

    fn print(&self, who: &str) {
        core_time_line(who, self.time, self.bookings);
    }
}

fn core_time_head() {
    println!(
        "{:<44} {:>10} {:>10} {:>10} {:>10}",
        "ms of a core for each booking", "server", "PostgreSQL", "sandbox", "client"
    );
}

fn core_time_line(what: &str, time: CoreTime, bookings: usize) {
    let [server, postgres, sandbox, client] = time.of_each(bookings);
    println!("{what:<44} {server:>10.2} {postgres:>10.2} {sandbox:>10.2} {client:>10.2}");
}

/// A client and the orders that it has yet to book.
struct Buyer {
    client: Client,
    orders: Vec<String>,
}

async fn compare(installation: &Installation, options: &Options) -> Result<()> {
    let time = Duration::from_secs(options.seconds);
    let pgbench = Pgbench::prepare(installation).await?;
    let mut one_wallet = buyers_of_one_wallet(installation, options.clients).await?;
    let mut wallets = buyers_with_wallets(installation, options.clients).await?;

    let before = pgbench.per_second(options.clients, time).await?;
    let one = book(installation, &mut one_wallet, time).await?;
    let many = book(installation, &mut wallets, time).await?;
    let whole = measured(installation, &mut one_wallet, time, async |buyer| {
        buyer.orders = buyer.client.orders(1).await?;
        next(buyer).await
    })
    .await?;
    let after = pgbench.per_second(options.clients, time).await?;
    let lone = cost(installation, one_wallet.get_mut(..1).unwrap_or_default()).await?;
    let crowd = cost(installation, &mut one_wallet).await?;

    let baseline = f64::midpoint(before, after);
    let clients = options.clients;
    println!("{clients} clients, {} s each; pgbench: scale 1, simple protocol, same server", options.seconds);
    println!("pgbench: {before:.0} tps before, {after:.0} after, mean {baseline:.0}\n");
    println!(
        "{:<44} {:>7} {:>7} {:>7} {:>7} {:>11}",
        "", "per s", "p50 ms", "p95 ms", "p99 ms", "of pgbench"
    );
    let from_many = format!("book what was priced before, {clients} wallets");
    let ways = [
        ("book what was priced before, 1 wallet", &one),
        (from_many.as_str(), &many),
        ("search, price and book, 1 wallet", &whole),
    ];
    for (what, way) in ways {
        line(what, &way.load, baseline);
    }
    println!();
    core_time_head();
    for (what, way) in ways {
        core_time_line(what, way.time, way.load.count());
    }
    println!();
    for ((what, way), least) in ways.into_iter().zip([0.33, 0.33, 0.12]) {
        at_least(&format!("{what}, of pgbench"), way.load.per_second() / baseline, least);
    }
    let [server, postgres, ..] = one.time.of_each(one.load.count());
    at_most("a booking, ms of a core of the server", server, 0.5);
    at_most("a booking, ms of a core of PostgreSQL", postgres, 0.6);
    cost_lines([("a lone client", lone), ("all clients, 1 wallet", crowd)]);
    prove(installation).await
}

/// What bookings cost the database.
fn cost_lines(costs: [(&str, (Cost, usize)); 2]) {
    println!(
        "\n{:<44} {:>10} {:>12} {:>15}",
        "for each booking", "statements", "transactions", "writing commits"
    );
    for (who, (cost, bookings)) in costs {
        let each = |number: u64| per(number, bookings);
        let Cost { statements, transactions, commits } = cost;
        println!("{who:<44} {:>10.2} {:>12.2} {:>15.2}", each(statements), each(transactions), each(commits));
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts are small")]
fn per(number: u64, of: usize) -> f64 {
    number as f64 / of as f64
}

fn line(what: &str, load: &Load, baseline: f64) {
    let [half, most, nearly_all] = [50, 95, 99].map(|percent| load.percentile(percent));
    let rate = load.per_second();
    let ratio = rate / baseline;
    println!("{what:<44} {rate:>7.0} {half:>7.1} {most:>7.1} {nearly_all:>7.1} {ratio:>10.2}×");
}

/// All of them are the agency's admin, over connections of their own.
async fn buyers_of_one_wallet(installation: &Installation, count: usize) -> Result<Vec<Buyer>> {
    installation.fund(MONEY).await?;
    let admin = installation.admin().await?;
    Ok((0..count).map(|_| Buyer { client: admin.beside(), orders: Vec::new() }).collect())
}

async fn buyers_with_wallets(installation: &Installation, count: usize) -> Result<Vec<Buyer>> {
    let mut buyers = Vec::new();
    for number in 1..=count {
        let client = installation.agent(&format!("agent{number}"), MONEY).await?;
        buyers.push(Buyer { client, orders: Vec::new() });
    }
    Ok(buyers)
}

/// Books for a moment, which tells how many orders each buyer needs; prices those, then books for the time.
async fn book(installation: &Installation, buyers: &mut [Buyer], time: Duration) -> Result<Measured> {
    price(buyers, WARM_UP_ORDERS).await?;
    let warm_up = run(buyers, WARM_UP, next).await?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
    let expected = (warm_up.per_second() * RESERVE * time.as_secs_f64()).ceil() as usize;
    price(buyers, expected.div_ceil(buyers.len())).await?;
    measured(installation, buyers, time, next).await
}

/// Prices so many orders, then books them until one of the buyers has no more.
async fn book_so_many(
    installation: &Installation,
    buyers: &mut [Buyer],
    bookings: usize,
) -> Result<Measured> {
    price(buyers, bookings.div_ceil(buyers.len())).await?;
    measured(installation, buyers, Duration::MAX, next).await
}

async fn measured(
    installation: &Installation,
    buyers: &mut [Buyer],
    time: Duration,
    work: impl AsyncFn(&mut Buyer) -> Result<Turn>,
) -> Result<Measured> {
    let before = CoreTime::until_now(installation)?;
    let load = run(buyers, time, work).await?;
    Ok(Measured { load, time: before.since(installation)? })
}

async fn price(buyers: &mut [Buyer], count: usize) -> Result<()> {
    let priced = buyers.iter_mut().map(async |buyer| {
        buyer.orders = buyer.client.orders(count).await?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(())
    });
    try_join_all(priced).await.map(drop)
}

/// Books the buyer's next order, if there is one.
async fn next(buyer: &mut Buyer) -> Result<Turn> {
    let Some(order) = buyer.orders.pop() else { return Ok(Turn::Over) };
    buyer.client.book(order).await?;
    Ok(Turn::Done)
}

/// What some bookings cost the database, and how many they were.
async fn cost(installation: &Installation, buyers: &mut [Buyer]) -> Result<(Cost, usize)> {
    price(buyers, COUNTED).await?;
    let watch = Watch::begin(installation).await?;
    let load = run(buyers, Duration::from_secs(60), next).await?;
    Ok((watch.end().await?, load.count()))
}

/// That nothing was lost, doubled or left out on the way.
async fn prove(installation: &Installation) -> Result<()> {
    let proof = installation.operate(&["ledger", "verify"]).await?;
    let (orders, bookings) = installation.orders_and_bookings().await?;
    println!("\nledger verify: {}", proof.split_whitespace().collect::<Vec<_>>().join(" "));
    println!("{bookings} bookings are confirmed, {orders} orders stand at the supplier");
    match orders == bookings {
        true => Ok(()),
        false => Err("orders and bookings do not agree".into()),
    }
}
