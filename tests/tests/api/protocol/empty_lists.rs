//! Said and empty is not unsaid: every list of every body, sent empty and sent as null. A new one fails the test until it has
//! its line here (D-610).

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};
use wayfare_domain::OperatorRole::Admin;
use wayfare_tests::{
    Reply, Seller, World, WorldOptions,
    contract::{document, operator_document},
    one_way, round_trip,
};

use super::openapi::{operations, resolve};

/// What each list is for.
///
/// * `chooses`: what is bought, changed, given back or deleted. Empty it is refused by its name.
/// * `one_of`: one of several lists, of which the others may be empty.
/// * `narrows`: a filter. Empty it filters nothing.
/// * `content`: what stands in it is all there is, which may be nothing.
const TABLE: &str = "
POST /api/v1/flights/search                            slices                      chooses
POST /api/v1/flights/search/stream                     slices                      chooses
POST /api/v1/flights/fare-rules                        booking_keys                one_of
POST /api/v1/flights/fare-rules                        fare_keys                   one_of
POST /api/v1/flights/fare-rules                        offer_ids                   one_of
POST /api/v1/flights/price                             flight_selection.offer_ids  one_of
POST /api/v1/flights/price                             offer_ids                   one_of
POST /api/v1/flights/book                              booking_keys                one_of
POST /api/v1/flights/book                              offer_ids                   one_of
POST /api/v1/flights/book                              passengers                  chooses
POST /api/v1/flights/book                              passengers.ancillaries      content
POST /api/v1/flights/book                              passengers.loyalty          content
POST /api/v1/flights/bookings/{ref}/penalty            journeys                    chooses
POST /api/v1/flights/bookings/{ref}/penalty            passengers                  chooses
POST /api/v1/flights/bookings/{ref}/penalty            segments                    chooses
POST /api/v1/flights/bookings/{ref}/cancel             journeys                    chooses
POST /api/v1/flights/bookings/{ref}/cancel             passengers                  chooses
POST /api/v1/flights/bookings/{ref}/cancel             segments                    chooses
POST /api/v1/flights/bookings/{ref}/ssr                ssr                         chooses
POST /api/v1/flights/bookings/{ref}/reschedule-penalty fare_keys                   one_of
POST /api/v1/flights/bookings/{ref}/reschedule-penalty journeys                    chooses
POST /api/v1/flights/bookings/{ref}/reschedule         fare_keys                   chooses
POST /api/v1/flights/bookings/{ref}/reschedule         journeys                    chooses
POST /api/v1/flights/bookings/{ref}/reschedule         passengers                  content
POST /api/v1/flights/bookings/{ref}/reschedule         passengers.loyalty          content
POST /api/v1/hotels/search                             filters.amenities           narrows
POST /api/v1/hotels/search                             filters.meal_plan           narrows
POST /api/v1/hotels/search                             filters.property_type       narrows
POST /api/v1/hotels/search                             filters.star_rating         narrows
POST /api/v1/hotels/search                             location.hotel_ids          chooses
POST /api/v1/hotels/search                             rooms                       chooses
POST /api/v1/hotels/search                             rooms.children_ages         one_of
POST /api/v1/hotels/details                            hotel_ids                   chooses
POST /api/v1/hotels/price                              room_selections             chooses
POST /api/v1/hotels/book                               rooms                       chooses
POST /api/v1/hotels/book                               rooms.guests                chooses
POST /api/v1/org/hotel-packages                        price_ranges                content
PUT  /api/v1/org/hotel-packages/{id}                   price_ranges                content
POST /api/v1/org/hotel-packages/preview                price_ranges                content
POST /api/v1/org/webhooks                              event_types                 narrows
PUT  /api/v1/org/webhooks/{id}                         event_types                 narrows
PUT  /operator/v1/agencies/{code}                      suppliers                   content
PUT  /operator/v1/agencies/{code}                      whitelist_add               content
PUT  /operator/v1/agencies/{code}                      whitelist_remove            content
";

type List = (String, String, String);

