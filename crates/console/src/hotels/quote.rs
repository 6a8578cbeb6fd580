//! A stay as it is sold: its price, the form for who sleeps there, and its booking.

use rust_decimal::Decimal;
use wayfare_client::{
    Error, Outcome, Session,
    hotels::{FoundRoom, HotelOrder, HotelPriceRequest, HotelResult, HotelSearch},
};

use super::{
    found,
    guests::{self, Agreed, Guests, HotelQuote, Place},
    quote_view::PriceCard,
    rates,
    stay::Stay,
};
use crate::{
    Console,
    memory::Memory,
    page::Part,
    prelude::*,
    sale::{Answers, Buyer, Card, Product, Words, moved},
};

/// Rates of a hotel, and the stay that they were found for.
pub struct Stays {
    stay: Stay,
    hotel: String,
    picks: Vec<String>,
}

impl Stays {
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

impl Product for Stays {
    type Quote = HotelQuote;
    type Agreed = Agreed;
    type Order = HotelOrder;

    const WORDS: Words = Words {
        area: Area::Hotels,
        place: "/console/hotels",
        form: "Guests",
        who: "Who stays?",
        back: "rates",
        gone: "This rate is gone",
        bookings: "hotel bookings",
        list: "/console/hotels/bookings",
    };
    const AGREED: &'static [&'static str] = &guests::AGREED;
    const ENDS_PRICE: &'static [u16] = &[400, 404, 409, 410];

    fn read(fields: &Fields) -> Result<Self> {
        // Where kinds are chosen one by one, each has a field of its own.
        let picks = fields.0.iter().filter(|(name, value)| name.starts_with("pick") && !value.is_empty());
        Ok(Self {
            stay: Stay::read(fields),
            hotel: fields.get("hotel").to_owned(),
            picks: picks.map(|(_, value)| value.clone()).collect(),
        })
    }

    fn pairs(&self) -> Vec<(String, String)> {
        let mut pairs = self.stay.pairs();
        pairs.push(("hotel".to_owned(), self.hotel.clone()));
        pairs.extend(self.picks.iter().map(|pick| ("pick".to_owned(), pick.clone())));
        pairs
    }

    fn back(&self) -> String {
        let hotel = serde_urlencoded::to_string([("hotel", &self.hotel)]).unwrap_or_default();
        format!("{BASE}/hotels/hotel?{}&{hotel}", self.stay.query())
    }

    fn search_again(&self) -> String {
        self.stay.search_again()
    }

    fn memory(console: &Console) -> &Memory {
        &console.shared.hotel_memory
    }

    async fn price(&self, signed: &Signed) -> Result<Option<HotelQuote>> {
        let Ok(search) = self.stay.search() else { return Ok(None) };
        let found = found::found(signed, &self.stay).await?;
        let picked = found::hotel(&found, &self.hotel).and_then(|hotel| self.picked(hotel, &search));
        let Some((hotel, places)) = picked else { return Ok(None) };
        let request = HotelPriceRequest::of(&found.search_id, &self.hotel, &hotel.rooms);
        match signed.session.hotels().price(&request).await {
            Ok(price) => Ok(Some(HotelQuote { price, hotel, places })),
            Err(error) if is_gone(&error) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn has_moved(quote: &HotelQuote) -> bool {
        quote.price.price_change.is_some()
    }

    fn agreed_by(quote: &HotelQuote) -> Agreed {
        Agreed::of(quote)
    }

    fn agreed(&self, fields: &Fields) -> Option<Agreed> {
        Agreed::read(fields, &self.stay)
    }

    fn fields_of(agreed: &Agreed) -> Vec<(String, String)> {
        agreed.fields()
    }

    fn order(&self, agreed: &Agreed, _: Option<&HotelQuote>, fields: &Fields) -> Result<HotelOrder, Wrongs> {
        guests::order(agreed, &self.stay, fields)
    }

    async fn book(session: &Session, order: &HotelOrder) -> Result<String, Error> {
        let reference = match session.hotels().book(order).await?.answer {
            Outcome::Done(done) => done.booking_id,
            Outcome::Pending(pending) => pending.booking_ref,
        };
        Ok(format!("{BASE}/hotels/bookings/{reference}"))
    }

    fn card(&self, quote: &HotelQuote, buyer: &Buyer, _: &Fields) -> Result<Card> {
        let price = &quote.price;
        let card = PriceCard::of(quote, &self.stay, buyer);
        let change = price.price_change.as_ref();
        Ok(Card {
            part: page::part(&card)?,
            payable: card.payable,
            until: Moment::of(price.expires_at),
            moved: change.map(|change| moved(change, &price.currency, Decimal::ZERO)),
        })
    }

    fn form(&self, quote: &HotelQuote, fields: &Fields, wrongs: &Wrongs) -> Result<Part> {
        page::part(&Guests { places: &quote.places, fields, wrongs })
    }

    fn answers(quote: &HotelQuote, fields: &Fields) -> (Vec<Answers>, Vec<(&'static str, String)>) {
        (guests::answers(quote, fields), guests::contact_answers(fields))
    }
}
