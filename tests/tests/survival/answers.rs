//! What callers were told, compared with the end: an answer is never taken back.

use std::collections::HashMap;

use serde_json::Value;
use wayfare_tests::{Books, Person, Reply, amount};

#[derive(Clone, Debug)]
pub enum Request {
    /// A booking; nobody else gives this e-mail address.
    Book {
        email: String,
    },
    Cancel {
        reference: String,
    },
    /// The cancellation of a part of a booking.
    Part {
        reference: String,
    },
    Ticket {
        reference: String,
    },
    Add {
        reference: String,
    },
    /// That what its airline changed is accepted.
    Accept {
        reference: String,
    },
    /// Other flights for its journey, by a change at its supplier.
    Change {
        reference: String,
    },
    /// Another booking in the place of this one.
    Reschedule {
        reference: String,
    },
    /// Another booking in the place of one journey of this one.
    Move {
        reference: String,
    },
}

/// A request and its answer; none when the connection broke.
#[derive(Clone, Debug)]
pub struct Answer {
    pub request: Request,
    pub reply: Option<Reply>,
}

/// Asks under a key; nothing when no answer came.
pub async fn ask(person: &Person, path: &str, key: &str, body: &Value) -> Option<Reply> {
    let request = person.request(reqwest::Method::POST, path).header("Idempotency-Key", key).json(body);
    person.try_send(request).await.ok()
}

struct End {
    email: String,
    reference: String,
    status: String,
    amount: String,
    /// Of its first order.
    order: String,
    /// How often a service was added to it.
    services: String,
    /// How many changes of its airline were accepted.
    accepted: String,
    /// How many parts of it were given back.
    parts: String,
    /// How often its flights were changed at the supplier.
    changed: String,
    /// How many refunds of it were paid.
    refunded: String,
}

impl End {
    fn was_made(&self) -> bool {
        ["confirmed", "cancelled"].contains(&self.status.as_str())
    }
}

/// Every answer that the end gives the lie.
pub async fn wrong_answers(books: &Books, answers: &[Answer]) -> Vec<String> {
    let query = "select concat_ws(' ', b.booking_ref, b.status, b.amount, o.status,
         (select count(*) from effects e where (e.org_id, e.booking_id) = (b.org_id, b.id)
             and e.kind = 'add_service' and e.state = 'done'),
         (select count(*) from order_changes c where (c.org_id, c.booking_id) = (b.org_id, b.id)
             and c.state = 'accepted'),
         (select count(*) from refunds r where (r.org_id, r.booking_id) = (b.org_id, b.id)
             and r.status = 'refunded' and r.part is not null),
         (select count(*) from effects e where (e.org_id, e.booking_id) = (b.org_id, b.id)
             and e.kind = 'change' and e.state = 'done'),
         (select count(*) from refunds r where (r.org_id, r.booking_id) = (b.org_id, b.id)
             and r.status = 'refunded'))
         from bookings b join supplier_orders o on (o.org_id, o.booking_id) = (b.org_id, b.id) and o.number = 1";
    let lines = books.lines(query).await;
    let contacts: HashMap<String, String> = books.contacts().await.into_iter().collect();
    let ends: Vec<End> = lines
        .iter()
        .map(|line| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let [reference, status, amount, order, services, accepted, parts, changed, refunded] =
                words.try_into().unwrap();
            End {
                email: contacts[&reference].clone(),
                reference,
                status,
                amount,
                order,
                services,
                accepted,
                parts,
                changed,
                refunded,
            }
        })
        .collect();
    answers.iter().filter_map(|answer| lie(answer, &ends)).collect()
}

fn lie(answer: &Answer, ends: &[End]) -> Option<String> {
    let find = |reference: &str| ends.iter().find(|end| end.reference == reference).unwrap();
    let (who, wrong) = match &answer.request {
        Request::Book { email } => {
            let mine: Vec<&End> = ends.iter().filter(|end| end.email == *email).collect();
            (email, wrong_about_booking(answer.reply.as_ref(), &mine)?)
        }
        Request::Cancel { reference } => {
            (reference, wrong_about(answer.reply.as_ref()?, find(reference).status == "cancelled")?)
        }
        Request::Part { reference } | Request::Change { reference } | Request::Add { reference } => {
            let end = find(reference);
            let (times, what) = match &answer.request {
                Request::Part { .. } => (&end.parts, "parts were given back"),
                Request::Change { .. } => (&end.changed, "changes of its flights were made"),
                _ => (&end.services, "services were added"),
            };
            if !["0", "1"].contains(&times.as_str()) {
                return Some(format!("{reference}: {times} {what}"));
            }
            (reference, wrong_about(answer.reply.as_ref()?, times == "1")?)
        }
        Request::Accept { reference } => {
            (reference, wrong_about(answer.reply.as_ref()?, find(reference).accepted == "1")?)
        }
        Request::Reschedule { reference } | Request::Move { reference } => {
            let reply = answer.reply.as_ref()?;
            let end = find(reference);
            let done = match &answer.request {
                Request::Move { .. } => end.refunded == "1",
                _ => end.status == "cancelled",
            };
            let is_refused =
                reply.status == 200 && reply.json()["data"]["cancellation"]["status"] == "failed";
            (
                reference,
                match is_refused {
                    true if done => "told that the original stands, but it is cancelled",
                    true => return None,
                    false => wrong_about(reply, done)?,
                },
            )
        }
        Request::Ticket { reference } => {
            (reference, wrong_about(answer.reply.as_ref()?, find(reference).order == "confirmed")?)
        }
    };
    let answered = answer.reply.as_ref().map(|reply| format!("{} {}", reply.status, reply.text));
    Some(format!("{who}: {wrong}; told {answered:?}"))
}

fn wrong_about_booking(reply: Option<&Reply>, mine: &[&End]) -> Option<&'static str> {
    let mut made = mine.iter().filter(|end| end.was_made());
    let first = made.next();
    if made.next().is_some() {
        return Some("booked twice");
    }
    let reply = reply?;
    if reply.status >= 300 {
        return first.is_some().then_some("told an error, but it is booked");
    }
    let data = &reply.json()["data"];
    let Some(named) = mine.iter().find(|end| data["booking_ref"] == end.reference.as_str()) else {
        return Some("told of a booking that is not there");
    };
    if reply.status == 202 {
        return None;
    }
    if !named.was_made() {
        return Some("told that it is booked, but it is not");
    }
    // Of a stay it is told otherwise; the answer of a look at a booking of flights names no total.
    let total = data.get("total_amount").or_else(|| data.pointer("/pricing/total_paid"));
    let charged = total.is_none_or(|total| amount(total) == named.amount.parse().unwrap());
    (!charged).then_some("charged another amount than was told")
}

fn wrong_about(reply: &Reply, done: bool) -> Option<&'static str> {
    match reply.status {
        200 if !done => Some("told that it is done, but it is not"),
        300.. if done => Some("told an error, but it is done"),
        _ => None,
    }
}
