//! A price, who travels by it, the check of both, and the booking.

use std::sync::Arc;

use actix_web::{
    HttpResponse,
    http::StatusCode,
    web::{Form, Query},
};
use askama::Template;
use wayfare_client::{
    Error, Outcome,
    flights::{FlightPrice, PriceRequest},
};

use super::{
    answers::{self, Answers},
    order::{self, Agreed},
    quote_view::{self, QuoteView, SeatView, extras_total},
    trip::Trip,
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
#[template(path = "flights/quote.html")]
struct QuotePage {
    shell: Shell,
    quote: QuoteView,
    trip: Trip,
    offers: Vec<String>,
    seats: Vec<SeatView>,
    fields: Fields,
    wrongs: Wrongs,
    wants_gst: Option<bool>,
    key: String,
    asks_whether: bool,
}

#[derive(Template)]
#[template(path = "flights/check.html")]
struct CheckPage {
    shell: Shell,
    quote: QuoteView,
    travellers: Vec<Answers>,
    booking: Vec<(&'static str, String)>,
    sent: Vec<(String, String)>,
    is_held: bool,
    refused: Option<Refused>,
}

#[derive(Template)]
#[template(path = "flights/unknown.html")]
struct UnknownPage {
    shell: Shell,
    sent: Vec<(String, String)>,
    again: Again,
}

/// What a quote is of: offers, and the trip that they were found for.
struct Asked {
    offers: Vec<String>,
    trip: Trip,
}

impl Asked {
    fn of(fields: &Fields) -> Self {
        Self { offers: fields.all("offer").map(str::to_owned).collect(), trip: Trip::read(fields) }
    }

    fn key(&self, signed: &Signed) -> String {
        format!("{} {}", signed.key, self.offers.join(" "))
    }

    fn address(&self) -> String {
        let offers: Vec<_> = self.offers.iter().map(|offer| ("offer", offer)).collect();
        let offers = serde_urlencoded::to_string(offers).unwrap_or_default();
        format!("{BASE}/flights/quote?{offers}&{}", self.trip.query())
    }

    /// The price, as it is kept, or asked for anew; and whether it is a new one.
    async fn price(&self, signed: &Signed) -> Result<(Arc<FlightPrice>, bool), Failure> {
        let key = self.key(signed);
        if let Some(kept) = signed.console.memory().quote(&key).await {
            return Ok((kept, false));
        }
        let request = PriceRequest::of(self.offers.iter().cloned());
        let price = Arc::new(signed.session.flights().price(&request).await?);
        signed.console.memory().keep_quote(key, price.clone()).await;
        Ok((price, true))
    }
}

/// `GET /console/flights/quote`: the price now, and the form for who travels.
pub async fn show(signed: Signed, query: Query<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let fields = Fields(query.into_inner());
    let asked = Asked::of(&fields);
    if asked.offers.is_empty() {
        return Err(Failure::NoPage);
    }
    let (price, is_new) = match asked.price(&signed).await {
        Err(Failure::Service(error)) if is_gone(&error) => return gone(&signed, &asked).await,
        priced => priced?,
    };
    let mut shown = form(&signed, &asked, &price, Fields::default()).await?;
    shown.asks_whether = is_new && shown.quote.moved.is_some();
    page::html(&shown)
}

#[derive(Template)]
#[template(path = "flights/gone.html")]
struct GonePage {
    shell: Shell,
    search: String,
}

/// A fare that is sold out, or an offer that is over.
fn is_gone(error: &Error) -> bool {
    matches!(error.status(), Some(404 | 410))
        || (error.status() == Some(409) && error.booking_ref().is_none())
}

async fn gone(signed: &Signed, asked: &Asked) -> Result<HttpResponse, Failure> {
    let shell = signed.shell("This fare is gone", "flights").await?;
    let search = format!("{BASE}/flights?{}", asked.trip.query());
    page::html_with(StatusCode::GONE, &GonePage { shell, search })
}

async fn form(
    signed: &Signed,
    asked: &Asked,
    price: &FlightPrice,
    fields: Fields,
) -> Result<QuotePage, Failure> {
    let wallet = signed.session.wallet();
    let shell = signed.shell("Travellers", "flights");
    let (shell, wallet) = futures_util::try_join!(shell, wallet.read())?;
    let of_booking = price.requires.iter().filter(|one| one.what == "gst");
    Ok(QuotePage {
        shell,
        quote: QuoteView::of(price, &wallet, extras_total(price, &fields)),
        seats: quote_view::seat_views(price, &fields),
        wants_gst: of_booking.map(|one| one.mandatory == Some(true)).max(),
        trip: asked.trip.clone(),
        offers: asked.offers.clone(),
        // One key for all that becomes of this form, so that it is booked once.
        key: fields.key_or_new(),
        wrongs: Wrongs::default(),
        asks_whether: false,
        fields,
    })
}

/// `POST /console/flights/quote`: back to the form, with what was typed.
pub async fn edit(signed: Signed, sent: Form<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let fields = Fields(sent.into_inner());
    let asked = Asked::of(&fields);
    let (price, _) = asked.price(&signed).await?;
    page::html(&form(&signed, &asked, &price, fields).await?)
}

/// `POST /console/flights/check`: everything once more, and the button that books.
pub async fn check(signed: Signed, sent: Form<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let fields = Fields(sent.into_inner());
    let asked = Asked::of(&fields);
    let (price, is_new) = asked.price(&signed).await?;
    if let Err(wrongs) = order::order(&Agreed::of(&price), Some(&price), &fields) {
        return again(&signed, &asked, &price, fields, wrongs).await;
    }
    if is_new && price.price_change.is_some() {
        let mut shown = form(&signed, &asked, &price, fields).await?;
        shown.asks_whether = true;
        return page::html(&shown);
    }
    page::html(&checked(&signed, &price, fields, None).await?)
}

async fn again(
    signed: &Signed,
    asked: &Asked,
    price: &FlightPrice,
    fields: Fields,
    wrongs: Wrongs,
) -> Result<HttpResponse, Failure> {
    let mut shown = form(signed, asked, price, fields).await?;
    shown.wrongs = wrongs;
    page::html_with(StatusCode::UNPROCESSABLE_ENTITY, &shown)
}

async fn checked(
    signed: &Signed,
    price: &FlightPrice,
    fields: Fields,
    refused: Option<Refused>,
) -> Result<CheckPage, Failure> {
    let wallet = signed.session.wallet();
    let shell = signed.shell("Check your answers", "flights");
    let (shell, wallet) = futures_util::try_join!(shell, wallet.read())?;
    Ok(CheckPage {
        shell,
        quote: QuoteView::of(price, &wallet, extras_total(price, &fields)),
        travellers: answers::of_travellers(price, &fields),
        booking: answers::of_booking(&fields),
        is_held: fields.get("hold") == "yes",
        sent: agreed_fields(price, fields),
        refused,
    })
}

/// The same with what is agreed on now.
fn agreed_fields(price: &FlightPrice, fields: Fields) -> Vec<(String, String)> {
    let mut sent = kept_fields(fields);
    sent.retain(|(name, _)| !order::AGREED.contains(&name.as_str()));
    sent.extend(Agreed::of(price).fields());
    sent
}

/// What goes on to the next page: never the password, nor how often was asked.
fn kept_fields(fields: Fields) -> Vec<(String, String)> {
    let of_this_page = ["issue_ticket_password", "asked", "allow_duplicate"];
    let mut fields = fields.0;
    fields.retain(|(name, _)| !of_this_page.contains(&name.as_str()));
    fields
}

/// `POST /console/flights/book`: under the form's key, so that the form books once however often it comes.
pub async fn book(signed: Signed, sent: Form<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let fields = Fields(sent.into_inner());
    let asked = Asked::of(&fields);
    let key = fields.key()?;
    let kept = signed.console.memory().quote(&asked.key(&signed)).await;
    // The form carries what was agreed on: a server that does not keep the price sends the same order under the same key.
    let agreed = Agreed::read(&fields, &asked.trip).or_else(|| kept.as_deref().map(Agreed::of));
    let Some(agreed) = agreed else {
        return check(signed, Form(fields.0)).await;
    };
    let order = match (order::order(&agreed, kept.as_deref(), &fields), &kept) {
        (Ok(order), _) => order,
        (Err(wrongs), Some(price)) => return again(&signed, &asked, price, fields, wrongs).await,
        (Err(_), None) => return check(signed, Form(fields.0)).await,
    };
    let booked = signed.session.keyed(key).flights().book(&order).await;
    match booked {
        Ok(booked) => {
            let reference = match booked.answer {
                Outcome::Done(done) => done.booking_ref,
                Outcome::Pending(pending) => pending.booking_ref,
            };
            Ok(see_other(&format!("{BASE}/bookings/{reference}?new=1")))
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
    let Ok((price, _)) = asked.price(signed).await else {
        // Nothing is left to show the form with.
        return Err(error.into());
    };
    let price = price.as_ref();
    let wrongs = Wrongs::of(&error, str::to_owned);
    if !wrongs.is_empty() {
        return again(signed, asked, price, fields, wrongs).await;
    }
    let (status, mut refused) = Refused::of(&error, &[400, 409, 410], asked.address());
    if error.status() == Some(403) {
        "The ticket password is wrong".clone_into(&mut refused.words.title);
        "Nothing was booked and nothing was charged. Type it again.".clone_into(&mut refused.words.text);
    }
    if refused.wants_price {
        signed.console.memory().forget_quote(&asked.key(signed)).await;
    }
    let shown = checked(signed, price, fields, Some(refused)).await?;
    page::html_with(status, &shown)
}

/// Nobody knows yet: the same is asked under the same key until somebody does.
async fn unknown(signed: &Signed, fields: Fields) -> Result<HttpResponse, Failure> {
    let shown = UnknownPage {
        shell: sale::shell_of_unknown(signed, "flights").await,
        again: Again::of(&fields),
        sent: kept_fields(fields),
    };
    page::html_with(StatusCode::ACCEPTED, &shown)
}
