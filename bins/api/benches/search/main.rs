//! What a search costs us beside its supplier: from the bytes of an answer with 1,000 offers to the bytes of ours.
//!
//! `floor` is what nobody can do without: the same bytes read into their types, with all text, and the finished
//! response written. `whole` is everything that production does, by the same functions. The last lines say how
//! they compare: processor time, measured in turns, so that a busy machine treats both alike.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "a benchmark may panic and compares durations"
)]

mod agency;
mod answer;
mod ready;
mod time;

use std::{hint::black_box, time::Duration};

use criterion::{BatchSize, Criterion, Throughput, measurement::WallTime};
use mimalloc::MiMalloc;
use wayfare_domain::Currency;
use wayfare_flights::duffel::read;
use wayfare_search_response::flights::SearchResponseBuilder;

use agency::{Agency, cached};

/// As in the server.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const OFFERS: usize = 1_000;
/// Turns of floor and whole for the comparison.
const TURNS: usize = 200;

fn whole(agency: &Agency, body: &[u8]) -> Vec<u8> {
    let (arrival, _kept) = agency.price(cached(read::search(body, true).unwrap()));
    written(&agency.arrange(arrival))
}

fn written(snapshot: &SearchResponseBuilder) -> Vec<u8> {
    let mut out = br#"{"success":true,"message":"1000 offers found","data":"#.to_vec();
    snapshot.write(Duration::from_millis(950), &mut out).unwrap();
    out.push(b'}');
    out
}

/// The bytes read into their types, and the finished response, which is known to be this, written from its types.
fn floor(body: &[u8], ready: &ready::Answer) -> Vec<u8> {
    black_box(read::count(body).unwrap());
    serde_json::to_vec(ready).unwrap()
}

fn main() {
    let body = answer::of(OFFERS);
    let mut criterion =
        Criterion::default().with_measurement(time::Processor(WallTime)).configure_from_args();
    let mut group = criterion.benchmark_group("search");
    group.throughput(Throughput::Elements(OFFERS as u64));
    let mut comparisons = Vec::new();
    for (name, currency) in [("one currency", Currency::GBP), ("converted", Currency::INR)] {
        let agency = Agency::paying_in(currency);
        let cached = cached(read::search(&body, true).unwrap());
        let (arrival, _kept) = agency.price(cached.clone());
        assert_eq!(arrival.offers().count(), OFFERS);
        let snapshot = agency.arrange(arrival);
        let printed = written(&snapshot);
        let ready: ready::Answer = serde_json::from_slice(&printed).unwrap();
        assert!(serde_json::to_vec(&ready).unwrap() == printed, "the floor writes the same answer");
        group.bench_function(format!("{name}/floor"), |b| b.iter(|| floor(&body, &ready)));
        group.bench_function(format!("{name}/whole"), |b| b.iter(|| whole(&agency, &body)));
        group.bench_function(format!("{name}/floor: read"), |b| b.iter(|| read::count(&body).unwrap()));
        group.bench_function(format!("{name}/floor: write"), |b| {
            b.iter(|| serde_json::to_vec(&ready).unwrap());
        });
        group.bench_function(format!("{name}/whole: read"), |b| {
            b.iter(|| read::search(&body, true).unwrap());
        });
        group.bench_function(format!("{name}/whole: price"), |b| {
            b.iter(|| agency.price(cached.clone()));
        });
        group.bench_function(format!("{name}/whole: arrange"), |b| {
            b.iter_batched(
                || agency.price(cached.clone()).0,
                |arrival| agency.arrange(arrival),
                BatchSize::LargeInput,
            );
        });
        group.bench_function(format!("{name}/whole: write"), |b| b.iter(|| written(&snapshot)));
        comparisons.push((name, compare(|| floor(&body, &ready), || whole(&agency, &body))));
    }
    group.finish();
    println!("{OFFERS} offers in {} kB, medians of {TURNS} turns:", body.len() / 1_000);
    for (name, (floor, whole)) in comparisons {
        let ratio = whole.as_secs_f64() / floor.as_secs_f64();
        println!("{name}: floor {floor:.2?}, whole {whole:.2?}, ratio {ratio:.2}");
        let met = if ratio <= 1.0 { "met" } else { "MISSED" };
        println!("aim | {name}: read, price and print ÷ its floor | {ratio:.2} | at most 1 | {met} |");
    }
}

/// The medians of both, run in turns.
fn compare(floor: impl Fn() -> Vec<u8>, whole: impl Fn() -> Vec<u8>) -> (Duration, Duration) {
    let timed = |run: &dyn Fn() -> Vec<u8>| {
        let before = time::spent();
        black_box(run());
        time::spent() - before
    };
    let (floors, wholes): (Vec<_>, Vec<_>) = (0..TURNS).map(|_| (timed(&floor), timed(&whole))).unzip();
    (median(floors), median(wholes))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
