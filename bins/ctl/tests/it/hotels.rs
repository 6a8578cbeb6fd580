//! What the operator sees and sets of hotel bookings, told by the program beside a running server.

use std::{process::Command, time::Duration};

use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use wayfare_tests::{Person, Pick, World, WorldOptions, amount, stay_at};

use crate::installation::{Installation, refused, succeeded, text};

const MONEY: &str = "1000000";

fn said(mut command: Command) -> String {
    succeeded(&command.output().unwrap())
}

fn half_away(exact: Decimal) -> Decimal {
    exact.round_dp_with_strategy(2, rust_decimal::RoundingStrategy::MidpointAwayFromZero)
}

/// Each room is a calculation of its own, with the supplier contract's K where the supplier says none.
#[tokio::test(flavor = "multi_thread")]
async fn each_room_of_a_stay_is_explained_with_the_contract_and_terms_that_counted() {
    let world = World::with(WorldOptions::hotels()).await;
    let agency = world.agency().await;
    let (admin, agent) = (agency.admin("0").await, agency.agent("arjun", MONEY).await);
    let here = Installation::new();
    let code = agency.code.as_ref();
    for (supplier, percent) in [("hotelbeds", "10"), ("liteapi", "50")] {
        let set = ["contract", "set", code, supplier, "--percent", percent];
        assert_eq!(here.json_beside(&world, &set)["supplier"], supplier);
    }
    let terms = ["terms", "set", code, "--service-fee", "100", "--gst", "18", "--platform-charge", "7"];
    said(here.beside(&world, &terms));
    let package =
        json!({ "name": "Monsoon", "markup_type": "percent", "markup_value": 5, "markup_apply_on": "fare" });
    let made = admin.post("/org/hotel-packages", &package).await.succeeds(201);
    let assigned = json!({ "package_id": made["id"] });
    admin.post("/org/hotel-packages/assign", &assigned).await.ok();

    for supplier in ["hotelbeds", "liteapi"] {
        let wish = stay_at(supplier).rooms(&[(2, &[]), (1, &[7])]);
        let bought = agent.buy_stay(&wish, Pick::Cheapest).await;
        let explain = ["price", "explain", bought.reference.as_str()];
        let explained = here.json_beside(&world, &explain);
        assert_eq!(amount(&explained["total_payable"]), bought.fare);
        let orders = explained["orders"].as_array().unwrap();
        assert_eq!(orders.len(), 1, "all rooms are one order");
        let steps = orders[0]["trace"]["steps"].as_array().unwrap();
        let of = |symbol: &str| -> Vec<&Value> {
            let steps = steps.iter().filter(|step| step["symbol"] == symbol);
            steps.collect()
        };
        let results =
            |symbol: &str| of(symbol).into_iter().map(|step| amount(&step["result"])).collect::<Vec<_>>();
        let (bases, markups) = (results("B"), results("M"));
        assert_eq!((bases.len(), results("T").len()), (2, 2), "{supplier}: two rooms");
        assert_eq!(
            (results("S"), results("G"), results("P")),
            (vec![dec!(100); 2], vec![dec!(18); 2], vec![dec!(7); 2])
        );
        assert_eq!(markups, bases.iter().map(|base| half_away(base * dec!(0.05))).collect::<Vec<_>>());
        assert_eq!(results("agent fare").into_iter().sum::<Decimal>(), bought.fare);
        let by_contract = "contract with hotelbeds: 10 % of B";
        match supplier {
            // It says what it leaves, and that counts.
            "liteapi" => assert!(of("K").iter().all(|step| !step["rule"].to_string().contains("contract"))),
            _ => {
                assert!(of("K").iter().all(|step| step["rule"] == by_contract));
                let left = bases.iter().map(|base| half_away(base * dec!(0.1)));
                assert_eq!(results("K"), left.collect::<Vec<_>>());
            }
        }
        let shown = said(here.beside(&world, &explain));
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines.len(), steps.len() + 2, "{shown}");
        assert!(lines[1].starts_with(&format!("{}-1 {supplier}  B ", bought.reference)), "{shown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn looks_statement_and_proof_know_stays() {
    let world = World::with(WorldOptions::hotels()).await;
    let agency = world.agency().await;
    let agent = agency.agent("arjun", MONEY).await;
    let here = Installation::new();
    let code = agency.code.as_ref();
    let bought = agent.buy_stay(&stay_at("liteapi"), Pick::Free).await;
    let cancelled = agent.cancel_stay(&bought.reference).await.ok();
    assert_eq!(amount(&cancelled["refund"]["amount"]), bought.fare);
    let stay = agent.find_stay(&stay_at("hotelbeds"), Pick::Cheapest).await;
    // Its pages are read from what was answered.
    let mut again = stay.asked.clone();
    again["search_id"] = stay.found["search_id"].clone();
    again["pagination"] = json!({ "page": 2, "per_page": 1 });
    agent.post("/hotels/search", &again).await.says(200, "hotels found");
    // Only one of them is asked for a hotel of its own.
    let mut one = stay_at("hotelbeds");
    one.location = json!({ "type": "hotel_id", "hotel_ids": [stay.hotel["hotel_id"]] });
    agent.search_stays(&one).await;
    world.count_looks().await;

    let looks = here.json_beside(&world, &["look-to-book", code]);
    let rows: Vec<String> = looks["looks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let told =
                ["supplier", "asked", "shared", "booked", "look_to_book"].map(|key| row[key].to_string());
            told.join(" ").replace('"', "")
        })
        .collect();
    assert_eq!(rows, ["hotelbeds 3 0 0 null", "liteapi 2 0 1 2.0"]);

    let statement = here.json_beside(&world, &["wallet", "statement", code, "--user", "arjun"]);
    let rows = statement["transactions"].as_array().unwrap();
    let of_stay = rows.iter().filter(|row| row.to_string().contains(&bought.reference));
    assert_eq!(of_stay.count(), 2, "paid and given back: {statement}");
    assert_eq!(here.json_beside(&world, &["ledger", "verify"])["problems"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_of_hotels_is_taken_from_an_agency_at_once() {
    let world = World::with(WorldOptions::hotels()).await;
    let agency = world.agency().await;
    let agent = agency.agent("arjun", MONEY).await;
    let here = Installation::new();
    let code = agency.code.as_ref();
    let stay = agent.find_stay(&stay_at("liteapi"), Pick::Cheapest).await;
    let set = |suppliers: &str| said(here.beside(&world, &["agency", "set", code, "--suppliers", suppliers]));
    assert!(set("duffel,hotelbeds").contains("duffel, hotelbeds"));
    let found = agent.search_stays(&stay_at("hotelbeds")).await;
    let status = &found["provider_status"];
    assert_eq!(
        (&status["liteapi"]["status"], &status["hotelbeds"]["status"]),
        (&json!("skipped"), &json!("success"))
    );
    let gone = "offer is no longer available, please search again";
    agent.price_stay(&stay).await.is(409, gone);
    set("all");
    agent.price_stay(&stay).await.ok();
}

/// Books while this fault waits; the outcome is not known. The booking's reference.
async fn left_pending(world: &World, agent: &Person, supplier: &'static str, fault: &str) -> String {
    world.next_at(supplier, "book", fault).await;
    let booked = agent.try_stay(&stay_at(supplier), Pick::Free).await.succeeds(202);
    text(&booked["booking_ref"])
}

fn resolve<'a>(id: &'a str, outcome: &[&'a str]) -> Vec<&'a str> {
    let mut arguments =
        vec!["exceptions", "resolve", id, "--note", "Ravi at the supplier's desk", "--outcome"];
    arguments.extend(outcome);
    arguments
}

#[tokio::test(flavor = "multi_thread")]
async fn stays_of_unknown_outcome_are_resolved_by_the_operator() {
    for supplier in ["liteapi", "hotelbeds"] {
        let at_once = WorldOptions {
            incident_after: Duration::ZERO,
            processing_time: Duration::ZERO,
            ..WorldOptions::hotels()
        };
        let world = World::with(at_once).await;
        let agent = world.agent(MONEY).await;
        let here = Installation::new();
        // The only one that is open.
        let only = || {
            let listed = here.json_beside(&world, &["incidents", "list"]);
            assert_eq!(listed["total"], 1, "{listed}");
            listed["incidents"][0].clone()
        };

        // Nothing came there: the money is free again.
        let lost = left_pending(&world, &agent, supplier, "drop_before").await;
        let exception = only();
        assert_eq!(
            (&exception["booking_ref"], &exception["kind"]),
            (&json!(lost), &json!("outcome_unknown"))
        );
        let id = text(&exception["id"]);
        let shown = said(here.beside(&world, &["exceptions", "show", &id]));
        for part in [
            format!("booking_ref     {lost}\nbooking_status  pending\nmoney_held      "),
            format!("step.kind       book\nstep.supplier   {supplier}\nstep.reference  {lost}-1\n"),
        ] {
            assert!(shown.contains(&part), "{part} in {shown}");
        }
        let resolved = here.json_beside(&world, &resolve(&id, &["refused"]));
        assert_eq!(
            (&resolved["booking_status"], &resolved["closed_by"]),
            (&json!("failed"), &json!("operator"))
        );
        assert_eq!(agent.balance().await, MONEY.parse().unwrap());

        // It came there: the server looks the order up under the id that is told.
        let made = left_pending(&world, &agent, supplier, "drop_after").await;
        let id = text(&only()["id"]);
        let without = refused(&mut here.beside(&world, &resolve(&id, &["done"])), 1);
        assert!(without.contains("--order-id is missing"), "{without}");
        let orders = world.supplier_orders().await;
        assert_eq!(orders.len(), 1, "{supplier}");
        let order = text(&orders[0]["id"]);
        here.json_beside(&world, &resolve(&id, &["done", "--order-id", &order]));
        assert_eq!(world.recover().await, 1);
        assert_eq!(here.json_beside(&world, &["exceptions", "list"])["total"], 0);
        let stay = agent.stay(&made).await;
        assert_eq!((&stay["status"], &stay["provider_booking_id"]), (&json!("confirmed"), &json!(order)));

        // A cancellation that the supplier says it carried out: what was quoted comes back.
        world.next_at(supplier, "cancel", "drop_after").await;
        agent.cancel_stay(&made).await.says(202, "booking cancellation is pending");
        let id = text(&only()["id"]);
        let resolved = here.json_beside(&world, &resolve(&id, &["done"]));
        assert_eq!(
            (&resolved["booking_status"], &resolved["step"]["kind"]),
            (&json!("cancelled"), &json!("cancel"))
        );
        assert_eq!(agent.balance().await, MONEY.parse().unwrap());
        world.books_agree().await;
    }
}
