//! English names of countries, as a traveller says them.

/// ISO writes these for diplomats ("Iran (Islamic Republic of)"), marks them with footnotes, or has them not at all.
const USUAL_NAMES: [(&str, &str); 28] = [
    ("BO", "Bolivia"),
    ("BQ", "Caribbean Netherlands"),
    ("CC", "Cocos Islands"),
    ("CD", "DR Congo"),
    ("FK", "Falkland Islands"),
    ("FM", "Micronesia"),
    ("GB", "United Kingdom"),
    ("IR", "Iran"),
    ("KP", "North Korea"),
    ("KR", "South Korea"),
    ("LA", "Laos"),
    ("MD", "Moldova"),
    ("MF", "Saint Martin"),
    ("PS", "Palestine"),
    ("RU", "Russia"),
    ("SH", "Saint Helena"),
    ("SJ", "Svalbard and Jan Mayen"),
    ("SX", "Sint Maarten"),
    ("SY", "Syria"),
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
        .or_else(|| rust_iso3166::from_alpha2(alpha2).map(|country| country.name))
}
