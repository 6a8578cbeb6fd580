//! Hotelbeds' codes in our words, and ours in theirs: languages, countries, boards, categories, references.

use rust_decimal::Decimal;
use wayfare_supply::reading::code;

use crate::MealPlan;

/// Their code of a language, where it is known; English where it isn't, as they would choose.
pub(super) fn language(iso: &str) -> &'static str {
    let known = [
        ("ar", "ARA"),
        ("ca", "CAT"),
        ("da", "DAN"),
        ("de", "ALE"),
        ("es", "CAS"),
        ("fr", "FRA"),
        ("hu", "HUN"),
        ("id", "IND"),
        ("it", "ITA"),
        ("ja", "JPN"),
        ("nl", "HOL"),
        ("no", "NOR"),
        ("pl", "POL"),
        ("sv", "SUE"),
        ("th", "TAI"),
        ("zh", "CHI"),
    ];
    let found = known.iter().find(|(ours, _)| *ours == iso);
    found.map_or("ENG", |(_, theirs)| theirs)
}

/// Their code of a country: ISO's but for one.
pub(super) fn their_country(iso: &str) -> &str {
    match iso {
        "GB" => "UK",
        other => other,
    }
}

/// ISO's code of a country of theirs.
pub(super) fn iso_country(theirs: &str) -> &str {
    match theirs {
        "UK" => "GB",
        other => other,
    }
}

/// What a board serves, by its code; by its name where the code is one of the many others.
pub(super) fn meal_plan(code: &str, name: &str) -> MealPlan {
    match code {
        "RO" | "SC" => return MealPlan::RoomOnly,
        "BB" | "AB" => return MealPlan::Breakfast,
        "HB" => return MealPlan::HalfBoard,
        "FB" => return MealPlan::FullBoard,
        "AI" => return MealPlan::AllInclusive,
        _ => {}
    }
    let name = name.to_uppercase();
    let named = [
        ("ALL INCLUSIVE", MealPlan::AllInclusive),
        ("FULL BOARD", MealPlan::FullBoard),
        ("HALF BOARD", MealPlan::HalfBoard),
        ("BREAKFAST", MealPlan::Breakfast),
        ("ROOM ONLY", MealPlan::RoomOnly),
    ];
    let found = named.iter().find(|(words, _)| name.contains(words));
    found.map_or(MealPlan::Other, |(_, plan)| *plan)
}

/// The stars that a category's code tells: `4EST`, `H3_5` (three and a half), `5LUX`. Keys and other marks are no stars.
pub(super) fn stars(category: &str) -> Option<Decimal> {
    let category = code(category);
    let number = match category.strip_prefix('H') {
        Some(half) => half.strip_suffix("_5").map(|whole| format!("{whole}.5")),
        None => {
            let whole = category.strip_suffix("EST").or_else(|| category.strip_suffix("LUX"));
            whole.map(str::to_owned)
        }
    };
    let stars: Decimal = number?.parse().ok()?;
    (Decimal::ONE..=Decimal::from(5)).contains(&stars).then_some(stars)
}

/// A hotel's code, which is a number.
pub(super) fn hotel_code(id: &str) -> Option<u32> {
    let code: u32 = id.parse().ok()?;
    // Nothing that a number's parser would forgive, such as a plus sign.
    (code.to_string() == id).then_some(code)
}

/// Whether it is a booking's reference, which goes into paths as it is: `207-12306403`.
pub(super) fn is_reference(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
    text.split_once('-').is_some_and(|(office, number)| digits(office) && digits(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_category_of_stars_tells_stars() {
        for (category, expected) in [
            ("1EST", Some("1")),
            ("4EST", Some("4")),
            ("H3_5", Some("3.5")),
            ("5LUX", Some("5")),
            ("H5_5", None),
            ("6EST", None),
            ("0EST", None),
            ("4LL", None),
            ("HS", None),
            ("H3", None),
            ("EST", None),
            ("", None),
        ] {
            let expected: Option<Decimal> = expected.map(|stars| stars.parse().unwrap());
            assert_eq!(stars(category), expected, "{category}");
        }
    }

    #[test]
    fn a_board_serves_what_its_code_or_its_name_says() {
        for (code, name, expected) in [
            ("RO", "NUR ÜBERNACHTUNG", MealPlan::RoomOnly),
            ("BB", "", MealPlan::Breakfast),
            ("HB", "HALF BOARD", MealPlan::HalfBoard),
            ("FB", "FULL BOARD", MealPlan::FullBoard),
            ("AI", "ALL INCLUSIVE", MealPlan::AllInclusive),
            ("CB", "Continental breakfast", MealPlan::Breakfast),
            ("TI", "All inclusive premium", MealPlan::AllInclusive),
            ("XX", "SOMETHING", MealPlan::Other),
        ] {
            assert_eq!(meal_plan(code, name), expected, "{code} {name}");
        }
    }

    #[test]
    fn codes_and_references_are_numbers_and_nothing_else() {
        assert_eq!(hotel_code("6619"), Some(6619));
        for id in ["", "-1", "+1", "007", "lp1897", "1/../2", "99999999999"] {
            assert_eq!(hotel_code(id), None, "{id}");
        }
        assert!(is_reference("207-12306403"));
        for reference in ["", "-", "207", "207-", "-1", "207-1?x=1", "207-1/..", "207-1-2", "a-1"] {
            assert!(!is_reference(reference), "{reference}");
        }
        assert_eq!((language("de"), language("xx"), language("en")), ("ALE", "ENG", "ENG"));
        assert_eq!((their_country("GB"), iso_country("UK"), their_country("IN")), ("UK", "GB", "IN"));
    }
}
