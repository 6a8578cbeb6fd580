//! The world is odd and everything comes to the same: whole journeys, from the search to the refund, at suppliers whose
//! answers are odd and with requests as people and programs send them.
//!
//! `cargo test` plays a sample, `just odd-world` each row of the tables at each call of each supplier.

mod journey;
mod legitimate;
mod strict;

use std::{collections::BTreeSet, time::Instant};

use serde_json::{Value, json};
use wayfare_oddities::{ANSWERS, KEYS, REQUESTS, RequestOddity, Rng, drawn, named, own_keys};
use wayfare_stub_server::odd_world::{SEED, chosen, compare, is_not_yet, is_whole};
use wayfare_tests::Seller;

use journey::Stage;

/// So many journeys are made in one world.
const EACH: usize = 12;

/// Calls of suppliers of flights, as the sandbox names them.
const OF_FLIGHTS: &[&str] = &[
    "search",
    "price",
    "services",
    "book",
    "lookup",
    "change",
    "ticket",
    "cancel_quote",
    "cancel",
    "webhook",
];
const OF_HOTELS: &[&str] =
    &["search", "price", "services", "book", "lookup", "cancel_quote", "cancel", "webhook"];

#[derive(Clone, Debug, Default)]
struct Play {
    /// Rows about answers, to this call or to all.
    answers: Vec<&'static str>,
    call: Option<&'static str>,
    requests: Vec<&'static RequestOddity>,
    seed: u64,
}

impl Play {
    /// All that is odd by these names, of answers and of requests.
    fn of(chosen: &[String], seed: u64) -> Self {
        let (requests, answers): (Vec<_>, Vec<_>) =
            chosen.iter().map(|name| (RequestOddity::named(name), named(name))).unzip();
        let play = Self {
            answers: answers.into_iter().flatten().map(|row| row.name).collect(),
            requests: requests.into_iter().flatten().collect(),
            call: None,
            seed,
        };
        assert_eq!(play.names().len(), chosen.len(), "a row of {chosen:?} is unknown");
        play
    }

    fn names(&self) -> Vec<&'static str> {
        self.answers.iter().copied().chain(self.requests.iter().map(|row| row.name)).collect()
    }

    fn body(&self, supplier: &str) -> Value {
        json!({ "supplier": supplier, "call": self.call, "names": self.answers, "seed": self.seed })
    }
}

/// Which journeys are played at the supplier of this number among the four.
fn plays(supplier: usize, calls: &[&'static str]) -> Vec<Play> {
    if let Some((names, seed)) = chosen() {
        return vec![Play::of(&names, seed)];
    }
    let mut rng = Rng::of(SEED.wrapping_add(u64::try_from(supplier).unwrap()));
    let mut plays = Vec::new();
    for (number, row) in ANSWERS.iter().enumerate() {
        let at_all = Play { answers: vec![row.name], ..Play::default() };
        if is_whole() {
            plays.extend(calls.iter().map(|call| Play { call: Some(call), ..at_all.clone() }));
        } else if number % 4 == supplier {
            plays.push(at_all);
        }
    }
    plays.push(Play { answers: vec![KEYS.name], ..Play::default() });
    for (number, row) in REQUESTS.iter().enumerate() {
        if is_whole() || number % 4 == supplier {
            plays.push(Play { requests: vec![row], ..Play::default() });
        }
    }
    for _ in 0..if is_whole() { 30 } else { 2 } {
        plays.push(Play {
            answers: drawn(3, &mut rng).iter().map(|row| row.name).collect(),
            requests: RequestOddity::drawn(1, &mut rng),
            seed: rng.roll() >> 1,
            ..Play::default()
        });
    }
    plays
}

async fn journeys_are_the_same(supplier: usize, seller: Seller, calls: &[&'static str]) {
    let code = seller.code;
    println!("the odd world's seed: {SEED}");
    let began = Instant::now();
    let mut stage = Stage::open(seller.clone()).await;
    let plain = stage.journey(&Play::default()).await;
    let (mut wrong, mut not_yet) = (Vec::new(), Vec::new());
    if plain["ended"] != true {
        let mut steps = plain.as_object().into_iter().flatten();
        let last = steps.rfind(|(name, _)| name.starts_with(char::is_numeric));
        wrong.push(format!("a plain journey at {code} ends with {last:?}"));
    }
    let twice = compare(&plain, &stage.journey(&Play::default()).await, &[], &[]);
    wrong.extend(twice.map(|wrong| format!("two plain journeys at {code}: {wrong}")));
    let plays = plays(supplier, calls);
    let mut triples = BTreeSet::new();
    for (number, play) in plays.iter().enumerate() {
        // Time stands still there, and so does what may be asked of a supplier in a minute.
        if number % EACH == EACH - 1 {
            stage.is_settled().await;
            stage = Stage::open(seller.clone()).await;
        }
        let mut odd = stage.journey(play).await;
        if play.answers.contains(&KEYS.name) {
            // Whatever was done to a key on its way can't be taken back.
            odd = serde_json::from_str(&own_keys(&odd.to_string())).unwrap();
        }
        let names = play.names();
        if let Some(difference) = compare(&plain, &odd, &names, legitimate::ROWS) {
            let call = play.call.unwrap_or("all calls");
            let is_known = is_not_yet(legitimate::NOT_YET, &names, code, call);
            let list = if is_known { &mut not_yet } else { &mut wrong };
            let step = difference.split('/').nth(1).unwrap_or_default();
            let told: String = odd[step]["told"].to_string().chars().take(400).collect();
            list.push(format!(
                "{} of seed {}, {code} {call}: {difference}; told {told}",
                names.join(" + "),
                play.seed
            ));
            // What it left behind is nothing for the next one.
            stage = Stage::open(seller.clone()).await;
        }
        if let ([only], []) = (play.answers.as_slice(), play.requests.as_slice()) {
            triples.insert((*only, play.call));
        }
    }
    println!(
        "odd world, journeys at {code}: {} rows of answers × {} calls and {} rows of requests: {} of {} hold; {:?}",
        triples.iter().map(|(name, _)| name).collect::<BTreeSet<_>>().len(),
        calls.len(),
        plays.iter().filter(|play| play.answers.is_empty()).count(),
        plays.len().saturating_sub(wrong.len() + not_yet.len()),
        plays.len(),
        began.elapsed(),
    );
    if wrong.is_empty() && not_yet.is_empty() {
        stage.is_settled().await;
    }
    if !not_yet.is_empty() {
        println!("{code}, not yet:\n  {}", not_yet.join("\n  "));
    }
    assert!(
        wrong.is_empty(),
        "{} of {} journeys differ\n  {}\n",
        wrong.len(),
        plays.len(),
        wrong.join("\n  ")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journey_at_an_odd_duffel_comes_to_the_same() {
    journeys_are_the_same(0, Seller::duffel(), OF_FLIGHTS).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journey_at_an_odd_tripjack_comes_to_the_same() {
    let calls: Vec<&str> = OF_FLIGHTS.iter().copied().filter(|call| *call != "webhook").collect();
    journeys_are_the_same(1, Seller::tripjack(), &calls).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journey_at_an_odd_liteapi_comes_to_the_same() {
    let missing = ["cancel_quote", "webhook"];
    let calls: Vec<&str> = OF_HOTELS.iter().copied().filter(|call| !missing.contains(call)).collect();
    journeys_are_the_same(2, Seller::liteapi(), &calls).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journey_at_an_odd_hotelbeds_comes_to_the_same() {
    journeys_are_the_same(3, Seller::hotelbeds(), OF_HOTELS).await;
}
