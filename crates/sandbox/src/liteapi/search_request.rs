//! A search, as its body asks it: where, when, for whom, in which money, and what is left out of the answer.

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::{Decimal, dec};
use serde::Deserialize;
use serde_json::Number;

use super::errors::{ApiError, json_body};
use super::hotel_lookup::{HotelLookup, LookupFields, decimal};
use super::offers::Question;
use crate::hotels::{Guests, Hotel, Rate, Stay};
use crate::tariff::Tariff;

/// What LiteAPI adds to its prices for the client where the client does not say: percent.
const MARGIN: Decimal = dec!(4);
/// How many hotels are looked at where nothing is said, and at most.
const LIMIT: usize = 200;
pub(super) const MOST_HOTELS: usize = 5_000;
const MOST_ROOMS: usize = 9;

/// A body; what is sent besides has no effect here.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    hotel_ids: Option<Vec<String>>,
    country_code: Option<String>,
    city_name: Option<String>,
    latitude: Option<Number>,
    longitude: Option<Number>,
    radius: Option<u32>,
    iata_code: Option<String>,
    checkin: Option<NaiveDate>,
    checkout: Option<NaiveDate>,
    currency: Option<String>,
    guest_nationality: Option<String>,
    occupancies: Option<Vec<Occupancy>>,
    margin: Option<Number>,
    limit: Option<usize>,
    offset: Option<usize>,
    max_rates_per_hotel: Option<usize>,
    board_type: Option<String>,
    #[serde(default)]
    refundable_rates_only: bool,
    star_rating: Option<Vec<Number>>,
    min_rating: Option<Number>,
    hotel_name: Option<String>,
    include_hotel_data: Option<bool>,
    #[serde(default)]
    room_mapping: bool,
    #[serde(default)]
    stream: bool,
}

#[derive(Deserialize)]
struct Occupancy {
    adults: u8,
    /// Null and left out are nobody.
    children: Option<Vec<u8>>,
}

pub(super) struct SearchRequest {
    pub(super) question: Question,
    pub(super) main: HotelLookup,
    pub(super) filter: Filter,
    pub(super) limit: usize,
    pub(super) offset: usize,
    pub(super) with_hotel_data: bool,
    pub(super) maps_rooms: bool,
    pub(super) streams: bool,
}

pub(super) struct Filter {
    pub(super) max_rates_per_hotel: usize,
    /// Codes, where not all are wanted.
    boards: Option<Vec<String>>,
    refundable_only: bool,
    stars: Option<Vec<Decimal>>,
    min_rating: Option<Decimal>,
    /// In lower case.
    hotel_name: Option<String>,
}

impl Filter {
    pub(super) fn wants(&self, hotel: &Hotel) -> bool {
        let rating = Decimal::new(hotel.rating_tenths().into(), 1);
        self.stars.as_ref().is_none_or(|stars| stars.contains(&hotel.stars.into()))
            && self.min_rating.is_none_or(|least| rating >= least)
            && self.hotel_name.as_ref().is_none_or(|name| hotel.name().to_lowercase().contains(name))
    }

    pub(super) fn wants_rate(&self, rate: &Rate, now: DateTime<Utc>) -> bool {
        let board = rate.key.board.code();
        self.boards.as_ref().is_none_or(|boards| boards.iter().any(|each| each == board))
            && (!self.refundable_only || rate.is_refundable(now))
    }
}

impl SearchRequest {
    pub(super) fn read(body: &[u8], now: DateTime<Utc>) -> Result<Self, ApiError> {
        let body: Body = json_body(body)?;
        let question = body.question(now)?;
        let main = body.main()?;
        Ok(Self {
            question,
            with_hotel_data: body.include_hotel_data.unwrap_or(!matches!(main, HotelLookup::Ids(_))),
            main,
            limit: body.limit.unwrap_or(LIMIT).min(MOST_HOTELS),
            offset: body.offset.unwrap_or_default(),
            maps_rooms: body.room_mapping,
            streams: body.stream,
            filter: body.filter(),
        })
    }
}

