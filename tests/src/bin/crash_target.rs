//! The API with its recovery in a process of its own, that a test may kill at a moment with a name.
//!
//! `crash_target <database URL> <sandbox URL> <folder of reports> <alone|beside> <seeded bug>…` prints
//! `ready <URL>`. One that is alone on its database ends all leases when it starts.
//! Then it reads orders, one a line: after `arm <moment>` the first step that comes to this moment stops, prints
//! `reached <moment>` and waits for `go`. It ends with its parent.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "its parent fails when it does"
)]

use std::{
    env, io,
    net::TcpListener,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, channel},
    },
    time::Duration,
};

use tokio::runtime::{Handle, RuntimeFlavor};
use wayfare_api::{AirlineLogos, RateLimits, ServerOptions, serve};
use wayfare_launch::SupplierKind;
use wayfare_operations::{Database, reports::ReportFiles, tools::shared_time, worker};
use wayfare_supply::Limits;
use wayfare_tests::{Seller, SilenceBug, WorldOptions, forget_keys};

// More threads than cores: one of them stands still at an armed moment.
#[tokio::main(flavor = "multi_thread", worker_threads = 4)]
async fn main() {
    let arguments: Vec<String> = env::args().collect();
    let (database_url, sandbox_url) = (&arguments[1], &arguments[2]);
    let reports = &arguments[3];
    let database = Database::connect(database_url, 16).unwrap();
    database.migrate().await.unwrap();
    let mut silence_bug = None;
    for bug in &arguments[5..] {
        match bug.as_str() {
            "bug:silence-is-refusal" => silence_bug = Some(SilenceBug::IsRefusal),
            "bug:retry-blindly" => silence_bug = Some(SilenceBug::IsAskedAgain),
            "bug:believe-the-repeat" => silence_bug = Some(SilenceBug::RepeatIsBelieved),
            "bug:forget-the-key" => forget_keys(&database).await,
            bug => fail::cfg(bug, "return").unwrap(),
        }
    }
    let options = WorldOptions {
        silence_bug,
        report_files: ReportFiles::in_folder(Path::new(reports)).unwrap(),
        // Faults come thick here: a supplier that is left alone for them would be asked for nothing any more.
        limits: Limits {
            failures_to_open: 1000,
            ..Limits::default()
        },
        ..WorldOptions::hurried()
    };
    // One more, so that a booking can be of two orders.
    let sellers = options.sellers.iter().cloned();
    let options = WorldOptions {
        sellers: sellers
            .chain([Seller::of("second", SupplierKind::TripJack)])
            .collect(),
        ..options
    };
    let platform = options.platform(database, sandbox_url);
    shared_time::read(&platform).await.unwrap();
    if arguments[4] == "alone" {
        worker::void_leases(&platform).await.unwrap();
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server_options = ServerOptions {
        stopping: tokio::sync::watch::channel(false).1,
        started: tokio::sync::watch::channel(true).1,
        limits: RateLimits::off(),
        trusted_proxies: Vec::new(),
        slowest_request: Duration::from_secs(15),
        workers: 2,
        shutdown: Duration::from_secs(1),
        airline_logos: AirlineLogos::default(),
    };
    let server = serve(platform.clone(), listener, server_options).unwrap();
    tokio::spawn(server);
    tokio::spawn(worker::run(platform));
    println!("ready http://{address}");
    tokio::task::spawn_blocking(obey).await.unwrap();
}

/// Does as it is told until its parent is gone.
fn obey() {
    let (go, wait) = channel();
    let wait = Arc::new(Mutex::new(wait));
    for line in io::stdin().lines() {
        let line = line.unwrap();
        match line.split_once(' ') {
            Some(("arm", moment)) => {
                arm(moment, wait.clone());
                println!("armed {moment}");
            }
            _ => go.send(()).unwrap(),
        }
    }
    std::process::exit(0);
}

fn arm(moment: &str, wait: Arc<Mutex<Receiver<()>>>) {
    let (name, reached) = (moment.to_owned(), AtomicBool::new(false));
    let stop = move || {
        if !reached.swap(true, Ordering::SeqCst) {
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
