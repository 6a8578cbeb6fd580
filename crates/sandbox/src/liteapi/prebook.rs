//! Prebooks: an offer that was checked again, at the price at which it can be booked. Lost with the process, as sessions
//! are.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::web::{Bytes, Data, Path};
use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::{Decimal, dec};
use serde::Deserialize;
use serde_json::json;

use super::World;
use super::bookings;
use super::errors::{ApiError, ApiResult, json_body};
use super::offers::{self, Offer, Offered, Question};
use super::rate_body::{rate_bodies, room_number, suggested};
use crate::fault_injection::InjectedFault;
use crate::json::{Number, merged};
use crate::orders::rooms_left;

const VALID_FOR: TimeDelta = TimeDelta::minutes(30);
/// What the agency began with, in whole units of any currency. It may be overdrawn.
const CREDIT: i64 = 50_000_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    offer_id: String,
    use_payment_sdk: bool,
    #[serde(default)]
    include_credit_balance: bool,
}

#[derive(Debug)]
pub(super) struct Prebook {
    pub(super) id: String,
    pub(super) made_at: DateTime<Utc>,
    pub(super) question: Question,
    pub(super) offer: Offer,
    searched: Decimal,
    /// Where the guest is to pay with the vendor's form.
    pub(super) transaction_id: Option<String>,
}

impl Prebook {
    fn of(offered: Offered, use_payment_sdk: bool, now: DateTime<Utc>) -> Self {
        Self {
            id: bookings::fresh_id(),
            made_at: now,
            question: offered.question,
            offer: offered.offer,
            searched: offered.searched,
            transaction_id: use_payment_sdk.then(|| format!("tr_ct_{}", bookings::fresh_id())),
        }
    }

    fn keep(self, world: &World) -> Arc<Self> {
        let prebook = Arc::new(self);
        let (id, expires_at) = (prebook.id.clone(), prebook.expires_at());
        world.state.prebooks.insert(id, Arc::clone(&prebook), expires_at, prebook.made_at);
        prebook
    }

    pub(super) fn find(world: &World, id: &str) -> Option<Arc<Self>> {
        world.state.prebooks.get_live(id, world.clock.now())
    }

    fn expires_at(&self) -> DateTime<Utc> {
        self.made_at + VALID_FOR
    }

    /// By how many whole percent the price is not the one that was returned.
    fn difference_percent(&self) -> Decimal {
        let by = (self.offer.total() - self.searched) * dec!(100);
        by.checked_div(self.searched).unwrap_or_default().round()
    }
}

/// `POST /rates/prebook`: the offer at its present price, under an id that it can be booked by.
pub(super) async fn create(world: Data<World>, injected: InjectedFault, body: Bytes) -> ApiResult {
    let wanted: Wanted = json_body(&body)?;
    let now = world.clock.now();
    let offered = offers::find(&world, &wanted.offer_id, injected)?;
    if offered.is_gone || offered.question.expires_at() <= now || !has_room(&world, &offered, now) {
        return Err(ApiError::outdated_offer());
    }
    let prebook = Prebook::of(offered, wanted.use_payment_sdk, now).keep(&world);
    Ok(answer(&world, &prebook, wanted.include_credit_balance))
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
    Ok(answer(&world, &prebook, false))
}

fn answer(world: &World, prebook: &Prebook, with_credit: bool) -> HttpResponse {
    let (question, offer) = (&prebook.question, &prebook.offer);
    let currency = question.tariff.currency;
    let body = json!({
        "prebookId": prebook.id,
        "offerId": offer.id,
        "hotelId": offer.hotel.id.liteapi(),
        "checkin": question.stay.check_in,
        "checkout": question.stay.check_out,
        "currency": currency,
        "termsAndConditions": "",
        "roomTypes": [{ "rates": rate_bodies(question, offer, false, prebook.made_at) }],
        "suggestedSellingPrice": suggested(question, offer),
        "isPackageRate": null,
        "commission": Number(offer.commission()),
        "addonsTotalAmount": 0,
        "price": Number(offer.total()),
        "priceType": "commission",
        "priceDifferencePercent": Number(prebook.difference_percent()),
        "cancellationChanged": false,
        "boardChanged": false,
        "supplier": "nuitee",
        "supplierId": 2,
        "paymentTypes": ["NUITEE_PAY"],
        "mappedRoomId": room_number(offer.hotel.id, offer.key.room),
        "voucherCode": "",
        "voucherTotalAmount": 0,
        "addonsRequest": [],
    });
    let more = match &prebook.transaction_id {
        // What the vendor's payment form wants.
        Some(id) => json!({ "transactionId": id, "secretKey": "pi_sandbox_secret_sandbox" }),
        None if !with_credit => json!({}),
        None => {
            let credit = Decimal::from(CREDIT) - bookings::charged(world, currency);
            let credit = Number(question.tariff.rounded(credit));
            json!({ "creditLine": { "remainingCredit": credit, "currency": currency } })
        }
    };
    HttpResponse::Ok().json(json!({ "data": merged(body, more), "guestLevel": 0, "sandbox": true }))
}
