//! Bookings of all agencies, found by what somebody on the telephone can name.

use chrono::{Days, NaiveDate, NaiveTime};
use wayfare_boxed::boxed;
use wayfare_domain::{AgencyCode, BookingRef, BookingStatus, Faults, Page, PageRequest};
use wayfare_store::booking::desk::{self, DeskRow, Wanted};

use crate::{Platform, Result, operator::agency_of, people::sealed};

/// What is known of a booking: all of it has to fit.
#[derive(Clone, Debug, Default)]
pub struct Search {
    pub reference: Option<BookingRef>,
    pub pnr: Option<String>,
    pub ticket: Option<String>,
    /// A family name, and a given name after a slash.
    pub name: Option<String>,
    pub email: Option<String>,
    /// A supplier and its id of an order.
    pub order: Option<(String, String)>,
    pub agency: Option<AgencyCode>,
    /// The first day of the journey or stay: from, to.
    pub travel: Option<(NaiveDate, NaiveDate)>,
    /// The days on which it was booked, UTC: from, to.
    pub booked: Option<(NaiveDate, NaiveDate)>,
    pub status: Option<BookingStatus>,
}

/// A page of the bookings that fit, newest first.
///
/// # Errors
/// [`crate::Error::Invalid`] where nothing is given that narrows it but a status; [`crate::Error::NotFound`] for an unknown
/// agency.
#[boxed]
pub async fn find(platform: &Platform, search: Search, request: PageRequest) -> Result<Page<DeskRow>> {
    let mut connection = platform.core.database.connection().await?;
    let organization = match &search.agency {
        Some(agency) => Some(agency_of(&mut connection, agency).await?.id),
        None => None,
    };
    let names = search.name.as_deref().map(|name| {
        let mut keys = sealed::full_name_keys(&platform.core, name);
        if !name.contains('/') {
            keys.extend(sealed::family_name_keys(&platform.core, name));
        }
        keys
    });
    let instant = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc();
    let booked = search.booked.map(|(from, to)| {
        let after = to.checked_add_days(Days::new(1)).unwrap_or(to);
        (instant(from), instant(after))
    });
    let wanted = Wanted {
        reference: search.reference,
        pnr: search.pnr,
        ticket: search.ticket,
        names: names.unwrap_or_default(),
        emails: search.email.iter().map(|email| sealed::email_key(&platform.core, email)).collect(),
        order: search.order,
        organization,
        travel: search.travel,
        booked,
        status: search.status,
    };
    if !wanted.is_narrow() {
        return Err(Faults::of("search", "needs more than a status").into());
    }
    Ok(desk::find(&mut connection, &wanted, request).await?)
}

/// A page of the bookings that this text may name: a reference, an e-mail address, a name `LAST/FIRST`, a locator, the number of
/// a ticket or a supplier's id of an order. What it can be is tried in turn, and the first that something fits is the answer.
///
/// # Errors
/// As of [`find`].
#[boxed]
pub async fn find_any(
    platform: &Platform,
    text: &str,
    search: Search,
    request: PageRequest,
) -> Result<Page<DeskRow>> {
    let mut page = None;
    for read in readings(platform, text.trim(), &search) {
        let found = find(platform, read, request).await?;
        let is_any = found.total > 0;
        page = Some(found);
        if is_any {
            break;
        }
    }
    page.ok_or_else(|| Faults::of("q", "this field is required").into())
}

fn readings(platform: &Platform, text: &str, search: &Search) -> Vec<Search> {
    let with = |change: &dyn Fn(&mut Search)| {
        let mut read = search.clone();
        change(&mut read);
        read
    };
    if text.is_empty() {
        return Vec::new();
    }
    if let Some(reference) = BookingRef::parse(text) {
        return vec![with(&|read| read.reference = Some(reference.clone()))];
    }
    if text.contains('@') {
        return vec![with(&|read| read.email = Some(text.to_owned()))];
    }
    let name = with(&|read| read.name = Some(text.to_owned()));
    if text.contains('/') && !text.contains(char::is_numeric) {
        return vec![name];
    }
    let mut read = vec![
        with(&|read| read.pnr = Some(text.to_owned())),
        with(&|read| read.ticket = Some(text.to_owned())),
    ];
    for supplier in platform.suppliers.permit_use().into_keys() {
        read.push(with(&|read| {
            read.order = Some((supplier.to_owned(), text.to_owned()));
        }));
    }
    read.push(name);
    read
}
