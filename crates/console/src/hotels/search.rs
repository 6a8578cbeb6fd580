//! The search of hotels: its form, and what was found.

use actix_web::HttpResponse;
use wayfare_client::{
    enums::SupplierState,
    hotels::{City, HotelsFound},
};

use super::{
    cards::{self, Listed, Wanted},
    found::{self, NotFound},
    rates,
    stay::{self, Stay},
};
use crate::{
    page::Part,
    prelude::*,
    taken::{OTHERS, Other, Taken, limited},
};

/// So many cities are offered as somebody types.
const PLACES: u8 = 8;

#[derive(Template)]
#[template(path = "hotels/search.html")]
struct SearchPage {
    shell: Shell,
    stay: Stay,
    query: String,
    today: String,
    wrongs: Wrongs,
    /// What was taken for what was typed.
    taken: Vec<Taken>,
    results: Option<Part>,
    is_searching: bool,
}

#[derive(Template)]
#[template(path = "hotels/results.html")]
struct Results<'a> {
    listed: Listed<'a>,
    wanted: &'a Wanted,
    stay: &'a Stay,
    query: String,
    /// Who did not answer, and whose the stays are.
    missing: Option<String>,
    /// How many hotels were found and not read.
    not_read: i64,
    summary: String,
}

/// `GET /console/hotels`.
pub async fn show(signed: Signed, fields: Fields) -> Answer {
    let mut stay = Stay::read(&fields);
    let is_edited = fields.is_ticked("edit");
    let mut wrongs = Wrongs::default();
    let taken = match is_edited {
        true => None,
        false => take(&signed, &mut stay, &mut wrongs).await?,
    };
    let mut shown = SearchPage {
        shell: signed.shell("Hotels", Area::Hotels).await?,
        query: stay.query(),
        today: crate::day::now().date_naive().to_string(),
        stay,
        wrongs,
        taken: taken.into_iter().collect(),
        results: None,
        is_searching: false,
    };
    // A room more or less is no search yet.
    if is_edited || !shown.stay.is_begun() && !fields.is_ticked("check_in") {
        return page::html(&shown);
    }
    if let (true, Err(wrongs)) = (shown.wrongs.is_empty(), shown.stay.search()) {
        shown.wrongs = wrongs;
    }
    if !shown.wrongs.is_empty() {
        return page::unprocessable(&shown);
    }
    // What was taken for what was typed is shown before suppliers are asked.
    if !shown.taken.is_empty() {
        return page::html(&shown);
    }
    let found = match found::kept(&signed, &shown.stay).await {
        Some(kept) => Some(kept),
        None if fields.is_ticked("wait") => match found::found(&signed, &shown.stay).await {
            Ok(found) => Some(found),
            Err(NotFound::Wrong(wrongs)) => {
                shown.wrongs = wrongs;
                return page::unprocessable(&shown);
            }
            Err(NotFound::Failed(failure)) => return Err(failure),
        },
        None => None,
    };
    shown.is_searching = found.is_none();
    let results = found.map(|found| render(&found, &Wanted::read(&fields), &shown.stay));
    shown.results = results.transpose()?;
    page::html(&shown)
}

/// Puts the city that is meant in the stead of what was typed and not chosen from the list, and says which.
async fn take(signed: &Signed, stay: &mut Stay, wrongs: &mut Wrongs) -> Result<Option<Taken>> {
    if stay.place.is_empty() || stay::is_chosen(&stay.place) {
        return Ok(None);
    }
    let typed = stay.place.clone();
    let found = signed.session.hotels().cities(&limited(&typed), PLACES).await?;
    let Some(first) = found.first() else {
        wrongs.add("place", "No city is called so: choose one from the list");
        return Ok(None);
    };
    stay.place = stay::label(first);
    let others = found.iter().skip(1).take(OTHERS).map(|city| {
        let other = Stay { place: stay::label(city), ..stay.clone() };
        Other { name: city_name(city), query: other.query() }
    });
    Ok(Some(Taken { field: "place", is: city_name(first), others: others.collect(), typed }))
}

fn city_name(city: &City) -> String {
    format!("{}, {}", city.name, city.country_code)
}

/// `GET /console/hotels/list`: what was found, filtered and sorted. Suppliers are asked only where nothing is kept.
pub async fn list(signed: Signed, fields: Fields) -> Answer {
    let stay = Stay::read(&fields);
    let found = match found::found(&signed, &stay).await {
        Ok(found) => found,
        // What is wrong is told at the fields, by the page.
        Err(NotFound::Wrong(_)) => {
            let address = format!("{BASE}/hotels?{}&wait=1", stay.query());
            return Ok(HttpResponse::UnprocessableEntity().insert_header(("hx-redirect", address)).finish());
        }
        Err(NotFound::Failed(failure)) => return Err(failure),
    };
    Ok(page::answer_of(StatusCode::OK, render(&found, &Wanted::read(&fields), &stay)?))
}

pub(super) fn render(found: &HotelsFound, wanted: &Wanted, stay: &Stay) -> Result<Part> {
    let search = stay.search().map_err(|_| Failure::Gone("Fill in the search again."))?;
    let kinds = rates::kinds(&search);
    let listed = cards::listed(found, &kinds, wanted, stay);
    let read = i64::try_from(found.hotels.len()).unwrap_or_default();
    let summary = match listed.matching {
        0 => "No hotels found".to_owned(),
        count => format!("{count} of {} hotels, from {}", listed.all, listed.cheapest),
    };
    page::part(&Results {
        missing: missing(found),
        not_read: found.total_results.saturating_sub(read).max(0),
        summary,
        listed,
        wanted,
        query: stay.query(),
        stay,
    })
}

/// Who did not answer, and whose the stays are.
fn missing(found: &HotelsFound) -> Option<String> {
    let named = |is: fn(&SupplierState) -> bool| {
        let some = found.provider_status.iter().filter(|(_, status)| is(&status.status));
        let names: Vec<String> = some.map(|(code, _)| rates::supplier(code)).collect();
        names.join(" and ")
    };
    let silent = named(|state| *state == SupplierState::Error);
    if silent.is_empty() {
        return None;
    }
    let others = named(|state| *state == SupplierState::Success);
    Some(match (found.hotels.len(), others.as_str()) {
        (_, "") => format!("{silent} did not answer."),
        (1, others) => format!("{silent} did not answer; this stay is {others}'s."),
        (count, others) => format!("{silent} did not answer; these {count} stays are {others}'s."),
    })
}

#[derive(Template)]
#[template(path = "hotels/places.html")]
struct Places {
    id: String,
    cities: Vec<City>,
}

/// `GET /console/hotels/places`: what is typed may mean these cities.
pub async fn places(signed: Signed, fields: Fields) -> Answer {
    let typed = limited(fields.get("q"));
    let cities = match typed.is_empty() {
        true => Vec::new(),
        false => signed.session.hotels().cities(&typed, PLACES).await?,
    };
    let id = fields.get("id").chars().filter(char::is_ascii_alphanumeric).collect();
    page::html(&Places { id, cities })
}
