//! The booking desk's search: bookings of all agencies by whatever names them.

use askama::Template;
use serde_json::{Map, Value};
use wayfare_client::operator::BookingSearch;

use super::{evidence::moment, signed::OperatorSigned};
use crate::{
    day::Moment,
    failure::sentence,
    form::Fields,
    money::money,
    page::{self, Answer, Pager, Shell, Status},
    see_other,
    side::Area,
};

const ROWS: u32 = 50;

#[derive(Template)]
#[template(path = "operator/bookings.html")]
struct FindPage {
    shell: Shell,
    q: String,
    agency: String,
    is_asked: bool,
    problem: String,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    reference: String,
    agency: String,
    what: String,
    pnr: String,
    supplier: String,
    booked: Option<Moment>,
    amount: String,
    status: Status,
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
    crate::today::status(&wayfare_client::enums::BookingStatus::from(word))
}

fn row(found: &DeskRow) -> Row {
    let travel = column(found, "travel");
    let what = match travel.is_empty() {
        true => column(found, "route"),
        false => format!("{}, {travel}", column(found, "route")),
    };
    Row {
        reference: column(found, "booking_ref"),
        agency: column(found, "agent_id"),
        what: match column(found, "product").as_str() {
            "hotel" => format!("Stay {what}"),
            _ => what,
        },
        pnr: column(found, "pnr"),
        supplier: column(found, "provider"),
        booked: moment(&column(found, "created_at")),
        amount: amount(found, "amount"),
        status: status(&column(found, "status")),
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
        pager: Pager { page: 1, pages: 1, total: 0, before: None, next: None },
    };
    if !shown.is_asked {
        return page::html(&shown);
    }
    let list = signed.session.bookings(&search).per_page(ROWS);
    match list.page(fields.number("page").unwrap_or(1)).await {
        Ok(found) => {
            shown.rows = found.items.iter().map(row).collect();
            let query = [("q", shown.q.as_str()), ("agency", &shown.agency)];
            let query = serde_urlencoded::to_string(query).unwrap_or_default();
            shown.pager = Pager::of(&found, &format!("/operator/bookings?{query}"));
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
    match shown.rows.as_slice() {
        [only] if only.reference.eq_ignore_ascii_case(&shown.q) => {
            Ok(see_other(&format!("/operator/bookings/{}", only.reference)))
        }
        _ => page::html(&shown),
    }
}
