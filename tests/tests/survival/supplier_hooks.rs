//! Suppliers' hooks, whatever becomes of them and whoever is killed: what they are about ends as it would without them, and
//! nothing that they say is believed.

use std::time::{Duration, Instant};

use wayfare_launch::SupplierKind;
use wayfare_tests::{Person, sells_stays};

use crate::{
    fixture::Fixture,
    holds::strike,
    lanes::{in_lanes, is_long},
    play::{
        Killed::{self, Api, Nobody, Postgres},
        When::At,
    },
    supplier_cancels::booked,
};

/// A hook that is sent again, a poll under a lease that may have to end first.
const ENDED_WITHIN: Duration = Duration::from_secs(150);

#[rustfmt::skip]
const ROWS: &[(&str, Killed)] = &[
    // what becomes of the hook   killed
    ("",               Nobody),
    ("webhook_lost",   Nobody),
    ("webhook_twice",  Nobody),
    ("webhook_forged", Nobody),
    ("",               Api(At("hook:stored"))),
    ("webhook_twice",  Api(At("hook:stored"))),
    ("",               Postgres(At("hook:stored"))),
];

/// Rows that are played at once: they mostly wait.
const AT_ONCE: usize = 4;

type Row = (SupplierKind, &'static str, Killed);

fn rows() -> Vec<Row> {
    let suppliers = [SupplierKind::Duffel, SupplierKind::Hotelbeds];
    let of_supplier = |at: SupplierKind| {
        // What does not depend on who posts is played at Duffel.
        let is_played = move |(fault, killed): &&(&str, Killed)| {
            is_long()
                || at == SupplierKind::Duffel
                || *fault != "webhook_twice" && !matches!(killed, Postgres(_))
        };
        ROWS.iter().filter(is_played).map(move |&(fault, killed)| (at, fault, killed))
    };
    suppliers.into_iter().flat_map(of_supplier).collect()
}

/// Everything that is not as it must be.
async fn play_all(rows: Vec<Row>, bugs: &'static [&'static str]) -> Vec<String> {
    in_lanes(rows, AT_ONCE, bugs, |fixture, agent, _, row| Box::pin(play(fixture, agent, *row))).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_hook_tells_of_is_told_once_whatever_becomes_of_the_hook() {
    let wrong = play_all(rows(), &[]).await;
    assert!(wrong.is_empty(), "\n  {}\n", wrong.join("\n  "));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_that_is_believed_is_found() {
    let forged = (SupplierKind::Duffel, "webhook_forged", Nobody);
    let wrong = play_all(vec![forged], &["bug:believe-the-hook"]).await;
    assert!(wrong.iter().any(|wrong| wrong.contains("ended as")), "{wrong:#?}");
}

/// Plays a row; everything that is not as it must be.
async fn play(fixture: &mut Fixture, agent: &Person, (at, fault, killed): Row) -> Vec<String> {
    let (reference, order) = booked(fixture, agent, at).await;
    let supplier: &str = at.into();
    fixture.supplier.posts_to(supplier, &fixture.crash_target.url).await;
    if !fault.is_empty() {
        fixture.supplier.next_at(supplier, "webhook", fault, 1).await;
    }
    if let Api(At(moment)) | Postgres(At(moment)) = killed {
        fixture.crash_target.arm(moment).await;
    }
    match sells_stays(at) {
        true => fixture.supplier.hotel_tells(&order, &["A-17"]).await,
        false => fixture.supplier.airline_puts_off(&order, 90).await,
    }
    strike(fixture, killed).await;
    // What was not answered is posted again, to where the server is now.
    fixture.supplier.posts_to(supplier, &fixture.crash_target.url).await;
    let is_lost = matches!(fault, "webhook_lost" | "webhook_forged");
    if is_lost {
        // Whatever was posted has come or not.
        fixture.supplier.has_struck().await;
    }
    let mut wrong = ended(fixture, (&reference, supplier), is_lost).await;
    wrong.extend(fixture.books.wrongs().await);
    fixture.supplier.all_is_well().await;
    wrong
}

/// Waits until what has happened is told, once; what is otherwise. Where no hook comes the order's time comes.
async fn ended(fixture: &Fixture, (reference, supplier): (&str, &str), is_lost: bool) -> Vec<String> {
    let state = format!(
        "select concat_ws(' ', b.status, o.status,
            (select count(*) || ' told' from events v
                where (v.org_id, v.entity_id) = (b.org_id, b.booking_ref)
                    and v.action in ('booking.airline_changed', 'booking.hotel_confirmed')),
            (select count(*) || ' stored' from supplier_hooks h
                where h.supplier = '{supplier}' and h.order_id = o.supplier_order_id and h.kind <> 'order.created'))
         from bookings b join supplier_orders o on (o.org_id, o.booking_id) = (b.org_id, b.id)
         where b.booking_ref = '{reference}'"
    );
    let expected = match is_lost {
        true => "confirmed confirmed 1 told 0 stored",
        false => "confirmed confirmed 1 told 1 stored",
    };
    let hurry = format!(
        "update supplier_orders o set next_poll_at = now() from bookings b
         where (b.id, b.org_id) = (o.booking_id, o.org_id) and b.booking_ref = '{reference}'
             and o.next_poll_at > now() + interval '31 seconds'"
    );
    let began = Instant::now();
    loop {
        let now = fixture.books.lines(&state).await.concat();
        if now == expected {
            return Vec::new();
        }
        if began.elapsed() > ENDED_WITHIN || !now.starts_with("confirmed confirmed") {
            return vec![format!("ended as {now:?}")];
        }
        if is_lost {
            fixture.sql(&hurry).await;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}
