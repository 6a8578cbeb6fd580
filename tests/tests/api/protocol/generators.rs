//! What generators of clients refuse or misread does not stand in the OpenAPI document.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use wayfare_domain::EventKind;
use wayfare_tests::contract::{document, kept};

use super::openapi::{operations, resolve};

/// Words that suppliers choose, so that no list has them, and a filter that takes any text.
const ANY_WORDS: [&str; 9] = [
    "FoundSegment.aircraft_type",
    "PricedSegment.fare_type",
    "get /api/v1/org/audit-logs.entity_type",
    "Hotel.property_type",
    "HotelDetails.property_type",
    "Image.type",
    "HotelImageDetails.type",
    "ReservedRoom.room_type",
    "Room.bed_type",
];

/// Each schema, with where it stands: those of components, and those in them.
fn each_schema(document: &Value, mut see: impl FnMut(&str, &Value)) {
    fn walk(at: &str, value: &Value, see: &mut impl FnMut(&str, &Value)) {
        see(at, value);
        let maps = value["properties"].as_object().into_iter().flatten();
        for (name, schema) in maps {
            walk(&format!("{at}.{name}"), schema, see);
        }
        for word in ["items", "additionalProperties"] {
            if let Some(schema) = value.get(word).filter(|schema| schema.is_object()) {
                walk(&format!("{at}.{word}"), schema, see);
            }
        }
        for word in ["oneOf", "anyOf", "allOf"] {
            for schema in value[word].as_array().into_iter().flatten() {
                walk(&format!("{at}.{word}"), schema, see);
            }
        }
    }
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        walk(name, schema, &mut see);
    }
    for (path, method, operation) in operations(document) {
        let at = format!("{method} {path}");
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            walk(&format!("{at}.{name}"), &parameter["schema"], &mut see);
        }
        for answer in operation["responses"].as_object().unwrap().values() {
            for content in answer["content"].as_object().into_iter().flatten() {
                walk(&at, &content.1["schema"], &mut see);
            }
        }
    }
}

fn none_of(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

#[test]
fn every_schema_says_what_it_is() {
    let mut found = Vec::new();
    each_schema(&document(), |at, schema| {
        let says = ["type", "$ref", "anyOf", "oneOf", "allOf"];
        let is_null_alone = schema["type"] == "null" && !at.ends_with("anyOf");
        if !says.iter().any(|word| schema.get(word).is_some()) || is_null_alone {
            found.push(format!("{at}: {schema}"));
        }
    });
    none_of("schemas without a type", &found);
}

#[test]
fn words_are_one_enum_without_null_and_the_empty_text() {
    let mut found = Vec::new();
    each_schema(&document(), |at, schema| {
        let constants =
            schema["oneOf"].as_array().is_some_and(|each| each.iter().any(|one| one.get("const").is_some()));
        let words = schema["enum"].as_array();
        let odd = words.is_some_and(|words| words.iter().any(|word| word.is_null() || *word == ""));
        if constants || odd || schema["const"] == "" {
            found.push(format!("{at}: {schema}"));
        }
    });
    none_of("words in another way", &found);
}

#[test]
fn every_status_type_and_kind_is_an_enum() {
    let mut found = Vec::new();
    each_schema(&document(), |at, schema| {
        let name = at.rsplit(['.', '_']).next().unwrap();
        let is_word = ["status", "type", "kind"].contains(&name) && at.contains('.');
        let is_text = schema["type"] == "string" || schema["type"] == json!(["string", "null"]);
        let is_free = schema.get("enum").is_none() && schema.get("const").is_none();
        if is_word && is_text && is_free && !ANY_WORDS.contains(&at) {
            found.push(at.to_owned());
        }
    });
    none_of("words that are any text", &found);
}

#[test]
fn everything_is_described() {
    let document = document();
    let mut found = Vec::new();
    each_schema(&document, |at, schema| {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            if field["description"].as_str().unwrap_or_default().is_empty() {
                found.push(format!("{at}.{name}"));
            }
        }
    });
    let mut summaries = BTreeSet::new();
    for (path, method, operation) in operations(&document) {
        let summary = operation["summary"].as_str().unwrap();
        if operation["description"].is_null() || !summaries.insert(summary.to_owned()) {
            found.push(format!("{method} {path}: {summary}"));
        }
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            if parameter["description"].is_null() {
                found.push(format!("{method} {path} {}", parameter["name"]));
            }
        }
    }
    for tag in document["tags"].as_array().unwrap() {
        if tag["description"].as_str().unwrap_or_default().is_empty() {
            found.push(tag.to_string());
        }
    }
    found.sort_unstable();
    found.dedup();
    none_of("not described, or not told from another", &found);
}

