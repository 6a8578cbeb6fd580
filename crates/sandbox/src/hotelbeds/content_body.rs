//! Hotels of the content API in JSON: with codes, or with these in words.

use chrono::NaiveTime;
use serde_json::{Map, Value, json};
use wayfare_reference::{country_name, distance_m};

use super::destinations::{self, ZONE};
use super::facilities::{self, Facility};
use super::wire::{Category, accommodation, board_name, category_group_name, country_code};
use crate::hotels::{Hotel, RoomType};
use crate::json::{Number, merged};

pub(super) const STATE: &str = "07";
/// Nothing that is published of a hotel changes.
const LAST_UPDATE: &str = "2026-01-01";

/// Whether codes alone are sent, or words with them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    Without,
    With,
}

impl Words {
    /// What has a code: under its name alone, or with its words.
    fn add(self, to: &mut Value, description: Value) {
        if let (Self::With, Value::Object(members)) = (self, to) {
            members.insert("description".to_owned(), description);
        }
    }
}

/// The state of a country: all of it.
pub(super) fn state(country: &str) -> Value {
    json!({ "code": STATE, "name": country_name(country).unwrap_or(country).to_uppercase() })
}

pub(super) fn content(text: impl Into<String>) -> Value {
    json!({ "content": text.into() })
}

pub(super) fn listed(hotel: &Hotel) -> Value {
    let category = Category::of(hotel);
    let boards: Vec<&str> = hotel.boards().iter().map(|board| board.code()).collect();
    let codes = json!({
        "countryCode": country_code(hotel.city.country),
        "stateCode": STATE,
        "destinationCode": destinations::code_of(hotel.city),
        "zoneCode": ZONE,
        "categoryCode": category.code,
        "categoryGroupCode": category.group,
        "accommodationTypeCode": accommodation(hotel.style).0,
        "boardCodes": boards,
        "segmentCodes": [],
    });
    merged(common(hotel, Words::Without), codes)
}

pub(super) fn in_full(hotel: &Hotel) -> Value {
    let (city, category) = (hotel.city, Category::of(hotel));
    let country = country_code(city.country);
    let (accommodation_code, accommodation_name) = accommodation(hotel.style);
    let boards = hotel.boards().iter();
    let boards: Vec<Value> = boards
        .map(|board| json!({ "code": board.code(), "description": content(board_name(*board)) }))
        .collect();
    let words = json!({
        "country": {
            "code": country,
            "isoCode": city.country,
            "description": content(country_name(city.country).unwrap_or(city.country)),
        },
        "state": state(city.country),
        "destination": {
            "code": destinations::code_of(city),
            "name": content(city.name),
            "countryCode": country,
        },
        "zone": { "zoneCode": ZONE, "name": city.name, "description": content(city.name) },
        "category": { "code": category.code, "description": content(category.name) },
        "categoryGroup": {
            "code": category.group,
            "description": content(category_group_name(&category.group)),
        },
        "accommodationType": {
            "code": accommodation_code,
            "typeMultiDescription": content(accommodation_name),
            "typeDescription": accommodation_name,
        },
        "boards": boards,
        "segments": [],
    });
    merged(common(hotel, Words::With), words)
}

fn common(hotel: &Hotel, words: Words) -> Value {
    let address = hotel.street_address();
    let rooms: Vec<Value> = hotel.rooms().map(|room| room_body(room, words)).collect();
    let wildcards = hotel.rooms().map(|room| {
        let (kind, characteristic) = parts(room);
        json!({
            "roomType": room.code,
            "roomCode": kind,
            "characteristicCode": characteristic,
            "hotelRoomDescription": content(room.name),
        })
    });
    json!({
        "code": hotel.id.hotelbeds(),
        "name": content(hotel.name()),
        "description": content(hotel.description()),
        "coordinates": {
            "longitude": Number(hotel.point.longitude()),
            "latitude": Number(hotel.point.latitude()),
        },
        "address": { "content": address, "street": address },
        "postalCode": hotel.postal_code(),
        "city": content(hotel.city.name.to_uppercase()),
        "email": hotel.email(),
        "phones": [{ "phoneNumber": hotel.phone(), "phoneType": "PHONEHOTEL" }],
        "rooms": rooms,
        "facilities": house_facilities(hotel, words),
        "images": images(hotel, words),
        "wildcards": wildcards.collect::<Vec<_>>(),
        "lastUpdate": LAST_UPDATE,
        "S2C": format!("{}*", hotel.stars),
        "ranking": 1 + u32::from(hotel.id.place),
    })
}

