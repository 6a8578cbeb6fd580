//! `POST /hotels/rates`: what hotels sell, whole or as a stream.

use actix_web::HttpResponse;
use actix_web::http::header::{CONTENT_ENCODING, ContentType};
use actix_web::web::{self, Bytes, Data};
use futures_util::stream;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::World;
use super::errors::{ApiError, ApiResult};
use super::offers::{self, Offer};
use super::rate_body::room_type_body;
use super::search_request::SearchRequest;
use crate::hotels::Hotel;
use crate::json::{Number, insert};

/// So many hotels come in one event of a stream.
const HOTELS_AN_EVENT: usize = 50;

/// What a search returns of a hotel.
fn hotel_data(hotel: &Hotel) -> Value {
    let photo = hotel.images().next();
    let address = (hotel.street_address(), hotel.city.name, hotel.postal_code());
    json!({
        "id": hotel.id.liteapi(),
        "name": hotel.name(),
        "main_photo": photo.as_ref().map(|photo| &photo.url),
        "thumbnail": photo.as_ref().map(|photo| &photo.thumbnail),
        "address": format!("{}, {} {}", address.0, address.1, address.2),
        "rating": Number(Decimal::new(hotel.rating_tenths().into(), 1)),
    })
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
        Ok(Self { hotels: hotels.skip(request.offset).take(request.limit).collect(), world, request })
    }

    fn found(&self, hotel: &Hotel) -> Option<Found> {
        let (question, filter) = (&self.request.question, &self.request.filter);
        let is_wanted = |rate: &_| filter.wants_rate(rate, question.at);
        let offers = offers::answering(&self.world, question, *hotel, filter.max_rates_per_hotel, is_wanted);
        (!offers.is_empty()).then_some(Found { hotel: *hotel, offers })
    }

    /// What hotels sell, and what is published of these where it is asked for.
    fn bodies(&self, hotels: &[Hotel]) -> (Vec<Value>, Vec<Value>) {
        let (question, maps_rooms) = (&self.request.question, self.request.maps_rooms);
        let found: Vec<Found> = hotels.iter().filter_map(|hotel| self.found(hotel)).collect();
        let rates = found.iter().map(|found| {
            let offers = found.offers.iter();
            let room_types: Vec<Value> =
                offers.map(|offer| room_type_body(question, offer, maps_rooms)).collect();
            json!({ "hotelId": found.hotel.id.liteapi(), "roomTypes": room_types })
        });
        let hotels = found.iter().filter(|_| self.request.with_hotel_data);
        (rates.collect(), hotels.map(|found| hotel_data(&found.hotel)).collect())
    }

    fn whole(&self) -> Result<Vec<u8>, ApiError> {
        let (rates, hotels) = self.bodies(&self.hotels);
        if rates.is_empty() {
            return Err(ApiError::no_availability());
        }
        let mut body = json!({ "data": rates, "guestLevel": 0, "sandbox": true });
        if !hotels.is_empty() {
            insert(&mut body, "hotels", hotels);
        }
        serde_json::to_vec(&body).map_err(|_| ApiError::of_status(500))
    }

    /// The rates of some hotels, and then what is published of these.
    fn events(&self, hotels: &[Hotel]) -> Bytes {
        let (rates, hotels) = self.bodies(hotels);
        let events = [("rates", rates), ("hotels", hotels)].into_iter();
        let lines = events
            .filter(|(_, all)| !all.is_empty())
            .map(|(name, all)| format!("data: {}\n\n", json!({ name: all })));
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
