//! Orders that their suppliers cancel by themselves, whoever is killed: the agency is told once, and what comes back is one
//! refund and one incident, which ends by itself where all comes back.

use std::time::{Duration, Instant};

use wayfare_launch::SupplierKind;
use wayfare_tests::{Person, one_way, sells_stays, supplier_kinds};

use crate::{
    fixture::Fixture,
    holds::strike,
    lanes::{in_lanes, is_long},
    play::{
        Killed::{self, Api, Nobody, Postgres},
        When::At,
        quote,
    },
    stays,
};

/// Two polls, a question, each under a lease that may have to end first.
const ENDED_WITHIN: Duration = Duration::from_secs(150);

/// What the supplier says that it gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    All,
    Nothing,
    /// All of it, in another currency.
    Dollars,
}

#[rustfmt::skip]
const ROWS: &[(&str, Says, Killed)] = &[
    // fault of the question  says      killed
    ("",            Says::All,     Nobody),
    ("",            Says::Nothing, Nobody),
    ("",            Says::Dollars, Nobody),
    ("",            Says::All,     Api(At("look:read"))),
    ("",            Says::All,     Api(At("look:cancelled"))),
    ("",            Says::All,     Api(At("look:money"))),
    ("",            Says::All,     Postgres(At("look:read"))),
    ("",            Says::All,     Postgres(At("look:cancelled"))),
    ("",            Says::All,     Postgres(At("look:money"))),
    ("drop_before", Says::All,     Nobody),
    ("status:500",  Says::All,     Nobody),
];

/// Rows that are played at once: they mostly wait.
const AT_ONCE: usize = 6;

type Row = (SupplierKind, &'static str, Says, Killed);

fn rows() -> Vec<Row> {
    let of_supplier = |at: SupplierKind| {
        // What does not depend on who sells is played at Duffel.
        let is_played = move |(fault, says, killed): &&(&str, Says, Killed)| {
            let is_of_each = fault.is_empty() && *says == Says::All;
            at == SupplierKind::Duffel
                // Only Duffel names a currency.
                || *says != Says::Dollars
                    && (is_long() || is_of_each && [Nobody, Api(At("look:cancelled"))].contains(killed))
        };
        ROWS.iter().filter(is_played).map(move |&(fault, says, killed)| (at, fault, says, killed))
    };
    supplier_kinds().flat_map(of_supplier).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_supplier_cancels_is_told_once_and_is_one_refund_and_one_incident() {
    let wrong =
        in_lanes(rows(), AT_ONCE, &[], |fixture, agent, _, row| Box::pin(play(fixture, agent, *row))).await;
    assert!(wrong.is_empty(), "\n  {}\n", wrong.join("\n  "));
}

/// Plays a row; everything that is not as it must be.
async fn play(fixture: &mut Fixture, agent: &Person, (at, fault, says, killed): Row) -> Vec<String> {
    let (reference, order) = booked(fixture, agent, at).await;
    match says {
        Says::Dollars => fixture.supplier.ends_in(&order, "USD").await,
        Says::All | Says::Nothing => fixture.supplier.ends(&order, None, says == Says::All).await,
    }
    if !fault.is_empty() {
        fixture.supplier.next_at(at.into(), "lookup", fault, 1).await;
    }
    if let Api(At(moment)) | Postgres(At(moment)) = killed {
        if moment != "look:read" {
            seen_once(fixture, &reference).await;
        }
        fixture.crash_target.arm(moment).await;
        fixture.sql(&hurry(&reference)).await;
    }
    strike(fixture, killed).await;
    // TripJack never says what comes back.
    let all_back = says == Says::All && at != SupplierKind::TripJack;
    let mut wrong = ended(fixture, &reference, all_back).await;
    wrong.extend(fixture.books.wrongs().await);
    fixture.supplier.all_is_well().await;
    wrong
}

/// Waits until a poll has seen that the order is cancelled.
async fn seen_once(fixture: &Fixture, reference: &str) {
    let seen = format!(
        "select o.cancel_seen_at::text from supplier_orders o join bookings b on b.id = o.booking_id
         where b.booking_ref = '{reference}' and o.cancel_seen_at is not null"
    );
    fixture.sql(&hurry(reference)).await;
    let began = Instant::now();
    while fixture.books.lines(&seen).await.is_empty() {
        assert!(began.elapsed() < ENDED_WITHIN, "nobody looks at {reference}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// A booking, and the id of its order at the supplier.
pub async fn booked(fixture: &Fixture, agent: &Person, at: SupplierKind) -> (String, String) {
    let agent = &agent.at(&fixture.crash_target.url);
    let trip = one_way("DEL", "BOM").by("ZZ");
    let reference = loop {
        let answer = match sells_stays(at) {
            true => agent.post("/hotels/book", &stays::order(agent, at, stays::next_days()).await).await,
            false => {
                let mut order = agent.order(&quote(agent, at, &trip).await, &trip);
                order["allow_duplicate"] = true.into();
                agent.book(&order).await
            }
        };
        // What could not be sent in time was not sent at all.
        if answer.status == 503 {
            continue;
        }
        let status = if sells_stays(at) { 201 } else { 200 };
        break answer.succeeds(status)["booking_ref"].as_str().unwrap().to_owned();
    };
    let id = format!(
        "select o.supplier_order_id from supplier_orders o join bookings b on b.id = o.booking_id
         where b.booking_ref = '{reference}'"
    );
    let order = fixture.books.lines(&id).await.concat();
    (reference, order)
}

/// The order is due now, and that it was seen cancelled was a while ago. What somebody looks at stays theirs.
fn hurry(reference: &str) -> String {
    format!(
        "update supplier_orders o set next_poll_at = now(), cancel_seen_at = cancel_seen_at - interval '2 minutes'
         from bookings b where (b.id, b.org_id) = (o.booking_id, o.org_id) and b.booking_ref = '{reference}'
             and o.next_poll_at > now() + interval '31 seconds'"
    )
}

/// Waits until the booking is cancelled, told and raised, each once, and ruled about where all of it comes back; what is
/// otherwise.
async fn ended(fixture: &Fixture, reference: &str, all_back: bool) -> Vec<String> {
    let state = format!(
        "select concat_ws(' ', b.status, o.status,
            (select count(*) || ' told' from events v
                where (v.org_id, v.entity_id, v.action) = (b.org_id, b.booking_ref, 'booking.cancelled_by_supplier')),
            (select string_agg(r.status, ',') from refunds r where (r.org_id, r.booking_id) = (b.org_id, b.id)),
            (select string_agg(coalesce(x.outcome, 'open'), ',') from exceptions x
                where (x.org_id, x.booking_id, x.kind) = (b.org_id, b.id, 'cancelled_by_supplier')),
            coalesce(o.next_poll_at::text, 'idle'))
         from bookings b join supplier_orders o on (o.org_id, o.booking_id) = (b.org_id, b.id)
         where b.booking_ref = '{reference}'"
    );
    let expected = match all_back {
        true => "cancelled cancelled 1 told refunded ruled idle",
        false => "cancelled cancelled 1 told processing open idle",
    };
    let hurry = hurry(reference);
    let began = Instant::now();
    loop {
        let now = fixture.books.lines(&state).await.concat();
        if now == expected {
            return Vec::new();
        }
        if began.elapsed() > ENDED_WITHIN {
            return vec![format!("ended as {now:?}")];
        }
        fixture.sql(&hurry).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}
