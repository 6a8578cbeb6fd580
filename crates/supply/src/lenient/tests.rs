//! What can't be read costs itself alone; what must not be left out costs what has it.
#![expect(dead_code, reason = "compared as it is printed")]

use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use super::*;
use crate::reading::Text;
use crate::{LossKind, losses_in};

const PARTS: Parts = Parts { vital: &["price", "penalties"], lists: &["pictures", "rates", "by_day"] };

#[derive(Debug, Deserialize)]
struct Hotel<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    stars: Option<u8>,
    #[serde(borrow, default)]
    pictures: Vec<Picture<'a>>,
    #[serde(borrow)]
    rates: Vec<Rate<'a>>,
    #[serde(borrow, default)]
    raw: Option<&'a RawValue>,
    by_day: Option<std::collections::BTreeMap<String, u32>>,
    pair: Option<(u8, u8)>,
    any: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct Picture<'a> {
    #[serde(borrow)]
    url: Text<'a>,
    order: Option<u32>,
}

#[derive(Debug, Deserialize)]
struct Rate<'a> {
    price: Option<u32>,
    #[serde(borrow)]
    remark: Option<Text<'a>>,
    #[serde(default)]
    board: String,
    penalties: Option<Vec<u32>>,
}

fn good() -> Value {
    json!({
        "name": "Inn", "stars": 4, "raw": {"a": [1, 2.50]}, "by_day": {"mon": 1, "tue": 2}, "pair": [1, 2], "any": {"x": 1.5},
        "pictures": [{"url": "a", "order": 1}, {"url": "b", "order": 2}],
        "rates": [{"price": 10, "remark": "r", "board": "BB", "penalties": [1]}, {"price": 20}],
    })
}

/// What is read where this is there instead, and what was noted.
fn read(pointer: &str, instead: Value) -> (Result<String, String>, Vec<(String, LossKind)>) {
    let mut body = good();
    *body.pointer_mut(pointer).unwrap() = instead;
    read_text(&body.to_string())
}

fn read_text(body: &str) -> (Result<String, String>, Vec<(String, LossKind)>) {
    noted_in(|| {
        let hotel = parse_leniently::<Hotel<'_>>(body.as_bytes(), "", &PARTS);
        hotel.map(|hotel| format!("{hotel:?}")).map_err(|error| error.to_string())
    })
}

fn noted_in<T>(read: impl FnOnce() -> T) -> (T, Vec<(String, LossKind)>) {
    let (content, losses) = losses_in(read);
    (content, losses.into_iter().map(|loss| (loss.field, loss.kind)).collect())
}

