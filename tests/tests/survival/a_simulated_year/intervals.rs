//! Whether the watch keeps its intervals and its budgets: what it does is compared with the table of the intervals as it was
//! decided, not with the code that reckons them.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Duration, Utc};
use wayfare_tests::World;

/// Time goes on by so much at least: what is due in between is done together.
pub const STEP: Duration = Duration::minutes(10);

/// How often an order is polled how long before its travel, in minutes: of flights, of stays.
const TABLE: [(i64, i64, i64); 7] = [
    (90 * 1_440, 14 * 1_440, 14 * 1_440),
    (30 * 1_440, 7 * 1_440, 14 * 1_440),
    (7 * 1_440, 2 * 1_440, 4 * 1_440),
    (3 * 1_440, 720, 1_440),
    (1_440, 240, 480),
    (240, 60, 240),
    (0, 30, 240),
];

/// How many polls an hour each supplier allows.
pub const BUDGETS: [(&str, i64); 4] =
    [("duffel", 1_000), ("tripjack", 600), ("liteapi", 600), ("hotelbeds", 20)];

const WHEN_OVER: i64 = 1_000_000;

#[derive(Default)]
pub struct Looks {
    seen: HashMap<String, Seen>,
    pub made: BTreeMap<String, usize>,
    /// By supplier, the most in an hour.
    pub busiest: BTreeMap<String, i64>,
    /// By supplier, the wait that was the longest for what the table allows.
    pub longest: BTreeMap<String, Wait>,
}

/// A wait for the next poll, in minutes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wait {
    pub waited: i64,
    pub allowed: i64,
}

impl Wait {
    /// In hundredths of what is allowed.
    pub fn share(self) -> i64 {
        self.waited * 100 / self.allowed.max(1)
    }
}

#[derive(Clone, Copy)]
struct Seen {
    looks: i64,
    /// A poll that shows something new begins to count anew.
    changed: i64,
    at: DateTime<Utc>,
    /// Minutes that may pass until the next poll.
    allowed: i64,
}

impl Looks {
    /// Compares what was looked at by now.
    pub async fn compare(&mut self, world: &World) {
        let now = world.now();
        let lines = world
            .lines(
                "select concat_ws(' ', o.supplier_order_id, o.supplier, o.poll_count,
                     extract(epoch from o.updated_at)::bigint,
                     case when o.travel_at < o.travel_ends then extract(epoch from o.travel_at)::bigint end)
                 from supplier_orders o where o.next_poll_at is not null and o.status = 'confirmed'",
            )
            .await;
        for line in lines {
            let mut words = line.split(' ');
            let (order, supplier) = (words.next().unwrap(), words.next().unwrap());
            let looks: i64 = words.next().unwrap().parse().unwrap();
            let changed: i64 = words.next().unwrap().parse().unwrap();
            let travel: Option<i64> = words.next().map(|seconds| seconds.parse().unwrap());
            let is_stay = matches!(supplier, "liteapi" | "hotelbeds");
            let known = self.seen.get(order).copied();
            if known.is_some_and(|seen| (seen.looks, seen.changed) == (looks, changed)) {
                let seen = known.unwrap();
                let waited = (now - seen.at).num_minutes();
                assert!(
                    travel.is_none() || waited <= seen.allowed,
                    "{order} of {supplier} waits for {waited} minutes where {} are allowed, since {} s before {travel:?}",
                    seen.allowed,
                    travel.unwrap_or_default() - seen.at.timestamp(),
                );
                continue;
            }
            let more = looks - known.map_or(0, |seen| seen.looks);
            // A look may show what is looked at again at once, such as an end that must be seen twice.
            assert!(more <= 2, "{order} of {supplier} was looked at {more} times at once");
            let more = usize::try_from(more).unwrap_or(1).max(known.iter().count());
            *self.made.entry(supplier.to_owned()).or_default() += more;
            if let Some(seen) = known.filter(|seen| seen.allowed < WHEN_OVER) {
                let wait = Wait { waited: (now - seen.at).num_minutes(), allowed: seen.allowed };
                let longest = self.longest.entry(supplier.to_owned()).or_default();
                if wait.share() > longest.share() {
                    *longest = wait;
                }
            }
            let allowed = match (known, travel) {
                (None, _) => 1_440,
                (Some(_), Some(travel)) => allowed((travel - now.timestamp()) / 60, is_stay),
                (Some(_), None) => WHEN_OVER,
            };
            let seen = Seen { looks, changed, at: now, allowed: allowed + STEP.num_minutes() };
            self.seen.insert(order.to_owned(), seen);
        }
    }

    /// That no supplier was asked more often than it allows.
    pub async fn keep_to_budgets(&mut self, world: &World) {
        let busiest = "select supplier || ' ' || max(looks) from supplier_looks group by supplier";
        for line in world.lines(busiest).await {
            let (supplier, most) = line.split_once(' ').unwrap();
            let most: i64 = most.parse().unwrap();
            let (_, budget) = BUDGETS.iter().find(|(code, _)| *code == supplier).unwrap();
            assert!(most <= *budget, "{supplier} was looked at {most} times in an hour");
            let known = self.busiest.entry(supplier.to_owned()).or_default();
            *known = most.max(*known);
        }
    }
}

/// Minutes until the next poll, so long before the travel: by the table and a tenth more. What begins before that, or has
/// begun, is looked at once more when it is over.
fn allowed(minutes: i64, is_stay: bool) -> i64 {
    let row = TABLE.iter().find(|(before, ..)| minutes >= *before);
    let interval = row.map(|(_, flight, stay)| if is_stay { *stay } else { *flight });
    match interval {
        Some(interval) if minutes * 10 > interval * 11 => interval * 11 / 10,
        _ => WHEN_OVER,
    }
}
