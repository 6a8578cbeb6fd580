//! `POST /checkrates`: what rates cost now, under fresh keys that can be booked.

use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::audit::Audit;
use super::comments;
use super::errors::{ApiError, ApiResult, json_body};
use super::offers::{self, Offered};
use super::rate_body::{CallFields, HotelHead, RateBody, RoomBody, break_down};
use super::rate_keys::RateRef;
use super::wire::Number;
use crate::fault_injection::InjectedFault;
use crate::server::World;

const MOST_KEYS: usize = 10;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Body {
    rooms: Vec<Room>,
    /// There is nothing better to sell.
    #[serde(rename = "upselling", default)]
    _upselling: IgnoredAny,
    #[serde(rename = "language", default)]
    _language: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Room {
    rate_key: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Checked {
    audit_data: Audit,
    hotel: HotelBody,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HotelBody {
    #[serde(flatten)]
    head: HotelHead,
    check_in: NaiveDate,
    check_out: NaiveDate,
    rooms: Vec<RoomBody>,
    total_net: Number,
    currency: &'static str,
    payment_data_required: bool,
    modification_policies: ModificationPolicies,
}

/// Whether a booking can be ended or changed; here none is changed.
#[derive(Serialize)]
pub(super) struct ModificationPolicies {
    cancellation: bool,
    modification: bool,
}

/// What holds for every booking.
pub(super) const MODIFICATION_POLICIES: ModificationPolicies = ModificationPolicies {
    cancellation: true,
    modification: false,
};

pub(super) async fn check(world: Data<World>, request: HttpRequest, body: Bytes) -> ApiResult {
    let body: Body = json_body(&body)?;
    if !(1..=MOST_KEYS).contains(&body.rooms.len()) {
        let message = format!("Error at property rooms: size must be between 1 and {MOST_KEYS}");
        return Err(ApiError::invalid(message));
    }
    let keys = body.rooms.iter().map(|room| room.rate_key.as_str());
    let offered = offers::of_keys(&world, keys, InjectedFault::of(&request))?;
    let needing = offered.iter().filter(|each| each.needs_check(&world)).count();
    if needing != 0 && needing != offered.len() {
        let message = "RateKeys of the types RECHECK and BOOKABLE cannot be checked together";
        return Err(ApiError::invalid(message));
    }
    if offered.iter().any(Offered::is_sold_out) {
        return Err(ApiError::sold_out());
    }
    let first = offered.first().ok_or_else(ApiError::sold_out)?;
    let stay = first.reference.line.stay;
    let total: Decimal = offered.iter().map(|each| each.sold().net()).sum();
    Ok(HttpResponse::Ok().json(Checked {
        audit_data: Audit::of_booking(&world),
        hotel: HotelBody {
            head: HotelHead::of(&first.hotel),
            check_in: stay.check_in,
            check_out: stay.check_out,
            rooms: rooms(&world, &offered),
            total_net: Number(total),
            currency: world.tariff.currency,
            payment_data_required: false,
            modification_policies: MODIFICATION_POLICIES,
        },
    }))
}

fn rooms(world: &World, offered: &[Offered]) -> Vec<RoomBody> {
    let mut rooms: Vec<RoomBody> = Vec::new();
    for each in offered {
        let room = each.rate.key.room.room_type();
        let rate = rate_body(world, each);
        match rooms.iter_mut().find(|body| body.code == room.code) {
            Some(body) => body.rates.push(rate),
            None => rooms.push(RoomBody {
                code: room.code,
                name: room.name.to_uppercase(),
                rates: vec![rate],
            }),
        }
    }
    rooms
}

fn rate_body(world: &World, offered: &Offered) -> RateBody {
    let sold = offered.sold();
    let fresh = RateRef {
        given_at: world.clock.now(),
        known_changes: offered.moves,
        is_checked: true,
        ..offered.reference.clone()
    };
    let call_fields = CallFields {
        rate_key: Some(fresh.key(world.seed)),
        rate_type: Some("BOOKABLE"),
        allotment: Some(offered.rooms_left),
        rate_comments: Some(comments::of_sold(&sold)),
        rate_break_down: break_down(&sold),
        ..CallFields::default()
    };
    RateBody::of(world, &sold, offered.reference.found.at, call_fields)
}
