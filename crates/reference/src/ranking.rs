//! In which order what was found is shown: the same for airports and for hotels' cities.

use std::cmp::Reverse;

/// How good a match is, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Match {
    /// A place of the agency's own country that has scheduled flights is called so.
    Home,
    /// A town is called so that lies in the destination of that name: hotels in Zermatt are not those of all the Alps.
    Town,
    /// A region is called so.
    Region,
    /// It is its code.
    Code,
    /// It is the code of its city.
    CityCode,
    /// It is called so.
    Named,
    /// A region is called so, and a place with scheduled flights, too.
    RegionToo,
    /// Its own name begins so.
    Beginning,
    /// Another name of it does.
    Other,
    /// A later word of its own name does.
    Word,
}

/// By what it is sorted, the least first.
pub(crate) type Order = (Match, Reverse<u64>, u32);

/// The order of a match: the larger first, then by a number.
pub(crate) fn order(found: Match, size: u64, number: u32) -> Order {
    (found, Reverse(size), number)
}

/// A place of the agency's own country counts as so many times its size beside others.
const HOME: u64 = 5;
/// A place that is usually called so, as so many times one that is called so somewhere.
const OWN_NAME: u64 = 10;

/// How large a place counts for somebody of a country.
pub(crate) fn size(size: u64, is_home: bool, is_own_name: bool) -> u64 {
    let times = if is_home { HOME } else { 1 };
    let times = times * if is_own_name { OWN_NAME } else { 1 };
    size.saturating_mul(times)
}

/// What is left of a text of which nothing is called so, without its last word: `mumbai airport`, `paris france`.
pub(crate) fn without_last_word(typed: &str) -> Option<&str> {
    let rest = typed.rsplit_once(' ').map(|(rest, _)| rest);
    rest.filter(|rest| rest.len() >= SHORTEST)
}

/// So many letters at least are left: `la` alone names nothing that somebody meant.
const SHORTEST: usize = 3;

/// From so many letters on, regions and places nearby are shown while a name is not yet whole.
pub(crate) const LONG_ENOUGH: usize = 4;
