//! What can be bought for a booking that stands: seats, bags, meals. The wallet pays for it as for a booking: held
//! before the supplier is asked, posted or voided when its answer is known (P-11).

use std::sync::Arc;

use wayfare_boxed::boxed;
use wayfare_domain::{BookingRef, EventKind, Faults, HoldId, Money, Remarks, StepKind};
use wayfare_flights::{
    AddedServices, Ancillary, AncillaryChoice, OrderRequest, SoldServices, StoredOrder, SupplierOrder,
};
use wayfare_pricing::RateSource;
use wayfare_store::{
    JsonText,
    booking::{bookings::Order, steps},
};
use wayfare_supply::on_behalf_of;

use super::original_request;
use crate::{
    Caller, Core, Engine, Error, Result,
    access::idempotency::IdempotencyKey,
    bookings::{load, load_after_steps, order_id},
    engine::{
        begin_step::{self, BeginSteps, StepRequest},
        booking_state::{check_confirmed, is_live, nothing_pending},
        note::Note,
        patience::within_patience,
        saga,
        step::Service,
        steps::add_service::ServiceRequest,
    },
    flights::{
        Booked,
        ancillaries::{self, AncillaryRequest},
    },
    pricing::exchange_rates::StoredRates,
    reason::Moment,
    suppliers::answers::read_result,
};

const TELLS_NOTHING: &str = "provider does not support SSR";
const SELLS_NOTHING: &str = "provider does not support adding SSR";

/// What one order of a booking still sells.
#[derive(Clone, Debug)]
pub struct OrderServices {
    /// The first of its flights, by its place among all of the booking, from 0.
    pub first_segment: usize,
    pub segments: usize,
    /// What it sells, with what it costs in the wallet's currency.
    pub sold: Vec<(Ancillary, Money)>,
}

/// What can be bought for the booking, or for its orders that an airline knows by this locator.
///
/// # Errors
/// The error of a booking that does not stand, [`Error::NotSupported`] when none of its suppliers sells anything later,
/// the supplier's refusal or outage, [`Error::NoRate`].
#[boxed]
pub async fn services(
    engine: &Engine,
    caller: &Caller,
    reference: &BookingRef,
    airline_pnr: Option<&str>,
) -> Result<(Booked, Vec<OrderServices>)> {
    let booked = load(&engine.core, caller, reference).await?;
    check_confirmed(&booked.booking)?;
    let is_asked = |order: &&Order<SupplierOrder>| {
        let content = order.content.as_ref();
        is_live(*order)
            && airline_pnr.is_none_or(|pnr| {
                let is_it = |known: &String| known.eq_ignore_ascii_case(pnr.trim());
                content.is_some_and(|content| is_it(&content.airline_pnr) || is_it(&content.pnr))
            })
    };
    let rates = StoredRates::present(&engine.core).await?;
    let mut services = Vec::new();
    let mut any_sells = false;
    let asked: Vec<_> = booked.orders.iter().filter(is_asked).collect();
    if asked.is_empty() {
        return Err(Error::NotFound);
    }
    for order in asked {
        if !engine.suppliers.flight_supplier(&order.supplier)?.sells_services_later() {
            continue;
        }
        any_sells = true;
        let (_, sold) = ask(engine, &booked, order).await?;
        let currency = booked.booking.amount.currency();
        let priced = |ancillary: Ancillary| {
            let rate = rates.rate(ancillary.price.currency(), currency)?;
            let price = ancillary.price.converted(rate, currency)?;
            Ok::<_, Error>((ancillary, price))
        };
        let (first_segment, segments) = place_of(&booked, order);
        services.push(OrderServices {
            first_segment,
            segments,
            sold: sold.ancillaries.into_iter().map(priced).collect::<Result<_>>()?,
        });
    }
    match any_sells {
        true => Ok((booked, services)),
        false => Err(Error::NotSupported(TELLS_NOTHING)),
    }
}

/// What the order's supplier still sells for it, and the request that made it.
async fn ask(
    engine: &Engine,
    booked: &Booked,
    order: &Order<SupplierOrder>,
) -> Result<(OrderRequest, SoldServices)> {
    let request = original_request(&engine.core, booked, order).await?;
    let supplier = engine.suppliers.flight_supplier(&order.supplier)?;
    let asked = supplier.services(order_id(order)?, &request);
    let sold = on_behalf_of(booked.booking.organization, asked).await;
    let sold = read_result(&engine.suppliers, &order.supplier, Moment::AfterSale, sold)?;
    Ok((request, sold))
}

/// The place of its first flight among all of the booking, and how many it has.
fn place_of(booked: &Booked, order: &Order<SupplierOrder>) -> (usize, usize) {
    let flights = |order: &wayfare_flights::ItineraryOrder| -> usize {
        order.journeys.iter().map(|leg| leg.segments.len()).sum()
    };
    let place = usize::from(order.number).saturating_sub(1);
    let orders = &booked.booking.product.orders;
    let before = orders.iter().take(place).map(flights).sum();
    (before, orders.get(place).map_or(0, flights))
}

/// How it stands when the call ends.
#[derive(Clone, Debug)]
pub enum Added {
    /// They are bought and paid; the booking as it is now.
    Done(Box<Booked>),
    /// The supplier has not said so yet; the worker finds out.
    Pending,
}

