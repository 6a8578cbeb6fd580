//! Fare rules: in sentences, and line by line.

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use wayfare_domain::{Amount, Currency, Money, PassengerType};
use wayfare_flights::{FareFee, FeeKind};
use wayfare_operations::{
    Caller,
    flights::{self, FareRulesRequest, RulesOfFare},
};

use crate::{
    http::{
        App,
        extract::{Ask, Body},
        json_body::{Example, FromJson, JsonObject},
        reply::{Data, Replied, data},
    },
    resources::common::CurrencyCode,
};

/// `POST /flights/fare-rules`.
pub async fn fare_rules(app: App, ask: Ask<Caller, Body<FareRulesRequest>>) -> Replied<Data<FareRulesView>> {
    let rules = flights::fare_rules(&app.flights, &ask.who, &ask.what.0).await?;
    data(FareRulesView::from(rules))
}

/// `POST /flights/fare-rules`.
impl FromJson for FareRulesRequest {
    const NAME: &str = "FareRulesRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let search_id = body.optional_text("search_id").filter(|id| !id.is_empty());
        body.note("search_id", || json!({ "format": "uuid" }));
        let search_id = search_id.map(|id| id.parse());
        if matches!(search_id, Some(Err(_))) {
            body.fault("search_id", "must be the id of a search");
        }
        let offer_ids = body.texts("offer_ids", 10);
        let fare_keys = body.texts("fare_keys", 10);
        let booking_keys = body.texts("booking_keys", 10);
        let none =
            [&offer_ids, &fare_keys, &booking_keys].iter().all(|ids| ids.as_ref().is_none_or(Vec::is_empty));
        if none && !body.is_at_fault() {
            body.fault("offer_ids", "this field is required");
        }
        Some(Self {
            search_id: search_id.and_then(Result::ok),
            offer_ids: offer_ids.unwrap_or_default(),
            fare_keys: fare_keys.unwrap_or_default(),
            booking_keys: booking_keys.unwrap_or_default(),
        })
    }

    fn examples() -> Vec<Example> {
        let offers = json!({
            "search_id": "01941f29-7c00-7000-8000-000000000001",
            "offer_ids": ["of_5kq2"],
            "fare_keys": ["fk_5kq2"],
            "booking_keys": ["bk_01941f297c00"],
        });
        vec![("of offers, earlier answers and quotes", offers)]
    }
}

/// The rules of the first fare that was asked for, and of all of them.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FareRules")]
pub struct FareRulesView {
    #[serde(flatten)]
    first: Option<Rules>,
    items: Vec<Rules>,
}

#[derive(Clone, Serialize, JsonSchema)]
#[schemars(rename = "RulesOfFare")]
struct Rules {
    fare_key: String,
    cancellation: String,
    date_change: String,
    baggage_policy: String,
    raw_text: String,
    fees: Vec<Fee>,
}

/// One line, in the wallet's currency, or in its own where that is not the fare's; beside the contract's texts, for programs.
#[derive(Clone, Serialize, JsonSchema)]
#[schemars(rename = "FareFee")]
struct Fee {
    #[serde(rename = "type")]
    kind: FeeKind,
    route: Option<String>,
    passenger_type: Option<PassengerType>,
    is_allowed: Option<bool>,
    amount: Option<Amount>,
    supplier_fee: Option<Amount>,
    /// Of both amounts, ISO 4217: the wallet's, or that in which the supplier says them where that is not the fare's.
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    from_hours: Option<u32>,
    until_hours: Option<u32>,
    after_departure: bool,
    text: Option<String>,
}

impl From<Vec<RulesOfFare>> for FareRulesView {
    fn from(fares: Vec<RulesOfFare>) -> Self {
        let items: Vec<Rules> = fares.iter().map(Rules::from).collect();
        Self { first: items.first().cloned(), items }
    }
}

