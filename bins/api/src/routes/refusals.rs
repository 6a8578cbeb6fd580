//! Which errors each operation may end with, as examples for the OpenAPI document: the error table makes statuses and texts of
//! them. What extractors refuse they say themselves.

use rust_decimal::Decimal;
use wayfare_contract::WholeOrder;
use wayfare_domain::{BookingRef, BookingStatus, ClosedBy, Currency, Faults, Money, StepKind};
use wayfare_operations::{ChangedFare, Error, WalletFull};

use crate::http::refusal::Refusal;

fn rupees(amount: u32) -> Money {
    Money::rounded(Decimal::from(amount), Currency::INR)
}

fn booking() -> BookingRef {
    "FA-7K2M9Q4X".to_owned().into()
}

fn no_funds() -> Error {
    Error::InsufficientFunds { available: rupees(1200), required: rupees(4810) }
}

fn changed_fare() -> Option<Box<ChangedFare>> {
    Some(Box::new(ChangedFare {
        currency: Currency::INR,
        old_total: Some(rupees(4700)),
        new_total: Some(rupees(4900)),
        old_agent_fare: Some(rupees(4810)),
        new_agent_fare: Some(rupees(5010)),
    }))
}

fn full() -> Error {
    let most = Money::largest(Currency::INR);
    let (amount, balance) = (rupees(4810), most.plus(rupees(4810)).unwrap_or(most));
    Error::WalletFull(WalletFull { amount, balance, most })
}

pub fn log_in() -> Vec<Error> {
    vec![Error::Unauthenticated, Error::AccessDenied, Error::Busy]
}

/// Of an operator's log-in.
pub fn operator_log_in() -> Vec<Error> {
    vec![Error::Unauthenticated, Error::Busy]
}

/// Of an operator's new password.
pub fn wrong_password() -> Vec<Error> {
    vec![Error::WrongPassword]
}

/// Of an operator's password that is given once more.
pub fn confirmation() -> Vec<Error> {
    vec![Error::WrongPassword, Error::OwnPassword]
}

/// Of what can be looked at without it, and is written only shortly after the password was given.
pub fn unconfirmed() -> Vec<Error> {
    vec![Error::OwnPassword, Error::NotConfirmed]
}

pub fn new_operator() -> Vec<Error> {
    vec![Error::Taken("username")]
}

pub fn last_operator_admin() -> Vec<Error> {
    vec![Error::LastOperatorAdmin]
}

/// Of what an operator says who works on an incident, or decides about it.
pub fn claim() -> Vec<Error> {
    let closed =
        Error::IncidentClosed { by: ClosedBy::Itself, booking: booking(), status: BookingStatus::Confirmed };
    vec![closed, Error::Claimed("Meera Iyer".to_owned())]
}

/// Of what another operator works on.
pub fn claimed() -> Vec<Error> {
    vec![Error::Claimed("Meera Iyer".to_owned())]
}

pub fn ruling() -> Vec<Error> {
    vec![Error::StepPending(StepKind::Cancel), no_funds(), full()]
}

pub fn top_up() -> Vec<Error> {
    vec![full()]
}

/// Of money that is taken out of a wallet.
pub fn deduction() -> Vec<Error> {
    vec![no_funds()]
}

pub fn same_currency() -> Vec<Faults> {
    vec![Faults::of("to", "must be another currency")]
}

pub fn refresh() -> Vec<Error> {
    vec![Error::Unauthenticated, Error::AccessDenied]
}

pub fn log_out() -> Vec<Error> {
    vec![Error::Unauthenticated]
}

pub fn password() -> Vec<Error> {
    vec![Error::WrongPassword]
}

/// Of a new user; under the key of one who is deleted there is none.
pub fn new_user() -> Vec<Error> {
    vec![Error::Taken("username"), Error::NotFound]
}

/// Of a user who is let in no more.
pub fn last_admin() -> Vec<Error> {
    vec![Error::LastAdmin]
}

/// Of a user who is deleted, and may owe more than the agency has.
pub fn deletion() -> Vec<Error> {
    let own = [Error::LastAdmin, Error::PendingBookings, Error::InsufficientOrganizationFunds(rupees(1200))];
    own.into_iter().chain([full()]).collect()
}

pub fn allocation() -> Vec<Error> {
    vec![Error::InsufficientOrganizationFunds(rupees(1200)), full()]
}

/// Of a new package, likewise.
pub fn new_package() -> Vec<Error> {
    vec![Error::TooManyPackages, Error::NotFound]
}

pub fn new_webhook() -> Vec<Error> {
    vec![Error::TooManyWebhooks]
}

/// Of what is to be sent to a webhook.
pub fn sending() -> Vec<Error> {
    vec![Error::WebhookOff]
}

