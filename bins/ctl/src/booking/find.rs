//! `wayfarectl booking find`.

use std::borrow::Cow;

use chrono::NaiveDate;
use clap::{
    ArgGroup, Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use serde::Serialize;
use serde_json::{Map, Value};
use wayfare_domain::{AgencyCode, BookingRef, BookingStatus, PageRequest};
use wayfare_operations::operator::desk::{self, Search};

use crate::{
    installation::Installation,
    output::{Done, Output, Row, Table},
};

/// Bookings on a page.
const PER_PAGE: u32 = 20;

/// The first columns of a row, in order; what else it has comes behind them.
const COLUMNS: &str =
    "booking_ref agent_id product status provider pnr booked_by route travel amount currency created_at";

/// What narrows a search: a status alone does not.
const KNOWN: [&str; 9] =
    ["reference", "pnr", "ticket", "name", "email", "order_id", "agency", "travel", "booked"];

/// What is known of it.
#[derive(Args)]
#[command(group = ArgGroup::new("known").required(true).multiple(true).args(KNOWN))]
pub struct Find {
    /// Its reference
    #[arg(long = "ref")]
    reference: Option<BookingRef>,
    /// A locator: the supplier's, an airline's or a hotel's
    #[arg(long)]
    pnr: Option<String>,
    /// The number of a ticket
    #[arg(long)]
    ticket: Option<String>,
    /// A traveller's or guest's family name; exact, but for accents and case
    #[arg(long, value_name = "FAMILY[/GIVEN]")]
    name: Option<String>,
    /// The e-mail address of its contact
    #[arg(long)]
    email: Option<String>,
    /// The supplier of --order-id
    #[arg(long, value_name = "CODE", requires = "order_id")]
    supplier: Option<String>,
    /// The supplier's id of one of its orders
    #[arg(long, value_name = "ID", requires = "supplier")]
    order_id: Option<String>,
    /// Its agency
    #[arg(long, value_name = "AGENT_ID")]
    agency: Option<AgencyCode>,
    /// The first day of the journey or stay: a day, or FROM..TO
    #[arg(long, value_name = "DAYS", value_parser = days)]
    travel: Option<Days>,
    /// When it was booked, UTC: a day, or FROM..TO
    #[arg(long, value_name = "DAYS", value_parser = days)]
    booked: Option<Days>,
    /// Only those of this status
    #[arg(
        long,
        value_parser = PossibleValuesParser::new(BookingStatus::WORDS)
            .try_map(|status| status.parse::<BookingStatus>())
    )]
    status: Option<BookingStatus>,
    /// Which page
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    page: u32,
}

/// Days from one to another, both of them counted.
type Days = (NaiveDate, NaiveDate);

fn days(text: &str) -> Result<Days, String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let day = |text: &str| {
        let day = text.parse::<NaiveDate>();
        day.map_err(|_| format!("{text:?} is no day such as 2027-01-31"))
    };
    let (from, to) = (day(from)?, day(to)?);
    match from <= to {
        true => Ok((from, to)),
        false => Err("the first day is after the last".to_owned()),
    }
}

impl Find {
    /// Does it.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let page = self.page;
        let search = Search {
            reference: self.reference,
            pnr: self.pnr,
            ticket: self.ticket,
            name: self.name,
            email: self.email,
            order: self.supplier.zip(self.order_id),
            agency: self.agency,
            travel: self.travel,
            booked: self.booked,
            status: self.status,
        };
        let work = installation.with_platform(async |platform| {
            let request = PageRequest { page, per_page: PER_PAGE };
            let found = desk::find(platform, search.clone(), request).await?;
            output.print_table(&Found {
                page,
                total_pages: found.total_pages(),
                total: found.total,
                bookings: found.items,
            })
        });
        work.await
    }
}

#[derive(Serialize)]
struct Found {
    bookings: Vec<Map<String, Value>>,
    page: u32,
    total_pages: i64,
    total: i64,
}

impl Found {
    fn columns(&self) -> Vec<&str> {
        let mut columns: Vec<&str> = COLUMNS.split(' ').collect();
        let all = self.bookings.first().into_iter().flat_map(Map::keys).map(String::as_str);
        columns.extend(all.filter(|name| COLUMNS.split(' ').all(|known| known != *name)));
        columns
    }
}

impl Table for Found {
    fn head(&self) -> Cow<'_, str> {
        self.columns().join(" ").into()
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let cell = |row: &Map<String, Value>, column: &str| match row.get(column) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        let columns = self.columns();
        let row = |row: &Map<String, Value>| columns.iter().map(|column| cell(row, column).into()).collect();
        self.bookings.iter().map(row).collect()
    }

    fn foot(&self) -> Option<String> {
        let pages = self.total_pages.max(1);
        Some(format!("{} in all, page {} of {pages}", self.total, self.page))
    }
}
