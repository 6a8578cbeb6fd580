//! The OpenAPI document: the repository's is the served one, names are its own, and what it requires is required. That
//! answers are as it says is compared with every answer of every test (`wayfare_tests::contract`).

use reqwest::Method;
use serde_json::{Value, json};
use wayfare_tests::{Person, World, contract::document};

/// Every operation with its path and method.
pub fn operations(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    document["paths"].as_object().unwrap().iter().flat_map(|(path, operations)| {
        let operations = operations.as_object().unwrap().iter();
        operations.map(|(method, operation)| (path.as_str(), method.as_str(), operation))
    })
}

#[test]
fn every_name_is_one_and_every_body_has_examples_that_are_read() {
    let document = document();
    let names: Vec<&str> =
        operations(&document).map(|(.., operation)| operation["operationId"].as_str().unwrap()).collect();
    let mut different = names.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), names.len());
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let numbered: Vec<&String> = schemas.keys().filter(|name| name.ends_with(char::is_numeric)).collect();
    assert!(numbered.is_empty(), "two views have one name, give one another: {numbered:?}");
    for (path, method, operation) in operations(&document) {
        let schema = resolve(&document, &operation["requestBody"]["content"]["application/json"]["schema"]);
        assert!(schema["not"].is_null(), "{method} {path}: {}", schema["description"]);
    }
}

#[tokio::test]
async fn the_document_is_served_to_everybody() {
    let world = World::start().await;
    let client = reqwest::Client::new();
    let answer = client.get(format!("{}/openapi.json", world.base_url)).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "application/json");
    let tag = answer.headers()["etag"].clone();
    assert_eq!(answer.json::<Value>().await.unwrap(), document());
    for (known, status) in [(tag.to_str().unwrap(), 304), ("\"other\"", 200)] {
        let request = client.get(format!("{}/openapi.json", world.base_url));
        let answer = request.header("If-None-Match", known).send().await.unwrap();
        assert_eq!(answer.status(), status);
        assert_eq!(answer.headers()["etag"], tag);
        assert_eq!(answer.bytes().await.unwrap().is_empty(), status == 304);
    }
}

/// What a reference names, or the value itself.
pub fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => value,
    }
}

fn answer<'a>(document: &'a Value, operation: &'a Value, status: &str) -> &'a Value {
    resolve(document, &operation["responses"][status])
}

#[test]
fn operations_are_refused_as_they_can_be_and_no_refusal_is_a_replay() {
    let document = document();
    for (path, method, status, is_there) in [
        ("/hotels/search", "post", "409", false),
        ("/hotels/search", "post", "503", true),
        ("/me/password", "put", "503", true),
        ("/auth/logout", "post", "403", false),
        ("/auth/refresh", "post", "403", true),
        ("/auth/login", "post", "503", true),
    ] {
        let operation = &document["paths"][format!("/api/v1{path}")][method];
        assert_eq!(!answer(&document, operation, status).is_null(), is_there, "{method} {path} {status}");
    }
    let deletion = &document["paths"]["/api/v1/org/users/{id}"]["delete"];
    let examples = &answer(&document, deletion, "400")["content"]["application/json"]["examples"];
    let texts: Vec<&String> = examples.as_object().unwrap().keys().collect();
    assert!(texts.iter().any(|text| text.starts_with("insufficient org wallet balance")), "{texts:?}");
    let mut replayed = 0;
    for (path, method, operation) in operations(&document) {
        for status in operation["responses"].as_object().unwrap().keys() {
            let headers = &answer(&document, operation, status)["headers"];
            let may_be_replayed = headers.get("Idempotency-Replayed").is_some();
            assert!(!may_be_replayed || status.as_str() < "400", "{method} {path} {status}");
            replayed += u32::from(may_be_replayed);
        }
    }
    assert!(replayed > 0);
}

#[tokio::test]
async fn titles_and_genders_are_described_as_they_are_read() {
    let (_world, _, admin) = World::start().await.and_admin("0").await;
    let document = document();
    let content =
        |path: &str| document["paths"][path]["post"]["requestBody"]["content"]["application/json"].clone();
    let (flights, hotels) = ("/api/v1/flights/book", "/api/v1/hotels/book");
    let (title, gender) = ("/passengers/0/title", "/passengers/0/gender");
    let of_guest = "/rooms/0/guests/0/title";
    for (path, at, value, is_good) in [
        (flights, gender, "male", true),
        (flights, gender, "FEMALE", true),
        (flights, gender, "f", true),
        (flights, gender, "males", false),
        (flights, title, "MRS", true),
        (flights, title, "mstr", true),
        (flights, title, "Sir", false),
        (hotels, of_guest, "dR", true),
        (hotels, of_guest, "Drs", false),
    ] {
        let content = content(path);
        let mut examples = content["examples"].as_object().unwrap().values();
        let mut body = examples.next().unwrap()["value"].clone();
        *body.pointer_mut(at).unwrap() = json!(value);
        let mut schema = content["schema"].clone();
        schema["components"] = document["components"].clone();
        assert_eq!(jsonschema::draft202012::is_valid(&schema, &body), is_good, "{path} {value}");
        let reply = send(&admin, "post", path, &body).await;
        let field = at.rsplit('/').next().unwrap();
        assert_eq!(reply.text.contains(field), !is_good, "{}", reply.text);
    }
}

