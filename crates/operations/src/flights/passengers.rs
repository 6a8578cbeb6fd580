//! Who travels: whether they are those who were quoted, who holds which infant, who is on which order.

use std::collections::HashSet;

use wayfare_domain::{Faults, Party, PassengerType, Title, Traveller};
use wayfare_flights::Offer;

use super::price::FlightQuote;
use crate::{Error, Result};

/// The travellers in order of their index, if they are the party that was quoted: as many of each type, of the
/// right age at the last flight, each infant on an adult of its own (P-57). `faults` are what is wrong already.
///
/// # Errors
/// [`Error::Invalid`] names each traveller at fault.
pub(super) fn fitting(
    quote: &FlightQuote,
    mut travellers: Vec<Traveller>,
    mut faults: Faults,
) -> Result<Vec<Traveller>> {
    // Faults name travellers by their place in the request: in order of index come only those without any.
    compare_party(quote.query.party, &travellers, &mut faults);
    let last_day = quote.offers().flat_map(Offer::segments).map(|segment| segment.departure.date()).max();
    for (place, traveller) in travellers.iter().enumerate() {
        if !suits(traveller.title, traveller.kind) {
            let reason = format!("is no title of a {}", traveller.kind.as_ref());
            faults.add(format!("passengers[{place}].title"), reason);
        }
        let age_group = |born_on| PassengerType::on(born_on, last_day?);
        let born_on = traveller.born_on.filter(|_| last_day.is_some());
        if born_on.is_some_and(|born_on| age_group(born_on) != Some(traveller.kind)) {
            let reason = format!("does not make a {} on the day of the last flight", traveller.kind.as_ref());
            faults.add(format!("passengers[{place}].dob"), reason);
        }
    }
    seat_infants(&mut travellers, &mut faults);
    Ok(faults.or(travellers)?)
}

/// Notes of which types the travellers are more or fewer than the party.
pub(super) fn compare_party(party: Party, travellers: &[Traveller], faults: &mut Faults) {
    for (kind, expected) in [
        (PassengerType::Adult, party.adults),
        (PassengerType::Child, party.children),
        (PassengerType::Infant, party.infants),
    ] {
        let count = travellers.iter().filter(|traveller| traveller.kind == kind).count();
        if count != usize::from(expected) {
            faults
                .add("passengers", format!("must have {expected} of type {} but has {count}", kind.as_ref()));
        }
    }
}

/// Each infant sits on the adult that `infant_ref` names, or on the next free one; all in order of their index.
fn seat_infants(travellers: &mut [Traveller], faults: &mut Faults) {
    let mut adults: Vec<u32> = travellers
        .iter()
        .filter(|traveller| traveller.kind == PassengerType::Adult)
        .map(|traveller| traveller.index)
        .collect();
    adults.sort_unstable();
    let mut taken: HashSet<u32> = HashSet::new();
    for (place, infant) in travellers.iter().enumerate() {
        if let (PassengerType::Infant, Some(adult)) = (infant.kind, infant.held_by)
            && (!adults.contains(&adult) || !taken.insert(adult))
        {
            faults.add(
                format!("passengers[{place}].infant_ref"),
                "must be the pax_index of an adult without an infant",
            );
        }
    }
    let mut free = adults.into_iter().filter(|adult| !taken.contains(adult));
    travellers.sort_by_key(|traveller| traveller.index);
    for infant in travellers.iter_mut() {
        match infant.kind {
            PassengerType::Infant if infant.held_by.is_none() => infant.held_by = free.next(),
            PassengerType::Infant => {}
            _ => infant.held_by = None,
        }
    }
}

/// Boys are no adults; married people and doctors no children.
fn suits(title: Title, kind: PassengerType) -> bool {
    match title {
        Title::Mstr => kind != PassengerType::Adult,
        Title::Mrs | Title::Dr => kind == PassengerType::Adult,
        Title::Mr | Title::Ms | Title::Miss => true,
    }
}

/// Who is on each order of the quote, in order of their index: those who are next in turn, each infant with its adult
/// (P-85). When everybody has a place on the orders of one journey, the next journey's begin.
///
/// # Errors
/// When the quote's orders can't be shared out so.
pub(super) fn dealt(quote: &FlightQuote, travellers: &[Traveller]) -> Result<Vec<Vec<Traveller>>> {
    let mut free: Vec<&Traveller> = Vec::new();
    let mut dealt = Vec::new();
    for order in &quote.orders {
        if free.is_empty() {
            free = travellers.iter().collect();
        }
        let taken = next(&free, order.party);
        let on_it = |who: &&Traveller| taken.contains(&who.index);
        let theirs: Vec<Traveller> = free.iter().filter(|who| on_it(who)).map(|who| (*who).clone()).collect();
        if theirs.len() != order.party.size() {
            return Err(Error::Internal("the travellers can't be shared out over the orders".to_owned()));
        }
        free.retain(|who| !on_it(who));
        dealt.push(theirs);
    }
    Ok(dealt)
}

/// The indices of the next who make such a party: as many adults with infants as it has infants.
fn next(free: &[&Traveller], party: Party) -> HashSet<u32> {
    let holds = |adult: u32| free.iter().any(|infant| infant.held_by == Some(adult));
    let of = |kind| free.iter().filter(move |who| who.kind == kind).map(|who| who.index);
    let (infants, adults) = (usize::from(party.infants), usize::from(party.adults));
    let holding: Vec<u32> = of(PassengerType::Adult).filter(|adult| holds(*adult)).take(infants).collect();
    let alone =
        of(PassengerType::Adult).filter(|adult| !holds(*adult)).take(adults.saturating_sub(holding.len()));
    let held = free
        .iter()
        .filter(|infant| infant.held_by.is_some_and(|adult| holding.contains(&adult)))
        .map(|infant| infant.index);
    let children = of(PassengerType::Child).take(party.children.into());
    holding.iter().copied().chain(alone).chain(held).chain(children).collect()
}
