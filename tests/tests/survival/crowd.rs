//! Two hundred bookings at once by one agency's agents, some of them given back, whole or in part, or changed by their airline,
//! with faults at random and three kills in between.

use std::{env, time::Duration};

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use tokio::{sync::watch, task::JoinSet};
use wayfare_launch::SupplierKind;
use wayfare_tests::{Person, Reply, Supplier, one_way, sells_stays, supplier_kinds};

use crate::{
    answers::{Answer, Request, ask, wrong_answers},
    fixture::Fixture,
    play::quote,
    stays,
};

const AGENTS: usize = 10;
const BOOKINGS_EACH: usize = 20;
const KILLS: u32 = 3;
/// All arrive within this time, so that each kill finds bookings at every moment of theirs.
const RUSH: Duration = Duration::from_secs(8);
/// How many of the supplier's calls of a kind go wrong, in percent.
const WRONG: u32 = 35;
/// How often a client whose connection broke asks again before it gives up.
const TRIES: usize = 60;
const AGAIN_AFTER: Duration = Duration::from_millis(250);

/// A row of [`CALLS`].
type Calls = (&'static str, usize, fn(SupplierKind) -> bool, &'static str);

/// Calls, how many of them are prepared at each supplier, at which, and what goes wrong with them. Not 429: a supplier that
/// says so is left alone for a second, in which a crowd would book nothing.
const CALLS: &[Calls] = &[
    (
        "book",
        75,
        |_| true,
        "slow:300 slow:2600 status:422 status:500 sold_out price_changed:5 broken_json drop_before drop_after \
         appears_after:1500",
    ),
    ("lookup", 30, |_| true, "slow:300 status:500 broken_json drop_before drop_after"),
    (
        "cancel",
        15,
        |at| !sells_stays(at),
        "slow:300 status:422 status:500 drop_before drop_after refund_later:1",
    ),
    ("cancel", 15, sells_stays, "slow:300 status:422 status:500 drop_before drop_after"),
    (
        "change",
        10,
        |at| at == SupplierKind::Duffel,
        "slow:300 status:422 status:500 drop_before drop_after change_stale",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn of_two_hundred_bookings_at_once_none_is_lost_or_doubled_and_nobody_is_told_a_lie() {
    let rounds = env::var("WAYFARE_SURVIVAL_ROUNDS").map_or(1, |rounds| rounds.parse().unwrap());
    let first =
        env::var("WAYFARE_SURVIVAL_SEED").map_or_else(|_| rand::random(), |seed| seed.parse().unwrap());
    for round in 0..rounds {
        let seed: u64 = u64::wrapping_add(first, round);
        println!("the crowd's seed: WAYFARE_SURVIVAL_SEED={seed}");
        let wrong = round_of(seed).await;
        assert!(wrong.is_empty(), "seed {seed}\n  {}\n", wrong.join("\n  "));
    }
}

async fn round_of(seed: u64) -> Vec<String> {
    let mut dice = StdRng::seed_from_u64(seed);
    let mut fixture = Fixture::new(&[]).await;
    // Each answer has three oddities of its own.
    fixture.supplier.is_odd(&json!({ "drawn": 3, "seed": seed >> 1 })).await;
    let clients = clients(&fixture).await;
    for (call, count, is_asked, faults) in CALLS {
        let faults: Vec<&str> = faults.split(' ').collect();
        for _ in 0..*count {
            let wrong = dice.random_range(0..100) < WRONG;
            let fault = match wrong {
                true => faults.choose(&mut dice).unwrap(),
                false => "slow:0",
            };
            for at in supplier_kinds().filter(|at| is_asked(*at)) {
                fixture.supplier.next_at(<&str>::from(at), call, fault, 1).await;
            }
        }
    }
    let (moved, url) = watch::channel(fixture.crash_target.url.clone());
    let mut crowd = JoinSet::new();
    for (number, (agent, at, order)) in clients.into_iter().enumerate() {
        let client = Client { agent, url: url.clone(), number, at, supplier: fixture.supplier.clone() };
        let arrival = RUSH.mul_f64(dice.random());
        crowd.spawn(async move {
            tokio::time::sleep(arrival).await;
            client.book_and_go_on(order).await
        });
    }
    for _ in 0..KILLS {
        tokio::time::sleep((RUSH / (KILLS + 1)).mul_f64(dice.random_range(0.5..1.5))).await;
        fixture.restart().await;
        moved.send_replace(fixture.crash_target.url.clone());
    }
    let answers = crowd.join_all().await.concat();
    fixture.supplier.all_is_well().await;
    // Of some cancellations only the operator learns what became of them, and some are known when quotes have lapsed.
    let (_, mut wrong) = fixture.settle_by_operator().await;
    if !wrong.is_empty() {
        fixture.settle_much_later().await;
        wrong = fixture.settle_by_operator().await.1;
    }
    wrong.extend(wrong_answers(&fixture.books, &answers).await);
    wrong.extend(fixture.books.wrongs().await);
    tell(&answers, &fixture.books.lines("select status from bookings").await);
    fixture.end().await;
    wrong
}

/// Everybody with what they are about to book: the same flight, and each other nights at a hotel.
async fn clients(fixture: &Fixture) -> Vec<(Person, SupplierKind, Value)> {
    let alone = one_way("DEL", "BOM").by("ZZ");
    // One of two gives theirs back.
    let together = alone.clone().party(2, 0, 0);
    let mut clients = Vec::new();
    let mut nights = (30..).step_by(2);
    for number in 0..AGENTS {
        let agent = fixture.agent(&format!("agent{number}")).await;
        // At each supplier in turn.
        let suppliers: Vec<_> = supplier_kinds().collect();
        for at in suppliers.into_iter().cycle().take(BOOKINGS_EACH) {
            let trip = match Next::of(clients.len(), at) {
                Next::CancelPart => &together,
                Next::Nothing | Next::Cancel | Next::AcceptChange => &alone,
            };
            let order = match nights.next().filter(|_| sells_stays(at)) {
                Some(in_days) => stays::order(&agent, at, in_days).await,
                None => agent.order(&quote(&agent, at, trip).await, trip),
            };
            clients.push((agent.clone(), at, order));
        }
    }
    clients
}

/// What came of it all, so that a round in which nothing went wrong at all would be seen.
fn tell(answers: &[Answer], ends: &[String]) {
    let count = |wanted: Option<u16>| {
        let statuses = answers.iter().map(|answer| answer.reply.as_ref().map(|reply| reply.status));
        statuses.filter(|status| *status == wanted).count()
    };
    let answered = [200, 201, 202, 400, 409, 503].map(|status| format!("{status}: {}", count(Some(status))));
    let status = |wanted: &str| ends.iter().filter(|end| *end == wanted).count();
    let ended = ["confirmed", "cancelled", "failed"].map(|wanted| format!("{wanted}: {}", status(wanted)));
    let asked = |is_it: fn(&Request) -> bool| answers.iter().filter(|answer| is_it(&answer.request)).count();
    println!(
        "answered {}, not at all: {}; ended {}; asked for {} parts and {} changes",
        answered.join(", "),
        count(None),
        ended.join(", "),
        asked(|request| matches!(request, Request::Part { .. })),
        asked(|request| matches!(request, Request::Accept { .. })),
    );
}

/// What a client does after their booking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Nothing,
    Cancel,
    /// Gives back what is one of two travellers'.
    CancelPart,
    /// Accepts what the airline has changed.
    AcceptChange,
}

impl Next {
    /// A third cancels, and another third does what can be done at their supplier.
    fn of(number: usize, at: SupplierKind) -> Self {
        match (number % 3, at) {
            (0, _) => Self::Cancel,
            (1, SupplierKind::TripJack) => Self::CancelPart,
            (1, SupplierKind::Duffel) => Self::AcceptChange,
            _ => Self::Nothing,
        }
    }
}

struct Client {
    agent: Person,
    url: watch::Receiver<String>,
    number: usize,
    at: SupplierKind,
    supplier: Supplier,
}

impl Client {
    async fn book_and_go_on(&self, mut order: Value) -> Vec<Answer> {
        let email = format!("client{}@sunrise.example", self.number);
        let section = if sells_stays(self.at) {
            order["contact"]["email"] = email.as_str().into();
            "/hotels"
        } else {
            order["contact_email"] = email.as_str().into();
            "/flights"
        };
        let reply = self.send_until_answered(&format!("{section}/book"), "book", &order).await;
        let booked = reply.as_ref().filter(|reply| reply.status < 202);
        let booked = booked.map(|reply| reply.json()["data"]["booking_ref"].as_str().unwrap().to_owned());
        let mut answers = vec![Answer { request: Request::Book { email }, reply }];
        if let Some(reference) = booked {
            let path = format!("{section}/bookings/{reference}");
            answers.extend(self.go_on(reference, &path).await);
        }
        answers
    }

    async fn go_on(&self, reference: String, path: &str) -> Option<Answer> {
        let (path, body, request) = match Next::of(self.number, self.at) {
            Next::Nothing => return None,
            Next::Cancel => (format!("{path}/cancel"), json!({}), Request::Cancel { reference }),
            Next::CancelPart => {
                (format!("{path}/cancel"), json!({ "passengers": ["2"] }), Request::Part { reference })
            }
            Next::AcceptChange => {
                let change = self.change(path).await?;
                (format!("{path}/changes/{change}/accept"), json!({}), Request::Accept { reference })
            }
        };
        Some(Answer { reply: self.send_until_answered(&path, "go on", &body).await, request })
    }

    /// What its airline changes now, once it is known here; none where nobody learns it in time.
    async fn change(&self, path: &str) -> Option<String> {
        let order = self.read(path).await?["provider_ref"].clone();
        self.supplier.airline_puts_off(order.as_str().unwrap(), 60).await;
        for _ in 0..TRIES {
            self.read(&format!("{path}/retrieve")).await?;
            if let Some(change) = self.read(path).await?["changes"][0]["id"].as_str() {
                return Some(change.to_owned());
            }
            tokio::time::sleep(AGAIN_AFTER).await;
        }
        None
    }

    /// Reads until there is an answer.
    async fn read(&self, path: &str) -> Option<Value> {
        for _ in 0..TRIES {
            let agent = self.agent.at(&self.url.borrow());
            let reply = agent.try_send(agent.request(reqwest::Method::GET, path)).await;
            match reply {
                Ok(reply) if reply.status == 200 => return Some(reply.json()["data"].clone()),
                _ => tokio::time::sleep(AGAIN_AFTER).await,
            }
        }
        None
    }

    /// Asks until there is an answer, each time under the same key.
    async fn send_until_answered(&self, path: &str, what: &str, body: &Value) -> Option<Reply> {
        let key = format!("{what} of client {}", self.number);
        for _ in 0..TRIES {
            let agent = self.agent.at(&self.url.borrow());
            let reply = ask(&agent, path, &key, body).await;
            let again = reply.as_ref().is_none_or(|reply| reply.status == 500 || is_running(reply));
            if !again {
                return reply;
            }
            tokio::time::sleep(AGAIN_AFTER).await;
        }
        None
    }
}

/// That the first request under the key is still being carried out.
fn is_running(reply: &Reply) -> bool {
    reply.status == 409 && reply.text.contains("idempotency key")
}
