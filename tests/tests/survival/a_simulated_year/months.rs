//! What a month comes to: in the ledger, in the fare ledger, in the agencies' reports and in the suppliers' books.

use std::collections::BTreeMap;

use chrono::{DateTime, Days, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde_json::json;
use wayfare_operations::operator::desk;
use wayfare_tests::World;

use super::people::{Heard, PaidThere, Shop, suppliers_books};

/// The agencies' time zone, in which their reports have their days.
pub const ZONE: wayfare_domain::Zone = wayfare_domain::Zone::KOLKATA;

/// One month of all agencies, in rupees.
#[derive(Debug)]
pub struct Month {
    pub first: NaiveDate,
    /// How many were sold, were given back or ended, lost a part, and had their flights changed.
    pub booked: i64,
    pub cancelled: i64,
    pub parts: i64,
    pub moved: i64,
    /// What wallets paid for bookings, and got back of them.
    pub spent: Spent,
    pub owed: Owed,
    /// Debit notes that wait until their wallets cover them.
    pub debit_notes_open: Decimal,
}

/// What wallets paid for bookings in a month less what they got back, by each book.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    pub ledger: Decimal,
    /// By the fare ledger: the fares, and what was bought beside them.
    pub fares: Decimal,
    pub ancillaries: Decimal,
    /// By the reports that the agencies download.
    pub reports: Decimal,
    /// What of it agencies earn by their packages.
    pub markups: Decimal,
}

impl Spent {
    fn plus(self, other: Self) -> Self {
        Self {
            ledger: self.ledger + other.ledger,
            fares: self.fares + other.fares,
            ancillaries: self.ancillaries + other.ancillaries,
            reports: self.reports + other.reports,
            markups: self.markups + other.markups,
        }
    }
}

/// What suppliers are owed since the beginning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Owed {
    /// By the suppliers' accounts of the ledger.
    pub ledger: Decimal,
    /// By the suppliers' own orders, and what they charged by telephone.
    pub orders: Decimal,
    /// Suppliers have given it back of orders that they ended, and nobody here has seen or ruled that yet.
    pub on_its_way: Decimal,
}

/// Closes the month of which this is the first day, at its end: each book comes to the same.
pub async fn close(
    world: &World,
    shops: &mut [Shop],
    heard: &Heard,
    first: NaiveDate,
    end: NaiveDate,
) -> Month {
    books_agree(world).await;
    let [from, until] = [first, end].map(midnight);
    let mut spent = Spent::default();
    for shop in shops {
        spent = spent.plus(agency_month(world, shop, (first, end)).await);
    }
    let debit_notes_open =
        decimal(world, "select coalesce(sum(amount), 0) from rulings where state = 'due'").await;
    let owed = owed_to_suppliers(world, heard, debit_notes_open).await;
    let between =
        format!("between to_timestamp({from}) and to_timestamp({until}) - interval '1 microsecond'");
    let count = async |rows: &str| -> i64 {
        let query = format!("select count(*) from {rows} {between}");
        world.line(&query).await.parse().unwrap()
    };
    Month {
        first,
        booked: count("bookings where booked_at").await,
        cancelled: count("bookings where cancelled_at").await,
        parts: count("refunds where part is not null and part ->> 'is_last' = 'false' and refunded_at").await,
        moved: count("fare_transactions where kind = 'change' and issued_at").await,
        spent,
        owed,
        debit_notes_open,
    }
}

/// All books agree, but that suppliers have ended orders by themselves which are watched and were not looked at since, or of
/// which it is asked only now what comes back: the operator has an incident of it right after.
async fn books_agree(world: &World) {
    let may_be = world
        .lines(
            "select reference || ' is confirmed and has 0 live orders' from supplier_orders
                where status = 'confirmed' and next_poll_at is not null
             union all
             select unnest(array['a booking was not given back exactly as its refund says: ' || b.booking_ref,
                    'a refund does not tell what became of the cancellation: ' || b.booking_ref || ' processing',
                    'what suppliers did is not what became of an order: ' || o.reference || ' is cancelled'])
                from supplier_orders o join bookings b on (b.org_id, b.id) = (o.org_id, o.booking_id)
                where o.status = 'cancelled' and o.cancel_seen_at is not null and o.next_poll_at is not null",
        )
        .await;
    let mut wrongs = world.books().wrongs().await;
    wrongs.retain(|wrong| !may_be.contains(wrong));
    assert!(wrongs.is_empty(), "{}", wrongs.join("\n"));
}

