//! LiteAPI's searches over real sockets: what is sent, and what each way a call can end means for us.

use crate::answers::ending;
use crate::brief;
use crate::liteapi_stage::*;
use serde_json::{Value, json};
use wayfare_hotels::{HotelResults, HotelSupplier, SearchArea};
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::Answer;

const RATES: &str = "POST /api/hotels/rates";

/// What hotels are, told in lists beside the searches.
fn told() -> [(&'static str, Reply); 3] {
    let hotels = json!({"data": [{
        "id": "lp1897", "name": "Another name", "country": "us", "city": "New York", "latitude": 40.76217,
        "longitude": -73.98306, "address": "790 7th Avenue", "main_photo": "https://pictures.example/1.jpg",
        "hotelTypeId": 204, "stars": 4.5, "facilityIds": [1, 7, 2],
    }]});
    let types = json!({"data": [{"id": 204, "name": "Hotels"}, {"id": 201, "name": "Apartments"}]});
    let facilities = json!({"data": [
        {"facility_id": 1, "facility": "WiFi", "sort": 1, "translation": []}, {"facility_id": 2, "facility": "Pool"},
    ]});
    [
        ("GET /api/data/hotels?", reply(200, hotels.to_string())),
        ("GET /api/data/hotelTypes", reply(200, types.to_string())),
        ("GET /api/data/facilities", reply(200, facilities.to_string())),
    ]
}

fn untold() -> [(&'static str, Reply); 1] {
    [("GET /api/data/", reply(503, ""))]
}

fn one_hotel() -> String {
    let offers = [offer("DEAR", &[rate(1, 2, 0, 120.0)]), offer("CHEAP", &[rate(1, 2, 0, 90.25)])];
    stream(&[
        json!({"rates": [hotel_offers("lp1897", &offers)]}),
        json!({"hotels": [{"id": "lp1897", "name": "Hotel Example NYC", "address": "123 Example Street", "rating": 8.5}]}),
    ])
}

async fn found(body: String) -> Answer<HotelResults> {
    let stub = StubServer::with_side([reply(200, body)], untold()).await;
    liteapi(&stub).search(&query(&[(2, &[])])).await
}

/// A place, and how a search names it.
const PLACES: &str = r#"
{"hotels": ["lp1897", "../x"]} | {"hotelIds": ["lp1897"]}
{"city": {"name": "New York", "country": "US", "latitude": "40.7", "longitude": "-74"}} | {"countryCode": "US", "cityName": "New York"}
{"airport": {"code": "JFK", "latitude": "40.6", "longitude": "-73.7"}} | {"iataCode": "JFK"}
{"around": {"latitude": "40.7128", "longitude": "-74.0060", "radius_m": 5000}} | {"latitude": 40.7128, "longitude": -74.0060, "radius": 5000}"#;

#[tokio::test]
async fn a_search_names_rooms_in_order_and_the_place_as_it_is_known() {
    for line in PLACES.trim().lines() {
        let (place, expected) = line.split_once(" | ").unwrap();
        let stub = StubServer::start([reply(200, stream(&[]))]).await;
        let mut query = query(&[(2, &[]), (1, &[7, 0]), (2, &[])]);
        query.area = serde_json::from_str(place).unwrap();
        let found = done(liteapi(&stub).search(&query).await);
        assert_eq!(found, HotelResults::default());
        let asked = &stub.requests()[0];
        assert_eq!(asked.line, RATES);
        assert!(asked.headers.to_ascii_lowercase().contains("x-api-key: key_secret"), "{}", asked.headers);
        let mut body = json!({
            "limit": 1000,
            "occupancies": [{"adults": 2, "children": []}, {"adults": 1, "children": [7, 0]}, {"adults": 2, "children": []}],
            "currency": "USD", "guestNationality": "IN", "checkin": "2026-05-01", "checkout": "2026-05-04",
            "timeout": 119, "includeHotelData": true, "stream": true,
        });
        let expected: serde_json::Map<String, Value> = serde_json::from_str(expected).unwrap();
        body.as_object_mut().unwrap().extend(expected);
        assert_eq!(asked.body, body, "{line}");
    }
}

#[tokio::test]
async fn ids_of_others_are_declined_before_anything_is_sent() {
    let stub = StubServer::nobody().await;
    let supplier = liteapi(&stub);
    let mut query = query(&[(2, &[])]);
    assert_eq!(supplier.declines(&query), None);
    query.area = SearchArea::Hotels(vec!["../x".into(), String::new()]);
    assert!(supplier.declines(&query).is_some());
}

#[tokio::test]
async fn a_hotel_is_told_with_all_that_is_known_of_it_and_asked_for_once_a_day() {
    let stub = StubServer::with_side([reply(200, one_hotel()), reply(200, one_hotel())], told()).await;
    let supplier = liteapi(&stub);
    let first = done(supplier.search(&query(&[(2, &[])])).await);
    let [hotel] = &first.hotels[..] else { panic!("{first:?}") };
    // A search may tell all of the address in one line, where a list tells its parts. The cheapest comes first.
    let tokens: Vec<&str> = hotel.rates.iter().map(|rate| rate.token.as_str()).collect();
    let (told, rate, url) = (brief::hotel(hotel), brief::rate(&hotel.rates[0]), &hotel.images[0].url);
    insta::assert_snapshot!(
        "liteapi_found",
        format!(
            "{told}
{url} {tokens:?}
{rate}"
        )
    );

    assert_eq!(done(supplier.search(&query(&[(2, &[])])).await), first);
    let mut beside: Vec<String> = stub.side_requests().into_iter().map(|asked| asked.line).collect();
    beside.sort();
    assert_eq!(
        beside,
        [
            "GET /api/data/facilities",
            "GET /api/data/hotelTypes",
            "GET /api/data/hotels?hotelIds=lp1897&limit=1",
        ]
    );
}

#[tokio::test]
async fn a_hotel_of_which_nothing_is_told_is_sold_all_the_same() {
    for beside in [reply(503, ""), Reply::Hang, reply(200, "{}"), reply(200, r#"{"data":[7]}"#)] {
        let nameless =
            stream(&[json!({"rates": [hotel_offers("lp1", &[offer("O", &[rate(1, 2, 0, 50.0)])])]})]);
        let stub = StubServer::with_side([reply(200, nameless)], [("GET /api/data/", beside)]).await;
        let found = done(liteapi(&stub).search(&query(&[(2, &[])])).await);
        let hotel = &found.hotels[0];
        assert_eq!((hotel.name.as_str(), hotel.rates.len()), ("lp1", 1), "its id stands for its name");
        assert_eq!((hotel.stars, &hotel.property_type, hotel.latitude), (None, &None, None));
    }
}

#[tokio::test]
async fn slow_facts_do_not_cost_a_search_its_hotels() {
    let stub = StubServer::with_side([reply(200, one_hotel())], [("GET /api/data/", Reply::Silence)]).await;
    let found = done(liteapi(&stub).search(&query(&[(2, &[])])).await);
    assert_eq!(found.hotels[0].name, "Hotel Example NYC");
}

#[tokio::test]
async fn answers_in_one_piece_and_in_many_are_the_same() {
    let offers = |id: &str| offer(id, &[rate(1, 2, 0, 50.0)]);
    let summary = json!([{"id": "lp1", "name": "One"}, {"id": "lp2", "name": "Two"}]);
    let whole = json!({
        "data": [hotel_offers("lp1", &[offers("A"), offers("B")]), hotel_offers("lp2", &[offers("C")])],
        "guestLevel": 0, "sandbox": true, "hotels": summary,
    });
    let pieces = stream(&[
        json!({"rates": [hotel_offers("lp1", &[offers("A")])]}),
        json!({"data": [hotel_offers("lp2", &[offers("C")])]}),
        json!({"rates": [hotel_offers("lp1", &[offers("B")])]}),
        json!({"hotels": summary}),
    ]);
    let noisy = format!(": hello\n\nevent: rates\nid: 7\n{pieces}");
    let whole = done(found(whole.to_string()).await);
    assert_eq!(whole.hotels.len(), 2);
    assert_eq!(whole.hotels[0].rates.len(), 2);
    assert_eq!(done(found(pieces.replace('\n', "\r\n")).await), whole);
    assert_eq!(done(found(noisy).await), whole);
}

#[tokio::test]
async fn what_cannot_be_used_is_told_and_costs_nothing_else() {
    let good = offer("GOOD", &[rate(1, 2, 0, 50.0)]);
    let mut euros = offer("EUROS", &[rate(1, 2, 0, 50.0)]);
    euros["rates"][0]["retailRate"]["total"][0]["currency"] = json!("EUR");
    euros["rates"][0]["commission"] = json!(null);
    let mut priceless = offer("PRICELESS", &[rate(1, 2, 0, 50.0)]);
    priceless["rates"][0]["retailRate"]["total"] = json!(null);
    let bad = hotel_offers("lp1", &[good.clone(), good, euros, priceless, json!({"rates": 7}), json!(null)]);
    let body = stream(&[
        json!({"rates": [bad, {"hotelId": "lp2"}]}),
        json!({"error": {"code": 5000, "message": "one supplier is down"}}),
        json!({"error": {"code": 2001, "message": "no availability found"}}),
    ]);
    let found = done(found(body).await);
    assert_eq!((found.hotels.len(), found.hotels[0].rates.len()), (1, 1));
    let expected = [
        "lp1 roomTypes[1]: has the offerId of another one",
        "lp1 roomTypes[2]: is sold in EUR",
        "lp1 roomTypes[3]: has no price",
        "lp1 roomTypes[4]: rates: invalid type: integer `7`",
        "lp1 roomTypes[5]: invalid type: null",
        "hotels[1]: missing field `roomTypes`",
        "the supplier says: one supplier is down",
    ];
    assert_eq!(found.unusable.len(), expected.len(), "{:#?}", found.unusable);
    for (line, start) in found.unusable.iter().zip(expected) {
        assert!(line.starts_with(start), "{line}");
    }
}

#[tokio::test]
async fn several_kinds_of_rooms_are_sold_as_one_bundle() {
    let rates = [rate(1, 2, 0, 100.0), rate(2, 1, 1, 50.0)];
    let body = stream(&[json!({"rates": [hotel_offers("lp1897", &[offer("OFFER", &rates)])]})]);
    let stub = StubServer::with_side([reply(200, body)], untold()).await;
    let found = done(liteapi(&stub).search(&two_kinds()).await);
    let shown: Vec<_> = found.hotels[0]
        .rates
        .iter()
        .map(|rate| (rate.token.as_str(), rate.bundle.as_deref(), rate.kind, rate.rooms))
        .collect();
    assert_eq!(shown, [("OFFER#1", Some("OFFER"), 1, 1), ("OFFER#0", Some("OFFER"), 0, 1)]);
}

#[tokio::test]
async fn no_availability_is_an_answer_however_it_is_told() {
    let plain = error(2001, "no availability found");
    for act in [
        reply(200, plain.clone()),
        reply(400, plain),
        reply(204, ""),
        reply(400, error(4000, "hotel ids not found")),
        reply(200, stream(&[json!({"error": {"code": 2001, "message": "no availability found"}})])),
        reply(200, r#"{"data":[]}"#),
        reply(200, ""),
    ] {
        let stub = StubServer::start([act.clone()]).await;
        let answer = liteapi(&stub).search(&query(&[(2, &[])])).await;
        assert_eq!(done(answer), HotelResults::default(), "{act:?}");
    }
}

#[tokio::test]
async fn every_way_a_search_can_fail() {
    let cut = one_hotel();
    let undone = one_hotel().replace("data: [DONE]\n\n", "");
    for (act, expected) in [
        (reply(200, undone), "unknown"),
        (Reply::Cut(200, cut), "unknown"),
        (Reply::Hang, "unknown"),
        (Reply::Silence, "unknown"),
        (reply(200, "<h1>busy</h1>"), "unknown"),
        (reply(200, "{}"), "unknown"),
        (reply(200, "data: {oops\n\ndata: [DONE]\n\n"), "unknown"),
        (reply(200, stream(&[json!({"error": {"code": 5000, "message": "down"}})])), "unknown"),
        (reply(500, ""), "unknown"),
        (reply(429, ""), "unavailable"),
        (reply(400, error(4290, "")), "unavailable"),
        (reply(401, error(401, "")), "unavailable"),
        (reply(400, error(4002, "checkin is wrong")), "refused"),
    ] {
        let stub = StubServer::start([act.clone()]).await;
        assert_eq!(ending(&liteapi(&stub).search(&query(&[(2, &[])])).await), expected, "{act:?}");
        assert!(stub.requests().len() <= 1, "nothing is sent twice");
    }
    is_unavailable(liteapi(&StubServer::nobody().await).search(&query(&[(2, &[])])).await, "");
}

#[tokio::test]
async fn many_hotels_are_asked_for_in_lists() {
    let hotels: Vec<Value> = (0..401)
        .map(|number| {
            hotel_offers(&format!("lp{number}"), &[offer(&format!("O{number}"), &[rate(1, 2, 0, 50.0)])])
        })
        .collect();
    let stub = StubServer::with_side([reply(200, stream(&[json!({"rates": hotels})]))], told()).await;
    let found = done(liteapi(&stub).search(&query(&[(2, &[])])).await);
    assert_eq!(found.hotels.len(), 401);
    let mut limits: Vec<String> = stub
        .side_requests()
        .iter()
        .filter_map(|asked| Some(asked.line.split_once("limit=")?.1.to_owned()))
        .collect();
    limits.sort();
    assert_eq!(limits, ["1", "200", "200"]);
}