#[test]
fn operations_are_called_as_people_say_it() {
    let document = document();
    let ids: BTreeSet<&str> =
        operations(&document).map(|(.., operation)| operation["operationId"].as_str().unwrap()).collect();
    for id in ["logIn", "bookFlight", "bookHotel", "cancelFlightBooking", "listEvents"] {
        assert!(ids.contains(id), "{id}");
    }
    let odd: Vec<String> = ids
        .iter()
        .filter(|id| !id.starts_with(char::is_lowercase) || !id.chars().all(char::is_alphanumeric))
        .map(|id| (*id).to_owned())
        .collect();
    none_of("names in another style", &odd);
}

#[test]
fn every_success_has_an_example_that_is_as_its_schema_says() {
    let document = document();
    let mut found = Vec::new();
    for (path, method, operation) in operations(&document) {
        for (status, answer) in operation["responses"].as_object().unwrap() {
            let answer = resolve(&document, answer);
            let contents = answer["content"].as_object().into_iter().flatten();
            for (kind, content) in contents.filter(|_| status.starts_with('2')) {
                let mut schema = content["schema"].clone();
                schema["components"] = document["components"].clone();
                let at = format!("{method} {path} {status} {kind}");
                match content.get("example") {
                    None => found.push(format!("{at}: none")),
                    Some(example) => {
                        let wrong = jsonschema::draft202012::options()
                            .should_validate_formats(true)
                            .build(&schema)
                            .unwrap()
                            .validate(example)
                            .err();
                        found.extend(wrong.map(|wrong| format!("{at} {}: {wrong}", wrong.instance_path())));
                    }
                }
            }
        }
    }
    none_of("examples (`just examples` renews them)", &found);
}

#[test]
fn every_published_event_is_a_webhook() {
    let document = document();
    let described: BTreeSet<&str> =
        document["webhooks"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(described, EventKind::published().map(EventKind::text).collect());
    let chosen = &document["components"]["schemas"]["WebhookRequest"]["properties"]["event_types"]["items"];
    let known: BTreeSet<&str> =
        resolve(&document, chosen)["enum"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(known, described, "what is published can be chosen");
}

#[test]
fn sections_come_in_the_order_of_work_and_servers_can_be_called() {
    let text = kept("openapi.json");
    let places: Vec<usize> = [
        "auth/login",
        "flights/search",
        "flights/price",
        "flights/book",
        "flights/bookings/{ref}/cancel",
        "hotels/search",
        "wallet",
        "org/users",
    ]
    .iter()
    .map(|path| text.find(&format!("\"/api/v1/{path}\"")).unwrap())
    .collect();
    assert!(places.is_sorted(), "{places:?}");
    let url = document()["servers"][0]["url"].as_str().unwrap().to_owned();
    assert!(url.starts_with("http"), "{url}");
}

#[test]
fn bodies_and_their_parts_have_names() {
    let document = document();
    let mut found = Vec::new();
    for (path, method, operation) in operations(&document) {
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        if !body.is_null() && body["$ref"].is_null() {
            found.push(format!("{method} {path}"));
        }
    }
    each_schema(&document, |at, schema| {
        let is_request = at.split('.').next().unwrap().ends_with("Request");
        if is_request && at.contains('.') && schema["properties"].is_object() {
            found.push(at.to_owned());
        }
    });
    none_of("bodies without a name", &found);
    let schemas = document["components"]["schemas"].as_object().unwrap();
    assert!(!schemas.contains_key("Error"), "languages have their own");
    assert_eq!(schemas["ApiError"]["properties"]["success"]["const"], false);
    for mark in ["x-name", "x-tag"] {
        assert!(!document.to_string().contains(mark), "{mark} was forgotten");
    }
}
