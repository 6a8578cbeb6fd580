//! What the server adds to a search that finds 2,000 hotels with 20,000 rates, what it keeps of it, how fast its pages are
//! cut, and how fast cities are found while somebody types.
#![allow(clippy::float_arithmetic, reason = "rates and ratios are no money and need no digits")]

use std::{process::ExitCode, time::Duration};

use clap::Parser;
use mimalloc::MiMalloc;
use wayfare_bench::{
    CoreTime, Installation, Load, Place, Result, at_most,
    hotels::{Costs, Cut, HOTELS, RATES, Recording, Searcher, StubSupplier, record},
};

/// As in the server.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Pages of a search, 20 hotels each.
const PAGES: u32 = 100;
/// How pages are cut: as the search found them, and by each sort and filters.
const CUTS: [Cut; 6] = [
    cut("as found", "{}"),
    cut("by price", r#"{"sort":{"field":"price"}}"#),
    cut("by stars, most first", r#"{"sort":{"field":"star_rating","order":"desc"}}"#),
    cut("by name", r#"{"sort":{"field":"name"}}"#),
    cut("refundable only, by price", r#"{"filters":{"refundable_only":true},"sort":{"field":"price"}}"#),
    cut(
        "with two amenities, by price",
        r#"{"filters":{"amenities":["number 1","Number 2"]},"sort":{"field":"price"}}"#,
    ),
];
const fn cut(name: &'static str, with: &'static str) -> Cut {
    Cut { name, with }
}

/// What is typed, letter by letter, with the names of large cities and of none.
const TYPED: [&str; 8] = ["mumbai", "saint-denis", "new york", "london", "दिल्ली", "são paulo", "al", "xyzzy"];

/// Measures searches of hotels
#[derive(Parser)]
struct Options {
    /// How many searches of their own names; as many as are kept fit about ten
    #[arg(long, default_value_t = 20)]
    searches: u16,
    /// How often all pages of a search are turned, for each way to cut them
    #[arg(long, default_value_t = 3)]
    rounds: u16,
    #[command(flatten)]
    place: Place,
}

#[tokio::main]
async fn main() -> ExitCode {
    wayfare_bench::ended("hotels", measure(&Options::parse()).await)
}

async fn measure(options: &Options) -> Result<()> {
    let recording = record().await?;
    println!("{HOTELS} hotels, {RATES} rates, {} kB", recording.body.len() / 1000);
    let supplier = StubSupplier::start(recording.clone()).await?;
    let floor = tell_costs(&recording, &supplier).await?;
    let work = async |installation: &Installation| {
        let searcher = Searcher::of(installation).await?;
        searches(installation, &searcher, &supplier, floor, options).await?;
        pages(&searcher, options).await?;
        cities(&searcher, options).await
    };
    options.place.measure_with(&supplier.settings(), work).await
}

/// Tells what the parts cost; how long `serde_json` takes to read the same bytes.
async fn tell_costs(recording: &Recording, supplier: &StubSupplier) -> Result<Duration> {
    let costs = Costs::of(recording, supplier).await?;
    println!("\n| in one process | ms of a core | ÷ the floor |\n| --- | --- | --- |");
    for (name, took) in [
        ("the floor: `serde_json` reads the same bytes", costs.floor),
        ("read", costs.read),
        ("price", costs.price),
        ("write for others", costs.share),
    ] {
        let ratio = took.as_secs_f64() / costs.floor.as_secs_f64();
        println!("| {name} | {:.1} | {ratio:.2} |", milliseconds(took));
    }
    println!("{} kB as others read it", costs.shared / 1000);
    Ok(costs.floor)
}

/// Whole searches beside the supplier's answer fetched and thrown away, in turns; and the memory that they take.
async fn searches(
    installation: &Installation,
    searcher: &Searcher,
    supplier: &StubSupplier,
    floor: Duration,
    options: &Options,
) -> Result<()> {
    // What the hotels are is asked once a day.
    let (first, body) = searcher.page("first", 1, CUTS[0]).await?;
    if !body.contains(&format!("\"total_results\":{HOTELS},")) {
        return Err(format!("not {HOTELS} hotels: {body:.300}").into());
    }
    let memory = installation.memory()?;
    let before = memory.now()?;
    let (mut took, mut fetched, mut added) = (Vec::new(), Vec::new(), Vec::new());
    let (mut live_idle, mut live_meanwhile) = (Vec::new(), Vec::new());
    let mut sizes = Vec::new();
    let mut server = Duration::ZERO;
    for number in 0..options.searches {
        let begun = std::time::Instant::now();
        supplier.fetch().await?;
        let baseline = begun.elapsed();
        for _ in 0..5 {
            live_idle.push(searcher.live().await?);
        }
        let name = format!("search {number}");
        let before = CoreTime::until_now(installation)?;
        let (search, _) =
            with_others(searcher.page(&name, 1, CUTS[0]), searcher, &mut live_meanwhile).await?;
        server += before.since(installation)?.server;
        took.push(search);
        fetched.push(baseline);
        added.push(search.saturating_sub(baseline));
        sizes.push(memory.now()?);
    }
    println!("\n| ms | p50 | p99, the most |\n| --- | --- | --- |");
    println!("| the first search, which asks what the hotels are | {:.1} | |", milliseconds(first));
    tell("the supplier's answer, fetched and thrown away", fetched);
    tell("the search, page 1 of 20", took);
    tell("added by us", added);
    tell("`/health/live`, nothing else asked", live_idle);
    tell("`/health/live`, while a search is made", live_meanwhile);
    println!("memory after each search, MB, {before:.0} before: {sizes:.0?}");
    let each = server / u32::from(options.searches.max(1));
    println!("the server's time on a core for a search: {:.0} ms", milliseconds(each));
    let ratio = each.as_secs_f64() / floor.as_secs_f64();
    at_most("a search of 2,000 hotels ÷ serde_json reading the same bytes", ratio, 2.0);
    Ok(())
}

/// The work's end, and how long a call that needs nothing took each time while it was done.
async fn with_others<T>(
    work: impl Future<Output = Result<T>>,
    searcher: &Searcher,
    took: &mut Vec<Duration>,
) -> Result<T> {
    let calls = async {
        loop {
            took.push(searcher.live().await?);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        done = work => done,
        failed = calls => failed,
    }
}

/// All pages of a search that is kept, one after the other.
async fn pages(searcher: &Searcher, options: &Options) -> Result<()> {
    println!("\n| ms for a page of 20 hotels | p50 | p99 |\n| --- | --- | --- |");
    let mut took = Vec::new();
    for _ in 0..PAGES * u32::from(options.rounds) {
        took.push(searcher.me().await?);
    }
    tell("`GET /me`, the baseline", took);
    for cut in CUTS {
        let (first, _) = searcher.page("pages", 1, cut).await?;
        let mut took = Vec::new();
        let mut bytes = 0;
        for _ in 0..options.rounds {
            for page in 2..=PAGES {
                let (page, body) = searcher.page("pages", page, cut).await?;
                bytes = bytes.max(body.len());
                took.push(page);
            }
        }
        tell(&format!("{}, {} kB (page 1: {:.1})", cut.name, bytes / 1000, milliseconds(first)), took);
    }
    Ok(())
}

async fn cities(searcher: &Searcher, options: &Options) -> Result<()> {
    println!("\n| ms | p50 | p99 |\n| --- | --- | --- |");
    let (mut live, mut me, mut cities) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..options.rounds * 10 {
        for name in TYPED {
            let ends = name.char_indices().map(|(start, letter)| start + letter.len_utf8());
            for typed in ends.filter_map(|end| name.get(..end)) {
                live.push(searcher.live().await?);
                me.push(searcher.me().await?);
                cities.push(searcher.cities(typed).await?);
            }
        }
    }
    tell("`GET /health/live`", live);
    tell("`GET /me`", me);
    tell("`GET /hotels/cities`", cities);
    Ok(())
}

fn tell(name: &str, took: Vec<Duration>) {
    let load = Load::new(took, Duration::ZERO);
    println!("| {name} | {:.2} | {:.2} |", load.percentile(50), load.percentile(99));
}

fn milliseconds(took: Duration) -> f64 {
    took.as_secs_f64() * 1000.0
}
