//! Airlines, as somebody types them; and what an airline is called whose supplier does not say it.

use actix_web::HttpRequest;
use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::Serialize;
use wayfare_flights::Airline;
use wayfare_operations::Caller;
use wayfare_reference::{airline, find_airlines};

use super::airports::Typed;
use crate::http::{
    extract::{self, Ask, Query},
    options::AirlineLogos,
    reply::{Data, Replied, Tagged, tagged},
};

/// `GET /airlines`.
pub async fn find(
    request: HttpRequest,
    ask: Ask<Caller, Query<Typed>>,
) -> Replied<Tagged<Data<Vec<KnownAirlineView>>>> {
    let Query(Typed { text, limit }) = ask.what;
    let logos = &extract::options(&request)?.airline_logos;
    let view = |airline: &'static wayfare_reference::Airline| KnownAirlineView {
        code: airline.iata,
        icao: airline.icao,
        name: airline.name,
        logo_url: logos.of(airline.iata),
        from: airline.from,
        until: airline.until,
    };
    let found = find_airlines(&text, limit).into_iter().map(view);
    tagged(&request, found.collect::<Vec<_>>())
}

/// An airline that has or had a code.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "KnownAirline")]
pub struct KnownAirlineView {
    code: &'static str,
    icao: Option<&'static str>,
    name: &'static str,
    logo_url: Option<String>,
    from: Option<NaiveDate>,
    until: Option<NaiveDate>,
}

/// What an airline is called: as its supplier does, else by its name in our table, else by its code.
pub fn name<'a>(code: &'a str, told: Option<&'a Airline>) -> &'a str {
    let its_own = told.map(|airline| airline.name.as_str()).filter(|name| !name.is_empty());
    let ours = || airline(code).map(|airline| airline.name);
    its_own.or_else(ours).unwrap_or(code)
}

/// Where an airline's logo is: at its supplier, else where the operator says.
pub fn logo(code: &str, told: Option<&Airline>, logos: &AirlineLogos) -> Option<String> {
    let its_own = told.and_then(|airline| airline.logo_url.clone());
    its_own.or_else(|| logos.of(code))
}