/// The good one, changed so.
fn expected(change: impl FnOnce(&mut Value)) -> String {
    let mut body = good();
    change(&mut body);
    let text = body.to_string();
    format!("{:?}", serde_json::from_str::<Hotel<'_>>(&text).unwrap())
}

fn without(pointer: &str, name: &str) -> String {
    expected(|body| {
        body.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(name);
    })
}

fn without_item(pointer: &str, place: usize) -> String {
    expected(|body| {
        body.pointer_mut(pointer).unwrap().as_array_mut().unwrap().remove(place);
    })
}

#[track_caller]
fn costs(pointer: &str, instead: &Value, left: String, field: &str) {
    let (hotel, losses) = read(pointer, instead.clone());
    assert_eq!(hotel, Ok(left), "{pointer} {instead}");
    assert_eq!(losses, [(field.to_owned(), LossKind::LeftOut)], "{pointer} {instead}");
}

#[test]
fn what_cannot_be_read_costs_itself_and_no_more_than_it_must() {
    for (pointer, instead, left, field) in [
        ("/stars", json!("four"), without("", "stars"), "stars"),
        ("/stars", json!(-1), without("", "stars"), "stars"),
        ("/pictures/0/order", json!("first"), without("/pictures/0", "order"), "pictures[].order"),
        ("/pictures/0/url", json!(5), without_item("/pictures", 0), "pictures[].url"),
        ("/pictures/1", json!(null), without_item("/pictures", 1), "pictures[]"),
        ("/pictures/0", json!([]), without_item("/pictures", 0), "pictures[]"),
        ("/pictures", json!("none"), without("", "pictures"), "pictures"),
    ] {
        costs(pointer, &instead, left, field);
    }
}

#[test]
fn a_part_that_decides_costs_what_it_decides_on() {
    for (pointer, instead, left, field) in [
        ("/rates/0/remark", json!({"text": "r"}), without("/rates/0", "remark"), "rates[].remark"),
        ("/rates/0/board", json!(null), without("/rates/0", "board"), "rates[].board"),
        ("/rates/0/price", json!("ten"), without_item("/rates", 0), "rates[].price"),
        ("/rates/0/penalties", json!("all"), without_item("/rates", 0), "rates[].penalties"),
        ("/rates/0/penalties/0", json!("all"), without_item("/rates", 0), "rates[].penalties[]"),
        (
            "/by_day/mon",
            json!("one"),
            expected(|body| {
                body["by_day"].as_object_mut().unwrap().remove("mon");
            }),
            "by_day.*",
        ),
        ("/pair/1", json!("two"), without("", "pair"), "pair[]"),
    ] {
        costs(pointer, &instead, left, field);
    }
}

#[test]
fn what_is_missing_costs_what_cannot_be_without_it() {
    let mut body = good();
    body.pointer_mut("/pictures/0").unwrap().as_object_mut().unwrap().remove("url");
    let (hotel, losses) = read_text(&body.to_string());
    assert_eq!(hotel, Ok(without_item("/pictures", 0)));
    assert_eq!(losses, [("pictures[].url".to_owned(), LossKind::Missing)]);
}

#[test]
fn what_nobody_can_be_without_costs_all_and_says_which() {
    for (pointer, instead, reason) in [
        ("/name", json!(5), "name: invalid type: integer `5`, expected a string"),
        ("/rates", json!({"a": 1}), "rates: invalid type: map, expected a sequence"),
    ] {
        let (hotel, losses) = read(pointer, instead);
        let error = hotel.unwrap_err();
        assert!(error.starts_with(reason), "{error}");
        assert_eq!(losses, [], "what is not read has no parts");
    }
    for body in
        ["", "{", "[1", "nonsense", "{\"name\":\"Inn\",\"rates\":[]", "{\"name\":\"Inn\",\"rates\":[]}}"]
    {
        assert!(read_text(body).0.is_err(), "{body}");
    }
}

#[test]
fn what_comes_twice_counts_once_unless_it_says_two_things_that_matter() {
    let twice = |name: &str, first: &str, second: &str| {
        let rest = r#""rates":[{"price":10},{"price":20}]"#;
        read_text(&format!(r#"{{"name":"Inn","{name}":{first},{rest},"{name}":{second}}}"#))
    };
    let (one, _) = read_text(r#"{"name":"Inn","stars":4,"rates":[{"price":10},{"price":20}]}"#);
    assert_eq!(twice("stars", "4", "4"), (one.clone(), vec![]));
    assert_eq!(twice("stars", "4", "5"), (one, vec![("stars".to_owned(), LossKind::Mismatch)]));
    let rates = |rate: &str| read_text(&format!(r#"{{"name":"Inn","rates":[{rate},{{"price":20}}]}}"#));
    assert_eq!(rates(r#"{"price":10,"price":10}"#), rates(r#"{"price":10}"#));
    let (hotel, losses) = rates(r#"{"price":10,"price":11}"#);
    assert_eq!(hotel, read_text(r#"{"name":"Inn","rates":[{"price":20}]}"#).0);
    assert_eq!(losses, [("rates[]".to_owned(), LossKind::LeftOut)]);
}

#[test]
fn a_long_list_that_cannot_be_read_is_given_up_soon() {
    let picture = |order: &str| format!(r#"{{"url":"a","order":{order}}}"#);
    let pictures: Vec<String> = (0..3_000).map(|_| picture("\"1\"")).collect();
    let body = format!(r#"{{"name":"Inn","rates":[],"pictures":[{}]}}"#, pictures.join(","));
    let (hotel, losses) = read_text(&body);
    assert_eq!(hotel.unwrap().matches("url").count(), 3_000);
    assert_eq!(losses, [("pictures[].order".to_owned(), LossKind::LeftOut)]);
    let body = format!(r#"{{"name":"Inn","rates":[],"pictures":[{}]}}"#, vec!["5"; 3_000].join(","));
    assert_eq!(read_text(&body).0, read_text(r#"{"name":"Inn","rates":[]}"#).0);
}

#[test]
fn a_tree_is_read_so_too() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Order {
        id: String,
        limit: Option<u32>,
        price: Option<u32>,
    }
    let read = |tree: &Value| noted_in(|| read_leniently::<Order>(tree, "", &PARTS).map_err(drop));
    let (order, losses) = read(&json!({"id": "a", "limit": "soon", "price": 5}));
    let expected = Order { id: "a".to_owned(), limit: None, price: Some(5) };
    assert_eq!(order, Ok(expected));
    assert_eq!(losses, [("limit".to_owned(), LossKind::LeftOut)]);
    assert_eq!(read(&json!({"id": "a", "price": "5"})).0, Err(()));
}

#[test]
fn what_is_noted_has_its_place_and_no_value() {
    let (_, losses) = losses_in(|| {
        let text = r#"{"url":"a","order":"DARCY"}"#;
        parse_leniently::<Picture<'_>>(text.as_bytes(), "pictures[]", &PARTS).unwrap()
    });
    let [loss] = &losses[..] else { panic!("{losses:?}") };
    assert_eq!((loss.field.as_str(), loss.example.as_str()), ("pictures[].order", "string, expected u32"));
}
