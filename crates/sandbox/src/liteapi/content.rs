//! `GET /data/…`: what is published of hotels and cities, whatever they sell.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Value, json};
use wayfare_reference::cities;

use super::World;
use super::errors::{ApiError, ApiResult, parameters};
use super::hotel_lookup::{HotelLookup, LookupFields};
use super::rate_body::room_number;
use super::search_request::MOST_HOTELS;
use super::wire::hotel_type;
use crate::hotels::{AMENITIES, Amenity, Hotel, HotelId, RoomType, Style};
use crate::json::Number;

/// How many hotels a list has where nothing is said.
const LIMIT: usize = 200;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listing {
    hotel_ids: Option<String>,
    country_code: Option<String>,
    city_name: Option<String>,
    latitude: Option<Decimal>,
    longitude: Option<Decimal>,
    radius: Option<u32>,
    hotel_name: Option<String>,
    star_rating: Option<String>,
    limit: Option<usize>,
    offset: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct One {
    hotel_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Country {
    country_code: Option<String>,
}

/// `GET /data/cities`: the names of a country's cities, the largest first.
pub(super) async fn cities_of(request: HttpRequest) -> ApiResult {
    let query: Country = parameters(&request)?;
    let country = query.country_code.filter(|code| !code.is_empty());
    let country = country.ok_or_else(|| ApiError::bad_request("countryCode is required"))?;
    let country = country.to_uppercase();
    let named = cities().iter().filter(|city| city.country == country);
    let cities: Vec<Value> = named.map(|city| json!({ "city": city.name })).collect();
    Ok(HttpResponse::Ok().json(json!({ "data": cities })))
}

/// `GET /data/hotelTypes`: the words for the numbers of kinds of houses.
pub(super) async fn hotel_types() -> HttpResponse {
    let types = Style::ALL.map(|style| {
        let (id, name) = hotel_type(style);
        json!({ "id": id, "name": name })
    });
    HttpResponse::Ok().json(json!({ "data": types }))
}

/// `GET /data/facilities`: the words for the numbers of what guests find, in English alone.
pub(super) async fn facilities() -> HttpResponse {
    let facilities = AMENITIES.iter().map(|Amenity { number, name, .. }| {
        let translation = [json!({ "lang": "en", "facility": name })];
        json!({ "facility_id": number, "facility": name, "sort": number, "translation": translation })
    });
    HttpResponse::Ok().json(json!({ "data": facilities.collect::<Vec<_>>() }))
}

/// `GET /data/hotels`: hotels of a country, a city, or around a point, in pages.
pub(super) async fn hotels(world: Data<World>, request: HttpRequest) -> ApiResult {
    let query: Listing = parameters(&request)?;
    let place = LookupFields {
        hotel_ids: query.hotel_ids.as_deref().map(|ids| ids.split(',').map(str::trim).collect()),
        country_code: query.country_code.as_deref(),
        city_name: query.city_name.as_deref(),
        latitude: query.latitude,
        longitude: query.longitude,
        radius_m: query.radius,
        iata_code: None,
    };
    let main = HotelLookup::of(&place).ok_or_else(|| ApiError::bad_request("countryCode is required"))?;
    let name = query.hotel_name.map(|name| name.to_lowercase());
    let stars: Option<Vec<Decimal>> =
        query.star_rating.map(|stars| stars.split(',').filter_map(|each| each.trim().parse().ok()).collect());
    let is_wanted = |hotel: &Hotel| {
        name.as_ref().is_none_or(|name| hotel.name().to_lowercase().contains(name))
            && stars.as_ref().is_none_or(|stars| stars.contains(&hotel.stars.into()))
    };
    let all: Vec<Hotel> = main.hotels(world.seed).filter(is_wanted).collect();
    let limit = query.limit.unwrap_or(LIMIT).min(MOST_HOTELS);
    let page = all.iter().skip(query.offset.unwrap_or_default()).take(limit);
    let page: Vec<Value> = page.map(listed).collect();
    let ids: Vec<&Value> = page.iter().filter_map(|hotel| hotel.get("id")).collect();
    Ok(HttpResponse::Ok().json(json!({ "data": page, "hotelIds": ids, "total": all.len() })))
}

fn listed(hotel: &Hotel) -> Value {
    let photo = hotel.images().next();
    let facility_ids: Vec<u16> = hotel.amenities().map(|amenity| amenity.number).collect();
    json!({
        "id": hotel.id.liteapi(),
        "name": hotel.name(),
        "hotelDescription": hotel.description(),
        "currency": hotel.local_money().map(|money| money.currency),
        "country": hotel.city.country,
        "city": hotel.city.name,
        "latitude": Number(hotel.point.latitude()),
        "longitude": Number(hotel.point.longitude()),
        "address": hotel.street_address(),
        "zip": hotel.postal_code(),
        "main_photo": photo.as_ref().map(|photo| &photo.url),
        "thumbnail": photo.as_ref().map(|photo| &photo.thumbnail),
        "hotelTypeId": hotel_type(hotel.style).0,
        "chainId": 0,
        "chain": "Not Available",
        "rating": rating(hotel),
        "reviewCount": hotel.reviews(),
        "stars": hotel.stars,
        "facilityIds": facility_ids,
        "accessibilityAttributes": {
            "attributes": ["entranceLeveled"],
            "showerChair": "",
            "entranceType": "",
            "petFriendly": "",
            "rampAngle": 0,
            "rampLength": 0,
            "entranceDoorWidth": 0,
            "roomMaxGuestsNumber": 0,
            "distanceFromTheElevatorToTheAccessibleRoom": 0,
        },
    })
}

fn rating(hotel: &Hotel) -> Number {
    Number(Decimal::new(hotel.rating_tenths().into(), 1))
}

/// `GET /data/hotel`: all that is published of one.
pub(super) async fn hotel(world: Data<World>, request: HttpRequest) -> ApiResult {
    let query: One = parameters(&request)?;
    let id = query.hotel_id.as_deref().and_then(HotelId::of_liteapi);
    let hotel = id.and_then(|id| Hotel::of(world.seed, id));
    let hotel = hotel.ok_or_else(|| ApiError::wrong_input("hotelId is missing or invalid"))?;
    Ok(HttpResponse::Ok().json(json!({ "data": hotel_details(&hotel) })))
}

fn hotel_details(hotel: &Hotel) -> Value {
    let photo = hotel.images().next();
    let (type_id, type_name) = hotel_type(hotel.style);
    let facility_names: Vec<&str> = hotel.amenities().map(|amenity| amenity.name).collect();
    let facilities =
        hotel.amenities().map(|amenity| json!({ "facilityId": amenity.number, "name": amenity.name }));
    json!({
        "id": hotel.id.liteapi(),
        "name": hotel.name(),
        "hotelDescription": format!("<p>{}</p>", hotel.description()),
        "hotelImportantInformation": "Guests are required to show a photo identification upon check-in.",
        "checkinCheckoutTimes": {
            "checkout": hotel.check_out_until().format("%I:%M %p").to_string(),
            "checkin_start": hotel.check_in_from().format("%I:%M %p").to_string(),
            "checkin_end": "12:00 AM",
            "instructions": [],
            "special_instructions": "",
        },
        "hotelImages": images(hotel),
        "main_photo": photo.as_ref().map(|photo| &photo.url),
        "thumbnail": photo.as_ref().map(|photo| &photo.thumbnail),
        "videoUrl": "",
        "country": hotel.city.country.to_lowercase(),
        "city": hotel.city.name,
        "starRating": hotel.stars,
        "location": { "latitude": Number(hotel.point.latitude()), "longitude": Number(hotel.point.longitude()) },
        "address": hotel.street_address(),
        "hotelFacilities": facility_names,
        "chain": "Not Available",
        "facilities": facilities.collect::<Vec<_>>(),
        "rooms": hotel.rooms().map(|room| room_details(hotel, room)).collect::<Vec<_>>(),
        "phone": hotel.phone(),
        "fax": "",
        "email": hotel.email(),
        "hotelType": type_name,
        "hotelTypeId": type_id,
        "airportCode": "",
        "rating": rating(hotel),
        "reviewCount": hotel.reviews(),
        "rohId": hotel.id.hotelbeds(),
        "parking": "",
        "groupRoomMin": 0,
        "childAllowed": true,
        "petsAllowed": false,
        "policies": [{
            "policy_type": "POLICY_HOTEL_GROUPS",
            "name": "Groups",
            "description": "When booking more than 5 rooms, different policies and additional supplements may apply.",
            "child_allowed": "",
            "pets_allowed": "",
            "parking": "",
        }],
        "sentiment_analysis": {
            "cons": ["Limited parking"],
            "pros": ["Location"],
            "categories": [{
                "name": "Cleanliness",
                "rating": rating(hotel),
                "description": "Guests found their rooms clean.",
            }],
        },
        "sentiment_updated_at": "2026-01-01T00:00:00Z",
    })
}

fn images(hotel: &Hotel) -> Vec<Value> {
    let images = hotel.images().enumerate().map(|(order, image)| {
        json!({
            "url": image.url,
            "urlHd": image.url,
            "caption": image.caption,
            "order": order,
            "defaultImage": order == 0,
        })
    });
    images.collect()
}

fn room_details(hotel: &Hotel, room: &RoomType) -> Value {
    let beds = room
        .beds
        .iter()
        .map(|(bed, quantity)| json!({ "quantity": quantity, "bedType": bed.name(), "bedSize": "" }));
    let first = u16::try_from(AMENITIES.len()).unwrap_or_default() + 1;
    let amenities = (first..)
        .zip(room.amenities())
        .map(|(id, name)| json!({ "amenitiesId": id, "name": name, "sort": id }));
    let photos = hotel.images().filter(|image| image.caption == "Room").map(|image| {
        json!({
            "url": image.url,
            "imageDescription": room.name,
            "imageClass1": "",
            "imageClass2": "",
            "failoverPhoto": image.thumbnail,
            "mainPhoto": true,
            "score": 0,
            "classId": 0,
            "classOrder": 0,
            "hd_url": image.url,
        })
    });
    json!({
        "id": room_number(hotel.id, room.kind),
        "roomName": room.name,
        "description": format!("{} of {} m², for {}.", room.name, room.square_metres, room.max_occupancy),
        "roomSizeSquare": room.square_metres,
        "roomSizeUnit": "m2",
        "hotelId": hotel.id.hotelbeds().to_string(),
        "maxAdults": room.max_adults,
        "maxChildren": room.max_children,
        "maxOccupancy": room.max_occupancy,
        "bedTypes": beds.collect::<Vec<_>>(),
        "roomAmenities": amenities.collect::<Vec<_>>(),
        "photos": photos.collect::<Vec<_>>(),
    })
}