/// `DBL` and `ST` of `DBL.ST`.
pub(super) fn parts(room: &RoomType) -> (&'static str, &'static str) {
    room.code.split_once('.').unwrap_or((room.code, ""))
}

fn room_body(room: &RoomType, words: Words) -> Value {
    let (kind, characteristic) = parts(room);
    let mut facilities: Vec<Value> = room
        .amenities()
        .iter()
        .filter_map(|amenity| Facility::of_room(amenity))
        .map(|facility| room_facility(facility, words, json!({ "indLogic": true, "indFee": false })))
        .collect();
    let size = json!({ "number": room.square_metres, "indYesOrNo": true });
    facilities.push(room_facility(facilities::ROOM_SIZE, words, size));
    let beds = room.beds.iter().map(|(bed, number)| {
        let mut body = numbered(Facility::of_bed(*bed), words);
        body.insert("number".to_owned(), json!(number));
        body
    });
    let stay = json!({
        "stayType": "BED",
        "order": "1",
        "description": "Bed room",
        "roomStayFacilities": beds.collect::<Vec<_>>(),
    });
    let body = json!({
        "roomCode": room.code,
        "isParentRoom": true,
        "minPax": 1,
        "maxPax": room.max_occupancy,
        "maxAdults": room.max_adults,
        "maxChildren": room.max_children,
        "minAdults": 1,
        "roomFacilities": facilities,
        "roomStays": [stay],
        "PMSRoomCode": format!("{kind}{characteristic}"),
    });
    let coded = match words {
        Words::Without => json!({ "roomType": kind, "characteristicCode": characteristic }),
        Words::With => json!({
            "description": room.name.to_uppercase(),
            "type": { "code": kind, "description": content(kind) },
            "characteristic": { "code": characteristic, "description": content(room.name.to_uppercase()) },
        }),
    };
    merged(body, coded)
}

fn numbered(facility: Facility, words: Words) -> Map<String, Value> {
    let mut body = json!({ "facilityCode": facility.code, "facilityGroupCode": facility.group });
    words.add(&mut body, content(facility.description));
    match body {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

fn room_facility(facility: Facility, words: Words, more: Value) -> Value {
    let body = merged(Value::Object(numbered(facility, words)), more);
    merged(body, json!({ "voucher": false }))
}

fn house_facilities(hotel: &Hotel, words: Words) -> Vec<Value> {
    let hour = |time: NaiveTime| time.format("%H:%M:%S").to_string();
    let call_fields = [
        (facilities::CITY_CENTRE, json!({ "distance": distance_m(hotel.city.point, hotel.point) })),
        (facilities::CHECK_IN, json!({ "timeFrom": hour(hotel.check_in_from()), "timeTo": "23:59:00" })),
        (facilities::CHECK_OUT, json!({ "timeFrom": "00:00:00", "timeTo": hour(hotel.check_out_until()) })),
    ];
    let found = hotel
        .amenities()
        .filter_map(Facility::of_house)
        .map(|facility| (facility, json!({ "indYesOrNo": true, "indLogic": true, "indFee": false })));
    let all = call_fields.into_iter().chain(found);
    all.map(|(facility, more)| room_facility(facility, words, merged(more, json!({ "order": 1 })))).collect()
}

/// The pictures below the host that has them all, the main one first.
fn images(hotel: &Hotel, words: Words) -> Vec<Value> {
    let images = (1..).zip(hotel.images());
    images
        .map(|(order, image): (u32, _)| {
            let path = image.url.splitn(4, '/').nth(3).unwrap_or_default();
            let (code, description) = image_type(image.caption);
            let body = json!({ "path": path, "order": order, "visualOrder": order });
            let coded = match words {
                Words::Without => json!({ "imageTypeCode": code }),
                Words::With => {
                    json!({ "type": { "code": code, "description": content(description) } })
                }
            };
            merged(body, coded)
        })
        .collect()
}

pub(super) const IMAGE_TYPES: [(&str, &str); 4] =
    [("GEN", "General view"), ("COM", "Lobby"), ("HAB", "Room"), ("RES", "Restaurant")];

fn image_type(caption: &str) -> (&'static str, &'static str) {
    let [general, lobby, room, restaurant] = IMAGE_TYPES;
    match caption {
        "Lobby" => lobby,
        "Room" | "Bathroom" => room,
        "Restaurant" => restaurant,
        _ => general,
    }
}
