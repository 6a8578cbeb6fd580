//! The price of a stay, who sleeps there, the check of both, and the booking.

use std::sync::Arc;

use actix_web::{
    HttpResponse,
    http::StatusCode,
    web::{Form, Query},
};
use askama::Template;
use wayfare_client::{
    Error, Outcome,
    hotels::{FoundRoom, HotelPriceRequest, HotelResult, HotelSearch},
};

use super::{
    found,
    guests::{self, Agreed, Answers, HotelQuote, Place},
    hotel,
    quote_view::QuoteView,
    rates,
    stay::Stay,
};
use crate::{
    BASE,
    failure::Failure,
    form::{Fields, Wrongs},
    page::{self, Shell},
    sale::{self, Again, Refused},
    see_other,
    session::Signed,
};

#[derive(Template)]
#[template(path = "hotels/quote.html")]
struct QuotePage {
    shell: Shell,
    quote: QuoteView,
    asked: Vec<(String, String)>,
    back: String,
    places: Vec<Place>,
    fields: Fields,
    wrongs: Wrongs,
    key: String,
    asks_whether: bool,
}

#[derive(Template)]
#[template(path = "hotels/check.html")]
struct CheckPage {
    shell: Shell,
    quote: QuoteView,
    rooms: Vec<Answers>,
    contact: Vec<(&'static str, String)>,
    sent: Vec<(String, String)>,
    refused: Option<Refused>,
}

#[derive(Template)]
#[template(path = "hotels/unknown.html")]
struct UnknownPage {
    shell: Shell,
    sent: Vec<(String, String)>,
    again: Again,
}

/// What a quote is of: rates of a hotel, and the stay that they were found for.
struct Asked {
    stay: Stay,
    hotel: String,
    picks: Vec<String>,
}

/// A price, or that there is none any more.
enum Priced {
    Kept(Arc<HotelQuote>),
    New(Arc<HotelQuote>),
    Gone,
}

impl Asked {
    fn of(fields: &Fields) -> Self {
        // Where kinds are chosen one by one, each has a field of its own.
        let picks = fields.0.iter().filter(|(name, value)| name.starts_with("pick") && !value.is_empty());
        Self {
            stay: Stay::read(fields),
            hotel: fields.get("hotel").to_owned(),
            picks: picks.map(|(_, value)| value.clone()).collect(),
        }
    }

    fn pairs(&self) -> Vec<(String, String)> {
        let mut pairs = self.stay.pairs();
        pairs.push(("hotel".to_owned(), self.hotel.clone()));
        pairs.extend(self.picks.iter().map(|pick| ("pick".to_owned(), pick.clone())));
        pairs
    }

    fn query(&self) -> String {
        serde_urlencoded::to_string(self.pairs()).unwrap_or_default()
    }

    fn key(&self, signed: &Signed) -> String {
        format!("{} {}", signed.key, self.query())
    }

    fn back(&self) -> String {
        let hotel = serde_urlencoded::to_string([("hotel", &self.hotel)]).unwrap_or_default();
        format!("{BASE}/hotels/hotel?{}&{hotel}", self.stay.query())
    }

    async fn price(&self, signed: &Signed) -> Result<Priced, Failure> {
        let key = self.key(signed);
        if let Some(kept) = signed.console.hotel_memory().quote(&key).await {
            return Ok(Priced::Kept(kept));
        }
        let Ok(search) = self.stay.search() else {
            return Ok(Priced::Gone);
        };
        let found = found::found(signed, &self.stay).await?;
        let Some((hotel, places)) =
            hotel::find(&found, &self.hotel).and_then(|hotel| self.picked(hotel, &search))
        else {
            return Ok(Priced::Gone);
        };
        let request = HotelPriceRequest::of(&found.search_id, &self.hotel, &hotel.rooms);
        let price = match signed.session.hotels().price(&request).await {
            Ok(price) => price,
            Err(error) if is_gone(&error) => return Ok(Priced::Gone),
            Err(error) => return Err(error.into()),
        };
        let quote = Arc::new(HotelQuote { price, hotel, places });
        let memory = signed.console.hotel_memory();
        memory.keep_quote(key, quote.clone()).await;
        Ok(Priced::New(quote))
    }

