//! When orders are polled: holds that may lapse, tickets that are issued later, travel that is not over yet.
//!
//! The nearer its travel, the more often an order is polled. [`next`] alone decides when, from what is awaited of the order and from
//! the time: nothing here asks anybody.

use chrono::{DateTime, Duration, Utc};
use wayfare_domain::{Awaited, ProductKind, Travel};
use wayfare_store::booking::orders_to_poll::NextPoll;

/// From the sale to the first poll, where the travel does not want it sooner.
const FIRST_POLL: Duration = Duration::days(1);
/// From the end of the travel to the last poll.
pub(crate) const LAST_POLL: Duration = Duration::days(1);
/// A poll that failed is made again after this, and after twice as long when it fails once more.
const FAILED: Duration = Duration::minutes(5);
/// The longest such pause.
const LONGEST_FAILED: Duration = Duration::minutes(240);
/// A stay without its hotel's own number is polled on these days after the sale, too.
const NUMBER_AWAITED: [i64; 4] = [1, 2, 4, 7];

/// A hotel should have told its number so long before its guests arrive.
pub(crate) const NUMBER_DUE: Duration = Duration::hours(48);

/// How often an order is polled until how long before its travel, the farthest first.
fn bands(kind: ProductKind) -> [(Duration, Duration); 7] {
    let (days, hours, minutes) = (Duration::days, Duration::hours, Duration::minutes);
    match kind {
        ProductKind::Flight => [
            (days(90), days(14)),
            (days(30), days(7)),
            (days(7), days(2)),
            (days(3), hours(12)),
            (hours(24), hours(4)),
            (hours(4), hours(1)),
            (Duration::zero(), minutes(30)),
        ],
        ProductKind::Hotel => [
            (days(90), days(14)),
            (days(30), days(14)),
            (days(7), days(4)),
            (days(3), days(1)),
            (hours(24), hours(8)),
            (hours(4), hours(4)),
            (Duration::zero(), hours(4)),
        ],
    }
}

/// What is known of an order when it was polled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watched<'a> {
    pub kind: ProductKind,
    /// What is awaited of it beside its travel.
    pub awaited: Awaited,
    pub polls: i32,
    pub travel: Option<&'a Travel>,
    pub sold_at: DateTime<Utc>,
    /// Whether the hotel's own number is still to come.
    pub lacks_number: bool,
    /// How many polls in a row have failed, this one included.
    pub failed: i16,
    /// By how many thousandths an interval is longer or shorter: within a tenth.
    pub spread: i32,
}

/// When an order is polled next after a poll now.
pub(crate) fn next(watched: Watched<'_>, now: DateTime<Utc>) -> NextPoll {
    let awaited = next_poll(watched.awaited, watched.polls, now);
    let travel_ends = watched.travel.map(|travel| travel.ends);
    let (at, travel_at) = match (watched.awaited, awaited) {
        (Awaited::Payment(_), at) => (at, None),
        (Awaited::Nothing | Awaited::Documents, Some(at)) => (Some(at), None),
        (Awaited::Nothing | Awaited::Documents, None) => match next_watch(watched, now) {
            Some(at) => (Some(at), watched.travel.map(|travel| travel.next_after(now))),
            None => (None, None),
        },
    };
    NextPoll { at, travel_at, travel_ends, looks_failed: watched.failed }
}

/// When the order is watched next; never again when its travel has been over for a day.
fn next_watch(watched: Watched<'_>, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let travel = watched.travel?;
    let last = travel.ends + LAST_POLL;
    if watched.failed > 0 {
        // One that was to be the last is made up for, for as long again.
        return Some(now + back_off(watched.failed)).filter(|again| *again <= last + LAST_POLL);
    }
    if now >= last {
        return None;
    }
    let regular = match travel.next_after(now) {
        start if travel.starts.contains(&start) => by_travel(watched.kind, start, watched.spread, now),
        _ => last,
    };
    let after_sale = NUMBER_AWAITED.map(|days| watched.sold_at + Duration::days(days));
    let before_arrival = travel.starts.first().map(|start| *start - NUMBER_DUE);
    let for_number = after_sale.into_iter().chain(before_arrival);
    let for_number = for_number.filter(|at| *at > now && watched.lacks_number).min();
    Some(for_number.map_or(regular, |at| at.min(regular)).min(last))
}

