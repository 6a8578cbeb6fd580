//! The life of a stay from search to refund at both suppliers: every field of the contract, every sum to the last unit.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Pick, World, WorldOptions, amount, stay_at};

use crate::fields::{each_has, each_value_has, has};

const AGENT_PRICE: &str =
    "public_fare agent_fare service_fee gst_on_service_fee platform_charge -agent_commission currency";
const STAY: &str = "id booking_ref provider provider_booking_id provider_confirmation hotel_id hotel_name check_in \
    check_out nights room_count currency total_amount net_amount public_fare status payment_status booked_at \
    cancelled_at contact_email contact_phone created_at guests";
const POLICY: &str = "refundable free_until time_zone deadlines remarks";

fn search_fields(found: &Value) {
    has(
        found,
        "search_id status currency total_results page per_page total_pages duration_ms created_at expires_at \
         provider_status hotels debug",
    );
    each_value_has(&found["provider_status"], "status results_count duration_ms");
    each_has(
        &found["hotels"],
        "hotel_id provider provider_hotel_id name star_rating property_type address latitude longitude images rooms",
    );
    for hotel in found["hotels"].as_array().unwrap() {
        has(&hotel["address"], "line1 city country");
        each_has(&hotel["images"], "url type");
        each_has(
            &hotel["rooms"],
            "room_id provider_room_id name bed_type max_occupancy occupancy availability pricing",
        );
        for room in hotel["rooms"].as_array().unwrap() {
            has(&room["availability"], "status rooms_left");
            has(&room["occupancy"], "adults children_ages");
            has(
                &room["pricing"],
                "rate_id rate_name currency total_after_tax quantity sold_with meal_plan meals refundable \
                 free_cancellation_until payment_type pay_at_hotel_fees pay_at_hotel_fees_currency \
                 pay_at_hotel_fee_lines minimum_selling_price minimum_selling_price_currency agent_price",
            );
            has(&room["pricing"]["agent_price"], AGENT_PRICE);
        }
    }
}

fn price_fields(priced: &Value) {
    has(
        priced,
        "price_id hotel_id status expires_at currency pricing_breakdown agent_price -price_change rooms \
         pay_at_hotel_fees pay_at_hotel_fees_currency cancellation_policy remarks",
    );
    has(&priced["agent_price"], AGENT_PRICE);
    has(&priced["cancellation_policy"], POLICY);
    let parts = &priced["pricing_breakdown"];
    has(
        parts,
        "room_charges taxes fees discounts total_before_discount total_discount total_after_discount grand_total",
    );
    has(&parts["room_charges"], "nights rate_per_night subtotal");
    has(&parts["fees"], "service_charge resort_fee total_fees");
    has(&parts["discounts"], "loyalty_discount total_discounts");
    let of = |part: &str, name: &str| amount(&parts[part][name]);
    let whole = of("room_charges", "subtotal") + of("taxes", "total_taxes") + of("fees", "total_fees");
    assert_eq!(whole, amount(&parts["total_before_discount"]));
    assert_eq!(
        whole - of("discounts", "total_discounts"),
        amount(&parts["grand_total"])
    );
}