pub fn feed() -> Vec<Error> {
    vec![Error::FeedDropped(41)]
}

pub fn new_report() -> Vec<Error> {
    vec![Error::TooManyReports]
}

pub fn report() -> Vec<Error> {
    vec![Error::ReportNotReady]
}

/// Of what is named in a body, or need not be there.
pub fn unknown() -> Vec<Error> {
    vec![Error::NotFound]
}

/// While the database is away.
pub fn not_ready() -> Vec<Refusal> {
    vec![Refusal::not_ready()]
}

/// Of whatever suppliers are asked for.
fn supplier() -> Vec<Error> {
    vec![
        Error::SupplierRefused("the airline has closed this flight".to_owned()),
        Error::SupplierUnavailable(None),
    ]
}

pub fn offer() -> Vec<Error> {
    let own = [Error::NotFound, Error::OfferExpired, Error::KeyExpired, Error::OfferGone];
    own.into_iter().chain(supplier()).collect()
}

pub fn flight_price() -> Vec<Error> {
    [no_funds()].into_iter().chain(offer()).collect()
}

pub fn flight_purchase() -> Vec<Error> {
    let own = [
        Error::KeyUsed(booking()),
        Error::DuplicateBooking(booking()),
        Error::FareChanged(changed_fare()),
        no_funds(),
    ];
    own.into_iter().chain(offer()).collect()
}

pub fn room() -> Vec<Error> {
    let own = [Error::NotFound, Error::OfferExpired, Error::OfferGone];
    own.into_iter().chain(supplier()).collect()
}

pub fn room_price() -> Vec<Error> {
    let paid_there = "rates that are paid at the hotel can't be booked from a wallet";
    let own = [Error::NotSupported(paid_there)];
    own.into_iter().chain(room()).collect()
}

pub fn hotel_purchase() -> Vec<Error> {
    let own = [
        Error::HotelPriceExpired,
        Error::HotelPriceUsed(booking()),
        Error::DuplicateStay(booking()),
        Error::FareChanged(changed_fare()),
        no_funds(),
    ];
    own.into_iter().chain(room()).collect()
}

pub fn erasure() -> Vec<Error> {
    vec![Error::NotErasable("a refund is on its way")]
}

/// Of what only a booking that stands can do.
pub fn not_confirmed() -> Vec<Error> {
    vec![Error::BookingPending, Error::BookingCancelled, Error::BookingFailed]
}

/// Of a change of a booking that stands, and of questions about one.
pub fn change() -> Vec<Error> {
    let under_way = [Error::StepPending(StepKind::Cancel), Error::ReschedulePending];
    let refused = [Error::NotSupported("not supported by the provider")];
    let all = under_way.into_iter().chain(refused);
    all.chain(not_confirmed()).chain(supplier()).collect()
}

/// Of the cancellation of flights, or of a part of them.
pub fn flight_cancellation() -> Vec<Error> {
    let own = [part_of_order(), Error::NewerChange];
    change().into_iter().chain(own).collect()
}

fn part_of_order() -> Error {
    Error::PartOfOrder(vec![WholeOrder { order: 1, journeys: vec![0, 1] }])
}

pub fn ticket() -> Vec<Error> {
    let own = [Error::FareChanged(changed_fare()), Error::HeldFareChanged(changed_fare())];
    own.into_iter().chain(change()).collect()
}

/// Of what is done by itself about held orders.
pub fn auto_ticket() -> Vec<Error> {
    let own = [
        Error::StepPending(StepKind::Ticket),
        Error::ReschedulePending,
        Error::NotSupported("nothing of the booking is held"),
    ];
    own.into_iter().chain(not_confirmed()).collect()
}

/// Of a change of an airline's that is accepted.
pub fn acceptance() -> Vec<Error> {
    let own = [Error::NotSupported("provider does not support accepting changes"), Error::NewerChange];
    own.into_iter().chain(change()).collect()
}

/// Of a change of an airline's that is refused.
pub fn refusal() -> Vec<Error> {
    let own = [Error::NewerChange];
    own.into_iter().chain(change()).collect()
}

pub fn services() -> Vec<Error> {
    let own = [Error::FareChanged(changed_fare()), no_funds()];
    own.into_iter().chain(change()).collect()
}

pub fn rescheduling() -> Vec<Error> {
    let all = [part_of_order()].into_iter().chain(change());
    all.chain(flight_purchase()).collect()
}

/// Of a search for what could be flown instead: no wallet is looked at.
pub fn reschedule_options() -> Vec<Error> {
    let mut all = rescheduling();
    all.retain(|error| !matches!(error, Error::InsufficientFunds { .. }));
    all
}
