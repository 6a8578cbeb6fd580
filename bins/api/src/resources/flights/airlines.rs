//! Airlines, as somebody types them.

use actix_web::HttpRequest;
use wayfare_contract::flights::KnownAirline;
use wayfare_operations::Caller;
use wayfare_reference::find_airlines;

use super::airports::Typed;
use crate::http::{
    extract::{self, Ask, Query},
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
