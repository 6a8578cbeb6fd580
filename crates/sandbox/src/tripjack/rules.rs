//! `POST /fms/v2/farerule`: what a fare forgives, for one adult and one way.

use actix_web::HttpRequest;
use actix_web::web::{Bytes, Data};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::failure::{Answer, Failure, done};
use super::offers::{self, Offered};
use super::reviews::{Review, terms};
use super::wire::Money;
use crate::fares::{self, Rule};
use crate::itinerary::{Journey, Kind};
use crate::server::World;
use crate::strikes::Struck;
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
pub(super) async fn show(world: Data<World>, request: HttpRequest, body: Bytes) -> Answer {
    let body: Body = serde_json::from_slice(&body).map_err(Failure::unreadable)?;
    let struck = Struck::of(&request);
    let offers = match body.flow_type.as_str() {
        "SEARCH" => vec![offers::read(&world, &body.id, struck)?],
        "REVIEW" => Review::find(&world, &body.id)?.offers.clone(),
        _ => {
            let message = format!("Invalid flowType {}", body.flow_type);
            return Err(Failure::refused(400, message));
        }
    };
    if struck.sold_out || offers.iter().any(|offered| offered.gone) {
        return Err(Failure::sold_out());
    }
    let by_way: Map<String, Value> = offers
        .iter()
        .flat_map(|offered| {
            let rules = rules(&world, offered);
            offered
                .journeys()
                .map(move |journey| (way(journey), rules.clone()))
        })
        .collect();
    Ok(done(json!({ "farerule": by_way })))
}

/// TripJack's name of a way: `DEL-BOM`.
pub(super) fn way(journey: &Journey) -> String {
    format!("{}-{}", journey.first.from.iata, journey.last().to.iata)
}

fn rules(world: &World, offered: &Offered) -> Value {
    if !terms(world, offered).rules_are_told {
        return json!({ "miscInfo": ["FARE RULES ARE AVAILABLE FROM THE AIRLINE ONLY."] });
    }
    let fee = world.tariff.of_cents(ADDITIONAL_FEE_CENTS);
    let mut tfr = at_review(world, offered);
    for policies in tfr.values_mut() {
        for policy in policies.as_array_mut().into_iter().flatten() {
            if let Value::Object(members) = policy {
                members.insert("st".to_owned(), json!(0));
                members.insert("et".to_owned(), json!(FIRST_HOURS));
                if members.contains_key("amount") {
                    members.insert("additionalFee".to_owned(), json!(Money(fee)));
                }
            }
        }
    }
    json!({ "tfr": tfr, "miscInfo": [] })
}

/// The rules as a review shows them.
pub(super) fn at_review(world: &World, offered: &Offered) -> Map<String, Value> {
    let (cancel, change) = penalties(&world.tariff, offered, Kind::Adult);
    let policy = |rule: &Rule, codes: [&str; 2]| match rule.penalty.filter(|_| rule.allowed) {
        None => json!({ "policyInfo": "Not Allowed", "pp": "BEFORE_DEPARTURE" }),
        Some(amount) => {
            let [fee, tax] = codes;
            json!({
                "amount": Money(amount),
                "policyInfo": if amount > Decimal::ZERO { "Available with Penalty" } else { "Available" },
                "fcs": { fee: Money(amount), tax: Money(Decimal::new(0, amount.scale())) },
                "pp": "BEFORE_DEPARTURE",
            })
        }
    };
    let no_show = json!({ "policyInfo": "Not Applicable", "pp": "BEFORE_DEPARTURE" });
    Map::from_iter([
        (
            "CANCELLATION".to_owned(),
            json!([policy(&cancel, ["ACF", "ACFT"])]),
        ),
        ("DATECHANGE".to_owned(), json!([policy(&change, ["ARF", "ARFT"])])),
        ("NO_SHOW".to_owned(), json!([no_show])),
    ])
}

/// What the airline keeps of a traveller for one way, when it is cancelled and when it is changed.
fn penalties(tariff: &Tariff, offered: &Offered, kind: Kind) -> (Rule, Rule) {
    let ways = Decimal::from(offered.journeys().count().max(1));
    let prices = &offered.price.by_kind;
    let base = prices
        .iter()
        .find(|(of, ..)| *of == kind)
        .map_or(Decimal::ZERO, |(.., price)| price.base);
    fares::rules(tariff, offered.bundle.brand, tariff.rounded(base / ways))
}