/// What an agency spent in a month: by the ledger, by the fare ledger with its ancillaries, and by its reports.
async fn agency_month(world: &World, shop: &mut Shop, (first, end): (NaiveDate, NaiveDate)) -> Spent {
    let organization = format!("(select id from organizations where agent_id = '{}')", shop.agency.code);
    let [from, until] = [first, end].map(midnight);
    let ledger = decimal(
        world,
        &format!(
            "select coalesce(sum(case e.side when 'debit' then e.amount else -e.amount end), 0)
             from entries e join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
             where e.org_id = {organization} and e.wallet_id is not null
                 and (t.reason in ('booking', 'refund') or t.key like 'ruling:%')
                 and t.at >= to_timestamp({from}) and t.at < to_timestamp({until})"
        ),
    )
    .await;
    let of_fares = async |column: &str| {
        let query = format!(
            "select coalesce(sum({column}), 0) from fare_transactions
             where org_id = {organization} and issued_at >= to_timestamp({from}) and issued_at < to_timestamp({until})"
        );
        decimal(world, &query).await
    };
    let fares = of_fares("agent_fare").await;
    let ancillaries = of_fares("ancillary").await;
    let markups = of_fares("markup").await;
    let earned = format!(
        "select coalesce(sum(case e.side when 'credit' then e.amount else -e.amount end), 0)
         from entries e join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
         where e.org_id = {organization} and e.account = 'markup'
             and t.at >= to_timestamp({from}) and t.at < to_timestamp({until})"
    );
    assert_eq!(decimal(world, &earned).await, markups, "markups of {} from {first}", shop.agency.code);
    let last = end.pred_opt().unwrap();
    let body = json!({ "type": "sales", "period_start": first, "period_end": last });
    let admin = shop.admin().await;
    let asked = admin.post("/org/reports", &body).await.succeeds(201);
    while world.make_reports().await > 0 {}
    let path = format!("/org/reports/{}/download", asked["id"].as_str().unwrap());
    let file = admin.get(&path).await;
    assert_eq!(file.status, 200, "{}", file.text);
    let reports = sum(&file.text, "amount");
    assert_eq!(
        [ledger, fares + ancillaries, reports],
        [ledger; 3],
        "ledger, fare ledger and report of {} from {first}",
        shop.agency.code
    );
    Spent { ledger, fares, ancillaries, reports, markups }
}

/// What suppliers are owed is what their own books say and the operator heard by telephone, order by order; and what is on its
/// way: they have ended these orders, and nobody here has seen or ruled that yet. What waits until it is covered is not in the
/// ledger.
async fn owed_to_suppliers(world: &World, heard: &Heard, debit_notes_open: Decimal) -> Owed {
    let mut theirs = suppliers_books(world).await;
    let mut by_telephone: BTreeMap<&str, Decimal> = BTreeMap::new();
    for (order, charged) in &heard.charged {
        *by_telephone.entry(order).or_default() += *charged;
    }
    let (mut booked, mut orders) = (Decimal::ZERO, Decimal::ZERO);
    for order in orders_here(world).await {
        let paid = theirs.remove(&order.id).unwrap();
        let mut charged = order.kept_of(&paid) + by_telephone.remove(order.id.as_str()).unwrap_or_default();
        if order.is_changed {
            charged += penalties_there(world, &order.id).await;
        }
        let agrees = order.booked == charged || (order.may_wait && charged < order.booked);
        assert!(
            agrees,
            "order {} costs {} by the ledger and {charged} by its supplier's books: {paid:?}\n{}",
            order.id,
            order.booked,
            history(world, &order.id).await.join("\n")
        );
        booked += order.booked;
        orders += charged;
    }
    let unknown: Vec<&String> = theirs.keys().collect();
    assert!(unknown.is_empty(), "orders of which the ledger knows nothing: {unknown:?}");
    let ledger = world.owed_to_suppliers().await;
    assert_eq!(ledger + debit_notes_open, booked, "suppliers' accounts and their orders");
    Owed { ledger, orders, on_its_way: booked - orders }
}

struct OrderHere {
    id: String,
    supplier: String,
    /// What it costs by the fare ledger, with what waits until it is covered.
    booked: Decimal,
    /// What its supplier leaves of the whole of it.
    commission: Decimal,
    /// What of that is of parts that were given back; none where none were.
    parts_commission: Option<Decimal>,
    is_confirmed: bool,
    is_changed: bool,
    /// Its supplier may have ended it without anybody here having seen or ruled that.
    may_wait: bool,
}

impl OrderHere {
    /// What is left with its supplier of what it was paid.
    fn kept_of(&self, paid: &PaidThere) -> Decimal {
        match self.supplier.as_str() {
            // Its books show what it charges.
            "hotelbeds" => paid.amount - paid.refunded,
            // Its books show the price, of which it leaves the commission: it gives as large a part back of the rest.
            "liteapi" => {
                let charged = paid.amount - self.commission;
                charged - (charged * paid.refunded / paid.amount).round_dp(2)
            }
            // It leaves a commission, and does not give it back a second time: of parts with each of them.
            _ => match self.parts_commission {
                Some(of_parts) if self.is_confirmed => {
                    paid.amount - paid.refunded.max(of_parts) - self.commission + of_parts
                }
                _ => paid.amount - paid.refunded.max(self.commission),
            },
        }
    }
}

