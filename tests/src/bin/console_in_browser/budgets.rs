//! A11: what pages may weigh, ask for and move.

use wayfare_tests::browser::{Looked, Request};

use crate::{
    screens::{self, Who},
    stage::Stage,
};

/// All of a first load, in bytes on the wire.
const PAGE: u64 = 60 << 10;
/// Its document: what fits the first packets of a connection.
const DOCUMENT: u64 = 14 << 10;
const REQUESTS: usize = 5;
/// How far what is seen may move by itself.
const SHIFT: f64 = 0.02;
/// Within how many milliseconds something is to be seen first, at the median of all screens; programs that are built to be debugged
/// may take longer.
const FIRST_PAINT: f64 = if cfg!(debug_assertions) { 400.0 } else { 100.0 };

/// The check: each screen with an address, loaded by a browser that has nothing of it.
pub fn check(stage: &Stage) -> Looked<String> {
    let mut wrong = Vec::new();
    let (mut most, mut largest, mut shift, mut paints) = (0, 0, 0.0_f64, Vec::new());
    screens::each(
        stage,
        |screen| screen.who != Who::Nobody || screen.name == "login",
        |screen, page| {
            let mut over = |what: String, is_over: bool| {
                if is_over {
                    wrong.push(format!("{}: {what}", screen.name));
                }
            };
            let moved = page.shift()?;
            shift = shift.max(moved);
            over(format!("a shift of {moved:.3}"), moved > SHIFT);
            // What it is made of, without what the browser keeps.
            page.tell("Network.setCacheDisabled", serde_json::json!({ "cacheDisabled": true }))?;
            page.forget();
            page.reload()?;
            page.wait("a first paint", "performance.getEntriesByName('first-contentful-paint').length")?;
            paints.push(page.number("performance.getEntriesByName('first-contentful-paint')[0].startTime")?);
            // Pictures of hotels are their suppliers'.
            let mut loaded: Vec<Request> = page.requests();
            loaded.retain(|asked| asked.kind != "Image" || asked.url.starts_with(&stage.world.base_url));
            let bytes: u64 = loaded.iter().map(|asked| asked.bytes).sum();
            let documents = loaded.iter().filter(|asked| asked.kind == "Document");
            let document = documents.map(|asked| asked.bytes).max().unwrap_or_default();
            most = most.max(loaded.len());
            largest = largest.max(bytes);
            over(format!("{bytes} bytes"), bytes > PAGE);
            over(
                format!("{document} bytes of HTML"),
                document > DOCUMENT && !screen.name.starts_with("flights-"),
            );
            over(format!("{} requests", loaded.len()), loaded.len() > REQUESTS);
            let own_address = match screen.who {
                Who::Operator => stage.desk.url(""),
                _ => stage.world.base_url.clone(),
            };
            let own = loaded
                .iter()
                .all(|asked| asked.url.starts_with(&own_address) || asked.url.starts_with("data:"));
            over("another host was asked".to_owned(), !own);
            // A page of a failure has the status of the failure, which the console of a browser shows.
            page.forget();
            Ok(())
        },
    )?;
    paints.sort_by(f64::total_cmp);
    let paint = paints.get(paints.len() / 2).copied().unwrap_or_default();
    if paint > FIRST_PAINT {
        wrong.push(format!("the first paint took {paint:.0} ms at the median"));
    }
    match wrong.is_empty() {
        true => Ok(format!(
            "at most {} kB and {most} requests, shift {shift:.3}, first paint {paint:.0} ms at the median",
            largest >> 10
        )),
        false => Err(format!("\n  {}", wrong.join("\n  "))),
    }
}
