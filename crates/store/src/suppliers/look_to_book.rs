//! How often each agency's searches were put to each supplier, by day, beside what it booked there.

use std::collections::HashMap;

use chrono::{Days, NaiveDate, NaiveTime};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::OrganizationId;

use crate::{
    Result,
    statements::{Write as _, by_name, statement},
};

/// Searches of one agency at one supplier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// Because of the agency the supplier was asked.
    pub asked: i64,
    /// The answer to somebody's same question served it.
    pub shared: i64,
}

by_name! {
    /// What one agency looked and booked at one supplier.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct LookToBook {
        pub agent_id: String,
        pub name: String,
        pub supplier: String,
        /// Searches because of which the supplier was asked.
        pub asked: i64,
        /// Searches that somebody's answer served.
        pub shared: i64,
        /// Orders that were made, those that were cancelled later included.
        pub booked: i64,
    }
}

/// Adds these to the day's: one statement.
#[boxed]
pub async fn add(
    connection: &mut AsyncPgConnection,
    day: NaiveDate,
    counted: &HashMap<(OrganizationId, String), SearchCounts>,
) -> Result<()> {
    // In one order in every process: two that add at once never wait for each other.
    let mut sorted: Vec<_> = counted.iter().collect();
    sorted.sort_by_key(|(key, _)| *key);
    let organizations: Vec<Uuid> = sorted.iter().map(|((id, _), _)| id.uuid()).collect();
    let suppliers: Vec<&str> = sorted.iter().map(|((_, code), _)| code.as_str()).collect();
    let asked: Vec<i64> = sorted.iter().map(|(_, counts)| counts.asked).collect();
    let shared: Vec<i64> = sorted.iter().map(|(_, counts)| counts.shared).collect();
    statement(
        "insert into look_to_book as t (org_id, supplier, day, asked, shared)
         select org_id, supplier, $1, asked, shared
         from unnest($2, $3, $4, $5) as counted (org_id, supplier, asked, shared)
         on conflict (org_id, supplier, day)
         do update set asked = least(t.asked::numeric + excluded.asked, 9223372036854775807)::bigint,
             shared = least(t.shared::numeric + excluded.shared, 9223372036854775807)::bigint",
        (day, organizations, suppliers, asked, shared),
    )
    .write(connection)
    .await
}

/// What each agency looked and booked at each supplier in these days (UTC, both included): the one with the most looks
/// first.
#[boxed]
pub async fn between(
    connection: &mut AsyncPgConnection,
    from: NaiveDate,
    to: NaiveDate,
) -> Result<Vec<LookToBook>> {
    let midnight = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc();
    let end = to.checked_add_days(Days::new(1)).unwrap_or(to);
    Ok(statement(
        "select agent_id, name, supplier, coalesce(asked, 0) as asked, coalesce(shared, 0) as shared,
                coalesce(booked, 0) as booked
         from (
             select org_id, supplier, least(sum(asked), 9223372036854775807)::bigint as asked,
                 least(sum(shared), 9223372036854775807)::bigint as shared
             from look_to_book where day between $1 and $2 group by org_id, supplier
         ) looked
         full join (
             select orders.org_id, orders.supplier, count(*) as booked
             from supplier_orders orders
             join bookings on bookings.org_id = orders.org_id and bookings.id = orders.booking_id
             where orders.status in ('held', 'confirmed', 'cancelled')
                 and bookings.created_at >= $3 and bookings.created_at < $4
             group by orders.org_id, orders.supplier
         ) sold using (org_id, supplier)
         join organizations on organizations.id = org_id
         order by 4 desc, agent_id, supplier",
        (from, to, midnight(from), midnight(end)),
    )
    .load(connection)
    .await?)
}
