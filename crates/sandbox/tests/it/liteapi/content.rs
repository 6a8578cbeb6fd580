//! What is published of hotels and cities.

use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

#[tokio::test]
async fn cities_and_hotels_are_listed_in_pages() {
    let stage = Stage::open().await;
    let cities = stage.liteapi_get("/data/cities?countryCode=AE").await.good();
    assert!(list(&cities["data"]).contains(&json!({ "city": "Dubai" })));
    stage.liteapi_get("/data/cities").await.bad(400, 4000);
    stage.liteapi_get("/data/hotels").await.bad(400, 4000);
    let all = stage.liteapi_get("/data/hotels?countryCode=IN&cityName=Mumbai").await.good();
    let page = "/data/hotels?countryCode=IN&cityName=Mumbai&offset=10&limit=5";
    let page = stage.liteapi_get(page).await.good();
    assert_eq!(page["total"], all["total"]);
    assert_eq!(page["data"], json!(list(&all["data"])[10..15]));
    let ids = each(list(&page["data"]), "id");
    assert_eq!(page["hotelIds"], json!(ids));
}

#[tokio::test]
async fn a_hotel_and_its_rooms_are_those_that_are_sold() {
    let stage = Stage::open().await;
    let mut mapping = query();
    mapping["roomMapping"] = json!(true);
    let answer = stage.liteapi("/hotels/rates", &mapping).await.good();
    for (sold, summary) in list(&answer["data"]).iter().zip(list(&answer["hotels"])) {
        let path = format!("/data/hotel?hotelId={}", text(&sold["hotelId"]));
        let details = stage.liteapi_get(&path).await.good()["data"].take();
        has(&details, json!({ "id": summary["id"], "name": summary["name"] }));
        let rooms = list(&details["rooms"]);
        for offer in list(&sold["roomTypes"]) {
            let rate = &offer["rates"][0];
            let room = rooms.iter().find(|room| room["id"] == rate["mappedRoomId"]).unwrap();
            assert_eq!(room["roomName"], rate["name"]);
        }
    }
    for id in ["", "?hotelId=", "?hotelId=lp1", "?hotelId=1897"] {
        stage.liteapi_get(&format!("/data/hotel{id}")).await.bad(400, 4002);
    }
}

#[tokio::test]
async fn the_numbers_of_a_list_have_their_words() {
    let stage = Stage::open().await;
    let types = stage.liteapi_get("/data/hotelTypes").await.good();
    let facilities = stage.liteapi_get("/data/facilities").await.good();
    let named = |words: &Value, id: &str, name: &str, number: &Value| {
        let mut words = list(&words["data"]).iter();
        words.find(|word| word[id] == *number).map(|word| word[name].clone())
    };
    let hotels = "/data/hotels?countryCode=IN&cityName=Mumbai";
    for listed in stage.liteapi_get(hotels).await.good()["data"].as_array().unwrap() {
        let path = format!("/data/hotel?hotelId={}", text(&listed["id"]));
        let details = stage.liteapi_get(&path).await.good()["data"].take();
        let kind = named(&types, "id", "name", &listed["hotelTypeId"]);
        assert_eq!(kind.as_ref(), Some(&details["hotelType"]));
        let numbers = list(&listed["facilityIds"]).iter();
        let names = numbers.map(|number| named(&facilities, "facility_id", "facility", number).unwrap());
        assert_eq!(json!(names.collect::<Vec<_>>()), details["hotelFacilities"]);
    }
}
