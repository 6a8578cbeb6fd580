//! Hotels of the world, their rooms and what those cost: what LiteAPI and Hotelbeds sell, each in its own words.
//!
//! All of it follows from the seed. A [`Hotel`] stands in a city of the reference table and is the same one at both
//! suppliers, under an id of each that says which it is ([`HotelId`]). [`Hotel::rates`] tells for one room's guests what
//! can be had on which terms; [`rooms_left`] tells how many rooms of a kind are left, whoever sold the others. A supplier
//! that sells at another level asks [`Rate::moved`]. What is sold is kept as a [`Reservation`] within the supplier's own
//! booking, so that the order log tells it to both.

mod availability;
mod content;
mod hotel;
mod hotel_id;
mod levies;
mod nearby;
mod rates;
mod reservation;
mod rooms;
mod terms;

pub(crate) use availability::{has_rooms_for, rooms_left};
pub(crate) use content::{AMENITIES, Amenity};
pub(crate) use hotel::{Hotel, Style, number_of_hotels};
pub(crate) use hotel_id::HotelId;
pub(crate) use levies::{DueThere, Levy};
pub(crate) use nearby::{Area, hotels_in, hotels_within};
pub(crate) use rates::{Rate, RateKey};
pub(crate) use reservation::{BookedRoom, Cancellation, Reservation};
pub(crate) use rooms::{Bed, Board, Guests, RoomKind, RoomType, Stay};
pub(crate) use terms::Terms;

#[cfg(test)]
mod tests;
