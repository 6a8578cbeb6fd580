//! What it costs that a process dies which holds a lease: a lease beside other servers, nothing for the only one.

use std::time::{Duration, Instant};

use wayfare_launch::SupplierKind;
use wayfare_tests::one_way;

use crate::{fixture::Fixture, play::quote};

/// A lease of 30 s, the loop that looks for what is due, a busy machine.
const BESIDE_OTHERS: Duration = Duration::from_secs(40);
/// The first look at what is due.
const ALONE: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_during_a_look_up_costs_one_lease_beside_others_and_nothing_alone() {
    let mut fixture = Fixture::new(&[]).await;
    let agent = fixture.agent("arjun").await;
    let trip = one_way("DEL", "BOM").by("ZZ");
    for (is_alone, at_most) in [(false, BESIDE_OTHERS), (true, ALONE)] {
        let asked = agent.at(&fixture.crash_target.url);
        let order = asked.order(&quote(&asked, SupplierKind::Duffel, &trip).await, &trip);
        fixture.supplier.next("book", "drop_after", 1).await;
        fixture.supplier.next("lookup", "slow:15000", 1).await;
        let booked = asked.book(&order).await.succeeds(202);
        // The fault is taken by the call that it strikes: from then on the look-up is under way.
        while !fixture.supplier.waiting().await.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        fixture.crash_target.kill().await;
        let killed = Instant::now();
        match is_alone {
            true => fixture.restart().await,
            false => fixture.restart_beside_others().await,
        }
        let reference = booked["booking_ref"].as_str().unwrap();
        let status = format!("select status from bookings where booking_ref = '{reference}'");
        while fixture.books.lines(&status).await != ["confirmed"] {
            assert!(
                killed.elapsed() < at_most,
                "alone {is_alone}: {:?}",
                killed.elapsed()
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        println!("alone {is_alone}: {:?}", killed.elapsed());
    }
    fixture.end().await;
}
