//! What a screen of the console costs beside the same calls of the API made directly, and what fifty agents at its screens
//! cost everybody else.
#![allow(clippy::float_arithmetic, reason = "rates and ratios are no money and need no digits")]

use std::{
    net::TcpListener,
    process::ExitCode,
    time::{Duration, Instant},
};

use clap::Parser;
use futures_util::future::try_join_all;
use tokio::try_join;
use wayfare_bench::{Browser, Client, Installation, Load, Place, Result, Turn, at_most, count, run, timed};

/// How much more of a core a screen may take than its calls.
const DEARER: f64 = 1.5;
/// How much slower 99 of 100 calls of others may become when agents use screens instead of calls.
const SLOWER: f64 = 1.1;
/// How long an agent looks at what came.
const READING: Duration = Duration::from_millis(1500);
/// How long the one who is measured rests after each call.
const REST: Duration = Duration::from_millis(10);
/// Rounds before anything is measured.
const WARM_UP: usize = 20;
/// Bookings of the agency: lists have a full page.
const BOOKINGS: usize = 30;

/// Measures the console's screens beside the API
#[derive(Parser)]
struct Options {
    /// How often each screen is opened
    #[arg(long, default_value_t = 300)]
    rounds: usize,
    /// How many agents work at once
    #[arg(long, default_value_t = 50)]
    agents: usize,
    /// How long a turn of the agents goes on
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// How many turns they have with screens, and as many with calls
    #[arg(long, default_value_t = 4)]
    turns: usize,
    #[command(flatten)]
    place: Place,
}

/// A screen, and what it asks the API for.
#[derive(Clone)]
struct Screen {
    name: &'static str,
    path: String,
    calls: Vec<String>,
}

/// Somebody of the agency, with either way to work.
struct Agent {
    browser: Browser,
    direct: Client,
    screens: Vec<Screen>,
    next: usize,
}

#[tokio::main]
async fn main() -> ExitCode {
    wayfare_bench::ended("console", measure(&Options::parse()).await)
}

async fn measure(options: &Options) -> Result<()> {
    // Let go again: the server prints its metrics there.
    let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
    let settings = format!("metrics_bind = \"127.0.0.1:{port}\"\n");
    let metrics = format!("http://127.0.0.1:{port}/metrics");
    let work = async |installation: &Installation| {
        let admin = installation.admin().await?;
        installation.fund("100000000").await?;
        for order in admin.orders(BOOKINGS).await? {
            admin.book(order).await?;
        }
        let screens = screens();
        compare(installation, &metrics, &screens, options.rounds).await?;
        crowd(installation, &screens, options).await
    };
    options.place.measure_with(&settings, work).await
}

/// What agents look at all day.
fn screens() -> Vec<Screen> {
    let screen = |name, path: &str, calls: &[&str]| Screen {
        name,
        path: path.to_owned(),
        calls: ["/me", "/notifications/unread-count"]
            .iter()
            .chain(calls)
            .map(|call| (*call).to_owned())
            .collect(),
    };
    vec![
        screen(
            "today",
            "",
            &[
                "/wallet",
                "/flights/bookings?group=needs_attention&per_page=20&page=1",
                "/flights/bookings?group=on_hold&per_page=20&page=1",
                "/hotels/bookings?group=needs_attention&per_page=20&page=1",
                "/flights/bookings?per_page=8&page=1",
                "/hotels/bookings?per_page=8&page=1",
            ],
        ),
        screen(
            "bookings",
            "/bookings",
            &["/flights/bookings?per_page=25&page=1", "/flights/bookings/counts"],
        ),
        screen("profile", "/me", &["/me", "/me/sessions"]),
    ]
}

/// Each screen beside its calls, in turns.
async fn compare(
    installation: &Installation,
    metrics: &str,
    screens: &[Screen],
    rounds: usize,
) -> Result<()> {
    let browser = installation.browser().await?;
    let direct = installation.admin().await?;
    println!(
        "| screen, {rounds} times | ms of a core | its calls | ratio | p50, p99 ms | its calls' p50, p99 |\n\
         | --- | --- | --- | --- | --- | --- |"
    );
    let mut ratios = Vec::new();
    for screen in screens {
        same_calls(metrics, &browser, screen).await?;
        let (mut pages, mut calls) = (Vec::new(), Vec::new());
        let (mut of_pages, mut of_calls) = (Duration::ZERO, Duration::ZERO);
        for _ in 0..WARM_UP {
            browser.open(&screen.path).await?;
            at_once(&direct, &screen.calls).await?;
        }
        // Enough of each in a row that the clock of processor time, which has steps of 10 ms, can tell.
        let turn = 25.min(rounds);
        for _ in 0..rounds.div_ceil(turn) {
            let processor = installation.processor()?;
            let begun = processor.spent()?;
            for _ in 0..turn {
                pages.push(timed(browser.open(&screen.path)).await?);
            }
            let between = processor.spent()?;
            for _ in 0..turn {
                calls.push(timed(at_once(&direct, &screen.calls)).await?);
            }
            of_pages += between.saturating_sub(begun);
            of_calls += processor.spent()?.saturating_sub(between);
        }
        let each = |spent: Duration, times: usize| spent.as_secs_f64() * 1000.0 / count(times);
        let (page, call) = (each(of_pages, pages.len()), each(of_calls, calls.len()));
        let [pages, calls] = [pages, calls].map(|took| Load::new(took, Duration::ZERO));
        println!(
            "| {} | {page:.2} | {call:.2} | {:.2} | {:.1}, {:.1} | {:.1}, {:.1} |",
            screen.name,
            page / call,
            pages.percentile(50),
            pages.percentile(99),
            calls.percentile(50),
            calls.percentile(99),
        );
        ratios.push((screen.name, page / call));
    }
    println!();
    for (name, ratio) in ratios {
        at_most(&format!("the screen '{name}' ÷ its calls, processor time of the server"), ratio, DEARER);
    }
    Ok(())
}

