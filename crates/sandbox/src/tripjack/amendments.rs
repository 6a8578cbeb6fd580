//! Cancelling a ticketed booking: what it would give back, asking for it, and what has become of that.

use actix_web::HttpRequest;
use actix_web::web::{Bytes, Data};
use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::World;
use super::bookings::{self, Booking, Cancellation, OrderStatus};
use super::errors::{ApiError, ApiResult, done, json_body};
use super::rules::cancellation_charge;
use super::wire::kind_name;
use crate::fault_injection::InjectedFault;
use crate::itinerary::{Journey, PassengerType};
use crate::json::Number;
use crate::tariff::Tariff;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    booking_id: String,
    #[serde(rename = "type")]
    kind: String,
    /// Left out where everything is cancelled.
    trips: Option<Vec<Trip>>,
}

#[derive(Deserialize)]
struct Trip {
    src: String,
    dest: String,
    /// Left out where it is everybody.
    travellers: Option<Vec<Value>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Known {
    amendment_id: String,
}

/// The penalty and the refund of a cancellation of one way, of all travellers of a kind.
struct Share {
    kind: PassengerType,
    total: Decimal,
    charge: Decimal,
}

impl Share {
    fn refund(&self) -> Decimal {
        self.total - self.charge
    }

    fn body(&self) -> Value {
        json!({
            "amendmentCharges": Number(self.charge),
            "refundAmount": Number(self.refund()),
            "totalFare": Number(self.total),
        })
    }
}

/// The penalties and refunds of a cancellation, by way.
fn shares<'a>(tariff: &Tariff, booking: &'a Booking) -> Vec<(&'a Journey, Vec<Share>)> {
    let mut shares = Vec::new();
    for sold in &booking.fares {
        let ways = sold.journeys().count();
        for (at, journey) in sold.journeys().enumerate() {
            let of_kind = |(kind, number, price): &(PassengerType, u32, super::pricing::PaxPrice)| {
                let number = Decimal::from(*number);
                let each = tariff.rounded(price.total() / Decimal::from(ways.max(1)));
                // The last way has what rounding left over.
                let others = Decimal::from(ways.saturating_sub(1));
                let one = if at + 1 == ways {
                    price.total() - each * others
                } else {
                    each
                };
                let charge = cancellation_charge(tariff, sold, *kind).unwrap_or(one);
                Share {
                    kind: *kind,
                    total: one * number,
                    charge: charge.min(one) * number,
                }
            };
            shares.push((journey, sold.price.by_kind.iter().map(of_kind).collect()));
        }
    }
    shares
}

fn refund(tariff: &Tariff, booking: &Booking) -> Decimal {
    let shares = shares(tariff, booking);
    let all = shares.iter().flat_map(|(_, shares)| shares);
    all.map(Share::refund).sum()
}

/// Whether a booking can be cancelled, and in the way that is wanted. Here a booking is cancelled whole or not at all.
fn check(booking: &Booking, wanted: &Wanted, now: DateTime<Utc>) -> Result<(), ApiError> {
    if wanted.kind != "CANCELLATION" {
        let message = format!("Amendment type {} is not allowed for this booking", wanted.kind);
        return Err(ApiError::refused(400, message));
    }
    if booking.order_status(now) != OrderStatus::Success || booking.has_departed(now) {
        return Err(ApiError::refused(
            400,
            "Amendment is not allowed for this booking",
        ));
    }
    if booking.is_being_cancelled(now) {
        return Err(ApiError::refused(
            400,
            "An amendment of this booking is under way",
        ));
    }
    let Some(trips) = &wanted.trips else {
        return Ok(());
    };
    let names = |journey: &Journey, trip: &Trip| {
        let everybody = trip.travellers.as_ref().map(Vec::len);
        journey.first.from.iata == trip.src
            && journey.last().to.iata == trip.dest
            && everybody.is_none_or(|number| number == booking.people.len())
    };
    let is_whole = booking
        .ways()
        .all(|(_, journey)| trips.iter().any(|trip| names(journey, trip)));
    if !is_whole {
        let message = "The booking can be cancelled for all trips and travellers only";
        return Err(ApiError::refused(400, message));
    }
    Ok(())
}

/// `POST /oms/v1/air/amendment/amendment-charges`: the penalty and the refund of a cancellation.
pub(super) async fn charges(world: Data<World>, body: Bytes) -> ApiResult {
    let wanted: Wanted = json_body(&body)?;
    let order = bookings::find(&world, &wanted.booking_id)?;
    let booking = &order.booking;
    check(booking, &wanted, world.clock.now())?;
    let trips: Vec<Value> = shares(&world.tariff, booking)
        .iter()
        .map(|(journey, shares)| {
            let by_kind: Map<String, Value> = shares
                .iter()
                .map(|share| (kind_name(share.kind).to_owned(), share.body()))
                .collect();
            json!({
                "src": journey.first.from.iata,
                "dest": journey.last().to.iata,
                "departureDate": journey.first.departs.date(),
                "amendmentInfo": by_kind,
            })
        })
        .collect();
    let refund = refund(&world.tariff, booking);
    Ok(done(json!({
        "bookingId": wanted.booking_id,
        "totalFare": Number(booking.total()),
        // What was bought besides the fares is lost.
        "amendmentCharges": Number(booking.total() - refund),
        "refundableAmount": Number(refund),
        "trips": trips,
    })))
}

/// `POST /oms/v1/air/amendment/submit-amendment`: cancels, at once or, under `refund_later`, when the time has come.
/// Under `rejected` it is refused then.
pub(super) async fn submit(world: Data<World>, request: HttpRequest, body: Bytes) -> ApiResult {
    let wanted: Wanted = json_body(&body)?;
    let injected = InjectedFault::of(&request);
    let id = format!("TJA{:012}", rand::random::<u64>() % 1_000_000_000_000);
    bookings::change(&world, &wanted.booking_id, |booking, now| {
        check(booking, &wanted, now)?;
        let cancellation = Cancellation {
            id: id.clone(),
            refund: refund(&world.tariff, booking),
            from: injected.cancelled_from(now),
        };
        match injected.rejected_s {
            Some(_) => booking.rejected.push(cancellation),
            None => booking.cancellation = Some(cancellation),
        }
        Ok(())
    })?;
    Ok(done(json!({ "bookingId": wanted.booking_id, "amendmentId": id })))
}

/// `POST /oms/v1/air/amendment/amendment-details`: what has become of a cancellation.
pub(super) async fn show(world: Data<World>, body: Bytes) -> ApiResult {
    let known: Known = json_body(&body)?;
    let now = world.clock.now();
    for order in world.orders.of::<Booking>() {
        let booking = &order.booking;
        let carried_out = booking.cancellation.iter().map(|one| (one, "SUCCESS"));
        let rejected = booking.rejected.iter().map(|one| (one, "REJECTED"));
        let mut all = carried_out.chain(rejected);
        let Some((cancellation, end)) = all.find(|(one, _)| one.id == known.amendment_id) else {
            continue;
        };
        let status = if cancellation.from <= now {
            end
        } else {
            "REQUESTED"
        };
        return Ok(done(json!({
            "bookingId": order.id,
            "amendmentId": cancellation.id,
            "amendmentStatus": status,
            "refundableAmount": Number(cancellation.refund),
        })));
    }
    Err(ApiError::refused(400, "Amendment not found"))
}
