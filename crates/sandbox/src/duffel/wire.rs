//! Duffel's words for times, people and terms; written from here, read by nobody in this project.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde::Serialize;

use crate::fares::{Fare, Rule};
use crate::itinerary::PassengerType;

/// One thing, in Duffel's envelope.
#[derive(Serialize)]
pub(super) struct Single<T> {
    pub(super) data: T,
}

/// Some things, in Duffel's envelope.
#[derive(Serialize)]
pub(super) struct Listed<M, T> {
    pub(super) meta: M,
    pub(super) data: Vec<T>,
}

/// An instant with microseconds, as most of Duffel's are.
pub(super) fn instant(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// An instant to the second, as deadlines are.
pub(super) fn deadline(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// An ISO 8601 duration: `PT7H35M`, `P1DT2H`.
pub(super) fn duration(duration: TimeDelta) -> String {
    let (days, hours, minutes) = (
        duration.num_days(),
        duration.num_hours() % 24,
        duration.num_minutes() % 60,
    );
    let part = |number: i64, letter: &str| {
        if number == 0 {
            String::new()
        } else {
            format!("{number}{letter}")
        }
    };
    format!(
        "P{}T{}{}",
        part(days, "D"),
        part(hours, "H"),
        if hours == 0 {
            format!("{minutes}M")
        } else {
            part(minutes, "M")
        }
    )
    .trim_end_matches('T')
    .to_owned()
}

/// Duffel's word for a kind of passenger.
pub(super) fn passenger_type(kind: PassengerType) -> &'static str {
    match kind {
        PassengerType::Adult => "adult",
        PassengerType::Child => "child",
        PassengerType::Infant => "infant_without_seat",
    }
}

/// What an airline does on a change or a cancellation; null where it does not say.
#[derive(Serialize)]
pub(super) struct ConditionBody {
    allowed: bool,
    penalty_amount: Option<String>,
    penalty_currency: Option<String>,
}

impl ConditionBody {
    pub(super) fn of(rule: &Rule, told: bool, currency: &str) -> Option<Self> {
        told.then(|| Self {
            allowed: rule.allowed,
            penalty_amount: rule.penalty.map(|penalty| penalty.to_string()),
            penalty_currency: rule.penalty.map(|_| currency.to_owned()),
        })
    }
}

/// The terms of an offer or an order.
#[derive(Serialize)]
pub(super) struct ConditionsBody {
    change_before_departure: Option<ConditionBody>,
    refund_before_departure: Option<ConditionBody>,
}

impl ConditionsBody {
    pub(super) fn of(fare: &Fare, currency: &str) -> Self {
        Self {
            change_before_departure: ConditionBody::of(&fare.change, fare.discloses_rules, currency),
            refund_before_departure: ConditionBody::of(&fare.refund, fare.discloses_rules, currency),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_iso_8601() {
        let text = |minutes| duration(TimeDelta::minutes(minutes));
        assert_eq!(
            [text(455), text(60), text(45), text(1_560)],
            ["PT7H35M", "PT1H", "PT45M", "P1DT2H"]
        );
        assert_eq!(text(1_440), "P1DT0M");
    }
}
