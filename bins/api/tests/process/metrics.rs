//! The metrics of the real program, on a port of their own.

use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process};

use crate::api::Api;
use crate::place::{Place, Server};

/// Where the server says that it prints its metrics.
fn url(server: &Server) -> String {
    let said = server.said();
    let at = said.split_once("metrics are printed at ").unwrap_or_else(|| panic!("no metrics: {said}")).1;
    at.split_whitespace().next().unwrap().to_owned()
}

/// What is printed, which takes less than a second.
async fn scrape(url: &str) -> String {
    let asked = Instant::now();
    let answer = reqwest::get(url).await.unwrap();
    assert_eq!(answer.status(), 200);
    let text = answer.text().await.unwrap();
    assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
    text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metrics_are_printed_also_while_postgresql_is_stopped() {
    let place = Place::new().await;
    let server = place.start_with([("WAYFARE_METRICS_BIND", "127.0.0.1:0")]).await;
    let url = url(&server);
    let api = Api::agent(&place).await;
    api.book().await;
    let booked = "http_server_request_duration_seconds_count{http_request_method=\"POST\",\
                  http_route=\"/api/v1/flights/book\",http_response_status_code=\"200\"} 1\n";
    let printed = scrape(&url).await;
    assert!(printed.contains(booked), "{printed}");
    assert!(printed.contains("wayfare_build_info{version="), "{printed}");

    let postmaster = place.postmaster();
    let stopped: Vec<_> = place
        .processes()
        .into_iter()
        .filter(|(pid, line)| *pid == postmaster || line.starts_with("postgres:"))
        .map(|(pid, _)| pid)
        .collect();
    for pid in &stopped {
        kill_process(*pid, Signal::STOP).unwrap();
    }
    assert_eq!(api.ready().await, 503);
    let printed = scrape(&url).await;
    for pid in &stopped {
        kill_process(*pid, Signal::CONT).unwrap();
    }
    assert!(printed.contains(booked), "{printed}");
}

#[tokio::test]
async fn without_the_setting_no_metrics_are_printed() {
    let (_place, server) = Place::started().await;
    assert!(!server.said().contains("metrics are printed"), "{}", server.said());
}
