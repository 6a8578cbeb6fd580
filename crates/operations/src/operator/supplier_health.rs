//! How suppliers do, for the operator: as each server sees them, with their accounts and what is wrong with them; and how often
//! they are searched for each order.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Days, DurationRound, TimeDelta, Utc};
use wayfare_boxed::boxed;
use wayfare_contract::{
    Amount,
    operator::{
        LookToBook, LookToBookRow, Supplier, SupplierAlarm, SupplierDetail, SupplierErrors, SupplierEvent,
        SupplierMinute, SupplierReadLoss, SupplierServer,
    },
};
use wayfare_store::{
    operator::operator_events,
    suppliers::{
        supplier_accounts,
        supplier_health::{self, PresentHealth, SeenHealth},
        supplier_read_losses,
    },
};

use super::suppliers::{account, supplier_account, supplier_alarms};
use crate::{
    Error, Platform, Result,
    suppliers::{
        health::{GONE_AFTER, SHOWN_FOR},
        look_to_book,
    },
};

/// So many minutes are shown.
const MINUTES: i32 = 60;
/// So many things that operators did are shown.
const MOST_EVENTS: i64 = 50;

/// All suppliers, by their codes: those of this server, and those that another one has told of.
#[boxed]
pub async fn suppliers(platform: &Platform) -> Result<Vec<Supplier>> {
    let now = platform.core.shared_time.now();
    let this_minute = now.duration_trunc(TimeDelta::minutes(1)).unwrap_or(now);
    let first = this_minute - TimeDelta::minutes(1) * (MINUTES - 1);
    let mut alarms = by_code(supplier_alarms(platform, true).await?, |alarm| &alarm.supplier);
    let mut connection = platform.core.database.connection().await?;
    let seen = supplier_health::seen_after(&mut connection, now - SHOWN_FOR).await?;
    let mut seen = by_code(seen, |seen| &seen.health.supplier);
    let counted = supplier_health::minutes_from(&mut connection, first).await?;
    let mut counted = by_code(counted, |minute| &minute.supplier);
    let known = supplier_accounts::all(&mut connection).await?;
    let mut known = by_code(known, |account| &account.supplier);
    let losses = supplier_read_losses::all(&mut connection).await?;
    let mut losses = by_code(losses, |loss| &loss.supplier);
    let codes: BTreeSet<String> =
        platform.suppliers.permit_use().into_keys().map(str::to_owned).chain(seen.keys().cloned()).collect();
    let suppliers = codes.into_iter().map(|code| {
        let known = known.remove(&code).and_then(|mut account| account.pop());
        let closed_at = known.as_ref().and_then(|account| account.closed_at);
        Supplier {
            sells: platform.suppliers.product_of(&code).ok().map(|kind| kind.as_ref().to_owned()),
            for_sale: closed_at.is_none(),
            closed_at,
            closed_reason: known.as_ref().and_then(|account| account.closed_reason.clone()),
            account: known.as_ref().map(account),
            alarms: alarms.remove(&code).into_iter().flatten().map(alarm).collect(),
            servers: seen.remove(&code).into_iter().flatten().map(|seen| server(seen, now)).collect(),
            minutes: filled(first, &counted.remove(&code).unwrap_or_default()),
            read_losses: losses.remove(&code).into_iter().flatten().map(read_loss).collect(),
            code,
        }
    });
    Ok(suppliers.collect())
}

fn alarm(alarm: supplier_accounts::SupplierAlarm) -> SupplierAlarm {
    SupplierAlarm { kind: alarm.kind, raised_at: alarm.raised_at, details: alarm.details }
}

fn server(seen: SeenHealth, now: DateTime<Utc>) -> SupplierServer {
    let PresentHealth {
        supplier: _,
        breaker,
        open_until,
        paused_until,
        permits,
        permits_used,
        permits_waiting,
        calls,
        p50_ms,
        p99_ms,
        errors,
    } = seen.health;
    SupplierServer {
        name: seen.process,
        address: seen.address,
        seen_at: seen.seen_at,
        is_gone: now - seen.seen_at > GONE_AFTER,
        breaker: breaker.as_ref().into(),
        open_until,
        paused_until,
        permits,
        permits_used,
        permits_waiting,
        calls,
        p50_ms,
        p99_ms,
        errors: errors.into_iter().map(|(kind, calls)| SupplierErrors { kind, calls }).collect(),
    }
}

