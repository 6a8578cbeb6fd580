//! Every recorded answer of Hotelbeds that the adapter reads: each total to the cent, and what is in it.

use std::collections::BTreeMap;

use crate::brief;
use crate::hotelbeds_bodies::{config, done, ok};
use crate::recordings_by_shape::{self, exact};
use serde_json::{Value, json};
use wayfare_domain::{Clock, Money, parse_currency};
use wayfare_hotels::hotelbeds::{Hotelbeds, read};
use wayfare_hotels::{
    HotelDetails, HotelSupplier, MealPlan, Query, RoomRate, SearchArea, StayContact, StayRequest,
};
use wayfare_stub_server::recordings;
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::SupplierHttp;

const SEARCH: &str = "200-list-available-hotels.json";
const CHECK: &str = "200-list-checkrates.json";
const BOOKING: &str = "200-confirm-booking.json";
const CONTENT: &str = "200-list-hotels.json";
const DESCRIBED: &str = "200-get-hotel-details.json";
const ACCOMMODATIONS: &str = "200-list-types-accommodations.json";
const FACILITIES: &str = "200-list-types-facilities.json";
const IMAGE_TYPES: &str = "200-list-types-image-types.json";

/// Of what the adapter never asks for a list.
const NOT_READ: &str = "locations-destinations locations-countries types-board-groups types-boards types-categories \
    types-chains types-classifications types-currencies types-facility-typologies types-facllity-groups \
    types-group-categories types-issues types-languages types-promotions types-ratecomments types-rooms \
    types-segments types-terminals";

fn now() -> chrono::DateTime<chrono::Utc> {
    "2024-02-23T20:30:00Z".parse().unwrap()
}

fn query() -> Query {
    let area = SearchArea::Hotels(vec!["6619".to_owned()]);
    Query { area, ..recordings_by_shape::query("2024-04-02", "2024-04-03", 1) }
}

fn money(amount: &str, currency: &str) -> Money {
    Money::exact(amount.parse().unwrap(), parse_currency(currency).unwrap()).unwrap()
}

fn searched() -> Option<Vec<RoomRate>> {
    let found = read::search(&recordings::bytes("hotelbeds", SEARCH)?, &query(), now()).unwrap();
    assert_eq!(found.unusable, Vec::<String>::new());
    let [hotel] = found.hotels.try_into().unwrap();
    assert_eq!(hotel.id, "6619");
    assert_eq!(hotel.stars, Some(4.into()));
    assert_eq!(hotel.latitude.unwrap().to_string(), "51.499817");
    Some(hotel.rates)
}

#[test]
fn every_known_recording_has_its_place_here() {
    let read = [SEARCH, CHECK, BOOKING, CONTENT, DESCRIBED, ACCOMMODATIONS, FACILITIES, IMAGE_TYPES];
    let not_read = NOT_READ.split_whitespace().map(|list| format!("200-list-{list}.json"));
    let mut known: Vec<String> = read.into_iter().map(str::to_owned).chain(not_read).collect();
    known.sort_unstable();
    assert_eq!(recordings::known("hotelbeds").collect::<Vec<_>>(), known);
}

#[test]
fn every_recorded_rate_is_read_with_its_total_to_the_cent() {
    let Some(rates) = searched() else { return };
    let body = recordings::json("hotelbeds", SEARCH).unwrap();
    let rooms = body["hotels"]["hotels"][0]["rooms"].as_array().unwrap().iter();
    let theirs = rooms.flat_map(|room| room["rates"].as_array().unwrap());
    let theirs = theirs.map(|rate| (rate["rateKey"].as_str().unwrap(), exact(&rate["net"]).unwrap()));
    let ours = rates.iter().map(|rate| (rate.token.as_str(), rate.parts.total().unwrap().amount()));
    assert_eq!(ours.collect::<BTreeMap<_, _>>(), theirs.collect());
    let lines: Vec<String> = rates.iter().map(brief::rate).collect();
    insta::assert_snapshot!("hotelbeds_rates", lines.join("\n"));
}

