//! What hotels are, as LiteAPI describes them.

use std::borrow::Cow;

use rust_decimal::Decimal;
use wayfare_domain::Amount;
use wayfare_supply::{
    plain_text::{self, name_of},
    reading::{distinct, filled},
};

use super::wire::{Facts, Hotel};
use crate::{Address, HotelDetails, HotelResult, Image};

/// Tells of the hotel what was not told before.
pub(super) fn tell(hotel: &mut HotelResult, facts: &Facts) {
    fn fill(known: &mut Option<String>, stated: &Option<String>) {
        if known.is_none() {
            *known = name(stated);
        }
    }
    if hotel.name.is_empty() {
        hotel.name = name(&facts.name).unwrap_or_default();
    }
    // A search tells the whole address in one line, a list its parts.
    if facts.city().is_some() {
        hotel.address.line1 = name(&facts.address).or(hotel.address.line1.take());
    }
    fill(&mut hotel.address.line1, &facts.address);
    fill(&mut hotel.address.city, facts.city());
    if hotel.address.country.is_none() {
        hotel.address.country = country(facts.country());
    }
    hotel.stars = hotel.stars.or(stars(facts.stars));
    // Both or neither, and 0, 0 is the sea where their unknown hotels lie.
    if let (None, Some(Amount(latitude)), Some(Amount(longitude))) =
        (hotel.latitude, facts.latitude, facts.longitude)
        && !(latitude.is_zero() && longitude.is_zero())
    {
        (hotel.latitude, hotel.longitude) = (Some(latitude), Some(longitude));
    }
    if hotel.images.is_empty() {
        hotel.images.extend(filled(&facts.main_photo).map(image));
    }
}

/// All that is told of a hotel.
pub(super) fn details(theirs: Hotel) -> HotelDetails {
    let pictures = theirs.hotel_images.iter().filter(|photo| !photo.url.is_empty());
    let mut images: Vec<Image> =
        pictures.map(|photo| Image { url: photo.url.clone(), kind: name(&photo.caption) }).collect();
    if images.is_empty() {
        images.extend(filled(&theirs.main_photo).map(image));
    }
    let amenities = names(theirs.hotel_facilities.iter().map(String::as_str));
    let in_rooms = theirs.rooms.iter().flat_map(|room| room.room_amenities.iter());
    let says_free_breakfast = |amenity: &String| amenity.to_ascii_lowercase().contains("free breakfast");
    HotelDetails {
        stars: stars(theirs.star_rating),
        property_type: name(&theirs.hotel_type).as_deref().and_then(property_type),
        description: filled(&theirs.hotel_description).map(plain_text::text),
        address: Address {
            line1: name(&theirs.address),
            city: name(&theirs.city),
            country: country(&theirs.country),
        },
        phone: filled(&theirs.phone).map(str::to_owned),
        email: filled(&theirs.email).map(str::to_owned),
        images,
        room_amenities: names(in_rooms.map(|amenity| amenity.name.as_str())),
        has_free_breakfast: amenities.iter().any(says_free_breakfast).then_some(true),
        amenities,
        name: name(&theirs.name).unwrap_or_else(|| theirs.id.clone()),
        id: theirs.id,
    }
}

/// `Apartments` is the type of an `apartment`.
pub(super) fn property_type(name: &str) -> Option<String> {
    let name = name.trim().to_lowercase();
    let one = match name.strip_suffix('s') {
        Some(one) if !one.ends_with('s') => one,
        _ => &name,
    };
    (!one.is_empty() && one != "not available").then(|| one.to_owned())
}

fn stars(theirs: Option<Amount>) -> Option<Decimal> {
    let stars = theirs?.0;
    (stars >= Decimal::new(5, 1) && stars <= Decimal::from(5)).then_some(stars)
}

/// Written in small letters here and there.
fn country(theirs: &Option<String>) -> Option<String> {
    let code = filled(theirs)?.trim().to_ascii_uppercase();
    (code.len() == 2 && code.bytes().all(|c| c.is_ascii_uppercase())).then_some(code)
}

fn image(url: &str) -> Image {
    Image { url: url.to_owned(), kind: None }
}

fn name(theirs: &Option<String>) -> Option<String> {
    name_of(theirs).map(Cow::into_owned)
}

/// Each once.
fn names<'a>(theirs: impl Iterator<Item = &'a str>) -> Vec<String> {
    let names: Vec<Cow<'a, str>> = theirs.filter_map(plain_text::name).collect();
    let names = distinct(names.iter().map(|name| &**name)).into_iter();
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_one_of_its_kind_in_small_letters() {
        for (name, expected) in [
            ("Hotels", Some("hotel")),
            ("Guest houses", Some("guest house")),
            ("Wilderness", Some("wilderness")),
            ("Resort", Some("resort")),
            ("Not Available", None),
            (" ", None),
        ] {
            assert_eq!(property_type(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn stars_and_countries_are_what_they_are_or_nothing() {
        for (written, expected) in [("2.5", true), ("0.5", true), ("5", true), ("0", false), ("8.5", false)] {
            let stars = stars(Some(Amount(written.parse().unwrap())));
            assert_eq!(stars.is_some(), expected, "{written}");
        }
        assert_eq!(country(&Some("us".to_owned())).as_deref(), Some("US"));
        assert_eq!(country(&Some("United States".to_owned())), None);
        assert_eq!(country(&None), None);
    }
}
