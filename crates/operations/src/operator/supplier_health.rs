//! How suppliers do, for the operator: as each server sees them, with their accounts and what is wrong with them; and how often
//! they are searched for each order.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Days, DurationRound, NaiveDate, TimeDelta, Utc};
use rust_decimal::Decimal;
use wayfare_domain::ProductKind;
use wayfare_store::{
    operator::operator_events,
    suppliers::{
        supplier_accounts::{self, SupplierAccount, SupplierRefusals},
        supplier_health::{self, SupplierMinute},
        supplier_read_losses::{self, SupplierReadLoss},
    },
};

use super::suppliers::{Alarm, supplier_account, supplier_alarms};
use crate::{
    Error, Platform, Result,
    suppliers::{
        accounts::available,
        health::{GONE_AFTER, SHOWN_FOR},
        look_to_book::{self, LookToBook},
    },
};

pub use wayfare_store::{
    operator::operator_events::SupplierEvent,
    suppliers::{
        supplier_health::{PresentHealth, SeenHealth},
        supplier_read_losses::SupplierReadLoss as ReadLoss,
    },
};

/// So many minutes are shown.
const MINUTES: i32 = 60;
/// So many things that operators did are shown.
const MOST_EVENTS: i64 = 50;

#[derive(Clone, Debug)]
pub struct ServerView {
    pub seen: SeenHealth,
    /// Whether it has said nothing for a minute.
    pub is_gone: bool,
}

#[derive(Clone, Debug)]
pub struct SupplierState {
    pub code: String,
    /// What it sells; none where this server does not buy of it.
    pub sells: Option<ProductKind>,
    /// The account with it; none where nothing is known.
    pub account: Option<SupplierAccount>,
    /// What is wrong with it, the newest first.
    pub alarms: Vec<Alarm>,
    pub servers: Vec<ServerView>,
    /// All servers' calls of the last 60 minutes, this one's so far; the oldest first.
    pub minutes: Vec<SupplierMinute>,
    /// What of its answers could not be read as it came in the last 30 days, what came last first.
    pub read_losses: Vec<SupplierReadLoss>,
}

impl SupplierState {
    /// What can be spent there; none where nobody knows.
    pub fn available(&self) -> Option<Decimal> {
        self.account.as_ref().and_then(available)
    }
}

/// A supplier with what it refused and what operators did about it.
#[derive(Clone, Debug)]
pub struct SupplierDetail {
    pub state: SupplierState,
    /// What it refused in the last seven days, the most frequent reason first.
    pub refusals: Vec<SupplierRefusals>,
    /// What operators did, the newest first.
    pub events: Vec<SupplierEvent>,
}

/// All suppliers, by their codes: those of this server, and those that another one has told of.
///
/// # Errors
/// When the database can't be asked.
pub async fn suppliers(platform: &Platform) -> Result<Vec<SupplierState>> {
    let now = platform.shared_time.now();
    let this_minute = now.duration_trunc(TimeDelta::minutes(1)).unwrap_or(now);
    let first = this_minute - TimeDelta::minutes(1) * (MINUTES - 1);
    let mut alarms = by_code(supplier_alarms(platform, true).await?, |alarm| &alarm.supplier);
    let mut connection = platform.database.connection().await?;
    let seen = supplier_health::seen_after(&mut connection, now - SHOWN_FOR).await?;
    let mut seen = by_code(seen, |seen| &seen.health.supplier);
    let counted = supplier_health::minutes_from(&mut connection, first).await?;
    let mut counted = by_code(counted, |minute| &minute.supplier);
    let known = supplier_accounts::all(&mut connection).await?;
    let mut known = by_code(known, |account| &account.supplier);
    let losses = supplier_read_losses::all(&mut connection).await?;
    let mut losses = by_code(losses, |loss| &loss.supplier);
    let codes: BTreeSet<String> =
        platform.permit_use().into_keys().map(str::to_owned).chain(seen.keys().cloned()).collect();
    let states = codes.into_iter().map(|code| SupplierState {
        sells: platform.product_of(&code).ok(),
        account: known.remove(&code).and_then(|mut account| account.pop()),
        alarms: alarms.remove(&code).unwrap_or_default(),
        servers: seen
            .remove(&code)
            .unwrap_or_default()
            .into_iter()
            .map(|seen| ServerView { is_gone: now - seen.seen_at > GONE_AFTER, seen })
            .collect(),
        minutes: filled(&code, first, &counted.remove(&code).unwrap_or_default()),
        read_losses: losses.remove(&code).unwrap_or_default(),
        code,
    });
    Ok(states.collect())
}

