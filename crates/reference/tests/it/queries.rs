//! What agencies type finds what they mean first: each line of `queries.txt`, which says where it is from.

use wayfare_reference::{find_cities, find_places};

const QUERIES: &str = include_str!("queries.txt");

struct Asked {
    country: &'static str,
    typed: &'static str,
    place: Option<&'static str>,
    city: Option<&'static str>,
}

fn asked() -> Vec<Asked> {
    let lines = QUERIES.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let answer = |text: &'static str| Some(text).filter(|text| *text != "-");
    let fields = lines.map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    fields
        .map(|fields| match fields.as_slice() {
            &[country, typed, place, city] => {
                Asked { country, typed, place: answer(place), city: answer(city) }
            }
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn the_first_airport_or_city_is_the_one_that_is_meant() {
    let wrong: Vec<String> = asked()
        .iter()
        .filter_map(|asked| {
            let right = asked.place?;
            let found = find_places(asked.typed, Some(asked.country), 3);
            let codes: Vec<&str> = found.iter().map(|place| place.code()).collect();
            let is_right = codes.first() == Some(&right);
            (!is_right).then(|| format!("{} {}: {codes:?}, not {right}", asked.country, asked.typed))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), asked().len());
}

#[test]
fn the_first_city_of_hotels_is_the_one_that_is_meant() {
    let wrong: Vec<String> = asked()
        .iter()
        .filter_map(|asked| {
            let right = asked.city?;
            let found = find_cities(asked.typed, Some(asked.country), 3);
            let names: Vec<&str> = found.iter().map(|city| city.name).collect();
            let is_right = names.first() == Some(&right);
            (!is_right).then(|| format!("{} {}: {names:?}, not {right}", asked.country, asked.typed))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), asked().len());
}

#[test]
fn the_table_has_at_least_300_queries_each_once() {
    let mut pairs: Vec<(&str, &str)> = asked().iter().map(|asked| (asked.country, asked.typed)).collect();
    assert!(pairs.len() >= 300, "{}", pairs.len());
    pairs.sort_unstable();
    assert!(pairs.is_sorted_by(|one, two| one != two), "{pairs:?}");
}
