//! Airports and cities, as somebody types them.

use actix_web::HttpRequest;
use wayfare_contract::{Amount, flights::FoundPlace};
use wayfare_operations::Caller;
use wayfare_reference::{Place, find_places};

use crate::http::{
    extract::{Ask, Query},
    query::{FromQuery, Parameters},
    reply::{Data, Replied, Tagged, tagged},
};

/// `GET /airports`.
pub async fn find(
    request: HttpRequest,
    ask: Ask<Caller, Query<Typed>>,
) -> Replied<Tagged<Data<Vec<FoundPlace>>>> {
    let Query(Typed { text, limit }) = ask.what;
    let found = find_places(&text, Some(ask.who.country()), limit);
    tagged(&request, found.into_iter().map(shown).collect::<Vec<_>>())
}

/// What was typed until now, and how much is wanted of what begins so.
pub struct Typed {
    /// A code, or the beginning of a name.
    pub text: String,
    /// How many at most.
    pub limit: usize,
}

impl FromQuery for Typed {
    fn read(query: &mut Parameters) -> Self {
        Self {
            text: query.needed_text("q", 64).unwrap_or_default(),
            limit: usize::try_from(query.number("limit", 10, 100)).unwrap_or(usize::MAX),
        }
    }
}

fn shown(place: Place) -> FoundPlace {
    let airports = place.airports().iter().map(|airport| airport.iata.to_owned()).collect();
    let kind = place.kind().as_ref().to_owned();
    match place {
        Place::Airport(airport) => FoundPlace {
            code: airport.iata.to_owned(),
            kind,
            name: airport.name.to_owned(),
            city: airport.city.to_owned(),
            city_code: airport.city_code.to_owned(),
            country: airport.iso_country.to_owned(),
            country_name: airport.country.to_owned(),
            time_zone: airport.time_zone.name().to_owned(),
            latitude: Amount(airport.point.latitude().normalize()),
            longitude: Amount(airport.point.longitude().normalize()),
            airports,
        },
        Place::City(city) => FoundPlace {
            code: city.code.to_owned(),
            kind,
            name: city.name.to_owned(),
            city: city.name.to_owned(),
            city_code: city.code.to_owned(),
            country: city.iso_country.to_owned(),
            country_name: city.country.to_owned(),
            time_zone: city.time_zone.name().to_owned(),
            latitude: Amount(city.point.latitude().normalize()),
            longitude: Amount(city.point.longitude().normalize()),
            airports,
        },
    }
}
