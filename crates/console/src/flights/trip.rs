//! What is searched for, as it stands in the address of the page.

use chrono::NaiveDate;
use wayfare_client::{
    enums::Cabin,
    flights::{FlightSearch, FoundPlace},
};

use crate::form::{Fields, Wrongs};

#[derive(Clone, Debug)]
pub struct Trip {
    pub is_return: bool,
    /// As typed: a code, or a name with the code in brackets, as the list gives it.
    pub from: String,
    pub to: String,
    /// `YYYY-MM-DD`.
    pub out: String,
    /// `YYYY-MM-DD`.
    pub back: String,
    /// 1 to 9.
    pub adults: u8,
    /// 0 to 9.
    pub children: u8,
    /// 0 to 9.
    pub infants: u8,
    pub cabin: String,
    pub is_direct: bool,
}

pub const CABINS: [(&str, &str); 4] = [
    ("ECONOMY", "Economy"),
    ("PREMIUM_ECONOMY", "Premium economy"),
    ("BUSINESS", "Business"),
    ("FIRST", "First"),
];

impl Trip {
    /// As it was typed, whatever that is.
    pub fn read(fields: &Fields) -> Self {
        let day = |name: &str, later: u64| {
            fields.given(name).unwrap_or_else(|| crate::day::in_days(later).to_string())
        };
        Self {
            is_return: fields.get("trip") != "one",
            from: fields.get("from").to_owned(),
            to: fields.get("to").to_owned(),
            out: day("out", 14),
            back: day("back", 21),
            adults: fields.number("adults").unwrap_or(1),
            children: fields.number("children").unwrap_or(0),
            infants: fields.number("infants").unwrap_or(0),
            cabin: fields.given("cabin").unwrap_or_else(|| "ECONOMY".to_owned()),
            is_direct: fields.is_ticked("direct"),
        }
    }

    /// One of its ends by its field: `from` or `to`.
    pub fn place(&mut self, field: &str) -> &mut String {
        if field == "from" { &mut self.from } else { &mut self.to }
    }

    /// Whether anything is searched for.
    pub fn is_begun(&self) -> bool {
        !self.from.is_empty() || !self.to.is_empty()
    }

    /// The search, or what is wrong with it.
    pub fn search(&self) -> Result<FlightSearch, Wrongs> {
        let mut wrongs = Wrongs::default();
        let from = code(&self.from);
        let to = code(&self.to);
        for (name, found) in [("from", &from), ("to", &to)] {
            if found.is_none() {
                wrongs.add(name, "Choose an airport or a city, or type its code of three letters");
            }
        }
        if from.is_some() && from == to {
            wrongs.add("to", "Must be another place");
        }
        let (out, back) = (day(&self.out), day(&self.back));
        if out.is_none() {
            wrongs.add("out", "Choose a day");
        }
        if self.is_return && back.is_none() {
            wrongs.add("back", "Choose a day, or search one way");
        } else if self.is_return && back < out {
            wrongs.add("back", "Must not be before the day of the way there");
        }
        if self.infants > self.adults {
            wrongs.add("infants", "At most one for each adult");
        }
        let (Some(from), Some(to), Some(out), true) = (from, to, out, wrongs.is_empty()) else {
            return Err(wrongs);
        };
        let search = match (self.is_return, back) {
            (true, Some(back)) => FlightSearch::round_trip(&from, &to, out, back),
            _ => FlightSearch::one_way(&from, &to, out),
        };
        let cities = [&self.from, &self.to].into_iter().filter(|typed| is_whole_city(typed));
        let search =
            cities.filter_map(|typed| code(typed)).fold(search, |search, code| search.whole_city(&code));
        let search = search
            .adults(self.adults)
            .children(self.children)
            .infants(self.infants)
            .cabin(Cabin::from(self.cabin.as_str()));
        Ok(if self.is_direct { search.direct_only() } else { search })
    }

