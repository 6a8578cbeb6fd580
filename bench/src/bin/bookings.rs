//! Bookings per second, end to end, beside pgbench on the same PostgreSQL in the same run.
#![allow(
    clippy::float_arithmetic,
    reason = "rates and ratios are no money and need no digits"
)]

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use clap::Parser;
use futures_util::future::try_join_all;
use wayfare_bench::{Client, Cost, Installation, Load, Pgbench, Place, Result, Turn, Watch, run};

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
    let time = Duration::from_secs(options.seconds);
    let mut our_buyers = buyers_of_one_wallet(ours, options.clients).await?;
    let mut their_buyers = buyers_of_one_wallet(theirs, options.clients).await?;
    println!(
        "{} clients, one wallet, {} s each; baseline: {}\n",
        options.clients,
        options.seconds,
        options.baseline.as_deref().unwrap_or(Path::new("")).display()
    );
    println!(
        "{:<10} {:>14} {:>14} {:>8}",
        "round", "baseline per s", "this per s", "ratio"
    );
    let mut ratios = Vec::new();
    for round in 1..=options.rounds {
        // Neither always has the machine as the other left it.
        let (ours, theirs) = match round % 2 {
            0 => {
                let ours = book(&mut our_buyers, time).await?;
                (ours, book(&mut their_buyers, time).await?)
            }
            _ => {
                let theirs = book(&mut their_buyers, time).await?;
                (book(&mut our_buyers, time).await?, theirs)
            }
        };
        let (ours, theirs) = (ours.per_second(), theirs.per_second());
        println!("{round:<10} {theirs:>14.0} {ours:>14.0} {:>8.3}", ours / theirs);
        ratios.push(ours / theirs);
    }
    ratios.sort_by(f64::total_cmp);
    let middle = ratios.get(ratios.len() / 2).copied().unwrap_or_default();
    let (least, most) = (ratios.first().copied(), ratios.last().copied());
    println!(
        "\nof the baseline, median of the rounds: {middle:.3} ({:.3} to {:.3})",
        least.unwrap_or_default(),
        most.unwrap_or_default()
    );
    prove(ours).await?;
    prove(theirs).await
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
    let one = book(&mut one_wallet, time).await?;
    let many = book(&mut wallets, time).await?;
    let whole = run(&mut one_wallet, time, async |buyer| {
        buyer.orders = buyer.client.orders(1).await?;
        next(buyer).await
    })
    .await?;
    let after = pgbench.per_second(options.clients, time).await?;
    let lone = cost(installation, one_wallet.get_mut(..1).unwrap_or_default()).await?;
    let crowd = cost(installation, &mut one_wallet).await?;

    let baseline = f64::midpoint(before, after);
    let clients = options.clients;
    println!(
        "{clients} clients, {} s each; pgbench: scale 1, simple protocol, same server",
        options.seconds
    );
    println!("pgbench: {before:.0} tps before, {after:.0} after, mean {baseline:.0}\n");
    println!(
        "{:<44} {:>7} {:>7} {:>7} {:>7} {:>11}",
        "", "per s", "p50 ms", "p95 ms", "p99 ms", "of pgbench"
    );
    line("book what was priced before, 1 wallet", &one, baseline);
    line(
        &format!("book what was priced before, {clients} wallets"),
        &many,
        baseline,
    );
    line("search, price and book, 1 wallet", &whole, baseline);
    println!(
        "\n{:<44} {:>10} {:>12} {:>15}",
        "for each booking", "statements", "transactions", "writing commits"
    );
    for (who, (cost, bookings)) in [("a lone client", lone), ("all clients, 1 wallet", crowd)] {
        let each = |number: u64| per(number, bookings);
        let Cost {
            statements,
            transactions,
            commits,
        } = cost;
        println!(
            "{who:<44} {:>10.2} {:>12.2} {:>15.2}",
            each(statements),
            each(transactions),
            each(commits)
        );
    }
    prove(installation).await
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
    Ok((0..count)
        .map(|_| Buyer {
            client: admin.beside(),
            orders: Vec::new(),
        })
        .collect())
}

async fn buyers_with_wallets(installation: &Installation, count: usize) -> Result<Vec<Buyer>> {
    let mut buyers = Vec::new();
    for number in 1..=count {
        let client = installation.agent(&format!("agent{number}"), MONEY).await?;
        buyers.push(Buyer {
            client,
            orders: Vec::new(),
        });
    }
    Ok(buyers)
}

/// Books for a moment, which tells how many orders each buyer needs; prices those, then books for the time.
async fn book(buyers: &mut [Buyer], time: Duration) -> Result<Load> {
    price(buyers, WARM_UP_ORDERS).await?;
    let warm_up = run(buyers, WARM_UP, next).await?;
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small positive number"
    )]
    let expected = (warm_up.per_second() * RESERVE * time.as_secs_f64()).ceil() as usize;
    price(buyers, expected.div_ceil(buyers.len())).await?;
    run(buyers, time, next).await
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
    let Some(order) = buyer.orders.pop() else {
        return Ok(Turn::Over);
    };
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
    println!(
        "\nledger verify: {}",
        proof.split_whitespace().collect::<Vec<_>>().join(" ")
    );
    println!("{bookings} bookings are confirmed, {orders} orders stand at the supplier");
    match orders == bookings {
        true => Ok(()),
        false => Err("orders and bookings do not agree".into()),
    }
}
