//! The booking desk: bookings of all agencies as the operator finds them, and what happened to one, in order of time. Rows are
//! read as they are shown; nobody decides anything by them.

use chrono::{DateTime, NaiveDate, Utc};
use diesel::{
    pg::Pg,
    query_builder::{BoxedSqlQuery, SqlQuery},
    sql_query,
    sql_types::{Array, Bytea, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::{Map, Value};
use uuid::Uuid;
use wayfare_domain::{BookingId, BookingRef, BookingStatus, OrganizationId, Page, PageRequest};

use crate::{
    Result,
    error::from_json,
    statements::{Columns, statement, values},
};

/// The locators of an order, as the index `supplier_orders_by_locator` has them.
pub(super) const LOCATORS: &str = "(jsonb_path_query_array(o.content, '$.pnr') || jsonb_path_query_array(o.content, '$.airline_pnr')
    || jsonb_path_query_array(o.content, '$.locators[*].pnr') || jsonb_path_query_array(o.content, '$.confirmation')
    || jsonb_path_query_array(o.content, '$.hotel_numbers[*].number'))";

/// A number or code as suppliers may have it whatever the case in which somebody types it; a ticket's with and without the
/// hyphen behind its airline's three digits. Each is found by its index: no letter is compared without one (D-615).
pub(super) fn spellings(typed: &str) -> Vec<String> {
    let typed = typed.trim();
    let mut all = vec![typed.to_owned(), typed.to_uppercase(), typed.to_lowercase()];
    let digits: String = typed.chars().filter(|c| !matches!(c, '-' | ' ')).collect();
    if digits.len() == 13 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let (airline, number) = digits.split_at(3);
        all.push(format!("{airline}-{number}"));
        all.push(digits);
    }
    all.sort();
    all.dedup();
    all
}

/// The numbers of its tickets, as the index `supplier_orders_by_ticket` has them.
const TICKETS: &str = "jsonb_path_query_array(o.content, '$.tickets[*].number')";

/// The first day of the journey or stay, as the index `bookings_by_travel` has it.
const TRAVEL: &str = "left(coalesce(b.product_content ->> 'check_in', \
                      b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)";

/// By what bookings are found: all of it has to fit. Without anything that narrows it by an index nothing is found.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub reference: Option<BookingRef>,
    pub pnr: Option<String>,
    /// The number of one of its tickets.
    pub ticket: Option<String>,
    /// Any of these keyed hashes of a name or an address.
    pub names: Vec<[u8; 32]>,
    /// Any of these keyed hashes of an e-mail address.
    pub emails: Vec<[u8; 32]>,
    /// A supplier and its id of an order.
    pub order: Option<(String, String)>,
    pub organization: Option<OrganizationId>,
    /// The first day of the journey or stay: from, to.
    pub travel: Option<(NaiveDate, NaiveDate)>,
    /// When it was booked: from this instant until before that one.
    pub booked: Option<(DateTime<Utc>, DateTime<Utc>)>,
    pub status: Option<BookingStatus>,
}

/// A booking, or something that happened to it, by its columns.
pub type DeskRow = Map<String, Value>;

type Query = BoxedSqlQuery<'static, Pg, SqlQuery>;

/// The conditions of a search, and what they are asked with, in order.
#[derive(Default)]
struct Conditions {
    text: Vec<String>,
    bound: Vec<Bound>,
}

enum Bound {
    Text(String),
    Texts(Vec<String>),
    Keys(Vec<Vec<u8>>),
    Id(Uuid),
}

impl Conditions {
    fn add(&mut self, condition: impl FnOnce(&dyn Fn(usize) -> String) -> String, bound: Vec<Bound>) {
        let before = self.bound.len();
        self.text.push(condition(&|place: usize| format!("${}", before + place)));
        self.bound.extend(bound);
    }

