//! What there is, for whom, and at which prices.

use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

#[tokio::test]
async fn rates_say_what_all_of_their_rooms_cost_in_texts() {
    let stage = Stage::open().await;
    let occupancies = json!([{
        "rooms": 2, "adults": 2, "children": 1, "paxes": [{ "type": "CH", "age": 7 }],
    }]);
    let mut query = query_for(occupancies);
    query["dailyRate"] = json!(true);
    let one = {
        let mut one = query.clone();
        one["occupancies"][0]["rooms"] = json!(1);
        stage.available(&one).await
    };
    let of_one: Vec<Found> = one.iter().flat_map(found_in).collect();
    let hotels = stage.available(&query).await;
    let all: Vec<Found> = hotels.iter().flat_map(found_in).collect();
    assert!(all.len() > 100);
    for found in &all {
        let rate = &found.rate;
        has(rate, json!({ "rooms": 2, "adults": 2, "children": 1, "childrenAges": "7" }));
        let same = of_one.iter().find(|each| {
            let names = ["boardCode", "rateClass"];
            each.hotel["code"] == found.hotel["code"]
                && each.room["code"] == found.room["code"]
                && names.iter().all(|name| each.rate[name] == rate[name])
        });
        assert_eq!(net(rate), net(&same.unwrap().rate) * dec!(2));
        let days = list(&rate["dailyRates"]);
        assert_eq!(days.iter().map(|day| amount(&day["dailyNet"])).sum::<Decimal>(), net(rate));
        assert!(rate["allotment"].as_u64().unwrap() >= 2);
        let last = list(&rate["cancellationPolicies"]).last().unwrap();
        assert_eq!(amount(&last["amount"]), net(rate));
        assert!(text(&last["from"]).ends_with("+05:30"));
    }
    for hotel in &hotels {
        let nets: Vec<Decimal> = found_in(hotel).iter().map(|found| net(&found.rate)).collect();
        assert_eq!(Some(&amount(&hotel["minRate"])), nets.iter().min());
        assert_eq!(Some(&amount(&hotel["maxRate"])), nets.iter().max());
        assert_eq!(hotel["currency"], "INR");
    }
}

#[tokio::test]
async fn some_rates_are_special_and_others_are_not() {
    let stage = Stage::open().await;
    let mut query = query();
    query["destination"] = json!({ "code": "PAR" });
    let hotels = stage.available(&query).await;
    let all: Vec<Value> = hotels.iter().flat_map(found_in).map(|found| found.rate).collect();
    let both = |name: &str, is_so: &dyn Fn(&Value) -> bool| {
        let (with, without): (Vec<_>, Vec<_>) = all.iter().partition(|rate| is_so(rate));
        assert!(!with.is_empty() && !without.is_empty(), "{name}");
        with
    };
    both("NRF", &|rate| rate["rateClass"] == "NRF");
    both("RECHECK", &|rate| rate["rateType"] == "RECHECK");
    both("comments", &|rate| rate["rateCommentsId"].is_string());
    both("promotions", &|rate| rate["promotions"][0]["code"] == "073");
    for rate in both("mandatory", &|rate| rate["hotelMandatory"] == true) {
        assert_eq!(amount(&rate["sellingRate"]), (net(rate) * dec!(1.12)).round_dp(2));
    }
    for rate in both("offers", &|rate| rate["offers"].is_array()) {
        assert!(amount(&rate["offers"][0]["amount"]) < Decimal::ZERO);
    }
    for rate in both("due", &|rate| rate["taxes"]["allIncluded"] == false) {
        let due: Vec<_> =
            list(&rate["taxes"]["taxes"]).iter().filter(|tax| tax["included"] == false).collect();
        assert!(!due.is_empty());
        for tax in due {
            has(tax, json!({ "currency": "EUR", "clientCurrency": "INR" }));
            assert!(amount(&tax["clientAmount"]) > amount(&tax["amount"]) * dec!(80));
        }
    }
    assert!(all.iter().any(|rate| rate["taxes"].is_null() || rate["taxes"]["allIncluded"] == true));
}

