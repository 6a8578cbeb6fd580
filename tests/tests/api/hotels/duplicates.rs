//! The same people in the same hotel twice: not within ten minutes, unless they want it so.

use serde_json::{Value, json};
use wayfare_tests::{FoundStay, MONEY, Person, Pick, StaySearch, World, WorldOptions, stay_at};

const TEXT: &str = "the same guests were booked in the same hotel on the same days within the last 10 minutes; send allow_duplicate to book again";

/// The body of a booking as clients send it.
async fn order(agent: &Person, stay: &FoundStay) -> Value {
    let mut order = stay.order(&agent.price_stay(stay).await.ok());
    order["allow_duplicate"] = json!(false);
    order
}

async fn book(agent: &Person, order: &Value) -> wayfare_tests::Reply {
    agent.post("/hotels/book", order).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_again_is_refused_for_ten_minutes_and_names_the_first() {
    for supplier in ["liteapi", "hotelbeds"] {
        let (world, agency) = World::with(WorldOptions::hotels().frozen()).await.and_agency().await;
        let agent = agency.agent("arjun", MONEY).await;
        let wish = stay_at(supplier).rooms(&[(2, &[7])]);
        let stay = agent.find_stay(&wish, Pick::Cheapest).await;
        let first = book(&agent, &order(&agent, &stay).await).await.succeeds(201);

        // In another order, in other letters, by somebody else of the agency.
        let colleague = agency.agent("bina", MONEY).await;
        let theirs = colleague.find_stay(&wish, Pick::Cheapest).await;
        assert_eq!(theirs.hotel["hotel_id"], stay.hotel["hotel_id"]);
        for (who, stay) in [(&agent, &stay), (&colleague, &theirs)] {
            let mut again = order(who, stay).await;
            let guests = again["rooms"][0]["guests"].as_array_mut().unwrap();
            guests.reverse();
            guests[0]["last_name"] = json!(guests[0]["last_name"].as_str().unwrap().to_uppercase());
            let refused = book(who, &again).await;
            refused.is(409, TEXT);
            assert_eq!(refused.json()["data"]["booking_ref"], first["booking_ref"]);
        }
        assert_eq!(world.supplier_orders().await.len(), 1, "{supplier}");
        assert!(world.held().await.is_zero());

        // Another agency's guests are nobody's business.
        let stranger = world.agent(MONEY).await;
        let elsewhere = stranger.find_stay(&wish, Pick::Cheapest).await;
        book(&stranger, &order(&stranger, &elsewhere).await).await.succeeds(201);

        let mut wanted = order(&agent, &stay).await;
        wanted["allow_duplicate"] = json!(true);
        book(&agent, &wanted).await.succeeds(201);
        world.pass(601);
        let stay = agent.find_stay(&wish, Pick::Cheapest).await;
        book(&agent, &order(&agent, &stay).await).await.succeeds(201);
        world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn others_another_hotel_or_other_days_are_not_the_same() {
    let (world, _, agent) = World::with(WorldOptions::hotels().frozen()).await.and_agent(MONEY).await;
    let wish = stay_at("liteapi");
    let stay = agent.find_stay(&wish, Pick::Cheapest).await;
    book(&agent, &order(&agent, &stay).await).await.succeeds(201);

    let mut others = order(&agent, &stay).await;
    others["rooms"][0]["guests"][1]["first_name"] = json!("Somebody");
    book(&agent, &others).await.succeeds(201);

    let later = StaySearch { in_days: 31, ..wish };
    let later = agent.find_stay(&later, Pick::Cheapest).await;
    book(&agent, &order(&agent, &later).await).await.succeeds(201);

    let elsewhere = agent.find_stay(&stay_at("hotelbeds"), Pick::Cheapest).await;
    book(&agent, &order(&agent, &elsewhere).await).await.succeeds(201);
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_failed_does_not_count() {
    let (world, _, agent) = World::with(WorldOptions::hotels().frozen()).await.and_agent(MONEY).await;
    let stay = agent.find_stay(&stay_at("hotelbeds"), Pick::Cheapest).await;
    let first = order(&agent, &stay).await;
    world.next_at("hotelbeds", "book", "sold_out").await;
    book(&agent, &first).await.is(409, "Insufficient allotment");
    let again = agent.find_stay(&stay_at("hotelbeds"), Pick::Cheapest).await;
    assert_eq!(again.hotel["hotel_id"], stay.hotel["hotel_id"]);
    book(&agent, &order(&agent, &again).await).await.succeeds(201);
    world.is_settled().await;
}
