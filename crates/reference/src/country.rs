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

/// The English name of a country by its alpha-2 code.
pub fn english_name(alpha2: &str) -> Option<&'static str> {
    USUAL_NAMES
        .iter()
        .find(|(code, _)| *code == alpha2)
        .map(|(_, name)| *name)
        .or_else(|| alpha2.parse::<Country>().ok().map(|country| country.name()))
}
