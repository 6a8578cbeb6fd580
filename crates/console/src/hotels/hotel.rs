//! A hotel: what it looks like, what it has, and its rates for each room.

use wayfare_client::hotels::{HotelDetails, HotelResult};

use super::{
    cards::pictures,
    found,
    quote::Stays,
    rates::{self, Kind, Rate},
    stay::Stay,
};
use crate::{
    prelude::*,
    sale::{self, Product},
};

/// So many pictures are shown.
const PICTURES: usize = 12;

/// All rooms at once, for one price.
pub struct Package<'a> {
    pub rates: Vec<Rate<'a>>,
    /// What they cost together.
    pub price: String,
    pub address: String,
}

/// The rates of one kind of room, of which one is chosen.
pub struct KindView<'a> {
    pub name: String,
    pub rates: Vec<Rate<'a>>,
}

#[derive(Template)]
#[template(path = "hotels/hotel.html")]
pub(super) struct HotelPage<'a> {
    shell: Shell,
    hotel: &'a HotelResult,
    /// What its supplier tells more than the search.
    told: Option<HotelDetails>,
    query: String,
    stay: Stay,
    packages: Vec<Package<'a>>,
    kinds: Vec<KindView<'a>>,
}

impl HotelPage<'_> {
    fn pictures(&self) -> Vec<String> {
        let images = self.told.as_ref().map(|told| &told.images).filter(|images| !images.is_empty());
        pictures(images.unwrap_or(&self.hotel.images)).take(PICTURES).collect()
    }
}

/// `GET /console/hotels/hotel`.
pub async fn show(signed: Signed, fields: Fields) -> Answer {
    let stay = Stay::read(&fields);
    let Ok(search) = stay.search() else { return Err(Failure::NoPage) };
    let hotel_id = fields.get("hotel");
    let found = found::found(&signed, &stay).await?;
    let Some(hotel) = found::hotel(&found, hotel_id) else {
        return sale::gone(&signed, &Stays::WORDS, stay.search_again()).await;
    };
    let shell = signed.shell(&hotel.name, Area::Hotels).await?;
    let hotels = signed.session.hotels();
    // Rates can be sold without it.
    let told = hotels.details(std::slice::from_ref(&hotel.hotel_id), "en").await;
    let details = told.ok().and_then(|told| {
        let all = told.into_iter().flat_map(|provider| provider.hotels);
        all.into_iter().find(|one| one.hotel_id == hotel.hotel_id)
    });
    page::html(&page_of(shell, hotel, details, &rates::kinds(&search), stay))
}

pub(super) fn page_of<'a>(
    shell: Shell,
    hotel: &'a HotelResult,
    told: Option<HotelDetails>,
    kinds: &'a [(Kind, u16)],
    stay: Stay,
) -> HotelPage<'a> {
    let rates = rates::rates(hotel, kinds);
    let query = stay.query();
    let packages = rates::packages(&rates, kinds.len());
    let by_kind = rates::by_kind(&rates, kinds.len());
    let kind_view =
        |((kind, _), rates): (&(Kind, u16), Vec<Rate<'a>>)| KindView { name: rates::kind_name(kind), rates };
    HotelPage {
        shell,
        hotel,
        told,
        packages: packages
            .into_iter()
            .map(|package| package_view(package, &hotel.hotel_id, &query))
            .collect(),
        kinds: kinds.iter().zip(by_kind).map(kind_view).collect(),
        query,
        stay,
    }
}

fn package_view<'a>(package: Vec<Rate<'a>>, hotel_id: &str, query: &str) -> Package<'a> {
    let picks = package.iter().map(|rate| ("pick", rates::pick(rate.room)));
    let picked: Vec<_> = std::iter::once(("hotel", hotel_id.to_owned())).chain(picks).collect();
    let picked = serde_urlencoded::to_string(picked).unwrap_or_default();
    let currency = package.first().map(|rate| rates::currency(&rate.room.pricing));
    Package {
        price: money(rates::total(&package).into(), currency.unwrap_or_default()),
        rates: package,
        address: format!("{BASE}/hotels/quote?{query}&{picked}"),
    }
}
