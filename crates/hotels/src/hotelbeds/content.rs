//! What hotels are: asked for beside what they sell, kept for a day, and done without where it can't be had.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::join;
use futures_util::stream;
use moka::{future::Cache, policy::EvictionPolicy};
use rust_decimal::Decimal;
use tokio::time::timeout;
use wayfare_domain::Amount;
use wayfare_supply::reading::{Unreadable, parse};
use wayfare_supply::{Answer, Method};

use super::errors::Call;
use super::hotel_details::{Described, Words};
use super::{Hotelbeds, codes, content_wire, wire};
use crate::{HotelDetails, HotelResults, SearchArea};

/// What a hotel is seldom changes.
const KEPT_FOR: Duration = Duration::from_secs(24 * 60 * 60);
/// About ten kilobytes each.
const MOST_HOTELS: u64 = 5_000;
/// Countries; the largest has some hundred destinations.
const MOST_COUNTRIES: u64 = 300;
/// Their codes' words in so many languages.
const MOST_LANGUAGES: u64 = 20;
/// So many hotels are asked for at once: a thousand, which they allow, would be a hundred megabytes.
const BATCH: usize = 100;
const BATCHES_AT_ONCE: usize = 4;
/// A search waits no longer for what its hotels are. What has come by then is kept, so that the next one finds more.
const CONTENT_WAIT: Duration = Duration::from_secs(4);
/// Nor does it wait longer for a city's code, without which it is searched around its centre.
const DESTINATIONS_WAIT: Duration = Duration::from_secs(3);
/// Their largest page.
const PAGE: u32 = 1_000;
/// No country has so many pages of destinations.
const MOST_PAGES: u32 = 10;
/// Around the centre of a city that they don't know by name; kilometres.
const CITY_RADIUS: u32 = 20;
/// Around an airport; kilometres.
const AIRPORT_RADIUS: u32 = 25;

/// What is used of hotels.
const FIELDS: &str = "name,description,countryCode,categoryCode,accommodationTypeCode,address,city,email,phones,rooms,\
                      facilities,images";

/// A country's destinations by their plain names; none for a name that several have.
type Destinations = HashMap<String, Option<String>>;

/// What is kept; its clones share it.
#[derive(Clone, Debug)]
pub(super) struct Library {
    /// By code and language; none for a hotel that they tell nothing of.
    hotels: Cache<(u32, &'static str), Option<Arc<Described>>>,
    /// By language.
    words: Cache<&'static str, Arc<Words>>,
    /// By their country's code.
    destinations: Cache<String, Arc<Destinations>>,
}

impl Library {
    pub fn new() -> Self {
        Self {
            hotels: cache(MOST_HOTELS),
            words: cache(MOST_LANGUAGES),
            destinations: cache(MOST_COUNTRIES),
        }
    }
}

fn cache<K, V>(most: u64) -> Cache<K, V>
where
    K: std::hash::Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    Cache::builder()
        .max_capacity(most)
        .time_to_live(KEPT_FOR)
        .eviction_policy(EvictionPolicy::lru())
        .build()
}

/// All that is told of these hotels. What a code means that nobody could tell is left out.
pub(super) async fn details(
    hotelbeds: &Hotelbeds,
    hotel_ids: &[&str],
    language: &'static str,
) -> Answer<Vec<HotelDetails>> {
    let codes: Vec<u32> = hotel_ids.iter().filter_map(|id| codes::hotel_code(id)).collect();
    for batch in hotelbeds.missing(codes.clone(), language) {
        match hotelbeds.fetch(batch, language, Call::Read).await {
            Answer::Done(()) => {}
            failed => return failed.map(|()| Vec::new()),
        }
    }
    let words = hotelbeds.words(language).await;
    let mut details = Vec::with_capacity(codes.len());
    for code in codes {
        if let Some(Some(described)) = hotelbeds.library.hotels.get(&(code, language)).await {
            details.push(described.details(&words));
        }
    }
    Answer::Done(details)
}

