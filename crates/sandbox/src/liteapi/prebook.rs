//! Prebooks: an offer that was checked again, at the price at which it can be booked. Lost with the process, as sessions
//! are.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::{Decimal, dec};
use serde::{Deserialize, Serialize};

use super::bookings;
use super::errors::{ApiError, ApiResult, json_body};
use super::offers::{self, Offer, Offered, Question};
use super::rate_body::{RateBody, rate_bodies, room_number, suggested};
use super::wire::{Amount, Number};
use crate::fault_injection::InjectedFault;
use crate::hotels::rooms_left;
use crate::server::World;

const MOST_PREBOOKS: usize = 20_000;
const VALID_FOR: TimeDelta = TimeDelta::minutes(30);
/// What the agency began with, in whole units of any currency. It may be overdrawn.
const CREDIT: i64 = 50_000_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    offer_id: String,
    use_payment_sdk: bool,
}

/// A check that was made.
#[derive(Debug)]
pub(super) struct Prebook {
    pub(super) id: String,
    pub(super) made_at: DateTime<Utc>,
    pub(super) question: Question,
    pub(super) offer: Offer,
    /// The price that the search told.
    told: Decimal,
    /// Where the guest is to pay with the vendor's form.
    pub(super) transaction_id: Option<String>,
}

/// All prebooks that may still be booked.
#[derive(Debug, Default)]
pub(super) struct Prebooks {
    by_id: HashMap<String, Arc<Prebook>>,
}

impl Prebook {
    fn of(offered: Offered, use_payment_sdk: bool, now: DateTime<Utc>) -> Self {
        Self {
            id: bookings::fresh_id(),
            made_at: now,
            question: offered.question,
            offer: offered.offer,
            told: offered.told,
            transaction_id: use_payment_sdk.then(|| format!("tr_ct_{}", bookings::fresh_id())),
        }
    }

    fn keep(self, world: &World) -> Arc<Self> {
        let prebook = Arc::new(self);
        let mut prebooks = world
            .liteapi
            .prebooks
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if prebooks.by_id.len() >= MOST_PREBOOKS {
            prebooks
                .by_id
                .retain(|_, open| prebook.made_at < open.expires_at());
        }
        prebooks.by_id.insert(prebook.id.clone(), Arc::clone(&prebook));
        prebook
    }

    /// The prebook of an id, while it can be booked.
    pub(super) fn find(world: &World, id: &str) -> Option<Arc<Self>> {
        let prebooks = world
            .liteapi
            .prebooks
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let open = |prebook: &&Arc<Self>| world.clock.now() < prebook.expires_at();
        prebooks.by_id.get(id).filter(open).cloned()
    }

    fn expires_at(&self) -> DateTime<Utc> {
        self.made_at + VALID_FOR
    }

    /// By how many whole percent the price is not the one that was told.
    fn difference_percent(&self) -> Decimal {
        let by = (self.offer.total() - self.told) * dec!(100);
        by.checked_div(self.told).unwrap_or_default().round()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answered<'a> {
    data: Body<'a>,
    guest_level: u8,
    sandbox: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    prebook_id: &'a str,
    offer_id: &'a str,
    hotel_id: String,
    checkin: chrono::NaiveDate,
    checkout: chrono::NaiveDate,
    currency: &'a str,
    terms_and_conditions: &'static str,
    room_types: [RoomType<'a>; 1],
    suggested_selling_price: Amount<'a>,
    is_package_rate: Option<bool>,
    commission: Number,
    addons_total_amount: u8,
    price: Number,
    price_type: &'static str,
    price_difference_percent: Number,
    cancellation_changed: bool,
    board_changed: bool,
    supplier: &'static str,
    supplier_id: u8,
    payment_types: [&'static str; 1],
    mapped_room_id: u64,
    #[serde(flatten)]
    sdk: Option<Sdk<'a>>,
    voucher_code: &'static str,
    voucher_total_amount: u8,
    addons_request: [u8; 0],
    #[serde(skip_serializing_if = "Option::is_none")]
    credit_line: Option<CreditLine<'a>>,
}

#[derive(Serialize)]
struct RoomType<'a> {
    rates: Vec<RateBody<'a>>,
}

/// What the vendor's payment form wants.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Sdk<'a> {
    transaction_id: &'a str,
    secret_key: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CreditLine<'a> {
    remaining_credit: Number,
    currency: &'a str,
}

/// `POST /rates/prebook`: the offer at its present price, under an id that it can be booked by.
pub(super) async fn create(world: Data<World>, request: HttpRequest, body: Bytes) -> ApiResult {
    let wanted: Wanted = json_body(&body)?;
    let now = world.clock.now();
    let offered = offers::find(&world, &wanted.offer_id, InjectedFault::of(&request))?;
    if offered.is_gone || offered.question.expires_at() <= now || !has_room(&world, &offered, now) {
        return Err(ApiError::outdated_offer());
    }
    let prebook = Prebook::of(offered, wanted.use_payment_sdk, now).keep(&world);
    Ok(answer(&world, &prebook))
}

fn has_room(world: &World, offered: &Offered, now: DateTime<Utc>) -> bool {
    let offer = &offered.offer;
    let orders = world.orders.at_hotel(offer.hotel.id);
    let left = rooms_left(&offer.hotel, offer.key.room, offered.question.stay, &orders, now);
    usize::try_from(left).unwrap_or(usize::MAX) >= offer.rooms.len()
}

/// `GET /prebooks/{id}`: the same again.
pub(super) async fn show(world: Data<World>, id: Path<String>) -> ApiResult {
    let prebook = Prebook::find(&world, &id);
    let prebook = prebook.ok_or_else(|| ApiError::wrong_input("invalid prebookId"))?;
    Ok(answer(&world, &prebook))
}

fn answer(world: &World, prebook: &Prebook) -> HttpResponse {
    let (question, offer) = (&prebook.question, &prebook.offer);
    let currency = question.tariff.currency;
    let body = Body {
        prebook_id: &prebook.id,
        offer_id: &offer.id,
        hotel_id: offer.hotel.id.liteapi(),
        checkin: question.stay.check_in,
        checkout: question.stay.check_out,
        currency,
        terms_and_conditions: "",
        room_types: [RoomType {
            rates: rate_bodies(question, offer, false, prebook.made_at),
        }],
        suggested_selling_price: suggested(question, offer),
        is_package_rate: None,
        commission: Number(offer.commission()),
        addons_total_amount: 0,
        price: Number(offer.total()),
        price_type: "commission",
        price_difference_percent: Number(prebook.difference_percent()),
        cancellation_changed: false,
        board_changed: false,
        supplier: "nuitee",
        supplier_id: 2,
        payment_types: ["NUITEE_PAY"],
        mapped_room_id: room_number(offer.hotel.id, offer.key.room),
        sdk: prebook.transaction_id.as_deref().map(|transaction_id| Sdk {
            transaction_id,
            secret_key: "pi_sandbox_secret_sandbox",
        }),
        voucher_code: "",
        voucher_total_amount: 0,
        addons_request: [],
        credit_line: prebook.transaction_id.is_none().then(|| CreditLine {
            remaining_credit: Number(
                question
                    .tariff
                    .rounded(Decimal::from(CREDIT) - bookings::charged(world, currency)),
            ),
            currency,
        }),
    };
    HttpResponse::Ok().json(Answered {
        data: body,
        guest_level: 0,
        sandbox: true,
    })
}
