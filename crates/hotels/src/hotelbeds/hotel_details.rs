//! A hotel as its content describes it, and their codes' words with which that is told.

use std::{borrow::Cow, collections::HashMap};

use wayfare_supply::{
    lenient::parse_leniently,
    plain_text::{self, name_of},
    reading::Unreadable,
};

use super::codes::{iso_country, stars};
use super::content_wire;
use super::parts::DESCRIBED;
use crate::{Address, HotelContent, HotelDetails, Image, RoomContent};

/// The vendor's public host of pictures, at the size that it calls bigger.
const PICTURES: &str = "https://photos.hotelbeds.com/giata/bigger/";
/// Of the pictures of a hotel so many are kept.
const MOST_IMAGES: usize = 30;

/// The group of what rooms have.
const OF_ROOMS: u32 = 60;
/// The groups of what a hotel offers its guests: facilities, catering, business, entertainment, health, meals, sports. The
/// others are facts of its building, cards, distances, labels and house rules.
const OF_GUESTS: [u32; 7] = [70, 71, 72, 73, 74, 80, 90];
/// The size of a room and the number of its bedrooms, which no room is without.
const MEASURES: [u32; 2] = [295, 298];

/// A facility's code, which its group makes unique.
type FacilityId = (u32, u32);

/// What their codes mean in one language.
#[derive(Debug, Default)]
pub(super) struct Words {
    accommodations: HashMap<String, String>,
    facilities: HashMap<FacilityId, String>,
    images: HashMap<String, String>,
}

impl Words {
    /// Their three lists.
    pub fn read(accommodations: &[u8], facilities: &[u8], images: &[u8]) -> Result<Self, Unreadable> {
        let text = |content: Option<content_wire::Content>| name(content.and_then(|content| content.content));
        let accommodations =
            parse_leniently::<content_wire::Accommodations>(accommodations, "", &DESCRIBED)?.accommodations;
        let facilities = parse_leniently::<content_wire::Facilities>(facilities, "", &DESCRIBED)?.facilities;
        let images = parse_leniently::<content_wire::ImageTypes>(images, "", &DESCRIBED)?.image_types;
        Ok(Self {
            accommodations: accommodations
                .into_iter()
                .filter_map(|one| Some((one.code, name(one.type_description)?.to_lowercase())))
                .collect(),
            facilities: facilities
                .into_iter()
                .filter_map(|one| Some(((one.code, one.facility_group_code), text(one.description)?)))
                .collect(),
            images: images.into_iter().filter_map(|one| Some((one.code, text(one.description)?))).collect(),
        })
    }

    fn of_facilities(&self, ids: &[FacilityId]) -> Vec<String> {
        ids.iter().filter_map(|id| self.facilities.get(id)).cloned().collect()
    }
}

/// What is kept of a hotel.
#[derive(Debug)]
pub(super) struct Described {
    code: u32,
    name: Option<String>,
    description: Option<String>,
    address: Address,
    category: Option<String>,
    accommodation: Option<String>,
    phone: Option<String>,
    email: Option<String>,
    images: Vec<Picture>,
    amenities: Vec<FacilityId>,
    room_amenities: Vec<FacilityId>,
    rooms: HashMap<String, Beds>,
}

#[derive(Debug)]
struct Picture {
    url: String,
    kind: Option<String>,
}

#[derive(Debug)]
struct Beds {
    max_occupancy: Option<u32>,
    /// How many of each.
    beds: Vec<(u32, FacilityId)>,
}

impl Described {
    pub fn of(theirs: content_wire::Hotel) -> Self {
        let text = |content: Option<content_wire::Content>| name(content.and_then(|content| content.content));
        let description = theirs.description.and_then(|description| description.content);
        let country = filled(theirs.country_code);
        let in_rooms = theirs.rooms.iter().flat_map(|room| &room.room_facilities);
        let room_amenities = present(theirs.facilities.iter().chain(in_rooms), |group| group == OF_ROOMS);
        Self {
            code: theirs.code,
            name: text(theirs.name),
            description: description.map(|text| plain_text::text(&text)).filter(|text| !text.is_empty()),
            address: Address {
                line1: text(theirs.address),
                city: text(theirs.city),
                country: country.map(|code| iso_country(&code).to_owned()),
            },
            category: filled(theirs.category_code),
            accommodation: filled(theirs.accommodation_type_code),
            phone: phone(theirs.phones),
            email: filled(theirs.email),
            images: pictures(theirs.images),
            amenities: present(theirs.facilities.iter(), |group| OF_GUESTS.contains(&group)),
            room_amenities,
            rooms: theirs.rooms.into_iter().map(|room| (room.room_code.clone(), beds(room))).collect(),
        }
    }

