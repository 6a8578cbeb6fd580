//! What is published of hotels and places, whoever stays when.

use std::collections::HashSet;

use reqwest::Method;
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

async fn page(stage: &Stage, path: &str, name: &str) -> (Vec<Value>, u64) {
    let body = stage.hotelbeds_get(&format!("{CONTENT}{path}")).await.fine();
    (list(&body[name]).clone(), body["total"].as_u64().unwrap())
}

/// So long after a search nobody takes a call for a part of it.
async fn not_beside_a_search() {
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
}

#[tokio::test]
async fn every_code_of_a_search_is_told_in_words() {
    let stage = Stage::open().await;
    let hotels = stage.available(&query()).await;
    // What is asked for at once belongs to the search, and is refused; a busy machine may be late.
    let path = format!("{CONTENT}/hotels?codes={}&fields=all&language=ENG&from=1&to=100", hotels[0]["code"]);
    for path in [path.as_str(), "/hotel-content-api/1.0/types/boards?from=1&to=1000"] {
        let mut statuses = Vec::new();
        while statuses.len() < 20 && statuses.last() != Some(&403) {
            stage.available(&query()).await;
            statuses.push(stage.hotelbeds_get(path).await.status);
        }
        assert_eq!(statuses.last(), Some(&403), "{path}: {statuses:?}");
    }
    let counts = stage.control(Method::GET, "/content_calls", None).await;
    assert_eq!(counts.body["refused"], 2);
    not_beside_a_search().await;
    let codes = async |kind: &str, name: &str| {
        let (all, total) = page(&stage, &format!("/types/{kind}?from=1&to=1000"), name).await;
        assert_eq!(all.len() as u64, total);
        each(&all, "code")
    };
    let categories = codes("categories", "categories").await;
    let boards = codes("boards", "boards").await;
    let rooms = codes("rooms", "rooms").await;
    let accommodations = codes("accommodations", "accommodations").await;
    let facilities = codes("facilities", "facilities").await;
    let promotions = codes("promotions", "promotions").await;
    let images = codes("imagetypes", "imageTypes").await;
    let groups = codes("groupcategories", "groupCategories").await;
    codes("facilitygroups", "facilityGroups").await;
    for hotel in &hotels {
        let path = format!("/hotels?codes={}&fields=all&language=ENG&from=1&to=100", hotel["code"]);
        let (content, total) = page(&stage, &path, "hotels").await;
        let content = &content[0];
        assert_eq!((total, &content["name"]["content"]), (1, &hotel["name"]));
        for same in ["code", "categoryCode", "destinationCode"] {
            assert_eq!(content[same], hotel[same], "{same}");
        }
        assert!(categories.contains(&content["categoryCode"]));
        assert!(groups.contains(&content["categoryGroupCode"]));
        assert!(accommodations.contains(&content["accommodationTypeCode"]));
        for (names, known) in [("facilities", &facilities), ("roomFacilities", &facilities)] {
            let of_rooms = list(&content["rooms"]).iter().flat_map(|room| list(&room["roomFacilities"]));
            let all: Vec<&Value> = match names {
                "facilities" => list(&content["facilities"]).iter().collect(),
                _ => of_rooms.collect(),
            };
            assert!(all.iter().all(|each| known.contains(&each["facilityCode"])));
        }
        assert!(list(&content["images"]).iter().all(|image| images.contains(&image["imageTypeCode"])));
        let own_rooms = each(list(&content["rooms"]), "roomCode");
        for found in found_in(hotel) {
            assert!(own_rooms.contains(&found.room["code"]) && rooms.contains(&found.room["code"]));
            assert!(list(&content["boardCodes"]).contains(&found.rate["boardCode"]));
            assert!(boards.contains(&found.rate["boardCode"]));
            let promotion = &found.rate["promotions"][0]["code"];
            assert!(promotion.is_null() || promotions.contains(promotion));
        }
    }
}

