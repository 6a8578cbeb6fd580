//! What giving a stay back costs, and from when.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use wayfare_domain::{Money, MoneyError};

/// From a moment on, a cancellation costs so much.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadline {
    /// From this instant, UTC.
    pub from: DateTime<Utc>,
    /// The moment as the supplier wrote it.
    pub text: String,
    /// What is kept of the whole price, in the supplier's currency.
    pub fee: Money,
}

/// What giving a stay, or one rate of it, back costs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CancellationPolicy {
    /// Whether anything comes back if it is given back in time; none where the supplier does not say.
    pub refundable: Option<bool>,
    /// In order of time.
    pub deadlines: Vec<Deadline>,
    /// What the supplier says beside it, in its own words.
    pub remarks: Vec<String>,
}

impl CancellationPolicy {
    /// What is kept of `total` when it is cancelled at this instant: nothing before the first deadline, what the latest
    /// deadline that has come says after it, never more than the total. Of what is not refundable, and of what the
    /// supplier says nothing about, everything is kept.
    pub fn fee_at(&self, now: DateTime<Utc>, total: Money) -> Result<Money, MoneyError> {
        if self.refundable == Some(false) || (self.deadlines.is_empty() && self.refundable != Some(true)) {
            return Ok(total);
        }
        let passed = self.deadlines.iter().rfind(|deadline| deadline.from <= now);
        passed.map_or(Ok(Money::zero(total.currency())), |deadline| {
            deadline.fee.at_most(total)
        })
    }

    /// Until when it costs nothing, UTC; none where that time never was, or never ends.
    pub fn free_until(&self) -> Option<DateTime<Utc>> {
        let costly = |deadline: &&Deadline| deadline.fee.is_positive();
        match self.refundable {
            Some(false) => None,
            _ => self
                .deadlines
                .iter()
                .find(costly)
                .map(|deadline| deadline.from)
                .filter(|from| *from > FROM_THE_BEGINNING),
        }
    }

    /// Whether giving back what has this policy, and costs `ours`, never costs more than giving back what has the other one,
    /// and costs `theirs`.
    pub(crate) fn costs_no_more_than(&self, ours: Money, other: &Self, theirs: Money) -> bool {
        let later = self.deadlines.iter().map(|deadline| deadline.from);
        std::iter::once(FROM_THE_BEGINNING).chain(later).all(|from| {
            let (fee, limit) = (self.fee_at(from, ours), other.fee_at(from, theirs));
            fee.is_ok_and(|fee| limit.is_ok_and(|limit| fee.at_most(limit) == Ok(fee)))
        })
    }

    /// Both together, as when several rates are booked as one: at each moment the sum of what each costs then.
    ///
    /// `ours` and `theirs` are their prices.
    pub fn and(&self, ours: Money, other: &Self, theirs: Money) -> Result<Self, MoneyError> {
        let fee_at = |from| self.fee_at(from, ours)?.plus(other.fee_at(from, theirs)?);
        let mut moments: Vec<&Deadline> = self.deadlines.iter().chain(&other.deadlines).collect();
        moments.sort_by_key(|deadline| deadline.from);
        moments.dedup_by_key(|deadline| deadline.from);
        let at_first = fee_at(FROM_THE_BEGINNING)?;
        // What one of them keeps at any time is kept before the first deadline too.
        let first = at_first.is_positive().then(|| Deadline {
            from: FROM_THE_BEGINNING,
            text: "from the beginning".to_owned(),
            fee: at_first,
        });
        let later = moments
            .into_iter()
            .filter(|deadline| deadline.from > FROM_THE_BEGINNING);
        let later = later.map(|moment| {
            let fee = fee_at(moment.from)?;
            Ok(Deadline {
                fee,
                ..moment.clone()
            })
        });
        let mut remarks = self.remarks.clone();
        remarks.extend(
            other
                .remarks
                .iter()
                .filter(|remark| !self.remarks.contains(remark))
                .cloned(),
        );
        Ok(Self {
            refundable: Some(at_first != ours.plus(theirs)?),
            deadlines: first
                .map(Ok)
                .into_iter()
                .chain(later)
                .collect::<Result<_, MoneyError>>()?,
            remarks,
        })
    }
}

