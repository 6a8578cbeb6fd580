//! Fare rules: in sentences, and line by line.

use rust_decimal::Decimal;
use serde_json::json;
use wayfare_contract::{
    flights::{self as contract, FareFee, FareRules, FareRulesItem},
    vocabulary::FeeType,
};
use wayfare_domain::{Money, parse_currency};
use wayfare_operations::{
    Caller,
    flights::{self, FareRulesRequest, RulesOfFare},
};

use crate::{
    http::{
        App,
        extract::{Ask, Body},
        json_body::{FromJson, JsonObject},
        reply::{DataReply, data},
    },
    resources::common::{amount, code},
};

/// `POST /flights/fare-rules`.
pub async fn fare_rules(app: App, ask: Ask<Caller, Body<FareRulesRequest>>) -> DataReply<FareRules> {
    let rules = flights::fare_rules(&app.flights, &ask.who, &ask.what.0).await?;
    data(shown(&rules))
}

/// `POST /flights/fare-rules`.
impl FromJson for FareRulesRequest {
    const NAME: &str = "FareRulesRequest";
    type Declared = contract::FareRulesRequest;

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
}

/// The rules of the first fare that was asked for, and of all of them.
fn shown(fares: &[RulesOfFare]) -> FareRules {
    let items: Vec<FareRulesItem> = fares.iter().map(rules).collect();
    FareRules { first: items.first().cloned(), items }
}

fn rules(fare: &RulesOfFare) -> FareRulesItem {
    let fees: Vec<FareFee> = fare.rules.fees.iter().map(|line| fee(fare, line)).collect();
    let told = |kind| {
        let lines: Vec<String> = fees.iter().filter(|fee| fee.kind == kind).map(sentence).collect();
        if lines.is_empty() { "The supplier does not say.".to_owned() } else { lines.join("\n") }
    };
    FareRulesItem {
        fare_key: fare.key.clone(),
        cancellation: told(FeeType::Cancellation),
        date_change: told(FeeType::DateChange),
        baggage_policy: baggage(fare),
        raw_text: raw_text(fare),
        fees,
    }
}

fn fee(fare: &RulesOfFare, line: &wayfare_flights::FareFee) -> FareFee {
    let of_fare = fare.offer.charge.total.currency();
    // One in another currency than the fare's has no rate here: it is told in its own.
    let own = line.amount.map(Money::currency).filter(|own| *own != of_fare);
    let shown = |fee: Option<Money>| match own {
        Some(own) => fee.filter(|fee| fee.currency() == own).map(amount),
        None => {
            let fee = fee.filter(|fee| fee.currency() == of_fare)?;
            fee.converted(fare.exchange_rate?, fare.currency).ok().map(amount)
        }
    };
    FareFee {
        kind: line.kind.as_ref().into(),
        route: line.route.clone(),
        passenger_type: line.passenger.map(|kind| kind.as_ref().into()),
        is_allowed: line.allowed,
        amount: shown(line.amount),
        supplier_fee: shown(line.supplier_fee),
        currency: code(own.unwrap_or(fare.currency)),
        from_hours: line.from_hours,
        until_hours: line.until_hours,
        after_departure: line.after_departure,
        text: line.text.clone(),
    }
}

fn sentence(fee: &FareFee) -> String {
    let mut words = Vec::new();
    words.extend(fee.route.clone().map(|route| format!("{route}:")));
    words.extend(fee.passenger_type.as_ref().map(|kind| format!("{kind}:")));
    words.push(match (fee.is_allowed, fee.amount) {
        (Some(false), _) => "not possible".to_owned(),
        (_, Some(amount)) => {
            let total = amount.0 + fee.supplier_fee.map_or(Decimal::ZERO, |fee| fee.0);
            format!("for {} {}", rounded(total, &fee.currency), fee.currency)
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

/// With the minor units of its currency.
fn rounded(total: Decimal, currency: &str) -> String {
    parse_currency(currency).map_or(total, |currency| Money::rounded(total, currency).amount()).to_string()
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
            let fee = FareFee {
                kind: FeeType::NoShow,
                route: Some("DEL-BOM".to_owned()),
                passenger_type: None,
                is_allowed: Some(true),
                amount: None,
                supplier_fee: None,
                currency: "INR".to_owned(),
                from_hours,
                until_hours,
                after_departure,
                text: None,
            };
            assert_eq!(sentence(&fee), format!("DEL-BOM: possible {when}"));
        }
    }
}
