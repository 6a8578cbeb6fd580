//! A search's answer: as it is kept, else asked for.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use wayfare_client::{
    Error,
    enums::{SortField, SortOrder},
    hotels::{HotelResult, HotelSearch, HotelsFound},
};

use super::stay::Stay;
use crate::{failure::Failure, memory::Kept, session::Signed};

/// What one hotel takes, and each rate of it, roughly.
const HOTEL: usize = 2_000;
const RATE: usize = 1_200;
const PER_PAGE: u32 = 100;
/// So many pages are read, the cheapest hotels first: each counts as a search.
const PAGES: u32 = 5;

impl Kept for HotelsFound {
    fn ends_at(&self) -> Option<DateTime<Utc>> {
        Some(self.expires_at)
    }

    fn bytes(&self) -> usize {
        self.hotels.iter().map(|hotel| HOTEL + hotel.rooms.len() * RATE).sum()
    }
}

pub enum NotFound {
    Wrong(crate::form::Wrongs),
    Failed(Failure),
}

impl From<Error> for NotFound {
    fn from(error: Error) -> Self {
        let wrongs = super::stay::wrongs_of(&error);
        match wrongs.is_empty() {
            true => Self::Failed(error.into()),
            false => Self::Wrong(wrongs),
        }
    }
}

impl From<NotFound> for Failure {
    fn from(found: NotFound) -> Self {
        match found {
            NotFound::Wrong(_) => Self::Gone("Fill in the search again."),
            NotFound::Failed(failure) => failure,
        }
    }
}

pub async fn kept(signed: &Signed, stay: &Stay) -> Option<Arc<HotelsFound>> {
    signed.console.shared.hotel_memory.search(&signed.own(&stay.query())).await
}

/// The answer: as it is kept, else asked for.
pub async fn found(signed: &Signed, stay: &Stay) -> Result<Arc<HotelsFound>, NotFound> {
    if let Some(kept) = kept(signed, stay).await {
        return Ok(kept);
    }
    let mut search = stay.search().map_err(NotFound::Wrong)?;
    search.search_id = Some(stay.id(&signed.key));
    // What is shown is what the wallet pays.
    search.currency = Some(signed.session.wallet().read().await?.currency);
    let found = Arc::new(all_pages(signed, search).await?);
    let memory = &signed.console.shared.hotel_memory;
    memory.keep_search(signed.own(&stay.query()), found.clone()).await;
    Ok(found)
}

async fn all_pages(signed: &Signed, search: HotelSearch) -> Result<HotelsFound, Error> {
    let search = search.sort(SortField::Price, SortOrder::Ascending);
    let hotels = signed.session.hotels();
    let mut found = hotels.search(&search.clone().page(1, PER_PAGE)).await?;
    let last = u32::try_from(found.total_pages).unwrap_or(PAGES).min(PAGES);
    for number in 2..=last {
        let next = hotels.search(&search.clone().page(number, PER_PAGE)).await?;
        found.hotels.extend(next.hotels);
    }
    Ok(found)
}

/// The hotel of this id in an answer.
pub fn hotel<'a>(found: &'a HotelsFound, hotel_id: &str) -> Option<&'a HotelResult> {
    found.hotels.iter().find(|hotel| hotel.hotel_id == hotel_id)
}
