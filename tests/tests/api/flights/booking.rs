//! The main job from search to refund: every field of the contract, every sum to the last unit.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Trip, World, amount, one_way, round_trip, sum};

use crate::fields;

/// Searches, prices, books, reads, cancels; checks each answer against the contract and against the others.
async fn whole_life(trip: Trip, legs: usize) {
    let world = World::start().await;
    let agent = world.agent("2000000").await;
    let found = agent.search(&trip).await;
    fields::search(&found);
    for offer in found["offers"].as_array().unwrap() {
        check_offer(offer, &trip, legs);
    }

    let offer = &found["offers"][0];
    let priced = agent.price(offer["offer_id"].as_str().unwrap()).await.ok();
    fields::price(&priced);
    let total = amount(&offer["price"]["total"]);
    let summary = &priced["price_summary"];
    assert_eq!(priced["status"], "PRICE_VERIFIED");
    assert_eq!(
        amount(&summary["base_fare_total"]) + amount(&summary["tax_total"]),
        total
    );
    assert_eq!(per_passenger(&priced), total);
    let fare = amount(&summary["total_payable"]);
    assert_eq!(fare, amount(&summary["agent_details"]["agent_fare"]));
    assert_eq!(fare, amount(&summary["public_fare"]));

    let before = agent.balance().await;
    let mut order = agent.order(&priced, &trip);
    order["agent_price"] = json!({ "agent_fare": summary["agent_details"]["agent_fare"] });
    let booked = agent.book(&order).await.ok();
    fields::booked(&booked);
    assert_eq!(booked["status"], "CONFIRMED");
    assert_eq!(amount(&booked["total_amount"]), fare);
    assert_eq!(sum(&booked["legs"], "gross_amount"), fare);
    assert_eq!(booked["legs"].as_array().unwrap().len(), legs);
    assert_eq!(before - agent.balance().await, fare);
    let reference = booked["booking_ref"].as_str().unwrap();
    assert!(reference.starts_with("FA-") && reference.len() == 11);
    check_leg(&booked["legs"][0], reference, &trip);

    let detail = agent.booking(reference).await;
    fields::detail(&detail);
    check_detail(&detail, &trip, fare, total);
    check_list(
        &agent.get("/flights/bookings?status=confirmed").await.json(),
        reference,
    );

    let penalty = agent.penalty(reference).await.ok();
    fields::has(&penalty, "booking_ref pnr penalty refund_amount currency");
    assert_eq!(
        amount(&penalty["penalty"]) + amount(&penalty["refund_amount"]),
        fare
    );
    let cancelled = agent.cancel(reference).await.told(200, "booking cancelled");
    assert_eq!(
        amount(&cancelled["refund_to_wallet"]),
        amount(&penalty["refund_amount"])
    );
    assert_eq!(
        before - agent.balance().await,
        fare - amount(&penalty["refund_amount"])
    );
    agent
        .cancel(reference)
        .await
        .is(400, "booking is already cancelled");
    agent
        .penalty(reference)
        .await
        .is(400, "booking is already cancelled");
    assert_eq!(agent.booking(reference).await["status"], "cancelled");
    check_ledger(&agent.get("/wallet/transactions").await.json(), reference);
    world.books_agree().await;
}

fn check_offer(offer: &Value, trip: &Trip, legs: usize) {
    let price = &offer["price"];
    assert_eq!(sum(&price["breakdown"], "subtotal"), amount(&price["total"]));
    assert_eq!(
        amount(&price["agent_price"]["agent_fare"]),
        amount(&price["public_fare"])
    );
    for row in price["breakdown"].as_array().unwrap() {
        let unit = amount(&row["unit_base"]) + amount(&row["unit_tax"]);
        assert_eq!(unit * amount(&row["count"]), amount(&row["subtotal"]));
    }
    let (adults, children, infants) = trip.party;
    let travelling = Decimal::from(adults + children + infants);
    assert_eq!(sum(&price["breakdown"], "count"), travelling);
    assert_eq!(offer["legs"].as_array().unwrap().len(), legs);
    assert_eq!(
        (&offer["supplier"], &price["currency"]),
        (&json!("duffel"), &json!("INR"))
    );
}

fn per_passenger(priced: &Value) -> Decimal {
    let rows = priced["passenger_breakdown"].as_array().unwrap();
    rows.iter()
        .map(|row| {
            let total = amount(&row["total_per_pax"]);
            assert_eq!(amount(&row["base_per_pax"]) + amount(&row["tax_per_pax"]), total);
            assert_eq!(sum(&row["tax_breakdown"], "amount"), amount(&row["tax_per_pax"]));
            total * amount(&row["count"])
        })
        .sum()
}

