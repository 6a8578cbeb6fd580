//! What hotels are, of a supplier that forbids asking for it beside searches: asked for apart, kept, and shown from then on.

use chrono::TimeDelta;
use serde_json::{Value, json};
use wayfare_operations::worker;
use wayfare_store::suppliers::hotel_content::{self, NewWish};
use wayfare_tests::{FoundStay, Person, Pick, StaySearch, World, WorldOptions, stay_at};

/// How many hotels wait to be asked for.
const WAITING: &str = "select count(*) from hotel_content where wished_at is not null";

async fn again(agent: &Person, search: &StaySearch, stay: &FoundStay) -> Value {
    let found = agent.search_stays(search).await;
    let mut hotels = found["hotels"].as_array().unwrap().iter();
    hotels.find(|hotel| hotel["hotel_id"] == stay.hotel["hotel_id"]).unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_asks_what_hotels_are_and_what_is_kept_is_shown() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("10000000").await;
    let search = stay_at("hotelbeds");
    let stay = agent.find_stay(&search, Pick::Free).await;
    assert_has!(stay.hotel, { "images": [], "address/line1": null });
    // Where it lies the search tells.
    assert_ne!(stay.hotel["latitude"], Value::Null);
    let details = async || {
        let ids = json!({ "hotel_ids": [stay.hotel["hotel_id"]] });
        agent.post("/hotels/details", &ids).await.ok()[0]["hotels"][0].clone()
    };
    assert_has!(details().await, { "name": (&stay.hotel["name"]), "description": null });
    let priced = agent.price_stay(&stay).await.ok();
    assert_ne!(priced["cancellation_policy"]["time_zone"], Value::Null);
    agent.stay(agent.book_stay(&stay, &priced).await.succeeds(201)["booking_ref"].as_str().unwrap()).await;
    agent.search_stays(&search).await;
    assert_eq!(world.content_calls().await, (0, 0), "while somebody waited");

    world.read_hotel_content().await;
    let (asked, refused) = world.content_calls().await;
    assert!(asked > 0 && refused == 0, "{asked}, {refused}");
    let hotel = again(&agent, &search, &stay).await;
    assert_ne!(hotel["images"], json!([]));
    let told = details().await;
    assert_ne!(told["description"], Value::Null);
    assert_eq!(told["address"], hotel["address"]);
    assert_eq!(world.content_calls().await, (asked, refused));
    // Of what nobody has found nothing is kept, and nobody is asked.
    agent.post("/hotels/details", &json!({ "hotel_ids": ["hotelbeds:1"] })).await.is_missing();
    assert_eq!(world.line(WAITING).await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_hotel_is_asked_for_once_a_day_and_a_page_at_a_time_by_one_server() {
    let (world, _, agent) = World::with(WorldOptions::hotels().frozen()).await.and_agent("0").await;
    let search = stay_at("hotelbeds");
    agent.search_stays(&search).await;
    let found: u64 = world.line(WAITING).await.parse().unwrap();
    assert!(found > 0);
    // What is asked for beside a search is refused.
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let (one, two) = tokio::join!(
        worker::read_due_content(&world.platform.hotels),
        worker::read_due_content(&world.platform.hotels)
    );
    one.unwrap();
    two.unwrap();
    // Three lists of words, and a page.
    assert_eq!(world.content_calls().await, (4, 0));
    worker::read_due_content(&world.platform.hotels).await.unwrap();
    assert_eq!(world.content_calls().await, (4, 0), "within the budget");
    world.read_hotel_content().await;
    assert_eq!(world.content_calls().await, (3 + found.div_ceil(100), 0));

    agent.search_stays(&search).await;
    assert_eq!(world.line(WAITING).await, "0", "within a day");
    let hotel = world.line("select hotel from hotel_content order by hotel limit 1").await;
    for (hours, waiting) in [(23, "0"), (25, "1")] {
        let now = world.now() + TimeDelta::hours(hours);
        let wish = NewWish {
            supplier: "hotelbeds",
            language: "ENG",
            hotels: std::slice::from_ref(&hotel),
            names: &["Hotel".to_owned()],
        };
        let mut connection = world.platform.core.database.connection().await.unwrap();
        hotel_content::wish(&mut connection, wish, (now, now - TimeDelta::days(1))).await.unwrap();
        assert_eq!(world.line(WAITING).await, waiting, "after {hours} hours");
    }
}

/// What can't be read is asked for again, after what else waits, and costs no search anything.
#[tokio::test(flavor = "multi_thread")]
async fn content_that_fails_is_asked_for_again() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("0").await;
    let search = stay_at("hotelbeds");
    for fault in ["status:500", "broken_json", "drop_before", "status:403"] {
        world.next_at("hotelbeds", "services", fault).await;
        agent.search_stays(&search).await;
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let waiting = world.line(WAITING).await;
        assert_ne!(waiting, "0", "{fault}");
        world.sql("update hotel_content_pages set next_at = to_timestamp(0)").await;
        worker::read_due_content(&world.platform.hotels).await.unwrap();
        assert_eq!(world.line(WAITING).await, waiting, "{fault}");
    }
    world.read_hotel_content().await;
    let found = agent.search_stays(&search).await;
    let hotels = found["hotels"].as_array().unwrap().iter();
    let mut of_supplier = hotels.filter(|hotel| hotel["provider"] == "hotelbeds");
    assert!(of_supplier.all(|hotel| hotel["property_type"] != Value::Null));
}
