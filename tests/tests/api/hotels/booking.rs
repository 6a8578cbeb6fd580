//! The life of a stay from search to refund at both suppliers: every field of the contract, every sum to the last unit.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Person, Pick, World, WorldOptions, amount, sample, stay_at, sum};

/// That the parts of the price come to its whole.
fn adds_up(priced: &Value) {
    let parts = &priced["pricing_breakdown"];
    let of = |part: &str, name: &str| amount(&parts[part][name]);
    let whole = of("room_charges", "subtotal") + of("taxes", "total_taxes") + of("fees", "total_fees");
    assert_eq!(whole, amount(&parts["total_before_discount"]));
    assert_eq!(whole - of("discounts", "total_discounts"), amount(&parts["grand_total"]));
}

async fn whole_life(supplier: &'static str) {
    let (world, _, agent) = World::with(WorldOptions::hotels().frozen()).await.and_agent("2000000").await;
    world.knows_hotels(&agent, &stay_at(supplier)).await;
    let stay = agent.find_stay(&stay_at(supplier), Pick::Free).await;
    let priced = agent.price_stay(&stay).await.ok();
    // Its address and pictures may come later: they are of another answer.
    assert_answer!(format!("{supplier}_rate"), sample(&stay.hotel["rooms"][0]["pricing"]));
    assert_answer!(format!("{supplier}_priced"), priced);
    adds_up(&priced);
    let total = amount(&priced["pricing_breakdown"]["grand_total"]);
    assert_eq!(total, amount(&stay.rooms[0]["pricing"]["total_after_tax"]));
    let fare = amount(&priced["agent_price"]["agent_fare"]);
    assert_eq!(fare, total, "no package, no fees");

    let before = agent.balance().await;
    let mut order = stay.order(&priced);
    order["fare"] = json!({ "agent_fare": priced["agent_price"]["agent_fare"], "currency": "INR" });
    let booked = agent.post("/hotels/book", &order).await.succeeds(201);
    assert_answer!(format!("{supplier}_booked"), booked);
    assert_eq!(amount(&booked["pricing"]["total_paid"]), fare);
    assert_eq!(before - agent.balance().await, fare);

    let reference = booked["booking_ref"].as_str().unwrap();
    let detail = agent.stay(reference).await;
    assert_answer!(format!("{supplier}_detail"), detail);
    costs(&detail, fare);
    let list = agent.get("/hotels/bookings").await.json();
    assert_answer!(format!("{supplier}_listed"), list);
    costs(&list["data"][0], fare);
    assert_eq!(agent.get("/flights/bookings").await.json()["meta"]["total"], 0);
    let voucher = format!("/hotels/bookings/{reference}/voucher");
    let shown = agent.get(&voucher).await.ok();
    assert_answer!(format!("{supplier}_voucher"), shown);
    assert_eq!(shown["total_price"], format!("{fare}"));

    gives_back(supplier, &agent, reference, fare).await;
    assert_eq!(agent.balance().await, before);
    let over = "booking is already cancelled";
    agent.cancel_stay(reference).await.is(400, over);
    agent.get(&voucher).await.is(400, over);
    let orders = world.supplier_orders().await;
    assert_eq!(orders.len(), 1);
    assert_has!(orders[0], { "status": "cancelled", "reference": reference });
    let reasons = "select new_value->>'reason' from events where action = 'booking.cancel_requested'";
    assert_eq!(world.lines(reasons).await, ["plans changed"]);
    world.is_settled().await;
}