#[tokio::test]
async fn hotels_are_found_by_code_around_a_point_and_in_a_destination() {
    let stage = Stage::open().await;
    let of = async |by: Value| {
        let mut query = query();
        query.as_object_mut().unwrap().remove("destination");
        extend(&mut query, &by);
        let hotels = stage.available(&query).await;
        each(&hotels, "code")
    };
    let in_city = of(json!({ "destination": { "code": "BOM", "zone": 1 } })).await;
    let three: Vec<_> = in_city.iter().take(3).rev().cloned().collect();
    let asked = json!([three[0], three[1], 5, three[1], three[2]]);
    assert_eq!(of(json!({ "hotels": { "hotel": asked } })).await, three);
    let point = |radius: u32, unit: &str| {
        json!({ "geolocation": {
            "latitude": 19.07283, "longitude": 72.88261, "radius": radius, "unit": unit,
        } })
    };
    let (near, far) = (of(point(5, "km")).await, of(point(5, "mi")).await);
    assert!(!near.is_empty() && near.len() < far.len());
    assert!(near.iter().all(|code| far.contains(code)));
    assert!(of(json!({ "destination": { "code": "BOM", "zone": 2 } })).await.is_empty());
    for wrong in [
        json!({}),
        json!({ "destination": { "code": "QQQ" } }),
        json!({ "destination": { "code": "BOM" }, "hotels": { "hotel": [1] } }),
        json!({ "hotels": { "hotel": [] } }),
        json!({ "hotels": { "hotel": (1..=2_001).collect::<Vec<u32>>() } }),
        point(201, "km"),
    ] {
        let mut query = query();
        query.as_object_mut().unwrap().remove("destination");
        extend(&mut query, &wrong);
        stage.hotelbeds("/hotels", &query).await.denied(400, "INVALID_DATA");
    }
}

#[tokio::test]
async fn every_party_finds_a_room_and_every_number_must_fit() {
    let stage = Stage::open().await;
    let parties = json!([
        { "rooms": 1, "adults": 1, "children": 0 },
        { "rooms": 1, "adults": 2, "children": 2,
          "paxes": [{ "type": "CH", "age": 9 }, { "type": "CH", "age": 4 }, { "type": "AD" }] },
    ]);
    for hotel in stage.available(&query_for(parties)).await {
        let rates = found_in(&hotel);
        for (adults, children) in [(1, 0), (2, 2)] {
            let fits = |rate: &Value| rate["adults"] == adults && rate["children"] == children;
            assert!(rates.iter().any(|found| fits(&found.rate)));
        }
        let with_children = rates.iter().find(|found| found.rate["children"] == 2);
        assert_eq!(with_children.unwrap().rate["childrenAges"], "4,9");
    }
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut query = query();
        change(&mut query);
        query
    };
    for wrong in [
        changed(&|query| query["occupancies"] = json!([])),
        changed(&|query| query["occupancies"][0]["rooms"] = json!(0)),
        changed(&|query| query["occupancies"][0]["adults"] = json!(0)),
        changed(&|query| query["occupancies"][0]["children"] = json!(1)),
        changed(&|query| query["stay"]["checkOut"] = json!(CHECK_IN)),
        changed(&|query| query["stay"]["checkOut"] = json!("2027-03-25")),
        changed(&|query| query["stay"]["checkIn"] = json!("2027-01-08")),
    ] {
        stage.hotelbeds("/hotels", &wrong).await.denied(400, "INVALID_DATA");
    }
}

#[tokio::test]
async fn filters_leave_out_what_is_not_wanted() {
    let stage = Stage::open().await;
    let filtered = async |more: Value| {
        let mut query = query();
        extend(&mut query, &more);
        stage.available(&query).await
    };
    let all = filtered(json!({})).await;
    let middle = amount(&all[0]["minRate"]);
    let bounded = filtered(json!({ "filter": { "minRate": middle.to_string().parse::<serde_json::Number>().unwrap(), "maxRate": 100_000 } })).await;
    for found in bounded.iter().flat_map(found_in) {
        assert!((middle..=dec!(100000)).contains(&net(&found.rate)));
    }
    let limited = json!({ "filter": { "maxHotels": 2, "maxRooms": 1, "maxRatesPerRoom": 3 } });
    let limited = filtered(limited).await;
    assert_eq!(limited.len(), 2);
    for hotel in &limited {
        let rooms = list(&hotel["rooms"]);
        assert!(rooms.len() == 1 && list(&rooms[0]["rates"]).len() <= 3);
    }
    for hotel in filtered(json!({ "filter": { "minCategory": 4, "maxCategory": 4 } })).await {
        assert!(text(&hotel["categoryCode"]).starts_with('4'));
    }
    for (included, is_breakfast) in [(true, true), (false, false)] {
        let boards = json!({ "boards": { "board": ["BB"], "included": included } });
        for found in filtered(boards).await.iter().flat_map(found_in) {
            assert_eq!(found.rate["boardCode"] == "BB", is_breakfast);
        }
    }
    assert!(filtered(json!({ "filter": { "paymentType": "AT_HOTEL" } })).await.is_empty());
    let same =
        filtered(json!({ "filter": { "paymentType": "AT_WEB" }, "sourceMarket": "IN", "language": "ENG" }));
    assert_eq!(same.await.len(), all.len());
}
