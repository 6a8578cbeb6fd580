//! Bugs that would lose money, seeded one by one: the table finds each.

use wayfare_launch::SupplierKind;
use wayfare_tests::supplier_kinds;

use crate::{
    crash_table::{play_all, table},
    faults::REFUSED_REPEAT,
    play::{Effect, Killed, Row, When},
};

/// The rows of an effect and fault at a supplier in which nobody is killed.
fn quiet(at: SupplierKind, effect: Effect, fault: &str) -> Vec<Row> {
    let wanted =
        |row: &Row| (row.at, row.effect, row.fault, row.killed) == (at, effect, fault, Killed::Nobody);
    table().into_iter().filter(wanted).collect()
}

/// That each of these rows finds the bug.
async fn is_found(bug: &'static [&'static str], rows: Vec<Row>, by: &str) {
    assert!(!rows.is_empty());
    let found = play_all(rows.clone(), rows.len(), bug).await;
    for row in rows {
        let of_row = format!("{row:?}: ");
        assert!(
            found.iter().any(|wrong| wrong.starts_with(&of_row) && wrong.contains(by)),
            "{row:?} has not found {by:?}: {found:#?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_that_is_released_on_silence_is_found() {
    let rows = supplier_kinds().flat_map(|at| quiet(at, Effect::Book, "drop_after"));
    is_found(&["bug:silence-is-refusal"], rows.collect(), "is failed and has 1 live orders").await;
}

/// Duffel sells an offer once, and so the second answer is a refusal. Hotelbeds books once more, if there are rooms. LiteAPI
/// books our reference once: there is nothing to be found.
#[tokio::test(flavor = "multi_thread")]
async fn a_booking_that_is_sent_again_blindly_is_found() {
    let at = [SupplierKind::Duffel, SupplierKind::Hotelbeds].into_iter();
    let rows = at.flat_map(|at| quiet(at, Effect::Book, "drop_after"));
    is_found(&["bug:retry-blindly"], rows.collect(), " live orders").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_repeat_that_is_read_as_a_refused_cancellation_is_found() {
    let rows = quiet(SupplierKind::Duffel, Effect::Cancel, REFUSED_REPEAT);
    is_found(&["bug:believe-the-repeat"], rows, "ended as").await;
}

/// What never arrived is told as accepted.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_is_told_as_accepted_without_an_answer_is_found() {
    let rows = quiet(SupplierKind::Duffel, Effect::Accept, "drop_before");
    is_found(&["bug:accept-unanswered"], rows, "is accepted here and not at the supplier").await;
}

/// What never arrived is told as confirmed, and is paid.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_is_told_as_confirmed_without_an_answer_is_found() {
    let rows = quiet(SupplierKind::Duffel, Effect::Change, "drop_before");
    is_found(&["bug:change-unanswered"], rows, "was changed 0 times at the supplier; done 1").await;
}

/// What came back is forgotten with the order: the next cancellation would give it back again.
#[tokio::test(flavor = "multi_thread")]
async fn a_part_that_is_forgotten_is_found() {
    let rows = quiet(SupplierKind::TripJack, Effect::Part, "");
    is_found(
        &["bug:forget-the-part"],
        rows,
        "the parts of an order that came back are not those that are written down with it",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_that_is_paid_back_twice_is_found() {
    let rows = quiet(SupplierKind::TripJack, Effect::Part, "");
    is_found(&["bug:part-paid-twice"], rows, "was not given back exactly as its refund says").await;
}

/// Who moves the way out gives the way back back, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_journey_too_many_that_is_given_back_is_found() {
    let rows = quiet(SupplierKind::TripJack, Effect::Journey, "");
    is_found(&["bug:part-is-whole"], rows, "is confirmed and has 0 live orders").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_without_its_fare_row_is_found() {
    let rows = quiet(SupplierKind::Duffel, Effect::Cancel, "");
    is_found(
        &["bug:forget-the-refund-fare"],
        rows,
        "the fare ledger does not sum to what wallets paid for fares",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_stored_without_a_seal_is_found() {
    let rows = quiet(SupplierKind::Duffel, Effect::Book, "");
    is_found(&["bug:store-answers-open"], rows, "or what it said, names people").await;
}

/// Without a kill all is well with it; the moment between the two transactions is only there with the bug.
#[tokio::test(flavor = "multi_thread")]
async fn a_debit_that_is_posted_before_the_booking_is_stored_is_found() {
    let between = Row {
        killed: Killed::Api(When::At("close:posted")),
        expected_statuses: &[],
        ..quiet(SupplierKind::Duffel, Effect::Book, "")[0]
    };
    is_found(&["bug:post-before-store"], vec![between], "was not paid exactly once").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idempotency_key_that_is_forgotten_is_found() {
    let rows = quiet(SupplierKind::Duffel, Effect::Book, "");
    is_found(&["bug:forget-the-key"], rows, "when asked again").await;
}