/// One supplier.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn supplier(platform: &Platform, code: &str) -> Result<SupplierDetail> {
    let all = suppliers(platform).await?;
    let state = all.into_iter().find(|state| state.code == code);
    let state = state.ok_or(Error::NotFound)?;
    let refusals = supplier_account(platform, code).await?.refusals;
    let mut connection = platform.database.connection().await?;
    let events = operator_events::events_of_supplier(&mut connection, code, MOST_EVENTS).await?;
    Ok(SupplierDetail { state, refusals, events })
}

/// How often each agency's searches were put to each supplier, beside its orders there, in these days (UTC, both included).
#[derive(Clone, Debug)]
pub struct LookToBookOfDays {
    /// The first day.
    pub from: NaiveDate,
    pub to: NaiveDate,
    /// Most searches first.
    pub rows: Vec<LookToBook>,
}

/// Searches and orders of the last so many days, today included.
///
/// # Errors
/// When the database can't be asked.
pub async fn look_to_book(platform: &Platform, days: u32) -> Result<LookToBookOfDays> {
    let to = platform.clock.now().date_naive();
    let before = Days::new(u64::from(days.saturating_sub(1)));
    let from = to.checked_sub_days(before).unwrap_or(to);
    let rows = look_to_book::between(platform, from, to).await?;
    Ok(LookToBookOfDays { from, to, rows })
}

/// Each minute from the first one on, also those of which nothing is known: then nobody has called.
fn filled(code: &str, first: DateTime<Utc>, counted: &[SupplierMinute]) -> Vec<SupplierMinute> {
    let counted: BTreeMap<DateTime<Utc>, &SupplierMinute> =
        counted.iter().map(|minute| (minute.minute, minute)).collect();
    let minutes = (0..MINUTES).map(|number| {
        let minute = first + TimeDelta::minutes(1) * number;
        counted.get(&minute).map_or_else(
            || SupplierMinute { supplier: code.to_owned(), minute, calls: 0, errors: 0 },
            |counted| (*counted).clone(),
        )
    });
    minutes.collect()
}

/// What belongs to each supplier, in its order.
fn by_code<T>(all: Vec<T>, code: impl Fn(&T) -> &String) -> BTreeMap<String, Vec<T>> {
    let mut by_code = BTreeMap::new();
    for one in all {
        let of_supplier: &mut Vec<T> = by_code.entry(code(&one).clone()).or_default();
        of_supplier.push(one);
    }
    by_code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_has_all_its_minutes() {
        let first: DateTime<Utc> = "2027-01-31T10:00:00Z".parse().unwrap();
        let minute = |number: i32, calls: i64| SupplierMinute {
            supplier: "duffel".to_owned(),
            minute: first + TimeDelta::minutes(1) * number,
            calls,
            errors: 1,
        };
        let filled = filled("duffel", first, &[minute(0, 7), minute(59, 9), minute(60, 5)]);
        assert_eq!(filled.len(), 60);
        assert_eq!((filled[0].calls, filled[1].calls, filled[59].calls), (7, 0, 9));
        assert_eq!(filled[59].minute, first + TimeDelta::minutes(59));
        assert_eq!(filled.iter().map(|minute| minute.errors).sum::<i64>(), 2);
    }
}
