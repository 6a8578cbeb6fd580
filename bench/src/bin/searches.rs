//! What the server adds to searches over ten suppliers that take their time: alone and at half of what it can do at
//! most, beside a relay that asks the same suppliers and only sends.
#![allow(clippy::float_arithmetic, reason = "rates and ratios are no money and need no digits")]

use std::{alloc::System, process::ExitCode, sync::Arc, time::Duration};

use clap::{Parser, Subcommand};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use wayfare_bench::{
    Installation, Load, Place, Processor, Result, at_least, at_most, count,
    searches::{
        Cost, Costs, Kind, RelayArgs, RelayProcess, Searcher, StubSuppliers, Traffic, Wire, alone, at_rate,
        compare_codings, record, relay,
    },
};

/// Counts what [`Costs`] are made of.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Searches before anything is measured.
const WARM_UP: usize = 10;
/// The rate at which the search for the highest one begins, and how it goes on.
const FIRST_RATE: f64 = 2.0;
const STEP: f64 = 1.5;
/// Latency has run away when half of the searches take so many times as long as alone.
const RUN_AWAY: f64 = 10.0;
/// What is still under way ends before the next measurement.
const REST: Duration = Duration::from_secs(2);
/// How much longer than the relay's may be the time from the last supplier's last byte to ours, at p99.
const ANSWER: f64 = 2.5;
/// How much longer the time from the first supplier's last byte to the end of the first event, at p50.
const FIRST_EVENT: f64 = 3.0;

#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Program {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Is the baseline, of which the benchmark starts one
    #[command(hide = true)]
    Relay(RelayArgs),
}

/// Measures searches over suppliers that take their time
#[derive(clap::Args)]
struct Options {
    /// How many searches one after the other; a server keeps no more than 200 of a thousand offers
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u16).range(1..=180))]
    searches: u16,
    /// How long each rate of the search for the highest one is held
    #[arg(long, default_value_t = 6)]
    step_seconds: u64,
    /// How long half of the highest rate is held
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// How many streams at once are coded
    #[arg(long, default_value_t = 1000)]
    streams: usize,
    #[command(flatten)]
    place: Place,
}

#[tokio::main]
async fn main() -> ExitCode {
    let program = Program::parse();
    let done = match program.command {
        Some(Command::Relay(arguments)) => relay(arguments).await,
        None => measure(&program.options).await,
    };
    wayfare_bench::ended("searches", done)
}

async fn measure(options: &Options) -> Result<()> {
    let recordings = record().await?;
    let costs = [Wire::Duffel, Wire::TripJack].map(|wire| Costs::of(&recordings, wire));
    let suppliers = StubSuppliers::start(&recordings).await?;
    let offers = recordings.iter().map(|recording| recording.offers).sum();
    let bytes: usize = recordings.iter().map(|recording| recording.body.len()).sum();
    println!("{} suppliers, 200 to 700 ms; {offers} offers in {} kB", recordings.len(), bytes / 1000);
    let settings = suppliers.settings();
    let work = async |installation: &Installation| compare(installation, &suppliers, offers, options).await;
    options.place.measure_with(&settings, work).await?;
    println!(
        "\n| per offer, reading, pricing and printing | allocations | bytes | kept bytes |\n| --- | --- | --- | --- |"
    );
    for (wire, costs) in [Wire::Duffel, Wire::TripJack].into_iter().zip(costs) {
        tell_costs(wire, costs?);
    }
    Ok(())
}

/// A server that is measured.
struct Server {
    searcher: Arc<Searcher>,
    processor: Processor,
    /// The length of an answer to a search of this kind.
    bytes: usize,
}