    fn of(wanted: &Wanted) -> Self {
        let mut all = Self::default();
        let of_orders = |condition: String| {
            format!(
                "(b.id, b.org_id) in (select o.booking_id, o.org_id from supplier_orders o where {condition})"
            )
        };
        if let Some(reference) = &wanted.reference {
            all.add(|n| format!("b.booking_ref = {}", n(1)), vec![Bound::Text(reference.to_string())]);
        }
        for (value, of) in [(&wanted.pnr, LOCATORS), (&wanted.ticket, TICKETS)] {
            if let Some(value) = value {
                all.add(|n| of_orders(format!("{of} ?| {}", n(1))), vec![Bound::Texts(spellings(value))]);
            }
        }
        for keys in [&wanted.names, &wanted.emails] {
            if !keys.is_empty() {
                let keys = keys.iter().map(|key| key.to_vec()).collect();
                all.add(
                    |n| {
                        format!(
                            "(b.id, b.org_id) in (select x.booking_id, x.org_id from booking_names x \
                             where x.name_key = any({}))",
                            n(1)
                        )
                    },
                    vec![Bound::Keys(keys)],
                );
            }
        }
        if let Some((supplier, id)) = &wanted.order {
            all.add(
                |n| of_orders(format!("o.supplier_order_id = any({}) and o.supplier = {}", n(1), n(2))),
                vec![Bound::Texts(spellings(id)), Bound::Text(supplier.clone())],
            );
        }
        all.add_places(wanted);
        if let Some(status) = wanted.status {
            all.add(|n| format!("b.status = {}", n(1)), vec![Bound::Text(status.as_ref().to_owned())]);
        }
        all
    }

    fn add_places(&mut self, wanted: &Wanted) {
        let all = self;
        if let Some(organization) = wanted.organization {
            all.add(
                |n| format!("b.product in ('flight', 'hotel') and b.org_id = {}", n(1)),
                vec![Bound::Id(organization.uuid())],
            );
        }
        if let Some((from, to)) = wanted.travel {
            all.add(
                |n| format!("{TRAVEL} between {} and {}", n(1), n(2)),
                vec![Bound::Text(from.to_string()), Bound::Text(to.to_string())],
            );
        }
        if let Some((from, before)) = wanted.booked {
            all.add(
                |n| format!("b.id >= {} and b.id < {}", n(1), n(2)),
                vec![Bound::Id(first_of(from)), Bound::Id(first_of(before))],
            );
        }
    }

    fn on(self, query: &str, after: &str) -> Query {
        let text = format!("{query} where {} {after}", self.text.join(" and "));
        let query = sql_query(text).into_boxed();
        self.bound.into_iter().fold(query, |query, bound| match bound {
            Bound::Text(text) => query.bind::<Text, _>(text),
            Bound::Texts(texts) => query.bind::<Array<Text>, _>(texts),
            Bound::Keys(keys) => query.bind::<Array<Bytea>, _>(keys),
            Bound::Id(id) => query.bind::<SqlUuid, _>(id),
        })
    }
}

/// The least id that something of this instant may have: ids begin with their milliseconds.
fn first_of(at: DateTime<Utc>) -> Uuid {
    let milliseconds = u128::try_from(at.timestamp_millis()).unwrap_or_default();
    Uuid::from_u128(milliseconds << 80)
}

impl Wanted {
    /// Whether anything narrows it that an index has.
    pub fn is_narrow(&self) -> bool {
        self.reference.is_some()
            || self.pnr.is_some()
            || self.ticket.is_some()
            || !self.names.is_empty()
            || !self.emails.is_empty()
            || self.order.is_some()
            || self.organization.is_some()
            || self.travel.is_some()
            || self.booked.is_some()
    }
}

/// What is shown of a booking, found among others or by itself.
const SHOWN: &str =
    "'booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at";

/// A page of the bookings that are wanted, newest first, over all agencies: two statements.
#[boxed]
pub async fn find(
    connection: &mut AsyncPgConnection,
    wanted: &Wanted,
    request: PageRequest,
) -> Result<Page<DeskRow>> {
    let count = Conditions::of(wanted).on("select count(*) as total from bookings b", "");
    let Columns(total) = count.get_result(connection).await?;
    let query = format!(
        "select jsonb_build_object({SHOWN}, 'travel', {TRAVEL}) as line
         from bookings b join organizations a on a.id = b.org_id"
    );
    let page = format!("order by b.id desc limit {} offset {}", request.per_page, request.offset());
    let rows: Vec<Columns<Value>> = Conditions::of(wanted).on(&query, &page).load(connection).await?;
    Ok(Page { items: rows.into_iter().map(row).collect::<Result<_, _>>()?, request, total })
}

