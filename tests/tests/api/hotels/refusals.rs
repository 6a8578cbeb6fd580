//! What is refused of hotels, with the decided text, and that nothing is held by it.

use serde_json::{Value, json};
use wayfare_tests::{Pick, World, WorldOptions, faulty_bodies, guests, stay_at};

const SUPPLIERS: [&str; 2] = ["liteapi", "hotelbeds"];
const REQUIRED: &str = "this field is required";

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_can_t_be_asked_is_told_every_fault() {
    let (world, _, agent) = World::with(WorldOptions::hotels().frozen()).await.and_agent("0").await;
    let good = stay_at("").body(agent.today());
    let prefix = "must be as the search returned it, with its provider's prefix: one of hotelbeds:, liteapi:";
    let table = format!(
        r#"
        .  {{}}  {{check_in {REQUIRED}}} {{check_out {REQUIRED}}} {{rooms {REQUIRED}}} {{location {REQUIRED}}}
        /check_out            {check_in}    {{check_out must be after check_in}}
        /check_out            "2020-01-01"  {{check_out must be after check_in}}
        /check_in             "2020-01-01"  {{check_in must not be in the past}} {{check_out must be within 30 nights}}
        /check_in             "1.1.2027"    {{check_in must be a date (YYYY-MM-DD)}}
        /rooms/0/adults       0             {{rooms[0].adults must be between 1 and 9}}
        /rooms/0/children     2             {{rooms[0].children_ages must have the age of each of the 2 children}}
        /rooms/0  {{ "adults": 1, "children": 1, "children_ages": [18] }}  {{rooms[0].children_ages {ages}}}
        /rooms                []            {{rooms must have between 1 and 9 items}}
        /location  {{ "type": "moon" }}  {{location.type must be one of hotel_id, city, airport, coordinates}}
        /location  {{ "type": "city", "name": "Nowhere at all" }}  {{location.name is not a known city}}
        /location  {{ "type": "airport", "code": "QQQ" }}  {{location.code is not a known IATA airport code}}
        /location  {far}  {{location.latitude must be between -90 and 90}} {{location.radius_km {radius}}}
        /location  {ids}  {{location.hotel_ids[0] {prefix}}} {{location.hotel_ids[1] {prefix}}} {{location.hotel_ids[2] {prefix}}}
        /guest_nationality    "XX"          {{guest_nationality must be a two-letter country code}}
        /pagination/per_page  101           {{pagination.per_page must be between 1 and 100}}
        "#,
        check_in = good["check_in"],
        ages = "must be an array of at most 9 whole numbers between 0 and 17",
        far = json!({ "type": "coordinates", "latitude": 91, "longitude": 0, "radius_km": 201 }),
        radius = "must be between 0.1 and 200",
        ids = json!({ "type": "hotel_id", "hotel_ids": ["6619", "expedia:1", "liteapi:"] }),
    );
    for (body, faults) in faulty_bodies(&good, &table) {
        agent.post("/hotels/search", &body).await.is_invalid(&faults);
    }
    world.nothing_happened().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_that_can_t_be_routed_is_refused_everywhere() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("100000").await;
    let stay = agent.find_stay(&stay_at("hotelbeds"), Pick::Cheapest).await;
    let priced = agent.price_stay(&stay).await.ok();
    let prefix = "must be as the search returned it, with its provider's prefix: one of hotelbeds:, liteapi:";
    let unroutable = async |path: &str, body: &Value, field: &str| {
        agent.post(path, body).await.is_invalid(&format!("{{{field} {prefix}}}"));
    };
    for id in [stay.hotel["provider_hotel_id"].as_str().unwrap(), "booking:1", "hotelbeds"] {
        unroutable("/hotels/details", &json!({ "hotel_ids": [id] }), "hotel_ids[0]").await;
        let (mut selection, mut order) = (stay.price_body(), stay.order(&priced));
        selection["hotel_id"] = id.into();
        order["hotel_id"] = id.into();
        unroutable("/hotels/price", &selection, "hotel_id").await;
        unroutable("/hotels/book", &order, "hotel_id").await;
    }
    world.nothing_happened().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_is_of_the_search_and_for_all_its_rooms() {
    let (world, agency, agent) = World::with(WorldOptions::hotels().frozen()).await.and_agent("100000").await;
    for supplier in SUPPLIERS {
        let search = stay_at(supplier).rooms(&[(2, &[]), (1, &[7]), (2, &[])]);
        let good = agent.find_stay(&search, Pick::Cheapest).await.price_body();
        let first = &good["room_selections"][0];
        let rooms = first["quantity"].as_u64().unwrap();
        let table = format!(
            r#"
            /room_selections  [{first}]           {{room_selections must be for all 3 rooms that were searched}}
            /room_selections  [{first}, {first}]  {{room_selections[1].rate_id is for the same rooms as another selection}}
            /room_selections/0/rate_id   "x"      {{room_selections[0].rate_id must be a rate of this hotel in this search}}
            /room_selections/0/room_id   "x"      {{room_selections[0].room_id must be the room of this rate}}
            /room_selections/0/quantity  {more}   {{room_selections[0].quantity must be {rooms}, {as_searched}}}
            "#,
            more = rooms + 1,
            as_searched = "as many rooms as were searched for these guests",
        );
        for (body, faults) in faulty_bodies(&good, &table) {
            agent.post("/hotels/price", &body).await.is_invalid(&faults);
        }
        agency.agent(&format!("bina{supplier}"), "0").await.post("/hotels/price", &good).await.is_missing();
        let mut elsewhere = good.clone();
        elsewhere["hotel_id"] = format!("{supplier}:999999999").into();
        agent.post("/hotels/price", &elsewhere).await.is_missing();
        elsewhere["search_id"] = "never".into();
        agent.post("/hotels/price", &elsewhere).await.is_missing();
        agent.post("/hotels/price", &good).await.ok();
    }
    world.nothing_happened().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_is_not_what_was_priced_holds_nothing() {
    let (world, agency, agent) = World::with(WorldOptions::hotels()).await.and_agent("1000000").await;
    for supplier in SUPPLIERS {
        let stay = agent.find_stay(&stay_at(supplier).rooms(&[(2, &[4])]), Pick::Cheapest).await;
        let good = stay.order(&agent.price_stay(&stay).await.ok());
        let people = |adults, children| guests("Sharma", adults, children);
        let (alone, three, two_children) = (people(2, 0), people(3, 1), people(1, 2));
        let misfit = "{rooms[0].guests must be 2 adults and 1 children as in the search}";
        let letters = "must be letters, spaces, hyphens and apostrophes";
        let (room, check_in) = (&good["rooms"][0], good["check_in"].as_str().unwrap());
        let another_day = check_in.parse::<chrono::NaiveDate>().unwrap().succ_opt().unwrap();
        let table = format!(
            r#"
            /rooms/0/guests               {alone}         {misfit}
            /rooms/0/guests               {three}         {misfit}
            /rooms/0/guests               {two_children}  {misfit}
            /rooms/0/guests               []              {{rooms[0].guests must have between 1 and 18 items}}
            /rooms/0/guests/0/first_name  ""              {{rooms[0].guests[0].first_name {REQUIRED}}}
            /rooms/0/guests/0/last_name   "R2-D2 <b>"     {{rooms[0].guests[0].last_name {letters}}}
            /contact/first_name           "\ud83d\ude00"        {{contact.first_name {letters}}}
            /rooms/0/guests/0/type        "dog"           {{rooms[0].guests[0].type must be one of adult, child}}
            /rooms/0/rate_id              "x"             {{rooms[0].rate_id must be a rate that was priced}}
            /check_in                     "{another_day}"    {{check_in must be {check_in} as it was priced}}
            /contact/email                "nobody"        {{contact.email must be an e-mail address}}
            /rooms  [{room}, {room}]  {{rooms[1].rate_id was priced for 1 rooms, and these are more}}
            "#
        );
        for (body, faults) in faulty_bodies(&good, &table) {
            agent.post("/hotels/book", &body).await.is_invalid(&faults);
        }
        let mut dearer = good.clone();
        dearer["fare"] = json!({ "agent_fare": 1 });
        agent.post("/hotels/book", &dearer).await.is(400, "fare has changed, please price again");
        let mut of_another_money = good.clone();
        of_another_money["fare"] = json!({ "currency": "USD" });
        agent.post("/hotels/book", &of_another_money).await.is_invalid("{fare.currency must be INR}");
        let mut unknown = good.clone();
        for id in ["x", "0198a6f2-0000-7000-8000-000000000000"] {
            unknown["price_id"] = id.into();
            agent.post("/hotels/book", &unknown).await.is_missing();
        }
        let stranger = agency.agent(&format!("bina{supplier}"), "100000").await;
        stranger.post("/hotels/book", &good).await.is_missing();
    }
    world.nothing_happened().await;
    assert!(world.supplier_orders().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_books_once_and_in_time_and_its_booking_is_the_agency_s_own() {
    let (world, agency) = World::with(WorldOptions::hotels().frozen()).await.and_agency().await;
    agency.agent("arjun", "1000000").await;
    for supplier in SUPPLIERS {
        let agent = agency.log_in("arjun").await;
        let stay = agent.find_stay(&stay_at(supplier), Pick::Cheapest).await;
        let late = agent.price_stay(&stay).await.ok();
        let order = stay.order(&agent.price_stay(&stay).await.ok());
        let booked = agent.post("/hotels/book", &order).await.succeeds(201);
        let again = agent.post("/hotels/book", &order).await;
        again.is(409, "hotel price has already been used");
        assert_eq!(again.json()["data"]["booking_ref"], booked["booking_ref"]);
        let spent = agent.balance().await;
        world.pass(16 * 60);
        let expired = agent.post("/hotels/book", &stay.order(&late)).await;
        expired.is(400, "hotel price has expired, please search again");
        world.pass(16 * 60);
        agent.price_stay(&stay).await.is(400, "offer has expired, please search again");
        assert_eq!(agent.balance().await, spent);

        let stranger = world.agency().await.admin("0").await;
        let reference = booked["booking_ref"].as_str().unwrap();
        for path in ["", "/voucher"] {
            stranger.get(&format!("/hotels/bookings/{reference}{path}")).await.is_missing();
        }
        for path in ["penalty", "cancel"] {
            stranger.post(&format!("/hotels/bookings/{reference}/{path}"), &json!({})).await.is_missing();
        }
        // A hotel's booking is no flight's.
        agent.get(&format!("/flights/bookings/{reference}")).await.is_missing();
    }
    world.books_agree().await;
}