/// When an order of which this is awaited is first polled after its sale, by its travel as it was known then.
pub(crate) fn first_poll(
    awaited: Awaited,
    kind: ProductKind,
    travel_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> (Option<DateTime<Utc>>, Option<DateTime<Utc>>) {
    match (awaited, travel_at) {
        (Awaited::Nothing, Some(start)) => {
            let regular = by_travel(kind, start, 0, now);
            (Some(regular.min(now + FIRST_POLL)), travel_at)
        }
        // It was held, and is paid: what is known of its travel was not kept meanwhile.
        (Awaited::Nothing, None) => (Some(now), None),
        (awaited, _) => (next_poll(awaited, 0, now), None),
    }
}

/// When an order is polled next of which a poll has kept what its supplier showed: whoever polled it says when its travel wants
/// that, and it stays due where it was rung for meanwhile.
pub(crate) fn after_keeping(
    awaited: Awaited,
    present: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    match awaited {
        Awaited::Nothing => present,
        Awaited::Payment(_) | Awaited::Documents => next_poll(awaited, 0, now),
    }
}

/// An interval from now, and never later than the first interval of any nearer band has it.
fn by_travel(kind: ProductKind, start: DateTime<Utc>, spread: i32, now: DateTime<Utc>) -> DateTime<Utc> {
    let left = start - now;
    let mut earliest: Option<DateTime<Utc>> = None;
    for (until, interval) in bands(kind) {
        let interval = interval + interval / 1000 * spread.clamp(-100, 100);
        let candidate = match left > until {
            // In this band already, or it is still to come.
            true if earliest.is_none() => now + interval,
            true => start - previous_end(kind, until) + interval,
            false => continue,
        };
        earliest = Some(earliest.map_or(candidate, |earliest| earliest.min(candidate)));
    }
    earliest.unwrap_or(start)
}

/// How long before the travel the band begins that ends so long before it.
fn previous_end(kind: ProductKind, until: Duration) -> Duration {
    let longer = bands(kind).into_iter().map(|(end, _)| end).filter(|end| *end > until);
    longer.min().unwrap_or(until)
}

/// How long to wait after so many polls that failed.
pub(crate) fn back_off(failed: i16) -> Duration {
    let doublings = u32::try_from(failed.saturating_sub(1)).unwrap_or_default().min(6);
    (FAILED * 2_i32.pow(doublings)).min(LONGEST_FAILED)
}

/// When to poll again for what is awaited, after so many polls.
fn next_poll(awaited: Awaited, polls: i32, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    match awaited {
        Awaited::Nothing => None,
        // Just after it, when the supplier has let it go.
        Awaited::Payment(Some(by)) if by > now => Some(by + Duration::seconds(5)),
        Awaited::Payment(Some(_)) => Some(now + Duration::minutes(1)),
        Awaited::Payment(None) => Some(now + Duration::minutes(10)),
        // After two days it is not a matter of waiting any more.
        Awaited::Documents if polls > 200 => None,
        Awaited::Documents => {
            let doubled = 5_i64 << polls.clamp(0, 8);
            Some(now + Duration::seconds(doubled.min(900)))
        }
    }
}

#[cfg(test)]
mod tests {
    use wayfare_domain::ProductKind::{Flight, Hotel};

    use super::*;

    fn noon() -> DateTime<Utc> {
        "2027-03-01T12:00:00Z".parse().unwrap()
    }

    fn travel(starts: &[DateTime<Utc>], ends: DateTime<Utc>) -> Travel {
        Travel { starts: starts.to_vec(), ends }
    }

    fn watched(kind: ProductKind, travel: &Travel) -> Watched<'_> {
        Watched {
            kind,
            awaited: Awaited::Nothing,
            polls: 1,
            travel: Some(travel),
            sold_at: noon() - Duration::days(400),
            lacks_number: false,
            failed: 0,
            spread: 0,
        }
    }

    #[test]
    fn the_nearer_its_travel_the_more_often_an_order_is_looked_at() {
        let (days, hours) = (24 * 60, 60);
        for (left, flight, stay) in [
            (200 * days, 14 * days, 14 * days),
            (80 * days, 7 * days, 14 * days),
            (25 * days, 2 * days, 4 * days),
            (6 * days, 12 * hours, days),
            (60 * hours, 4 * hours, 8 * hours),
            (20 * hours, hours, 4 * hours),
            (3 * hours, 30, 4 * hours),
        ] {
            let start = noon() + Duration::minutes(left);
            let travel = travel(&[start], start + Duration::hours(2));
            for (kind, interval) in [(Flight, flight), (Hotel, stay)] {
                let next = next(watched(kind, &travel), noon());
                let at = next.at.unwrap();
                // Not beyond the travel: the last poll is a day after it.
                let expected = Duration::minutes(interval).min(travel.ends + LAST_POLL - noon());
                assert_eq!(at - noon(), expected, "{kind:?} {left} min before");
                assert_eq!(next.travel_at, Some(start));
            }
        }
    }

    #[test]
    fn a_nearer_band_is_not_slept_through() {
        // 31 days before a stay: the next poll would be 17 days before it, and every 4 days are due from 30 on.
        let start = noon() + Duration::days(31);
        let travel = travel(&[start], start + Duration::days(2));
        let next = next(watched(Hotel, &travel), noon());
        assert_eq!(start - next.at.unwrap(), Duration::days(26));
    }

    /// Whatever the travel is and whenever a poll comes, no band passes with fewer polls than it has, and the last one is a day
    /// after all is over.
    #[test]
    fn a_watched_order_is_looked_at_as_often_as_each_band_has_it_until_its_travel_is_over() {
        for seed in 0..400_i64 {
            let kind = if seed % 2 == 0 { Flight } else { Hotel };
            let first = noon() + Duration::minutes(1 + seed * 7_919 % (200 * 24 * 60));
            let back = first + Duration::hours(seed % 700);
            let starts = if seed % 3 == 0 { vec![first] } else { vec![first, back] };
            let travel = travel(&starts, back + Duration::hours(9));
            let (mut now, mut polls) = (noon(), 0);
            loop {
                let spread = i32::try_from(seed * 31 + polls * 17).unwrap() % 201 - 100;
                let watched = Watched { spread, ..watched(kind, &travel) };
                let Some(at) = next(watched, now).at else { break };
                polls += 1;
                assert!(at > now, "{seed}: it stands still at {now}");
                assert!(polls < 3_000, "{seed}: it never ends");
                if let Some(start) = travel.starts.iter().find(|start| **start > now) {
                    let before = *start - at;
                    let band = bands(kind).into_iter().find(|(until, _)| before >= *until);
                    if let Some((until, interval)) = band {
                        // What came before the band was polled as its own band has it.
                        let begins = match previous_end(kind, until) {
                            end if end > until => *start - end,
                            _ => now,
                        };
                        let gap = at - now.max(begins);
                        assert!(gap <= interval * 11 / 10, "{seed}: {gap} in a band of {interval}");
                    }
                }
                now = at;
            }
            assert_eq!(now, travel.ends + LAST_POLL, "{seed}");
        }
    }

    #[test]
    fn of_a_return_each_journey_is_watched_in_turn() {
        let (there, back) = (noon() + Duration::hours(2), noon() + Duration::days(8));
        let travel = travel(&[there, back], back + Duration::hours(3));
        let first = next(watched(Flight, &travel), noon());
        assert_eq!((first.travel_at, first.at), (Some(there), Some(noon() + Duration::minutes(30))));
        let gone = there + Duration::minutes(1);
        let second = next(watched(Flight, &travel), gone);
        assert_eq!(second.travel_at, Some(back));
        // Nearly eight days before it: the band that begins at seven days polls every twelve hours.
        assert_eq!(second.at, Some(back - Duration::days(7) + Duration::hours(12)));
    }

    #[test]
    fn a_look_that_fails_is_made_again_soon_and_then_later() {
        let start = noon() + Duration::days(100);
        let travel = travel(&[start], start + Duration::hours(2));
        let minutes = |failed| {
            let failing = Watched { failed, ..watched(Flight, &travel) };
            (next(failing, noon()).at.unwrap() - noon()).num_minutes()
        };
        let waits: Vec<i64> = (1..=9).map(minutes).collect();
        assert_eq!(waits, [5, 10, 20, 40, 80, 160, 240, 240, 240]);
    }

    #[test]
    fn a_stay_without_its_hotels_number_is_looked_at_in_its_first_week_and_two_days_before() {
        let start = noon() + Duration::days(60);
        let travel = travel(&[start], start + Duration::days(2));
        let mut now = noon();
        let mut seen = Vec::new();
        for _ in 0..4 {
            let lacking = Watched { sold_at: noon(), lacks_number: true, ..watched(Hotel, &travel) };
            now = next(lacking, now).at.unwrap();
            seen.push((now - noon()).num_days());
        }
        assert_eq!(seen, [1, 2, 4, 7]);
        let lacking = Watched { lacks_number: true, ..watched(Hotel, &travel) };
        let before = start - NUMBER_DUE - Duration::minutes(3);
        assert_eq!(next(lacking, before).at, Some(start - NUMBER_DUE));
    }

    #[test]
    fn what_is_awaited_besides_is_looked_for_first() {
        let start = noon() + Duration::days(100);
        let travel = travel(&[start], start + Duration::hours(2));
        let by = noon() + Duration::hours(5);
        let held = Watched { awaited: Awaited::Payment(Some(by)), ..watched(Flight, &travel) };
        let next_of_held = next(held, noon());
        assert_eq!(next_of_held.at, Some(by + Duration::seconds(5)));
        assert_eq!((next_of_held.travel_at, next_of_held.travel_ends), (None, Some(travel.ends)));
        let untold = Watched { awaited: Awaited::Documents, polls: 201, ..watched(Flight, &travel) };
        assert_eq!(next(untold, noon()).travel_at, Some(start));
    }

    #[test]
    fn the_first_look_comes_a_day_after_the_sale_or_sooner() {
        for (left, expected) in [
            (Duration::days(100), FIRST_POLL),
            (Duration::days(2), Duration::hours(4)),
            (Duration::hours(2), Duration::minutes(30)),
        ] {
            let first = first_poll(Awaited::Nothing, Flight, Some(noon() + left), noon());
            assert_eq!(first, (Some(noon() + expected), Some(noon() + left)));
        }
    }
}