async fn compare(
    installation: &Installation,
    suppliers: &StubSuppliers,
    offers: usize,
    options: &Options,
) -> Result<()> {
    let mut lines = Vec::new();
    let mut costs = Vec::new();
    let (mut aims, mut rates) = (Vec::new(), Vec::new());
    for kind in [Kind::Answer, Kind::Events] {
        // Anew for each, since tokens end.
        let searcher = Searcher::of(installation, suppliers).await?;
        let bytes = searcher.check(kind, offers).await?.bytes;
        let answer = searcher.check(Kind::Answer, offers).await?.bytes;
        let relay = RelayProcess::start(suppliers, answer, answer).await?;
        let theirs = relay.searcher(suppliers)?;
        let sent = theirs.search(kind).await?.bytes;
        println!("{kind:?}: {} kB, {} kB by the relay", bytes / 1000, sent / 1000);
        let [ours, theirs] =
            [(searcher, installation.processor()?, bytes), (theirs, relay.processor()?, sent)].map(
                |(searcher, processor, bytes)| Server { searcher: Arc::new(searcher), processor, bytes },
            );

        for server in [&ours, &theirs] {
            alone(&server.searcher, kind, WARM_UP).await?;
        }
        let memory = installation.memory()?;
        let before = memory.now()?;
        let mine = alone(&ours.searcher, kind, options.searches.into()).await?.complete(ours.bytes)?;
        let growth = memory.now()? - before;
        let theirs_alone = alone(&theirs.searcher, kind, options.searches.into()).await?;
        lines.push(line(kind, "alone", &mine, &theirs_alone));
        aims.push(aim(kind, "alone", &mine, &theirs_alone));
        if kind == Kind::Answer {
            let each = growth * 1024.0 / f64::from(options.searches);
            costs.push(format!(
                "memory: {each:.0} kB more for each of {} searches that are kept, {growth:.0} MB in all",
                options.searches
            ));
        }

        let most = saturation(&ours.searcher, kind, &mine.own(), options).await?;
        let half = most / 2.0;
        let (mine, spent) = at_half(&ours, kind, half, options).await?;
        let (relayed, relay_spent) = at_half(&theirs, kind, half, options).await?;
        lines.push(line(kind, &format!("at {half:.1} a second, half of the most"), &mine, &relayed));
        aims.push(aim(kind, "at half of the most", &mine, &relayed));
        let each = spent.as_secs_f64() / count(mine.timed.len());
        rates.push((kind, count(offers) / each));
        costs.push(format!(
            "{kind:?}: {:.0} offers per second and core, {:.1} ms of a core for a search; the relay {:.1} ms",
            count(offers) / each,
            each * 1000.0,
            relay_spent.as_secs_f64() * 1000.0 / count(relayed.timed.len())
        ));
    }
    println!(
        "\n| ms after the suppliers' last byte | searches | p50 | p99 | the relay's p50 | p99 | ratio of p50 | of p99 |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    println!("{}\n\n{}\n", lines.concat().trim_end(), costs.join("\n"));
    for (what, ratio, most) in aims {
        at_most(&what, ratio, most);
    }
    for (kind, rate) in rates {
        let least = match kind {
            Kind::Answer => 100_000.0,
            Kind::Events => 60_000.0,
        };
        at_least(&format!("{kind:?}: offers per second and core"), rate, least);
    }
    compare_codings(installation, suppliers, options.searches.into(), options.streams).await
}

/// The highest rate at which latency stays within bounds, by steps, then by halves.
async fn saturation(searcher: &Arc<Searcher>, kind: Kind, alone: &Load, options: &Options) -> Result<f64> {
    let limit = alone.percentile(50) * RUN_AWAY;
    let time = Duration::from_secs(options.step_seconds);
    let holds = async |rate: f64| {
        let traffic = at_rate(searcher, kind, rate, time).await?;
        tokio::time::sleep(REST).await;
        let half = traffic.own().percentile(50);
        let failed = traffic.failed;
        println!("{kind:?}: {rate:.1} a second for {time:?}: p50 {half:.1} ms, {failed} failed");
        Result::<bool>::Ok(failed == 0 && half <= limit)
    };
    // Once more where it doesn't: a moment in which the machine did something else is no limit.
    let holds = async |rate: f64| Result::<bool>::Ok(holds(rate).await? || holds(rate).await?);
    let (mut most, mut next) = (0.0, FIRST_RATE);
    while holds(next).await? {
        (most, next) = (next, next * STEP);
    }
    for _ in 0..2 {
        let middle = f64::midpoint(most, next);
        match holds(middle).await? {
            true => most = middle,
            false => next = middle,
        }
    }
    match most > 0.0 {
        true => Ok(most),
        false => Err(format!("{FIRST_RATE} searches a second are too many").into()),
    }
}

/// Searches at this rate, and what they cost the server's process.
async fn at_half(server: &Server, kind: Kind, rate: f64, options: &Options) -> Result<(Traffic, Duration)> {
    tokio::time::sleep(REST).await;
    let before = server.processor.spent()?;
    let traffic = at_rate(&server.searcher, kind, rate, Duration::from_secs(options.seconds)).await?;
    let spent = server.processor.spent()? - before;
    Ok((traffic.complete(server.bytes)?, spent))
}

/// Lines of the table.
fn line(kind: Kind, when: &str, ours: &Traffic, theirs: &Traffic) -> String {
    let row = |what: &str, ours: &Load, theirs: &Load| {
        let [half, nearly_all] = [50, 99].map(|percent| ours.percentile(percent));
        let [their_half, their_nearly_all] = [50, 99].map(|percent| theirs.percentile(percent));
        format!(
            "| {what}, {when} | {} | {half:.1} | {nearly_all:.1} | {their_half:.1} | {their_nearly_all:.1} | {:.1} | {:.1} |\n",
            ours.count(),
            half / their_half,
            nearly_all / their_nearly_all,
        )
    };
    match kind {
        Kind::Answer => row("answer", &ours.own(), &theirs.own()),
        Kind::Events => {
            row("first event", &ours.first(), &theirs.first())
                + &row("last event", &ours.own(), &theirs.own())
        }
    }
}

/// A figure, its ratio to the relay's and what that may be at most.
fn aim(kind: Kind, when: &str, ours: &Traffic, theirs: &Traffic) -> (String, f64, f64) {
    let (what, percent, [ours, theirs], most) = match kind {
        Kind::Answer => ("answer", 99, [ours.own(), theirs.own()], ANSWER),
        Kind::Events => ("first event", 50, [ours.first(), theirs.first()], FIRST_EVENT),
    };
    let ratio = ours.percentile(percent) / theirs.percentile(percent);
    (format!("{what} {when}, p{percent} ÷ the relay's"), ratio, most)
}

fn tell_costs(wire: Wire, costs: Costs) {
    let offers = count(costs.offers);
    let tell = |name: &str, cost: Cost, kept: &str| {
        let (allocations, bytes) = (count(cost.allocations) / offers, count(cost.bytes) / offers);
        println!("| {wire:?}, {name} | {allocations:.1} | {bytes:.0} | {kept} |");
    };
    tell("read", costs.read, "");
    tell("price", costs.price, "");
    tell("print", costs.print, "");
    let all = [costs.read, costs.price, costs.print];
    let all = Cost {
        allocations: all.iter().map(|cost| cost.allocations).sum(),
        bytes: all.iter().map(|cost| cost.bytes).sum(),
    };
    tell("all", all, &format!("{:.0}", count(costs.kept) / offers));
}
