//! `GET /locations/…` of the content API: countries, and destinations, of which every city is one.

use std::collections::BTreeSet;

use actix_web::HttpRequest;
use actix_web::web::Data;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use wayfare_reference::{City, cities, country_name};

use super::World;
use super::content::may_ask;
use super::content_body::{content, state};
use super::destinations::{self, ZONE};
use super::errors::ApiResult;
use super::paging::{self, Page};
use super::wire::country_code;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    codes: Option<String>,
    /// With commas between them; of destinations only.
    country_codes: Option<String>,
    from: Option<usize>,
    to: Option<usize>,
    #[serde(rename = "fields", default)]
    _fields: IgnoredAny,
}

/// Whether a code is among those that are asked for; all are, where none is.
fn is_among(codes: Option<&String>, code: &str) -> bool {
    codes.is_none_or(|codes| codes.split(',').any(|each| each.trim() == code))
}

pub(super) async fn countries(world: Data<World>, request: HttpRequest) -> ApiResult {
    let wanted: Wanted = paging::query(&request)?;
    let page = Page::of(wanted.from, wanted.to)?;
    may_ask(&world, &request, &[])?;
    let all: BTreeSet<&'static str> = cities().iter().map(|city| city.country).collect();
    let mut found: Vec<&'static str> = all.into_iter().collect();
    found.retain(|iso| is_among(wanted.codes.as_ref(), country_code(iso)));
    let here = found.iter().skip(page.skip()).take(page.size());
    let bodies = here.map(|iso| {
        json!({
            "code": country_code(iso),
            "isoCode": iso,
            "description": content(country_name(iso).unwrap_or(iso)),
            "states": [state(iso)],
        })
    });
    Ok(page.answer(&world, "countries", bodies.collect(), found.len()))
}

pub(super) async fn destinations(world: Data<World>, request: HttpRequest) -> ApiResult {
    let wanted: Wanted = paging::query(&request)?;
    let page = Page::of(wanted.from, wanted.to)?;
    may_ask(&world, &request, &[])?;
    let found = cities().iter().filter(|city| {
        is_among(wanted.country_codes.as_ref(), country_code(city.country))
            && (wanted.codes.is_none() || is_among(wanted.codes.as_ref(), &destinations::code_of(city)))
    });
    let total = found.clone().count();
    let here = found.skip(page.skip()).take(page.size());
    Ok(page.answer(&world, "destinations", here.map(destination).collect(), total))
}

fn destination(city: &City) -> Value {
    json!({
        "code": destinations::code_of(city),
        "name": content(city.name),
        "countryCode": country_code(city.country),
        "isoCode": city.country,
        "zones": [{ "zoneCode": ZONE, "name": city.name, "description": content(city.name) }],
        "groupZones": [],
    })
}
