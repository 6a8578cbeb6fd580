//! Ours to theirs: what is bought with the fare, in the words of a booking.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::{PassengerType, Traveller};

use super::order_wire::{List, NewService};
use crate::{Ancillary, AncillaryKind, Extra, Wanted};

/// What is kept for selling what can be bought with a review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OnTheShelf {
    /// By the places of the order's flights the ids under which things are ordered for them.
    pub segments: Vec<Option<String>>,
    /// The codes of seats that are not their designators.
    pub seat_codes: Vec<SeatCode>,
    /// In which lists the codes are ordered that are neither baggage, meals nor seats.
    pub others: BTreeMap<String, List>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SeatCode {
    pub segment: u16,
    pub seat: String,
    pub code: String,
}

/// The words of an [`Extra`].
#[derive(Debug, Serialize, Deserialize)]
struct Ordered<'a> {
    list: List,
    key: &'a str,
    code: &'a str,
}

impl List {
    /// By the word under which a review sells it; none where no booking is known to take it.
    pub fn of(word: &str) -> Option<Self> {
        Some(match word {
            "BAGGAGE" => Self::Baggage,
            "MEAL" => Self::Meal,
            "SEAT" => Self::Seat,
            "FASTFORWARD" => Self::FastForward,
            "EXTRASERVICES" => Self::ExtraService,
            _ => return None,
        })
    }

    pub fn kind(self) -> AncillaryKind {
        match self {
            Self::Baggage => AncillaryKind::Baggage,
            Self::Meal => AncillaryKind::Meal,
            Self::Seat => AncillaryKind::Seat,
            Self::FastForward | Self::ExtraService => AncillaryKind::Other,
        }
    }
}

/// The words of each of these, or the place of one that can't be had and why.
pub(super) fn order_words(
    shelf: &Value,
    travellers: &[Traveller],
    wanted: &[Wanted<'_>],
) -> Result<Vec<Value>, (usize, String)> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let shelf: OnTheShelf = serde_path_to_error::deserialize(shelf)
        .map_err(|error| (0, format!("is not on a shelf that can be read: {error}")))?;
    let mut words = Vec::new();
    for (place, this) in wanted.iter().enumerate() {
        let others = wanted.get(..place).unwrap_or_default();
        let word = match unfit(this, travellers).or_else(|| shelf.clash(this, others)) {
            Some(reason) => Err(reason.to_owned()),
            None => shelf.word(this.ancillary),
        };
        words.push(word.map_err(|reason| (place, reason))?);
    }
    Ok(words)
}

/// Why the traveller can't have it, whatever else is wanted.
fn unfit(this: &Wanted<'_>, travellers: &[Traveller]) -> Option<&'static str> {
    let traveller = travellers
        .iter()
        .find(|traveller| traveller.index == this.traveller);
    match traveller {
        None => Some("is for nobody on the order"),
        Some(traveller) if traveller.kind == PassengerType::Infant => Some("is not for infants"),
        Some(_) if this.quantity != 1 => Some("can be had once"),
        Some(_) => None,
    }
}

impl OnTheShelf {
    /// Why it can't be had beside what else is wanted: an order tells one thing of a list for each traveller and flight.
    fn clash(&self, this: &Wanted<'_>, others: &[Wanted<'_>]) -> Option<&'static str> {
        let list = self.list(this.ancillary);
        let meets = |other: &&Wanted<'_>| {
            let mut segments = this.ancillary.segments.iter();
            self.list(other.ancillary) == list
                && segments.any(|segment| other.ancillary.segments.contains(segment))
        };
        others.iter().filter(meets).find_map(|other| {
            if other.traveller == this.traveller {
                Some("can't be had beside another of its kind on the same flight")
            } else if list == Some(List::Seat) && other.ancillary.code == this.ancillary.code {
                Some("is another traveller's seat already")
            } else {
                None
            }
        })
    }

    fn list(&self, ancillary: &Ancillary) -> Option<List> {
        match ancillary.kind {
            AncillaryKind::Baggage => Some(List::Baggage),
            AncillaryKind::Meal => Some(List::Meal),
            AncillaryKind::Seat => Some(List::Seat),
            AncillaryKind::Other => self.others.get(&ancillary.code).copied(),
        }
    }

    /// What covers several flights is ordered for the first of them.
    fn word(&self, ancillary: &Ancillary) -> Result<Value, String> {
        let list = self.list(ancillary).ok_or("is in no list of a booking")?;
        let segment = ancillary.segments.first().copied();
        let key = segment.and_then(|place| self.segments.get(usize::from(place))?.as_deref());
        let seat = self
            .seat_codes
            .iter()
            .find(|seat| list == List::Seat && Some(seat.segment) == segment && seat.seat == ancillary.code);
        let ordered = Ordered {
            list,
            key: key.ok_or("is for a flight without an id")?,
            code: seat.map_or(&ancillary.code, |seat| &seat.code),
        };
        serde_json::to_value(ordered).map_err(|error| error.to_string())
    }
}

/// What this traveller ordered, by list.
///
/// # Errors
/// When the words of something are not those of [`order_words`].
pub(super) fn ordered(
    extras: &[Extra],
    traveller: u32,
) -> Result<BTreeMap<List, Vec<NewService<'_>>>, String> {
    let mut lists: BTreeMap<List, Vec<NewService<'_>>> = BTreeMap::new();
    for extra in extras.iter().filter(|extra| extra.traveller == traveller) {
        let Ordered { list, key, code } = serde_path_to_error::deserialize(&extra.words)
            .map_err(|error| format!("the words of an extra are unreadable: {error}"))?;
        lists.entry(list).or_default().push(NewService { key, code });
    }
    Ok(lists)
}
