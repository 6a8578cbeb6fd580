//! What it costs that a process dies which holds a lease: a lease beside other servers, nothing for the only one.

use wayfare_launch::SupplierKind;
use wayfare_tests::{LASTS, eventually, one_way};

use crate::{fixture::Fixture, play::quote};

/// Leases that last longer than any may; and one renewed now, nearly.
const TOO_LONG: &str =
    "select id from effects where state = 'open' and due_at > clock_timestamp() + interval '30 s'";
const RENEWED: &str = "update effects set due_at = clock_timestamp() + interval '29 s' where state = 'open'";

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_during_a_look_up_costs_one_lease_beside_others_and_nothing_alone() {
    let mut fixture = Fixture::new(&[]).await;
    let agent = fixture.agent("arjun").await;
    let trip = one_way("DEL", "BOM").by("ZZ");
    for is_alone in [false, true] {
        let asked = agent.at(&fixture.crash_target.url);
        let order = asked.order(&quote(&asked, SupplierKind::Duffel, &trip).await, &trip);
        fixture.supplier.next("book", "drop_after", 1).await;
        fixture.supplier.next("lookup", LASTS, 1).await;
        let booked = asked.book(&order).await.succeeds(202);
        // From then on the look-up is under way.
        fixture.supplier.has_struck().await;
        fixture.crash_target.kill().await;
        assert!(fixture.books.lines(TOO_LONG).await.is_empty());
        let reference = booked["booking_ref"].as_str().unwrap();
        if is_alone {
            fixture.sql(RENEWED).await;
            let lease = "select (due_at > clock_timestamp())::text || ' ' || attempts from effects where state = 'open'";
            let before = fixture.books.lines(lease).await;
            let lease_ends = "select due_at::text from effects where state = 'open'";
            let lease_ends = fixture.books.lines(lease_ends).await.concat();
            fixture.restart().await;
            // It is taken, with a lease of the new process, or known while that of the dead one would last.
            eventually("a poll of it", async || (fixture.books.lines(lease).await != before).then_some(()))
                .await;
            let waited = format!("select (clock_timestamp() > '{lease_ends}')::text");
            assert_eq!(fixture.books.lines(&waited).await, ["false"], "it waited for the lease's end");
        } else {
            fixture.restart_beside_others().await;
        }
        let status = format!("select status from bookings where booking_ref = '{reference}'");
        eventually("the booking", async || {
            (fixture.books.lines(&status).await == ["confirmed"]).then_some(())
        })
        .await;
    }
    fixture.end().await;
}
