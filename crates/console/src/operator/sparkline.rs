//! A small line over time, as the path of an SVG: no script draws it, and it has the colours of the theme.

use std::fmt::Write;

const WIDTH: u64 = 240;
const HEIGHT: u64 = 40;

/// The path of these values from left to right: `most` is at the top, nothing at the bottom. Empty for less than two values.
pub fn path(values: &[u64], most: u64) -> String {
    let Some(steps) = u64::try_from(values.len()).unwrap_or_default().checked_sub(1) else {
        return String::new();
    };
    if steps == 0 {
        return String::new();
    }
    let most = most.max(1);
    let mut drawn = String::new();
    for (place, value) in (0u64..).zip(values) {
        let across = place * WIDTH / steps;
        // A unit is left at both ends, so that the line is seen whole.
        let up = u128::from(*value.min(&most)) * u128::from(HEIGHT - 2) / u128::from(most);
        let down = u128::from(HEIGHT - 1).saturating_sub(up);
        let letter = if place == 0 { 'M' } else { 'L' };
        // Writing into a text can't fail.
        let _ = write!(drawn, "{letter}{across} {down}");
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_from_left_to_right_and_the_most_is_at_the_top() {
        for (values, most, expected) in [
            (&[][..], 1, ""),
            (&[7][..], 7, ""),
            (&[0, 0][..], 0, "M0 39L240 39"),
            (&[0, 5, 10][..], 10, "M0 39L120 20L240 1"),
            (&[1, 0][..], 2, "M0 20L240 39"),
            (&[u64::MAX, 0][..], u64::MAX, "M0 1L240 39"),
            (&[9, 0][..], 3, "M0 1L240 39"),
        ] {
            assert_eq!(path(values, most), expected);
        }
    }
}