fn check_leg(leg: &Value, reference: &str, trip: &Trip) {
    assert_eq!(leg["booking_track_id"], format!("{reference}-1"));
    assert_eq!(
        (&leg["origin"], &leg["destination"]),
        (&json!(trip.slices[0].0), &json!(trip.slices[0].1))
    );
    for field in ["provider_pnr", "airline_pnr", "ticket_number"] {
        assert_ne!(leg[field], "", "{field}");
    }
    let issued = leg["issued_date"].as_str().unwrap();
    chrono::NaiveDateTime::parse_from_str(issued, "%d/%m/%Y %H:%M:%S").unwrap();
}

fn check_detail(detail: &Value, trip: &Trip, fare: Decimal, total: Decimal) {
    let pricing = &detail["pricing"];
    assert_eq!(detail["status"], "confirmed");
    assert_eq!(amount(&pricing["total_payable"]), fare);
    assert_eq!(amount(&pricing["agent_fare"]), fare);
    assert_eq!(amount(&pricing["supplier_total"]), total);
    assert_eq!(sum(&pricing["pax_breakdown"], "total"), total);
    assert_eq!(
        sum(&pricing["pax_breakdown"], "base") + sum(&pricing["pax_breakdown"], "tax"),
        total
    );
    let (adults, children, infants) = trip.party;
    let travelling = usize::from(adults + children + infants);
    assert_eq!(detail["passengers"].as_array().unwrap().len(), travelling);
    assert_eq!(pricing["pax_breakdown"].as_array().unwrap().len(), travelling);
    fields::each_has(
        &detail["tickets"],
        "tkt_number pax_id pnr_ref status segment_refs",
    );
    assert_eq!(detail["tickets"].as_array().unwrap().len(), travelling);
    assert_eq!(detail["tickets"][0]["status"], "ISSUED");
    assert_eq!(detail["can_issue_ticket"], false);
    let legs = detail["itinerary"]["legs"].as_array().unwrap();
    assert_eq!(legs.len(), trip.slices.len());
    for (index, (leg, (from, to, _))) in legs.iter().zip(&trip.slices).enumerate() {
        assert_eq!(
            (&leg["leg_index"], &leg["origin"], &leg["destination"]),
            (&json!(index), &json!(from), &json!(to))
        );
    }
    assert_eq!(detail["contact_details"]["phone"], "9812345678");
}

fn check_list(body: &Value, reference: &str) {
    fields::has(body, "success data meta");
    assert_eq!(
        body["meta"],
        json!({ "page": 1, "per_page": 20, "total": 1, "total_pages": 1 })
    );
    let item = &body["data"][0];
    fields::list_item(item);
    assert_eq!(
        (&item["booking_ref"], &item["status"]),
        (&json!(reference), &json!("confirmed"))
    );
}

fn check_ledger(body: &Value, reference: &str) {
    let rows = body["data"].as_array().unwrap();
    rows.iter()
        .for_each(|row| fields::has(row, "id type amount description created_at"));
    let told: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row["type"].as_str().unwrap(),
                row["description"].as_str().unwrap(),
            )
        })
        .collect();
    let (refund, booking) = (
        format!("refund of booking {reference}"),
        format!("booking {reference}"),
    );
    // A refund of nothing is no transaction.
    let expected = [
        ("credit", refund.as_str()),
        ("debit", booking.as_str()),
        ("credit", "wallet topped up by the platform"),
    ];
    assert!(
        told == expected || told == expected[1..],
        "{told:?} of {expected:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn one_adult_flies_one_way_and_gives_it_back() {
    whole_life(one_way("DEL", "BOM"), 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_family_flies_there_and_back_and_gives_it_back() {
    whole_life(round_trip("DEL", "BOM").party(2, 1, 1), 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_family_flies_one_way_with_a_change_abroad() {
    whole_life(one_way("LHR", "DXB").party(2, 1, 1), 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_pays_from_the_organizations_wallet_and_sees_what_agents_book() {
    let world = World::start().await;
    let agency = world.agency().await;
    let admin = agency.admin("100000").await;
    let agent = agency.agent("arjun", "100000").await;
    let own = admin.buy(one_way("DEL", "BOM")).await;
    let theirs = agent.buy(one_way("DEL", "BLR")).await;
    assert_eq!(admin.balance().await, Decimal::from(100_000) - own.fare);
    assert_eq!(agent.balance().await, Decimal::from(100_000) - theirs.fare);
    let seen = |body: Value| -> Vec<String> {
        body["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["booking_ref"].as_str().unwrap().to_owned())
            .collect()
    };
    let everything = seen(admin.get("/flights/bookings").await.json());
    assert_eq!(
        everything,
        [theirs.reference.clone(), own.reference],
        "newest first"
    );
    assert_eq!(
        seen(agent.get("/flights/bookings").await.json()),
        [theirs.reference.as_str()]
    );

    // The refund goes to the wallet that paid, whoever cancels.
    let refund = amount(&admin.cancel(&theirs.reference).await.ok()["refund_to_wallet"]);
    assert_eq!(
        agent.balance().await,
        Decimal::from(100_000) - theirs.fare + refund
    );
    world.books_agree().await;
}
