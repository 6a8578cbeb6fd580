//! Airlines, as somebody types them; and what an airline is called whose supplier does not say it.

use actix_web::HttpRequest;
use wayfare_contract::flights::KnownAirline;
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
) -> Replied<Tagged<Data<Vec<KnownAirline>>>> {
    let Query(Typed { text, limit }) = ask.what;
    let logos = &extract::options(&request)?.airline_logos;
    let view = |airline: &'static wayfare_reference::Airline| KnownAirline {
        code: airline.iata.to_owned(),
        icao: airline.icao.map(str::to_owned),
        name: airline.name.to_owned(),
        logo_url: logos.of(airline.iata),
        from: airline.from,
        until: airline.until,
    };
    let found = find_airlines(&text, limit).into_iter().map(view);
    tagged(&request, found.collect::<Vec<_>>())
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
