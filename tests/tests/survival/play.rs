//! One row of the table, played: a fault at the supplier, a kill, and what must be so in the end.

use std::time::Duration;

use serde_json::{Value, json};
use wayfare_tests::{Person, one_way};

use crate::{
    answers::{Answer, Wish, ask, wrong_answers},
    place::Place,
};

/// What is asked of the supplier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Book,
    Cancel,
    /// Of a held booking.
    Ticket,
}

/// Who is killed, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Killed {
    Nobody,
    Api(When),
    Postgres(When),
}

/// A moment of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// At the point that the code names so.
    At(&'static str),
    /// While the supplier works on it.
    Working,
}

/// One row.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub effect: Effect,
    /// What goes wrong at the supplier; nothing when it is empty.
    pub fault: &'static str,
    pub killed: Killed,
    /// Statuses that the caller may be told; none when no answer can come.
    pub told: &'static [u16],
    /// The booking's status in the end, and a held booking's order's.
    pub end: &'static str,
    /// It is only known when the supplier's quote of the cancellation has lapsed.
    pub late: bool,
}

/// Plays a row; everything that is not as it must be.
pub async fn play(place: &mut Place, agent: &Person, number: usize, row: &Row) -> Vec<String> {
    let email = format!("row{number}@sunrise.example");
    let agent = agent.at(&place.doomed.url);
    let (call, path, body, wish) = request(&agent, row.effect, &email).await;
    if !row.fault.is_empty() {
        place.supplier.next(call, row.fault, 1).await;
    }
    if let Killed::Api(When::At(moment)) | Killed::Postgres(When::At(moment)) = row.killed {
        place.doomed.arm(moment).await;
    }
    let key = format!("row {number}");
    let asking = tokio::spawn({
        let (agent, path, key, body) = (agent.clone(), path.clone(), key.clone(), body.clone());
        async move { ask(&agent, &path, &key, &body).await }
    });
    strike(place, row.killed).await;
    let first = asking.await.unwrap();

    let mut wrong = Vec::new();
    let status = first.as_ref().map(|reply| reply.status);
    if status.is_some_and(|status| !row.told.contains(&status)) || status.is_none() != row.told.is_empty() {
        wrong.push(format!("told {:?}", first.as_ref().map(|reply| &reply.text)));
    }
    let mut answers = vec![first.clone()];
    // A refusal frees the key: the same request would be another.
    if status.is_none_or(|status| status < 300) {
        let again = ask(&agent.at(&place.doomed.url), &path, &key, &body).await;
        match (&again, &first) {
            (Some(again), _) if ![200, 202].contains(&again.status) => {
                wrong.push(format!("told {} when asked again: {}", again.status, again.text));
            }
            (Some(again), Some(first)) if first.status == 200 && again.text != first.text => {
                wrong.push(format!("told otherwise when asked again: {}", again.text));
            }
            (None, _) => wrong.push("not answered when asked again".to_owned()),
            _ => {}
        }
        answers.push(again);
    }
    let under_way = match row.late {
        true => place.settle_much_later().await,
        false => place.settle().await,
    };
    wrong.extend(under_way.iter().map(|what| format!("still under way: {what}")));
    let which = if row.effect == Effect::Ticket { "o" } else { "b" };
    let end = format!(
        "select {which}.status from bookings b
             join supplier_orders o on (o.org_id, o.booking_id) = (b.org_id, b.id)
             where b.product_content->'contact'->>'email' = '{email}'"
    );
    let end = place.books.lines(&end).await;
    if end != [row.end] {
        wrong.push(format!("ended as {end:?}"));
    }
    let answers: Vec<Answer> = answers
        .into_iter()
        .map(|told| Answer {
            wish: wish.clone(),
            told,
        })
        .collect();
    wrong.extend(wrong_answers(&place.books, &answers).await);
    wrong.extend(place.books.wrongs().await);
    place.supplier.all_is_well().await;
    wrong.iter().map(|wrong| format!("{row:?}: {wrong}")).collect()
}

/// Everything up to the request that is played: which call of the supplier it makes, its path, its body.
async fn request(agent: &Person, effect: Effect, email: &str) -> (&'static str, String, Value, Wish) {
    let trip = match effect {
        Effect::Book | Effect::Cancel => one_way("DEL", "BOM"),
        // What is offered there can only be held.
        Effect::Ticket => one_way("JFK", "EWR"),
    };
    // A supplier that has just answered 429 is left alone for a second, and then there are no offers.
    while agent.search(&trip).await["offers"].as_array().unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let mut order = agent.order(&agent.quote_dearest(&trip).await, &trip);
    order["contact_email"] = email.into();
    if effect == Effect::Book {
        let email = email.to_owned();
        return ("book", "/flights/book".to_owned(), order, Wish::Book { email });
    }
    let booked = agent.book(&order).await.ok();
    let reference = booked["booking_ref"].as_str().unwrap().to_owned();
    let path = format!("/flights/bookings/{reference}");
    if effect == Effect::Cancel {
        return (
            "cancel",
            format!("{path}/cancel"),
            json!({}),
            Wish::Cancel { reference },
        );
    }
    let body = json!({ "amount": booked["total_amount"] });
    (
        "ticket",
        format!("{path}/issue-ticket"),
        body,
        Wish::Ticket { reference },
    )
}

/// Kills whom the row kills, at its moment, and lets life go on.
async fn strike(place: &mut Place, killed: Killed) {
    match killed {
        Killed::Nobody => {}
        Killed::Api(when) => {
            await_moment(place, when).await;
            place.restart().await;
        }
        Killed::Postgres(when) => {
            await_moment(place, when).await;
            place.kill_postgres().await;
            if when != When::Working {
                place.doomed.go().await;
            }
            place.revive_postgres().await;
        }
    }
}

async fn await_moment(place: &mut Place, when: When) {
    if when != When::Working {
        return place.doomed.reached().await;
    }
    // The fault is taken by the call that it strikes: from then on the supplier works on it.
    while !place.supplier.waiting().await.is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
