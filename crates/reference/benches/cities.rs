//! How long it takes to find cities, airports and airlines while somebody types: every beginning of one, two and three
//! letters that finds any, the median and the worst of them, and all of each length as criterion times them. The baseline is
//! a beginning that finds none. In processor time.

#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]

#[path = "../../../bins/api/benches/search/time.rs"]
mod time;

use std::{hint::black_box, time::Duration};

use criterion::{Criterion, Throughput, measurement::WallTime};
use wayfare_reference::{find_airlines, find_cities, find_places};

/// As many as clients are told unless they say otherwise.
const LIMIT: usize = 10;
const ROUNDS: usize = 15;

/// How many are found of at most so many.
type Find = fn(&str, usize) -> usize;

/// The beginnings of so many letters.
fn beginnings(letters: u32) -> impl Iterator<Item = String> {
    let mut all = vec![String::new()];
    for _ in 0..letters {
        let longer = |text: &String| ('a'..='z').map(|letter| format!("{text}{letter}")).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    all.into_iter()
}

/// The fastest of some times on a core, so that what others do meanwhile doesn't count.
fn fastest(find: Find, typed: &str) -> Duration {
    let took = (0..ROUNDS).map(|_| {
        let before = time::spent();
        black_box(find(black_box(typed), LIMIT));
        time::spent() - before
    });
    took.min().unwrap()
}

fn bench(criterion: &mut Criterion<time::Processor>, name: &str, find: Find) {
    // Read once, before anything is timed.
    find("a", LIMIT);
    let mut group = criterion.benchmark_group(name);
    group.bench_function("baseline: none", |b| b.iter(|| find(black_box("zzzz"), LIMIT)));
    for letters in 1..=3 {
        let found: Vec<String> = beginnings(letters).filter(|typed| find(typed, 1) > 0).collect();
        let mut took: Vec<(Duration, &String)> =
            found.iter().map(|typed| (fastest(find, typed), typed)).collect();
        took.sort_unstable();
        let (median, worst) = (took.get(took.len() / 2).unwrap(), took.last().unwrap());
        println!("{name}, {letters} letters: {} beginnings, median {median:?}, worst {worst:?}", found.len());
        group.throughput(Throughput::Elements(found.len() as u64));
        group.bench_function(format!("all of {letters} letters"), |b| {
            b.iter(|| {
                for typed in &found {
                    black_box(find(typed, LIMIT));
                }
            });
        });
    }
    group.finish();
}

fn main() {
    let mut criterion =
        Criterion::default().with_measurement(time::Processor(WallTime)).configure_from_args();
    let finds: [(&str, Find); 3] = [
        ("cities", |typed, limit| find_cities(typed, None, limit).len()),
        ("places", |typed, limit| find_places(typed, Some("IN"), limit).len()),
        ("airlines", |typed, limit| find_airlines(typed, limit).len()),
    ];
    for (name, find) in finds {
        bench(&mut criterion, name, find);
    }
}