/// Whether a screen makes exactly the calls that it is compared with.
async fn same_calls(metrics: &str, browser: &Browser, screen: &Screen) -> Result<()> {
    let before = api_requests(metrics).await?;
    browser.open(&screen.path).await?;
    let made = api_requests(metrics).await? - before;
    let named = u64::try_from(screen.calls.len())?;
    match made == named {
        true => Ok(()),
        false => Err(format!("the screen '{}' makes {made} calls, not {named}", screen.name).into()),
    }
}

/// How many requests the API has answered.
async fn api_requests(metrics: &str) -> Result<u64> {
    let printed = reqwest::get(metrics).await?.error_for_status()?.text().await?;
    let counts = printed.lines().filter_map(|line| {
        let is_api = line.starts_with("http_server_request_duration_seconds_count")
            && line.contains("http_route=\"/api/v1/");
        is_api.then(|| line.rsplit_once(' '))?.map(|(_, number)| number)
    });
    Ok(counts.map(str::parse::<u64>).sum::<Result<u64, _>>()?)
}

/// The calls of a screen side by side, as the screen makes them.
async fn at_once(direct: &Client, calls: &[String]) -> Result<()> {
    try_join_all(calls.iter().map(|call| direct.get(call))).await?;
    Ok(())
}

/// What others feel of agents at screens, beside the same agents who make the calls themselves.
async fn crowd(installation: &Installation, screens: &[Screen], options: &Options) -> Result<()> {
    let other = installation.admin().await?;
    let mut agents = Vec::new();
    for number in 0..options.agents {
        agents.push(Agent {
            browser: installation.browser().await?,
            direct: installation.admin().await?,
            screens: screens.to_vec(),
            // Not all begin with the same one.
            next: number,
        });
    }
    let time = Duration::from_secs(options.seconds);
    let (mut by_screens, mut by_calls) = (Vec::new(), Vec::new());
    let (mut screens_done, mut calls_done) = (0, 0);
    for _ in 0..options.turns {
        let (done, others) =
            try_join!(run(&mut agents, time, async |agent| go_on(agent, true).await), ask(&other, time))?;
        screens_done += done.count();
        by_screens.push(others);
        let (done, others) =
            try_join!(run(&mut agents, time, async |agent| go_on(agent, false).await), ask(&other, time))?;
        calls_done += done.count();
        by_calls.push(others);
    }
    let [by_screens, by_calls] = [by_screens, by_calls].map(Load::together);
    println!(
        "\n{} agents, {} turns of {time:?} each way; {screens_done} screens, {calls_done} times their calls\n\n\
         | a call of somebody else, ms | p50 | p99 |\n| --- | --- | --- |",
        options.agents, options.turns
    );
    for (name, load) in [("agents at screens", &by_screens), ("agents who call", &by_calls)] {
        println!("| {name} | {:.2} | {:.2} |", load.percentile(50), load.percentile(99));
    }
    println!();
    let ratio = by_screens.percentile(99) / by_calls.percentile(99);
    at_most("p99 of others' calls, agents at screens ÷ agents who call", ratio, SLOWER);
    Ok(())
}

/// The agent's next screen, or its calls, and what came of it.
async fn go_on(agent: &mut Agent, by_screens: bool) -> Result<Turn> {
    if let Some(screen) = agent.screens.get(agent.next % agent.screens.len().max(1)) {
        match by_screens {
            true => agent.browser.open(&screen.path).await?,
            false => at_once(&agent.direct, &screen.calls).await?,
        }
    }
    agent.next += 1;
    tokio::time::sleep(READING).await;
    Ok(Turn::Done)
}

/// Somebody's own calls meanwhile.
async fn ask(client: &Client, time: Duration) -> Result<Load> {
    let begun = Instant::now();
    let mut took = Vec::new();
    while begun.elapsed() < time {
        took.push(timed(client.get("/wallet")).await?);
        tokio::time::sleep(REST).await;
    }
    Ok(Load::new(took, begun.elapsed()))
}
