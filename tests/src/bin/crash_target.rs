//! The API with its recovery in a process of its own, that a test may kill at a moment with a name.
//!
//! `crash_target <database URL> <sandbox URL> <folder of reports> <alone|beside> <what else>…` prints
//! `ready <URL>`. One that is alone on its database ends all leases when it starts. What else: the names of seeded bugs,
//! `keys=<how many keys of people>`, and `arm=<moment>` for what it does as soon as it has started.
//! Then it reads orders, one a line: after `arm <moment>` the first step that comes to this moment stops, prints
//! `reached <moment>` and waits for `go`; of `<moment>@3` it is the third. `rewrap` wraps all keys of people under the newest
//! one and prints `rewrapped <how many>`, or `rewrapped nothing`. `rule <booking> <kind> <amount>` rules about its first order under
//! a key of the booking and kind, and prints `ruled once`, `ruled again` or `ruled nothing`. It ends with its parent.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "its parent fails when it does")]

use std::{
    env, io,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
};

use tokio::runtime::{Handle, RuntimeFlavor};
use wayfare_api::{ServerOptions, serve};
use wayfare_domain::{BookingRef, FeesRuling};
use wayfare_launch::SupplierKind;
use wayfare_operations::{
    Database, Platform,
    access::operators::By,
    core::shared_time,
    engine::incidents::TakeOver,
    operator::{
        desk::{self, RulingRequest},
        people,
    },
    reports::ReportFiles,
    worker,
};
use wayfare_supply::Limits;
use wayfare_tests::{
    PortBug, Seller, WorldOptions, forget_keys, forget_parts, forget_refund_fares, forget_reminders, listen,
    server_options, store_answers_open,
};

// More threads than cores: one of them stands still at an armed moment.
#[tokio::main(flavor = "multi_thread", worker_threads = 4)]
async fn main() {
    let arguments: Vec<String> = env::args().collect();
    let (database_url, sandbox_url) = (&arguments[1], &arguments[2]);
    let reports = &arguments[3];
    let database = Database::connect(database_url, 16).unwrap();
    database.migrate().await.unwrap();
    let (mut port_bug, mut people_keys) = (None, 1);
    let standing = Standing::default();
    for bug in &arguments[5..] {
        match bug.split_once('=').unwrap_or((bug, "")) {
            ("bug:silence-is-refusal", _) => port_bug = Some(PortBug::IsRefusal),
            ("bug:retry-blindly", _) => port_bug = Some(PortBug::IsAskedAgain),
            ("bug:believe-the-repeat", _) => port_bug = Some(PortBug::RepeatIsBelieved),
            ("bug:accept-unanswered", _) => port_bug = Some(PortBug::IsAcceptance),
            ("bug:change-unanswered", _) => port_bug = Some(PortBug::IsChange),
            ("bug:part-is-whole", _) => port_bug = Some(PortBug::PartIsWhole),
            ("bug:forget-the-part", _) => forget_parts(&database).await,
            ("bug:forget-the-refund-fare", _) => forget_refund_fares(&database).await,
            ("bug:store-answers-open", _) => store_answers_open(&database).await,
            ("bug:forget-the-key", _) => forget_keys(&database).await,
            ("bug:forget-the-reminder", _) => forget_reminders(&database).await,
            ("keys", many) => people_keys = many.parse().unwrap(),
            ("arm", moment) => standing.arm(moment),
            (bug, _) => fail::cfg(bug, "return").unwrap(),
        }
    }
    let options = WorldOptions {
        port_bug,
        people_keys,
        report_files: ReportFiles::in_folder(Path::new(reports)).unwrap(),
        // Faults come thick here: a supplier that is left alone for them would be asked for nothing any more.
        limits: Limits::default().with(|limits| limits.failures_to_open = 1000),
        ..WorldOptions::hurried()
    };
    // One more, so that a booking can be of two orders.
    let sellers = options.sellers.iter().cloned();
    let options = WorldOptions {
        sellers: sellers.chain([Seller::of("second", SupplierKind::TripJack)]).collect(),
        ..options
    };
    let platform = options.platform(database, sandbox_url);
    shared_time::read(&platform.core).await.unwrap();
    if arguments[4] == "alone" {
        worker::void_leases(&platform).await.unwrap();
    }
    let (listener, url) = listen();
    let server_options =
        ServerOptions { workers: 2, console: None, ..server_options(tokio::sync::watch::channel(false).1) };
    tokio::spawn(serve(platform.clone(), listener, server_options).unwrap());
    println!("ready {url}");
    tokio::spawn(worker::run(platform.clone()));
    let runtime = Handle::current();
    tokio::task::spawn_blocking(move || obey(&standing, &platform, &runtime)).await.unwrap();
}

/// Does as it is told until its parent is gone.
fn obey(standing: &Standing, platform: &Arc<Platform>, runtime: &Handle) {
    for line in io::stdin().lines() {
        let line = line.unwrap();
        match line.split_once(' ') {
            Some(("arm", moment)) => {
                standing.arm(moment);
                println!("armed {moment}");
            }
            Some(("rule", what)) => {
                let (platform, what) = (platform.clone(), what.to_owned());
                runtime.spawn(async move { println!("ruled {}", rule(&platform, &what).await) });
            }
            None if line == "rewrap" => {
                let platform = platform.clone();
                runtime.spawn(async move {
                    let rewrapped = people::rewrap_all(&platform).await;
                    let many = rewrapped.map_or("nothing".to_owned(), |many| many.to_string());
                    println!("rewrapped {many}");
                });
            }
            _ => standing.go.send(()).unwrap(),
        }
    }
    std::process::exit(0);
}

/// Rules as it is told: what came of it.
async fn rule(platform: &Platform, what: &str) -> &'static str {
    let words: Vec<&str> = what.split(' ').collect();
    let request = RulingRequest {
        number: 1,
        kind: words[1].parse().unwrap(),
        amount: words[2].parse().unwrap(),
        fees: FeesRuling::Return,
        from_loss: false,
        amount_again: words[2].parse().ok(),
        take_over: TakeOver::No,
        note: "their desk".to_owned(),
        incident: None,
        key: Some(format!("{} {}", words[0], words[1])),
    };
    match desk::rule(platform, By::command_line(), &BookingRef::from(words[0].to_owned()), request).await {
        Ok(made) if made.repeated => "again",
        Ok(_) => "once",
        Err(_) => "nothing",
    }
}

/// Where steps stand until they are told to go on.
struct Standing {
    go: Sender<()>,
    wait: Arc<Mutex<Receiver<()>>>,
}

impl Default for Standing {
    fn default() -> Self {
        let (go, wait) = channel();
        Self { go, wait: Arc::new(Mutex::new(wait)) }
    }
}

impl Standing {
    /// Who comes to this moment stands there: the first one, or the one of this number.
    fn arm(&self, armed: &str) {
        let (moment, number) = armed.split_once('@').unwrap_or((armed, "1"));
        let (name, wait) = (armed.to_owned(), self.wait.clone());
        let (number, came): (usize, _) = (number.parse().unwrap(), AtomicUsize::new(0));
        let stop = move || {
            if came.fetch_add(1, Ordering::SeqCst) + 1 == number {
                println!("reached {name}");
                let stand = || wait.lock().unwrap().recv().unwrap();
                match Handle::current().runtime_flavor() {
                    // A thread of the HTTP server: nothing else is its to do.
                    RuntimeFlavor::CurrentThread => stand(),
                    // What else is this thread's to do goes on elsewhere.
                    _ => tokio::task::block_in_place(stand),
                }
            }
        };
        fail::cfg_callback(moment, stop).unwrap();
    }
}
