//! One row of the table, played: a fault at the supplier, a kill, and what must be so in the end.

use std::time::{Duration, Instant};

use rust_decimal::Decimal;
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use wayfare_domain::Clock;
use wayfare_launch::SupplierKind;
use wayfare_tests::{Person, Reply, Trip, WorldOptions, amount, one_way, round_trip, sells_stays};

use crate::{
    answers::{Answer, Request, ask, wrong_answers},
    fixture::Fixture,
    stays,
};

/// The processing time, one more deadline, a look-up or two.
const STRUCK_WITHIN: Duration = Duration::from_secs(20);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Book,
    /// The cancellation of a booking that has its tickets.
    Cancel,
    /// The cancellation of one of two travellers of a booking that has its tickets.
    Part,
    /// The cancellation of a held booking.
    Release,
    Ticket,
    /// The second order of a booking of two.
    Second,
    /// A service for a booking that stands.
    Add,
    /// The acceptance of what an airline changed.
    Accept,
    /// The change of a journey at the supplier, as it is made ready.
    Ready,
    Change,
    /// The booking that takes the place of another.
    Replacement,
    /// The cancellation of the booking whose place was taken.
    Original,
    /// The booking that takes the place of one journey of a return of two orders.
    Moved,
    /// The cancellation of the journey whose place was taken, of a return of one order.
    Journey,
}