impl Hotelbeds {
    /// Where to search, in their words.
    pub(super) async fn set_area(
        &self,
        area: &SearchArea,
        body: &mut wire::NewSearch<'_>,
    ) -> Result<(), String> {
        match area {
            SearchArea::Hotels(ids) => {
                let hotel: Vec<u32> = ids.iter().filter_map(|id| codes::hotel_code(id)).collect();
                if hotel.is_empty() {
                    return Err("a hotel's code is a number".to_owned());
                }
                body.hotels = Some(wire::NewHotels { hotel });
            }
            SearchArea::City {
                name,
                country,
                latitude,
                longitude,
            } => match self.destination(name, country).await {
                Some(code) => body.destination = Some(wire::NewDestination { code }),
                None => body.geolocation = Some(around(*latitude, *longitude, CITY_RADIUS.into())),
            },
            SearchArea::Airport {
                latitude, longitude, ..
            } => body.geolocation = Some(around(*latitude, *longitude, AIRPORT_RADIUS.into())),
            SearchArea::Around {
                latitude,
                longitude,
                radius_m,
            } => {
                let radius = Decimal::new((*radius_m).into(), 3).normalize();
                body.geolocation = Some(around(*latitude, *longitude, radius));
            }
        }
        Ok(())
    }

    /// The code of the only destination of this name in the country.
    async fn destination(&self, city: &str, country: &str) -> Option<String> {
        let country = codes::their_country(country);
        let known = match self.library.destinations.get(country).await {
            Some(known) => known,
            None => match timeout(DESTINATIONS_WAIT, self.destinations(country)).await {
                Ok(Answer::Done(destinations)) => destinations,
                failed => {
                    let reason = failed.as_ref().map_or(Some("it takes too long"), Answer::problem);
                    tracing::warn!(country, reason, "a city is searched around its centre");
                    return None;
                }
            },
        };
        known.get(&wayfare_reference::plain_name(city)).cloned().flatten()
    }

    async fn destinations(&self, country: &str) -> Answer<Arc<Destinations>> {
        let mut destinations = Destinations::new();
        for number in 0..MOST_PAGES {
            let (from, to) = (number * PAGE + 1, (number + 1) * PAGE);
            let request = self
                .request(Method::GET, "/hotel-content-api/1.0/locations/destinations")
                .query(&[("countryCodes", country), ("fields", "all"), ("language", "ENG")])
                .query(&[("from", from), ("to", to)]);
            let read = |body: &[u8]| parse::<content_wire::Destinations>(body);
            let page = match self.ask(request, Call::Content, read).await {
                Answer::Done(page) => page,
                failed => return failed.map(|_| Arc::default()),
            };
            for place in page.destinations.unwrap_or_default() {
                let name = place.name.and_then(|name| name.content).unwrap_or_default();
                destinations
                    .entry(wayfare_reference::plain_name(&name))
                    .and_modify(|code| *code = None)
                    .or_insert(Some(place.code));
            }
            if page.total.is_none_or(|total| total <= to) {
                break;
            }
        }
        let destinations = Arc::new(destinations);
        let key = country.to_owned();
        self.library
            .destinations
            .insert(key, Arc::clone(&destinations))
            .await;
        Answer::Done(destinations)
    }

