//! What operators say of a booking outlives its people, and tells nothing of them: it is looked for in every table, before they
//! are erased and after.

use serde_json::{Value, json};
use wayfare_domain::OperatorRole::Desk;
use wayfare_tests::WorldOptions;

use super::marks::{MARKS, assert_unmarked, mark_in, marked_booking, stage_with};

/// A note with all by which somebody of the booking could be known, in the groups in which people write numbers.
fn telling() -> String {
    format!(
        "{} {} ({}) called from +91 98712 365-40, passport {} or {}, of {}. Case 20270104.",
        MARKS[0].to_uppercase() + "A",
        MARKS[1],
        MARKS[2],
        MARKS[7],
        "zq 765-4321",
        MARKS[3],
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_of_operators_name_nobody_and_no_card() {
    let (mut world, agency, admin, agent) = stage_with(WorldOptions::default()).await;
    let reference = marked_booking(&agent, "duffel", false).await;
    let desk = world.operator_api().operator("dev", Desk).await;
    let path = format!("/bookings/{reference}");
    let (ruled, noted) = ("01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002");
    world.raises_other_total(ruled, &reference).await;
    world.raises_other_total(noted, &reference).await;
    let due: Value = json!({ "order": 1, "kind": "debit_note", "amount": 5, "note": telling() });
    let said: Vec<(String, Value)> = vec![
        (
            format!("{path}/correct"),
            json!({ "order": 1, "field": "pnr", "number": "NEW123", "note": telling() }),
        ),
        (
            format!("{path}/rulings"),
            json!({ "order": 1, "kind": "refund", "amount": 5, "note": telling(), "incident_id": ruled }),
        ),
        (format!("{path}/rulings"), due),
        (format!("/incidents/{noted}/resolve"), json!({ "outcome": "noted", "note": telling() })),
    ];
    for (path, body) in &said {
        // A card's number is refused alike, and nothing is done.
        let mut with_card = body.clone();
        with_card["note"] = json!("they paid with 4111 1111 1111 1111");
        desk.post(path, &with_card).await.is_invalid("{note must not contain a card number}");
        let done = desk.post(path, body).await;
        assert_eq!(done.status, 200, "{path}: {}", done.text);
        assert_eq!(mark_in(done.text.as_bytes()), None, "{path}: {}", done.text);
    }
    assert_unmarked(&world, "while they are there").await;
    // What is nobody's stays.
    let notes = world.lines("select note from rulings").await;
    assert!(
        notes.iter().all(|note| note.contains("Case 20270104") && note.contains("[removed]")),
        "{notes:?}"
    );
    for path in ["/org/audit-logs", "/wallet/transactions"] {
        assert_eq!(mark_in(admin.get(path).await.text.as_bytes()), None, "{path}");
    }
    let shown = desk.get(&path).await;
    assert_eq!(mark_in(shown.text.as_bytes()), None, "{}", shown.text);
    world.sql("update idempotency_keys set created_at = created_at + interval '90 days'").await;
    world.pass(90 * 86_400);
    let erase = format!("/org/bookings/{reference}/people/erase");
    agency.log_in("asha").await.post(&erase, &json!({})).await.says(200, "people erased");
    assert_unmarked(&world, "after they are erased").await;
}
