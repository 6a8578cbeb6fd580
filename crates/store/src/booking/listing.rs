//! Lists of bookings: those in scope that are where somebody wants them, were made within some time, or are called so.

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, PgExpressionMethods, QueryDsl, QueryResult, SelectableHelper,
    pg::Pg,
    query_builder::{AstPass, QueryFragment},
    sql_query,
    sql_types::{Array, Bool, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{
    BookingGroup, BookingId, BookingRef, BookingStatus, ListRequest, OrganizationId, Page, ProductKind, Scope,
};

use crate::{
    Result,
    booking::{
        bookings::{Row, StoredBooking, StoredRow, stored, with_people},
        desk::{LOCATORS, spellings},
        people,
    },
    schema::bookings,
    statements::{
        Columns,
        anchored::{beyond, ordered},
        by_name,
        kept_sql::expression,
        row_value_in::pairs_in,
        statement, values,
    },
};

/// Which bookings of a list; nothing means all.
#[derive(Clone, Debug, Default)]
pub struct BookingFilter {
    pub status: Option<BookingStatus>,
    /// Those of this group. Which ones need somebody or are held is found before, and is in `only`.
    pub group: Option<BookingGroup>,
    pub only: Option<Vec<BookingId>>,
    /// Those asked for since then, UTC.
    pub since: Option<DateTime<Utc>>,
    /// Those asked for before then, UTC.
    pub before: Option<DateTime<Utc>>,
}

/// A page of the bookings in scope that fit now, newest first: two statements.
#[boxed]
pub async fn list(
    connection: &mut AsyncPgConnection,
    product: ProductKind,
    scope: Scope,
    filter: &BookingFilter,
    now: DateTime<Utc>,
    request: impl Into<ListRequest>,
) -> Result<Page<StoredBooking>> {
    let ListRequest { page: request, anchor } = request;
    let filtered = || {
        let mut query = with_people().into_boxed::<Pg>();
        match &filter.only {
            // They are found by their keys: what else must be so is said in a way that no index of lists is entered by.
            Some(only) => {
                let only: Vec<_> = only.iter().map(|id| (scope.organization(), *id)).collect();
                query = query
                    .filter(pairs_in("bookings.org_id, bookings.id", &only))
                    .filter(bookings::product.is_not_distinct_from(product.as_ref()));
                if let Some(user) = scope.user() {
                    query = query.filter(bookings::user_id.is_not_distinct_from(user.uuid()));
                }
            }
            None => {
                query = query
                    .filter(bookings::org_id.eq(scope.organization().uuid()))
                    .filter(bookings::product.eq(product.as_ref()));
                if let Some(user) = scope.user() {
                    query = query.filter(bookings::user_id.eq(user.uuid()));
                }
            }
        }
        if let Some(status) = filter.status {
            query = query.filter(bookings::status.eq(status.as_ref().to_owned()));
        }
        // Ids are stamped with the time: the indexes that order them bound them, too.
        if let Some(since) = filter.since {
            query = query.filter(bookings::id.ge(BookingId::earliest(since).uuid()));
        }
        if let Some(before) = filter.before {
            query = query.filter(bookings::id.lt(BookingId::earliest(before).uuid()));
        }
        if let Some(group) = filter.group {
            query = query.filter(InGroup { group, now });
        }
        beyond!(query, bookings::id, anchor)
    };
    let total = filtered().count().get_result(connection).await?;
    let rows: Vec<StoredRow> = ordered!(filtered(), bookings::id, anchor)
        .limit(request.per_page.into())
        .offset(request.offset())
        .select((Row::as_select(), bookings::product_content, Option::<people::Row>::as_select()))
        .load(connection)
        .await?;
    let items = rows.into_iter().map(stored).collect::<Result<_, _>>()?;
    Ok(Page { items, request, total })
}

/// That a booking is of this group now. Which ones need somebody or are held has been found before.
///
/// Orders are asked for of each booking by itself. A condition that PostgreSQL could turn into a join would be a plan that begins
/// with the orders of all agencies.
struct InGroup {
    group: BookingGroup,
    now: DateTime<Utc>,
}

/// Of an order: whether it is confirmed and its travel ends later than what follows.
const IS_TO_COME: &str = "o.status = 'confirmed' and (o.travel_ends is null or o.travel_ends > ";

const OF_BOOKING: &str =
    ")), false) from supplier_orders o where o.booking_id = bookings.id and o.org_id = bookings.org_id)";

expression!([] InGroup as Bool);

impl QueryFragment<Pg> for InGroup {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let before = match self.group {
            BookingGroup::NeedsAttention => {
                out.push_sql("bookings.status in ('pending', 'confirmed')");
                return Ok(());
            }
            BookingGroup::OnHold => {
                out.push_sql("bookings.status = 'confirmed'");
                return Ok(());
            }
            BookingGroup::Ended => {
                out.push_sql("bookings.status in ('cancelled', 'failed')");
                return Ok(());
            }
            BookingGroup::Upcoming => "(select coalesce(bool_or(",
            BookingGroup::Past => "not (select coalesce(bool_or(o.hold_state = 'held' or ",
        };
        out.push_sql("bookings.status = 'confirmed' and ");
        out.push_sql(before);
        out.push_sql(IS_TO_COME);
        out.push_bind_param::<Timestamptz, _>(&self.now)?;
        out.push_sql(OF_BOOKING);
        Ok(())
    }
}

