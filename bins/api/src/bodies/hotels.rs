//! Request bodies of hotels.

use chrono_tz::Tz;
use rust_decimal::Decimal;
use serde_json::json;
use strum::VariantNames;
use uuid::Uuid;
use wayfare_domain::{Currency, Faults, PageRequest, QuoteId, Title, is_email, parse_currency};
use wayfare_hotels::{Guest, GuestKind, Place, RoomGuests, StayContact};
use wayfare_operations::{
    Platform,
    flights::AgreedPrice,
    hotels::{
        Criteria, Filters, HotelId, HotelOrder, Location, MOST_HOTELS, MOST_ROOMS, PriceRequest, RoomOrder,
        Selection, SortField, SortOrder, check_days,
    },
};
use wayfare_reference::{airport, city, city_named, country_name, time_zone_at};

use super::{examples::Example, hotel_examples as examples, name};
use crate::form::{Form, FromForm, like_an_email};

/// Whose guests are assumed to be where nobody says: India, the home of the API.
const NATIONALITY: &str = "IN";
/// No search goes farther around a point, kilometres.
const WIDEST_KM: u32 = 200;
/// How far one looks around a point where nobody says, metres.
const USUAL_RADIUS_M: u32 = 20_000;
const LONGEST_NAME: usize = 100;
const LONGEST_KEY: usize = 4_000;
const LONGEST_HOTEL_ID: usize = 100;
const LONGEST_FILTER: usize = 64;