    /// Says of the hotels that were found what they are, as far as that is known soon enough.
    pub(super) async fn describe(&self, found: &mut HotelResults, language: &'static str) {
        if found.hotels.is_empty() {
            return;
        }
        let codes = found
            .hotels
            .iter()
            .filter_map(|hotel| codes::hotel_code(&hotel.id));
        let missing = self.missing(codes.collect(), language);
        let batches = stream::iter(missing)
            .map(|batch| self.fetch(batch, language, Call::Content))
            .buffer_unordered(BATCHES_AT_ONCE);
        let batches = batches.for_each(|answer| async move {
            if let Some(reason) = answer.problem() {
                tracing::warn!(reason, "hotels are found without what they are");
            }
        });
        if timeout(CONTENT_WAIT, join(batches, self.words(language)))
            .await
            .is_err()
        {
            tracing::warn!("hotels are found without what they are: it takes too long");
        }
        let words = self.library.words.get(language).await.unwrap_or_default();
        for hotel in &mut found.hotels {
            let Some(code) = codes::hotel_code(&hotel.id) else {
                continue;
            };
            if let Some(Some(described)) = self.library.hotels.get(&(code, language)).await {
                described.complete(hotel, &words);
            }
        }
    }

    /// Those of which nothing is kept, in batches.
    fn missing(&self, codes: Vec<u32>, language: &'static str) -> Vec<Vec<u32>> {
        let mut missing = Vec::new();
        for code in codes {
            if !self.library.hotels.contains_key(&(code, language)) && !missing.contains(&code) {
                missing.push(code);
            }
        }
        missing.chunks(BATCH).map(<[u32]>::to_vec).collect()
    }

    /// Asks what these hotels are and keeps it.
    async fn fetch(&self, codes: Vec<u32>, language: &'static str, call: Call) -> Answer<()> {
        let joined = codes.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let request = self
            .request(Method::GET, "/hotel-content-api/1.0/hotels")
            .query(&[
                ("codes", joined.as_str()),
                ("fields", FIELDS),
                ("language", language),
                ("useSecondaryLanguage", "true"),
                ("from", "1"),
                ("to", "100"),
            ]);
        match self.ask(request, call, described).await {
            Answer::Done(hotels) => {
                let mut returned: HashMap<u32, Described> =
                    hotels.into_iter().map(|hotel| (hotel.code, hotel)).collect();
                for code in codes {
                    let described = returned.remove(&code).map(Arc::new);
                    self.library.hotels.insert((code, language), described).await;
                }
                Answer::Done(())
            }
            failed => failed.map(|_| ()),
        }
    }

    /// What their codes mean; nothing of what nobody could tell, which is asked for again then.
    async fn words(&self, language: &'static str) -> Arc<Words> {
        if let Some(words) = self.library.words.get(language).await {
            return words;
        }
        let types = "/hotel-content-api/1.0/types";
        let ask = |list: &'static str| async move {
            let request = self
                .request(Method::GET, &format!("{types}/{list}"))
                .query(&[("fields", "all"), ("language", language)])
                .query(&[("useSecondaryLanguage", "true")])
                .query(&[("from", 1), ("to", PAGE)]);
            self.ask(request, Call::Content, |body| Ok(body.to_vec())).await
        };
        let (accommodations, (facilities, images)) =
            join(ask("accommodations"), join(ask("facilities"), ask("imagetypes"))).await;
        let read = accommodations.and_then(|accommodations| {
            facilities.and_then(|facilities| {
                images.and_read(|images| Words::read(&accommodations, &facilities, &images))
            })
        });
        match read {
            Answer::Done(words) => {
                let words = Arc::new(words);
                self.library.words.insert(language, Arc::clone(&words)).await;
                words
            }
            failed => {
                let reason = failed.problem();
                tracing::warn!(reason, "nobody tells what the codes of hotels mean");
                Arc::default()
            }
        }
    }
}

fn around(latitude: Decimal, longitude: Decimal, radius_km: Decimal) -> wire::NewGeolocation {
    wire::NewGeolocation {
        latitude: Amount(latitude),
        longitude: Amount(longitude),
        radius: Amount(radius_km),
        unit: "km",
    }
}

fn described(body: &[u8]) -> Result<Vec<Described>, Unreadable> {
    let page: content_wire::Hotels = parse(body)?;
    let hotels = page.hotels.unwrap_or_default();
    Ok(hotels.into_iter().map(Described::of).collect())
}
