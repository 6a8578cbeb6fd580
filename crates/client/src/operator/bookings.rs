//! The booking desk: bookings of all agencies, found, seen, corrected and ruled on.

use chrono::NaiveDate;
use reqwest::Method;
use serde_json::{Map, Value};
use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::operator::{Correction, DeskBooking, Looked, Ruling, RulingRequest, WithdrawRuling};

use super::OperatorSession;
use crate::{
    List,
    call::{Ask, Keyed},
    error::Result,
    retries::Effort,
};

/// What is known of a booking; at least one thing beside the status.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BookingSearch {
    /// A reference, an e-mail address, a name `LAST/FIRST`, a locator, the number of a ticket or a supplier's id of an order.
    pub q: Option<String>,
    /// Its reference.
    pub reference: Option<String>,
    /// A locator.
    pub pnr: Option<String>,
    /// The number of a ticket.
    pub ticket: Option<String>,
    /// A family name, and a given name after a slash.
    pub name: Option<String>,
    /// An e-mail address.
    pub email: Option<String>,
    /// A supplier; with `order_id`.
    pub supplier: Option<String>,
    /// The supplier's id of an order.
    pub order_id: Option<String>,
    /// The code of its agency.
    pub agency: Option<String>,
    /// Where it stands.
    pub status: Option<String>,
    /// The first day of the journey or stay: from, to.
    pub travel: Option<(NaiveDate, NaiveDate)>,
    /// The days on which it was booked, UTC: from, to.
    pub booked: Option<(NaiveDate, NaiveDate)>,
}

#[boxed]
impl OperatorSession {
    /// `GET /bookings`: each row has what the desk shows of a booking.
    pub fn bookings(&self, search: &BookingSearch) -> List<Map<String, Value>> {
        let day = |days: Option<(NaiveDate, NaiveDate)>, is_end: bool| {
            days.map(|(from, to)| if is_end { to } else { from }.to_string())
        };
        let given = [
            ("q", search.q.clone()),
            ("reference", search.reference.clone()),
            ("pnr", search.pnr.clone()),
            ("ticket", search.ticket.clone()),
            ("name", search.name.clone()),
            ("email", search.email.clone()),
            ("supplier", search.supplier.clone()),
            ("order_id", search.order_id.clone()),
            ("agency", search.agency.clone()),
            ("status", search.status.clone()),
            ("travel_from", day(search.travel, false)),
            ("travel_to", day(search.travel, true)),
            ("booked_from", day(search.booked, false)),
            ("booked_to", day(search.booked, true)),
        ];
        let given = given.into_iter().filter_map(|(name, value)| Some((name, value?)));
        List::of(&self.0, &["bookings"], given.collect())
    }

    /// `GET /bookings/{ref}`.
    ///
    /// # Errors
    /// 404.
    pub async fn booking(&self, reference: &str) -> Result<DeskBooking> {
        self.0.data(Ask::get(&["bookings", reference])).await
    }

    /// `POST /bookings/{ref}/people`: all that is stored of whom a booking is for. The agency's audit log tells who read it.
    ///
    /// # Errors
    /// 404.
    pub async fn booking_people(&self, reference: &str) -> Result<Map<String, Value>> {
        let ask = Ask::of(Method::POST, &["bookings", reference, "people"], Effort::Once);
        self.0.data(ask).await
    }

    /// `POST /bookings/{ref}/look`: has its suppliers asked how its orders stand, and waits for that.
    ///
    /// # Errors
    /// 404; 422 where no order stands.
    pub async fn look(&self, reference: &str) -> Result<Looked> {
        let ask = Ask::of(Method::POST, &["bookings", reference, "look"], Effort::Once);
        self.0.data(ask).await
    }

    /// `POST /bookings/{ref}/correct`.
    ///
    /// # Errors
    /// 404; 422 for what does not fit.
    pub async fn correct(&self, reference: &str, correction: &Correction) -> Result<DeskBooking> {
        let ask = Ask::of(Method::POST, &["bookings", reference, "correct"], Effort::Once);
        self.0.data(ask.body(correction)?).await
    }

    /// `POST /bookings/{ref}/rulings`: moves money, once under its key.
    ///
    /// # Errors
    /// 404; 402 where the wallet does not cover it; 403 of a debit note when the password was given too long ago; 409 while
    /// something is under way on the booking, or somebody else works on its incident; 422.
    pub async fn rule(&self, reference: &str, ruling: &RulingRequest) -> Result<Keyed<Ruling>> {
        let ask = self.0.effect(&["bookings", reference, "rulings"]).body(ruling)?;
        self.0.keyed_data(ask).await
    }

    /// `POST /bookings/{ref}/rulings/{id}/withdraw`: a debit note that is due is not charged any more. It is sent once.
    ///
    /// # Errors
    /// 404; 422 where it is not due.
    pub async fn withdraw_ruling(&self, reference: &str, id: Uuid, note: &str) -> Result<Ruling> {
        let id = id.to_string();
        let path = ["bookings", reference, "rulings", &id, "withdraw"];
        let ask = Ask::of(Method::POST, &path, Effort::Once);
        self.0.data(ask.body(&WithdrawRuling { note: note.to_owned() })?).await
    }
}
