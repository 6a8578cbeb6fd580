//! The table of airports: read once from the file that is compiled in, sorted by code.

use std::sync::LazyLock;

use flate2::read::DeflateDecoder;

use crate::{
    Airport,
    code_index::CodeIndex,
    country,
    geometry::Point,
    text::{leak, microdegrees, names, rows},
};

/// Compressed by `build.rs`.
const FILE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/airports.csv"));

/// Nothing is lost here: a test reads the same file and fails if one row of it is refused.
static AIRPORTS: LazyLock<Vec<Airport>> =
    LazyLock::new(|| rows(DeflateDecoder::new(FILE), row).filter_map(Result::ok).collect());

static BY_CODE: LazyLock<CodeIndex> =
    LazyLock::new(|| CodeIndex::of(airports().iter().map(|airport| airport.iata)));

/// The airport with this IATA code (upper case), if there is one.
pub fn airport(iata: &str) -> Option<&'static Airport> {
    airports().get(BY_CODE.place(iata)?)
}

/// All airports, by IATA code.
pub fn airports() -> &'static [Airport] {
    &AIRPORTS
}

fn row(record: &csv::StringRecord) -> Result<Airport, &'static str> {
    let field = |at: usize| record.get(at).filter(|text| !text.is_empty()).ok_or("an empty field");
    let iso_country = leak(field(5)?);
    Ok(Airport {
        iata: leak(iata(field(0)?)?),
        icao: field(1).ok().map(leak),
        city_code: leak(iata(field(2)?)?),
        name: leak(field(3)?),
        city: leak(field(4)?),
        iso_country,
        country: country::english_name(iso_country).ok_or("an unknown country")?,
        time_zone: field(6)?.parse().map_err(|_| "an unknown time zone")?,
        point: Point { north: microdegrees(field(7)?, 90)?, east: microdegrees(field(8)?, 180)? },
        rank: field(9)?.parse().map_err(|_| "a rank that is no number")?,
        has_flights: match field(10)? {
            "yes" => true,
            "no" => false,
            _ => return Err("neither with flights nor without"),
        },
        region: field(11).map_or("", leak),
        town: town(record.get(12))?,
        other_names: names(record.get(13)),
    })
}

/// The number of a city, where there is one.
pub(crate) fn town(text: Option<&str>) -> Result<Option<u32>, &'static str> {
    let given = text.filter(|text| !text.is_empty());
    given.map(|text| text.parse().map_err(|_| "a city that is no number")).transpose()
}

/// A code of three upper-case letters.
pub(crate) fn iata(text: &str) -> Result<&str, &'static str> {
    let fits = text.len() == 3 && text.bytes().all(|letter| letter.is_ascii_uppercase());
    fits.then_some(text).ok_or("an IATA code that is not three upper-case letters")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_file_is_an_airport() {
        let refused: Vec<String> = rows(DeflateDecoder::new(FILE), row).filter_map(Result::err).collect();
        assert!(refused.is_empty(), "{refused:#?}");
        assert_eq!(airports().len(), 8_111);
        let with_flights = airports().iter().filter(|airport| airport.has_flights);
        assert_eq!(with_flights.count(), 4_088);
    }

    #[test]
    fn the_table_is_strictly_sorted_so_that_look_ups_find_every_airport() {
        assert!(airports().is_sorted_by(|one, next| one.iata < next.iata));
        assert!(airports().iter().all(|each| airport(each.iata) == Some(each)));
    }

    #[test]
    fn a_bad_row_is_refused_with_its_reason() {
        let bad = "a,b,c,d,e,f,g,h,i,j,k,l,m,n\nDEL,,DEL,N,C,IN,Asia/Atlantis,1.0,1.0,1,yes,,,\n\
                   DEL,,DEL,N,C,ZZ,Asia/Kolkata,1.0,1.0,1,yes,,,\ndel,,DEL,N,C,IN,Asia/Kolkata,1.0,1.0,1,yes,,,\n\
                   DEL,,DEL,N,C,IN,Asia/Kolkata,91.0,1.0,1,yes,,,\nDEL,,DEL,N,C,IN,Asia/Kolkata,1.0,1.0,1,perhaps,,,\nDEL,DEL\n";
        let complaints: Vec<String> = rows(bad.as_bytes(), row).filter_map(Result::err).collect();
        assert_eq!(complaints.len(), 6);
        assert!(complaints[0].starts_with("an unknown time zone"), "{complaints:?}");
        assert!(complaints[1].starts_with("an unknown country"), "{complaints:?}");
    }
}