/// The agency's booking of this reference, if there is one.
#[boxed]
pub async fn of_reference(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    reference: &BookingRef,
) -> Result<Vec<BookingId>> {
    let found: Vec<Uuid> = bookings::table
        .filter(bookings::booking_ref.eq(reference.as_ref()))
        .filter(bookings::org_id.is_not_distinct_from(organization.uuid()))
        .select(bookings::id)
        .load(connection)
        .await?;
    Ok(found.into_iter().map(BookingId::from_uuid).collect())
}

/// So many bookings are found by a name or a number at most, the newest.
const MOST_FOUND: i64 = 1_000;

/// The agency's bookings of somebody whose name has any of these keyed hashes. It is planned for what it asks
/// ([`read_many`](crate::statements::many_rows::read_many)).
#[boxed]
pub async fn of_name(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    keys: &[[u8; 32]],
) -> Result<Vec<BookingId>> {
    let keys: Vec<Vec<u8>> = keys.iter().map(|key| key.to_vec()).collect();
    let query =
        "select distinct n.booking_id as id from booking_names n where n.name_key = any($1) and n.org_id = $2
        order by 1 desc limit $3";
    let found: Vec<Columns<BookingId>> =
        statement(query, (keys, organization, MOST_FOUND)).load(connection).await?;
    Ok(values(found))
}

/// The agency's bookings with an order that an airline, a hotel or one of these suppliers calls so. It is planned for what it
/// asks ([`read_many`](crate::statements::many_rows::read_many)).
#[boxed]
pub async fn of_number(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    number: &str,
    suppliers: &[String],
) -> Result<Vec<BookingId>> {
    let query = format!(
        "select f.id from (
            select o.booking_id as id, o.org_id from supplier_orders o where {LOCATORS} ?| $1
            union select o.booking_id, o.org_id from supplier_orders o
            where o.supplier_order_id = any($2) and o.supplier = any($3)) f
        where f.org_id = $4 order by 1 desc limit $5"
    );
    let found: Vec<Columns<BookingId>> = statement(
        query,
        (spellings(number), spellings(number), suppliers.to_vec(), organization, MOST_FOUND),
    )
    .load(connection)
    .await?;
    Ok(values(found))
}

/// What makes a booking need somebody.
#[derive(Clone, Copy, Debug)]
pub struct AttentionLimits {
    /// Holds that have to be paid by then do, UTC.
    pub pay_by: DateTime<Utc>,
    /// Refunds that were asked for since then and refused do, UTC.
    pub refused_since: DateTime<Utc>,
}