fn row(Columns(line): Columns<Value>) -> Result<DeskRow> {
    from_json("a row of the desk", line)
}

/// The booking itself and its orders, as they stand.
const STANDS: &str = "
    select jsonb_build_object(@SHOWN, 'agency', a.name, 'public_fare', b.public_fare, 'failure', b.failure,
        'booked_at', b.booked_at, 'cancelled_at', b.cancelled_at,
        'orders', (select coalesce(jsonb_agg(jsonb_build_object('order', o.number, 'reference', o.reference,
                'supplier', o.supplier, 'status', o.status, 'order_id', o.supplier_order_id,
                'locators', (select coalesce(jsonb_agg(l.locator order by l.place), '[]') from (
                    select e.locator, min(e.place) as place from jsonb_array_elements(@LOCATORS) with ordinality e(locator, place)
                    where e.locator not in ('null', '\"\"') group by e.locator) l),
                'tickets', @TICKETS, 'total', o.content -> 'total',
                'looked_at_next', o.next_poll_at, 'updated_at', o.updated_at) order by o.number), '[]')
            from supplier_orders o where (o.booking_id, o.org_id) = (b.id, b.org_id))) as line
    from bookings b join organizations a on a.id = b.org_id
    where b.id = $1 and b.org_id = $2";

/// The flights of a change, each in a line: airline and number, from, to, departure local there.
const FLIGHTS: &str =
    "(select coalesce(jsonb_agg(concat_ws(' ', (f.flight ->> 'airline') || (f.flight ->> 'flight_number'),
    f.flight ->> 'origin', f.flight ->> 'destination', f.flight ->> 'departure') order by f.place), '[]')
    from jsonb_array_elements(@LIST) with ordinality f(flight, place))";

/// What happened to it, each with its time, what it is and the rest.
const HAPPENED: &str = "
    select jsonb_build_object('at', h.at, 'what', h.what) || jsonb_strip_nulls(h.rest) as line from (
        select e.sent_at as at, 'step' as what, jsonb_build_object('order', e.number, 'kind', e.kind, 'id', e.id,
            'supplier', e.supplier, 'state', e.state, 'looked_up', e.attempts, 'problem', e.problem,
            'closed_at', e.closed_at) as rest
        from effects e where e.booking_id = $1 and e.org_id = $2
        union all select h.placed_at, 'hold', jsonb_build_object('amount', h.amount, 'outcome', h.outcome,
            'closed_at', h.closed_at)
        from holds h join bookings b on (b.hold_id, b.org_id) = (h.id, h.org_id) where b.id = $1 and b.org_id = $2
        union all select t.at, 'transfer', jsonb_build_object('key', t.key, 'reason', t.reason,
            'description', t.description, 'currency', t.currency, 'legs',
            (select jsonb_agg(concat_ws(' ', n.account, n.side, n.amount) order by n.leg) from entries n
             where (n.transfer_id, n.org_id) = (t.id, t.org_id)))
        from transfers t where t.org_id = $2 and t.key = any (
            select 'booking:' || $1 union all
            select 'service:' || e.id from effects e where e.booking_id = $1 and e.org_id = $2 union all
            select 'change:' || e.id from effects e where e.booking_id = $1 and e.org_id = $2 union all
            select 'refund:' || r.id from refunds r where r.booking_id = $1 and r.org_id = $2 union all
            select 'ruling:' || u.id from rulings u where u.booking_id = $1 and u.org_id = $2)
        union all select f.issued_at, 'fare', jsonb_build_object('kind', f.kind, 'order', f.number,
            'provider', f.provider, 'public_fare', f.public_fare, 'agent_fare', f.agent_fare,
            'ancillary', f.ancillary, 'agent_commission', f.agent_commission, 'markup', f.markup,
            'supplier_amount', f.supplier_amount, 'currency', f.currency)
        from bookings b join fare_transactions f on f.org_id = b.org_id and f.issued_at >= b.created_at
            and f.booking_id = b.id
        where b.id = $1 and b.org_id = $2
        union all select r.requested_at, 'refund', jsonb_build_object('order', r.number, 'status', r.status,
            'refund_to_wallet', r.refund_to_wallet, 'cancellation_charge', r.cancellation_charge,
            'provider_refund_id', r.provider_refund_id, 'refunded_at', r.refunded_at, 'currency', r.currency)
        from refunds r where r.booking_id = $1 and r.org_id = $2
        union all select x.raised_at, 'incident', jsonb_build_object('id', x.id, 'kind', x.kind, 'problem', x.problem,
            'details', x.details, 'outcome', x.outcome, 'note', x.note, 'closed_by', x.closed_by,
            'closed_at', x.closed_at)
        from exceptions x where x.booking_id = $1 and x.org_id = $2
        union all select u.ruled_at, 'ruling', jsonb_build_object('id', u.id, 'order', u.number, 'kind', u.kind,
            'state', case when u.withdrawn_at is null then u.state else 'withdrawn' end, 'amount', u.amount,
            'currency', u.currency, 'moved', u.moved, 'fees', u.fees,
            'note', u.note, 'by', u.ruled_by, 'collected_at', u.collected_at)
        from rulings u where u.booking_id = $1 and u.org_id = $2
        union all select c.found_at, 'airline_change', jsonb_build_object('order', c.number, 'id', c.id, 'kind', c.kind,
            'minutes', c.minutes, 'state', c.state, 'supplier_change_id', c.supplier_change_id,
            'before', @BEFORE, 'after', @AFTER, 'actions', c.actions, 'decide_by', c.decide_by,
            'decided_at', c.decided_at, 'decided_by', c.decided_by, 'step', c.effect_id)
        from order_changes c where c.booking_id = $1 and c.org_id = $2
        union all select v.created_at, 'event', jsonb_build_object('action', v.action, 'by', v.actor_type,
            'user_id', v.actor_id, 'value', v.new_value)
        from bookings b join events v on v.org_id = b.org_id and v.id >= $3 and v.entity_type = 'booking'
            and v.entity_id = b.booking_ref
        where b.id = $1 and b.org_id = $2) h
    order by h.at, h.what";

