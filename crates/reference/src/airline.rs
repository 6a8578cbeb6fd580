//! Airlines by IATA code, and by what somebody types.

use std::sync::LazyLock;

use chrono::NaiveDate;

use crate::{
    name_index::{NameIndex, best, plain},
    text::{leak, rows},
};

const FILE: &[u8] = include_bytes!("../data/airlines.csv");

/// One for each code, by code. Nothing is lost here: a test reads the same file and fails if one row of it is refused.
static AIRLINES: LazyLock<Vec<Airline>> = LazyLock::new(|| {
    let mut airlines: Vec<Airline> = rows(FILE, row).filter_map(Result::ok).collect();
    airlines.sort_by_key(|airline| (airline.iata, airline.until.is_none(), airline.until, airline.from));
    let by_code = airlines.chunk_by(|one, next| one.iata == next.iata);
    by_code.filter_map(holder).cloned().collect()
});

/// The one of those that had a code, the last that got it last: a code is given again when its airline is gone. But a
/// daughter that shares it, as Lufthansa Cargo does, is not who sells seats under it.
fn holder(had: &[Airline]) -> Option<&Airline> {
    let last = had.last()?;
    let is_daughter_of = |other: &Airline| {
        let rest = last.name.strip_prefix(other.name);
        other.until.is_none() && rest.is_some_and(|rest| rest.starts_with(' '))
    };
    had.iter().find(|other| is_daughter_of(other)).or(Some(last))
}

/// An airline that has or had an IATA code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Airline {
    /// IATA code: two upper-case letters or digits, `AI`.
    pub iata: &'static str,
    /// ICAO code, `AIC`, where it is known.
    pub icao: Option<&'static str>,
    /// Its name, `Air India`.
    pub name: &'static str,
    /// Since when it has the code, where that is known.
    pub from: Option<NaiveDate>,
    /// Until when it had the code, where it is known to be gone.
    pub until: Option<NaiveDate>,
}

/// The airline that has this IATA code (upper case), or had it last.
pub fn airline(iata: &str) -> Option<&'static Airline> {
    let place = AIRLINES.binary_search_by(|airline| airline.iata.cmp(iata)).ok()?;
    AIRLINES.get(place)
}

/// All airlines, by IATA code.
pub fn airlines() -> &'static [Airline] {
    &AIRLINES
}

/// How good a match is, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    /// One of its codes.
    Code,
    /// Its name begins so.
    Beginning,
    /// A later word of it does.
    Word,
}

static NAMES: LazyLock<NameIndex<Match>> = LazyLock::new(|| {
    let mut index = NameIndex::default();
    for (airline, place) in airlines().iter().zip(0..) {
        for code in [Some(airline.iata), airline.icao].into_iter().flatten() {
            index.add(&plain(code), place, Match::Code);
        }
        let name = plain(airline.name);
        index.add(&name, place, Match::Beginning);
        index.add_later_words(&name, place, Match::Word);
    }
    index.sorted()
});

/// The airlines with this code, or of which the name begins with what was typed, whatever accents, case or script, or a
/// later word of it does; in this order, and by code in each group.
pub fn find_airlines(typed: &str, limit: usize) -> Vec<&'static Airline> {
    let typed = plain(typed);
    if typed.is_empty() || limit == 0 {
        return Vec::new();
    }
    let names = NAMES.beginning_with(&typed);
    // A code counts only as a whole.
    let begun = names.begun.into_iter().filter(|(found, _)| *found != Match::Code);
    let found = names.whole.into_iter().chain(begun);
    let found = found.map(|(found, place)| ((found, place), place)).collect();
    let place = |at: u32| airlines().get(usize::try_from(at).ok()?);
    best(found, limit).into_iter().filter_map(place).collect()
}

fn row(record: &csv::StringRecord) -> Result<Airline, &'static str> {
    let field = |at: usize| record.get(at).filter(|text| !text.is_empty());
    let day = |at: usize| {
        let day = field(at).map(str::parse).transpose();
        day.map_err(|_| "a day that is none")
    };
    Ok(Airline {
        iata: leak(code(field(0).ok_or("an empty field")?, 2)?),
        icao: field(1).map(|text| code(text, 3)).transpose()?.map(leak),
        name: leak(field(2).ok_or("an empty field")?),
        from: day(3)?,
        until: day(4)?,
    })
}

fn code(text: &str, length: usize) -> Result<&str, &'static str> {
    let is_one = |letter: u8| letter.is_ascii_uppercase() || letter.is_ascii_digit();
    let fits = text.len() == length && text.bytes().all(is_one);
    fits.then_some(text).ok_or("a code of other letters or another length")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_file_is_an_airline() {
        let refused: Vec<String> = rows(FILE, row).filter_map(Result::err).collect();
        assert!(refused.is_empty(), "{refused:#?}");
        assert_eq!(airlines().len(), 1_148);
        assert!(airlines().is_sorted_by(|one, next| one.iata < next.iata));
        assert!(airlines().iter().all(|each| airline(each.iata) == Some(each)));
    }

    #[test]
    fn a_code_is_the_airlines_that_got_it_last() {
        let name = |code| airline(code).map(|airline| airline.name);
        assert_eq!(name("2T"), Some("BermudAir"), "given again");
        assert_eq!(name("JP"), Some("Adria Airways"), "gone, and nobody got it since");
        assert_eq!(name("LH"), Some("Lufthansa"), "shared with Lufthansa Cargo");
        assert_eq!(name("0B"), Some("BBN Airlines Indonesia"));
        assert_eq!([name("UK"), name("AI")], [Some("Vistara"), Some("Air India")]);
        assert_eq!(name("??"), None);
    }

    #[test]
    fn what_is_typed_finds_codes_first_and_then_names() {
        let found = |typed| find_airlines(typed, 3).iter().map(|airline| airline.name).collect::<Vec<_>>();
        assert_eq!(found("6e"), ["IndiGo"]);
        assert_eq!(found("AIC")[0], "Air India");
        assert_eq!(
            found("air india"),
            ["Air India Regional", "Air India", "Air India Express"],
            "by code: 9I, AI, IX"
        );
        assert_eq!(found("airways brit"), Vec::<&str>::new());
        assert!(found("lufthansa").contains(&"Lufthansa"));
    }
}
