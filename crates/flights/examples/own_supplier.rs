//! A supplier of flights of one's own, in memory: it does what a supplier must do, refuses the rest by the port's defaults, and passes the
//! port's conformance tests.

use std::{
    collections::BTreeMap,
    error::Error,
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use serde_json::Value;
use wayfare_domain::{BookingRef, Currency, Money, OrderStatus, Party, ProductKind};
use wayfare_flights::conformance::{self, Port, World, done};
use wayfare_flights::{
    Cabin, Charge, FlightSupplier, Journey, Lookup, Offer, Offers, OrderMode, OrderRequest, PricedOrder,
    Query, Segment, Slice, SupplierOrder, TripType,
};
use wayfare_supply::{
    AfterSales, Answer, CancellationQuote, CancellationState, PartToCancel, Refusal, RefusalKind,
    SupplierConfig,
};

/// It flies each slice at seven in the morning for 4,000 rupees. Orders are kept by our reference.
struct OwnSupplier {
    config: SupplierConfig,
    orders: Mutex<BTreeMap<String, SupplierOrder>>,
}

impl OwnSupplier {
    fn offer(token: &str) -> Option<Offer> {
        let [origin, destination, day] = token.split('.').collect::<Vec<_>>().try_into().ok()?;
        let at = |hour| day.parse::<chrono::NaiveDate>().ok()?.and_hms_opt(hour, 0, 0);
        let flight = Segment::new("ZZ", "42", [origin, destination], [at(7)?, at(9)?]);
        let money = |rupees: i64| Money::exact(rupees.into(), Currency::INR).ok();
        let (base, taxes, total) = (money(3_500)?, money(500)?, money(4_000)?);
        let journey = Journey { segments: vec![flight], duration_minutes: Some(120) };
        Some(Offer::new(token, vec![journey], Charge { base, taxes, total, commission: None }))
    }

    fn orders(&self) -> MutexGuard<'_, BTreeMap<String, SupplierOrder>> {
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
            Some(order) if order.status == OrderStatus::Confirmed => {
                order.status = OrderStatus::Cancelled;
                let (refund, done) = (Some(order.total), CancellationState::Confirmed);
                Answer::Done(CancellationQuote::of(cancellation_id, refund, done, Value::Null))
            }
            _ => Answer::Refused(Refusal::new("there is no such order")),
        }
    }
}

#[async_trait]
impl FlightSupplier for OwnSupplier {
    async fn search(&self, query: &Query) -> Answer<Offers> {
        let token = |slice: &Slice| format!("{}.{}.{}", slice.origin, slice.destination, slice.date);
        let offers = query.slices.iter().filter_map(|slice| Self::offer(&token(slice))).collect();
        Answer::Done(Offers { offers, ..Offers::default() })
    }

    async fn price(&self, tokens: &[&str], _party: Party) -> Answer<PricedOrder> {
        let offers = tokens.iter().map(|token| Self::offer(token)).collect::<Option<Vec<_>>>();
        let gone = || Refusal::of(RefusalKind::Gone, "there is no such offer");
        Answer::or_refused(offers.ok_or_else(gone)).map(PricedOrder::of)
    }

    async fn book(&self, request: &OrderRequest) -> Answer<SupplierOrder> {
        if request.mode == OrderMode::Hold {
            return Answer::Refused(Refusal::new("nothing is held"));
        }
        let id = request.reference.as_ref();
        let order = SupplierOrder::new(id, OrderStatus::Confirmed, request.total);
        Answer::Done(self.orders().entry(id.to_owned()).or_insert(order).clone())
    }

    async fn find(&self, lookup: Lookup<'_>) -> Answer<Option<SupplierOrder>> {
        let id = lookup.order_id.unwrap_or(lookup.request.reference.as_ref());
        Answer::Done(self.orders().get(id).cloned())
    }
}

#[async_trait]
impl World<dyn FlightSupplier> for OwnSupplier {
    fn supplier(&self) -> &(dyn FlightSupplier + 'static) {
        self
    }

    fn query(&self) -> Query {
        let day = "2030-06-01".parse().unwrap_or_default();
        Query {
            trip_type: TripType::OneWay,
            party: Party { adults: 1, children: 0, infants: 0 },
            cabin: Cabin::Economy,
            slices: vec![Slice::between(("DEL", None), ("BOM", None), day)],
            direct_only: false,
            airline: None,
        }
    }
}

/// Sells one seat, gives it back, and runs the table.
#[tokio::main(flavor = "current_thread")]
pub async fn main() -> Result<(), Box<dyn Error>> {
    let config = SupplierConfig::new("own", "http://localhost", "");
    let own = OwnSupplier { config, orders: Mutex::default() };
    let supplier = own.supplier();
    let reference = BookingRef::random(ProductKind::Flight).order(1);
    let request = supplier.request(&own.query(), reference).await?;
    let order = done(supplier.book(&request).await)?;
    println!("order {} for {}", order.id, order.total);
    let cancelled = done(supplier.cancel(&order.id, "all of it", None, None).await)?;
    let found = done(supplier.find(Lookup::by_id(&order.id, &request)).await)?;
    println!("{:?} came back of {:?}", cancelled.refund, found.map(|order| order.status));
    let report = conformance::run(&own).await;
    print!("{report}");
    // It calls nobody, and always has something to sell.
    if report.conforms() && report.left_out().len() == 5 { Ok(()) } else { Err("it does not conform".into()) }
}
