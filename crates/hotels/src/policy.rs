//! What giving a stay back costs, and from when.

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc};
use serde::{Deserialize, Serialize};
use wayfare_domain::{KeptByTerms, Money, MoneyError, Zone};

/// How a remark begins that repeats a penalty in the supplier's words and amounts.
pub const PENALTY_WORDS: &str = "Cancellation from ";

/// From a moment on, a cancellation costs so much.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadline {
    /// From this instant, UTC.
    pub from: DateTime<Utc>,
    /// The moment as the supplier wrote it.
    pub text: String,
    /// What is kept of the whole price, in the supplier's currency.
    pub fee: Money,
    /// That it is where the day of arrival begins, of what is refundable without any deadline (D-590): what is kept from then on
    /// the supplier tells when it cancels, and `fee` is the most.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_arrival: bool,
}

/// The deadline where a day of arrival begins, in our words.
const ARRIVAL: &str = "the day of arrival";
/// So far ahead of UTC a day begins first.
const FIRST_ZONE: TimeDelta = TimeDelta::hours(14);

/// When a day of arrival begins by the hotel's clocks; where its time zone is not known, when it begins first anywhere.
pub fn arrival(check_in: NaiveDate, zone: Option<Zone>) -> DateTime<Utc> {
    let midnight = check_in.and_time(NaiveTime::MIN);
    // Where clocks go forward at midnight the day begins an hour later.
    let hours = [midnight, midnight + TimeDelta::hours(1)];
    let first = |zone: Zone| {
        let mut instants = hours.iter().filter_map(|hour| zone.from_local_datetime(hour).earliest());
        instants.next()
    };
    let there = zone.and_then(first).map(|begins| begins.to_utc());
    there.unwrap_or_else(|| midnight.and_utc() - FIRST_ZONE)
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
        passed.map_or(Ok(Money::zero(total.currency())), |deadline| deadline.fee.at_most(total))
    }

    /// What is kept of `total` then, and what of that is certain.
    ///
    /// # Errors
    /// As [`Self::fee_at`].
    pub fn kept_at(&self, now: DateTime<Utc>, total: Money) -> Result<KeptByTerms, MoneyError> {
        let most = self.fee_at(now, total)?;
        let mut passed = self.deadlines.iter().rev().skip_while(|deadline| deadline.from > now);
        let least = match passed.next() {
            Some(arrival) if arrival.is_arrival && self.refundable != Some(false) => match passed.next() {
                Some(before) => before.fee.at_most(most)?,
                None => Money::zero(total.currency()),
            },
            _ => most,
        };
        Ok(KeptByTerms { total, most, least })
    }

    /// Whether it costs something from the day of arrival on, which begins by the hotel's clocks.
    pub(crate) fn depends_on_arrival(&self) -> bool {
        self.deadlines.iter().any(|deadline| deadline.is_arrival)
    }

    /// The policy of a stay whose day of arrival begins then. What is refundable, and never costs anything by its deadlines, is
    /// free until that moment.
    #[must_use]
    pub fn arriving_at(mut self, arrival: DateTime<Utc>, total: Money) -> Self {
        let may_come_back = match self.refundable {
            Some(is_refundable) => is_refundable,
            None => !self.deadlines.is_empty(),
        };
        if may_come_back && self.deadlines.iter().all(|deadline| deadline.fee.is_zero()) {
            self.deadlines.push(Deadline {
                from: arrival,
                text: ARRIVAL.to_owned(),
                fee: total,
                is_arrival: true,
            });
        }
        let moved = self.deadlines.iter_mut().filter(|deadline| deadline.is_arrival);
        moved.for_each(|deadline| deadline.from = arrival);
        self.in_order()
    }

    /// The same with its deadlines in order of time, none of which keeps less than one before it: where two overlap the dearer one
    /// counts.
    #[must_use]
    pub(crate) fn in_order(mut self) -> Self {
        self.deadlines.sort_by_key(|deadline| (deadline.from, deadline.fee.amount()));
        let mut last: Option<Money> = None;
        for deadline in &mut self.deadlines {
            if let Some(last) = last {
                deadline.fee = deadline.fee.at_least(last).unwrap_or(deadline.fee);
            }
            last = Some(deadline.fee);
        }
        self
    }

    /// The same, told of a price, for what is sold at another one.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub(crate) fn scaled(mut self, own: Money, sold: Money) -> Result<Self, MoneyError> {
        for deadline in &mut self.deadlines {
            deadline.fee = share(deadline.fee, own, sold)?;
        }
        Ok(self)
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
        // Of two at once the one that its supplier has told stands.
        moments.sort_by_key(|deadline| (deadline.from, deadline.is_arrival));
        moments.dedup_by_key(|deadline| deadline.from);
        let at_first = fee_at(FROM_THE_BEGINNING)?;
        // What one of them keeps at any time is kept before the first deadline too.
        let first = at_first.is_positive().then(|| Deadline {
            from: FROM_THE_BEGINNING,
            text: "from the beginning".to_owned(),
            fee: at_first,
            is_arrival: false,
        });
        let later = moments.into_iter().filter(|deadline| deadline.from > FROM_THE_BEGINNING);
        let later = later.map(|moment| {
            let fee = fee_at(moment.from)?;
            Ok(Deadline { fee, ..moment.clone() })
        });
        let mut remarks = self.remarks.clone();
        remarks.extend(other.remarks.iter().filter(|remark| !self.remarks.contains(remark)).cloned());
        Ok(Self {
            refundable: Some(at_first != ours.plus(theirs)?),
            deadlines: first.map(Ok).into_iter().chain(later).collect::<Result<_, MoneyError>>()?,
            remarks,
        })
    }
}

