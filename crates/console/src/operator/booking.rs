//! One booking at the desk: how it stands, its orders, and everything that happened to it.

use serde_json::Value;
use uuid::Uuid;
use wayfare_client::operator::DeskBooking;

use super::{
    bookings::{DeskRow, amount, column, others},
    evidence::{self, Entry},
    signed::OperatorSigned,
};
use crate::prelude::*;

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
    found: DeskBooking,
    done: String,
    wrongs: Wrongs,
}

impl BookingPage {
    fn column(&self, name: &str) -> String {
        column(&self.found.booking, name)
    }

    fn facts(&self) -> Vec<(String, String)> {
        let fact = |(name, label): (&str, &str)| {
            let value = self.column(name);
            (label.to_owned(), evidence::moment(&value).map_or(value, |at| at.text))
        };
        let mut facts: Vec<_> = FACTS.into_iter().map(fact).collect();
        facts.push(("Wallet paid".to_owned(), amount(&self.found.booking, "amount")));
        facts.push(("Public fare".to_owned(), amount(&self.found.booking, "public_fare")));
        facts.push(("Why it failed".to_owned(), self.column("failure")));
        facts.extend(others(&self.found.booking));
        facts.retain(|(_, value)| !value.is_empty());
        facts
    }

    fn happened(&self) -> Vec<Entry> {
        evidence::entries(&self.found.happened, &self.column("currency"))
    }

    /// Debit notes that the wallet does not cover yet.
    fn due(&self) -> Vec<&DeskRow> {
        let is_due = |row: &&DeskRow| {
            let is = |name: &str, word: &str| row.get(name).and_then(Value::as_str) == Some(word);
            is("what", "ruling") && is("kind", "debit_note") && is("state", "due")
        };
        self.found.happened.iter().filter(is_due).collect()
    }
}

pub fn orders(booking: &DeskRow) -> Vec<&DeskRow> {
    let rows = booking.get("orders").and_then(Value::as_array).into_iter().flatten();
    rows.filter_map(Value::as_object).collect()
}

/// The texts of a column that has several.
fn texts(row: &DeskRow, name: &str) -> String {
    let listed = row.get(name).and_then(Value::as_array).into_iter().flatten();
    let texts = listed.filter_map(Value::as_str).filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join(", ")
}

fn total(order: &DeskRow) -> String {
    let total = order.get("total").and_then(Value::as_object);
    total.map(|total| amount(total, "amount")).unwrap_or_default()
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
    let (shell, found) = futures_util::try_join!(shell, signed.session.booking(reference))?;
    Ok(BookingPage { shell, found, done, wrongs })
}

/// `POST /operator/bookings/{ref}/rulings/{id}/withdraw`.
pub async fn withdraw(signed: OperatorSigned, path: Path<(String, Uuid)>, fields: Fields) -> Answer {
    let (reference, id) = path.into_inner();
    let withdrawn = signed.session.withdraw_ruling(&reference, id, fields.get("note")).await;
    let Err(error) = withdrawn else {
        return Ok(see_other(&format!("/operator/bookings/{reference}?done=withdrawn")));
    };
    let wrongs = Wrongs::refused(error, "")?;
    page::unprocessable(&booking_page(&signed, &reference, String::new(), wrongs).await?)
}

/// `POST /operator/bookings/{ref}/look`.
pub async fn look(signed: OperatorSigned, reference: Path<String>) -> Answer {
    let looked = signed.session.look(&reference).await?;
    Ok(see_other(&format!("/operator/bookings/{reference}?done=looked&n={}", looked.looked)))
}