    /// The hotel with the chosen rates alone, and its rooms in the order of the search; none where a room has no rate.
    fn picked(&self, hotel: &HotelResult, search: &HotelSearch) -> Option<(HotelResult, Vec<Place>)> {
        let kinds = rates::kinds(search);
        let rates = rates::rates(hotel, &kinds);
        let chosen: Vec<_> =
            rates.into_iter().filter(|rate| self.picks.contains(&rates::pick(rate.room))).collect();
        if chosen.len() != kinds.len() {
            return None;
        }
        let place = |(number, people): (usize, &wayfare_client::hotels::RoomGuests)| {
            let kind = rates::kind(people.adults, &people.children_ages);
            let position = kinds.iter().position(|(known, _)| *known == kind)?;
            let rate = chosen.iter().find(|rate| rate.kind == position)?;
            Some(Place {
                number,
                room_id: rate.room.room_id.clone(),
                rate_id: rate.room.pricing.rate_id.clone(),
                name: rate.room.name.clone(),
                adults: people.adults,
                ages: people.children_ages.clone(),
            })
        };
        let places: Option<Vec<Place>> = search.rooms.iter().enumerate().map(place).collect();
        let rooms: Vec<FoundRoom> = chosen.iter().map(|rate| rate.room.clone()).collect();
        let mut hotel = hotel.clone();
        hotel.rooms = rooms;
        Some((hotel, places?))
    }
}

/// A rate that is sold out, or a search that is over.
fn is_gone(error: &Error) -> bool {
    matches!(error.status(), Some(400 | 404 | 409 | 410))
}

/// `GET /console/hotels/quote`: the price now, and the form for who sleeps there.
pub async fn show(signed: Signed, query: Query<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let fields = Fields(query.into_inner());
    let asked = Asked::of(&fields);
    let (quote, is_new) = match asked.price(&signed).await? {
        Priced::Kept(quote) => (quote, false),
        Priced::New(quote) => (quote, true),
        Priced::Gone => return hotel::gone(&signed, &asked.stay).await,
    };
    let mut shown = form(&signed, &asked, &quote, Fields::default()).await?;
    shown.asks_whether = is_new && shown.quote.moved.is_some();
    page::html(&shown)
}

async fn form(
    signed: &Signed,
    asked: &Asked,
    quote: &HotelQuote,
    fields: Fields,
) -> Result<QuotePage, Failure> {
    let wallet = signed.session.wallet();
    let shell = signed.shell("Guests", "hotels");
    let (shell, wallet) = futures_util::try_join!(shell, wallet.read())?;
    Ok(QuotePage {
        shell,
        quote: QuoteView::of(quote, &asked.stay, &wallet),
        asked: asked.pairs(),
        back: asked.back(),
        places: quote.places.clone(),
        // One key for all that becomes of this form, so that it is booked once.
        key: fields.key_or_new(),
        wrongs: Wrongs::default(),
        asks_whether: false,
        fields,
    })
}

/// `POST /console/hotels/quote`: back to the form, with what was typed.
pub async fn edit(signed: Signed, sent: Form<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let fields = Fields(sent.into_inner());
    let asked = Asked::of(&fields);
    match asked.price(&signed).await? {
        Priced::Kept(quote) | Priced::New(quote) => page::html(&form(&signed, &asked, &quote, fields).await?),
        Priced::Gone => hotel::gone(&signed, &asked.stay).await,
    }
}

/// `POST /console/hotels/check`: everything once more, and the button that books.
pub async fn check(signed: Signed, sent: Form<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let fields = Fields(sent.into_inner());
    let asked = Asked::of(&fields);
    let (quote, is_new) = match asked.price(&signed).await? {
        Priced::Kept(quote) => (quote, false),
        Priced::New(quote) => (quote, true),
        Priced::Gone => return hotel::gone(&signed, &asked.stay).await,
    };
    if let Err(wrongs) = guests::order(&Agreed::of(&quote), &asked.stay, &fields) {
        return again(&signed, &asked, &quote, fields, wrongs).await;
    }
    if is_new && quote.price.price_change.is_some() {
        let mut shown = form(&signed, &asked, &quote, fields).await?;
        shown.asks_whether = true;
        return page::html(&shown);
    }
    page::html(&checked(&signed, &asked, &quote, fields, None).await?)
}

async fn again(
    signed: &Signed,
    asked: &Asked,
    quote: &HotelQuote,
    fields: Fields,
    wrongs: Wrongs,
) -> Result<HttpResponse, Failure> {
    let mut shown = form(signed, asked, quote, fields).await?;
    shown.wrongs = wrongs;
    page::html_with(StatusCode::UNPROCESSABLE_ENTITY, &shown)
}

async fn checked(
    signed: &Signed,
    asked: &Asked,
    quote: &HotelQuote,
    fields: Fields,
    refused: Option<Refused>,
) -> Result<CheckPage, Failure> {
    let wallet = signed.session.wallet();
    let shell = signed.shell("Check your answers", "hotels");
    let (shell, wallet) = futures_util::try_join!(shell, wallet.read())?;
    let contact = [
        ("E-mail", fields.get("contact.email")),
        ("Telephone", fields.get("contact.phone")),
        ("For the hotel", fields.get("remarks")),
    ];
    let contact = contact.into_iter().filter(|(_, value)| !value.is_empty());
    Ok(CheckPage {
        shell,
        quote: QuoteView::of(quote, &asked.stay, &wallet),
        rooms: guests::answers(quote, &fields),
        contact: contact.map(|(name, value)| (name, value.to_owned())).collect(),
        sent: agreed_fields(quote, fields),
        refused,
    })
}

/// The same with what is agreed on now.
fn agreed_fields(quote: &HotelQuote, fields: Fields) -> Vec<(String, String)> {
    let mut sent = kept_fields(fields);
    sent.retain(|(name, _)| !guests::AGREED.contains(&name.as_str()));
    sent.extend(Agreed::of(quote).fields());
    sent
}

/// What goes on to the next page: not how often was asked, nor what is ticked there.
fn kept_fields(fields: Fields) -> Vec<(String, String)> {
    let of_this_page = ["asked", "allow_duplicate"];
    let mut fields = fields.0;
    fields.retain(|(name, _)| !of_this_page.contains(&name.as_str()));
    fields
}

/// `POST /console/hotels/book`: under the form's key, so that the form books once however often it comes.
pub async fn book(signed: Signed, sent: Form<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let fields = Fields(sent.into_inner());
    let asked = Asked::of(&fields);
    let key = fields.key()?;
    let kept = signed.console.hotel_memory().quote(&asked.key(&signed)).await;
    // The form carries what was agreed on: a server that does not keep the price sends the same order under the same key.
    let agreed = Agreed::read(&fields, &asked.stay).or_else(|| kept.as_deref().map(Agreed::of));
    let Some(agreed) = agreed else {
        // Without the price that was shown nothing is bought: it is shown again.
        return check(signed, Form(fields.0)).await;
    };
    let order = match (guests::order(&agreed, &asked.stay, &fields), &kept) {
        (Ok(order), _) => order,
        (Err(wrongs), Some(quote)) => return again(&signed, &asked, quote, fields, wrongs).await,
        (Err(_), None) => return check(signed, Form(fields.0)).await,
    };
    match signed.session.keyed(key).hotels().book(&order).await {
        Ok(booked) => {
            // A price is booked once: another form gets another one.
            signed.console.hotel_memory().forget_quote(&asked.key(&signed)).await;
            let reference = match booked.answer {
                Outcome::Done(done) => done.booking_id,
                Outcome::Pending(pending) => pending.booking_ref,
            };
            Ok(see_other(&format!("{BASE}/hotels/bookings/{reference}?new=1")))
        }
        Err(Error::Unknown { .. }) => unknown(&signed, fields).await,
        Err(error) => refused(&signed, &asked, fields, error).await,
    }
}

async fn refused(
    signed: &Signed,
    asked: &Asked,
    fields: Fields,
    error: Error,
) -> Result<HttpResponse, Failure> {
    if matches!(error, Error::SessionEnded) {
        return Err(error.into());
    }
    let quote = match asked.price(signed).await {
        Ok(Priced::Kept(quote) | Priced::New(quote)) => quote,
        Ok(Priced::Gone) => return hotel::gone(signed, &asked.stay).await,
        // Nothing is left to show the form with.
        Err(_) => return Err(error.into()),
    };
    let wrongs = Wrongs::of(&error, str::to_owned);
    if !wrongs.is_empty() {
        return again(signed, asked, &quote, fields, wrongs).await;
    }
    let address = format!("{BASE}/hotels/quote?{}", asked.query());
    let (status, refused) = Refused::of(&error, &[400, 404, 409, 410], address);
    if refused.wants_price {
        let memory = signed.console.hotel_memory();
        memory.forget_quote(&asked.key(signed)).await;
    }
    let shown = checked(signed, asked, &quote, fields, Some(refused)).await?;
    page::html_with(status, &shown)
}

/// Nobody knows yet: the same is asked under the same key until somebody does.
async fn unknown(signed: &Signed, fields: Fields) -> Result<HttpResponse, Failure> {
    let shown = UnknownPage {
        shell: sale::shell_of_unknown(signed, "hotels").await,
        again: Again::of(&fields),
        sent: kept_fields(fields),
    };
    page::html_with(StatusCode::ACCEPTED, &shown)
}
