//! What can still be bought for a booking, and buying it.

use actix_web::web::Path;
use wayfare_contract::flights::{
    FlightBooking, FlightPending, SegmentServices, Service, ServiceDetails, ServiceOrder, Services,
};
use wayfare_domain::{BookingRef, Remarks};
use wayfare_flights::{AncillaryKind, Itinerary, Segment};
use wayfare_operations::{
    Booking, Caller, Error,
    access::idempotency::IdempotencyKey,
    flights::{self, Added, AncillaryRequest, OrderServices},
};

use crate::{
    http::{
        App,
        extract::{Ask, Body, Keyed, Query},
        idempotent::idempotent,
        json_body::{FromJson, JsonObject},
        query::{FromQuery, Parameters},
        reply::{DataReply, Either, Replied, WithMessage, data, left, right, with_message},
    },
    resources::{
        common::{LONGEST_REMARKS, amount, booking_ref, code, remarks},
        flights::{
            book::bodies::ancillary,
            bookings::views::{detail, outcome_pending},
        },
    },
};

/// `GET /flights/bookings/{ref}/ssr`.
pub async fn services(
    app: App,
    ask: Ask<Caller, Query<OfLocator>>,
    reference: Path<String>,
) -> DataReply<Services> {
    let Query(OfLocator(airline_pnr)) = ask.what;
    let (booked, sold) =
        flights::services(&app.engine, &ask.who, &booking_ref(&reference)?, airline_pnr.as_deref()).await?;
    data(sold_services(&booked.booking, sold))
}

type Adding = Either<WithMessage<FlightBooking>, WithMessage<FlightPending, 202>>;

/// `POST /flights/bookings/{ref}/ssr`.
pub async fn add_services(
    app: App,
    ask: Ask<Caller, Keyed<Body<ServicesBody>>>,
    reference: Path<String>,
) -> Replied<Adding> {
    let Ask { who: caller, what: Keyed { body: Body(ServicesBody { requested, remarks }), key } } = ask;
    let reference = booking_ref(&reference)?;
    let carry_out = async |key: Option<&IdempotencyKey>| {
        let added = flights::add_services(&app.engine, &caller, &reference, &requested, remarks, key).await?;
        self::added(&app, added, &reference).await
    };
    let rebuild = async |reference: BookingRef| {
        let added = flights::added(&app.core, &caller, &reference).await?;
        self::added(&app, added, &reference).await
    };
    idempotent(&app, &caller, key, carry_out, rebuild).await
}

async fn added(app: &App, added: Added, reference: &BookingRef) -> Replied<Adding> {
    match added {
        Added::Done(booked) => {
            let shown = flights::shown(&app.engine, *booked).await?;
            let detail = detail(shown, app.core.clock.now()).map_err(Error::from)?;
            left(with_message("SSR added", detail))
        }
        Added::Pending => {
            let pending = outcome_pending(reference);
            right(with_message("adding of SSR is pending", pending))
        }
    }
}

/// Each flight of these orders with what is sold for it.
fn sold_services(booking: &Booking<Itinerary>, orders: Vec<OrderServices>) -> Services {
    let flights: Vec<&Segment> = booking.product.journeys().flat_map(|leg| &leg.segments).collect();
    let mut segments = Vec::new();
    for order in orders {
        let own = flights.iter().enumerate().skip(order.first_segment).take(order.segments);
        for (place, flight) in own {
            let sold = |kind| {
                let here = order.sold.iter().filter(|(ancillary, _)| {
                    let covers = |covered: &u16| order.first_segment + usize::from(*covered) == place;
                    ancillary.kind == kind && ancillary.segments.iter().any(covers)
                });
                here.map(|(ancillary, price)| Service {
                    code: ancillary.code.clone(),
                    description: ancillary.name.clone(),
                    price: amount(*price),
                    currency: code(price.currency()),
                    segment_ids: ancillary
                        .segments
                        .iter()
                        .map(|covered| segment_id(order.first_segment + usize::from(*covered)))
                        .collect(),
                    max_quantity: ancillary.most,
                })
                .collect()
            };
            segments.push(SegmentServices {
                segment_no: place + 1,
                segment_id: segment_id(place),
                origin: flight.origin.to_string(),
                destination: flight.destination.to_string(),
                meals: sold(AncillaryKind::Meal),
                baggage: sold(AncillaryKind::Baggage),
                seats: sold(AncillaryKind::Seat),
                others: sold(AncillaryKind::Other),
            });
        }
    }
    Services { details: ServiceDetails { segments } }
}

pub fn segment_id(place: usize) -> String {
    format!("s{}", place + 1)
}

/// `POST /flights/bookings/{ref}/ssr`.
pub struct ServicesBody {
    /// What is to be added.
    requested: Vec<AncillaryRequest>,
    /// What is said beside it.
    remarks: Option<Remarks>,
}

impl FromJson for ServicesBody {
    const NAME: &str = "AddServicesRequest";
    type Declared = ServiceOrder;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let requested = body.list("ssr", 1..=50, service);
        let remarks = remarks(body);
        Some(Self { requested: requested?, remarks })
    }
}

fn service(body: &mut JsonObject<'_>) -> Option<AncillaryRequest> {
    let service = ancillary(body, |body| {
        let traveller = body.number("pax_ref", 1..=27_u32);
        body.required("pax_ref", traveller)
    });
    body.free_text("name", LONGEST_REMARKS);
    service
}

/// Of which orders services are looked at, where it is said: those of this airline's locator.
pub struct OfLocator(Option<String>);

impl FromQuery for OfLocator {
    fn read(query: &mut Parameters) -> Self {
        Self(query.text("airline_pnr"))
    }
}
