//! A trial of a supplier of stays: a room for two adults and two nights.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use rust_decimal::Decimal;
use wayfare_domain::{Clock, Money, OrderReference, ProductKind, Title};
use wayfare_hotels::{
    CancellationPolicy, Guest, GuestKind, HotelSupplier, Lookup, PaymentPlace, Query, RoomGuests, RoomRate,
    RoomRequest, SearchArea, StayContact, StayRequest, SupplierStay,
};
use wayfare_supply::{AfterSales, Answer, done_or_return};

use super::port::{
    COUNTRY, ComesBack, EMAIL, FIRST_NAMES, Found, LAST_NAME, Order, PHONE, Priced, TrialPort,
};

const NIGHTS: i64 = 2;
const RADIUS_M: u32 = 10_000;
/// What comes back is what would in an hour: by then it is surely given back.
const MARGIN: TimeDelta = TimeDelta::hours(1);

pub struct StayTrial {
    supplier: Arc<dyn HotelSupplier>,
    clock: Clock,
    query: Query,
}

impl StayTrial {
    /// Of hotels around this point, `39.57,2.65`, from that day on.
    ///
    /// # Errors
    /// Why there is no such point.
    pub fn new(
        supplier: Arc<dyn HotelSupplier>,
        clock: Clock,
        point: &str,
        date: NaiveDate,
    ) -> Result<Self, String> {
        let degrees = |text: &str, most: u32| {
            text.trim().parse::<Decimal>().ok().filter(|degrees| degrees.abs() <= Decimal::from(most))
        };
        let point = point.split_once(',');
        let point = point.and_then(|(north, east)| Some((degrees(north, 90)?, degrees(east, 180)?)));
        let (latitude, longitude) = point.ok_or("must be latitude and longitude, like 39.57,2.65")?;
        let query = Query {
            check_in: date,
            check_out: date + TimeDelta::days(NIGHTS),
            rooms: vec![RoomGuests { adults: 2, children_ages: Vec::new() }],
            area: SearchArea::Around { latitude, longitude, radius_m: RADIUS_M },
            nationality: COUNTRY.to_owned(),
            language: "en".to_owned(),
        };
        Ok(Self { supplier, clock, query })
    }
}

fn room(token: &str) -> RoomRequest {
    let guest = |(first_name, title): (&str, Title)| Guest {
        kind: GuestKind::Adult,
        title: Some(title),
        first_name: first_name.to_owned(),
        last_name: LAST_NAME.to_owned(),
        nationality: Some(COUNTRY.to_owned()),
        age: None,
    };
    let guests = FIRST_NAMES.into_iter().zip([Title::Ms, Title::Mr]).map(guest).collect();
    RoomRequest { token: token.to_owned(), number: 1, guests }
}

fn contact() -> StayContact {
    let [first_name, _] = FIRST_NAMES;
    StayContact {
        first_name: first_name.to_owned(),
        last_name: LAST_NAME.to_owned(),
        email: EMAIL.to_owned(),
        phone: PHONE.to_owned(),
    }
}

/// What comes back if it is given back soon.
fn comes_back(policy: &CancellationPolicy, total: Money, now: DateTime<Utc>) -> ComesBack {
    match policy.fee_at(now + MARGIN, total) {
        Ok(fee) if fee.is_zero() => ComesBack::All,
        Ok(fee) if fee != total => ComesBack::Part,
        Ok(_) | Err(_) => ComesBack::Nothing,
    }
}

fn order(of: SupplierStay) -> Order {
    Order { id: of.id, status: of.status, total: of.total }
}

impl TrialPort for StayTrial {
    /// A rate and the id of its hotel.
    type Offer = (String, RoomRate);
    type Request = StayRequest;
    const KIND: ProductKind = ProductKind::Hotel;

    fn supplier(&self) -> &dyn AfterSales {
        &*self.supplier
    }

    async fn search(&self, wanted: ComesBack) -> Answer<Found<Self::Offer>> {
        let found = done_or_return!(self.supplier.search(&self.query).await);
        let (mut count, mut refundable, now) = (0, Vec::new(), self.clock.now());
        for hotel in found.hotels {
            count += hotel.rates.len();
            let rates = hotel.rates.into_iter().filter(|rate| rate.payment == PaymentPlace::Prepaid);
            refundable.extend(rates.filter_map(|rate| {
                let total = rate.parts.total().ok()?;
                let is_refundable = comes_back(&rate.policy, total, now) >= wanted;
                is_refundable.then(|| (total, (hotel.id.clone(), rate)))
            }));
        }
        Answer::Done(Found { count, unusable: found.unusable.len(), refundable })
    }

    async fn price(
        &self,
        (hotel_id, rate): &Self::Offer,
        reference: &OrderReference,
    ) -> Answer<Priced<StayRequest>> {
        let priced = done_or_return!(self.supplier.price(&self.query, hotel_id, &[rate]).await);
        let Some((rate, total)) =
            priced.rates.first().and_then(|rate| Some((rate, rate.parts.total().ok()?)))
        else {
            return Answer::Unknown("it was priced without a rate".to_owned());
        };
        let rooms = vec![room(&rate.token)];
        let faults = self.supplier.check_rooms(&rooms);
        Answer::Done(Priced {
            total,
            comes_back: comes_back(&rate.policy, total, self.clock.now()),
            until: rate.policy.free_until().map_or(String::new(), |until| format!("until {until}")),
            is_held: false,
            lacks: (!faults.is_empty()).then(|| faults.to_string()),
            request: StayRequest {
                reference: reference.clone(),
                hotel_id: hotel_id.clone(),
                check_in: self.query.check_in,
                check_out: self.query.check_out,
                supplier_context: priced.supplier_context.clone(),
                // A price that has moved is to be seen, not followed.
                priced: None,
                total,
                rooms,
                contact: contact(),
                remarks: None,
            },
        })
    }

    fn renamed(&self, request: &StayRequest, reference: OrderReference) -> StayRequest {
        StayRequest { reference, ..request.clone() }
    }

    async fn book(&self, request: &StayRequest) -> Answer<Order> {
        self.supplier.book(request).await.map(order)
    }

    async fn find(&self, order_id: Option<&str>, request: &StayRequest) -> Answer<Option<Order>> {
        let found = self.supplier.find(Lookup { order_id, request }).await;
        found.map(|found| found.map(order))
    }
}
