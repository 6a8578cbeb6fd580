//! Ours to theirs: the ancillaries of an order, as a booking takes them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::{PassengerType, Traveller};
use wayfare_supply::reading::read_tree;

use super::order_wire::{List, NewService};
use crate::{Ancillary, AncillaryChoice, AncillaryKind};

/// What is kept for selling what can be bought with a review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct AncillaryCatalog {
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

/// The wire format of an [`AncillaryChoice`].
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

/// What each of these is ordered by, or the index of one that can't be had and why.
pub(super) fn order_wire_format(
    ancillary_catalog: &Value,
    travellers: &[Traveller],
    choices: &[AncillaryChoice],
) -> Result<Vec<Value>, (usize, String)> {
    if choices.is_empty() {
        return Ok(Vec::new());
    }
    let ancillary_catalog: AncillaryCatalog = read_tree(ancillary_catalog)
        .map_err(|error| (0, format!("is not on a shelf that can be read: {error}")))?;
    let mut wire_formats = Vec::new();
    for (place, this) in choices.iter().enumerate() {
        let others = choices.get(..place).unwrap_or_default();
        let wire_format = match unfit(this, travellers).or_else(|| ancillary_catalog.clash(this, others)) {
            Some(reason) => Err(reason.to_owned()),
            None => ancillary_catalog.wire_format(&this.ancillary),
        };
        wire_formats.push(wire_format.map_err(|reason| (place, reason))?);
    }
    Ok(wire_formats)
}

/// Why the traveller can't have it, whatever else is wanted.
fn unfit(this: &AncillaryChoice, travellers: &[Traveller]) -> Option<&'static str> {
    let traveller = travellers.iter().find(|traveller| traveller.index == this.traveller);
    match traveller {
        None => Some("is for nobody on the order"),
        Some(traveller) if traveller.kind == PassengerType::Infant => Some("is not for infants"),
        Some(_) if this.quantity != 1 => Some("can be had once"),
        Some(_) => None,
    }
}

impl AncillaryCatalog {
    /// Why it can't be had beside what else is wanted: an order tells one thing of a list for each traveller and flight.
    fn clash(&self, this: &AncillaryChoice, others: &[AncillaryChoice]) -> Option<&'static str> {
        let list = self.list(&this.ancillary);
        let meets = |other: &&AncillaryChoice| {
            let mut segments = this.ancillary.segments.iter();
            self.list(&other.ancillary) == list
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
    fn wire_format(&self, ancillary: &Ancillary) -> Result<Value, String> {
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
pub(super) fn ordered(
    ancillaries: &[AncillaryChoice],
    traveller: u32,
) -> Result<BTreeMap<List, Vec<NewService<'_>>>, String> {
    let mut lists: BTreeMap<List, Vec<NewService<'_>>> = BTreeMap::new();
    for choice in ancillaries.iter().filter(|choice| choice.traveller == traveller) {
        let Ordered { list, key, code } = Ordered::deserialize(&choice.wire_format)
            .map_err(|error| format!("the words of an extra are unreadable: {error}"))?;
        lists.entry(list).or_default().push(NewService { key, code });
    }
    Ok(lists)
}