#[test]
fn the_recorded_check_gives_the_rate_a_fresh_key_and_the_hotels_words() {
    let (Some(rates), Some(body)) = (searched(), recordings::bytes("hotelbeds", CHECK)) else { return };
    let before =
        rates.iter().find(|rate| rate.room_id == "TWN.ST" && rate.meal_plan == MealPlan::Breakfast).unwrap();
    let read::Checked::Stands(rate) = read::check(&body, &query(), "6619", before, now()).unwrap() else {
        panic!("the rate stands")
    };
    assert_ne!(rate.token, before.token);
    insta::assert_snapshot!("hotelbeds_checked", brief::rate(&rate));
    assert_eq!(rate.policy, before.policy);
}

#[test]
fn the_recorded_booking_is_a_stay_with_the_texts_of_its_voucher() {
    let Some(body) = recordings::bytes("hotelbeds", BOOKING) else { return };
    let request = StayRequest {
        remarks: None,
        reference: "INTEGRATIONAGENCY".to_owned().into(),
        hotel_id: "712986".to_owned(),
        check_in: "2024-04-06".parse().unwrap(),
        check_out: "2024-04-08".parse().unwrap(),
        supplier_context: Value::Null,
        priced: None,
        total: money("899.23", "GBP"),
        rooms: Vec::new(),
        contact: StayContact::default(),
    };
    let stay = read::stay(&body, &request, money("0", "GBP"), now()).unwrap();
    insta::assert_snapshot!("hotelbeds_stay", brief::stay(&stay));
    assert_eq!(stay.raw.tree().get("creationUser"), None);
    assert!(stay.raw.tree()["hotel"]["name"].is_string());
    // Whoever asks for dollars beside it is not told a sum of both, but what it was sold for.
    let beside_dollars = read::stay(&body, &request, money("0", "USD"), now()).unwrap();
    assert_eq!(beside_dollars.total, request.total);
}

fn recorded(name: &str) -> Reply {
    reply(200, String::from_utf8(recordings::bytes("hotelbeds", name).unwrap()).unwrap())
}

/// Their lists as long as the described hotels need them: what is recorded of the lists themselves is two lines each.
fn words_of_the_described() -> (Value, Value) {
    let described = recordings::json("hotelbeds", DESCRIBED).unwrap();
    let (mut facilities, mut images) = (BTreeMap::new(), BTreeMap::new());
    for hotel in described["hotels"].as_array().unwrap() {
        let of_rooms = hotel["rooms"].as_array().unwrap().iter();
        let in_rooms = of_rooms.flat_map(|room| {
            let stays = room["roomStays"].as_array().into_iter().flatten();
            let beds = stays.flat_map(|stay| stay["roomStayFacilities"].as_array().into_iter().flatten());
            room["roomFacilities"].as_array().into_iter().flatten().chain(beds)
        });
        for facility in hotel["facilities"].as_array().unwrap().iter().chain(in_rooms) {
            let (code, group) = (&facility["facilityCode"], &facility["facilityGroupCode"]);
            let named =
                json!({"code": code, "facilityGroupCode": group, "description": facility["description"]});
            facilities.insert((code.to_string(), group.to_string()), named);
        }
        for image in hotel["images"].as_array().unwrap() {
            images.insert(image["type"]["code"].to_string(), image["type"].clone());
        }
    }
    let list = |map: Vec<Value>| Value::Array(map);
    (
        json!({"facilities": list(facilities.into_values().collect())}),
        json!({"imageTypes": list(images.into_values().collect())}),
    )
}

