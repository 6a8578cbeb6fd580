//! What is searched for.

use rust_decimal::Decimal;
use serde_json::json;
use wayfare_contract::hotels::HotelSearch;
use wayfare_domain::{Currency, Faults, PageRequest, Zone};
use wayfare_hotels::{RoomGuests, SearchArea};
use wayfare_operations::{
    Platform,
    hotels::{Criteria, Filters, HotelId, Location, MOST_ROOMS, SortField, SortOrder, check_days},
};
use wayfare_reference::{Place, city, city_meant, country_name, time_zone_at};

use crate::{
    http::json_body::{FromJson, JsonObject},
    resources::hotels::common::{LONGEST_HOTEL_ID, LONGEST_NAME, currency, two_letters},
};

/// Whose guests are assumed to be where nobody says: India, the home of the API.
const NATIONALITY: &str = "IN";

/// No search goes farther around a point, kilometres.
const WIDEST_KM: u32 = 200;

/// How far one looks around a point where nobody says, metres.
const USUAL_RADIUS_M: u32 = 20_000;

const LONGEST_FILTER: usize = 64;

/// `POST /hotels/search`.
pub struct SearchBody {
    /// The client's own name of it.
    pub id: Option<String>,
    /// What is left out.
    pub filters: Filters,
    /// In which order.
    pub sort: Option<(SortField, SortOrder)>,
    /// Which page.
    pub page: PageRequest,
    criteria: Criteria,
    /// Hotels by the ids that the client gave.
    hotel_ids: Vec<String>,
}

impl SearchBody {
    /// What is asked for, with hotels as their suppliers know them.
    ///
    /// # Errors
    /// The ids that can't be routed.
    pub fn criteria(&self, platform: &Platform) -> Result<Criteria, Faults> {
        let mut criteria = self.criteria.clone();
        if let Location::Hotels(hotels) = &mut criteria.location {
            let mut faults = Faults::default();
            for (place, text) in self.hotel_ids.iter().enumerate() {
                match HotelId::read(&platform.engine, &format!("location.hotel_ids[{place}]"), text) {
                    Ok(id) => hotels.push(id),
                    Err(wrong) => faults.append(wrong),
                }
            }
            faults.or(())?;
        }
        Ok(criteria)
    }
}

impl FromJson for SearchBody {
    const NAME: &str = "SearchHotelsRequest";
    type Declared = HotelSearch;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let id = body.short_text("search_id", 128).filter(|id| !id.is_empty());
        let check_in = body.date("check_in");
        let check_out = body.date("check_out");
        let rooms = body.list("rooms", 1..=MOST_ROOMS, room);
        let mut hotel_ids = Vec::new();
        let location = body.object_of_kind("location", "type", |body| location(body, &mut hotel_ids));
        let location = body.required("location", location);
        let zone = match &location {
            Some(Location::Place(_, zone)) => *zone,
            _ => None,
        };
        let faults = check_days(check_in, check_out, zone, body.now());
        body.append(faults);
        let currency = currency(body, "currency");
        let language = two_letters(body, "language", "a two-letter language code", |_| true);
        let nationality = two_letters(body, "guest_nationality", "a two-letter country code", |code| {
            country_name(&code.to_ascii_uppercase()).is_some()
        });
        let filters = body.object("filters", filters);
        let sort = body.object("sort", |sort| {
            let field = sort.word("field");
            let order = match sort.has("order") {
                true => sort.word("order"),
                false => Some(SortOrder::Asc),
            };
            Some((field?, order?))
        });
        let page = body.object("pagination", |page| {
            let number = |page: &mut JsonObject<'_>, name: &str, default, most| match page.has(name) {
                true => page.number(name, 1..=most),
                false => Some(default),
            };
            let (number, per_page) = (number(page, "page", 1, u32::MAX), number(page, "per_page", 20, 100));
            Some(PageRequest { page: number?, per_page: per_page? })
        });
        Some(Self {
            id,
            filters: filters.unwrap_or_default(),
            sort,
            page: page.unwrap_or(PageRequest { page: 1, per_page: 20 }),
            criteria: Criteria {
                check_in: check_in?,
                check_out: check_out?,
                rooms: rooms?,
                location: location?,
                nationality: nationality.map_or(NATIONALITY.to_owned(), |code| code.to_ascii_uppercase()),
                language: language.map_or("en".to_owned(), |code| code.to_ascii_lowercase()),
                // The API's default, whatever the wallet's currency is (D-90).
                currency: currency.unwrap_or(Currency::INR),
            },
            hotel_ids,
        })
    }
}

fn room(body: &mut JsonObject<'_>) -> Option<RoomGuests> {
    let adults = body.number("adults", 1..=9_u8);
    let adults = body.required("adults", adults);
    let ages = match body.has("children_ages") {
        true => body.numbers("children_ages", 0..=17_u8, 9)?,
        false => Vec::new(),
    };
    let children = body.number("children", 0..=9_u8);
    let count = match body.has("children") {
        true => usize::from(children?),
        false => ages.len(),
    };
    if count != ages.len() {
        body.fault("children_ages", format!("must have the age of each of the {count} children"));
        return None;
    }
    Some(RoomGuests { adults: adults?, children_ages: ages })
}

