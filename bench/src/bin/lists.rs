//! What lists, summary and export of a wallet with a million transactions cost, as ratios to its first page.
#![allow(clippy::float_arithmetic, reason = "times and ratios are no money and need no digits")]

use std::{process::ExitCode, time::Instant};

use chrono::Days;
use clap::Parser;
use wayfare_bench::{
    Client, CoreTime, Installation, Load, Memory, Place, Result, at_most, fill_wallet, timed,
};
use wayfare_domain::Clock;

/// How much dearer than the first page the last one may be.
const DEARER: f64 = 1.5;
/// A search for a word of most transactions, and how much slower than all debits it may be.
const COMMON: &str = "search=booking";
const SLOWER: f64 = 2.0;
/// How many milliseconds a search may take that finds a thousand or fewer.
const RARE: f64 = 100.0;
/// How many megabytes more an export may take.
const MEGABYTES: f64 = 50.0;

/// Measures the lists of a large wallet
#[derive(Parser)]
struct Options {
    /// How many transactions the wallet has
    #[arg(long, default_value_t = 1_000_000)]
    transactions: u32,
    /// How often each list is asked for; the figure is the median
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    #[command(flatten)]
    place: Place,
}

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    let work = async |installation: &Installation| measure(installation, &options).await;
    wayfare_bench::ended("lists", options.place.measure(work).await)
}

async fn measure(installation: &Installation, options: &Options) -> Result<()> {
    let begun = Instant::now();
    fill_wallet(installation, options.transactions).await?;
    println!(
        "{} transactions of one wallet over 400 days, written in {:.0} s; medians of {} requests\n",
        options.transactions,
        begun.elapsed().as_secs_f64(),
        options.rounds
    );
    let admin = installation.admin().await?;
    let first = take(installation, &admin, "/org/wallet/transactions?per_page=100", options).await?;
    line("page 1, unfiltered (100 rows)", first, first);
    let last = format!("/org/wallet/transactions?per_page=100&page={}", options.transactions / 100);
    let last = take(installation, &admin, &last, options).await?;
    line("the last full page", last, first);
    let mut lists_taken = Vec::new();
    for (name, query) in lists(options.transactions)? {
        let path = format!("/org/wallet/transactions?per_page=100&{query}");
        let taken = take(installation, &admin, &path, options).await?;
        line(&name, taken, first);
        lists_taken.push((name, taken.median));
    }
    for (name, path) in [("summary", "/org/wallet/summary"), ("agents", "/org/wallet/agents")] {
        line(name, take(installation, &admin, path, options).await?, first);
    }
    println!();
    let memory = installation.memory()?;
    let mut growth = 0.0_f64;
    for (name, query) in [("export of all", ""), ("export of type=debit", "type=debit")] {
        growth = growth.max(export(&admin, memory, name, query).await?);
    }
    println!();
    at_most(
        "the last page of a wallet with a million transactions ÷ its first",
        last.median / first.median,
        DEARER,
    );
    let debits = lists_taken.iter().find(|(name, _)| name == "type=debit");
    let debits = debits.map_or(f64::NAN, |(_, median)| *median);
    for (name, median) in lists_taken.iter().filter(|(name, _)| name.starts_with("search=")) {
        match name.as_str() {
            COMMON => at_most(&format!("{name} ÷ type=debit"), median / debits, SLOWER),
            _ => at_most(&format!("{name}, ms"), *median, RARE),
        }
    }
    at_most("memory of an export of a million transactions, MB", growth, MEGABYTES);
    Ok(())
}

/// What is asked for besides the first and the last page.
fn lists(transactions: u32) -> Result<Vec<(String, String)>> {
    let today = Clock::system().now().date_naive();
    let ago = |days| today.checked_sub_days(Days::new(days)).ok_or("no such day");
    let (month, day) = (ago(230)?, ago(200)?);
    let queries = [
        "type=credit".to_owned(),
        "type=debit".to_owned(),
        format!("type=debit&page={}", transactions / 200),
        "ref_type=refund".to_owned(),
        "ref_type=topup".to_owned(),
        "ref_type=deduction".to_owned(),
        format!("from={day}&to={day}"),
        format!("from={month}&to={day}"),
        format!("from={month}&to={day}&type=credit&min_amount=500"),
        "min_amount=999".to_owned(),
        "max_amount=500".to_owned(),
        format!("from={month}&to={day}&search=FA-004"),
        // A whole reference; a part of 900; a word of most.
        format!("search=FA-{:08}", transactions / 2 + 1),
        "search=FA-00100".to_owned(),
        COMMON.to_owned(),
    ];
    let dates = |query: &str| {
        query
            .replace(&format!("from={month}&to={day}"), "one month")
            .replace(&format!("from={day}&to={day}"), "one day")
    };
    Ok(queries.into_iter().map(|query| (dates(&query), query)).collect())
}

/// What a list takes, in milliseconds.
#[derive(Clone, Copy)]
struct Taken {
    /// Half of the requests take less.
    median: f64,
    /// Of a core, for each: the server and PostgreSQL.
    cores: [f64; 2],
}

async fn take(installation: &Installation, client: &Client, path: &str, options: &Options) -> Result<Taken> {
    // Plans are kept from the sixth time on.
    for _ in 0..6 {
        client.get(path).await?;
    }
    let before = CoreTime::until_now(installation)?;
    let begun = Instant::now();
    let mut took = Vec::with_capacity(options.rounds);
    for _ in 0..options.rounds {
        took.push(timed(client.get(path)).await?);
    }
    let [server, postgres, ..] = before.since(installation)?.of_each(options.rounds);
    Ok(Taken { median: Load::new(took, begun.elapsed()).percentile(50), cores: [server, postgres] })
}

fn line(name: &str, taken: Taken, first: Taken) {
    let [server, postgres] = taken.cores;
    println!(
        "{name:<48} {:>9.2} ms {:>9.2}×; of a core: server {server:>7.2}, PostgreSQL {postgres:>8.2} ms",
        taken.median,
        taken.median / first.median
    );
}

/// Exports, and says how many rows came a second; how much more memory the server had meanwhile.
async fn export(client: &Client, memory: Memory, name: &str, query: &str) -> Result<f64> {
    let before = memory.now()?;
    let begun = Instant::now();
    let path = format!("/org/wallet/transactions/export?{query}");
    let (lines, peak) = memory.peak_during(client.download(&path)).await?;
    let seconds = begun.elapsed().as_secs_f64();
    let rows = lines.saturating_sub(1);
    #[allow(clippy::cast_precision_loss, reason = "a rate")]
    let rate = rows as f64 / seconds;
    println!(
        "{name:<24} {rows} rows in {seconds:.1} s: {rate:.0} per second; memory of the server {before:.0} MB before, \
         {peak:.0} MB at most"
    );
    Ok(peak - before)
}