fn required<T>(value: Option<T>, name: &str) -> Result<T, ApiError> {
    value.ok_or_else(|| ApiError::wrong_input(format!("{name} is required")))
}

impl Body {
    fn question(&self, now: DateTime<Utc>) -> Result<Question, ApiError> {
        let stay = Stay {
            check_in: required(self.checkin, "checkin")?,
            check_out: required(self.checkout, "checkout")?,
        };
        if stay.check_in < now.date_naive() {
            return Err(ApiError::wrong_input("checkin date must not be in the past"));
        }
        if !(1..=Stay::LONGEST).contains(&stay.number_of_nights()) {
            return Err(ApiError::wrong_input("checkin date must be before checkout date"));
        }
        let currency = required(self.currency.as_deref(), "currency")?;
        let tariff = Tariff::in_currency(&currency.to_uppercase());
        let nationality = required(self.guest_nationality.as_deref(), "guestNationality")?;
        let is_country = nationality.len() == 2 && nationality.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !is_country {
            return Err(ApiError::wrong_input("guestNationality is invalid"));
        }
        let rooms = required(self.occupancies.as_ref(), "occupancies")?;
        if !(1..=MOST_ROOMS).contains(&rooms.len()) {
            return Err(ApiError::wrong_input("occupancies is required"));
        }
        let margin = self.margin.as_ref().map_or(Some(MARGIN), decimal);
        let margin = margin.filter(|margin| (Decimal::ZERO..=dec!(100)).contains(margin));
        Ok(Question {
            at: now,
            stay,
            tariff: tariff.ok_or_else(|| ApiError::wrong_input("currency is invalid"))?,
            nationality: nationality.to_uppercase(),
            margin: margin.ok_or_else(|| ApiError::wrong_input("margin is invalid"))?.round_dp(2),
            rooms: rooms.iter().map(Occupancy::guests).collect::<Result<_, _>>()?,
        })
    }

    fn main(&self) -> Result<HotelLookup, ApiError> {
        let place = LookupFields {
            hotel_ids: self.hotel_ids.as_ref().map(|ids| ids.iter().map(String::as_str).collect()),
            country_code: self.country_code.as_deref(),
            city_name: self.city_name.as_deref(),
            latitude: self.latitude.as_ref().and_then(decimal),
            longitude: self.longitude.as_ref().and_then(decimal),
            radius_m: self.radius,
            iata_code: self.iata_code.as_deref(),
        };
        match HotelLookup::of(&place) {
            Some(HotelLookup::Ids(ids)) if ids.is_empty() => {
                Err(ApiError::bad_request("hotel ids not found"))
            }
            Some(main) => Ok(main),
            None => Err(ApiError::wrong_input(
                "one of hotelIds, countryCode and cityName, latitude and longitude, iataCode is required",
            )),
        }
    }

    fn filter(&self) -> Filter {
        let codes = |codes: &String| codes.split(',').map(|code| code.trim().to_uppercase()).collect();
        Filter {
            max_rates_per_hotel: self.max_rates_per_hotel.unwrap_or(usize::MAX),
            boards: self.board_type.as_ref().map(codes),
            refundable_only: self.refundable_rates_only,
            stars: self.star_rating.as_ref().map(|stars| stars.iter().filter_map(decimal).collect()),
            min_rating: self.min_rating.as_ref().and_then(decimal),
            hotel_name: self.hotel_name.as_ref().map(|name| name.to_lowercase()),
        }
    }
}

impl Occupancy {
    fn guests(&self) -> Result<Guests, ApiError> {
        let children = self.children.clone().unwrap_or_default();
        if !(1..=9).contains(&self.adults) || children.len() > 9 || children.iter().any(|age| *age > 17) {
            return Err(ApiError::wrong_input("occupancies is invalid"));
        }
        Ok(Guests { adults: self.adults, children })
    }
}
