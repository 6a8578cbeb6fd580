//! English names of countries, as a traveller says them.

use iso_country::Country;

/// ISO writes these for diplomats ("Iran (Islamic Republic of)"), marks them with footnotes, has them not at all, or has
/// renamed them since the table of the library was made.
const USUAL_NAMES: [(&str, &str); 31] = [
    ("BO", "Bolivia"),
    ("BQ", "Caribbean Netherlands"),
    ("CC", "Cocos Islands"),
    ("CD", "DR Congo"),
    ("CZ", "Czechia"),
    ("FK", "Falkland Islands"),
    ("FM", "Micronesia"),
    ("GB", "United Kingdom"),
    ("IR", "Iran"),
    ("KP", "North Korea"),
    ("KR", "South Korea"),
    ("LA", "Laos"),
    ("MD", "Moldova"),
    ("MF", "Saint Martin"),
    ("MK", "North Macedonia"),
    ("PS", "Palestine"),
    ("RU", "Russia"),
    ("SH", "Saint Helena"),
    ("SJ", "Svalbard and Jan Mayen"),
    ("SX", "Sint Maarten"),
    ("SY", "Syria"),
    ("SZ", "Eswatini"),
    ("TW", "Taiwan"),
    ("TZ", "Tanzania"),
    ("UM", "US Minor Outlying Islands"),
    ("US", "United States"),
    ("VE", "Venezuela"),
    ("VG", "British Virgin Islands"),
    ("VI", "US Virgin Islands"),
    ("VN", "Vietnam"),
    ("XK", "Kosovo"),
];

/// The library takes a text without letters for a country that nobody has named.
fn listed(alpha2: &str) -> Option<Country> {
    let country = alpha2.parse().ok()?;
    (country != Country::Unspecified).then_some(country)
}

/// The English name of a country by its alpha-2 code.
pub fn english_name(alpha2: &str) -> Option<&'static str> {
    USUAL_NAMES
        .iter()
        .find(|(code, _)| *code == alpha2)
        .map(|(_, name)| *name)
        .or_else(|| listed(alpha2).map(|country| country.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_codes_of_countries_have_names() {
        for (code, expected) in [
            ("IN", Some("India")),
            ("GB", Some("United Kingdom")),
            ("XK", Some("Kosovo")),
            ("", None),
            ("in", None),
            ("ZZ", None),
            ("IND", None),
        ] {
            assert_eq!(english_name(code), expected, "{code:?}");
        }
    }
}