fn location(body: &mut JsonObject<'_>, hotel_ids: &mut Vec<String>) -> Option<Location> {
    let kind = body.text("type", 32);
    body.note_only("type", || json!({ "type": "string", "const": kind }));
    match kind?.as_str() {
        "hotel_id" => {
            let ids = body.texts("hotel_ids", 2_000);
            let ids = body.not_empty("hotel_ids", ids);
            let ids = body.required("hotel_ids", ids)?;
            if ids.iter().any(|id| id.len() > LONGEST_HOTEL_ID) {
                body.fault("hotel_ids", format!("must each have at most {LONGEST_HOTEL_ID} characters"));
                return None;
            }
            *hotel_ids = ids;
            Some(Location::Hotels(Vec::new()))
        }
        "city" => {
            let named = match body.has("code") {
                true => {
                    body.short_text("name", LONGEST_NAME);
                    "code"
                }
                false => "name",
            };
            let text = body.text(named, LONGEST_NAME)?;
            // Beside a code it may be empty.
            body.note_only("name", || json!({ "type": "string", "maxLength": LONGEST_NAME }));
            let known = text.parse().ok().and_then(city);
            let Some(city) = known.or_else(|| city_meant(&text, body.country())) else {
                body.fault(named, "is not a known city");
                return None;
            };
            let place = SearchArea::City {
                name: city.name.to_owned(),
                country: city.country.to_owned(),
                latitude: city.point.latitude(),
                longitude: city.point.longitude(),
            };
            Some(Location::Place(place, Some(city.time_zone)))
        }
        "airport" => at_airport(body),
        "coordinates" => around(body),
        _ => {
            body.fault("type", "must be one of hotel_id, city, airport, coordinates");
            None
        }
    }
}

/// At an airport, or in the city whose code it is.
fn at_airport(body: &mut JsonObject<'_>) -> Option<Location> {
    let code = body.text("code", 3)?.to_ascii_uppercase();
    match Place::of(&code, None) {
        Some(Place::Airport(airport)) => {
            let place = SearchArea::Airport {
                code,
                latitude: airport.point.latitude(),
                longitude: airport.point.longitude(),
            };
            Some(Location::Place(place, Some(airport.time_zone)))
        }
        Some(Place::City(city)) => {
            let place = SearchArea::City {
                name: city.name.to_owned(),
                country: city.iso_country.to_owned(),
                latitude: city.point.latitude(),
                longitude: city.point.longitude(),
            };
            Some(Location::Place(place, Some(city.time_zone)))
        }
        None => {
            body.fault("code", "is not a known IATA airport code");
            None
        }
    }
}

fn around(body: &mut JsonObject<'_>) -> Option<Location> {
    let mut degrees = |name: &str, limit: i64| {
        let degrees = body.decimal(name);
        body.note(name, || json!({ "minimum": -limit, "maximum": limit }));
        let degrees = body.required(name, degrees)?;
        if degrees.abs() > Decimal::from(limit) {
            body.fault(name, format!("must be between -{limit} and {limit}"));
            return None;
        }
        Some(degrees.round_dp(6))
    };
    let (latitude, longitude) = (degrees("latitude", 90), degrees("longitude", 180));
    let radius = body.decimal("radius_km");
    body.note("radius_km", || json!({ "minimum": 0.1, "maximum": WIDEST_KM }));
    let radius = radius.map(|km| km.checked_mul(Decimal::ONE_THOUSAND).unwrap_or(Decimal::MAX));
    let radius_m = match radius {
        None => Some(USUAL_RADIUS_M).filter(|_| !body.has("radius_km")),
        Some(metres) => u32::try_from(metres.round()).ok(),
    };
    let radius_m = radius_m.filter(|metres| (100..=WIDEST_KM * 1000).contains(metres));
    if radius_m.is_none() {
        body.fault("radius_km", format!("must be between 0.1 and {WIDEST_KM}"));
    }
    let (latitude, longitude) = (latitude?, longitude?);
    let place = SearchArea::Around { latitude, longitude, radius_m: radius_m? };
    let zone: Option<Zone> = time_zone_at(latitude, longitude);
    Some(Location::Place(place, zone))
}

fn filters(body: &mut JsonObject<'_>) -> Option<Filters> {
    let star_rating = body.numbers("star_rating", 0..=5_u8, 6).unwrap_or_default();
    let (price_min, price_max) = (body.decimal("price_min"), body.decimal("price_max"));
    if price_min.is_some_and(|least| price_max.is_some_and(|most| least > most)) {
        body.fault("price_max", "must not be less than price_min");
    }
    let payment_type = body.filter_word("payment_type");
    let amenities = body.text_or_texts("amenities", MOST_WORDS);
    let amenities = short_words(body, "amenities", amenities);
    let property_type = body.texts("property_type", MOST_WORDS);
    let property_type = short_words(body, "property_type", property_type);
    Some(Filters {
        star_rating,
        price_min,
        price_max,
        amenities,
        property_type,
        refundable_only: body.boolean("refundable_only").unwrap_or(false),
        meal_plan: body.words("meal_plan").unwrap_or_default(),
        payment_type,
        include_pay_at_hotel: body.boolean("include_pay_at_hotel").unwrap_or(false),
    })
}

/// So many words of a filter count at most.
const MOST_WORDS: usize = 20;

fn short_words(body: &mut JsonObject<'_>, name: &str, words: Option<Vec<String>>) -> Vec<String> {
    let words = words.unwrap_or_default();
    if words.iter().any(|word| word.is_empty() || word.chars().count() > LONGEST_FILTER) {
        body.fault(name, format!("must each have 1 to {LONGEST_FILTER} characters"));
    }
    words
}