#[tokio::test]
async fn the_page_is_served_with_all_that_it_needs_and_may_do_no_more() {
    let world = World::start().await;
    let client = reqwest::Client::new();
    let get = async |path: &str| client.get(format!("{}{path}", world.base_url)).send().await.unwrap();
    // Whoever opens the address finds the console, and is asked who they are.
    assert_eq!(get("/").await.url().path(), "/console/login");
    assert_eq!(get("/docs").await.url().path(), "/docs/");
    let page = get("/docs").await;
    assert!(page.headers()["content-security-policy"].to_str().unwrap().contains("default-src 'none'"));
    let page = page.text().await.unwrap();
    assert!(!page.contains("//") || !page.contains("http"), "it asks another host: {page}");
    for part in page.split('"').filter(|part| part.starts_with("./")) {
        assert_eq!(get(&format!("/docs/{}", part.trim_start_matches("./"))).await.status(), 200, "{part}");
    }
    let script = get("/docs/swagger-initializer.js").await.text().await.unwrap();
    for part in ["\"/openapi.json\"", "docExpansion: \"none\"", "filter: true", "opsFilter"] {
        assert!(script.contains(part), "{part}");
    }
    assert_eq!(get("/docs/nothing.js").await.status(), 404);
}

/// What stands where in a body, by JSON pointers, whether it is required there and whether it is an object.
fn fields(document: &Value, schema: &Value, body: &Value, at: &str, found: &mut Vec<(String, bool, bool)>) {
    let Some(properties) = resolve(document, schema)["properties"].as_object() else { return };
    for (name, schema) in properties {
        let Some(value) = body.get(name) else { continue };
        let at = format!("{at}/{name}");
        let either = schema["anyOf"].as_array();
        let null_is_named = either.is_some_and(|either| either.contains(&json!({ "type": "null" })));
        let may_be_null = schema["type"].as_array().is_some_and(|kinds| kinds.contains(&json!("null")));
        let schema = resolve(document, if null_is_named { &schema["anyOf"][0] } else { schema });
        let is_object = schema["properties"].is_object() || schema["oneOf"].is_array();
        found.push((at.clone(), !may_be_null && !null_is_named, is_object));
        fields(document, schema, value, &at, found);
        for (place, item) in value.as_array().into_iter().flatten().enumerate() {
            fields(document, &schema["items"], item, &format!("{at}/{place}"), found);
        }
    }
}

async fn send(person: &Person, method: &str, path: &str, body: &Value) -> wayfare_tests::Reply {
    let path = path.trim_start_matches("/api/v1");
    let path = path.replace("{id}", "01941f29-7c00-7000-8000-000000000001").replace("{ref}", "FA-7K2M9Q4X");
    let method: Method = method.to_uppercase().parse().unwrap();
    person.send(person.request(method, &path).json(body)).await
}

#[tokio::test]
async fn a_body_without_what_is_required_or_with_another_type_is_refused() {
    let (_world, _, admin) = World::start().await.and_admin("0").await;
    let mut wrongs = Vec::new();
    let document = document();
    for (path, method, operation) in operations(&document) {
        let content = &operation["requestBody"]["content"]["application/json"];
        let Some(examples) = content["examples"].as_object() else { continue };
        for example in examples.values() {
            let mut found = Vec::new();
            fields(&document, &content["schema"], &example["value"], "", &mut found);
            assert!(!found.is_empty(), "{path}");
            for (at, is_required, is_object) in found {
                let other_type = match is_object {
                    true => json!("a text"),
                    false => json!({ "no": "such type" }),
                };
                let mut otherwise = vec![other_type];
                otherwise.extend(is_required.then_some(Value::Null));
                for value in otherwise {
                    let mut body = example["value"].clone();
                    *body.pointer_mut(&at).unwrap() = value.clone();
                    let reply = send(&admin, method, path, &body).await;
                    if reply.status != 422 {
                        wrongs.push(format!("{method} {path} {at} {value}: {} {}", reply.status, reply.text));
                    }
                }
            }
        }
    }
    assert!(wrongs.is_empty(), "{}", wrongs.join("\n"));
}
