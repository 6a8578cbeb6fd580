//! `POST /fms/v2/farerule`: what a fare forgives, for one adult and one way.

use actix_web::web::{Bytes, Data};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::World;
use super::bookings;
use super::errors::{ApiError, ApiResult, done, json_body};
use super::offers;
use super::reviews::Review;
use super::sold_fare::Sold;
use crate::fares::{self, Rule};
use crate::fault_injection::InjectedFault;
use crate::itinerary::{Journey, PassengerType};
use crate::json::Number;
use crate::tariff::Tariff;

/// What TripJack takes besides, in US cents, of each traveller and each way.
const ADDITIONAL_FEE_CENTS: u64 = 360;
/// From a year before the departure.
const FIRST_HOURS: u32 = 8_760;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    flow_type: String,
    id: String,
}

/// The rules of a fare, by its price id or by its booking id.
pub(super) async fn show(world: Data<World>, injected: InjectedFault, body: Bytes) -> ApiResult {
    let body: Body = json_body(&body)?;
    let fares: Vec<Sold> = match body.flow_type.as_str() {
        "SEARCH" => {
            let offered = offers::read(&world, &body.id, injected)?;
            if offered.gone {
                return Err(ApiError::sold_out());
            }
            vec![offered.sold]
        }
        "REVIEW" => Review::find(&world, &body.id)?.sold().cloned().collect(),
        "BOOKING_DETAIL" => bookings::find(&world, &body.id)?.booking.fares.clone(),
        _ => {
            let message = format!("Invalid flowType {}", body.flow_type);
            return Err(ApiError::refused(400, message));
        }
    };
    if injected.sold_out {
        return Err(ApiError::sold_out());
    }
    let mut by_way = Map::new();
    for sold in &fares {
        let rules = rules(&world, sold);
        for journey in sold.journeys() {
            by_way.insert(way(journey), rules.clone());
        }
    }
    Ok(done(json!({ "farerule": by_way })))
}

/// TripJack's name of a way: `DEL-BOM`.
pub(super) fn way(journey: &Journey) -> String {
    format!("{}-{}", journey.first.from.iata, journey.last().to.iata)
}

fn rules(world: &World, sold: &Sold) -> Value {
    if !sold.terms(world).discloses_rules {
        return json!({ "miscInfo": ["FARE RULES ARE AVAILABLE FROM THE AIRLINE ONLY."] });
    }
    let fee = world.tariff.of_cents(ADDITIONAL_FEE_CENTS);
    let mut tfr = at_review(world, sold);
    for policies in tfr.values_mut() {
        for policy in policies.as_array_mut().into_iter().flatten() {
            if let Value::Object(members) = policy {
                members.insert("st".to_owned(), json!(0));
                members.insert("et".to_owned(), json!(FIRST_HOURS));
                if members.contains_key("amount") {
                    members.insert("additionalFee".to_owned(), json!(Number(fee)));
                }
            }
        }
    }
    json!({ "tfr": tfr, "miscInfo": [] })
}

pub(super) fn at_review(world: &World, sold: &Sold) -> Map<String, Value> {
    let (cancel, change) = penalties(&world.tariff, sold, PassengerType::Adult);
    let policy = |rule: &Rule, codes: [&str; 2]| match rule.penalty.filter(|_| rule.allowed) {
        None => json!({ "policyInfo": "Not Allowed", "pp": "BEFORE_DEPARTURE" }),
        Some(amount) => {
            let [fee, tax] = codes;
            json!({
                "amount": Number(amount),
                "policyInfo": if amount > Decimal::ZERO { "Available with Penalty" } else { "Available" },
                "fcs": { fee: Number(amount), tax: Number(Decimal::new(0, amount.scale())) },
                "pp": "BEFORE_DEPARTURE",
            })
        }
    };
    let no_show = json!({ "policyInfo": "Not Applicable", "pp": "BEFORE_DEPARTURE" });
    Map::from_iter([
        ("CANCELLATION".to_owned(), json!([policy(&cancel, ["ACF", "ACFT"])])),
        ("DATECHANGE".to_owned(), json!([policy(&change, ["ARF", "ARFT"])])),
        ("NO_SHOW".to_owned(), json!([no_show])),
    ])
}

/// The penalty of the airline for a traveller for one way, when it is cancelled and when it is changed.
fn penalties(tariff: &Tariff, sold: &Sold, kind: PassengerType) -> (Rule, Rule) {
    let ways = Decimal::from(sold.journeys().count().max(1));
    let prices = &sold.price.by_kind;
    let base = prices.iter().find(|(of, ..)| *of == kind).map_or(Decimal::ZERO, |(.., price)| price.base);
    fares::rules(tariff, sold.bundle.brand, tariff.rounded(base / ways))
}

/// The penalty of airline and TripJack for a traveller whose ticket for one way is reissued; none where the fare does not allow it.
pub(super) fn change_fee(tariff: &Tariff, sold: &Sold, kind: PassengerType) -> Option<Decimal> {
    let (_, change) = penalties(tariff, sold, kind);
    let penalty = change.penalty.filter(|_| change.allowed)?;
    Some(penalty + tariff.of_cents(ADDITIONAL_FEE_CENTS))
}

/// The penalty of airline and TripJack for a traveller for one way that is cancelled; all of it, where nothing is said.
pub(super) fn cancellation_charge(tariff: &Tariff, sold: &Sold, kind: PassengerType) -> Option<Decimal> {
    let (cancel, _) = penalties(tariff, sold, kind);
    let penalty = cancel.penalty.filter(|_| cancel.allowed)?;
    Some(penalty + tariff.of_cents(ADDITIONAL_FEE_CENTS))
}