/// `POST /hotels/search`.
pub struct Search {
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

impl Search {
    /// What is asked for, with hotels as their suppliers know them.
    ///
    /// # Errors
    /// The ids that can't be routed.
    pub fn criteria(&self, platform: &Platform) -> Result<Criteria, Faults> {
        let mut criteria = self.criteria.clone();
        if let Location::Hotels(hotels) = &mut criteria.location {
            let mut faults = Faults::default();
            for (place, text) in self.hotel_ids.iter().enumerate() {
                match HotelId::read(platform, &format!("location.hotel_ids[{place}]"), text) {
                    Ok(id) => hotels.push(id),
                    Err(wrong) => faults.append(wrong),
                }
            }
            faults.or(())?;
        }
        Ok(criteria)
    }
}

impl FromForm for Search {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let id = form.short_text("search_id", 128).filter(|id| !id.is_empty());
        let check_in = form.date("check_in");
        let check_out = form.date("check_out");
        let rooms = form.list("rooms", 1..=MOST_ROOMS, room);
        let mut hotel_ids = Vec::new();
        let location = form.object_of_kind("location", "type", |form| location(form, &mut hotel_ids));
        let location = form.required("location", location);
        let zone = match &location {
            Some(Location::Place(_, zone)) => *zone,
            _ => None,
        };
        let faults = check_days(check_in, check_out, zone, form.now());
        form.append(faults);
        let currency = currency(form, "currency");
        let language = two_letters(form, "language", "a two-letter language code", |_| true);
        let nationality = two_letters(form, "guest_nationality", "a two-letter country code", |code| {
            country_name(&code.to_ascii_uppercase()).is_some()
        });
        let filters = form.object("filters", filters);
        let sort = form.object("sort", |sort| {
            let field = sort.word("field");
            let order = match sort.has("order") {
                true => sort.word("order"),
                false => Some(SortOrder::Asc),
            };
            Some((field?, order?))
        });
        let page = form.object("pagination", |page| {
            let number = |page: &mut Form<'_>, name: &str, default, most| match page.has(name) {
                true => page.number(name, 1..=most),
                false => Some(default),
            };
            let (number, per_page) = (
                number(page, "page", 1, u32::MAX),
                number(page, "per_page", 20, 100),
            );
            Some(PageRequest {
                page: number?,
                per_page: per_page?,
            })
        });
        Some(Self {
            id,
            filters: filters.unwrap_or_default(),
            sort,
            page: page.unwrap_or(PageRequest {
                page: 1,
                per_page: 20,
            }),
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

    fn examples() -> Vec<Example> {
        examples::search()
    }
}

fn currency(form: &mut Form<'_>, name: &str) -> Option<Currency> {
    let code = form.optional_text(name).filter(|code| !code.is_empty());
    form.note(name, || json!({ "pattern": "^([A-Za-z]{3})?$" }));
    let code = code?;
    let currency = parse_currency(&code);
    if currency.is_none() {
        form.fault(name, "must be a 3-letter currency code");
    }
    currency
}

fn two_letters(
    form: &mut Form<'_>,
    name: &str,
    wanted: &str,
    exists: impl FnOnce(&str) -> bool,
) -> Option<String> {
    let code = form.optional_text(name).filter(|code| !code.is_empty());
    form.note(name, || json!({ "pattern": "^([A-Za-z]{2})?$" }));
    let code = code?;
    let letters = code.len() == 2 && code.bytes().all(|letter| letter.is_ascii_alphabetic());
    if !letters || !exists(&code) {
        form.fault(name, format!("must be {wanted}"));
        return None;
    }
    Some(code)
}

fn room(form: &mut Form<'_>) -> Option<RoomGuests> {
    let adults = form.number("adults", 1..=9_u8);
    let adults = form.required("adults", adults);
    let ages = match form.has("children_ages") {
        true => form.numbers("children_ages", 0..=17_u8, 9)?,
        false => Vec::new(),
    };
    let children = form.number("children", 0..=9_u8);
    let count = match form.has("children") {
        true => usize::from(children?),
        false => ages.len(),
    };
    if count != ages.len() {
        form.fault(
            "children_ages",
            format!("must have the age of each of the {count} children"),
        );
        return None;
    }
    Some(RoomGuests {
        adults: adults?,
        children_ages: ages,
    })
}

fn location(form: &mut Form<'_>, hotel_ids: &mut Vec<String>) -> Option<Location> {
    let kind = form.text("type", 32);
    form.note_only("type", || json!({ "const": kind }));
    match kind?.as_str() {
        "hotel_id" => {
            let ids = form.texts("hotel_ids", 2_000);
            form.note("hotel_ids", || json!({ "minItems": 1 }));
            let ids = form.required("hotel_ids", ids)?;
            if ids.is_empty() {
                form.fault("hotel_ids", "must have at least 1 item");
                return None;
            }
            if ids.iter().any(|id| id.len() > LONGEST_HOTEL_ID) {
                form.fault(
                    "hotel_ids",
                    format!("must each have at most {LONGEST_HOTEL_ID} characters"),
                );
                return None;
            }
            *hotel_ids = ids;
            Some(Location::Hotels(Vec::new()))
        }
        "city" => {
            let named = match form.has("code") {
                true => {
                    form.short_text("name", LONGEST_NAME);
                    "code"
                }
                false => "name",
            };
            let text = form.text(named, LONGEST_NAME)?;
            // Beside a code it may be empty.
            form.note_only("name", || json!({ "type": "string", "maxLength": LONGEST_NAME }));
            let known = text.parse().ok().and_then(city);
            let Some(city) = known.or_else(|| city_named(&text, None)) else {
                form.fault(named, "is not a known city");
                return None;
            };
            let place = Place::City {
                name: city.name.to_owned(),
                country: city.country.to_owned(),
                latitude: city.latitude(),
                longitude: city.longitude(),
            };
            Some(Location::Place(place, Some(city.time_zone)))
        }
        "airport" => {
            let code = form.text("code", 3)?.to_ascii_uppercase();
            let Some(airport) = airport(&code) else {
                form.fault("code", "is not a known IATA airport code");
                return None;
            };
            let place = Place::Airport {
                code,
                latitude: airport.latitude(),
                longitude: airport.longitude(),
            };
            Some(Location::Place(place, Some(airport.time_zone)))
        }
        "coordinates" => around(form),
        _ => {
            form.fault("type", "must be one of hotel_id, city, airport, coordinates");
            None
        }
    }
}

fn around(form: &mut Form<'_>) -> Option<Location> {
    let mut degrees = |name: &str, limit: i64| {
        let degrees = form.decimal(name);
        form.note(name, || json!({ "minimum": -limit, "maximum": limit }));
        let degrees = form.required(name, degrees)?;
        if degrees.abs() > Decimal::from(limit) {
            form.fault(name, format!("must be between -{limit} and {limit}"));
            return None;
        }
        Some(degrees.round_dp(6))
    };
    let (latitude, longitude) = (degrees("latitude", 90), degrees("longitude", 180));
    let radius = form.decimal("radius_km");
    form.note("radius_km", || json!({ "minimum": 0.1, "maximum": WIDEST_KM }));
    let radius = radius.map(|km| km.checked_mul(Decimal::ONE_THOUSAND).unwrap_or(Decimal::MAX));
    let radius_m = match radius {
        None => Some(USUAL_RADIUS_M).filter(|_| !form.has("radius_km")),
        Some(metres) => u32::try_from(metres.round()).ok(),
    };
    let radius_m = radius_m.filter(|metres| (100..=WIDEST_KM * 1000).contains(metres));
    if radius_m.is_none() {
        form.fault("radius_km", format!("must be between 0.1 and {WIDEST_KM}"));
    }
    let (latitude, longitude) = (latitude?, longitude?);
    let place = Place::Around {
        latitude,
        longitude,
        radius_m: radius_m?,
    };
    let zone: Option<Tz> = time_zone_at(latitude, longitude);
    Some(Location::Place(place, zone))
}

fn filters(form: &mut Form<'_>) -> Option<Filters> {
    let star_rating = form.numbers("star_rating", 0..=5_u8, 6).unwrap_or_default();
    let (price_min, price_max) = (form.decimal("price_min"), form.decimal("price_max"));
    if price_min.is_some_and(|least| price_max.is_some_and(|most| least > most)) {
        form.fault("price_max", "must not be less than price_min");
    }
    let payment_type = match form.has("payment_type") {
        true => form.word("payment_type"),
        false => None,
    };
    Some(Filters {
        star_rating,
        price_min,
        price_max,
        amenities: words(form, "amenities"),
        property_type: words(form, "property_type"),
        refundable_only: form.boolean("refundable_only").unwrap_or(false),
        meal_plan: form.words("meal_plan").unwrap_or_default(),
        payment_type,
    })
}

/// Short words.
fn words(form: &mut Form<'_>, name: &str) -> Vec<String> {
    let words = form.texts(name, 20).unwrap_or_default();
    if words
        .iter()
        .any(|word| word.is_empty() || word.chars().count() > LONGEST_FILTER)
    {
        form.fault(name, format!("must each have 1 to {LONGEST_FILTER} characters"));
    }
    words
}

/// `POST /hotels/details`.
pub struct Details {
    /// With their providers' prefixes.
    pub hotel_ids: Vec<String>,
    /// ISO 639-1.
    pub language: String,
}

impl FromForm for Details {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let ids = form.texts("hotel_ids", MOST_HOTELS);
        form.note("hotel_ids", || json!({ "minItems": 1 }));
        let ids = form.required("hotel_ids", ids);
        if ids.as_ref().is_some_and(Vec::is_empty) {
            form.fault("hotel_ids", "must have at least 1 item");
        }
        let language = two_letters(form, "language", "a two-letter language code", |_| true);
        Some(Self {
            hotel_ids: ids?,
            language: language.map_or("en".to_owned(), |code| code.to_ascii_lowercase()),
        })
    }

    fn examples() -> Vec<Example> {
        examples::details()
    }
}

/// `POST /hotels/price`.
pub struct Price(pub PriceRequest);

impl FromForm for Price {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let search_id = form.text("search_id", 128);
        let hotel_id = form.text("hotel_id", LONGEST_KEY);
        let selections = form.list("room_selections", 1..=MOST_ROOMS, |selection| {
            let room_id = selection.text("room_id", LONGEST_KEY);
            let rate_id = selection.text("rate_id", LONGEST_KEY);
            let quantity = selection.number("quantity", 1..=9_u16);
            Some(Selection {
                room_id: room_id?,
                rate_id: rate_id?,
                quantity,
            })
        });
        Some(Self(PriceRequest {
            search_id: search_id?,
            hotel_id: hotel_id?,
            selections: selections?,
        }))
    }

