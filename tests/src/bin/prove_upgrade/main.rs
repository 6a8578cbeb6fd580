//! Upgrades from an old revision to this one while agents book: `prove_upgrade REVISION`. The old server works, this version
//! migrates under it, both work beside each other, the old one is stopped. Ends with 0 when no request failed but for a stop,
//! all that was acknowledged is there once, and everybody's books agree.
//!
//! Requests go to either server in turn: what one has priced the other may book, and cancel.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "only its caller waits for it; its figures are no money"
)]

mod books;
mod failures;
mod place;
mod programs;
mod sellers;

use std::{
    collections::BTreeMap,
    env,
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use clap::Parser;

use crate::{
    failures::Log,
    place::Place,
    programs::{Programs, run},
    sellers::{Asked, Ended, PASSWORD, Proxy, Sale, Seller, Which},
};

/// Upgrades from an old revision to this one while agents book
#[derive(Parser)]
struct Options {
    /// The revision to upgrade from: a commit, a tag
    revision: String,
    /// Builds it as released, which takes about 15 minutes on two cores
    #[arg(long)]
    release: bool,
    /// The folder of this version's `wayfare` and `wayfarectl`; that of this program unless given
    #[arg(long, value_name = "FOLDER")]
    programs: Option<PathBuf>,
    /// How long each phase lasts that does not end by itself
    #[arg(long, value_name = "SECONDS", default_value_t = 15)]
    seconds: u64,
    /// How many agents book at once
    #[arg(long, value_name = "NUMBER", default_value_t = 6)]
    agents: usize,
    /// Does this to the tables after they were migrated, to see that what breaks an old server is found
    #[arg(long, value_name = "SQL")]
    spoil: Option<String>,
}

/// A part of the upgrade.
struct Phase {
    name: &'static str,
    begun: Instant,
    ended: Instant,
    /// What PostgreSQL refused in it.
    refused: Vec<String>,
}

/// The parts so far.
struct Phases {
    log: Log,
    begun: Instant,
    all: Vec<Phase>,
}

impl Phases {
    /// What began when the last phase ended has ended now.
    fn end(&mut self, name: &'static str) {
        let (begun, ended) = (self.begun, Instant::now());
        println!("{name}: {:.1} s", (ended - begun).as_secs_f64());
        let refused = self.log.since().into_iter();
        let refused =
            refused.map(|((who, said, statement), times)| format!("{times} × {who}: {said}: {statement}"));
        self.all.push(Phase { name, begun, ended, refused: refused.collect() });
        self.begun = ended;
    }
}

#[tokio::main(flavor = "multi_thread")]
async fn main() -> ExitCode {
    let options = Options::parse();
    let old = Programs::of_revision(&options.revision, options.release);
    let beside = || env::current_exe().unwrap().parent().unwrap().to_owned();
    let new = Programs::in_folder(options.programs.clone().unwrap_or_else(beside));
    println!("from {} ({}) to {}", old.version(), options.revision, new.version());
    let place = Place::new().await;
    let wrongs = upgrade(&options, &old, &new, &place).await;
    place.end().await;
    for wrong in &wrongs {
        println!("WRONG: {wrong}");
    }
    println!("{}", if wrongs.is_empty() { "the upgrade is proven" } else { "the upgrade is NOT proven" });
    ExitCode::from(u8::from(!wrongs.is_empty()))
}

/// What went wrong, in a sentence each.
async fn upgrade(options: &Options, old: &Programs, new: &Programs, place: &Place) -> Vec<String> {
    let a_while = || tokio::time::sleep(Duration::from_secs(options.seconds));
    let proxy = Arc::new(Proxy::default());
    let mut old_server = place.start("old", old, &[("WAYFARE_DEMO", "on")]).await;
    proxy.add(Which::Old, &old_server.url);
    let agency = old_server.demo().await.agency;
    let mut at_work = Vec::new();
    for number in 0..options.agents {
        let username = format!("agent-{number}");
        place.agent(old, &agency, &username, PASSWORD);
        at_work.push(tokio::spawn(Seller::log_in(&proxy, &agency, &username).await.work()));
    }
    let mut phases = Phases { log: Log::of(place.database_log()), begun: Instant::now(), all: Vec::new() };
    a_while().await;
    phases.end("the old one alone");

    let pending = place.operator(new, &["migrate", "--check"]).output().unwrap();
    println!("pending: {}", String::from_utf8_lossy(&pending.stdout).trim());
    let mut migrate = place.operator(new, &["migrate"]);
    let migrated = tokio::task::spawn_blocking(move || run(&mut migrate)).await.unwrap();
    println!("{migrated}");
    if let Some(spoil) = &options.spoil {
        place.connect().await.batch_execute(spoil).await.unwrap();
    }
    phases.end("this one migrates");
    a_while().await;
    phases.end("the old one on new tables");

    // As a proxy that asks whether it is ready: it has started when it gets requests.
    let mut new_server =
        place.start("new", new, &[("WAYFARE_DEMO", "off"), ("WAYFARE_MIGRATE", "never")]).await;
    phases.end("this one starts");
    proxy.add(Which::New, &new_server.url);
    a_while().await;
    a_while().await;
    phases.end("both");

    proxy.remove(Which::Old);
    println!("the old one stopped: {}", old_server.stop().await);
    phases.end("the old one stops");
    a_while().await;
    phases.end("this one alone");

    proxy.close();
    for seller in at_work {
        seller.await.unwrap();
    }
    for (name, server) in [("old", &old_server), ("new", &new_server)] {
        for (said, times) in server.warnings() {
            println!("the {name} server, {times} ×: {said}");
        }
    }
    let wrongs = wrongs(&phases.all, &proxy, new, place).await;
    println!("this one stopped: {}", new_server.stop().await);
    wrongs
}

/// Shows what it was like for agents; what was wrong for them, and what is wrong in the books.
async fn wrongs(phases: &[Phase], proxy: &Proxy, new: &Programs, place: &Place) -> Vec<String> {
    let sales = std::mem::take(&mut *proxy.sales.lock().unwrap());
    let asked = std::mem::take(&mut *proxy.asked.lock().unwrap());
    show(phases, &asked, &sales);
    let books = books::of(place, new, &sales).await;
    println!(
        "{} acknowledged, {} bookings, {} of them confirmed, {} live orders at suppliers",
        sales.len(),
        books.bookings,
        books.confirmed,
        books.orders
    );
    let mut wrongs = failures_of(&asked);
    wrongs.extend(books.wrongs);
    if books.orders != books.confirmed {
        wrongs.push("suppliers do not have as many orders as are confirmed".to_owned());
    }
    wrongs
}

/// What was answered otherwise than a stop allows, each with how often.
fn failures_of(asked: &[Asked]) -> Vec<String> {
    let mut failures = BTreeMap::<String, usize>::new();
    for asked in asked {
        if let Ended::Failed(how) = &asked.ended {
            *failures.entry(format!("{:?} at the {}: {how}", asked.step, asked.at.name())).or_default() += 1;
        }
    }
    failures.into_iter().map(|(how, times)| format!("{times} × {how}")).collect()
}

/// What each phase was like for those who book.
fn show(phases: &[Phase], asked: &[Asked], sales: &[Sale]) {
    println!(
        "\n| phase | s | server | requests | done | again | gone | failed | slowest ms | bookings | none for ms |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for phase in phases {
        let is_inside = |moment: Instant| phase.begun < moment && moment <= phase.ended;
        let inside: Vec<&Asked> = asked.iter().filter(|asked| is_inside(asked.ended_at)).collect();
        for which in [Which::Old, Which::New] {
            let its: Vec<&&Asked> = inside.iter().filter(|asked| asked.at == which).collect();
            let count = |is: fn(&Ended) -> bool| its.iter().filter(|asked| is(&asked.ended)).count();
            let sold = sales.iter().filter(|sale| is_inside(sale.acknowledged_at) && sale.booked_at == which);
            println!(
                "| {} | {:.1} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
                phase.name,
                (phase.ended - phase.begun).as_secs_f64(),
                which.name(),
                its.len(),
                count(|ended| *ended == Ended::Done),
                count(|ended| *ended == Ended::Again),
                count(|ended| *ended == Ended::Gone),
                count(|ended| matches!(ended, Ended::Failed(_))),
                its.iter().map(|asked| asked.took.as_millis()).max().unwrap_or_default(),
                sold.count(),
                standstill(phase, sales).as_millis(),
            );
        }
    }
    println!();
    crossings(sales);
    println!("\nstatements that PostgreSQL refused:");
    for phase in phases {
        for refused in &phase.refused {
            println!("{}: {refused}", phase.name);
        }
    }
}

/// How many sales went from one server to the other on their way.
fn crossings(sales: &[Sale]) {
    let crossed = |from: Which, to: Which| {
        sales.iter().filter(|sale| sale.priced_at == from && sale.booked_at == to).count()
    };
    println!(
        "booked by the new one at the old one's price: {}; by the old one at the new one's: {}",
        crossed(Which::Old, Which::New),
        crossed(Which::New, Which::Old)
    );
    let cancelled = |booked: Which, by: Which| {
        sales.iter().filter(|sale| sale.booked_at == booked && sale.cancelled_at == Some(by)).count()
    };
    println!(
        "cancelled by the new one of the old one's: {}; by the old one of the new one's: {}; by whoever booked: {}",
        cancelled(Which::Old, Which::New),
        cancelled(Which::New, Which::Old),
        cancelled(Which::Old, Which::Old) + cancelled(Which::New, Which::New)
    );
}

/// The longest time within a phase in which no booking was acknowledged.
fn standstill(phase: &Phase, sales: &[Sale]) -> Duration {
    let inside = sales.iter().map(|sale| sale.acknowledged_at);
    let inside = inside.filter(|moment| phase.begun < *moment && *moment < phase.ended);
    let mut moments: Vec<Instant> = inside.chain([phase.begun, phase.ended]).collect();
    moments.sort();
    moments.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or_default()
}
