//! The booking desk's search: bookings of all agencies by whatever names them.

use serde_json::{Map, Value};
use wayfare_client::operator::BookingSearch;

use super::{evidence, signed::OperatorSigned};
use crate::{failure::sentence, prelude::*};

const ROWS: u32 = 50;

#[derive(Template)]
#[template(path = "operator/bookings.html")]
struct FindPage {
    shell: Shell,
    q: String,
    agency: String,
    is_asked: bool,
    problem: String,
    rows: Vec<DeskRow>,
    pager: Option<Pager>,
}

/// A booking, an order or something that happened, by its columns.
pub type DeskRow = Map<String, Value>;

/// What stands in a column, as text; nothing where there is nothing.
pub fn column(row: &DeskRow, name: &str) -> String {
    match row.get(name) {
        Some(Value::String(text)) => text.clone(),
        None | Some(Value::Null) => String::new(),
        Some(other) => other.to_string(),
    }
}

/// An amount that stands in a column, in the currency of another one.
pub fn amount(row: &DeskRow, name: &str) -> String {
    let digits = column(row, name);
    let read = digits.parse();
    read.map_or(digits, |amount| money(amount, &column(row, "currency")))
}

pub fn status(word: &str) -> Status {
    crate::booked::status(&wayfare_client::enums::BookingStatus::from(word))
}

/// What the desk's pages say of a booking in places of their own.
const PLACED: &str = "agency agent_id amount booked_at booked_by booking_ref cancelled_at created_at currency \
                      failure orders pnr product provider public_fare route status travel";

/// What else the server says of it, by name.
pub fn others(booking: &DeskRow) -> Vec<(String, String)> {
    let placed: Vec<&str> = PLACED.split(' ').collect();
    evidence::others(booking, &placed, &column(booking, "currency"))
}

/// What is booked.
fn what(found: &DeskRow) -> String {
    let travel = column(found, "travel");
    let what = match travel.is_empty() {
        true => column(found, "route"),
        false => format!("{}, {travel}", column(found, "route")),
    };
    match column(found, "product").as_str() {
        "hotel" => format!("Stay {what}"),
        _ => what,
    }
}

/// `GET /operator/bookings`: a search with one result by its reference leads there.
pub async fn find(signed: OperatorSigned, fields: Fields) -> Answer {
    let search = BookingSearch {
        q: fields.given("q"),
        agency: fields.given("agency").map(|code| code.to_ascii_uppercase()),
        ..BookingSearch::default()
    };
    let mut shown = FindPage {
        shell: signed.shell("Bookings", Area::Bookings).await?,
        q: fields.get("q").to_owned(),
        agency: search.agency.clone().unwrap_or_default(),
        is_asked: search != BookingSearch::default(),
        problem: String::new(),
        rows: Vec::new(),
        pager: None,
    };
    if !shown.is_asked {
        return page::html(&shown);
    }
    let list = signed.session.bookings(&search).per_page(ROWS);
    match list.page(fields.number("page").unwrap_or(1)).await {
        Ok(found) => {
            let query = [("q", shown.q.as_str()), ("agency", &shown.agency)];
            let query = serde_urlencoded::to_string(query).unwrap_or_default();
            shown.pager = Some(Pager::of(&found, &format!("/operator/bookings?{query}")));
            shown.rows = found.items;
        }
        Err(error) if error.is_not_found() => {
            shown.problem = format!("There is no agency {}.", shown.agency);
        }
        Err(error) if error.status() == Some(422) => {
            let faults = error.field_faults();
            let said: Vec<String> = faults.iter().map(|fault| sentence(&fault.reason)).collect();
            shown.problem = match said.is_empty() {
                true => "Type more of it.".to_owned(),
                false => format!("{}.", said.join(". ")),
            };
        }
        Err(error) => return Err(error.into()),
    }
    let only = Some(shown.rows.as_slice()).filter(|rows| rows.len() == 1);
    let only = only.and_then(|rows| rows.first()).map(|only| column(only, "booking_ref"));
    match only.filter(|reference| reference.eq_ignore_ascii_case(&shown.q)) {
        Some(reference) => Ok(see_other(&format!("/operator/bookings/{reference}"))),
        None => page::html(&shown),
    }
}