/// The agency's bookings that need somebody, whether they still stand or not: something is under way on them, a schedule change
/// waits for a decision, a hold that is not ticketed by itself has to be paid soon, or a supplier has refused to give money back.
#[boxed]
pub async fn needing_attention(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    limits: AttentionLimits,
) -> Result<Vec<BookingId>> {
    // Each part has the condition of a partial index, word by word: what it reads is what there is of that.
    let query = "
        select e.booking_id as id from effects e where e.org_id = $1 and e.state in ('planned', 'open')
        union select c.booking_id from order_changes c where c.org_id = $1 and c.state = 'open' and c.place > 0
        union select r.booking_id from refunds r where r.org_id = $1 and r.status = 'failed' and r.requested_at >= $2
        union select o.booking_id from supplier_orders o
        where o.org_id = $1 and o.hold_state = 'held' and (o.pay_by is null or o.pay_by <= $3)
            and not coalesce((select h.auto_ticket_since is not null from booking_holds h
                where h.booking_id = o.booking_id and h.org_id = o.org_id), false)";
    let found: Vec<Columns<BookingId>> =
        statement(query, (organization, limits.refused_since, limits.pay_by)).load(connection).await?;
    Ok(values(found))
}

/// The agency's bookings of which something is held.
#[boxed]
pub async fn held(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
) -> Result<Vec<BookingId>> {
    let query = "select distinct o.booking_id as id from supplier_orders o where o.org_id = $1 and o.hold_state = 'held'";
    let found: Vec<Columns<BookingId>> = statement(query, organization).load(connection).await?;
    Ok(values(found))
}

by_name! {
    /// How many bookings there are, by where they stand and by what somebody looks for.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct BookingCounts {
        pub pending: i64,
        pub confirmed: i64,
        pub cancelled: i64,
        pub failed: i64,
        pub needs_attention: i64,
        pub on_hold: i64,
        pub upcoming: i64,
        pub past: i64,
    }
}

/// How many bookings in scope there are: one statement. `needing` are those that need somebody, of the whole agency.
#[boxed]
pub async fn counts(
    connection: &mut AsyncPgConnection,
    product: ProductKind,
    scope: Scope,
    needing: &[BookingId],
    now: DateTime<Utc>,
) -> Result<BookingCounts> {
    let whose = match scope.user() {
        Some(_) => "and b.user_id = $5",
        None => "",
    };
    let query = format!(
        "SELECT COUNT(*) FILTER (WHERE c.status = 'pending') as pending,
            count(*) filter (where c.status = 'confirmed') as confirmed,
            count(*) filter (where c.status = 'cancelled') as cancelled,
            count(*) filter (where c.status = 'failed') as failed,
            count(*) filter (where c.needs) as needs_attention,
            count(*) filter (where c.held) as on_hold,
            count(*) filter (where c.to_come) as upcoming,
            count(*) filter (where c.status = 'confirmed' and not c.held and not c.to_come) as past
        from (select b.status, b.status in ('pending', 'confirmed') and b.id = any($4) as needs,
                b.status = 'confirmed' and coalesce(l.held, false) as held,
                b.status = 'confirmed' and coalesce(l.to_come, false) as to_come
            from bookings b left join lateral (
                select bool_or(o.hold_state = 'held') as held, bool_or({IS_TO_COME} $3)) as to_come
                from supplier_orders o where b.status = 'confirmed' and o.booking_id = b.id and o.org_id = b.org_id) l on true
            where b.org_id = $1 and b.product = $2 {whose}) c"
    );
    let query = sql_query(query)
        .into_boxed::<Pg>()
        .bind::<SqlUuid, _>(scope.organization().uuid())
        .bind::<Text, _>(product.as_ref().to_owned())
        .bind::<Timestamptz, _>(now)
        .bind::<Array<SqlUuid>, _>(needing.iter().map(|id| id.uuid()).collect::<Vec<_>>());
    let query = match scope.user() {
        Some(user) => query.bind::<SqlUuid, _>(user.uuid()),
        None => query,
    };
    Ok(query.get_result(connection).await?)
}
