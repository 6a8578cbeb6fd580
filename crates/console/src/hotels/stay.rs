//! What stay is searched for, as it stands in the address of the page.

use chrono::NaiveDate;
use sha2::{Digest, Sha256};
use wayfare_client::{
    Error,
    hotels::{City, HotelSearch, Location, RoomGuests},
};

use crate::{
    BASE,
    form::{Fields, Wrongs},
};

/// So many rooms can be searched for at once.
const ROOMS: usize = 9;
/// So many people can be in one.
const ADULTS: u8 = 9;
/// From this age on nobody is a child.
const GROWN_UP: u8 = 18;

#[derive(Clone, Debug)]
pub struct Stay {
    /// As typed: a name, or a name with the city's code in brackets.
    pub place: String,
    /// `YYYY-MM-DD`.
    pub check_in: String,
    /// `YYYY-MM-DD`.
    pub check_out: String,
    pub rooms: Vec<Room>,
    pub nationality: String,
    /// How often it was searched anew: each time is a search of its own.
    pub again: u32,
}

#[derive(Clone, Debug)]
pub struct Room {
    /// From 0.
    pub number: usize,
    pub adults: String,
    /// As typed: `4, 9`.
    pub ages: String,
}

impl Room {
    /// A field's name on the form, which is that of the API.
    pub fn field(&self, name: &str) -> String {
        format!("rooms[{}].{name}", self.number)
    }

    fn read(number: usize, fields: &Fields) -> Self {
        let mut room = Self { number, adults: String::new(), ages: String::new() };
        let adults = fields.given(&room.field("adults"));
        room.adults = adults.unwrap_or_else(|| "2".to_owned());
        fields.get(&room.field("children_ages")).clone_into(&mut room.ages);
        room
    }

    fn guests(&self, wrongs: &mut Wrongs) -> RoomGuests {
        let adults = self.adults.parse().unwrap_or(0);
        if !(1..=ADULTS).contains(&adults) {
            wrongs.add(&self.field("adults"), format!("Must be 1 to {ADULTS}"));
        }
        let words = self.ages.split([',', ';', ' ']).filter(|word| !word.is_empty());
        let ages: Option<Vec<u8>> =
            words.map(|word| word.parse().ok().filter(|age| *age < GROWN_UP)).collect();
        if ages.is_none() {
            wrongs.add(&self.field("children_ages"), "Must be numbers from 0 to 17, such as 4, 9");
        }
        RoomGuests::family(adults, &ages.unwrap_or_default())
    }
}

impl Stay {
    /// As it was typed, whatever that is.
    pub fn read(fields: &Fields) -> Self {
        let day = |name: &str, later: u64| {
            fields.given(name).unwrap_or_else(|| crate::day::in_days(later).to_string())
        };
        let rooms = fields.number("edit").or_else(|| fields.number("rooms"));
        let rooms = rooms.unwrap_or(1_usize).clamp(1, ROOMS);
        Self {
            place: fields.get("place").to_owned(),
            check_in: day("check_in", 14),
            check_out: day("check_out", 16),
            rooms: (0..rooms).map(|number| Room::read(number, fields)).collect(),
            nationality: fields.given("nationality").unwrap_or_else(|| "IN".to_owned()).to_ascii_uppercase(),
            again: fields.number("again").unwrap_or(0),
        }
    }

    /// Whether anything is searched for.
    pub fn is_begun(&self) -> bool {
        !self.place.is_empty()
    }

    /// One room more, where that can be.
    pub fn one_more(&self) -> Option<usize> {
        (self.rooms.len() < ROOMS).then_some(self.rooms.len() + 1)
    }

    /// One room less, where that can be.
    pub fn one_less(&self) -> Option<usize> {
        (self.rooms.len() > 1).then_some(self.rooms.len() - 1)
    }

    /// The days, where they are days.
    pub fn days(&self) -> Option<(NaiveDate, NaiveDate)> {
        self.check_in.parse().ok().zip(self.check_out.parse().ok())
    }

    /// The search, or what is wrong with it.
    pub fn search(&self) -> Result<HotelSearch, Wrongs> {
        let mut wrongs = Wrongs::default();
        if self.place.is_empty() {
            wrongs.add("place", "Type a city");
        }
        let (check_in, check_out) = (self.check_in.parse::<NaiveDate>(), self.check_out.parse::<NaiveDate>());
        if check_in.is_err() {
            wrongs.add("check_in", "Choose a day");
        }
        match (&check_in, &check_out) {
            (_, Err(_)) => wrongs.add("check_out", "Choose a day"),
            (Ok(first), Ok(last)) if last <= first => {
                wrongs.add("check_out", "Must be after the day of check-in");
            }
            _ => {}
        }
        let rooms = self.rooms.iter().map(|room| room.guests(&mut wrongs)).collect();
        let is_country = self.nationality.len() == 2
            && self.nationality.bytes().all(|letter| letter.is_ascii_alphabetic());
        if !is_country {
            wrongs.add("nationality", "Must be two letters, such as IN");
        }
        let (Ok(check_in), Ok(check_out), true) = (check_in, check_out, wrongs.is_empty()) else {
            return Err(wrongs);
        };
        let mut search = HotelSearch::of(location(&self.place), check_in, check_out).rooms(rooms);
        search.guest_nationality = Some(self.nationality.clone());
        Ok(search)
    }