    /// What is kept of it.
    pub fn content(&self, words: &Words) -> HotelContent {
        let rooms = self.rooms.iter().map(|(code, room)| {
            let told = RoomContent { max_occupancy: room.max_occupancy, bed_type: room.in_words(words) };
            (code.clone(), told)
        });
        HotelContent { details: self.details(words), rooms: rooms.collect() }
    }

    fn details(&self, words: &Words) -> HotelDetails {
        HotelDetails {
            id: self.code.to_string(),
            name: self.name.clone().unwrap_or_else(|| self.code.to_string()),
            stars: self.category.as_deref().and_then(stars),
            property_type: self.property_type(words),
            description: self.description.clone(),
            address: self.address.clone(),
            phone: self.phone.clone(),
            email: self.email.clone(),
            images: self.images(words),
            amenities: words.of_facilities(&self.amenities),
            room_amenities: words.of_facilities(&self.room_amenities),
            // It is told rate by rate, as their boards.
            has_free_breakfast: None,
        }
    }

    fn property_type(&self, words: &Words) -> Option<String> {
        words.accommodations.get(self.accommodation.as_ref()?).cloned()
    }

    fn images(&self, words: &Words) -> Vec<Image> {
        let image = |picture: &Picture| Image {
            url: picture.url.clone(),
            kind: picture.kind.as_ref().and_then(|kind| words.images.get(kind)).cloned(),
        };
        self.images.iter().map(image).collect()
    }
}

impl Beds {
    /// `2 × Single bed 80-130 width`
    fn in_words(&self, words: &Words) -> Option<String> {
        let one = |(count, id): &(u32, FacilityId)| Some(format!("{count} × {}", words.facilities.get(id)?));
        let beds: Vec<String> = self.beds.iter().filter_map(one).collect();
        (!beds.is_empty()).then(|| beds.join(", "))
    }
}

fn beds(room: content_wire::Room) -> Beds {
    let facilities = room.room_stays.into_iter().flat_map(|stay| stay.room_stay_facilities);
    Beds {
        max_occupancy: room.max_pax,
        beds: facilities
            .map(|bed| (bed.number.unwrap_or(1), (bed.facility_code, bed.facility_group_code)))
            .collect(),
    }
}

/// What is said to be there, each once.
fn present<'a>(
    facilities: impl Iterator<Item = &'a content_wire::Facility>,
    is_wanted: impl Fn(u32) -> bool,
) -> Vec<FacilityId> {
    let mut present = Vec::new();
    for facility in facilities {
        let marks = [facility.ind_logic, facility.ind_yes_or_no];
        let is_there = marks.contains(&Some(true)) && !marks.contains(&Some(false));
        let id = (facility.facility_code, facility.facility_group_code);
        let is_measure = id.1 == OF_ROOMS && MEASURES.contains(&id.0);
        if is_there && is_wanted(id.1) && !is_measure && !present.contains(&id) {
            present.push(id);
        }
    }
    present
}

/// The most telling first, as they order them.
fn pictures(mut images: Vec<content_wire::Image>) -> Vec<Picture> {
    images.sort_by_key(|image| image.visual_order.unwrap_or(u32::MAX));
    let usable = images.into_iter().filter(|image| !image.path.is_empty());
    usable
        .take(MOST_IMAGES)
        .map(|image| Picture {
            url: format!("{PICTURES}{}", image.path.trim_start_matches('/')),
            kind: image.image_type_code,
        })
        .collect()
}

/// The hotel's own, else any but a fax.
fn phone(phones: Vec<content_wire::Phone>) -> Option<String> {
    let rank = |phone: &content_wire::Phone| match phone.phone_type.as_deref() {
        Some("PHONEHOTEL") => 0,
        Some("FAXNUMBER") => 2,
        _ => 1,
    };
    let best = phones.into_iter().min_by_key(rank).filter(|phone| rank(phone) < 2);
    best.and_then(|phone| filled(Some(phone.phone_number)))
}

/// For people.
fn name(text: Option<String>) -> Option<String> {
    name_of(&text).map(Cow::into_owned)
}

fn filled(text: Option<String>) -> Option<String> {
    let text = text?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}