#[tokio::test]
async fn the_recorded_search_is_completed_by_the_recorded_content() {
    if !recordings::are_here("hotelbeds") {
        return;
    }
    let (facilities, images) = words_of_the_described();
    let stub = StubServer::with_side(
        [recorded(SEARCH)],
        [
            ("GET /hotel-content-api/1.0/hotels?", recorded(CONTENT)),
            (
                "GET /hotel-content-api/1.0/types/accommodations",
                ok(&json!({"accommodations": [{"code": "H", "typeDescription": "Hotel"}]})),
            ),
            ("GET /hotel-content-api/1.0/types/facilities", ok(&facilities)),
            ("GET /hotel-content-api/1.0/types/imagetypes", ok(&images)),
        ],
    )
    .await;
    let http = SupplierHttp::new(config(&stub.base_url), Clock::frozen_at(now())).unwrap();
    let hotelbeds = Hotelbeds::new(http).unwrap();
    let found = done(hotelbeds.search(&query()).await);
    let [mut hotel] = found.hotels.try_into().unwrap();
    let told = done(hotelbeds.content(&["6613", "6619"], "ENG").await);
    told.iter().find(|told| told.details.id == hotel.id).unwrap().complete(&mut hotel);
    let has = |name: &str| hotel.amenities.iter().any(|amenity| amenity == name);
    let elsewhere = ["Car park", "Check-in hour", "American Express", "Hairdryer", "Double rooms"];
    assert!(!elsewhere.into_iter().any(has));
    insta::assert_snapshot!("hotelbeds_hotel", brief::hotel(&hotel));
    let twin = hotel.rates.iter().find(|rate| rate.room_id == "TWN.ST").unwrap();
    insta::assert_snapshot!("hotelbeds_twin", brief::rate(twin));

    let mut details: Vec<HotelDetails> = told.into_iter().map(|told| told.details).collect();
    details.sort_by_key(|details| details.id.clone());
    let [savoy, millennium] = details.try_into().unwrap();
    assert_eq!((savoy.id.as_str(), savoy.name.as_str()), ("6613", "The Savoy"));
    assert!(savoy.description.unwrap().starts_with("The Savoy is the only luxury hotel"));
    assert_eq!(savoy.phone.as_deref(), Some("+442078364343"));
    assert_eq!(savoy.email.as_deref(), Some("savoy.reservations@fairmont.com"));
    assert_eq!(savoy.stars, Some(5.into()));
    let has = |name: &str| millennium.room_amenities.iter().any(|amenity| amenity == name);
    assert!(["Bathroom", "Hairdryer", "Minibar", "Safe"].into_iter().all(has));
    let elsewhere = ["Smoking rooms", "Room size (sqm)", "Living room", "Number of bedrooms"];
    assert!(!elsewhere.into_iter().any(has));
}

#[tokio::test]
async fn the_recorded_lists_are_read() {
    if !recordings::are_here("hotelbeds") {
        return;
    }
    let mut search = recordings::json("hotelbeds", SEARCH).unwrap();
    search["hotels"]["hotels"][0]["code"] = json!(6613);
    let mut content = recordings::json("hotelbeds", CONTENT).unwrap();
    content["hotels"][0]["accommodationTypeCode"] = json!("Q");
    let image = &mut content["hotels"][0]["images"][0];
    (image["imageTypeCode"], image["visualOrder"]) = (json!("BAR"), json!(0));
    let stub = StubServer::with_side(
        [ok(&search)],
        [
            ("GET /hotel-content-api/1.0/hotels?", ok(&content)),
            ("GET /hotel-content-api/1.0/types/accommodations", recorded(ACCOMMODATIONS)),
            ("GET /hotel-content-api/1.0/types/facilities", recorded(FACILITIES)),
            ("GET /hotel-content-api/1.0/types/imagetypes", recorded(IMAGE_TYPES)),
        ],
    )
    .await;
    let http = SupplierHttp::new(config(&stub.base_url), Clock::frozen_at(now())).unwrap();
    let hotelbeds = Hotelbeds::new(http).unwrap();
    let mut found = done(hotelbeds.search(&query()).await);
    let told = done(hotelbeds.content(&["6613"], "ENG").await);
    told[0].complete(&mut found.hotels[0]);
    assert_eq!(found.hotels[0].property_type.as_deref(), Some("boutique"));
    assert!(found.hotels[0].images.iter().any(|image| image.kind.as_deref() == Some("Bar")));
}