async fn orders_here(world: &World) -> Vec<OrderHere> {
    let query = "select concat_ws(' ', o.supplier_order_id, o.supplier,
            (select sum(f.supplier_amount) from fare_transactions f
             where (f.org_id, f.booking_id, f.number) = (o.org_id, o.booking_id, o.number))
            + (select coalesce(sum(r.amount), 0) from rulings r
               where (r.org_id, r.booking_id, r.number) = (o.org_id, o.booking_id, o.number) and r.state = 'due'),
            b.pricing -> (o.number - 1)::int -> 'price' -> 'commission' ->> 'amount',
            coalesce((select sum((part -> 'paid' -> 'commission' ->> 'amount')::numeric)
                from jsonb_array_elements(coalesce(o.given_back, '[]')) as part)::text, 'none'),
            o.status = 'confirmed',
            exists (select from fare_transactions f
                where (f.org_id, f.booking_id, f.number, f.kind) = (o.org_id, o.booking_id, o.number, 'change')),
            o.status = 'confirmed' or exists (select from exceptions x
                where (x.org_id, x.booking_id, x.kind) = (o.org_id, o.booking_id, 'cancelled_by_supplier')
                and x.closed_at is null) or o.next_poll_at is not null)
        from supplier_orders o join bookings b on (b.org_id, b.id) = (o.org_id, o.booking_id)";
    let order = |line: String| {
        let words: Vec<&str> = line.split(' ').collect();
        let [id, supplier, booked, commission, of_parts, is_confirmed, is_changed, may_wait] =
            words.as_slice()
        else {
            panic!("{line}")
        };
        OrderHere {
            id: (*id).to_owned(),
            supplier: (*supplier).to_owned(),
            booked: booked.parse().unwrap(),
            commission: commission.parse().unwrap(),
            parts_commission: of_parts.parse().ok(),
            is_confirmed: *is_confirmed == "t",
            is_changed: *is_changed == "t",
            may_wait: *may_wait == "t",
        }
    };
    world.lines(query).await.into_iter().map(order).collect()
}

/// What is stored of an order, for whoever looks for the cause of a difference.
async fn history(world: &World, order: &str) -> Vec<String> {
    let mut told = Vec::new();
    for table in ["fare_transactions", "supplier_orders", "effects", "exceptions", "rulings", "bookings"] {
        let query = format!(
            "select '{table} ' || stored::text
            from supplier_orders o join (select org_id, to_jsonb(t) as stored from {table} t) r on r.org_id = o.org_id
                and coalesce(stored ->> 'booking_id', stored ->> 'id') = o.booking_id::text
                and coalesce(stored ->> 'number', o.number::text) = o.number::text
            where o.supplier_order_id = '{order}'"
        );
        told.extend(world.lines(&query).await);
    }
    told
}

/// What an airline kept for changes of an order beside the fare, by Duffel's own words.
async fn penalties_there(world: &World, order: &str) -> Decimal {
    let shown = world.duffel(&format!("/air/orders/{order}")).await;
    let changes = shown["changes"].as_array().unwrap().iter();
    changes.map(|change| change["penalty_total_amount"].as_str().unwrap().parse::<Decimal>().unwrap()).sum()
}

/// At a month's end debit notes are collected, as far as wallets cover them by now.
pub async fn collect(world: &World) -> usize {
    let collected = desk::collect(&world.platform, None).await.unwrap();
    collected.iter().filter(|made| made.ruling.state == wayfare_domain::RulingState::Done).count()
}

/// The first day of the month after this one's.
pub fn next(first: NaiveDate) -> NaiveDate {
    let later = first.checked_add_days(Days::new(31)).unwrap();
    chrono::Datelike::with_day(&later, 1).unwrap()
}

/// When a day begins at the agencies', in seconds.
pub fn midnight(day: NaiveDate) -> i64 {
    instant(day).timestamp()
}

pub fn instant(day: NaiveDate) -> DateTime<Utc> {
    let begins = day.and_time(chrono::NaiveTime::MIN).and_local_timezone(ZONE);
    begins.unwrap().to_utc()
}

fn sum(file: &str, column: &str) -> Decimal {
    let mut rows = csv::Reader::from_reader(file.as_bytes());
    let place = rows.headers().unwrap().iter().position(|name| name == column).unwrap();
    rows.records().map(|row| row.unwrap()[place].parse::<Decimal>().unwrap()).sum()
}

async fn decimal(world: &World, query: &str) -> Decimal {
    world.line(query).await.parse().unwrap()
}
