//! What a month comes to: in the ledger, in the fare ledger, in the agencies' reports and in the suppliers' books.

use std::collections::BTreeMap;

use chrono::{DateTime, Days, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde_json::json;
use wayfare_operations::operator::desk;
use wayfare_tests::World;

use super::people::{Heard, Shop, suppliers_books};

/// The agencies' time zone, in which their reports have their days.
pub const ZONE: chrono_tz::Tz = chrono_tz::Asia::Kolkata;

/// One month of all agencies, in rupees.
#[derive(Debug)]
pub struct Month {
    pub first: NaiveDate,
    pub bookings: i64,
    pub cancelled: i64,
    /// What wallets paid for bookings, and got back of them, by the ledger.
    pub spent: Decimal,
    /// What the platform owes suppliers by its ledger, since the beginning.
    pub owed: Decimal,
    /// What of it suppliers have given back of orders that they ended, and nobody here has seen or ruled yet.
    pub on_its_way: Decimal,
    /// Debit notes that wait until their wallets cover them.
    pub debit_notes_open: Decimal,
}

/// Closes the month of which this is the first day, at its end: each book comes to the same.
pub async fn close(
    world: &World,
    shops: &mut [Shop],
    heard: &Heard,
    first: NaiveDate,
    end: NaiveDate,
) -> Month {
    world.books_agree().await;
    let [from, until] = [first, end].map(midnight);
    let mut spent = Decimal::ZERO;
    for shop in shops {
        spent += agency_month(world, shop, (first, end)).await;
    }
    let (owed, on_its_way) = owed_to_suppliers(world, heard).await;
    let open = "select coalesce(sum(amount), 0) from rulings where state = 'due'";
    let between =
        format!("between to_timestamp({from}) and to_timestamp({until}) - interval '1 microsecond'");
    let booked = format!("select count(*) from bookings where booked_at {between}");
    let cancelled = format!("select count(*) from bookings where cancelled_at {between}");
    Month {
        first,
        bookings: world.line(&booked).await.parse().unwrap(),
        cancelled: world.line(&cancelled).await.parse().unwrap(),
        spent,
        owed,
        on_its_way,
        debit_notes_open: decimal(world, open).await,
    }
}

/// What an agency spent in a month: by the ledger, by the fare ledger with its ancillaries, and by its reports.
async fn agency_month(world: &World, shop: &mut Shop, (first, end): (NaiveDate, NaiveDate)) -> Decimal {
    let organization = format!(
        "(select id from organizations where agent_id = '{}')",
        shop.agency.code
    );
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
    let fares = decimal(
        world,
        &format!(
            "select coalesce(sum(agent_fare + ancillary), 0) from fare_transactions
             where org_id = {organization} and issued_at >= to_timestamp({from}) and issued_at < to_timestamp({until})"
        ),
    )
    .await;
    let last = end.pred_opt().unwrap();
    let body = json!({ "type": "sales", "period_start": first, "period_end": last });
    let admin = shop.admin().await;
    let asked = admin.post("/org/reports", &body).await.succeeds(201);
    while world.make_reports().await > 0 {}
    let path = format!("/org/reports/{}/download", asked["id"].as_str().unwrap());
    let file = admin.get(&path).await;
    assert_eq!(file.status, 200, "{}", file.text);
    let reported = sum(&file.text, "amount");
    assert_eq!(
        [ledger, fares, reported],
        [ledger; 3],
        "ledger, fare ledger and report of {} from {first}",
        shop.agency.code
    );
    ledger
}

/// What suppliers are owed is what their own books say and the operator heard by telephone, order by order; and what is on its
/// way: they have ended these orders, and nobody here has seen or ruled that yet.
async fn owed_to_suppliers(world: &World, heard: &Heard) -> (Decimal, Decimal) {
    let mut theirs = suppliers_books(world).await;
    let mut by_telephone: BTreeMap<&str, Decimal> = BTreeMap::new();
    for (order, charged) in &heard.charged {
        *by_telephone.entry(order).or_default() += *charged;
    }
    // What waits until it is covered is not in the ledger.
    let ours = "select concat_ws(' ', o.supplier_order_id,
            (select sum(f.supplier_amount) from fare_transactions f
             where (f.org_id, f.booking_id, f.number) = (o.org_id, o.booking_id, o.number))
            + (select coalesce(sum(r.amount), 0) from rulings r
               where (r.org_id, r.booking_id, r.number) = (o.org_id, o.booking_id, o.number) and r.state = 'due'),
            (select f.public_fare + f.ancillary - f.supplier_amount from fare_transactions f
             where (f.org_id, f.booking_id, f.number) = (o.org_id, o.booking_id, o.number) and f.kind = 'sale'),
            o.status = 'confirmed' or exists (select from exceptions x
                where (x.org_id, x.booking_id, x.kind) = (o.org_id, o.booking_id, 'cancelled_by_supplier')
                and x.closed_at is null) or o.next_poll_at is not null)
        from supplier_orders o";
    let (mut owed, mut on_its_way) = (Decimal::ZERO, Decimal::ZERO);
    for line in world.lines(ours).await {
        let words: Vec<&str> = line.split(' ').collect();
        let [order, booked, commission, may_wait] = words.as_slice() else {
            panic!("{line}")
        };
        let booked: Decimal = booked.parse().unwrap();
        let paid = theirs.remove(*order).unwrap();
        // It leaves a commission, and does not give it back a second time.
        let kept = paid.refunded.max(commission.parse().unwrap());
        let charged = paid.amount - kept + by_telephone.remove(*order).unwrap_or_default();
        owed += booked;
        if booked != charged {
            assert!(
                *may_wait == "t" && charged < booked,
                "order {order} costs {booked} by the ledger and {charged} by its supplier's books"
            );
            on_its_way += booked - charged;
        }
    }
    let unknown: Vec<&String> = theirs.keys().collect();
    assert!(
        unknown.is_empty(),
        "orders of which the ledger knows nothing: {unknown:?}"
    );
    (owed, on_its_way)
}

/// At a month's end debit notes are collected, as far as wallets cover them by now.
pub async fn collect(world: &World) -> usize {
    let collected = desk::collect(&world.platform, None).await.unwrap();
    collected
        .iter()
        .filter(|made| made.ruling.state == wayfare_domain::RulingState::Done)
        .count()
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
    let place = rows
        .headers()
        .unwrap()
        .iter()
        .position(|name| name == column)
        .unwrap();
    rows.records()
        .map(|row| row.unwrap()[place].parse::<Decimal>().unwrap())
        .sum()
}

async fn decimal(world: &World, query: &str) -> Decimal {
    world.line(query).await.parse().unwrap()
}
