//! A supplier of stays of one's own, in memory: it does what a supplier must do, refuses the rest by the port's defaults, and passes the
//! port's conformance tests.

use std::{
    collections::BTreeMap,
    error::Error,
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use serde_json::Value;
use wayfare_domain::{BookingRef, Currency, Money, OrderStatus, ProductKind};
use wayfare_hotels::conformance::{self, Port, World, done};
use wayfare_hotels::{
    HotelResult, HotelResults, HotelSupplier, Lookup, PricedStay, Query, RateParts, RoomGuests, RoomRate,
    SearchArea, StayRequest, SupplierStay,
};
use wayfare_supply::{
    AfterSales, Answer, CancellationQuote, CancellationState, PartToCancel, Refusal, RefusalKind,
    SupplierConfig,
};

/// Its one hotel has rooms for 9,000 rupees each. Orders are kept by our reference.
struct OwnSupplier {
    config: SupplierConfig,
    orders: Mutex<BTreeMap<String, SupplierStay>>,
}

const TOKEN: &str = "a room with a view";

impl OwnSupplier {
    fn rate(query: &Query) -> Option<RoomRate> {
        let rooms = u16::try_from(query.rooms.len()).ok()?;
        let total = Money::exact((i64::from(rooms) * 9_000).into(), Currency::INR).ok()?;
        Some(RoomRate::new(TOKEN, rooms, "Room with a view", RateParts::plain(total)))
    }

    fn orders(&self) -> MutexGuard<'_, BTreeMap<String, SupplierStay>> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl AfterSales for OwnSupplier {
    fn config(&self) -> &SupplierConfig {
        &self.config
    }

    async fn cancel(
        &self,
        id: &str,
        cancellation_id: &str,
        _remarks: Option<&str>,
        _part: Option<&PartToCancel>,
    ) -> Answer<CancellationQuote> {
        match self.orders().get_mut(id) {
            Some(stay) if stay.status == OrderStatus::Confirmed => {
                stay.status = OrderStatus::Cancelled;
                let (refund, done) = (Some(stay.total), CancellationState::Confirmed);
                Answer::Done(CancellationQuote::of(cancellation_id, refund, done, Value::Null))
            }
            _ => Answer::Refused(Refusal::new("there is no such order")),
        }
    }
}

#[async_trait]
impl HotelSupplier for OwnSupplier {
    async fn search(&self, query: &Query) -> Answer<HotelResults> {
        let rates = Self::rate(query).into_iter().collect();
        let hotels = vec![HotelResult::named("1", "Own Hotel", rates)];
        Answer::Done(HotelResults { hotels, ..HotelResults::default() })
    }

    async fn price(&self, query: &Query, hotel_id: &str, rates: &[&RoomRate]) -> Answer<PricedStay> {
        let is_ours = hotel_id == "1" && rates.iter().all(|rate| rate.token == TOKEN) && rates.len() == 1;
        let gone = || Refusal::of(RefusalKind::Gone, "there is no such rate");
        let rate = Self::rate(query).filter(|_| is_ours).ok_or_else(gone);
        let priced = |rate| PricedStay { rates: vec![rate], supplier_context: Value::Null, expires_at: None };
        Answer::or_refused(rate).map(priced)
    }

    async fn book(&self, request: &StayRequest) -> Answer<SupplierStay> {
        let id = request.reference.as_ref();
        let stay = SupplierStay::new(id, OrderStatus::Confirmed, request.total);
        Answer::Done(self.orders().entry(id.to_owned()).or_insert(stay).clone())
    }

    async fn find(&self, lookup: Lookup<'_>) -> Answer<Option<SupplierStay>> {
        let id = lookup.order_id.unwrap_or(lookup.request.reference.as_ref());
        Answer::Done(self.orders().get(id).cloned())
    }
}

#[async_trait]
impl World<dyn HotelSupplier> for OwnSupplier {
    fn supplier(&self) -> &(dyn HotelSupplier + 'static) {
        self
    }

    fn query(&self) -> Query {
        Query {
            check_in: "2030-06-01".parse().unwrap_or_default(),
            check_out: "2030-06-04".parse().unwrap_or_default(),
            rooms: vec![RoomGuests { adults: 2, children_ages: Vec::new() }],
            area: SearchArea::Hotels(vec!["1".to_owned()]),
            nationality: "IN".to_owned(),
            language: "en".to_owned(),
        }
    }
}

/// Sells one stay, gives it back, and runs the table.
#[tokio::main(flavor = "current_thread")]
pub async fn main() -> Result<(), Box<dyn Error>> {
    let config = SupplierConfig::new("own", "http://localhost", "");
    let own = OwnSupplier { config, orders: Mutex::default() };
    let supplier = own.supplier();
    let reference = BookingRef::random(ProductKind::Hotel).order(1);
    let request = supplier.request(&own.query(), reference).await?;
    let stay = done(supplier.book(&request).await)?;
    println!("stay {} for {}", stay.id, stay.total);
    let cancelled = done(supplier.cancel(&stay.id, "all of it", None, None).await)?;
    let found = done(supplier.find(Lookup { order_id: Some(&stay.id), request: &request }).await)?;
    println!("{:?} came back of {:?}", cancelled.refund, found.map(|stay| stay.status));
    let report = conformance::run(&own).await;
    print!("{report}");
    // It calls nobody, and always has something to sell.
    if report.conforms() && report.left_out().len() == 5 { Ok(()) } else { Err("it does not conform".into()) }
}
