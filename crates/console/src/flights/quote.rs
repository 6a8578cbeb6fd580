//! A fare as it is sold: its price, the form for who travels, and its booking.

use wayfare_client::{
    Error, Outcome, Session,
    flights::{FlightOrder, FlightPrice, PriceRequest},
};

use super::{
    answers,
    order::{self, Agreed},
    quote_view::{PriceCard, Travellers, extras_total},
    trip::Trip,
};
use crate::{
    Console, failure,
    memory::Memory,
    page::Part,
    prelude::*,
    sale::{Answers, Buyer, Card, Product, Words, moved},
};

/// Offers, and the trip that they were found for.
pub struct Flights {
    offers: Vec<String>,
    trip: Trip,
}

impl Flights {
    fn offers(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.offers.iter().map(|offer| ("offer", offer.clone()))
    }
}

/// A fare that is sold out, or an offer that is over.
fn is_gone(error: &Error) -> bool {
    matches!(error.status(), Some(404 | 410))
        || (error.status() == Some(409) && error.booking_ref().is_none())
}

impl Product for Flights {
    type Quote = FlightPrice;
    type Agreed = Agreed;
    type Order = FlightOrder;

    const WORDS: Words = Words {
        area: Area::Flights,
        place: "/console/flights",
        form: "Travellers",
        who: "Who travels?",
        back: "results",
        gone: "This fare is gone",
        bookings: "bookings",
        list: "/console/bookings",
    };
    const AGREED: &'static [&'static str] = &order::AGREED;
    const ENDS_PRICE: &'static [u16] = &[400, 409, 410];

    fn read(fields: &Fields) -> Result<Self> {
        let offers: Vec<String> = fields.all("offer").map(str::to_owned).collect();
        match offers.is_empty() {
            true => Err(Failure::NoPage),
            false => Ok(Self { offers, trip: Trip::read(fields) }),
        }
    }

    fn pairs(&self) -> Vec<(String, String)> {
        let pairs = self.trip.pairs().into_iter().chain(self.offers());
        pairs.map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn query(&self) -> String {
        let offers = serde_urlencoded::to_string(self.offers().collect::<Vec<_>>());
        format!("{}&{}", offers.unwrap_or_default(), self.trip.query())
    }

    fn back(&self) -> String {
        self.search_again()
    }

    fn search_again(&self) -> String {
        format!("{BASE}/flights?{}", self.trip.query())
    }

    fn memory(console: &Console) -> &Memory {
        &console.shared.memory
    }

    async fn price(&self, signed: &Signed) -> Result<Option<FlightPrice>> {
        let request = PriceRequest::of(self.offers.iter().cloned());
        match signed.session.flights().price(&request).await {
            Ok(price) => Ok(Some(price)),
            Err(error) if is_gone(&error) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn has_moved(price: &FlightPrice) -> bool {
        price.price_change.is_some()
    }

    fn agreed_by(price: &FlightPrice) -> Agreed {
        Agreed::of(price)
    }

    fn agreed(&self, fields: &Fields) -> Option<Agreed> {
        Agreed::read(fields, &self.trip)
    }

    fn fields_of(agreed: &Agreed) -> Vec<(String, String)> {
        agreed.fields()
    }

    fn order(
        &self,
        agreed: &Agreed,
        price: Option<&FlightPrice>,
        fields: &Fields,
    ) -> Result<FlightOrder, Wrongs> {
        order::order(agreed, price, fields)
    }

    async fn book(session: &Session, order: &FlightOrder) -> Result<String, Error> {
        let reference = match session.flights().book(order).await?.answer {
            Outcome::Done(done) => done.booking_ref,
            Outcome::Pending(pending) => pending.booking_ref,
        };
        Ok(format!("{BASE}/bookings/{reference}"))
    }

    fn card(&self, price: &FlightPrice, buyer: &Buyer, fields: &Fields) -> Result<Card> {
        let extras = extras_total(price, fields);
        let card = PriceCard::of(price, buyer, extras);
        let change = price.price_change.as_ref();
        Ok(Card {
            part: page::part(&card)?,
            payable: card.payable,
            until: Moment::of(price.expires_at),
            moved: change.map(|change| moved(change, &price.currency, extras)),
        })
    }

    fn form(&self, price: &FlightPrice, fields: &Fields, wrongs: &Wrongs) -> Result<Part> {
        page::part(&Travellers::of(price, fields, wrongs))
    }

    fn answers(price: &FlightPrice, fields: &Fields) -> (Vec<Answers>, Vec<(&'static str, String)>) {
        (answers::of_travellers(price, fields), answers::of_booking(fields))
    }

    fn verb(fields: &Fields) -> &'static str {
        if fields.get("hold") == "yes" { "Hold" } else { "Book" }
    }

    fn reword(error: &Error, words: &mut failure::Words) {
        if error.status() == Some(403) {
            "The ticket password is wrong".clone_into(&mut words.title);
            "Nothing was booked and nothing was charged. Type it again.".clone_into(&mut words.text);
        }
    }
}
