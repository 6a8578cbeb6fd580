//! A hotel: what it looks like, what it has, and its rates for each room.

use askama::Template;
use wayfare_client::hotels::{HotelDetails, HotelResult, HotelSearch};

use super::{
    cards::{about, pictures},
    found,
    quote::Stays,
    rates::{self, Kind, Rate, RateView},
    stay::Stay,
};
use crate::{
    BASE,
    failure::Failure,
    form::Fields,
    money::money,
    page::{self, Answer, Shell},
    sale::{self, Product},
    session::Signed,
    side::Area,
};

/// So many pictures are shown.
const PICTURES: usize = 12;

pub struct HotelView {
    pub name: String,
    pub stars: Option<String>,
    pub about: String,
    pub supplier: String,
    pub pictures: Vec<String>,
    pub description: String,
    pub amenities: Vec<String>,
    pub room_amenities: Vec<String>,
    pub phone: String,
    pub email: String,
    /// Whether its supplier has told more than the search.
    pub is_told: bool,
}

impl HotelView {
    fn of(hotel: &HotelResult, details: Option<HotelDetails>) -> Self {
        let is_told = details.is_some();
        let images = details.as_ref().map(|told| &told.images).filter(|images| !images.is_empty());
        let pictures = pictures(images.unwrap_or(&hotel.images)).take(PICTURES);
        let pictures = pictures.collect();
        let (mut amenities, mut room_amenities) = (Vec::new(), Vec::new());
        let (mut description, mut phone, mut email) = (None, None, None);
        if let Some(told) = details {
            (amenities, room_amenities) = (told.amenities, told.room_amenities);
            (description, phone, email) = (told.description, told.contact.phone, told.contact.email);
        }
        Self {
            name: hotel.name.clone(),
            stars: hotel.star_rating.map(|stars| stars.0.normalize().to_string()),
            about: about(hotel),
            supplier: rates::supplier(&hotel.provider),
            pictures,
            description: description.unwrap_or_default(),
            amenities,
            room_amenities,
            phone: phone.unwrap_or_default(),
            email: email.unwrap_or_default(),
            is_told,
        }
    }
}

/// All rooms at once, for one price.
pub struct Package {
    pub rates: Vec<RateView>,
    /// What they cost together.
    pub price: String,
    pub address: String,
}

/// The rates of one kind of room, of which one is chosen.
pub struct KindView {
    pub name: String,
    pub rates: Vec<RateView>,
}

#[derive(Template)]
#[template(path = "hotels/hotel.html")]
pub(super) struct HotelPage {
    shell: Shell,
    hotel: HotelView,
    hotel_id: String,
    query: String,
    stay: Stay,
    packages: Vec<Package>,
    kinds: Vec<KindView>,
    about: String,
}

/// `GET /console/hotels/hotel`.
pub async fn show(signed: Signed, fields: Fields) -> Answer {
    let stay = Stay::read(&fields);
    let Ok(search) = stay.search() else {
        return Err(Failure::NoPage);
    };
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
    page::html(&page_of(shell, hotel, details, &search, stay))
}

pub(super) fn page_of(
    shell: Shell,
    hotel: &HotelResult,
    details: Option<HotelDetails>,
    search: &HotelSearch,
    stay: Stay,
) -> HotelPage {
    let kinds = rates::kinds(search);
    let rates = rates::rates(hotel, &kinds);
    let query = stay.query();
    let packages = rates::packages(&rates, kinds.len());
    let by_kind = rates::by_kind(&rates, kinds.len());
    let kind_view = |((kind, _), rates): (&(Kind, u16), Vec<Rate<'_>>)| KindView {
        name: rates::kind_name(kind),
        rates: rates.iter().map(|rate| RateView::of(rate, &kinds)).collect(),
    };
    HotelPage {
        shell,
        hotel: HotelView::of(hotel, details),
        hotel_id: hotel.hotel_id.clone(),
        packages: packages
            .iter()
            .map(|package| package_view(package, &kinds, &hotel.hotel_id, &query))
            .collect(),
        kinds: kinds.iter().zip(by_kind).map(kind_view).collect(),
        about: stay.about(),
        query,
        stay,
    }
}

fn package_view(package: &[Rate<'_>], kinds: &[(Kind, u16)], hotel_id: &str, query: &str) -> Package {
    let picks = package.iter().map(|rate| ("pick", rates::pick(rate.room)));
    let picked: Vec<_> = std::iter::once(("hotel", hotel_id.to_owned())).chain(picks).collect();
    let picked = serde_urlencoded::to_string(picked).unwrap_or_default();
    let currency = package.first().map(|rate| rates::currency(&rate.room.pricing));
    Package {
        rates: package.iter().map(|rate| RateView::of(rate, kinds)).collect(),
        price: money(rates::total(package).into(), currency.unwrap_or_default()),
        address: format!("{BASE}/hotels/quote?{query}&{picked}"),
    }
}
