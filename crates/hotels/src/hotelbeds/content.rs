//! What hotels are: one page of them at a time, and the lists of words with which they tell it.
//!
//! They forbid asking for it beside searches and bookings, so that nothing here is called while somebody waits (D-594).

use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;
use serde_json::value::RawValue;
use wayfare_supply::lenient::parse_leniently;
use wayfare_supply::reading::{Unreadable, parse};
use wayfare_supply::{Answer, Method, done_or_return};

use super::errors::Call;
use super::hotel_details::{Described, Words};
use super::parts::DESCRIBED;
use super::{Hotelbeds, codes, content_wire};
use crate::HotelContent;

/// What their codes mean seldom changes.
const KEPT_FOR: Duration = Duration::from_secs(24 * 60 * 60);
/// Their codes' words in so many languages.
const MOST_LANGUAGES: u64 = 20;
/// Their largest page.
const PAGE: u32 = 1_000;

/// What is used of hotels.
const FIELDS: &str = "name,description,countryCode,categoryCode,accommodationTypeCode,address,city,email,phones,rooms,\
                      facilities,images";

/// What their codes mean, by language; its clones share it.
#[derive(Clone, Debug)]
pub(super) struct Library(Cache<String, Arc<Words>>);

impl Library {
    pub fn new() -> Self {
        let cache = Cache::builder();
        Self(cache.max_capacity(MOST_LANGUAGES).time_to_live(KEPT_FOR).build())
    }
}

/// What these hotels are, in this language of theirs; one that they don't know is left out. Nothing where nobody tells what their
/// codes mean: it would be kept so for a day.
pub(super) async fn page(
    hotelbeds: &Hotelbeds,
    hotel_ids: &[&str],
    language: &str,
) -> Answer<Vec<HotelContent>> {
    let codes: Vec<String> =
        hotel_ids.iter().filter_map(|id| codes::hotel_code(id)).map(|code| code.to_string()).collect();
    if codes.is_empty() {
        return Answer::Done(Vec::new());
    }
    let words = done_or_return!(hotelbeds.words(language).await);
    let request = hotelbeds.request(Method::GET, "/hotel-content-api/1.0/hotels").query(&[
        ("codes", codes.join(",").as_str()),
        ("fields", FIELDS),
        ("language", language),
        ("useSecondaryLanguage", "true"),
        ("from", "1"),
        ("to", "100"),
    ]);
    let told = hotelbeds.ask(request, Call::Content, described).await;
    told.map(|hotels| hotels.into_iter().map(|hotel| hotel.content(&words)).collect())
}

impl Hotelbeds {
    /// What their codes mean: three lists, one after the other.
    async fn words(&self, language: &str) -> Answer<Arc<Words>> {
        if let Some(words) = self.library.0.get(language).await {
            return Answer::Done(words);
        }
        let mut lists = Vec::new();
        for list in ["accommodations", "facilities", "imagetypes"] {
            let request = self
                .request(Method::GET, &format!("/hotel-content-api/1.0/types/{list}"))
                .query(&[("fields", "all"), ("language", language)])
                .query(&[("useSecondaryLanguage", "true")])
                .query(&[("from", 1), ("to", PAGE)]);
            let answer = self.ask(request, Call::Content, |body| Ok(body.to_vec()));
            lists.push(done_or_return!(answer.await));
        }
        let read = match lists.as_slice() {
            [accommodations, facilities, images] => Words::read(accommodations, facilities, images),
            _ => Err(Unreadable::new("a list of words is missing")),
        };
        match read {
            Ok(words) => {
                let words = Arc::new(words);
                self.library.0.insert(language.to_owned(), Arc::clone(&words)).await;
                Answer::Done(words)
            }
            Err(reason) => Answer::unreadable(reason),
        }
    }
}

fn described(body: &[u8]) -> Result<Vec<Described>, Unreadable> {
    let page: content_wire::Hotels<'_> = parse(body)?;
    let hotels = page.hotels.unwrap_or_default().into_iter();
    let hotel = |text: &RawValue| parse_leniently(text.get().as_bytes(), "hotels[]", &DESCRIBED).ok();
    Ok(hotels.filter_map(hotel).map(Described::of).collect())
}
