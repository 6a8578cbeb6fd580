//! Searches: where, for whom, in which money, and whole or as a stream.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

fn ids(hotels: &[Value]) -> BTreeSet<&str> {
    hotels.iter().map(|hotel| text(&hotel["hotelId"])).collect()
}

/// Every price, by hotel, room, board and terms.
fn prices(hotels: &[Value]) -> BTreeMap<String, Decimal> {
    let of_hotel = |hotel: &Value| {
        let offers = list(&hotel["roomTypes"]).clone();
        let hotel = hotel["hotelId"].clone();
        offers.into_iter().map(move |offer| {
            let rate = &offer["rates"][0];
            let tag = &rate["cancellationPolicies"]["refundableTag"];
            (format!("{hotel}/{}/{}/{tag}", rate["name"], rate["boardType"]), price(&offer))
        })
    };
    hotels.iter().flat_map(of_hotel).collect()
}

#[tokio::test]
async fn a_hotel_is_found_by_id_by_city_by_airport_and_around_a_point() {
    let stage = Stage::open().await;
    let by_city = stage.hotels(&query()).await;
    let mut elsewhere = query();
    for name in ["countryCode", "cityName"] {
        elsewhere.as_object_mut().unwrap().remove(name);
    }
    let with = |more: Value| {
        let mut query = elsewhere.clone();
        extend(&mut query, &more);
        query
    };
    let some: Vec<&Value> = by_city.iter().take(3).map(|hotel| &hotel["hotelId"]).collect();
    let by_id = stage.hotels(&with(json!({ "hotelIds": some }))).await;
    assert_eq!(prices(&by_id), prices(&by_city[..3]));
    let by_airport = stage.hotels(&with(json!({ "iataCode": "BOM" }))).await;
    assert_eq!(ids(&by_airport), ids(&by_city));
    let around = with(json!({ "latitude": 19.07283, "longitude": 72.88261, "radius": 20000, "limit": 500 }));
    assert!(ids(&by_city).is_subset(&ids(&stage.hotels(&around).await)));
    stage.liteapi("/hotels/rates", &elsewhere).await.bad(400, 4002);
    let unknown = with(json!({ "hotelIds": ["lp", "x"] }));
    let error = stage.liteapi("/hotels/rates", &unknown).await.bad(400, 4000);
    assert_eq!(error["description"], "hotel ids not found");
    let nowhere = with(json!({ "countryCode": "IN", "cityName": "Nowhere at all" }));
    stage.liteapi("/hotels/rates", &nowhere).await.bad(200, 2001);
}

#[tokio::test]
async fn every_party_has_its_room_and_prices_add_up() {
    let stage = Stage::open().await;
    let mut query = query();
    query["occupancies"] = json!([{ "adults": 2, "children": [8] }, { "adults": 1 }]);
    for hotel in stage.hotels(&query).await {
        for offer in list(&hotel["roomTypes"]) {
            let rates = list(&offer["rates"]);
            assert_eq!(rates.len(), 2);
            assert_eq!(rates[0]["childrenAges"], json!([8]));
            assert_eq!(rates[1]["occupancyNumber"], 2);
            let of = |rate: &Value| number(&rate["retailRate"]["total"][0]["amount"]);
            assert_eq!(rates.iter().map(of).sum::<Decimal>(), price(offer));
            for rate in rates {
                let total = of(rate);
                let share = number(&rate["commission"][0]["amount"]) / (total / dec!(1.04)) * dec!(100);
                assert!((share - dec!(4)).abs() < dec!(0.01), "{share}");
                let taxes = list(&rate["retailRate"]["taxesAndFees"]);
                assert!(taxes.iter().all(|tax| number(&tax["amount"]) > Decimal::ZERO));
                // Some houses tell penalties of what is left without the commission.
                let policy = &rate["cancellationPolicies"];
                let Some(last) = list(&policy["cancelPolicyInfos"]).last() else {
                    assert_eq!(policy["refundableTag"], "RFN");
                    continue;
                };
                let lost = number(&last["amount"]);
                let commission = number(&rate["commission"][0]["amount"]);
                let is_all = |of: Decimal| (lost - of).abs() < dec!(0.01);
                assert!(is_all(total) || is_all(total - commission), "{lost} of {total}");
            }
        }
    }
}

