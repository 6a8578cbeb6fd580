//! `POST /hotels/rates`: what hotels sell, whole or as a stream.

use actix_web::HttpResponse;
use actix_web::http::header::{CONTENT_ENCODING, ContentType};
use actix_web::web::{self, Bytes, Data};
use futures_util::stream;
use rust_decimal::Decimal;
use serde::Serialize;

use super::errors::{ApiError, ApiResult};
use super::offers::{self, Offer, Question};
use super::rate_body::RoomTypeBody;
use super::search_request::SearchRequest;
use super::wire::Number;
use crate::hotels::Hotel;
use crate::server::World;

/// So many hotels come in one event of a stream.
const HOTELS_AN_EVENT: usize = 50;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    data: Vec<HotelRates<'a>>,
    guest_level: u8,
    sandbox: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hotels: Vec<HotelData>,
}

/// One event of a stream: either member.
#[derive(Serialize, Default)]
struct Event<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rates: Vec<HotelRates<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hotels: Vec<HotelData>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HotelRates<'a> {
    hotel_id: String,
    room_types: Vec<RoomTypeBody<'a>>,
}

impl<'a> HotelRates<'a> {
    fn of(question: &'a Question, found: &'a Found, maps_rooms: bool) -> Self {
        let body = |offer| RoomTypeBody::of(question, offer, maps_rooms);
        Self {
            hotel_id: found.hotel.id.liteapi(),
            room_types: found.offers.iter().map(body).collect(),
        }
    }
}

#[derive(Serialize)]
struct HotelData {
    id: String,
    name: String,
    main_photo: String,
    thumbnail: String,
    address: String,
    rating: Number,
}

impl HotelData {
    fn of(hotel: &Hotel) -> Self {
        let photo = hotel.images().next();
        let (main_photo, thumbnail) = photo
            .map(|photo| (photo.url, photo.thumbnail))
            .unwrap_or_default();
        Self {
            id: hotel.id.liteapi(),
            name: hotel.name(),
            main_photo,
            thumbnail,
            address: format!(
                "{}, {} {}",
                hotel.street_address(),
                hotel.city.name,
                hotel.postal_code()
            ),
            rating: Number(Decimal::new(hotel.rating_tenths().into(), 1)),
        }
    }
}

struct Found {
    hotel: Hotel,
    /// Cheapest first.
    offers: Vec<Offer>,
}

/// A search and the hotels that it looks at. Pages are of these, not of those that have something to sell.
struct RatesSearch {
    world: Data<World>,
    request: SearchRequest,
    hotels: Vec<Hotel>,
}

impl RatesSearch {
    fn begin(world: Data<World>, body: &[u8]) -> Result<Self, ApiError> {
        let request = SearchRequest::read(body, world.clock.now())?;
        let hotels = request.main.clone().hotels(world.seed);
        let hotels = hotels.filter(|hotel| request.filter.wants(hotel));
        Ok(Self {
            hotels: hotels.skip(request.offset).take(request.limit).collect(),
            world,
            request,
        })
    }

    fn found(&self, hotel: &Hotel) -> Option<Found> {
        let (question, filter) = (&self.request.question, &self.request.filter);
        let is_wanted = |rate: &_| filter.wants_rate(rate, question.at);
        let offers = offers::answering(
            &self.world,
            question,
            *hotel,
            filter.max_rates_per_hotel,
            is_wanted,
        );
        (!offers.is_empty()).then_some(Found {
            hotel: *hotel,
            offers,
        })
    }

    fn rates<'a>(&'a self, found: &'a [Found]) -> Vec<HotelRates<'a>> {
        let (question, maps_rooms) = (&self.request.question, self.request.maps_rooms);
        found
            .iter()
            .map(|found| HotelRates::of(question, found, maps_rooms))
            .collect()
    }

    fn hotel_data(&self, found: &[Found]) -> Vec<HotelData> {
        match self.request.with_hotel_data {
            true => found.iter().map(|found| HotelData::of(&found.hotel)).collect(),
            false => Vec::new(),
        }
    }

    fn whole(&self) -> Result<Vec<u8>, ApiError> {
        let found: Vec<Found> = self.hotels.iter().filter_map(|hotel| self.found(hotel)).collect();
        if found.is_empty() {
            return Err(ApiError::no_availability());
        }
        let body = Body {
            data: self.rates(&found),
            guest_level: 0,
            sandbox: true,
            hotels: self.hotel_data(&found),
        };
        serde_json::to_vec(&body).map_err(|_| ApiError::of_status(500))
    }

    /// The rates of some hotels, and then what is told of these.
    fn events(&self, hotels: &[Hotel]) -> Bytes {
        let found: Vec<Found> = hotels.iter().filter_map(|hotel| self.found(hotel)).collect();
        let rates = Event {
            rates: self.rates(&found),
            ..Event::default()
        };
        let hotels = Event {
            hotels: self.hotel_data(&found),
            ..Event::default()
        };
        let has_content = |event: &&Event<'_>| !event.rates.is_empty() || !event.hotels.is_empty();
        let events = [rates, hotels];
        let lines = events.iter().filter(has_content).filter_map(|event| {
            let json = serde_json::to_string(event).ok()?;
            Some(format!("data: {json}\n\n"))
        });
        Bytes::from(lines.collect::<String>())
    }

    fn streamed(self) -> HttpResponse {
        let places: Vec<usize> = (0..self.hotels.len()).step_by(HOTELS_AN_EVENT).collect();
        let events = places.into_iter().map(move |from| {
            let to = self.hotels.len().min(from + HOTELS_AN_EVENT);
            self.events(self.hotels.get(from..to).unwrap_or_default())
        });
        let end = std::iter::once(Bytes::from_static(b"data: [DONE]\n\n"));
        let events = events.filter(|event| !event.is_empty()).chain(end);
        HttpResponse::Ok()
            .content_type("text/event-stream")
            // Compressing would hold events back until there are more.
            .insert_header((CONTENT_ENCODING, "identity"))
            .streaming(stream::iter(events.map(Ok::<_, std::convert::Infallible>)))
    }
}

/// Answers a search beside the server's thread: a large one takes a while.
pub(super) async fn search(world: Data<World>, body: Bytes) -> ApiResult {
    let search = RatesSearch::begin(world, &body)?;
    if search.request.streams {
        return Ok(search.streamed());
    }
    let answered = web::block(move || search.whole()).await;
    let body = answered.map_err(|_| ApiError::of_status(500))??;
    Ok(HttpResponse::Ok().content_type(ContentType::json()).body(body))
}