/// The lists of the table with what they are for.
fn table() -> BTreeMap<List, String> {
    let lines = TABLE.lines().filter(|line| line.contains('/'));
    let row = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [method, path, field, purpose] = words.as_slice() else {
            panic!("{line}");
        };
        let list = ((*method).to_owned(), (*path).to_owned(), (*field).to_owned());
        (list, (*purpose).to_owned())
    };
    lines.map(row).collect()
}

fn documents() -> [Value; 2] {
    [document(), operator_document()]
}

/// The lists of a schema, by their fields with dots between, with the fewest items that each may have.
fn lists(document: &Value, schema: &Value, path: &str, found: &mut BTreeMap<String, u64>) {
    let schema = resolve(document, schema);
    let is_list = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "array"),
        kind => kind == "array",
    };
    if is_list {
        let fewest = schema["minItems"].as_u64().unwrap_or_default();
        found.insert(path.trim_start_matches('.').to_owned(), fewest);
        lists(document, &schema["items"], path, found);
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        lists(document, field, &format!("{path}.{name}"), found);
    }
    for several in ["allOf", "anyOf", "oneOf"] {
        for one in schema[several].as_array().into_iter().flatten() {
            lists(document, one, path, found);
        }
    }
}

#[test]
fn the_table_has_every_list_and_the_document_says_which_must_have_an_item() {
    let mut described = BTreeMap::new();
    for document in documents() {
        for (path, method, operation) in operations(&document) {
            let body = &operation["requestBody"]["content"]["application/json"]["schema"];
            let mut found = BTreeMap::new();
            lists(&document, body, "", &mut found);
            for (field, fewest) in found {
                let list = (method.to_uppercase(), path.to_owned(), field);
                let purpose = if fewest > 0 { "chooses" } else { "may be empty" };
                described.insert(list, purpose.to_owned());
            }
        }
    }
    let expected = table().into_iter().map(|(list, purpose)| {
        let purpose = if purpose == "chooses" { "chooses" } else { "may be empty" };
        (list, purpose.to_owned())
    });
    assert_eq!(described, expected.collect());
}

/// Puts something in the place of the list, everywhere in the body; how each of these places is called in a refusal.
fn put(body: &mut Value, field: &[&str], place: &str, value: &Value) -> Vec<String> {
    match body {
        Value::Array(items) => {
            let items = items.iter_mut().enumerate();
            items.flat_map(|(index, item)| put(item, field, &format!("{place}[{index}]"), value)).collect()
        }
        Value::Object(fields) => {
            let [first, rest @ ..] = field else { return Vec::new() };
            let Some(inner) = fields.get_mut(*first) else { return Vec::new() };
            let place = format!("{place}.{first}");
            if rest.is_empty() {
                *inner = value.clone();
                return vec![place.trim_start_matches('.').to_owned()];
            }
            put(inner, rest, &place, value)
        }
        _ => Vec::new(),
    }
}