#[tokio::test]
async fn hotels_are_listed_page_by_page() {
    let stage = Stage::open().await;
    let codes = async |query: &str| {
        let (hotels, total) = page(&stage, &format!("/hotels?{query}"), "hotels").await;
        let codes: Vec<_> = hotels.iter().map(|hotel| hotel["code"].as_u64().unwrap()).collect();
        (codes, total)
    };
    let (all, total) = codes("destinationCode=LON").await;
    assert_eq!(all.len() as u64, total);
    assert_eq!(codes("destinationCode=LON&from=3&to=5").await, (all[2..5].to_vec(), total));
    let (everywhere, world) = codes("from=1&to=200").await;
    assert!(everywhere.len() == 200 && world > 100_000);
    let (across, _) = codes("from=31&to=130").await;
    assert_eq!(across, everywhere[30..130]);
    let (last, _) = codes(&format!("from={world}&to={}", world + 5)).await;
    assert_eq!(last.len(), 1);
    let distinct: HashSet<&u64> = everywhere.iter().collect();
    assert_eq!(distinct.len(), 200);
    let (british, _) = codes("countryCode=UK&from=1&to=20").await;
    assert_eq!(british, all[..20]);
    assert_eq!(codes("countryCode=GB").await.1, 0);
    let path = format!("/hotels?codes={},{}&fields=name,facilities", all[0], all[1]);
    let (bare, _) = page(&stage, &path, "hotels").await;
    let names: Vec<&String> = bare[0].as_object().unwrap().keys().collect();
    assert_eq!(names, ["code", "facilities", "name"]);
    for wrong in ["from=0", "from=5&to=4", "from=1&to=1001"] {
        let refused = stage.hotelbeds_get(&format!("{CONTENT}/hotels?{wrong}")).await;
        refused.denied(400, "INVALID_DATA");
    }
    let refused = stage.hotelbeds_get(&format!("{CONTENT}/hotels?codes=savoy")).await;
    refused.denied(400, "INVALID_REQUEST");
}

#[tokio::test]
async fn details_say_in_words_what_lists_say_in_codes() {
    let stage = Stage::open().await;
    let (all, _) = page(&stage, "/hotels?destinationCode=LON&from=1&to=2", "hotels").await;
    let details = async |codes: String| {
        let path = format!("{CONTENT}/hotels/{codes}/details?language=ENG");
        stage.hotelbeds_get(&path).await.fine()
    };
    let one = details(all[0]["code"].to_string()).await["hotel"].take();
    let british = json!({ "code": "UK", "isoCode": "GB", "description": { "content": "United Kingdom" } });
    assert_eq!(one["country"], british);
    assert_eq!(one["destination"]["code"], "LON");
    assert_eq!(one["category"]["code"], all[0]["categoryCode"]);
    assert_eq!(one["description"], all[0]["description"]);
    let two = details(format!("{},{},1", all[0]["code"], all[1]["code"])).await;
    assert_eq!(list(&two["hotels"]).len(), 2);
    assert_eq!(two["hotels"][0], one);
}

#[tokio::test]
async fn countries_and_destinations_go_by_hotelbeds_codes() {
    let stage = Stage::open().await;
    let (countries, total) = page(&stage, "/locations/countries?from=1&to=1000", "countries").await;
    assert!(countries.len() as u64 == total && total > 150);
    let british = countries.iter().find(|country| country["code"] == "UK").unwrap();
    assert_eq!(british["isoCode"], "GB");
    assert!(!countries.iter().any(|country| country["code"] == "GB"));
    let path = "/locations/destinations?countryCodes=UK&fields=all&language=ENG&from=1&to=1000";
    let (destinations, _) = page(&stage, path, "destinations").await;
    let london = &destinations[0];
    has(london, json!({ "code": "LON", "countryCode": "UK", "isoCode": "GB" }));
    assert_eq!(london["name"]["content"], "London");
    assert!(destinations.iter().all(|each| each["countryCode"] == "UK"));
    let village = destinations.iter().find(|each| text(&each["code"]).starts_with('0'));
    let mut query = query();
    query["destination"] = json!({ "code": village.unwrap()["code"] });
    assert!(!stage.available(&query).await.is_empty());
    not_beside_a_search().await;
    let (one, total) = page(&stage, "/locations/destinations?codes=PAR,BOM", "destinations").await;
    assert_eq!((one.len(), total), (2, 2));
}

#[tokio::test]
async fn what_a_rate_must_be_read_with_is_under_its_id() {
    let stage = Stage::open().await;
    let (comments, total) = page(&stage, "/types/ratecomments?from=1&to=60", "rateComments").await;
    assert!(total > 100_000);
    let mut search = query();
    search.as_object_mut().unwrap().remove("destination");
    search["hotels"] = json!({ "hotel": comments.iter().map(|each| &each["hotel"]).collect::<Vec<_>>() });
    let found = stage.rate(&search, |rate| rate["rateCommentsId"].is_string()).await;
    let id = text(&found.rate["rateCommentsId"]);
    let is_it = |each: &&Value| {
        let rate_code = &each["commentsByRates"][0]["rateCodes"][0];
        format!("{}|{}|{rate_code}", each["incoming"], text(&each["code"])) == id
    };
    let content = comments.iter().find(is_it).unwrap();
    assert_eq!(content["hotel"], found.hotel["code"]);
    let text = text(&content["commentsByRates"][0]["comments"][0]["description"]);
    let checked = stage.check(&[&found.rate]).await.fine();
    let comments = &checked["hotel"]["rooms"][0]["rates"][0]["rateComments"];
    assert!(comments.as_str().unwrap().ends_with(text));
}
