//! Bookings of all agencies, found by what somebody on the telephone can name.

use chrono::{Days, NaiveDate, NaiveTime};
use wayfare_domain::{AgencyCode, BookingRef, BookingStatus, Faults, Page, PageRequest};
use wayfare_store::booking::desk::{self, DeskRow, Wanted};

use crate::{Platform, Result, operator::agency_of, people::sealed};

/// What is known of a booking: all of it has to fit.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Its reference.
    pub reference: Option<BookingRef>,
    /// A locator.
    pub pnr: Option<String>,
    /// The number of a ticket.
    pub ticket: Option<String>,
    /// A family name, and a given name after a slash.
    pub name: Option<String>,
    /// An e-mail address.
    pub email: Option<String>,
    /// A supplier and its id of an order.
    pub order: Option<(String, String)>,
    /// Its agency.
    pub agency: Option<AgencyCode>,
    /// The first day of the journey or stay: from, to.
    pub travel: Option<(NaiveDate, NaiveDate)>,
    /// The days on which it was booked, UTC: from, to.
    pub booked: Option<(NaiveDate, NaiveDate)>,
    /// Where it stands.
    pub status: Option<BookingStatus>,
}

/// A page of the bookings that fit, newest first.
///
/// # Errors
/// [`crate::Error::Invalid`] where nothing is given that narrows it but a status; [`crate::Error::NotFound`] for an unknown
/// agency.
pub async fn find(platform: &Platform, search: Search, request: PageRequest) -> Result<Page<DeskRow>> {
    let mut connection = platform.database.connection().await?;
    let organization = match &search.agency {
        Some(agency) => Some(agency_of(&mut connection, agency).await?.id),
        None => None,
    };
    let names = search.name.as_deref().map(|name| match name.split_once('/') {
        Some((last, first)) => sealed::name_keys(platform, last, Some(first)),
        None => sealed::name_keys(platform, name, None),
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
        emails: search
            .email
            .iter()
            .map(|email| sealed::email_key(platform, email))
            .collect(),
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
