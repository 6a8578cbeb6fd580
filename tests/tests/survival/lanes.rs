//! Rows of a table that are played at once, each lane of them in a fixture of its own.

use std::{
    env,
    fmt::Debug,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use tokio::{sync::Barrier, task::JoinSet};
use wayfare_tests::Person;

use crate::fixture::Fixture;

/// A row that takes longer waited for a lease or more.
const SLOW: Duration = Duration::from_secs(30);

/// Plays a row, which has this number; everything that is not as it must be.
pub type Play<R> = for<'a> fn(&'a mut Fixture, &'a Person, usize, &'a R) -> BoxFuture<'a, Vec<String>>;

/// Whether tables are played whole (`just survive`), or only one row of each kind.
pub fn is_long() -> bool {
    env::var_os("WAYFARE_SURVIVAL_LONG").is_some()
}

/// Plays these rows in so many lanes at most, whose processes have these bugs: each lane takes the next row as soon as it has
/// played one. Everything that is not as it must be, each with its row.
pub async fn in_lanes<R: Debug + Send + Sync + 'static>(
    rows: Vec<R>,
    at_once: usize,
    bugs: &'static [&'static str],
    play: Play<R>,
) -> Vec<String> {
    let at_once = at_once.min(rows.len());
    let rows: Vec<(usize, R)> = rows.into_iter().enumerate().rev().collect();
    let rows = Arc::new(Mutex::new(rows));
    // Nobody begins before all are there: to start is most of the work.
    let all_there = Arc::new(Barrier::new(at_once));
    let mut lanes = JoinSet::new();
    for _ in 0..at_once {
        let (rows, all_there) = (rows.clone(), all_there.clone());
        lanes.spawn(async move {
            let mut fixture = Fixture::new(bugs).await;
            let agent = fixture.agent("arjun").await;
            all_there.wait().await;
            let mut wrong = Vec::new();
            loop {
                let Some((number, row)) = rows.lock().unwrap().pop() else { break };
                let begun = Instant::now();
                let of_row = play(&mut fixture, &agent, number, &row).await;
                wrong.extend(of_row.iter().map(|wrong| format!("{row:?}: {wrong}")));
                // What is printed for every row would bury what went wrong.
                if begun.elapsed() > SLOW {
                    println!("{:>5.1} s  {row:?}", begun.elapsed().as_secs_f32());
                }
            }
            fixture.end().await;
            wrong
        });
    }
    lanes.join_all().await.concat()
}
