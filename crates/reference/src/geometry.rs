//! Distances on the globe. The one place with floating-point numbers: they measure kilometres, never money.

const MEAN_EARTH_RADIUS_KM: f64 = 6371.0088;

/// Great-circle distance between two points of (latitude, longitude) in millionths of a degree, in whole metres.
pub fn distance_m(from: (i32, i32), to: (i32, i32)) -> u32 {
    rounded(from, to, 1000.0)
}

/// Great-circle distance between two points of (latitude, longitude) in millionths of a degree.
pub(crate) fn distance_km(from: (i32, i32), to: (i32, i32)) -> u32 {
    rounded(from, to, 1.0)
}

#[allow(clippy::float_arithmetic, reason = "trigonometry; the result is rounded to whole units")]
fn rounded(from: (i32, i32), to: (i32, i32), units_per_km: f64) -> u32 {
    let radians = |microdegrees: i32| (f64::from(microdegrees) / 1e6).to_radians();
    let (from_latitude, to_latitude) = (radians(from.0), radians(to.0));
    let latitude_half = (to_latitude - from_latitude) / 2.0;
    let longitude_half = (radians(to.1) - radians(from.1)) / 2.0;
    let haversine =
        latitude_half.sin().powi(2) + from_latitude.cos() * to_latitude.cos() * longitude_half.sin().powi(2);
    let kilometres = 2.0 * MEAN_EARTH_RADIUS_KM * haversine.sqrt().min(1.0).asin();
    // Between 0 and half of the globe (20 015 km): the conversion cuts nothing off.
    (kilometres * units_per_km).round() as u32
}