/// What the answer says of the field, if it is refused for it.
fn refused_for(reply: &Reply, field: &str) -> bool {
    reply.status == 422 && reply.text.contains(&format!("{{{field} "))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_list_is_refused_only_where_it_chooses_and_null_is_as_left_out() {
    let (mut world, agency, admin, _) = World::start().await.and_people("0", "0").await;
    let operator = world.operator_api().operator("olga", Admin).await;
    let (table, mut wrongs) = (table(), Vec::new());
    let mut untried: Vec<&List> = table.keys().collect();
    for document in documents() {
        for (path, method, operation) in operations(&document) {
            let examples = &operation["requestBody"]["content"]["application/json"]["examples"];
            for example in examples.as_object().into_iter().flat_map(|named| named.values()) {
                for (list, purpose) in &table {
                    if (list.0.as_str(), list.1.as_str()) != (&*method.to_uppercase(), path) {
                        continue;
                    }
                    let field: Vec<&str> = list.2.split('.').collect();
                    for value in [json!([]), Value::Null] {
                        let mut body = example["value"].clone();
                        let places = put(&mut body, &field, "", &value);
                        let Some(place) = places.first() else { continue };
                        untried.retain(|other| *other != list);
                        let method: Method = method.to_uppercase().parse().unwrap();
                        let asked = path
                            .replace("{ref}", "FA-00000000")
                            .replace("{code}", agency.code.as_ref())
                            .replace("{id}", "01900000-0000-7000-8000-000000000000");
                        let reply = match asked.strip_prefix("/operator/v1") {
                            Some(asked) => operator.send(operator.request(method, asked).json(&body)).await,
                            None => {
                                let asked = asked.trim_start_matches("/api/v1");
                                admin.send(admin.request(method, asked).json(&body)).await
                            }
                        };
                        let is_refused = refused_for(&reply, place);
                        let is_right = match (purpose.as_str(), value.is_null()) {
                            ("chooses", false) => is_refused,
                            // Whether it has to be there the document says. One of several may be the only one of the example.
                            ("chooses" | "one_of", _) => true,
                            _ => !is_refused,
                        };
                        if !is_right || reply.status >= 500 {
                            wrongs.push(format!(
                                "{list:?} {purpose} as {value}: {} {}",
                                reply.status, reply.text
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(untried.is_empty(), "no example has {untried:?}");
    assert!(wrongs.is_empty(), "\n{}\n", wrongs.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_chosen_cancels_and_changes_nothing() {
    // TripJack cancels journeys of an order.
    let world = World::with(WorldOptions::of([Seller::tripjack()])).await;
    let (world, _, _, agent) = world.and_people("0", "1000000").await;
    let reference = agent.buy(round_trip("DEL", "DXB").party(2, 0, 0)).await.reference;
    let before = agent.balance().await;
    let path = format!("/flights/bookings/{reference}");
    for field in ["journeys", "segments", "passengers"] {
        let refusal = format!("{{{field} must have at least 1 item}}");
        for what in ["penalty", "cancel"] {
            agent.post(&format!("{path}/{what}"), &json!({ field: [] })).await.is_invalid(&refusal);
        }
        // Beside what is chosen it is no less empty.
        let other = if field == "passengers" {
            json!({ "journeys": [1], field: [] })
        } else {
            json!({ "passengers": ["1"], field: [] })
        };
        agent.post(&format!("{path}/cancel"), &other).await.is_invalid(&refusal);
    }
    let body = json!({ "fare_keys": ["fk_1"], "journeys": [] });
    let refusal = "{journeys must have at least 1 item}";
    for what in ["reschedule", "reschedule-penalty"] {
        agent.post(&format!("{path}/{what}"), &body).await.is_invalid(refusal);
    }
    assert_eq!(agent.booking(&reference).await["status"], "confirmed");
    assert_eq!(agent.balance().await, before);
    // Null is as left out: a part is a part, and all of it is all of it.
    let part = json!({ "journeys": [1], "segments": null, "passengers": null });
    agent.post(&format!("{path}/cancel"), &part).await.ok();
    assert_eq!(agent.booking(&reference).await["status"], "confirmed");
    let all = json!({ "journeys": null, "segments": null, "passengers": null });
    agent.post(&format!("{path}/cancel"), &all).await.ok();
    assert_eq!(agent.booking(&reference).await["status"], "cancelled");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_lists_the_others_may_be_empty() {
    let (world, _, _, agent) = World::start().await.and_people("0", "1000000").await;
    let trip = one_way("DEL", "BOM");
    let offer = agent.offer(&trip).await;
    for body in [
        json!({ "offer_ids": [], "flight_selection": { "offer_ids": [offer] } }),
        json!({ "offer_ids": [offer], "flight_selection": { "offer_ids": [] } }),
    ] {
        agent.post("/flights/price", &body).await.ok();
    }
    let rules = json!({ "offer_ids": [offer], "fare_keys": [], "booking_keys": [] });
    agent.post("/flights/fare-rules", &rules).await.ok();
    let mut order = agent.order(&agent.quote(&trip).await, &trip);
    order["offer_ids"] = json!([]);
    agent.book(&order).await.ok();
    world.books_agree().await;
}