impl Effect {
    /// The call of the supplier that it is, which the fault strikes.
    fn call(self) -> &'static str {
        match self {
            Self::Book | Self::Second | Self::Replacement | Self::Moved => "book",
            Self::Cancel | Self::Part | Self::Release | Self::Original | Self::Journey => "cancel",
            Self::Ticket | Self::Change => "ticket",
            Self::Add => "add_service",
            Self::Accept | Self::Ready => "change",
        }
    }

    /// Where each booking and its orders stand in the end, when it was carried out and when not.
    fn end(self, done: bool) -> &'static [&'static str] {
        match (self, done) {
            (Self::Book, true)
            | (Self::Cancel | Self::Part | Self::Add | Self::Accept | Self::Ready | Self::Change, false)
            | (Self::Ticket, true) => &["confirmed confirmed"],
            (Self::Part, true) => &["confirmed confirmed with money back"],
            (Self::Book, false) => &["failed failed"],
            (Self::Cancel | Self::Release, true) => &["cancelled cancelled with money back"],
            (Self::Release | Self::Ticket, false) => &["confirmed held"],
            (Self::Second, true) => &["confirmed confirmed confirmed"],
            (Self::Second, false) => &["failed cancelled failed"],
            (Self::Add, true) => &["confirmed confirmed with a service"],
            (Self::Accept, true) => &["confirmed confirmed with its change accepted"],
            (Self::Ready | Self::Change, true) => &["confirmed confirmed with other flights"],
            (Self::Replacement | Self::Original, true) => {
                &["cancelled cancelled with money back", "confirmed confirmed"]
            }
            (Self::Replacement, false) => &["confirmed confirmed", "failed failed"],
            (Self::Original | Self::Journey, false) => &["confirmed confirmed", "confirmed confirmed"],
            // The journey that nobody named is flown.
            (Self::Moved, true) => &["confirmed confirmed cancelled with money back", "confirmed confirmed"],
            (Self::Moved, false) => &["confirmed confirmed confirmed", "failed failed"],
            (Self::Journey, true) => &["confirmed confirmed with money back", "confirmed confirmed"],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Killed {
    Nobody,
    Api(When),
    Postgres(When),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// At the point that the code names so.
    At(&'static str),
    Working,
}

/// How it becomes known at the latest what came of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// By look-ups, within seconds.
    ByItself,
    /// When the supplier's quote has lapsed, within hours.
    AsQuoteLapses,
    /// No look-up tells it: the operator asks at the supplier's desk.
    FromOperator,
}

#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The supplier that the fault strikes.
    pub at: SupplierKind,
    pub effect: Effect,
    /// What goes wrong at the supplier, call by call; nothing when it is empty.
    pub fault: &'static str,
    pub killed: Killed,
    /// Statuses that the caller may be answered; none when no answer can come.
    pub expected_statuses: &'static [u16],
    /// Whether the supplier has done it in the end.
    pub done: bool,
    pub known: Known,
}

impl Row {
    /// Whether its caller may have been told this after so long. On a machine on which everything takes as long as a
    /// supplier may take for an effect, nobody tells what comes just before that from what comes just after it.
    fn may_be_told(&self, status: u16, took: Duration) -> bool {
        let is_slow = took > WorldOptions::hurried().effect_deadline;
        let either = match status {
            202 => is_slow,
            200 | 201 => is_slow && self.fault.starts_with("slow:"),
            _ => false,
        };
        self.expected_statuses.contains(&status) || either
    }

    /// Whether bookings that were asked for so often may have ended so. What was refused just before it was asked for again
    /// has freed its key: the second is another booking, or does to this one what the first did not.
    fn may_end_as(&self, end: &[String], asked: usize, was_refused: bool) -> bool {
        let expected = self.effect.end(self.done);
        if !self.done && asked == 2 && was_refused && end == self.effect.end(true) {
            return true;
        }
        let are_two = self.effect == Effect::Book && !self.done && asked == 2 && end.len() == 2;
        end == expected || are_two && end.first().is_some_and(|first| expected.contains(&first.as_str()))
    }
}

/// Plays a row; everything that is not as it must be.
pub async fn play(fixture: &mut Fixture, agent: &Person, number: usize, row: &Row) -> Vec<String> {
    let email = format!("row{number}@sunrise.example");
    let agent = agent.at(&fixture.crash_target.url);
    let (path, body, request) = request(fixture, &agent, row, &email).await;
    let (supplier, call) = (<&str>::from(row.at), row.effect.call());
    if !row.fault.is_empty() && row.effect == Effect::Second {
        fixture.supplier.next_at(supplier, call, "slow:0", 1).await;
    }
    for fault in row.fault.split_whitespace() {
        fixture.supplier.next_at(supplier, call, fault, 1).await;
    }
    if let Killed::Api(When::At(moment)) | Killed::Postgres(When::At(moment)) = row.killed {
        fixture.crash_target.arm(moment).await;
    }
    let key = format!("row {number}");
    let asked = Instant::now();
    let asking = tokio::spawn({
        let (agent, path, key, body) = (agent.clone(), path.clone(), key.clone(), body.clone());
        async move { ask(&agent, &path, &key, &body).await }
    });
    strike(fixture, row.killed, &asking).await;
    let first = asking.await.unwrap();
    let took = asked.elapsed();

    let mut wrong = Vec::new();
    let status = first.as_ref().map(|reply| reply.status);
    if status.is_some_and(|status| !row.may_be_told(status, took))
        || status.is_none() != row.expected_statuses.is_empty()
    {
        wrong.push(format!("told {:?}", first.as_ref().map(|reply| &reply.text)));
    }
    let mut answers = vec![first.clone()];
    // A refusal frees the key, told or known by now: the same request would be another.
    if status.is_none_or(|status| status < 300) && !is_refused(fixture, row).await {
        let again = ask(&agent.at(&fixture.crash_target.url), &path, &key, &body).await;
        wrong.extend(wrong_again(fixture, row, first.as_ref(), again.as_ref()).await);
        answers.push(again);
    }
    let under_way = match row.known {
        Known::ByItself => fixture.settle().await,
        Known::AsQuoteLapses => {
            all_has_struck(fixture).await;
            fixture.settle_much_later().await
        }
        Known::FromOperator => {
            let (ruled, under_way) = fixture.settle_by_operator().await;
            if ruled == 0 {
                wrong.push("known without the operator".to_owned());
            }
            under_way
        }
    };
    wrong.extend(under_way.iter().map(|what| format!("still under way: {what}")));
    let end = end_of(fixture, &email).await;
    if !row.may_end_as(&end, answers.len(), was_refused(fixture, &email).await) {
        wrong.push(format!("ended as {end:?}"));
    }
    let answers: Vec<Answer> =
        answers.into_iter().map(|reply| Answer { request: request.clone(), reply }).collect();
    wrong.extend(wrong_answers(&fixture.books, &answers).await);
    wrong.extend(fixture.books.wrongs().await);
    fixture.supplier.all_is_well().await;
    wrong
}

async fn is_refused(fixture: &Fixture, row: &Row) -> bool {
    !row.done && fixture.books.under_way().await.is_empty()
}

/// What is wrong with the answer to the same request under the same key.
async fn wrong_again(
    fixture: &Fixture,
    row: &Row,
    first: Option<&Reply>,
    again: Option<&Reply>,
) -> Option<String> {
    match (again, first) {
        // It became known meanwhile.
        (Some(Reply { status: 409, .. }), _) if is_refused(fixture, row).await => None,
        (Some(again), _) if ![200, 201, 202].contains(&again.status) => {
            Some(format!("told {} when asked again: {}", again.status, again.text))
        }
        (Some(again), Some(first)) if first.status < 202 && again.text != first.text => {
            Some(format!("told otherwise when asked again: {}", again.text))
        }
        (None, _) => Some("not answered when asked again".to_owned()),
        _ => None,
    }
}

/// How the bookings of this address, and of the one before it, have ended.
async fn end_of(fixture: &Fixture, email: &str) -> Vec<String> {
    let contacts = fixture.books.contacts().await.into_iter();
    let theirs = contacts.filter(|(_, contact)| *contact == email || *contact == before(email));
    let references: Vec<String> = theirs.map(|(reference, _)| format!("'{reference}'")).collect();
    if references.is_empty() {
        return Vec::new();
    }
    let end = format!(
        "select concat_ws(' ', b.status, (select string_agg(o.status, ' ' order by o.number) from supplier_orders o
                 where (o.org_id, o.booking_id) = (b.org_id, b.id)),
             (select 'with money back' from refunds r
                 where (r.org_id, r.booking_id) = (b.org_id, b.id) and r.status = 'refunded' and r.refund_to_wallet > 0),
             (select 'with a service' from effects e
                 where (e.org_id, e.booking_id) = (b.org_id, b.id) and e.kind = 'add_service' and e.state = 'done'),
             (select 'with its change accepted' from order_changes c
                 where (c.org_id, c.booking_id) = (b.org_id, b.id) and c.state = 'accepted'),
             (select 'with other flights' from order_changes c
                 where (c.org_id, c.booking_id) = (b.org_id, b.id) and c.state = 'chosen'))
             from bookings b where b.booking_ref in ({}) order by b.id",
        references.join(", "),
    );
    fixture.books.lines(&end).await
}

