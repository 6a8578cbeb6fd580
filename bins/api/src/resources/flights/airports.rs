//! Airports and cities, as somebody types them.

use actix_web::HttpRequest;
use schemars::JsonSchema;
use serde::Serialize;
use strum::VariantNames;
use wayfare_domain::Amount;
use wayfare_operations::Caller;
use wayfare_reference::{Place, PlaceKind, find_places};

use crate::http::{
    extract::{Ask, Query},
    query::{FromQuery, Parameters},
    reply::{Data, Replied, Tagged, tagged},
};

/// `GET /airports`.
pub async fn find(
    request: HttpRequest,
    ask: Ask<Caller, Query<Typed>>,
) -> Replied<Tagged<Data<Vec<PlaceView>>>> {
    let Query(Typed { text, limit }) = ask.what;
    let found = find_places(&text, Some(ask.who.country()), limit);
    tagged(&request, found.into_iter().map(PlaceView::from).collect::<Vec<_>>())
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

/// An airport or a city.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AirportOrCity")]
pub struct PlaceView {
    code: &'static str,
    #[schemars(with = "&str", extend("enum" = PlaceKind::VARIANTS))]
    kind: PlaceKind,
    name: &'static str,
    city: &'static str,
    city_code: &'static str,
    country: &'static str,
    country_name: &'static str,
    time_zone: &'static str,
    latitude: Amount,
    longitude: Amount,
    airports: Vec<&'static str>,
}

impl From<Place> for PlaceView {
    fn from(place: Place) -> Self {
        let airports = place.airports().iter().map(|airport| airport.iata).collect();
        match place {
            Place::Airport(airport) => Self {
                code: airport.iata,
                kind: PlaceKind::Airport,
                name: airport.name,
                city: airport.city,
                city_code: airport.city_code,
                country: airport.iso_country,
                country_name: airport.country,
                time_zone: airport.time_zone.name(),
                latitude: Amount(airport.latitude().normalize()),
                longitude: Amount(airport.longitude().normalize()),
                airports,
            },
            Place::City(city) => Self {
                code: city.code,
                kind: PlaceKind::City,
                name: city.name,
                city: city.name,
                city_code: city.code,
                country: city.iso_country,
                country_name: city.country,
                time_zone: city.time_zone.name(),
                latitude: Amount(city.latitude().normalize()),
                longitude: Amount(city.longitude().normalize()),
                airports,
            },
        }
    }
}