/// Before anything is booked.
const FROM_THE_BEGINNING: DateTime<Utc> = DateTime::UNIX_EPOCH;

#[cfg(test)]
mod tests {
    use wayfare_domain::parse_currency;

    use super::*;

    fn euros(amount: &str) -> Money {
        Money::exact(amount.parse().unwrap(), parse_currency("EUR").unwrap()).unwrap()
    }

    fn at(hour: u32) -> DateTime<Utc> {
        format!("2026-05-01T{hour:02}:00:00Z").parse().unwrap()
    }

    fn policy(refundable: Option<bool>, deadlines: &[(u32, &str)]) -> CancellationPolicy {
        let deadline = |&(hour, fee): &(u32, &str)| Deadline {
            from: at(hour),
            text: format!("{hour} o'clock"),
            fee: euros(fee),
        };
        CancellationPolicy {
            refundable,
            deadlines: deadlines.iter().map(deadline).collect(),
            remarks: Vec::new(),
        }
    }

    #[test]
    fn the_latest_deadline_that_has_come_decides() {
        let two = [(10, "30.00"), (12, "100.00")];
        for (refundable, deadlines, hour, fee) in [
            (Some(true), &two[..], 9, "0.00"),
            (Some(true), &two, 10, "30.00"),
            (Some(true), &two, 11, "30.00"),
            (Some(true), &two, 12, "100.00"),
            (None, &two, 9, "0.00"),
            (Some(false), &two, 9, "90.00"),
            (Some(true), &[], 9, "0.00"),
            (None, &[], 9, "90.00"),
        ] {
            let total = euros("90.00");
            let expected = euros(fee).at_most(total).unwrap();
            let penalty = policy(refundable, deadlines).fee_at(at(hour), total).unwrap();
            assert_eq!(penalty, expected, "{refundable:?} {deadlines:?} at {hour}");
        }
    }

    #[test]
    fn terms_are_no_worse_that_never_cost_more() {
        let quoted = policy(Some(true), &[(10, "20.00"), (12, "90.00")]);
        for (now, expected) in [
            (policy(Some(true), &[(10, "20.00"), (12, "80.00")]), true),
            (policy(Some(true), &[(11, "15.00"), (12, "80.00")]), true),
            (policy(Some(true), &[]), true),
            (policy(Some(true), &[(9, "20.00"), (12, "80.00")]), false),
            (policy(Some(true), &[(10, "20.01")]), false),
            (policy(Some(false), &[]), false),
            (policy(None, &[]), false),
        ] {
            let is_no_worse = now.costs_no_more_than(euros("80.00"), &quoted, euros("90.00"));
            assert_eq!(is_no_worse, expected, "{now:?}");
        }
    }

    #[test]
    fn two_rates_cost_at_each_moment_what_each_costs_then() {
        let strict = policy(Some(false), &[(8, "50.00")]);
        let kind = policy(Some(true), &[(10, "20.00"), (12, "40.00")]);
        let both = kind.and(euros("40.00"), &strict, euros("50.00")).unwrap();
        let total = euros("90.00");
        for (hour, fee) in [
            (7, "50.00"),
            (8, "50.00"),
            (9, "50.00"),
            (10, "70.00"),
            (12, "90.00"),
        ] {
            assert_eq!(both.fee_at(at(hour), total).unwrap(), euros(fee), "at {hour}");
        }
        assert_eq!((both.refundable, both.free_until()), (Some(true), None));

        let (never, always) = (policy(Some(false), &[]), policy(Some(true), &[]));
        let silent = policy(None, &[]);
        let half = euros("45.00");
        for (one, two, refundable, fee) in [
            (&never, &always, true, "45.00"),
            (&always, &never, true, "45.00"),
            (&always, &always, true, "0.00"),
            (&never, &never, false, "90.00"),
            (&silent, &never, false, "90.00"),
            (&silent, &kind, true, "45.00"),
        ] {
            let both = one.and(half, two, half).unwrap();
            assert_eq!(both.refundable, Some(refundable), "{one:?} {two:?}");
            assert_eq!(both.fee_at(at(7), total).unwrap(), euros(fee), "{one:?} {two:?}");
        }
        let free = kind.and(half, &kind, half).unwrap();
        assert_eq!(free.free_until(), Some(at(10)));
    }
}