    fn examples() -> Vec<Example> {
        examples::price()
    }
}

/// `POST /hotels/book`.
pub struct Book(pub HotelOrder);

impl FromForm for Book {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let price_id = form.text("price_id", 128);
        let hotel_id = form.text("hotel_id", LONGEST_KEY);
        let check_in = form.date("check_in");
        let check_out = form.date("check_out");
        let rooms = form.list("rooms", 1..=MOST_ROOMS, |room| {
            let room_id = room.text("room_id", LONGEST_KEY);
            let rate_id = room.text("rate_id", LONGEST_KEY);
            let guests = room.list("guests", 1..=18, guest);
            Some(RoomOrder {
                room_id: room_id?,
                rate_id: rate_id?,
                guests: guests?,
            })
        });
        let contact = form.object("contact", contact);
        let contact = form.required("contact", contact);
        let agreed = form.object("fare", |fare| {
            fare.decimal("public_fare");
            fare.decimal("agent_commission");
            currency(fare, "currency");
            fare.decimal("agent_fare")
                .map(|agent_fare| AgreedPrice { agent_fare })
        });
        Some(Self(HotelOrder {
            price_id: Uuid::try_parse(&price_id?).ok().map(QuoteId::from_uuid),
            hotel_id: hotel_id?,
            check_in: check_in?,
            check_out: check_out?,
            rooms: rooms?,
            contact: contact?,
            agreed,
        }))
    }

    fn examples() -> Vec<Example> {
        examples::book()
    }
}

