//! A hotel: where it is, what kind of house it is, and what it charges beside others.

use chrono::NaiveTime;
use wayfare_reference::{City, Point, city};

use super::hotel_id::HotelId;
use crate::rng::Rng;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Hotel,
    Resort,
    Apartments,
    GuestHouse,
}

impl Style {
    pub(crate) const ALL: [Self; 4] = [Self::Hotel, Self::Resort, Self::Apartments, Self::GuestHouse];
}

/// A hotel of the sandbox's world. Cheap to make and to copy; its texts are made when they are asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hotel {
    pub(crate) seed: u64,
    pub(crate) id: HotelId,
    pub(crate) city: &'static City,
    pub(crate) style: Style,
    /// 1 to 5.
    pub(crate) stars: u8,
    /// Where it stands.
    pub(crate) point: Point,
    /// What it charges, in thousandths of what its like charge elsewhere.
    pub(super) level: u32,
}

/// How many hotels a city has: 10 to 60.
pub(crate) fn number_of_hotels(city: &City) -> u8 {
    match city.population {
        10_000_000.. => 60,
        5_000_000.. => 50,
        1_000_000.. => 40,
        300_000.. => 30,
        100_000.. => 20,
        50_000.. => 14,
        _ => 10,
    }
}

/// How far from its centre a city's hotels stand at most, either way, in millionths of a degree: 1.7 to 12 km.
fn spread_microdegrees(city: &City) -> u32 {
    (15_000 + city.population / 80).min(108_000)
}

impl Hotel {
    pub(crate) fn of(seed: u64, id: HotelId) -> Option<Self> {
        Self::in_city(seed, city(id.city)?, id.place)
    }

    /// A city's hotel at a place, where it has so many.
    pub(super) fn in_city(seed: u64, city: &'static City, place: u8) -> Option<Self> {
        if place >= number_of_hotels(city) {
            return None;
        }
        let id = HotelId { city: city.code, place };
        let mut rng = Rng::of(seed, &id.named("house"));
        let style = match rng.between(1, 20) {
            1..=12 => Style::Hotel,
            13..=15 => Style::Resort,
            16..=17 => Style::Apartments,
            _ => Style::GuestHouse,
        };
        let stars = match style {
            Style::Hotel => rng.between(2, 5),
            Style::Resort => rng.between(4, 5),
            Style::Apartments => rng.between(3, 4),
            Style::GuestHouse => rng.between(1, 3),
        };
        let spread = spread_microdegrees(city);
        let mut beside = |centre: i32| {
            let shift = i64::from(rng.between(0, 2 * spread)) - i64::from(spread);
            i32::try_from(i64::from(centre) + shift).unwrap_or(centre)
        };
        let north = beside(city.point.north).clamp(-90_000_000, 90_000_000);
        let east = beside(city.point.east).clamp(-180_000_000, 180_000_000);
        let in_city = Rng::of(seed, &format!("city/{}", city.code)).between(600, 1_300);
        let level = in_city * rng.between(800, 1_250) / 1_000;
        Some(Self {
            seed,
            id,
            city,
            style,
            stars: u8::try_from(stars).unwrap_or(5),
            point: Point { north, east },
            level,
        })
    }

    pub(crate) fn rng(&self, topic: &str) -> Rng {
        Rng::of(self.seed, &self.id.named(topic))
    }

    /// What guests think of it, in tenths: 60 to 97 of 100.
    pub(crate) fn rating_tenths(&self) -> u32 {
        self.rng("rating").between(60, 85) + 3 * u32::from(self.stars.saturating_sub(1))
    }

    pub(crate) fn reviews(&self) -> u32 {
        self.rng("reviews").between(12, 4_800)
    }

    /// When rooms are ready, local time.
    pub(crate) fn check_in_from(&self) -> NaiveTime {
        let hour = if self.stars < 3 { 14 } else { 15 };
        NaiveTime::from_hms_opt(hour, 0, 0).unwrap_or_default()
    }

    /// When rooms must be left, local time.
    pub(crate) fn check_out_until(&self) -> NaiveTime {
        let hour = if self.stars < 3 { 10 } else { 12 };
        NaiveTime::from_hms_opt(hour, 0, 0).unwrap_or_default()
    }
}
