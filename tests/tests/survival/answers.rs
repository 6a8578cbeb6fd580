//! What callers were told, compared with the end: an answer is never taken back.

use serde_json::Value;
use wayfare_tests::{Books, Person, Reply, amount};

/// What somebody asked for.
#[derive(Clone, Debug)]
pub enum Wish {
    /// A booking; nobody else gives this e-mail address.
    Book {
        /// The address.
        email: String,
    },
    /// The cancellation of a booking.
    Cancel {
        /// Its reference.
        reference: String,
    },
    /// The ticket of a held booking.
    Ticket {
        /// Its reference.
        reference: String,
    },
    /// A service for a booking.
    Add {
        /// Its reference.
        reference: String,
    },
    /// Another booking in the place of this one.
    Reschedule {
        /// Its reference.
        reference: String,
    },
}

/// A wish and what its caller was told; nothing when the connection broke.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The wish.
    pub wish: Wish,
    /// The answer.
    pub told: Option<Reply>,
}

/// Asks under a key; nothing when no answer came.
pub async fn ask(person: &Person, path: &str, key: &str, body: &Value) -> Option<Reply> {
    let request = person.request(reqwest::Method::POST, path);
    let request = request.header("Idempotency-Key", key).json(body);
    person.try_send(request).await.ok()
}

/// A booking as it is in the end.
struct End {
    email: String,
    reference: String,
    status: String,
    amount: String,
    /// Of its first order.
    order: String,
    /// How often a service was added to it.
    services: String,
}

impl End {
    fn stands(&self) -> bool {
        ["confirmed", "cancelled"].contains(&self.status.as_str())
    }
}

/// Every answer that the end gives the lie.
pub async fn wrong_answers(books: &Books, answers: &[Answer]) -> Vec<String> {
    let lines = books
        .lines(
            "select concat_ws(' ', b.product_content->'contact'->>'email', b.booking_ref, b.status, b.amount, o.status,
                 (select count(*) from effects e where (e.org_id, e.booking_id) = (b.org_id, b.id)
                     and e.kind = 'add_service' and e.state = 'done'))
                 from bookings b join supplier_orders o on (o.org_id, o.booking_id) = (b.org_id, b.id) and o.number = 1",
        )
        .await;
    let ends: Vec<End> = lines
        .iter()
        .map(|line| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let [email, reference, status, amount, order, services] = words.try_into().unwrap();
            End {
                email,
                reference,
                status,
                amount,
                order,
                services,
            }
        })
        .collect();
    answers.iter().filter_map(|answer| lie(answer, &ends)).collect()
}

fn lie(answer: &Answer, ends: &[End]) -> Option<String> {
    let find = |reference: &str| ends.iter().find(|end| end.reference == reference).unwrap();
    let (who, wrong) = match &answer.wish {
        Wish::Book { email } => {
            let mine: Vec<&End> = ends.iter().filter(|end| end.email == *email).collect();
            (email, wrong_about_booking(answer.told.as_ref(), &mine)?)
        }
        Wish::Cancel { reference } => {
            let done = find(reference).status == "cancelled";
            (reference, wrong_about(answer.told.as_ref()?, done)?)
        }
        Wish::Add { reference } => {
            let services = &find(reference).services;
            if !["0", "1"].contains(&services.as_str()) {
                return Some(format!("{reference}: {services} services were added"));
            }
            (reference, wrong_about(answer.told.as_ref()?, services == "1")?)
        }
        Wish::Reschedule { reference } => {
            let told = answer.told.as_ref()?;
            let done = find(reference).status == "cancelled";
            let stands = told.status == 200 && told.json()["data"]["cancellation"]["status"] == "failed";
            (
                reference,
                match stands {
                    true if done => "told that the original stands, but it is cancelled",
                    true => return None,
                    false => wrong_about(told, done)?,
                },
            )
        }
        Wish::Ticket { reference } => {
            let done = find(reference).order == "confirmed";
            (reference, wrong_about(answer.told.as_ref()?, done)?)
        }
    };
    let told = answer
        .told
        .as_ref()
        .map(|reply| format!("{} {}", reply.status, reply.text));
    Some(format!("{who}: {wrong}; told {told:?}"))
}

fn wrong_about_booking(told: Option<&Reply>, mine: &[&End]) -> Option<&'static str> {
    let mut standing = mine.iter().filter(|end| end.stands());
    let stands = standing.next();
    if standing.next().is_some() {
        return Some("booked twice");
    }
    let told = told?;
    if told.status >= 300 {
        return stands.is_some().then_some("told an error, but it is booked");
    }
    let data = &told.json()["data"];
    let Some(named) = mine
        .iter()
        .find(|end| data["booking_ref"] == end.reference.as_str())
    else {
        return Some("told of a booking that is not there");
    };
    if told.status == 202 {
        return None;
    }
    if !named.stands() {
        return Some("told that it is booked, but it is not");
    }
    // Of a stay it is told otherwise; the answer of a look at a booking of flights names no total.
    let total = data
        .get("total_amount")
        .or_else(|| data.pointer("/pricing/total_paid"));
    let charged = total.is_none_or(|total| amount(total) == named.amount.parse().unwrap());
    (!charged).then_some("charged another amount than was told")
}

fn wrong_about(told: &Reply, done: bool) -> Option<&'static str> {
    match told.status {
        200 if !done => Some("told that it is done, but it is not"),
        300.. if done => Some("told an error, but it is done"),
        _ => None,
    }
}