impl From<&RulesOfFare> for Rules {
    fn from(fare: &RulesOfFare) -> Self {
        let fees: Vec<Fee> = fare.rules.fees.iter().map(|line| fee(fare, line)).collect();
        let told = |kind| {
            let lines: Vec<String> = fees.iter().filter(|fee| fee.kind == kind).map(sentence).collect();
            if lines.is_empty() { "The supplier does not say.".to_owned() } else { lines.join("\n") }
        };
        Self {
            fare_key: fare.key.clone(),
            cancellation: told(FeeKind::Cancellation),
            date_change: told(FeeKind::DateChange),
            baggage_policy: baggage(fare),
            raw_text: raw_text(fare),
            fees,
        }
    }
}

fn fee(fare: &RulesOfFare, line: &FareFee) -> Fee {
    let of_fare = fare.offer.charge.total.currency();
    // One in another currency than the fare's has no rate here: it is told in its own.
    let own = line.amount.map(Money::currency).filter(|own| *own != of_fare);
    let shown = |amount: Option<Money>| match own {
        Some(own) => amount.filter(|amount| amount.currency() == own).map(Money::number),
        None => {
            let amount = amount.filter(|amount| amount.currency() == of_fare)?;
            let amount = amount.converted(fare.exchange_rate?, fare.currency).ok()?;
            Some(amount.number())
        }
    };
    Fee {
        kind: line.kind,
        route: line.route.clone(),
        passenger_type: line.passenger,
        is_allowed: line.allowed,
        amount: shown(line.amount),
        supplier_fee: shown(line.supplier_fee),
        currency: own.unwrap_or(fare.currency),
        from_hours: line.from_hours,
        until_hours: line.until_hours,
        after_departure: line.after_departure,
        text: line.text.clone(),
    }
}

fn sentence(fee: &Fee) -> String {
    let mut words = Vec::new();
    words.extend(fee.route.clone().map(|route| format!("{route}:")));
    words.extend(fee.passenger_type.map(|kind| format!("{}:", kind.as_ref())));
    words.push(match (fee.is_allowed, fee.amount) {
        (Some(false), _) => "not possible".to_owned(),
        (_, Some(amount)) => {
            let total = amount.0 + fee.supplier_fee.map_or(Decimal::ZERO, |fee| fee.0);
            format!("for {} {}", Money::rounded(total, fee.currency), fee.currency.code())
        }
        (Some(true), None) => "possible".to_owned(),
        (None, None) => "as the text says".to_owned(),
    });
    words.push(match (fee.from_hours, fee.until_hours) {
        _ if fee.after_departure => "after departure".to_owned(),
        (None, None) => "before departure".to_owned(),
        (Some(from), None | Some(0)) => format!("from {from} hours before departure on"),
        (None, Some(until)) => format!("until {until} hours before departure"),
        (Some(from), Some(until)) => format!("from {from} to {until} hours before departure"),
    });
    words.extend(fee.text.clone().map(|text| format!("({text})")));
    words.join(" ")
}

fn baggage(fare: &RulesOfFare) -> String {
    let said = |text: Option<&str>| text.unwrap_or("the supplier does not say").to_owned();
    let lines = fare.offer.segments().map(|segment| {
        format!(
            "{}-{}: checked {}; cabin {}",
            segment.origin,
            segment.destination,
            said(segment.baggage.check_in.as_deref()),
            said(segment.baggage.cabin.as_deref()),
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The supplier's own words: of each line, and beside them.
fn raw_text(fare: &RulesOfFare) -> String {
    let lines = fare.rules.fees.iter().filter_map(|line| line.text.as_deref());
    let all = lines.chain([fare.rules.text.as_str()]);
    all.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fee_is_told_with_when_it_is_taken() {
        for (from_hours, until_hours, after_departure, when) in [
            (None, None, false, "before departure"),
            (Some(72), Some(4), false, "from 72 to 4 hours before departure"),
            (Some(4), None, false, "from 4 hours before departure on"),
            (None, Some(4), false, "until 4 hours before departure"),
            (None, None, true, "after departure"),
        ] {
            let fee = Fee {
                kind: FeeKind::NoShow,
                route: Some("DEL-BOM".to_owned()),
                passenger_type: None,
                is_allowed: Some(true),
                amount: None,
                supplier_fee: None,
                currency: Currency::INR,
                from_hours,
                until_hours,
                after_departure,
                text: None,
            };
            assert_eq!(sentence(&fee), format!("DEL-BOM: possible {when}"));
        }
    }
}
