//! Duffel's envelope, and its words for times, people and terms.

use actix_web::HttpResponse;
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::fares::{Fare, Rule};
use crate::itinerary::PassengerType;

pub(super) fn ok(data: Value) -> HttpResponse {
    HttpResponse::Ok().json(json!({ "data": data }))
}

pub(super) fn created(data: Value) -> HttpResponse {
    HttpResponse::Created().json(json!({ "data": data }))
}

pub(super) fn listed(meta: Value, data: Vec<Value>) -> HttpResponse {
    HttpResponse::Ok().json(json!({ "meta": meta, "data": data }))
}

/// An instant with microseconds, as most of Duffel's are.
pub(super) fn instant(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Micros, true)
}

pub(super) fn deadline(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// An ISO 8601 duration: `PT7H35M`, `P1DT2H`, `P1DT0M`.
pub(super) fn duration(duration: TimeDelta) -> String {
    let (days, hours) = (duration.num_days(), duration.num_hours() % 24);
    let part = |number: i64, letter: &str| match number {
        0 => String::new(),
        number => format!("{number}{letter}"),
    };
    let minutes = match (hours, duration.num_minutes() % 60) {
        (0, minutes) => format!("{minutes}M"),
        (_, minutes) => part(minutes, "M"),
    };
    format!("P{}T{}{minutes}", part(days, "D"), part(hours, "H"))
}

pub(super) fn passenger_type(kind: PassengerType) -> &'static str {
    match kind {
        PassengerType::Adult => "adult",
        PassengerType::Child => "child",
        PassengerType::Infant => "infant_without_seat",
    }
}

/// What an airline does on a change or a cancellation; null where it does not say.
pub(super) fn condition(fare: &Fare, rule: &Rule, currency: &str) -> Value {
    if !fare.discloses_rules {
        return Value::Null;
    }
    json!({
        "allowed": rule.allowed,
        "penalty_amount": rule.penalty,
        "penalty_currency": rule.penalty.map(|_| currency),
    })
}

pub(super) fn conditions(fare: &Fare, currency: &str) -> Value {
    json!({
        "change_before_departure": condition(fare, &fare.change, currency),
        "refund_before_departure": condition(fare, &fare.refund, currency),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_iso_8601() {
        let texts = [455, 60, 45, 1_560, 1_440].map(|minutes| duration(TimeDelta::minutes(minutes)));
        assert_eq!(texts, ["PT7H35M", "PT1H", "PT45M", "P1DT2H", "P1DT0M"]);
    }
}
