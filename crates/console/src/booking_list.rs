//! What the lists of flights and of stays that were booked have in common: tabs with their counts, and what can be typed to find
//! one.

use actix_web::{HttpResponse, http::StatusCode};
use wayfare_client::{BookingCounts, BookingFilter, Error, Page, enums::BookingGroup};

use crate::{
    booking_address,
    failure::Failure,
    form::{Fields, Wrongs, day, query, says_something},
    is_booking,
    page::Pager,
    see_other,
};

pub const ROWS: u32 = 25;

const SEARCH: [&str; 3] = ["q", "from", "to"];

/// All that an address says of a list, but its page.
const ALL: [&str; 4] = ["group", "q", "from", "to"];

/// The tabs of a list, each with its group, and how many bookings that has.
type TabRow = (&'static str, &'static str, fn(&BookingCounts) -> u64);

static TABS: [TabRow; 6] = [
    ("", "All", all),
    ("needs_attention", "Needs attention", |counts| counts.by_group.needs_attention),
    ("upcoming", "Upcoming", |counts| counts.by_group.upcoming),
    ("on_hold", "On hold", |counts| counts.by_group.on_hold),
    ("past", "Past", |counts| counts.by_group.past),
    ("ended", "Cancelled", |counts| counts.by_group.ended),
];

fn all(counts: &BookingCounts) -> u64 {
    let by = &counts.by_status;
    [by.pending, by.confirmed, by.cancelled, by.failed].iter().sum()
}

pub struct Tab {
    pub name: &'static str,
    pub address: String,
    pub count: u64,
    pub is_current: bool,
}

pub struct Wanted {
    place: &'static str,
    pub filter: BookingFilter,
    pub number: u32,
    typed: Fields,
    wrongs: Wrongs,
}

pub struct ListHead {
    pub place: &'static str,
    pub typed: Fields,
    pub wrongs: Wrongs,
    /// The tabs; none is current while something is searched for.
    pub tabs: Vec<Tab>,
    /// Whether something is searched for.
    pub is_searched: bool,
    /// Where one stands in the list; none where there is no list, for something is wrong.
    pub pager: Option<Pager>,
}

impl Wanted {
    /// Of an address. A search is of all bookings, whichever tab it was typed at.
    pub fn read(place: &'static str, typed: Fields) -> Self {
        let mut wrongs = Wrongs::default();
        let is_searched = says_something(&typed, &SEARCH);
        let group = TABS.iter().find(|(word, ..)| *word == typed.get("group"));
        let group = group.map_or("", |(word, ..)| *word);
        Self {
            place,
            filter: BookingFilter {
                group: (!group.is_empty() && !is_searched).then(|| BookingGroup::from(group)),
                text: typed.given("q"),
                from: day(&typed, "from", &mut wrongs),
                to: day(&typed, "to", &mut wrongs),
                ..BookingFilter::default()
            },
            number: typed.number("page").filter(|page| *page > 0).unwrap_or(1),
            typed,
            wrongs,
        }
    }

    /// Whether the list can be asked for.
    pub fn is_right(&self) -> bool {
        self.wrongs.is_empty()
    }

    /// The list of the other kind of bookings, where its reference was typed.
    pub fn elsewhere(&self, prefix: &str, place: &str) -> Option<HttpResponse> {
        let typed = self.typed.get("q").to_ascii_uppercase();
        let is_other = typed.starts_with(prefix) && is_booking(&typed);
        is_other.then(|| see_other(&format!("{place}?q={typed}")))
    }

    /// The page of the list; none where the API finds something wrong with what was typed.
    pub fn found<T>(&mut self, read: Result<Page<T>, Error>) -> Result<Option<Page<T>>, Failure> {
        match read {
            Ok(page) => Ok(Some(page)),
            Err(error) => {
                let wrongs = Wrongs::of(&error, str::to_owned);
                if wrongs.is_empty() {
                    return Err(error.into());
                }
                self.wrongs = wrongs;
                Ok(None)
            }
        }
    }

    /// The booking that was typed whole, where the list has it.
    pub fn typed_whole<'a>(&self, mut references: impl Iterator<Item = &'a str>) -> Option<HttpResponse> {
        let typed = self.typed.get("q");
        let reference = references.find(|reference| reference.eq_ignore_ascii_case(typed))?;
        Some(see_other(&booking_address(reference)))
    }

    /// What stands above the rows. Only flights are held.
    pub fn head<T>(
        self,
        counts: &BookingCounts,
        page: Option<&Page<T>>,
        holds: bool,
    ) -> (StatusCode, ListHead) {
        let is_searched = says_something(&self.typed, &SEARCH);
        let current = self.filter.group.as_ref().map_or("", |group| group.as_str());
        let tabs = TABS.iter().filter(|(word, ..)| holds || *word != "on_hold");
        let tabs = tabs.map(|&(word, name, count)| Tab {
            name,
            address: match word {
                "" => self.place.to_owned(),
                word => format!("{}?group={word}", self.place),
            },
            count: count(counts),
            is_current: word == current && !is_searched,
        });
        let tabs = tabs.collect();
        let address = format!("{}?{}", self.place, query(&self.typed, &ALL));
        let status = self.wrongs.status();
        let head = ListHead {
            place: self.place,
            tabs,
            is_searched,
            pager: page.map(|page| Pager::of(page, &address)),
            typed: self.typed,
            wrongs: self.wrongs,
        };
        (status, head)
    }
}
