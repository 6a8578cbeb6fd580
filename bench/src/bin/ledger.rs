//! Debits per second from one hot wallet: the committer of the service beside the textbook's transaction and beside the
//! same rows in one statement, on one PostgreSQL that loses nothing, in one run.
#![allow(clippy::float_arithmetic, reason = "rates and ratios are no money and need no digits")]

use std::{env, path::PathBuf, process::ExitCode, time::Duration};

use clap::Parser;
use wayfare_bench::{
    Load, Result, Turn, at_least, at_most,
    ledger::{Baseline, Books, Debit, Ours, WALLETS},
    run,
};

/// Measures debits per second
#[derive(Parser)]
struct Options {
    /// How long each measurement goes on
    #[arg(long, default_value_t = 8)]
    seconds: u64,
    /// How many callers at once
    #[arg(long, default_value_t = 64)]
    callers: usize,
    /// How often all of it is measured; the figures are of all rounds together
    #[arg(long, default_value_t = 2)]
    rounds: usize,
    /// A folder on a disk, for the data
    #[arg(long, default_value_os_t = env::temp_dir())]
    place: PathBuf,
}

#[tokio::main]
async fn main() -> ExitCode {
    wayfare_bench::ended("ledger", measure(&Options::parse()).await)
}

async fn measure(options: &Options) -> Result<()> {
    let books = Books::start(&options.place).await?;
    let compared = compare(&books, options).await;
    compared.and(books.stop().await)
}

async fn compare(books: &Books, options: &Options) -> Result<()> {
    let textbook = Baseline::textbook(books).await?;
    let statement = Baseline::one_statement(books).await?;
    let ours = Ours::new(books).await?;
    println!(
        "{} callers, {} s for each figure, {} rounds; pools of {} connections; PostgreSQL {} with fsync {} and \
         synchronous_commit {}\n",
        options.callers,
        options.seconds,
        options.rounds,
        wayfare_bench::ledger::CONNECTIONS,
        books.setting("server_version").await?,
        books.setting("fsync").await?,
        books.setting("synchronous_commit").await?,
    );
    println!(
        "{:<22} {:<26} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "", "", "per s", "p50 ms", "p95 ms", "p99 ms", "of (a)", "of (b)"
    );
    warm_up(&textbook, options).await?;
    warm_up(&statement, options).await?;
    warm_up(&ours, options).await?;
    books.look_at_tables().await?;
    for (what, callers, wallets) in [
        ("one wallet", options.callers, 1),
        ("10,000 wallets", options.callers, WALLETS),
        ("one wallet, one caller", 1, 1),
    ] {
        let mut loads = [const { Vec::new() }; 3];
        for _ in 0..options.rounds {
            let [a, b, c] = &mut loads;
            a.push(load(&textbook, callers, wallets, options).await?);
            b.push(load(&statement, callers, wallets, options).await?);
            c.push(load(&ours, callers, wallets, options).await?);
        }
        let [a, b, c] = loads.map(Load::together);
        for (name, load) in
            [("(a) textbook transaction", &a), ("(b) one statement", &b), ("(c) the service's committer", &c)]
        {
            line(what, name, load, &a, &b);
        }
        let [of_a, of_b] = [&a, &b].map(|other| c.per_second() / other.per_second());
        let slower = c.percentile(50) / b.percentile(50);
        println!(
            "{what}: (c) does {of_a:.2} × (a), {of_b:.2} × (b); its median takes {slower:.2} × that of (b)\n"
        );
        match (callers, wallets) {
            (1, 1) => at_most("a lone caller's debit ÷ one statement, medians", slower, 1.3),
            (_, 1) => {
                at_least("debits from one wallet ÷ the textbook's transaction", of_a, 10.0);
                at_least("debits from one wallet ÷ one statement", of_b, 4.0);
                at_most("debits from one wallet, p99 in ms", c.percentile(99), 20.0);
            }
            _ => at_least("debits from many wallets ÷ one statement", of_b, 1.0),
        }
    }
    ours.prove().await
}

/// Fills the tables a little, on all connections.
async fn warm_up(by: &impl Debit, options: &Options) -> Result<()> {
    debits(by, options.callers, WALLETS, Duration::from_secs(1)).await.map(drop)
}

/// What callers do in the measured time.
async fn load(by: &impl Debit, callers: usize, wallets: usize, options: &Options) -> Result<Load> {
    debits(by, callers, wallets, Duration::from_millis(500)).await?;
    debits(by, callers, wallets, Duration::from_secs(options.seconds)).await
}

/// Callers who debit without pause, each the next wallet in turn.
async fn debits(by: &impl Debit, callers: usize, wallets: usize, time: Duration) -> Result<Load> {
    // Places of the callers are far apart, so that those of many wallets don't meet.
    let mut next: Vec<usize> = (0..callers).map(|caller| caller * (WALLETS / callers)).collect();
    let debit = async |next: &mut usize| {
        *next += 1;
        by.debit(*next % wallets).await.map(|()| Turn::Done)
    };
    run(&mut next, time, debit).await
}

fn line(what: &str, name: &str, load: &Load, a: &Load, b: &Load) {
    let [half, most, nearly_all] = [50, 95, 99].map(|percent| load.percentile(percent));
    let rate = load.per_second();
    let [of_a, of_b] = [a, b].map(|other| rate / other.per_second());
    println!(
        "{what:<22} {name:<26} {rate:>8.0} {half:>8.2} {most:>8.2} {nearly_all:>8.2} {of_a:>7.2}× {of_b:>7.2}×"
    );
}
