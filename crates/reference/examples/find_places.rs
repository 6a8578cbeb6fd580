//! What somebody in India means by what they type, letter by letter, and how long that takes to find out.
//!
//! ```sh
//! cargo run -p wayfare-reference --example find_places -- "sao paulo"
//! ```

use std::{env, time::Instant};

use wayfare_reference::{Place, find_places};

fn main() {
    let typed = env::args().nth(1).unwrap_or_else(|| "bombay".to_owned());
    for (start, letter) in typed.char_indices() {
        let Some(typed) = typed.get(..start + letter.len_utf8()) else { continue };
        let begun = Instant::now();
        let found = find_places(typed, Some("IN"), 3);
        let names = found.into_iter().map(|place| match place {
            Place::Airport(airport) => format!("{} {}", airport.iata, airport.name),
            Place::City(city) => format!("{} {} with {} airports", city.code, city.name, city.airports.len()),
        });
        let names = names.collect::<Vec<_>>().join(", ");
        // The first line waits for the tables to be read.
        println!("{typed:20} {:>9.1?}  {}", begun.elapsed(), names);
    }
}