async fn whole_life(supplier: &'static str) {
    let world = World::with(WorldOptions::hotels()).await;
    let agent = world.agent("2000000").await;
    let wish = stay_at(supplier);
    let stay = agent.find_stay(&wish, Pick::Free).await;
    search_fields(&stay.found);
    assert_eq!(stay.found["status"], "complete");
    let room = &stay.rooms[0];

    let priced = agent.price_stay(&stay).await.ok();
    price_fields(&priced);
    assert_eq!(priced["status"], "PRICE_VERIFIED");
    assert_eq!(priced["hotel_id"], stay.hotel["hotel_id"]);
    let total = amount(&priced["pricing_breakdown"]["grand_total"]);
    assert_eq!(total, amount(&room["pricing"]["total_after_tax"]));
    let fare = amount(&priced["agent_price"]["agent_fare"]);
    assert_eq!(fare, total, "no package, no fees");
    assert!(priced.get("price_change").is_none());

    let before = agent.balance().await;
    let mut order = stay.order(&priced);
    order["fare"] = json!({ "agent_fare": priced["agent_price"]["agent_fare"], "currency": "INR" });
    let booked = agent.post("/hotels/book", &order).await.succeeds(201);
    has(
        &booked,
        "booking_id booking_ref status confirmation_number provider_confirmation created_at hotel reservation pricing",
    );
    has(&booked["reservation"], "check_in check_out nights rooms");
    has(
        &booked["pricing"],
        "currency room_charges taxes fees discounts total_paid payment_status",
    );
    assert_eq!(booked["status"], "CONFIRMED");
    assert_eq!(booked["pricing"]["payment_status"], "pending");
    assert_eq!(amount(&booked["pricing"]["total_paid"]), fare);
    assert_eq!(
        booked["reservation"]["rooms"][0]["guests"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(before - agent.balance().await, fare);
    let reference = booked["booking_ref"].as_str().unwrap();
    assert_eq!(booked["booking_id"], reference);
    assert!(
        reference.starts_with("HTL-") && reference.len() == 12,
        "{reference}"
    );

    let detail = agent.stay(reference).await;
    has(&detail, &format!("{STAY} rooms cancellation_policy remarks"));
    check_stay(&detail, &stay.hotel, fare);
    let list = agent.get("/hotels/bookings").await.json();
    assert_eq!(list["meta"]["total"], 1);
    has(&list["data"][0], STAY);
    check_stay(&list["data"][0], &stay.hotel, fare);
    assert_eq!(agent.get("/flights/bookings").await.json()["meta"]["total"], 0);

    let voucher = agent
        .get(&format!("/hotels/bookings/{reference}/voucher"))
        .await
        .ok();
    has(
        &voucher,
        "confirmation_number booking_ref provider_booking_id status hotel_name hotel_address check_in check_out nights \
         currency total_price provider rooms meals contact_name pay_at_hotel remarks mandatory_texts \
         cancellation_policy",
    );
    assert_eq!(voucher["total_price"], format!("{fare}"));
    assert_ne!(voucher["confirmation_number"], "");
    assert_eq!(voucher["hotel_name"], stay.hotel["name"]);

    let penalty = agent
        .post(&format!("/hotels/bookings/{reference}/penalty"), &json!({}))
        .await
        .ok();
    assert!(amount(&penalty["cancellation_fee"]["amount"]).is_zero());
    let cancelled = agent.cancel_stay(reference).await.told(200, "booking cancelled");
    has(
        &cancelled,
        "booking_id booking_ref status cancelled_at cancellation_fee refund message",
    );
    has(&cancelled["cancellation_fee"], "amount currency reason");
    has(
        &cancelled["refund"],
        "amount currency platform_charges method estimated_processing_days",
    );
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(cancelled["refund"]["amount"], penalty["refund_amount"]);
    assert_eq!(amount(&cancelled["refund"]["amount"]), fare);
    assert_eq!(agent.balance().await, before);
    let detail = agent.stay(reference).await;
    assert_eq!(
        (&detail["status"], &detail["payment_status"]),
        (&json!("cancelled"), &json!("refunded"))
    );
    agent
        .cancel_stay(reference)
        .await
        .is(400, "booking is already cancelled");
    agent
        .get(&format!("/hotels/bookings/{reference}/voucher"))
        .await
        .is(400, "booking is already cancelled");

    let orders = world.supplier_orders().await;
    assert_eq!(orders.len(), 1);
    assert_eq!(orders[0]["status"], "cancelled");
    assert_eq!(orders[0]["reference"], reference);
    let rows = agent.get("/me/fare-transactions").await.ok();
    let rows = rows["transactions"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "one at confirmation, one at the refund");
    let sum: Decimal = rows.iter().map(|row| amount(&row["agent_fare"])).sum();
    assert!(sum.is_zero(), "{rows:?}");
    let reasons = world
        .lines("select new_value->>'reason' from events where action = 'booking.cancel_requested'")
        .await;
    assert_eq!(reasons, ["plans changed"]);
    world.is_settled().await;
}

fn check_stay(shown: &Value, hotel: &Value, fare: Decimal) {
    assert_eq!(shown["hotel_id"], hotel["hotel_id"]);
    assert_eq!(shown["provider"], hotel["provider"]);
    assert_eq!(shown["hotel_name"], hotel["name"]);
    assert_eq!(
        (&shown["status"], &shown["payment_status"]),
        (&json!("confirmed"), &json!("paid"))
    );
    assert_eq!((&shown["nights"], &shown["room_count"]), (&json!(2), &json!(1)));
    assert_eq!(amount(&shown["total_amount"]), fare);
    assert_eq!(amount(&shown["public_fare"]), fare);
    assert!(amount(&shown["net_amount"]) <= fare);
    assert_eq!(shown["guests"].as_array().unwrap().len(), 2);
    assert_eq!(shown["contact_email"], "traveller@sunrise.example");
    for name in ["provider_booking_id", "provider_confirmation"] {
        assert_ne!(shown[name], "", "{name}");
    }
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
    let world = World::with(WorldOptions::hotels()).await;
    let agent = world.agent("0").await;
    let found = agent.search_stays(&stay_at("")).await;
    let hotels = found["hotels"].as_array().unwrap();
    let of = |supplier: &str| {
        let mut theirs = hotels.iter().filter(|hotel| hotel["provider"] == supplier);
        theirs.next().unwrap()
    };
    let (lite, beds) = (of("liteapi"), of("hotelbeds"));
    let asked = json!({ "hotel_ids": [lite["hotel_id"], beds["hotel_id"], lite["hotel_id"]] });
    let told = agent.post("/hotels/details", &asked).await.ok();
    each_has(&told, "provider hotels");
    for (group, hotel) in told.as_array().unwrap().iter().zip([beds, lite]) {
        assert_eq!(group["provider"], hotel["provider"]);
        assert_eq!(group["hotels"].as_array().unwrap().len(), 1);
        let told = &group["hotels"][0];
        has(
            told,
            "hotel_id provider_hotel_id name star_rating property_type description address contact images amenities \
             room_amenities has_free_breakfast",
        );
        has(&told["contact"], "phone email");
        for same in ["hotel_id", "name", "star_rating", "address"] {
            assert_eq!(told[same], hotel[same], "{same}");
        }
        assert_ne!(told["description"], Value::Null);
        each_has(&told["images"], "url type");
    }
    let unknown = json!({ "hotel_ids": ["liteapi:lp0"] });
    agent
        .post("/hotels/details", &unknown)
        .await
        .is(404, "resource not found");
}

#[tokio::test(flavor = "multi_thread")]
async fn cities_are_found_as_one_types_and_their_codes_lead_to_hotels_at_every_supplier() {
    let world = World::with(WorldOptions::hotels()).await;
    let agent = world.agent("0").await;
    let found = agent.get("/hotels/cities?q=mumb&limit=3").await.ok();
    each_has(&found, "code name country_code");
    assert_eq!(found[0]["name"], "Mumbai");
    assert_eq!(found[0]["country_code"], "IN");
    for typed in ["s%C3%A3o+pau", "Sao Paulo", "SAO"] {
        let found = agent.get(&format!("/hotels/cities?q={typed}")).await.ok();
        assert_eq!(found[0]["name"], "São Paulo", "{typed}");
    }
    let mut wish = stay_at("");
    wish.location = json!({ "type": "city", "code": found[0]["code"] });
    let stays = agent.search_stays(&wish).await;
    for supplier in ["liteapi", "hotelbeds"] {
        assert_eq!(stays["provider_status"][supplier]["status"], "success");
        assert!(
            stays["provider_status"][supplier]["results_count"].as_u64() > Some(3),
            "{stays}"
        );
    }
    let cities: Vec<String> = stays["hotels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hotel| hotel["address"]["city"].as_str().unwrap().to_lowercase())
        .collect();
    assert!(
        cities.iter().filter(|city| *city == "mumbai").count() * 2 > cities.len(),
        "{cities:?}"
    );
    agent
        .get("/hotels/cities")
        .await
        .is(422, "code=422, message=[{q this field is required}]");
    agent
        .get("/hotels/cities?q=x&limit=101")
        .await
        .is(422, "code=422, message=[{limit must be between 1 and 100}]");
}