/// What is kept of `sold` where `fee` is kept of `own`: as large a part, and all of all.
///
/// # Errors
/// When amounts don't add up.
pub(crate) fn share(fee: Money, own: Money, sold: Money) -> Result<Money, MoneyError> {
    if fee.at_least(own)? == fee {
        return Ok(sold);
    }
    if own == sold {
        return Ok(fee);
    }
    sold.times(fee.amount().checked_div(own.amount()).unwrap_or_default())
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
            is_arrival: false,
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
        for (hour, fee) in [(7, "50.00"), (8, "50.00"), (9, "50.00"), (10, "70.00"), (12, "90.00")] {
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

    #[test]
    fn what_names_no_deadline_is_free_until_the_day_of_arrival_by_the_hotels_clocks() {
        let day = "2026-05-01".parse().unwrap();
        for (zone, begins) in [
            (None, "2026-04-30T10:00:00Z"),
            (Some("Pacific/Kiritimati".parse::<wayfare_domain::Zone>().unwrap()), "2026-04-30T10:00:00Z"),
            (Some(Zone::KOLKATA), "2026-04-30T18:30:00Z"),
            (Some("America/Los_Angeles".parse::<wayfare_domain::Zone>().unwrap()), "2026-05-01T07:00:00Z"),
        ] {
            let begins: DateTime<Utc> = begins.parse().unwrap();
            assert_eq!(arrival(day, zone), begins, "{zone:?}");
            let total = euros("90.00");
            // Read where nobody knows the zone, and once more where it is known.
            let policy = policy(Some(true), &[]).arriving_at(arrival(day, None), total);
            let policy = policy.arriving_at(begins, total).arriving_at(begins, total);
            assert_eq!(policy.free_until(), Some(begins));
            let kept = |at| {
                let kept = policy.kept_at(at, total).unwrap();
                (kept.least.to_string(), kept.most.to_string())
            };
            let second = TimeDelta::seconds(1);
            assert_eq!(kept(begins - second), ("0.00".to_owned(), "0.00".to_owned()));
            assert_eq!(kept(begins), ("0.00".to_owned(), "90.00".to_owned()));
        }
        // Clocks went forward at midnight.
        let cairo = arrival(
            "2026-04-24".parse().unwrap(),
            Some("Africa/Cairo".parse::<wayfare_domain::Zone>().unwrap()),
        );
        assert_eq!(cairo, "2026-04-23T22:00:00Z".parse::<DateTime<Utc>>().unwrap());
    }

    #[test]
    fn only_what_may_come_back_and_never_costs_anything_ends_with_the_arrival() {
        let arrival = at(20);
        for (refundable, deadlines, free_until) in [
            (Some(true), &[][..], Some(20)),
            (Some(true), &[(10, "0.00")], Some(20)),
            (Some(true), &[(10, "0.00"), (12, "30.00")], Some(12)),
            (None, &[(10, "0.00")], Some(20)),
            (None, &[], None),
            (Some(false), &[], None),
            (Some(false), &[(10, "0.00")], None),
        ] {
            let policy = policy(refundable, deadlines).arriving_at(arrival, euros("90.00"));
            assert_eq!(policy.free_until(), free_until.map(at), "{refundable:?} {deadlines:?}");
        }
    }

    #[test]
    fn a_rate_without_deadlines_and_one_with_some_cost_together_what_each_costs() {
        let open = policy(Some(true), &[]).arriving_at(at(20), euros("40.00"));
        let dated = policy(Some(true), &[(10, "20.00"), (22, "50.00")]);
        let both = open.and(euros("40.00"), &dated, euros("50.00")).unwrap();
        for (hour, least, most) in
            [(9, "0.00", "0.00"), (10, "20.00", "20.00"), (20, "20.00", "60.00"), (22, "90.00", "90.00")]
        {
            let kept = both.kept_at(at(hour), euros("90.00")).unwrap();
            assert_eq!((kept.least, kept.most), (euros(least), euros(most)), "at {hour}");
        }
        let twice = open.and(euros("40.00"), &open, euros("40.00")).unwrap();
        assert_eq!(twice.free_until(), Some(at(20)));
        assert_eq!(twice.kept_at(at(20), euros("80.00")).unwrap().least, euros("0.00"));
    }

    #[test]
    fn of_deadlines_that_overlap_the_dearer_one_counts() {
        for (deadlines, fees) in [
            (&[(10, "30.00"), (12, "20.00")][..], "30.00 30.00"),
            (&[(12, "20.00"), (10, "30.00")], "30.00 30.00"),
            (&[(10, "30.00"), (10, "20.00"), (11, "0.00")], "20.00 30.00 30.00"),
            (&[(10, "10.00"), (12, "20.00")], "10.00 20.00"),
        ] {
            let policy = policy(Some(true), deadlines).in_order();
            let shown: Vec<String> = policy.deadlines.iter().map(|one| one.fee.to_string()).collect();
            assert_eq!(shown.join(" "), fees, "{deadlines:?}");
        }
    }
}
