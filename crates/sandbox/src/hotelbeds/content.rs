//! `GET /hotels` and `GET /hotels/{codes}/details` of the content API: what is published of hotels, whoever stays when.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::{Value, json};
use wayfare_reference::{City, cities};

use super::World;
use super::audit::Audit;
use super::auth;
use super::content_body;
use super::destinations;
use super::errors::{ApiError, ApiResult};
use super::paging::{self, Page};
use super::wire::country_code;
use crate::hotels::{Hotel, HotelId, hotels_in, number_of_hotels};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    codes: Option<String>,
    destination_code: Option<String>,
    country_code: Option<String>,
    /// `all`, or names with commas between them.
    fields: Option<String>,
    from: Option<usize>,
    to: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParameters {}

/// Hotels, with codes for what others lists say in words.
pub(super) async fn list(world: Data<World>, request: HttpRequest) -> ApiResult {
    let wanted: Wanted = paging::query(&request)?;
    let page = Page::of(wanted.from, wanted.to)?;
    let codes = wanted.codes.as_deref().map(numbers).transpose()?;
    may_ask(&world, &request, codes.as_deref().unwrap_or_default())?;
    let (hotels, total) = match &wanted.codes {
        Some(codes) => {
            let hotels = with_codes(&world, codes)?;
            let total = hotels.len();
            let here = hotels.into_iter().skip(page.skip()).take(page.size());
            (here.collect(), total)
        }
        None => page_of_hotels(&world, page, |city| wanted.is_of(city)),
    };
    let bodies = hotels.iter().map(|hotel| {
        let mut body = content_body::listed(hotel);
        wanted.leave_out_others(&mut body);
        body
    });
    Ok(page.answer(&world, "hotels", bodies.collect(), total))
}

pub(super) async fn details(world: Data<World>, request: HttpRequest, codes: Path<String>) -> ApiResult {
    let NoParameters {} = paging::query(&request)?;
    may_ask(&world, &request, &numbers(&codes)?)?;
    let hotels = with_codes(&world, &codes)?;
    let bodies: Vec<Value> = hotels.iter().map(content_body::in_full).collect();
    let audit = Audit::of_content(&world);
    // One that was asked for alone comes without a list.
    let body = match (bodies.as_slice(), codes.contains(',')) {
        ([hotel], false) => json!({ "auditData": audit, "hotel": hotel }),
        _ => json!({ "auditData": audit, "hotels": bodies }),
    };
    Ok(HttpResponse::Ok().json(body))
}

/// Refuses what belongs to somebody's search.
pub(super) fn may_ask(world: &World, request: &HttpRequest, hotels: &[u32]) -> Result<(), ApiError> {
    if world.content_calls.ask(auth::key(request), hotels) { Ok(()) } else { Err(ApiError::of_status(403)) }
}

fn numbers(codes: &str) -> Result<Vec<u32>, ApiError> {
    let codes = codes.split(',').map(|code| code.trim().parse::<u32>());
    codes
        .collect::<Result<_, _>>()
        .map_err(|_| ApiError::unreadable("Error at property codes: hotels have numbers"))
}

fn with_codes(world: &World, codes: &str) -> Result<Vec<Hotel>, ApiError> {
    let codes = numbers(codes)?;
    let ids = codes.into_iter().filter_map(HotelId::of_hotelbeds);
    Ok(ids.filter_map(|id| Hotel::of(world.seed, id)).collect())
}

/// A page of the hotels of some cities, and how many there are of them. Only the page's are made.
pub(super) fn page_of_hotels(
    world: &World,
    page: Page,
    is_wanted: impl Fn(&City) -> bool,
) -> (Vec<Hotel>, usize) {
    let mut before = 0;
    let mut here = Vec::new();
    for city in cities().iter().filter(|city| is_wanted(city)) {
        let number = usize::from(number_of_hotels(city));
        if before + number > page.skip() && here.len() < page.size() {
            let skipped = page.skip().saturating_sub(before);
            let room = page.size() - here.len();
            here.extend(hotels_in(world.seed, city).skip(skipped).take(room));
        }
        before += number;
    }
    (here, before)
}

impl Wanted {
    fn is_of(&self, city: &City) -> bool {
        let has_country = |wanted: &String| wanted == country_code(city.country);
        self.country_code.as_ref().is_none_or(has_country)
            && self.destination_code.as_ref().is_none_or(|wanted| *wanted == destinations::code_of(city))
    }

    fn leave_out_others(&self, body: &mut Value) {
        let fields = self.fields.as_deref().unwrap_or("all");
        if fields == "all" {
            return;
        }
        let wanted: Vec<&str> = fields.split(',').map(str::trim).collect();
        if let Value::Object(members) = body {
            members.retain(|name, _| name == "code" || wanted.contains(&name.as_str()));
        }
    }
}