#[tokio::test]
async fn what_is_not_wanted_is_left_out() {
    let stage = Stage::open().await;
    let with = async |name: &str, value: Value| {
        let mut query = query();
        query[name] = value;
        stage.hotels(&query).await
    };
    let all = stage.hotels(&query()).await;
    let one_each = with("maxRatesPerHotel", json!(1)).await;
    assert!(one_each.iter().all(|hotel| list(&hotel["roomTypes"]).len() == 1));
    let offers = |hotels: Vec<Value>| hotels.into_iter().flat_map(|hotel| list(&hotel["roomTypes"]).clone());
    assert!(offers(with("refundableRatesOnly", json!(true)).await).all(|offer| is_refundable(&offer)));
    let mut boards = offers(with("boardType", json!("BB,HB")).await);
    assert!(boards.all(|offer| ["BB", "HB"].contains(&text(&offer["rates"][0]["boardType"]))));
    let five = with("starRating", json!([5])).await;
    assert!(!five.is_empty() && five.len() < all.len());
    assert_eq!(with("limit", json!(5)).await.len(), 5);
    let free = offers(with("margin", json!(0)).await).next().unwrap();
    assert_eq!(number(&free["rates"][0]["commission"][0]["amount"]), Decimal::ZERO);
    let mapped = offers(with("roomMapping", json!(true)).await).next().unwrap();
    assert!(mapped["rates"][0]["mappedRoomId"].is_u64());
    let dollars = offers(with("currency", json!("USD")).await).next().unwrap();
    assert_eq!(dollars["offerRetailRate"]["currency"], "USD");
    assert!(price(&dollars) < price(&all[0]["roomTypes"][0]) / dec!(50));
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let stage = Stage::open().await;
    for (name, value) in [
        ("checkin", json!("2027-01-09")),
        ("checkin", json!("21/02/2027")),
        ("checkout", json!("2027-02-21")),
        ("checkout", Value::Null),
        ("currency", json!("XXX")),
        ("guestNationality", json!("India")),
        ("occupancies", json!([])),
        ("occupancies", json!([{ "adults": 0 }])),
        ("occupancies", json!([{ "adults": 2, "children": [18] }])),
        ("margin", json!(-1)),
    ] {
        let mut query = query();
        query[name] = value.clone();
        let error = stage.liteapi("/hotels/rates", &query).await.bad(400, 4002);
        assert_eq!(error["message"], "required request field is missing or wrong input", "{name} {value}");
    }
}

#[tokio::test]
async fn a_stream_tells_the_same_in_pieces() {
    let stage = Stage::open().await;
    let around = json!({ "latitude": 19.07283, "longitude": 72.88261, "radius": 60000, "limit": 400 });
    let mut query = query();
    extend(&mut query, &around);
    let whole = stage.liteapi("/hotels/rates", &query).await.good();
    query["stream"] = json!(true);
    let request = stage.liteapi_request(Method::POST, "/hotels/rates").json(&query);
    let streamed = sent(request).await.unwrap();
    assert_eq!(streamed.headers["content-type"], "text/event-stream");
    let mut events: Vec<&str> = streamed.text.split_terminator("\n\n").collect();
    assert_eq!(events.pop(), Some("data: [DONE]"));
    assert!(events.len() > 6, "{}", events.len());
    let (mut rates, mut hotels) = (Vec::new(), Vec::new());
    for event in events {
        let event: Value = serde_json::from_str(event.strip_prefix("data: ").unwrap()).unwrap();
        let list = |name: &str| event[name].as_array().cloned().unwrap_or_default();
        rates.extend(list("rates"));
        hotels.extend(list("hotels"));
    }
    assert_eq!(json!(rates), whole["data"]);
    assert_eq!(json!(hotels), whole["hotels"]);
}
