//! What [`HotelSupplier`] promises, as a table that is run against an adapter. `examples/own_hotel_supplier.rs` shows how.

use std::collections::HashSet;

use async_trait::async_trait;
use wayfare_domain::{Money, MoneyError, OrderReference};
use wayfare_supply::Answer;
use wayfare_supply::conformance::{self, Row, SeenOrder, is};

use crate::{
    Guest, GuestKind, HotelSupplier, Lookup, PaymentPlace, PricedStay, Query, QuotedRates, RoomGuests,
    RoomRate, RoomRequest, StayContact, StayRequest, SupplierStay,
};

pub use wayfare_supply::conformance::{Port, Report, Trouble, World, done};

/// Runs the table. All rooms of the query are for guests of one kind.
pub async fn run(world: &dyn World<dyn HotelSupplier>) -> Report {
    conformance::run(world).await
}

#[async_trait]
impl Port for dyn HotelSupplier {
    type Query = Query;
    type Request = StayRequest;

    async fn searched(&self, query: &Query) -> Answer<Result<(), String>> {
        self.search(query).await.map(|found| {
            let mut rates = found.hotels.iter().flat_map(|hotel| &hotel.rates).peekable();
            is(rates.peek().is_some(), &"nothing was found")?;
            adds_up(rates)
        })
    }

    async fn priced_unknown(&self, query: &Query) -> Answer<()> {
        match chosen(self, query).await {
            Ok((hotel_id, rate)) => {
                let token = "no_such_rate".to_owned();
                let bundle = rate.bundle.as_ref().map(|_| token.clone());
                let unknown = RoomRate { token, bundle, ..rate };
                self.price(query, &hotel_id, &[&unknown]).await.map(drop)
            }
            Err(reason) => Answer::Unknown(reason),
        }
    }

    async fn request(&self, query: &Query, reference: OrderReference) -> Result<StayRequest, String> {
        let (hotel_id, rate) = chosen(self, query).await?;
        let priced = done(self.price(query, &hotel_id, &[&rate]).await)?;
        adds_up(&priced.rates)?;
        composed(query, hotel_id, priced, reference)
    }

    async fn booked(&self, request: &StayRequest) -> Answer<SeenOrder> {
        self.book(request).await.map(seen)
    }

    async fn found(&self, id: Option<&str>, request: &StayRequest) -> Answer<Option<SeenOrder>> {
        self.find(Lookup { order_id: id, request }).await.map(|found| found.map(seen))
    }

    async fn lacks(&self, query: &Query, _reference: OrderReference) -> Row {
        if self.content_language(&query.language).is_some() {
            return Ok(false);
        }
        let content = self.content(&["no_such_hotel"], &query.language).await;
        is(matches!(content, Answer::Refused(_)), &content)
    }
}

fn seen(stay: SupplierStay) -> SeenOrder {
    SeenOrder { id: stay.id, status: stay.status, total: stay.total }
}

/// That each rate's parts are a price, and no two have one token.
fn adds_up<'a>(rates: impl IntoIterator<Item = &'a RoomRate>) -> Result<(), String> {
    let mut tokens = HashSet::new();
    rates.into_iter().try_for_each(|rate| {
        let is_right = rate.parts.total().is_ok_and(Money::is_positive);
        is(is_right && tokens.insert(&rate.token), rate).map(drop)
    })
}

/// A rate that can be booked by itself, rather one that can be given back, and its hotel's id.
async fn chosen(supplier: &dyn HotelSupplier, query: &Query) -> Result<(String, RoomRate), String> {
    let found = done(supplier.search(query).await)?;
    let all = found.hotels.iter().flat_map(|hotel| hotel.rates.iter().map(|rate| (&hotel.id, rate)));
    let fits = all.filter(|(_, rate)| {
        usize::from(rate.rooms) == query.rooms.len() && rate.payment == PaymentPlace::Prepaid
    });
    let best = fits.max_by_key(|(_, rate)| rate.policy.refundable);
    best.map(|(hotel, rate)| (hotel.clone(), rate.clone())).ok_or("nothing can be booked".to_owned())
}

/// What is sent to book what was priced.
fn composed(
    query: &Query,
    hotel_id: String,
    priced: PricedStay,
    reference: OrderReference,
) -> Result<StayRequest, String> {
    let rate = priced.rates.first().ok_or("nothing was priced")?;
    let total = rate.parts.total().map_err(|error: MoneyError| error.to_string())?;
    let rooms = (1..).zip(&query.rooms).map(|(number, guests)| RoomRequest {
        token: rate.token.clone(),
        number,
        guests: guests_of(guests, &query.nationality),
    });
    Ok(StayRequest {
        rooms: rooms.collect(),
        reference,
        hotel_id,
        check_in: query.check_in,
        check_out: query.check_out,
        supplier_context: priced.supplier_context.clone(),
        total,
        contact: StayContact {
            first_name: "Priya".to_owned(),
            last_name: "Nair".to_owned(),
            email: "agent@example.com".to_owned(),
            phone: "+919812345678".to_owned(),
        },
        remarks: None,
        priced: Some(QuotedRates { query: query.clone(), rates: priced.rates }),
    })
}

fn guests_of(room: &RoomGuests, nationality: &str) -> Vec<Guest> {
    let guest = |kind, first_name: &str, age| Guest {
        kind,
        title: None,
        first_name: first_name.to_owned(),
        last_name: "Rao".to_owned(),
        nationality: Some(nationality.to_owned()),
        age,
    };
    let adults = (0..room.adults).map(|_| guest(GuestKind::Adult, "Asha", None));
    let children = room.children_ages.iter().map(|age| guest(GuestKind::Child, "Dev", Some(*age)));
    adults.chain(children).collect()
}