    /// The fields that say it.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = vec![
            ("trip", if self.is_return { "return" } else { "one" }.to_owned()),
            ("from", self.from.clone()),
            ("to", self.to.clone()),
            ("out", self.out.clone()),
        ];
        if self.is_return {
            pairs.push(("back", self.back.clone()));
        }
        let people = [("adults", self.adults), ("children", self.children), ("infants", self.infants)];
        pairs.extend(people.map(|(name, count)| (name, count.to_string())));
        pairs.push(("cabin", self.cabin.clone()));
        if self.is_direct {
            pairs.push(("direct", "on".to_owned()));
        }
        pairs
    }

    pub fn query(&self) -> String {
        serde_urlencoded::to_string(self.pairs()).unwrap_or_default()
    }
}

/// What stands in the field of a place that was chosen.
pub fn label(place: &FoundPlace) -> String {
    let all = if place.kind == "city" { ALL_AIRPORTS } else { "" };
    format!("{}{all} ({})", place.name, place.code)
}

/// Behind the name of a city, whose code may be that of one of its airports, too.
const ALL_AIRPORTS: &str = ", all airports";

fn is_whole_city(typed: &str) -> bool {
    let name = typed.rsplit_once('(').map_or("", |(name, _)| name.trim_end());
    name.ends_with(ALL_AIRPORTS)
}

/// Whether it was chosen from the list: a name with its code behind it.
pub fn is_chosen(typed: &str) -> bool {
    typed.trim_end().ends_with(')') && code(typed).is_some()
}

/// The code in what was typed: `del`, `Delhi (DEL)`.
pub fn code(typed: &str) -> Option<String> {
    let inner = typed.trim().rsplit_once('(').map_or(typed, |(_, rest)| rest.trim_end_matches(')'));
    let inner = inner.trim();
    let is_code = inner.len() == 3 && inner.bytes().all(|letter| letter.is_ascii_alphabetic());
    is_code.then(|| inner.to_ascii_uppercase())
}

fn day(text: &str) -> Option<NaiveDate> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trip(pairs: &[(&str, &str)]) -> Trip {
        Trip::read(&Fields::of(pairs.iter().copied()))
    }

    #[test]
    fn codes_are_found_in_what_is_typed() {
        for (typed, expected) in [
            ("del", Some("DEL")),
            (" Delhi (DEL) ", Some("DEL")),
            ("London, all airports (LON)", Some("LON")),
            ("Delhi", None),
            ("", None),
            ("D1L", None),
        ] {
            assert_eq!(code(typed).as_deref(), expected, "{typed}");
        }
    }

    #[test]
    fn a_city_is_searched_with_all_its_airports() {
        let search = |from: &str| {
            let pairs = [("from", from), ("to", "DEL"), ("trip", "one"), ("out", "2027-03-05")];
            serde_json::to_value(trip(&pairs).search().unwrap()).unwrap()
        };
        assert_eq!(search("Mumbai, all airports (BOM)")["slices"][0]["origin_type"], "city");
        assert!(search("Chhatrapati Shivaji (BOM)")["slices"][0].get("origin_type").is_none());
        assert!(is_chosen("Mumbai, all airports (BOM) ") && !is_chosen("BOM") && !is_chosen("goa (beach)"));
    }

    #[test]
    fn what_is_wrong_is_told_by_field() {
        let wrong = trip(&[
            ("from", "DEL"),
            ("to", "del"),
            ("out", "2027-03-05"),
            ("back", "2027-03-01"),
            ("infants", "2"),
        ]);
        let wrongs = wrong.search().unwrap_err();
        let fields: Vec<&str> = wrongs.iter().map(|wrong| wrong.field.as_str()).collect();
        assert_eq!(fields, ["to", "back", "infants"]);
        let right = trip(&[("trip", "one"), ("from", "Delhi (DEL)"), ("to", "BOM"), ("out", "2027-03-05")]);
        assert!(right.search().is_ok());
        assert!(right.query().contains("from=Delhi+%28DEL%29"));
        // What comes out of the address is the same trip.
        let again = serde_urlencoded::from_str::<Vec<(String, String)>>(&right.query()).unwrap();
        assert_eq!(Trip::read(&Fields(again)).query(), right.query());
    }
}
