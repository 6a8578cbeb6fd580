//! `GET /types/{type}` of the content API: what codes stand for.

use actix_web::HttpRequest;
use actix_web::web::{Data, Path};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::World;
use super::comments::{self, INCOMING};
use super::content::{may_ask, page_of_hotels};
use super::content_body::{IMAGE_TYPES, parts};
use super::errors::{ApiError, ApiResult};
use super::facilities;
use super::paging::{self, Page};
use super::rate_body::PROMOTION;
use super::wire::{Category, accommodation, board_name, category_group_name};
use crate::hotels::{Board, Hotel, RoomKind, Style};

/// Facilities that are there or not.
const TYPOLOGY: u16 = 20;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    from: Option<usize>,
    to: Option<usize>,
    #[serde(rename = "fields", default)]
    _fields: IgnoredAny,
}

pub(super) async fn list(world: Data<World>, request: HttpRequest, kind: Path<String>) -> ApiResult {
    let wanted: Wanted = paging::query(&request)?;
    let page = Page::of(wanted.from, wanted.to)?;
    may_ask(&world, &request, &[])?;
    if kind.as_str() == "ratecomments" {
        let (hotels, total) = page_of_hotels(&world, page, |_| true);
        let bodies = hotels.iter().map(rate_comment);
        return Ok(page.answer(&world, "rateComments", bodies.collect(), total));
    }
    let (name, all) = match kind.as_str() {
        "accommodations" => ("accommodations", accommodations()),
        "boards" => ("boards", boards()),
        "categories" => ("categories", categories().map(category).collect()),
        "facilities" => ("facilities", facilities()),
        "facilitygroups" => ("facilityGroups", coded(facilities::GROUPS)),
        "groupcategories" => ("groupCategories", category_groups()),
        "imagetypes" => ("imageTypes", coded(IMAGE_TYPES)),
        "promotions" => ("promotions", promotions()),
        "rooms" => ("rooms", RoomKind::all().map(room).collect()),
        _ => return Err(ApiError::of_status(404)),
    };
    let total = all.len();
    let here = all.into_iter().skip(page.skip()).take(page.size());
    Ok(page.answer(&world, name, here.collect(), total))
}

/// A text in the only language, which is named here.
fn english(text: impl Into<String>) -> Value {
    json!({ "languageCode": "ENG", "content": text.into() })
}

fn accommodations() -> Vec<Value> {
    let body = |(code, name)| json!({ "code": code, "typeMultiDescription": english(name), "typeDescription": name });
    Style::ALL.map(accommodation).map(body).into()
}

fn boards() -> Vec<Value> {
    let body = |board: Board| {
        let (code, name) = (board.code(), board_name(board));
        json!({ "code": code, "description": english(name), "multiLingualCode": code })
    };
    Board::ALL.map(body).into()
}

fn categories() -> impl Iterator<Item = Category> {
    (1..=5).map(Category::stars).chain((3..=4).map(Category::keys))
}

fn category(category: Category) -> Value {
    json!({
        "code": category.code,
        "simpleCode": category.simple_code,
        "accommodationType": "",
        "group": category.group,
        "description": english(category.name),
    })
}

fn category_groups() -> Vec<Value> {
    let mut codes: Vec<String> = categories().map(|category| category.group).collect();
    codes.dedup();
    let groups = (1..).zip(&codes);
    groups
        .map(|(order, code): (u32, _)| {
            let name = category_group_name(code);
            json!({
                "code": code,
                "order": order,
                "name": english(name.as_str()),
                "description": english(name.as_str()),
            })
        })
        .collect()
}

fn facilities() -> Vec<Value> {
    let all = facilities::all().into_iter();
    all.map(|facility| {
        json!({
            "code": facility.code,
            "facilityGroupCode": facility.group,
            "facilityTypologyCode": TYPOLOGY,
            "description": english(facility.description),
        })
    })
    .collect()
}

fn coded<C: Serialize, const N: usize>(all: [(C, &str); N]) -> Vec<Value> {
    all.map(|(code, name)| json!({ "code": code, "description": english(name) })).into()
}

fn promotions() -> Vec<Value> {
    let (code, name) = PROMOTION;
    vec![json!({ "code": code, "description": english(name), "name": english(name) })]
}

fn room(kind: RoomKind) -> Value {
    let room = kind.room_type();
    let (code, characteristic) = parts(room);
    json!({
        "code": room.code,
        "type": code,
        "characteristic": characteristic,
        "minPax": 1,
        "maxPax": room.max_occupancy,
        "maxAdults": room.max_adults,
        "maxChildren": room.max_children,
        "minAdults": 1,
        "description": room.name.to_uppercase(),
        "typeDescription": english(code),
        "characteristicDescription": english(room.name.to_uppercase()),
    })
}

/// What a hotel wants guests to read, under the code that is the middle of the id that rates name it by.
fn rate_comment(hotel: &Hotel) -> Value {
    let code = hotel.id.hotelbeds();
    let comment = json!({
        "dateStart": "2017-08-10",
        "dateEnd": "2049-12-31",
        "description": comments::of_hotel(hotel),
    });
    json!({
        "incoming": INCOMING,
        "hotel": code,
        "code": code.to_string(),
        "commentsByRates": [{ "rateCodes": [0], "comments": [comment] }],
    })
}
