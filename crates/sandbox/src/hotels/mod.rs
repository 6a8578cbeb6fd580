//! Hotels of the world, their rooms and what those cost: what LiteAPI and Hotelbeds sell, each in its own words.
//!
//! All of it follows from the seed. A [`Hotel`] is in a city of the reference table and is the same one at both
//! suppliers, under an id of each that says which it is ([`HotelId`]). [`Hotel::rates`] lists for one room's guests what
//! can be had on which terms; How many rooms of a kind are left, whoever
//! sold the others, the order log knows. A supplier that sells at another level asks [`Rate::moved`].

mod content;
mod hotel;
mod hotel_id;
mod levies;
mod nearby;
mod rates;
mod rooms;
mod terms;

pub(crate) use content::{AMENITIES, Amenity};
pub(crate) use hotel::{Hotel, Style, number_of_hotels};
pub(crate) use hotel_id::HotelId;
pub(crate) use levies::{DueThere, Levy};
pub(crate) use nearby::{Area, hotels_in, hotels_within};
pub(crate) use rates::{Rate, RateKey};
pub(crate) use rooms::{Bed, Board, Guests, RoomKind, RoomType, Stay};
pub(crate) use terms::Terms;

#[cfg(test)]
mod tests;
