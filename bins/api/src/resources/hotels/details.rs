//! All about hotels, and the cities that have some.

use wayfare_contract::{
    Amount,
    hotels::{Address, City, HotelContact, HotelDetails, HotelDetailsRequest, Image, ProviderHotels},
};
use wayfare_operations::{
    Caller,
    hotels::{self, DetailsOfSupplier, HotelId, MOST_HOTELS},
};
use wayfare_reference::{country_name, find_cities};

use super::common::two_letters;
use crate::http::{
    App,
    extract::{Ask, Body, Query},
    json_body::{FromJson, JsonObject},
    query::{FromQuery, Parameters},
    reply::{DataReply, data},
};

/// `GET /hotels/cities`.
pub async fn cities(_app: App, ask: Ask<Caller, Query<Typed>>) -> DataReply<Vec<City>> {
    let Query(Typed { text, limit }) = ask.what;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let found = find_cities(&text, Some(ask.who.country()), limit);
    data(found.into_iter().map(city).collect::<Vec<_>>())
}

/// `POST /hotels/details`.
pub async fn details(
    app: App,
    ask: Ask<Caller, Body<HotelDetailsRequest>>,
) -> DataReply<Vec<ProviderHotels>> {
    let HotelDetailsRequest { hotel_ids, language } = &ask.what.0;
    let details = hotels::details(&app.engine, &ask.who, hotel_ids, language).await?;
    data(details.into_iter().map(told).collect::<Vec<_>>())
}

impl FromJson for HotelDetailsRequest {
    const NAME: &str = "HotelDetailsRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let ids = body.texts("hotel_ids", MOST_HOTELS);
        let ids = body.not_empty("hotel_ids", ids);
        let ids = body.required("hotel_ids", ids);
        let language = two_letters(body, "language", "a two-letter language code", |_| true);
        Some(Self {
            hotel_ids: ids?,
            language: language.map_or("en".to_owned(), |code| code.to_ascii_lowercase()),
        })
    }
}

/// Cities, as somebody types them.
pub struct Typed {
    /// What was typed until now.
    pub text: String,
    /// How many cities are wanted.
    pub limit: u32,
}

impl FromQuery for Typed {
    fn read(query: &mut Parameters) -> Self {
        Self { text: query.needed_text("q", 100).unwrap_or_default(), limit: query.number("limit", 10, 100) }
    }
}

/// What one supplier tells of hotels.
fn told(DetailsOfSupplier { supplier: provider, hotels, failure }: DetailsOfSupplier) -> ProviderHotels {
    let view = |hotel: wayfare_hotels::HotelDetails| HotelDetails {
        hotel_id: HotelId { supplier: provider.clone(), hotel: hotel.id.clone() }.to_string(),
        provider_hotel_id: hotel.id,
        name: hotel.name,
        star_rating: hotel.stars.map(Amount),
        property_type: hotel.property_type,
        description: hotel.description,
        address: Address {
            line1: hotel.address.line1,
            city: hotel.address.city,
            country: hotel.address.country.map(|code| country_name(&code).map_or(code, str::to_owned)),
        },
        contact: HotelContact { phone: hotel.phone, email: hotel.email },
        images: hotel
            .images
            .into_iter()
            .map(|wayfare_hotels::Image { url, kind }| Image { url, kind })
            .collect(),
        amenities: hotel.amenities,
        room_amenities: hotel.room_amenities,
        has_free_breakfast: hotel.has_free_breakfast,
    };
    ProviderHotels {
        hotels: hotels.into_iter().map(view).collect(),
        provider,
        error: failure.map(|error| error.to_string()),
    }
}

/// A city that was found.
fn city(city: &'static wayfare_reference::City) -> City {
    City { code: city.code.to_string(), name: city.name.to_owned(), country_code: city.country.to_owned() }
}