/// Cancels a stay that can be given back for nothing: all of it returns, and the fare ledger has both ways.
async fn gives_back(supplier: &str, agent: &Person, reference: &str, fare: Decimal) {
    let penalty = format!("/hotels/bookings/{reference}/penalty");
    let penalty = agent.post(&penalty, &json!({})).await.ok();
    assert!(amount(&penalty["cancellation_fee"]["amount"]).is_zero());
    let cancelled = agent.cancel_stay(reference).await.says(200, "booking cancelled");
    assert_answer!(format!("{supplier}_cancelled"), cancelled);
    assert_eq!(cancelled["refund"]["amount"], penalty["refund_amount"]);
    assert_eq!(amount(&cancelled["refund"]["amount"]), fare);
    assert_has!(agent.stay(reference).await, { "status": "cancelled", "payment_status": "refunded" });
    assert_has!(agent.get("/hotels/refunds").await.ok()[0], { "booking_ref": reference });
    let rows = agent.get("/me/fare-transactions").await.ok();
    let rows = &rows["transactions"];
    assert_eq!(rows.as_array().unwrap().len(), 2, "one at confirmation, one at the refund");
    assert!(sum(rows, "agent_fare").is_zero(), "{rows}");
}

fn costs(shown: &Value, fare: Decimal) {
    assert_eq!(amount(&shown["total_amount"]), fare);
    assert_eq!(amount(&shown["public_fare"]), fare);
    assert!(amount(&shown["net_amount"]) <= fare);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stay_at_liteapi_from_search_to_refund() {
    whole_life("liteapi").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stay_at_hotelbeds_from_search_to_refund() {
    whole_life("hotelbeds").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn details_are_told_for_each_provider_under_the_ids_of_the_search() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("0").await;
    world.knows_hotels(&agent, &stay_at("")).await;
    let found = agent.search_stays(&stay_at("")).await;
    let hotels = found["hotels"].as_array().unwrap();
    let of = |supplier: &str| {
        let mut theirs = hotels.iter().filter(|hotel| hotel["provider"] == supplier);
        theirs.next().unwrap()
    };
    let (lite, beds) = (of("liteapi"), of("hotelbeds"));
    let asked = json!({ "hotel_ids": [lite["hotel_id"], beds["hotel_id"], lite["hotel_id"]] });
    let told = agent.post("/hotels/details", &asked).await.ok();
    assert_answer!("details", sample(&told));
    for (group, hotel) in told.as_array().unwrap().iter().zip([beds, lite]) {
        assert_eq!(group["provider"], hotel["provider"]);
        assert_eq!(group["hotels"].as_array().unwrap().len(), 1);
        let told = &group["hotels"][0];
        for same in ["hotel_id", "name", "star_rating", "address"] {
            assert_eq!(told[same], hotel[same], "{same}");
        }
        assert_ne!(told["description"], Value::Null);
    }
    agent.post("/hotels/details", &json!({ "hotel_ids": ["liteapi:lp0"] })).await.is_missing();
}

#[tokio::test(flavor = "multi_thread")]
async fn cities_are_found_as_one_types_and_their_codes_lead_to_hotels_at_every_supplier() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("0").await;
    let found = agent.get("/hotels/cities?q=mumb&limit=3").await.ok();
    assert_answer!("cities", found);
    for typed in ["s%C3%A3o+pau", "Sao Paulo", "SAO"] {
        let found = agent.get(&format!("/hotels/cities?q={typed}")).await.ok();
        assert_eq!(found[0]["name"], "São Paulo", "{typed}");
    }
    let mut search = stay_at("");
    search.location = json!({ "type": "city", "code": found[0]["code"] });
    world.knows_hotels(&agent, &search).await;
    let stays = agent.search_stays(&search).await;
    for supplier in ["liteapi", "hotelbeds"] {
        assert_eq!(stays["provider_status"][supplier]["status"], "success");
        assert!(stays["provider_status"][supplier]["results_count"].as_u64() > Some(3), "{stays}");
    }
    let hotels = stays["hotels"].as_array().unwrap().iter();
    let cities = hotels.map(|hotel| hotel["address"]["city"].as_str().unwrap().to_lowercase());
    let cities: Vec<String> = cities.collect();
    // Its suburbs are towns of their own.
    let count = |name: &str| cities.iter().filter(|city| *city == name).count();
    assert!(cities.iter().all(|city| city == "mumbai" || count(city) < count("mumbai")), "{cities:?}");
    agent.get("/hotels/cities").await.is_invalid("{q this field is required}");
    agent.get("/hotels/cities?q=x&limit=101").await.is_invalid("{limit must be between 1 and 100}");
}