/// Buys services for one order of the booking; the wallet that paid for the booking pays. `remarks` are for the audit log.
///
/// # Errors
/// The error of a booking that does not stand, [`Error::NotSupported`], [`Error::Invalid`] names what can't be had,
/// [`Error::InsufficientFunds`], the supplier's refusal or outage; nothing is held or charged then.
#[boxed]
pub async fn add_services(
    engine: &Arc<Engine>,
    caller: &Caller,
    reference: &BookingRef,
    requested: &[AncillaryRequest],
    remarks: Option<Remarks>,
    key: Option<&IdempotencyKey>,
) -> Result<Added> {
    let booked = load(&engine.core, caller, reference).await?;
    let booking = &booked.booking;
    check_confirmed(booking)?;
    let order = order_of(&booked, requested)?;
    let supplier = engine.suppliers.flight_supplier(&order.supplier)?;
    if !supplier.sells_services_later() {
        return Err(Error::NotSupported(SELLS_NOTHING));
    }
    let mut connection = engine.core.database.connection().await?;
    nothing_pending(&steps::under_way_on(&mut connection, booking.organization, booking.id).await?)?;
    drop(connection);
    let (made, sold) = ask(engine, &booked, order).await?;
    let (first, _) = place_of(&booked, order);
    let requested: Vec<AncillaryRequest> = requested.iter().map(|asked| asked.within_order(first)).collect();
    let chosen =
        ancillaries::chosen(&**supplier, &made, &sold.ancillary_catalog, &sold.ancillaries, &requested)?;
    let rates = StoredRates::present(&engine.core).await?;
    let request = request(&engine.core, &booked, order, made, sold, chosen, &rates)?;
    let note = Note::scrubbed_of(remarks.map(Note::Remarks), &engine.core, booking).await?;
    let service = request.service.clone();
    let request = BeginSteps {
        booking,
        kind: StepKind::AddService,
        action: EventKind::BookingServiceRequested,
        note,
        requests: vec![StepRequest::on(order, request)?],
        service: Some(&service),
        by_itself: false,
    };
    let steps = begin_step::open(engine, &caller.actor(), request, key.map(|key| (caller, key))).await?;
    let carried_out = {
        let (engine, caller, reference) = (engine.clone(), caller.clone(), reference.clone());
        async move {
            let first = steps.first().ok_or(Error::NotFound)?;
            let progress = saga::run_saga(&engine, &caller.actor(), first, None).await?;
            if let Some(error) = progress.error {
                return Err(error);
            }
            match progress.open {
                true => Ok(Added::Pending),
                false => Ok(Added::Done(Box::new(load(&engine.core, &caller, &reference).await?))),
            }
        }
    };
    within_patience(&engine.core, reference, Added::Pending, carried_out).await
}

/// How the adding of services stands: for a request that is made again.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too.
#[boxed]
pub async fn added(core: &Core, caller: &Caller, reference: &BookingRef) -> Result<Added> {
    let (booked, under_way) = load_after_steps(core, caller, reference).await?;
    let adding = under_way.iter().any(|step| step.kind == StepKind::AddService);
    Ok(if adding { Added::Pending } else { Added::Done(Box::new(booked)) })
}

fn order_of<'a>(booked: &'a Booked, requested: &[AncillaryRequest]) -> Result<&'a Order<SupplierOrder>> {
    let mut faults = Faults::default();
    let mut found: Option<&Order<SupplierOrder>> = None;
    for asked in requested {
        let field = format!("{}.segment_id", asked.field);
        let order = booked.orders.iter().filter(|order| is_live(order)).find(|order| {
            let (first, count) = place_of(booked, order);
            (first..first + count).contains(&asked.segment)
        });
        match (order, found) {
            (None, _) => faults.add(field, "must be a segment of the booking that is still booked"),
            (Some(order), Some(other)) if order.number != other.number => {
                faults.add(field, "must be of the same order as the first: add to one order at a time");
            }
            (Some(order), _) => found = Some(order),
        }
    }
    faults.or(())?;
    found.ok_or_else(|| Faults::of("ssr", "this field is required").into())
}

/// What is to be sent, and what the wallet pays for it: each converted once.
fn request(
    core: &Core,
    booked: &Booked,
    order: &Order<SupplierOrder>,
    made: OrderRequest,
    sold: SoldServices,
    chosen: Vec<AncillaryChoice>,
    rates: &StoredRates,
) -> Result<ServiceRequest> {
    let currency = booked.booking.amount.currency();
    let theirs = chosen
        .first()
        .map(|extra| extra.ancillary.price.currency())
        .ok_or_else(|| Faults::of("ssr", "this field is required"))?;
    let lines = ancillaries::sold(&chosen, rates.rate(theirs, currency)?, currency)?;
    let total = chosen.iter().try_fold(Money::zero(theirs), |sum, extra| sum.plus(extra.cost()?))?;
    Ok(ServiceRequest {
        booked: JsonText::keeping(StoredOrder::of(&made))?,
        order_id: order_id(order)?.to_owned(),
        added: JsonText::keeping(AddedServices {
            ancillaries: chosen,
            supplier_context: sold.supplier_context,
            total,
        })?,
        service: Service {
            hold: HoldId::new(&core.clock),
            amount: Money::sum(currency, lines.iter().map(|line| line.total))?,
            sold: lines,
        },
    })
}
