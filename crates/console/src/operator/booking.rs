//! One booking at the desk: how it stands, its orders, and everything that happened to it.

use actix_web::{http::StatusCode, web::Path};
use askama::Template;
use serde_json::Value;
use uuid::Uuid;

use super::{
    bookings::{DeskRow, amount, column, status},
    evidence::{self, Entry},
    incidents::with,
    signed::{OperatorSigned, refused},
};
use crate::{
    failure::Failure,
    form::{Fields, Wrongs},
    page::{self, Answer, Shell, Status},
    see_other,
    side::Area,
};

/// What of a booking is said beside its orders, and what it is called.
const FACTS: [(&str, &str); 7] = [
    ("product", "Product"),
    ("provider", "Supplier"),
    ("pnr", "PNR"),
    ("booked_by", "Booked by"),
    ("created_at", "Asked for"),
    ("booked_at", "Booked"),
    ("cancelled_at", "Cancelled"),
];

#[derive(Template)]
#[template(path = "operator/booking.html")]
struct BookingPage {
    shell: Shell,
    reference: String,
    status: Status,
    what: String,
    agency: String,
    agency_code: String,
    facts: Vec<(&'static str, String)>,
    orders: Vec<Order>,
    happened: Vec<Entry>,
    due: Vec<DueNote>,
    done: String,
    wrongs: Wrongs,
}

/// A debit note that the wallet does not cover yet.
struct DueNote {
    id: String,
    order: String,
    amount: String,
    note: String,
}

pub struct Order {
    pub number: String,
    pub reference: String,
    pub supplier: String,
    pub id: String,
    pub locators: String,
    pub tickets: String,
    pub total: String,
    pub status: String,
}

pub fn orders(booking: &DeskRow) -> Vec<Order> {
    let rows = booking.get("orders").and_then(Value::as_array).into_iter().flatten();
    let rows = rows.filter_map(Value::as_object);
    rows.map(order).collect()
}

fn order(row: &DeskRow) -> Order {
    let texts = |name: &str| {
        let listed = row.get(name).and_then(Value::as_array).into_iter().flatten();
        let texts = listed.filter_map(Value::as_str).filter(|text| !text.is_empty());
        texts.collect::<Vec<_>>().join(", ")
    };
    let total = row.get("total").and_then(Value::as_object);
    Order {
        number: column(row, "order"),
        reference: column(row, "reference"),
        supplier: column(row, "supplier"),
        id: column(row, "order_id"),
        locators: texts("locators"),
        tickets: texts("tickets"),
        total: total.map(|total| amount(total, "amount")).unwrap_or_default(),
        status: column(row, "status"),
    }
}

/// `GET /operator/bookings/{ref}`.
pub async fn show(signed: OperatorSigned, reference: Path<String>, fields: Fields) -> Answer {
    let done = match fields.get("done") {
        "looked" => format!("Looked at: {} of its orders.", fields.number::<u32>("n").unwrap_or(0)),
        "corrected" => "The number is corrected.".to_owned(),
        "ruled" => "The ruling is carried out.".to_owned(),
        "due" => "The wallet does not cover it yet: the debit note is due, and nothing has moved.".to_owned(),
        "withdrawn" => "The debit note is withdrawn. Nothing has moved.".to_owned(),
        _ => String::new(),
    };
    page::html(&booking_page(&signed, &reference, done, Wrongs::default()).await?)
}

async fn booking_page(
    signed: &OperatorSigned,
    reference: &str,
    done: String,
    wrongs: Wrongs,
) -> Result<BookingPage, Failure> {
    let title = format!("Booking {reference}");
    let shell = signed.shell(&title, Area::Bookings);
    let (shell, shown) = futures_util::try_join!(shell, signed.session.booking(reference))?;
    let booking = &shown.booking;
    let mut facts: Vec<_> = FACTS
        .into_iter()
        .map(|(name, label)| {
            let value = column(booking, name);
            (label, evidence::moment(&value).map_or(value, |at| at.text))
        })
        .collect();
    facts.push(("Wallet paid", amount(booking, "amount")));
    facts.push(("Public fare", amount(booking, "public_fare")));
    facts.push(("Why it failed", column(booking, "failure")));
    facts.retain(|(_, value)| !value.is_empty());
    Ok(BookingPage {
        shell,
        reference: column(booking, "booking_ref"),
        status: status(&column(booking, "status")),
        what: column(booking, "route"),
        agency: column(booking, "agency"),
        agency_code: column(booking, "agent_id"),
        facts,
        orders: orders(booking),
        happened: evidence::entries(&shown.happened, &column(booking, "currency")),
        due: due_notes(&shown.happened),
        done,
        wrongs,
    })
}

fn due_notes(happened: &[DeskRow]) -> Vec<DueNote> {
    let is_due = |row: &&DeskRow| {
        let is = |name: &str, word: &str| row.get(name).and_then(Value::as_str) == Some(word);
        is("what", "ruling") && is("kind", "debit_note") && is("state", "due")
    };
    let rows = happened.iter().filter(is_due);
    rows.map(|row| DueNote {
        id: column(row, "id"),
        order: column(row, "order"),
        amount: amount(row, "amount"),
        note: column(row, "note"),
    })
    .collect()
}

/// `POST /operator/bookings/{ref}/rulings/{id}/withdraw`.
pub async fn withdraw(signed: OperatorSigned, path: Path<(String, Uuid)>, fields: Fields) -> Answer {
    let (reference, id) = path.into_inner();
    let withdrawn = signed.session.withdraw_ruling(&reference, id, fields.get("note")).await;
    let wrongs = match withdrawn {
        Ok(_) => {
            let path = format!("/operator/bookings/{reference}");
            return Ok(see_other(&with(&path, "done", "withdrawn")));
        }
        Err(error) => refused(error)?,
    };
    let shown = booking_page(&signed, &reference, String::new(), wrongs).await?;
    page::html_with(StatusCode::UNPROCESSABLE_ENTITY, &shown)
}

/// `POST /operator/bookings/{ref}/look`.
pub async fn look(signed: OperatorSigned, reference: Path<String>) -> Answer {
    let looked = signed.session.look(&reference).await?;
    let path = with(&format!("/operator/bookings/{reference}"), "done", "looked");
    Ok(see_other(&with(&path, "n", &looked.looked.to_string())))
}
