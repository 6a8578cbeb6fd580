//! Distances on the globe. The one place with floating-point numbers: they measure kilometres, never money.

use rust_decimal::Decimal;

const MEAN_EARTH_RADIUS_KM: f64 = 6371.0088;

/// A point of the globe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// North of the equator in millionths of a degree; south is negative.
    pub north: i32,
    /// East of Greenwich in millionths of a degree; west is negative.
    pub east: i32,
}

impl Point {
    /// Latitude in degrees, to six decimal places.
    pub fn latitude(self) -> Decimal {
        Decimal::new(i64::from(self.north), 6)
    }

    /// Longitude in degrees, to six decimal places.
    pub fn longitude(self) -> Decimal {
        Decimal::new(i64::from(self.east), 6)
    }
}

/// Great-circle distance between two points, in whole metres.
pub fn distance_m(from: Point, to: Point) -> u32 {
    rounded(from, to, 1000.0)
}

/// Great-circle distance between two points, in whole kilometres.
pub(crate) fn distance_km(from: Point, to: Point) -> u32 {
    rounded(from, to, 1.0)
}

#[allow(clippy::float_arithmetic, reason = "trigonometry; the result is rounded to whole units")]
fn rounded(from: Point, to: Point, units_per_km: f64) -> u32 {
    let radians = |microdegrees: i32| (f64::from(microdegrees) / 1e6).to_radians();
    let (from_latitude, to_latitude) = (radians(from.north), radians(to.north));
    let latitude_half = (to_latitude - from_latitude) / 2.0;
    let longitude_half = (radians(to.east) - radians(from.east)) / 2.0;
    let haversine =
        latitude_half.sin().powi(2) + from_latitude.cos() * to_latitude.cos() * longitude_half.sin().powi(2);
    let kilometres = 2.0 * MEAN_EARTH_RADIUS_KM * haversine.sqrt().min(1.0).asin();
    // Between 0 and half of the globe (20 015 km): the conversion cuts nothing off.
    (kilometres * units_per_km).round() as u32
}
