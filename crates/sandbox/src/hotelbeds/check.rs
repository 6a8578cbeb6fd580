//! `POST /checkrates`: what rates cost now, under fresh keys that can be booked.

use actix_web::HttpResponse;
use actix_web::web::{Bytes, Data};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::World;
use super::audit::Audit;
use super::comments;
use super::errors::{ApiError, ApiResult, json_body};
use super::offers::{self, Offered};
use super::rate_body::{break_down, hotel_body, rate_body, room_body};
use super::rate_keys::RateRef;
use crate::fault_injection::InjectedFault;
use crate::hotels::RoomType;
use crate::json::Number;

const MOST_KEYS: usize = 10;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Body {
    rooms: Vec<Room>,
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

/// What holds for every booking: none is changed.
pub(super) fn modification_policies() -> Value {
    json!({ "cancellation": true, "modification": false })
}

pub(super) async fn check(world: Data<World>, injected: InjectedFault, body: Bytes) -> ApiResult {
    let body: Body = json_body(&body)?;
    if !(1..=MOST_KEYS).contains(&body.rooms.len()) {
        let message = format!("Error at property rooms: size must be between 1 and {MOST_KEYS}");
        return Err(ApiError::invalid(message));
    }
    let keys = body.rooms.iter().map(|room| room.rate_key.as_str());
    let offered = offers::of_keys(&world, keys, injected)?;
    let needing = offered.iter().filter(|each| each.needs_check(&world)).count();
    if needing != 0 && needing != offered.len() {
        let message = "RateKeys of the types RECHECK and BOOKABLE cannot be checked together";
        return Err(ApiError::invalid(message));
    }
    if offered.iter().any(Offered::is_sold_out) {
        return Err(ApiError::no_rooms());
    }
    let first = offered.first().ok_or_else(ApiError::no_rooms)?;
    let stay = first.reference.line.stay;
    let total: Decimal = offered.iter().map(|each| each.sold().net()).sum();
    let more = json!({
        "checkIn": stay.check_in,
        "checkOut": stay.check_out,
        "rooms": rooms(&world, &offered),
        "totalNet": Number(total),
        "currency": world.tariff.currency,
        "paymentDataRequired": false,
        "modificationPolicies": modification_policies(),
    });
    let hotel = hotel_body(&first.hotel, more);
    Ok(HttpResponse::Ok().json(json!({ "auditData": Audit::of_booking(&world), "hotel": hotel })))
}

fn rooms(world: &World, offered: &[Offered]) -> Vec<Value> {
    let mut kinds: Vec<&RoomType> = Vec::new();
    for each in offered {
        let room = each.rate.key.room.room_type();
        if !kinds.contains(&room) {
            kinds.push(room);
        }
    }
    let rates = |room: &RoomType| {
        let of_room = offered.iter().filter(|each| each.rate.key.room == room.kind);
        of_room.map(|each| rate(world, each)).collect()
    };
    kinds.into_iter().map(|room| room_body(room, rates(room))).collect()
}

fn rate(world: &World, offered: &Offered) -> Value {
    let sold = offered.sold();
    let fresh = RateRef {
        given_at: world.clock.now(),
        known_changes: offered.moves,
        is_checked: true,
        ..offered.reference.clone()
    };
    let more = json!({
        "rateKey": fresh.key(world.seed),
        "rateType": "BOOKABLE",
        "allotment": offered.rooms_left,
        "rateComments": comments::of_sold(&sold),
        "rateBreakDown": break_down(&sold),
    });
    rate_body(world, &sold, offered.reference.found.at, more)
}
