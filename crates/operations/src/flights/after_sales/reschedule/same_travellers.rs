//! Travellers of a booking as a request names them again: who they are is known, and stays.

use std::collections::HashSet;

use chrono::NaiveDate;
use wayfare_domain::{BookingPapers, Faults, Gst, Loyalty, NameMeaning, Papers, PassengerType, Traveller};

use crate::{
    Result,
    flights::{Booked, after_sales::order::people_of},
};

/// Who of the booking travels, as the request says it again.
#[derive(Clone, Debug)]
pub struct SameTraveller {
    pub field: String,
    pub index: u32,
    /// Family and given name, if said.
    pub names: Option<(String, String)>,
    /// The age group, if said.
    pub kind: Option<PassengerType>,
    /// The birth date, if said.
    pub born_on: Option<NaiveDate>,
    /// The memberships in the place of those of the booking, if said.
    pub loyalty: Vec<Loyalty>,
    /// The papers in the place of those of the booking, each that is said.
    pub papers: Papers,
}

/// Those who fly, in the order in which the request names them, with what it says of them beside.
pub(super) fn as_said(flying: &[Traveller], named: &[SameTraveller]) -> Vec<Traveller> {
    let place = |index| named.iter().position(|one| one.index == index);
    let mut travellers = flying.to_vec();
    travellers.sort_by_key(|traveller| place(traveller.index));
    for traveller in &mut travellers {
        let Some(one) = place(traveller.index).and_then(|place| named.get(place)) else { continue };
        traveller.born_on = traveller.born_on.or(one.born_on);
        if !one.loyalty.is_empty() {
            traveller.loyalty.clone_from(&one.loyalty);
        }
    }
    travellers
}

/// The papers of the original, with what is said anew in their place.
pub(super) fn papers_of(
    original: &BookingPapers,
    named: &[SameTraveller],
    gst: Option<Gst>,
) -> BookingPapers {
    let mut papers = original.clone();
    for one in named.iter().filter(|one| !one.papers.is_empty()) {
        let known = papers.travellers.remove(&one.index).unwrap_or_default();
        papers.travellers.insert(one.index, one.papers.clone().or(known));
    }
    papers.gst = gst.or(papers.gst);
    papers
}

/// Rescheduling changes no names: who is named must be on the booking as they are, and fly what is replaced.
///
/// # Errors
/// [`crate::Error::Invalid`] names who is not.
pub(super) fn check_named(original: &Booked, flying: &[Traveller], named: &[SameTraveller]) -> Result<()> {
    let mut faults = Faults::default();
    let everybody = &people_of(original)?.travellers;
    let mut seen = HashSet::new();
    for one in named {
        if !seen.insert(one.index) {
            faults.add(format!("{}.pax_index", one.field), "must be unique");
        }
        let Some(known) = everybody.iter().find(|known| known.index == one.index) else {
            faults.add(format!("{}.pax_index", one.field), "is nobody of the booking");
            continue;
        };
        let named = |first: &str, last: &str| NameMeaning::of(first, last);
        if let Some((last, first)) = &one.names
            && !named(first, last).is_same(&named(&known.first_name, &known.last_name))
        {
            faults.add(&one.field, "must have the name that is on the booking");
        }
        if one.kind.is_some_and(|kind| kind != known.kind) {
            faults.add(format!("{}.type", one.field), "must be as on the booking");
        }
        let born_on = one.born_on.zip(known.born_on);
        if born_on.is_some_and(|(theirs, ours)| theirs != ours) {
            faults.add(format!("{}.dob", one.field), "must be as on the booking");
        }
        if !flying.iter().any(|flying| flying.index == one.index) {
            faults.add(format!("{}.pax_index", one.field), "does not fly what is replaced");
        }
    }
    if !named.is_empty() && named.len() != flying.len() {
        let whose = match flying.len() == everybody.len() {
            true => "of the booking",
            false => "who fly what is replaced",
        };
        faults.add("passengers", format!("must be all {} {whose}", flying.len()));
    }
    Ok(faults.or(())?)
}
