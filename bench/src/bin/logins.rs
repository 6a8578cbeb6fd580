//! What a flood of wrong log-ins costs everybody else: the calls of one calm client without it and in it.
#![allow(clippy::float_arithmetic, reason = "rates and ratios are no money and need no digits")]

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use clap::Parser;
use reqwest::StatusCode;
use tokio::try_join;
use wayfare_bench::{Client, Guesser, Installation, Load, Place, Result, Turn, at_most, run};

/// What the calm client asks, in turns.
const CALLS: [&str; 4] =
    ["GET /health/live", "GET /api/v1/me", "GET /api/v1/wallet", "POST /api/v1/flights/search"];
/// How long the calm client rests after each call.
const REST: Duration = Duration::from_millis(10);
/// How long it asks before anything is measured.
const WARM_UP: Duration = Duration::from_secs(2);
/// How much slower half of the others' calls may become.
const SLOWER: f64 = 2.0;
/// How many megabytes more the server may take.
const MEGABYTES: f64 = 300.0;

/// Measures what a flood of wrong log-ins costs everybody else
#[derive(Parser)]
struct Options {
    /// How long the calm client asks, without the flood and in it
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// How many clients send wrong log-ins without pause
    #[arg(long, default_value_t = 200)]
    clients: usize,
    #[command(flatten)]
    place: Place,
}

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    let compare = async |installation: &Installation| compare(installation, &options).await;
    wayfare_bench::ended("logins", options.place.measure(compare).await)
}

/// Somebody of the flood.
struct Attacker {
    guesser: Guesser,
    /// How long it took to be told that there are too many.
    refused: Vec<Duration>,
}

fn attacker(guesser: Guesser) -> Attacker {
    Attacker { guesser, refused: Vec::new() }
}

async fn compare(installation: &Installation, options: &Options) -> Result<()> {
    let time = Duration::from_secs(options.seconds);
    let calm = installation.admin().await?;
    let memory = installation.memory()?;
    let half = options.clients / 2;
    let mut names: Vec<Attacker> = (0..half).map(|_| attacker(installation.guesser_of_a_name())).collect();
    let mut passwords = Vec::new();
    for _ in half..options.clients {
        passwords.push(attacker(installation.guesser_of_a_password()?));
    }

    ask(&calm, WARM_UP).await?;
    let idle = ask(&calm, time).await?;
    let before = memory.now()?;
    let (by_name, by_password, flooded, peak) = try_join!(
        run(&mut names, time, guess),
        run(&mut passwords, time, guess),
        ask(&calm, time),
        memory.peak(time),
    )?;
    tokio::time::sleep(WARM_UP).await;
    let after = memory.now()?;

    println!("one calm client, {} s each; {} clients send wrong log-ins\n", options.seconds, options.clients);
    println!(
        "{:<30} {:>11} {:>11} {:>11} {:>11} {:>9}",
        "", "idle p50 ms", "idle p99 ms", "p50 ms", "p99 ms", "p50 ratio"
    );
    let mut worst = 0.0_f64;
    for ((call, idle), flooded) in CALLS.iter().zip(&idle).zip(&flooded) {
        let ratio = flooded.percentile(50) / idle.percentile(50);
        worst = worst.max(ratio);
        println!(
            "{call:<30} {:>11.2} {:>11.2} {:>11.2} {:>11.2} {ratio:>8.2}×",
            idle.percentile(50),
            idle.percentile(99),
            flooded.percentile(50),
            flooded.percentile(99),
        );
    }

    let answered = by_name.per_second() + by_password.per_second();
    println!("\nlog-ins answered: {answered:.0} per second");
    for (who, load) in [("unknown user", &by_name), ("wrong password", &by_password)] {
        let [half, nearly_all] = [50, 99].map(|percent| load.percentile(percent));
        println!("{who:<30} p50 {half:.0} ms, p99 {nearly_all:.0} ms");
    }
    let refused: Vec<Duration> =
        [names, passwords].into_iter().flatten().flat_map(|attacker| attacker.refused).collect();
    let refused = Load::new(refused, time);
    println!("log-ins refused: {:.0} per second, p50 {:.1} ms", refused.per_second(), refused.percentile(50));
    println!("memory of the server: {before:.0} MB before, {peak:.0} MB at most, {after:.0} MB after\n");

    let growth = peak - before;
    at_most("p50 of others in a flood of log-ins ÷ idle", worst, SLOWER);
    at_most("memory of a flood of log-ins, MB", growth, MEGABYTES);
    Ok(())
}

/// Lets the calm client ask for this time; how long each kind of call took.
async fn ask(client: &Client, time: Duration) -> Result<[Load; 4]> {
    let begun = Instant::now();
    let mut took: [Vec<Duration>; 4] = Default::default();
    while begun.elapsed() < time {
        for (call, took) in took.iter_mut().enumerate() {
            let started = Instant::now();
            match call {
                0 => client.live().await?,
                1 => client.get("/me").await?,
                2 => client.get("/wallet").await?,
                _ => client.search().await.map(drop)?,
            }
            took.push(started.elapsed());
            tokio::time::sleep(REST).await;
        }
    }
    Ok(took.map(|took| Load::new(took, begun.elapsed())))
}

async fn guess(attacker: &mut Attacker) -> Result<Turn> {
    let started = Instant::now();
    match attacker.guesser.guess().await? {
        StatusCode::UNAUTHORIZED => Ok(Turn::Done),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            attacker.refused.push(started.elapsed());
            Ok(Turn::Uncounted)
        }
        status => Err(format!("a wrong log-in was answered with {status}").into()),
    }
}