/// A booking with its orders, and what happened to it in order of time: two statements.
///
/// # Errors
/// When there is no such booking.
#[boxed]
pub async fn show(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
    created_at: DateTime<Utc>,
) -> Result<(DeskRow, Vec<DeskRow>)> {
    let stands = STANDS.replace("@SHOWN", SHOWN).replace("@LOCATORS", LOCATORS).replace("@TICKETS", TICKETS);
    let stands = statement(stands, (booking, organization)).get_result(connection).await?;
    let happened = HAPPENED
        .replace("@BEFORE", &FLIGHTS.replace("@LIST", "c.before"))
        .replace("@AFTER", &FLIGHTS.replace("@LIST", "c.after"));
    let happened: Vec<Columns<Value>> =
        statement(happened, (booking, organization, first_of(created_at))).load(connection).await?;
    let happened = happened.into_iter().map(row).collect::<Result<_, _>>()?;
    Ok((row(stands)?, happened))
}

/// The numbers of the booking's orders that are due for a poll now, which nobody has taken.
#[boxed]
pub async fn still_due(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
    now: DateTime<Utc>,
) -> Result<Vec<u16>> {
    let query =
        "select number from supplier_orders where booking_id = $1 and org_id = $2 and next_poll_at <= $3";
    let rows: Vec<Columns<u16>> = statement(query, (booking, organization, now)).load(connection).await?;
    Ok(values(rows))
}

/// Makes orders that stand due for a poll: one, or all of the booking. Their numbers.
#[boxed]
pub async fn look_now(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
    number: Option<u16>,
    now: DateTime<Utc>,
) -> Result<Vec<u16>> {
    let query = "update supplier_orders set next_poll_at = $4 where booking_id = $1 and org_id = $2
        and ($3 = 0 or number = $3) and status in ('held', 'confirmed') returning number";
    let rows: Vec<Columns<u16>> =
        statement(query, (booking, organization, i32::from(number.unwrap_or_default()), now))
            .load(connection)
            .await?;
    Ok(values(rows))
}