fn read_loss(loss: supplier_read_losses::SupplierReadLoss) -> SupplierReadLoss {
    SupplierReadLoss {
        field: loss.field,
        kind: loss.kind,
        losses: loss.losses,
        first_at: loss.first_at,
        last_at: loss.last_at,
        example: loss.example,
    }
}

/// One supplier.
///
/// # Errors
/// [`Error::NotFound`].
#[boxed]
pub async fn supplier(platform: &Platform, code: &str) -> Result<SupplierDetail> {
    let all = suppliers(platform).await?;
    let supplier = all.into_iter().find(|supplier| supplier.code == code).ok_or(Error::NotFound)?;
    let refusals = supplier_account(platform, code).await?.refusals;
    let mut connection = platform.core.database.connection().await?;
    let events = operator_events::events_of_supplier(&mut connection, code, MOST_EVENTS).await?;
    let events = events.into_iter().map(|event| SupplierEvent {
        at: event.at,
        action: event.action,
        by: event.by,
        details: event.value,
    });
    Ok(SupplierDetail { supplier, refusals, events: events.collect() })
}

/// Searches and orders of the last so many days, today included.
#[boxed]
pub async fn look_to_book(platform: &Platform, days: u32) -> Result<LookToBook> {
    let to = platform.core.clock.now().date_naive();
    let before = Days::new(u64::from(days.saturating_sub(1)));
    let from = to.checked_sub_days(before).unwrap_or(to);
    let counted = look_to_book::between(&platform.core, from, to).await?;
    Ok(LookToBook { from, to, rows: counted.into_iter().map(look_to_book_row).collect() })
}

/// Searches and orders of one agency at one supplier, with how many searches there were for each order.
pub fn look_to_book_row(counted: look_to_book::LookToBook) -> LookToBookRow {
    LookToBookRow {
        look_to_book: look_to_book::for_each_order(&counted).map(Amount),
        agent_id: counted.agent_id,
        name: counted.name,
        supplier: counted.supplier,
        asked: counted.asked,
        shared: counted.shared,
        booked: counted.booked,
    }
}

/// Each minute from the first one on, also those of which nothing is known: then nobody has called.
fn filled(first: DateTime<Utc>, counted: &[supplier_health::SupplierMinute]) -> Vec<SupplierMinute> {
    let counted: BTreeMap<DateTime<Utc>, (i64, i64)> =
        counted.iter().map(|minute| (minute.minute, (minute.calls, minute.errors))).collect();
    let minutes = (0..MINUTES).map(|number| {
        let minute = first + TimeDelta::minutes(1) * number;
        let (calls, errors) = counted.get(&minute).copied().unwrap_or_default();
        SupplierMinute { minute, calls, errors }
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
        let minute = |number: i32, calls: i64| supplier_health::SupplierMinute {
            supplier: "duffel".to_owned(),
            minute: first + TimeDelta::minutes(1) * number,
            calls,
            errors: 1,
        };
        let filled = filled(first, &[minute(0, 7), minute(59, 9), minute(60, 5)]);
        assert_eq!(filled.len(), 60);
        assert_eq!((filled[0].calls, filled[1].calls, filled[59].calls), (7, 0, 9));
        assert_eq!(filled[59].minute, first + TimeDelta::minutes(59));
        assert_eq!(filled.iter().map(|minute| minute.errors).sum::<i64>(), 2);
    }

    #[test]
    fn the_ratio_has_one_decimal_and_needs_a_booking() {
        let printed = [(7, 3), (25, 100), (0, 4), (12, 1), (9, 0)].map(|(asked, booked)| {
            let row = look_to_book_row(look_to_book::LookToBook {
                agent_id: String::new(),
                name: String::new(),
                supplier: String::new(),
                asked,
                shared: 5,
                booked,
            });
            serde_json::json!(row.look_to_book).to_string()
        });
        assert_eq!(printed, ["2.3", "0.3", "0.0", "12.0", "null"]);
    }
}