/// Whether a step of theirs was refused.
async fn was_refused(fixture: &Fixture, email: &str) -> bool {
    let contacts = fixture.books.contacts().await.into_iter();
    let theirs = contacts.filter(|(_, contact)| *contact == email || *contact == before(email));
    let references: Vec<String> = theirs.map(|(reference, _)| reference).collect();
    let refused = "select distinct b.booking_ref from effects e
        join bookings b on (b.org_id, b.id) = (e.org_id, e.booking_id) where e.state = 'refused'";
    fixture.books.lines(refused).await.iter().any(|reference| references.contains(reference))
}

/// The address of the booking whose place is taken by that of this address.
fn before(email: &str) -> String {
    format!("before.{email}")
}

/// A booking of two halves, each of a supplier of its own.
async fn two_halves(agent: &Person, email: &str) -> (String, Value, Request) {
    let trip = round_trip("DEL", "BOM");
    let priced = loop {
        let found = agent.search(&trip).await;
        let half = |route_index: u64, supplier: &str| {
            let mut offers = found["offers"].as_array().unwrap().iter().rev();
            let wanted = |offer: &&Value| {
                offer["route_index"] == route_index
                    && offer["type"] == "one_way"
                    && offer["supplier"] == supplier
            };
            offers.find(wanted).map(|offer| offer["offer_id"].clone())
        };
        if let (Some(out), Some(back)) = (half(0, "second"), half(1, "tripjack")) {
            break agent.post("/flights/price", &json!({ "offer_ids": [out, back] })).await.ok();
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    let mut order = agent.order(&priced, &trip);
    order["contact_email"] = email.into();
    ("/flights/book".to_owned(), order, Request::Book { email: email.to_owned() })
}

/// Everything up to the request that has one journey of a return flown on another day: the way back of two orders, or the way
/// out of one.
async fn one_journey(agent: &Person, row: &Row, email: &str) -> (String, Value, Request) {
    let (path, mut order, journey, cities) = match row.effect {
        Effect::Moved => {
            let (path, order, _) = two_halves(agent, &before(email)).await;
            (path, order, 1, ["BOM", "DEL"])
        }
        _ => {
            let trip = round_trip("DEL", "DXB");
            let order = agent.order(&quote(agent, row.at, &trip).await, &trip);
            ("/flights/book".to_owned(), order, 0, ["DEL", "DXB"])
        }
    };
    order["contact_email"] = before(email).into();
    let booked = loop {
        let booked = agent.post(&path, &order).await;
        if booked.status != 503 {
            break booked.ok();
        }
    };
    let reference = booked["booking_ref"].as_str().unwrap().to_owned();
    let path = format!("/flights/bookings/{reference}");
    let mut body = replacement(agent, &path, row.at, (cities, email)).await;
    body["journeys"] = json!([journey]);
    (format!("{path}/reschedule"), body, Request::Move { reference })
}

/// A bag for the traveller of a booking.
async fn service(agent: &Person, path: &str) -> Value {
    let sold = agent.get(&format!("{path}/ssr")).await.ok();
    let first = &sold["SsrDetails"]["Segments"][0];
    assert!(first["Baggage"][0]["Code"].is_string(), "{sold}");
    json!({ "ssr": [{
        "type": "BAGGAGE", "code": first["Baggage"][0]["Code"], "pax_ref": 1, "segment_id": first["SegmentId"],
    }] })
}

/// The id of what its airline has changed of a booking, which a poll has found.
async fn change(fixture: &Fixture, agent: &Person, path: &str) -> String {
    let detail = agent.get(path).await.ok();
    fixture.supplier.airline_puts_off(detail["provider_ref"].as_str().unwrap(), 60).await;
    loop {
        agent.get(&format!("{path}/retrieve")).await.ok();
        let detail = agent.get(path).await.ok();
        // A supplier that has just answered 429 is left alone for a second.
        if let Some(id) = detail["changes"][0]["id"].as_str() {
            return id.to_owned();
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// A change of the only journey of a booking for which more is to be paid.
pub async fn dearer_change(agent: &Person, path: &str) -> Value {
    let first = Clock::system().now().date_naive();
    // A booking of one of the dearest days of the year has few dearer ones.
    for days in 31..330 {
        let asked = json!({
            "origin": "DEL", "destination": "BOM", "new_date": first + chrono::Duration::days(days),
            "include_changes": true,
        });
        let found = agent.post(&format!("{path}/reschedule-avail"), &asked).await.ok();
        let mut found = found.as_array().unwrap().iter();
        let is_dearer = |one: &&Value| {
            one["way"] == "change" && amount(&one["pricing"]["change"]["total"]) > Decimal::ZERO
        };
        if let Some(one) = found.find(is_dearer) {
            return json!({ "fare_keys": [one["fare_key"]] });
        }
    }
    panic!("no day has a change of {path} that costs more");
}

/// The same journey on another day, by the supplier.
async fn replacement(
    agent: &Person,
    path: &str,
    at: SupplierKind,
    ([from, to], email): ([&str; 2], &str),
) -> Value {
    let day = (Clock::system().now() + chrono::Duration::days(40)).date_naive();
    let asked = json!({ "origin": from, "destination": to, "new_date": day });
    let fare_key = loop {
        let found = agent.post(&format!("{path}/reschedule-avail"), &asked).await.ok();
        let mut found = found.as_array().unwrap().iter();
        if let Some(one) = found.find(|one| one["source"] == <&str>::from(at)) {
            break one["fare_key"].clone();
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    json!({
        "fare_keys": [fare_key], "contact_email": email, "contact_phone": "9812345678",
        "contact_country_code": "91",
    })
}

/// Everything up to the booking of a stay, or its cancellation.
async fn of_stay(agent: &Person, row: &Row, email: &str) -> (String, Value, Request) {
    let mut order = stays::order(agent, row.at, stays::next_days()).await;
    order["contact"]["email"] = email.into();
    let path = "/hotels/book";
    if row.effect == Effect::Book {
        return (path.to_owned(), order, Request::Book { email: email.to_owned() });
    }
    let reference = agent.post(path, &order).await.succeeds(201)["booking_ref"].as_str().unwrap().to_owned();
    (format!("/hotels/bookings/{reference}/cancel"), json!({}), Request::Cancel { reference })
}

/// Everything up to the request that is played: its path, its body.
#[allow(clippy::too_many_lines, reason = "a match with an arm for each kind of request")]
async fn request(fixture: &Fixture, agent: &Person, row: &Row, email: &str) -> (String, Value, Request) {
    if sells_stays(row.at) {
        return of_stay(agent, row, email).await;
    }
    if row.effect == Effect::Second {
        return two_halves(agent, email).await;
    }
    if matches!(row.effect, Effect::Moved | Effect::Journey) {
        return one_journey(agent, row, email).await;
    }
    // What this airline sells can be held at either supplier, and a search for one airline is soon done. But it sells
    // nothing for an order that stands.
    let airline = if row.effect == Effect::Add { "6E" } else { "ZZ" };
    let trip = one_way("DEL", "BOM").by(airline);
    let trip = match row.effect {
        // Whoever it is that flies it at any time of the day. Not everybody has his tickets reissued at TripJack.
        Effect::Ready | Effect::Change if row.at != SupplierKind::TripJack => one_way("DEL", "BOM"),
        Effect::Part => trip.party(2, 0, 0),
        _ => trip,
    };
    let mut order = agent.order(&quote(agent, row.at, &trip).await, &trip);
    let is_replaced = matches!(row.effect, Effect::Replacement | Effect::Original);
    order["contact_email"] = if is_replaced { before(email) } else { email.to_owned() }.into();
    order["hold"] = matches!(row.effect, Effect::Release | Effect::Ticket).into();
    if row.effect == Effect::Book {
        return ("/flights/book".to_owned(), order, Request::Book { email: email.to_owned() });
    }
    let booked = loop {
        let booked = agent.book(&order).await;
        // What could not be sent in time, with so many at once, was not sent at all.
        if booked.status != 503 {
            break booked.ok();
        }
    };
    let reference = booked["booking_ref"].as_str().unwrap().to_owned();
    let path = format!("/flights/bookings/{reference}");
    if row.effect == Effect::Ticket {
        let body = json!({ "amount": booked["total_amount"] });
        return (format!("{path}/issue-ticket"), body, Request::Ticket { reference });
    }
    if row.effect == Effect::Add {
        return (format!("{path}/ssr"), service(agent, &path).await, Request::Add { reference });
    }
    if row.effect == Effect::Part {
        return (format!("{path}/cancel"), json!({ "passengers": ["2"] }), Request::Part { reference });
    }
    if row.effect == Effect::Accept {
        let change = change(fixture, agent, &path).await;
        return (format!("{path}/changes/{change}/accept"), json!({}), Request::Accept { reference });
    }
    if matches!(row.effect, Effect::Ready | Effect::Change) {
        let body = dearer_change(agent, &path).await;
        return (format!("{path}/reschedule"), body, Request::Change { reference });
    }
    if is_replaced {
        let body = replacement(agent, &path, row.at, (["DEL", "BOM"], email)).await;
        return (format!("{path}/reschedule"), body, Request::Reschedule { reference });
    }
    (format!("{path}/cancel"), json!({}), Request::Cancel { reference })
}

/// The answer of price to the supplier's dearest offer.
pub async fn quote(agent: &Person, at: SupplierKind, trip: &Trip) -> Value {
    loop {
        if let Some(offer) = agent.dearest_of(<&str>::from(at), trip).await {
            return agent.price(&offer).await.ok();
        }
        // A supplier that has just answered 429 is left alone for a second, and then there are no offers.
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Kills whom the row kills, at its moment, and lets life go on.
async fn strike(fixture: &mut Fixture, killed: Killed, asking: &JoinHandle<Option<Reply>>) {
    match killed {
        Killed::Nobody => {}
        Killed::Api(when) => {
            await_moment(fixture, when).await;
            fixture.restart().await;
        }
        Killed::Postgres(when) => {
            await_moment(fixture, when).await;
            fixture.kill_postgres().await;
            if when != When::Working {
                fixture.crash_target.go().await;
                // A database that came back at once would take what this row is to lose.
                while !asking.is_finished() {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
            fixture.revive_postgres().await;
        }
    }
}

async fn await_moment(fixture: &mut Fixture, when: When) {
    if when != When::Working {
        return fixture.crash_target.reached().await;
    }
    // The fault is taken by the call that it strikes: from then on the supplier works on it.
    fixture.supplier.has_struck().await;
}

/// Waits until what goes wrong at the second request has gone wrong, too: once the quote has lapsed there is none.
async fn all_has_struck(fixture: &Fixture) {
    let patience = Instant::now() + STRUCK_WITHIN;
    while !fixture.supplier.waiting().await.is_empty() && Instant::now() < patience {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
