//! How long `GET /airports`, `GET /airlines` and `GET /hotels/cities` take over HTTP while somebody types, beside calls
//! that do nothing.
#![allow(clippy::float_arithmetic, reason = "times are no money and need no digits")]

use std::{process::ExitCode, time::Duration};

use clap::Parser;
use wayfare_bench::{Client, Installation, Load, Place, Result, at_most, timed};

/// How many milliseconds airports may take at p99.
const ALLOWED: f64 = 2.0;
/// What is typed, letter by letter: places that many names begin like, codes, and nothing that there is.
const TYPED: [&str; 8] = ["mumbai", "saint-denis", "new york", "london", "lhr", "air india", "al", "xyzzy"];

/// Measures places and airlines as they are typed
#[derive(Parser)]
struct Options {
    /// How often each text is typed
    #[arg(long, default_value_t = 100)]
    rounds: u16,
    #[command(flatten)]
    place: Place,
}

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    let work =
        async |installation: &Installation| measure(&installation.admin().await?, options.rounds).await;
    wayfare_bench::ended("places", options.place.measure(work).await)
}

async fn measure(client: &Client, rounds: u16) -> Result<()> {
    let names = ["/airports", "/airlines", "/hotels/cities"];
    let (mut live, mut me) = (Vec::new(), Vec::new());
    let mut found: [Vec<Duration>; 3] = names.map(|_| Vec::new());
    // In turns, so that what else the machine does falls on each of them alike.
    for round in 0..=rounds {
        for typed in TYPED.iter().flat_map(|text| beginnings(text)) {
            let (of_live, of_me) = (timed(client.live()).await?, timed(client.get("/me")).await?);
            let typed = typed.replace(' ', "%20");
            let mut of_names = Vec::new();
            for name in names {
                of_names.push(timed(client.get(&format!("{name}?q={typed}"))).await?);
            }
            // The first round warms up.
            if round > 0 {
                live.push(of_live);
                me.push(of_me);
                for (found, took) in found.iter_mut().zip(of_names) {
                    found.push(took);
                }
            }
        }
    }
    println!("| ms | p50 | p99 | the most |\n| --- | --- | --- | --- |");
    tell("`GET /health/live`, the baseline", live);
    tell("`GET /me`, which proves who asks and does nothing else", me);
    let mut slowest = 0.0;
    for (name, took) in names.into_iter().zip(found) {
        let load = tell(&format!("`GET {name}`"), took);
        if name == "/airports" {
            slowest = load.percentile(99);
        }
    }
    println!();
    at_most("`GET /airports`, p99 in ms", slowest, ALLOWED);
    Ok(())
}

/// The text as it is after each letter.
fn beginnings(text: &str) -> impl Iterator<Item = &str> {
    (1..=text.len()).filter_map(|end| text.get(..end))
}

fn tell(name: &str, took: Vec<Duration>) -> Load {
    let load = Load::new(took, Duration::ZERO);
    println!(
        "| {name} | {:.2} | {:.2} | {:.2} |",
        load.percentile(50),
        load.percentile(99),
        load.percentile(100)
    );
    load
}