    pub fn pairs(&self) -> Vec<(String, String)> {
        let mut pairs = vec![
            ("place".to_owned(), self.place.clone()),
            ("check_in".to_owned(), self.check_in.clone()),
            ("check_out".to_owned(), self.check_out.clone()),
            ("nationality".to_owned(), self.nationality.clone()),
            ("rooms".to_owned(), self.rooms.len().to_string()),
        ];
        for room in &self.rooms {
            pairs.push((room.field("adults"), room.adults.clone()));
            if !room.ages.is_empty() {
                pairs.push((room.field("children_ages"), room.ages.clone()));
            }
        }
        if self.again > 0 {
            pairs.push(("again".to_owned(), self.again.to_string()));
        }
        pairs
    }

    pub fn query(&self) -> String {
        serde_urlencoded::to_string(self.pairs()).unwrap_or_default()
    }

    /// Where the same is searched, of which suppliers are asked anew.
    pub fn search_again(&self) -> String {
        let again = Self { again: self.again.saturating_add(1), ..self.clone() };
        format!("{BASE}/hotels?{}", again.query())
    }

    /// What the service keeps the search under: the same for the same session, so that a console which has forgotten the
    /// search is told the same rates.
    pub fn id(&self, session: &str) -> String {
        let hash = Sha256::digest(format!("{session} {}", self.query()));
        let hex = hash.iter().take(16).map(|byte| format!("{byte:02x}"));
        format!("console-{}", hex.collect::<String>())
    }

    pub fn about(&self) -> String {
        let nights = self.days().map_or(0, |(first, last)| (last - first).num_days());
        let count = |number: i64, word: &str| match number {
            1 => format!("1 {word}"),
            number => format!("{number} {word}s"),
        };
        let rooms = i64::try_from(self.rooms.len()).unwrap_or_default();
        format!("{}, {}", count(nights, "night"), count(rooms, "room"))
    }
}

/// What stands in the field of a city that was chosen.
pub fn label(city: &City) -> String {
    format!("{}, {} ({})", city.name, city.country_code, city.code)
}

/// Whether it was chosen from the list: a name with its code behind it.
pub fn is_chosen(typed: &str) -> bool {
    code(typed).is_some()
}

fn code(typed: &str) -> Option<&str> {
    let code = typed.rsplit_once('(').and_then(|(_, rest)| rest.trim_end().strip_suffix(')'));
    let code = code.map(str::trim);
    code.filter(|code| !code.is_empty() && code.bytes().all(|letter| letter.is_ascii_alphanumeric()))
}

/// A city by its code, where one stands in brackets, else by its name.
fn location(typed: &str) -> Location {
    match code(typed) {
        Some(code) => Location::City { code: Some(code.to_owned()), name: None },
        None => Location::city(typed),
    }
}

/// What the API finds wrong with a search, at the fields of the form.
pub fn wrongs_of(error: &Error) -> Wrongs {
    Wrongs::of(error).renamed(|field| {
        if field.starts_with("location") {
            return "place".to_owned();
        }
        match field.split_once("children_ages") {
            Some((before, _)) => format!("{before}children_ages"),
            None if field == "guest_nationality" => "nationality".to_owned(),
            None => field.to_owned(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stay(pairs: &[(&str, &str)]) -> Stay {
        Stay::read(&Fields::of(pairs.iter().copied()))
    }

    #[test]
    fn what_is_wrong_is_told_by_field() {
        let wrong = stay(&[
            ("place", "Goa"),
            ("check_in", "2027-03-05"),
            ("check_out", "2027-03-05"),
            ("rooms", "2"),
            ("rooms[0].adults", "0"),
            ("rooms[1].children_ages", "4, nine"),
            ("nationality", "India"),
        ]);
        let wrongs = wrong.search().unwrap_err();
        let fields: Vec<&str> = wrongs.iter().map(|wrong| wrong.field.as_str()).collect();
        assert_eq!(fields, ["check_out", "rooms[0].adults", "rooms[1].children_ages", "nationality"]);
        assert!(stay(&[("check_in", "no day")]).search().is_err());
    }

    #[test]
    fn the_address_has_the_whole_search() {
        let right = stay(&[
            ("place", "Mumbai, IN (BOM1)"),
            ("check_in", "2027-03-05"),
            ("check_out", "2027-03-07"),
            ("rooms", "2"),
            ("rooms[1].adults", "1"),
            ("rooms[1].children_ages", "4,9"),
        ]);
        let search = right.search().unwrap();
        assert_eq!(search.rooms, [RoomGuests::adults(2), RoomGuests::family(1, &[4, 9])]);
        assert_eq!(search.location, Location::City { code: Some("BOM1".to_owned()), name: None });
        let again = serde_urlencoded::from_str::<Vec<(String, String)>>(&right.query()).unwrap();
        let again = Stay::read(&Fields(again));
        assert_eq!(again.query(), right.query());
        assert_eq!(again.id("a"), right.id("a"));
        assert_ne!(again.id("a"), right.id("b"));
        assert_ne!(again.search_again(), format!("{BASE}/hotels?{}", right.query()));
        assert_eq!(right.about(), "2 nights, 2 rooms");
    }
}
