//! What the lists of flights and of stays that were booked have in common: tabs with their counts, and what can be typed to find
//! one.

use serde::de::DeserializeOwned;
use wayfare_client::{BookingCounts, BookingFilter, Error, List, enums::BookingGroup};

use crate::{booked::Booked, booking_address, is_booking, prelude::*};

const ROWS: u32 = 25;

const SEARCH: [&str; 3] = ["q", "from", "to"];

/// All that an address says of a list, but its page.
const ALL: [&str; 4] = ["group", "q", "from", "to"];

/// The tabs of a list, each with its group, and how many bookings that has.
type TabRow = (&'static str, &'static str, fn(&BookingCounts) -> i64);

static TABS: [TabRow; 6] = [
    ("", "All", all),
    ("needs_attention", "Needs attention", |counts| counts.by_group.needs_attention),
    ("upcoming", "Upcoming", |counts| counts.by_group.upcoming),
    ("on_hold", "On hold", |counts| counts.by_group.on_hold),
    ("past", "Past", |counts| counts.by_group.past),
    ("ended", "Cancelled", |counts| counts.by_group.ended),
];

fn all(counts: &BookingCounts) -> i64 {
    let by = &counts.by_status;
    [by.pending, by.confirmed, by.cancelled, by.failed].iter().sum()
}

pub struct Tab {
    pub name: &'static str,
    pub address: String,
    pub count: i64,
    pub is_current: bool,
}

/// A list of one product.
pub struct Place {
    pub path: &'static str,
    /// With what references of the other product begin, and where those are listed.
    pub other: (&'static str, &'static str),
    /// Only flights are held.
    pub holds: bool,
}

/// What stands above the rows.
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

/// The page of a list. A reference that is typed leads to its booking. A search is of all bookings, whichever tab it was
/// typed at.
pub async fn show<B: Booked + DeserializeOwned + Send + 'static, P: Template>(
    place: &Place,
    typed: Fields,
    shell_and_counts: impl Future<Output = Result<(Shell, BookingCounts), Error>>,
    bookings: impl FnOnce(&BookingFilter) -> List<B>,
    page: impl FnOnce(Shell, ListHead, Vec<B>) -> P,
) -> Answer {
    let reference = typed.get("q").to_ascii_uppercase();
    let (prefix, elsewhere) = place.other;
    if reference.starts_with(prefix) && is_booking(&reference) {
        return Ok(see_other(&format!("{elsewhere}?q={reference}")));
    }
    let (shell, counts) = shell_and_counts.await?;
    let mut wrongs = Wrongs::default();
    let is_searched = typed.says_something(&SEARCH);
    let group = TABS.iter().map(|(word, ..)| *word).find(|word| *word == typed.get("group"));
    let group = group.filter(|group| !group.is_empty() && !is_searched);
    let filter = BookingFilter {
        group: group.map(BookingGroup::from),
        text: typed.given("q"),
        from: typed.day("from", &mut wrongs),
        to: typed.day("to", &mut wrongs),
        ..BookingFilter::default()
    };
    let mut found = None;
    if wrongs.is_empty() {
        let number = typed.number("page").filter(|page| *page > 0).unwrap_or(1);
        match bookings(&filter).per_page(ROWS).page(number).await {
            Ok(page) => found = Some(page),
            Err(error) => {
                wrongs = Wrongs::of(&error);
                if wrongs.is_empty() {
                    return Err(error.into());
                }
            }
        }
    }
    let mut references = found.iter().flat_map(|page| &page.items).map(Booked::reference);
    if let Some(whole) = references.find(|found| found.eq_ignore_ascii_case(&reference)) {
        return Ok(see_other(&booking_address(whole)));
    }
    let tabs = TABS.iter().filter(|(word, ..)| place.holds || *word != "on_hold");
    let tabs = tabs.map(|&(word, name, count)| Tab {
        name,
        address: match word {
            "" => place.path.to_owned(),
            word => format!("{}?group={word}", place.path),
        },
        count: count(&counts),
        is_current: word == group.unwrap_or_default() && !is_searched,
    });
    let address = format!("{}?{}", place.path, typed.query(&ALL));
    let status = wrongs.status();
    let head = ListHead {
        place: place.path,
        tabs: tabs.collect(),
        is_searched,
        pager: found.as_ref().map(|page| Pager::of(page, &address)),
        typed,
        wrongs,
    };
    let rows = found.map(|page| page.items).unwrap_or_default();
    page::html_with(status, &page(shell, head, rows))
}
