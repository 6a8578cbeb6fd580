//! `POST /oms/v1/air/book`: a review becomes a booking, paid at once or held.

use std::sync::Arc;

use actix_web::web::{Bytes, Data};
use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Value, json};

use super::World;
use super::bookings::Booking;
use super::conditions::needs_emergency_contact;
use super::errors::{ApiError, ApiResult, done, json_body};
use super::papers::paper_terms;
use super::reviews::Review;
use super::ssr_requests::{self, SsrRequests};
use super::travellers::{self, Person};
use crate::fault_injection::{InjectedFault, after};
use crate::faults::Complaint;
use crate::orders::Order;
use crate::rng::{REFERENCE_LETTERS, fresh_letters};
use crate::test_routes::{self, Situation};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    booking_id: String,
    /// Left out where the seats are to be held.
    payment_infos: Option<Vec<Payment>>,
    delivery_info: Value,
    contact_info: Option<Contact>,
    gst_info: Option<Value>,
    traveller_info: Vec<Traveller>,
}

#[derive(Deserialize)]
pub(super) struct Payment {
    amount: serde_json::Number,
}

#[derive(Deserialize)]
struct Contact {
    emails: Vec<String>,
    contacts: Vec<String>,
    ecn: String,
}

#[derive(Deserialize)]
struct Traveller {
    #[serde(flatten)]
    person: Person,
    #[serde(flatten)]
    ssr_requests: SsrRequests,
}

pub(super) async fn create(world: Data<World>, injected: InjectedFault, body: Bytes) -> ApiResult {
    let body: Body = json_body(&body)?;
    if world.orders.is_claimed(&body.booking_id) {
        return Err(ApiError::already_booked());
    }
    let now = world.clock.now();
    let review = Review::find(&world, &body.booking_id)?;
    let booking = booking(&world, &review, body, injected, now)?;
    let order = Order {
        id: review.booking_id.clone(),
        claim: review.booking_id.clone(),
        created_at: now,
        visible_from: now,
        booking: Arc::new(booking),
    };
    let order = world.orders.add(order, None)?;
    Ok(done(json!({ "bookingId": order.id })))
}

fn booking(
    world: &World,
    review: &Review,
    body: Body,
    injected: InjectedFault,
    now: DateTime<Utc>,
) -> Result<Booking, ApiError> {
    check_fares(world, review, injected)?;
    check_contacts(review, &body)?;
    check_gst(review, body.gst_info.as_ref())?;
    let (people, ssr_requests): (Vec<Person>, Vec<SsrRequests>) =
        body.traveller_info.into_iter().map(|traveller| (traveller.person, traveller.ssr_requests)).unzip();
    travellers::check(review, &people)?;
    let extras = ssr_requests::bought(world, review, &people, &ssr_requests)?;
    let pay_by = review.held_until(world);
    let pay_by = pay_by.map(|pay_by| match injected.hold_expires_s {
        Some(_) => after(now, injected.hold_expires_s),
        None => pay_by,
    });
    let pending_until = injected.pending_until(now).max(injected.visible_from(now));
    let mut booking = Booking {
        currency: world.tariff.currency.to_owned(),
        fares: review.sold().cloned().collect(),
        people,
        extras,
        delivery_info: body.delivery_info,
        gst_info: body.gst_info,
        pending_until,
        paid_at: None,
        pay_by: None,
        limit_told_from: None,
        released_at: None,
        aborted_at: injected.aborted_s.map(|_| pending_until),
        pnrs: review.sold().map(|_| fresh_letters::<6>(REFERENCE_LETTERS)).collect(),
        tickets: Vec::new(),
        parts: Vec::new(),
        cancellation: None,
        rejected: Vec::new(),
        reissue: None,
    };
    match (body.payment_infos, pay_by) {
        (Some(payments), _) => {
            check_amount(&payments, booking.total())?;
            check_balance(review)?;
            if booking.aborted_at.is_none() {
                booking.pay(now);
            }
        }
        (None, Some(pay_by)) => {
            booking.pay_by = Some(pay_by);
            booking.limit_told_from = injected.limit_later_s.map(|later| after(now, Some(later)));
        }
        (None, None) => return Err(ApiError::refused(400, "Hold is not allowed for this booking")),
    }
    Ok(booking)
}

/// Whether the fares can still be had at the price of the review.
fn check_fares(world: &World, review: &Review, injected: InjectedFault) -> Result<(), ApiError> {
    for offered in &review.offers {
        let now = offered.read_again(world, injected);
        if now.gone {
            return Err(ApiError::sold_out());
        }
        if now.sold.price != offered.sold.price {
            let details = "The fare has changed since the review. Please review again.";
            return Err(wrong_amount().about(details));
        }
    }
    Ok(())
}

/// Whether the buyer's account can pay: on one of the test routes it never can.
fn check_balance(review: &Review) -> Result<(), ApiError> {
    let situation = review.search().and_then(|search| test_routes::situation(&search.slices));
    match situation {
        Some(Situation::NoBalance) => Err(ApiError::complaint(Complaint::DepositEmpty)),
        _ => Ok(()),
    }
}

fn wrong_amount() -> ApiError {
    ApiError::refused(1015, "Payment amount does not match the total fare")
}

pub(super) fn check_amount(payments: &[Payment], due: Decimal) -> Result<(), ApiError> {
    let amount = |payment: &Payment| {
        let text = payment.amount.to_string();
        text.parse::<Decimal>().or_else(|_| Decimal::from_scientific(&text)).ok()
    };
    let paid: Option<Decimal> = payments.iter().map(amount).sum();
    if payments.is_empty() || paid != Some(due) {
        return Err(wrong_amount().about(format!("{due} is due")));
    }
    Ok(())
}

fn check_gst(review: &Review, gst: Option<&Value>) -> Result<(), ApiError> {
    let gst = match (gst, paper_terms(review).gst) {
        (None, Some(true)) => return Err(ApiError::refused(400, "GST details are required")),
        (None, _) => return Ok(()),
        (Some(_), None) => return Err(ApiError::refused(400, "GST is not applicable")),
        (Some(gst), Some(_)) => gst,
    };
    let fields = ["gstNumber", "registeredName", "email", "mobile", "address"];
    let is_filled = |name: &&str| {
        let text = gst.get(name).and_then(Value::as_str);
        text.is_some_and(|text| !text.is_empty())
    };
    match fields.iter().find(|name| !is_filled(name)) {
        Some(_) => Err(ApiError::refused(400, "All fields are mandatory whenever passing GST")),
        None => Ok(()),
    }
}

fn check_contacts(review: &Review, body: &Body) -> Result<(), ApiError> {
    let has = |name: &str| {
        body.delivery_info
            .get(name)
            .and_then(Value::as_array)
            .is_some_and(|all| !all.is_empty() && all.iter().all(Value::is_string))
    };
    if !has("emails") || !has("contacts") {
        return Err(ApiError::refused(806, "Email or mobile number is invalid"));
    }
    let is_whole = |contact: &Contact| {
        !contact.emails.is_empty() && !contact.contacts.is_empty() && !contact.ecn.is_empty()
    };
    if needs_emergency_contact(review) && !body.contact_info.as_ref().is_some_and(is_whole) {
        return Err(ApiError::refused(2560, "Emergency contact details are required"));
    }
    Ok(())
}
