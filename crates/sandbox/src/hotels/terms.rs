//! What giving a room back costs, and from when.

use chrono::{DateTime, Days, NaiveTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::hotel::Hotel;
use super::rooms::Stay;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Terms {
    /// Free until some days before, then the first night, then all.
    Flexible,
    /// Nothing comes back, from the moment it is booked.
    NonRefundable,
}

/// From an instant on, a cancellation costs so much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) from: DateTime<Utc>,
    /// Of the price of the room for the whole stay.
    #[serde(rename = "keeps")]
    pub(crate) penalty: Decimal,
}

impl Hotel {
    /// When free cancellation ends: at six in the evening, local time, one to seven days before.
    pub(crate) fn free_until(&self, stay: Stay) -> DateTime<Utc> {
        let days = self.rng("terms").pick(&[1, 1, 2, 3, 7]).copied().unwrap_or(1);
        let day = stay.check_in.checked_sub_days(Days::new(days)).unwrap_or(stay.check_in);
        let evening = NaiveTime::from_hms_opt(18, 0, 0).unwrap_or_default();
        self.city.instant_of(day.and_time(evening))
    }

    /// Whether it is free until the day of arrival, and lost from then on: few houses.
    fn is_undated(&self) -> bool {
        self.rng("undated").one_in(12)
    }

    /// When the penalty is the whole price: from noon, local time, of the day of arrival.
    pub(crate) fn lost_from(&self, stay: Stay) -> DateTime<Utc> {
        let noon = NaiveTime::from_hms_opt(12, 0, 0).unwrap_or_default();
        self.city.instant_of(stay.check_in.and_time(noon))
    }

    /// The steps of these terms, in order of time: none where nothing ever comes back.
    pub(super) fn steps(&self, terms: Terms, stay: Stay, first_night: Decimal, total: Decimal) -> Vec<Step> {
        match terms {
            Terms::NonRefundable => Vec::new(),
            Terms::Flexible if self.is_undated() => vec![Step {
                from: self.city.instant_of(stay.check_in.and_time(NaiveTime::MIN)),
                penalty: total,
            }],
            Terms::Flexible => vec![
                Step { from: self.free_until(stay), penalty: first_night },
                Step { from: self.lost_from(stay), penalty: total },
            ],
        }
    }
}

/// The penalty of a total at an instant.
pub(super) fn penalty_at(steps: &[Step], total: Decimal, now: DateTime<Utc>) -> Decimal {
    if steps.is_empty() {
        return total;
    }
    let passed = steps.iter().rfind(|step| step.from <= now);
    passed.map_or(Decimal::ZERO, |step| step.penalty)
}