fn guest(form: &mut Form<'_>) -> Option<Guest> {
    let kind = form.word::<GuestKind>("type");
    let title = match form.has("title") {
        true => form.word_in_any_case("title", Title::VARIANTS),
        false => None,
    };
    let first_name = name(form, "first_name", LONGEST_NAME);
    let last_name = name(form, "last_name", LONGEST_NAME);
    let nationality = two_letters(form, "nationality", "a two-letter country code", |code| {
        country_name(&code.to_ascii_uppercase()).is_some()
    });
    Some(Guest {
        kind: kind?,
        title,
        first_name: first_name?,
        last_name: last_name?,
        nationality: nationality.map(|code| code.to_ascii_uppercase()),
        age: None,
    })
}

fn contact(form: &mut Form<'_>) -> Option<StayContact> {
    let first_name = name(form, "first_name", LONGEST_NAME);
    let last_name = name(form, "last_name", LONGEST_NAME);
    let email = form.text("email", 254);
    form.note("email", like_an_email);
    if email.as_deref().is_some_and(|email| !is_email(email)) {
        form.fault("email", "must be an e-mail address");
    }
    let phone = form.text("phone", 20);
    form.note("phone", || json!({ "pattern": r"^\+?[0-9]{4,15}$" }));
    let digits = |phone: &str| {
        let digits = phone.strip_prefix('+').unwrap_or(phone);
        (4..=15).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit())
    };
    if phone.as_deref().is_some_and(|phone| !digits(phone)) {
        form.fault("phone", "must be digits, or E.164 such as +919812345678");
    }
    Some(StayContact {
        first_name: first_name?,
        last_name: last_name?,
        email: email?,
        phone: phone?,
    })
}

/// `POST /hotels/bookings/{ref}/cancel`.
pub struct Cancel {
    /// Why, for the journal.
    pub reason: Option<String>,
}

impl FromForm for Cancel {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let reason = form.short_text("reason", 500).filter(|reason| !reason.is_empty());
        // No supplier that is spoken to tells guests (P-81).
        form.boolean("notify_guest");
        Some(Self { reason })
    }

    fn examples() -> Vec<Example> {
        examples::cancel()
    }
}
