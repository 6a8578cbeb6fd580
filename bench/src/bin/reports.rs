//! What a report over a year of a large wallet costs: its time, and the server's memory while it is made and fetched.
#![allow(clippy::float_arithmetic, reason = "times and megabytes are no money and need no digits")]

use std::{process::ExitCode, time::Instant};

use chrono::Days;
use clap::Parser;
use wayfare_bench::{Installation, Place, Result, at_most, fill_wallet};
use wayfare_domain::Clock;

/// How many megabytes more making or fetching a report may take, however many rows it has.
const MEGABYTES: f64 = 50.0;
/// A report's longest period reaches so many days back.
const DAYS: u64 = 365;

/// Measures a report over a large wallet
#[derive(Parser)]
struct Options {
    /// How many transactions the wallet has, over 400 days
    #[arg(long, default_value_t = 1_100_000)]
    transactions: u32,
    #[command(flatten)]
    place: Place,
}

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    let work = async |installation: &Installation| measure(installation, &options).await;
    wayfare_bench::ended("reports", options.place.measure(work).await)
}

async fn measure(installation: &Installation, options: &Options) -> Result<()> {
    fill_wallet(installation, options.transactions).await?;
    let admin = installation.admin().await?;
    let memory = installation.memory()?;
    let today = Clock::system().now().date_naive();
    let first = today.checked_sub_days(Days::new(DAYS)).ok_or("no such day")?;

    let before = memory.now()?;
    let begun = Instant::now();
    let (file, peak) = memory.peak_during(admin.report(first, today)).await?;
    let made = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let (lines, fetching) = memory.peak_during(admin.download(&file)).await?;
    let fetched = begun.elapsed().as_secs_f64();

    println!(
        "a report of {} rows: made in {made:.1} s, up to a second of it until it is begun, and fetched in {fetched:.1} s; \
         memory of the server {before:.0} MB before, {peak:.0} MB at most while it was made, {fetching:.0} MB while it \
         was fetched",
        lines.saturating_sub(1)
    );
    at_most("memory of a report over a year, MB", peak.max(fetching) - before, MEGABYTES);
    Ok(())
}
