//! Book: from a price id to a confirmed stay, or to the one clear reason why not.

use std::sync::Arc;

use chrono::NaiveDate;
use rust_decimal::Decimal;
use wayfare_boxed::boxed;
use wayfare_domain::{BookingRef, Currency, Faults, Money, NameMeaning, ProductKind, QuoteId, Remarks};
use wayfare_hotels::{
    Guest, GuestKind, QuotedRates, RoomGuests, RoomRequest, Stay, StayContact, StayRate, StayRequest,
    StoredStayRequest,
};
use wayfare_pricing::Totals;
use wayfare_store::booking::{
    bookings::Summary,
    duplicates::{Fingerprint, Fingerprints},
    quotes::Quote,
};

use super::{
    Booked, HotelId,
    price::{self, HotelQuote, QuotedRate},
};
use crate::{
    Caller, ChangedFare, Core, Engine, Error, Result,
    access::idempotency::IdempotencyKey,
    engine::{
        note::Note,
        patience::within_patience,
        purchase::{self, NewOrder, Opened, PurchaseRequest},
        quotes, saga,
    },
};

#[derive(Clone, Debug)]
pub struct HotelOrder {
    /// What a price call gave; none for a text that can't be one.
    pub price_id: Option<QuoteId>,
    /// With its provider's prefix, as it was priced.
    pub hotel_id: String,
    pub check_in: NaiveDate,
    pub check_out: NaiveDate,
    /// One entry for each room (P-79).
    pub rooms: Vec<RoomOrder>,
    pub contact: StayContact,
    pub remarks: Option<Remarks>,
    pub agreed: AgreedFare,
    /// Though the same people were just booked in the same hotel on the same days.
    pub allow_duplicate: bool,
}

/// What the client states it agreed to; it changes no price (P-100).
#[derive(Clone, Copy, Debug, Default)]
pub struct AgreedFare {
    pub agent_fare: Option<Decimal>,
    pub currency: Option<Currency>,
}

impl AgreedFare {
    /// Whether it is this price, as far as it states one.
    fn check(self, totals: &Totals) -> Result<()> {
        let currency = totals.agent_fare.currency();
        if self.currency.is_some_and(|stated| stated != currency) {
            return Err(Faults::of("fare.currency", format!("must be {}", currency.code())).into());
        }
        let Some(agent_fare) = self.agent_fare else { return Ok(()) };
        let stated = Money::exact(agent_fare, currency);
        let stated = stated.map_err(|wrong| Faults::of("fare.agent_fare", wrong.to_string()))?;
        match stated == totals.agent_fare {
            true => Ok(()),
            false => Err(ChangedFare::stated(stated, (totals.total, totals.agent_fare)).into()),
        }
    }
}

#[derive(Clone, Debug)]
pub struct RoomOrder {
    pub room_id: String,
    pub rate_id: String,
    /// A child without an age gets the next of those that were searched.
    pub guests: Vec<Guest>,
}

/// Books: the money is held and the step written before the supplier is asked; the hold is posted or voided when its
/// answer is known. A silent supplier leaves the booking pending.
///
/// # Errors
/// The errors of P-76, [`Error::DuplicateStay`]; nothing stays held then.
#[boxed]
pub async fn book(
    engine: &Arc<Engine>,
    caller: &Caller,
    order: HotelOrder,
    key: Option<&IdempotencyKey>,
) -> Result<Booked> {
    let hotel_id = HotelId::read(engine, "hotel_id", &order.hotel_id)?;
    let price_id = order.price_id.ok_or(Error::NotFound)?;
    let over = Error::HotelPriceExpired;
    let quote = quotes::find(engine, caller, ProductKind::Hotel, price_id, over).await?;
    if let Some(reference) = &quote.used_by {
        let reference = reference.clone();
        return Err(Error::HotelPriceUsed(reference));
    }
    if engine.core.clock.now() >= quote.expires_at {
        return Err(Error::HotelPriceExpired);
    }
    let rooms = fitting(&quote.content, &hotel_id, &order)?;
    let totals = quote.content.totals()?;
    order.agreed.check(&totals)?;
    engine.suppliers.hotel_seller(caller, &hotel_id.supplier)?.check_rooms(&rooms).or(())?;
    let request = purchase_request(&engine.core, &quote, rooms, order);
    let opened = match purchase::open(engine, caller, request, key).await {
        Err(Error::KeyUsed(first)) => return Err(Error::HotelPriceUsed(first)),
        Err(Error::DuplicateBooking(first)) => return Err(Error::DuplicateStay(first)),
        opened => opened?,
    };
    let reference = opened.booking.reference.clone();
    let pending = opened.pending();
    let carried_out = {
        let (engine, caller) = (engine.clone(), caller.clone());
        async move {
            let carried_out = carry_out(&engine, &caller, opened).await;
            // One room fewer is left, or none.
            let content = &quote.content;
            engine.suppliers.forget_answer(&content.supplier, &content.query);
            match carried_out {
                Err(error) => {
                    let quoted = (totals.total, totals.agent_fare);
                    let now = price::fare_now(&engine, &caller, &quote.content);
                    Err(purchase::with_fares(error, quoted, now).await)
                }
                booked => booked,
            }
        }
    };
    within_patience(&engine.core, &reference, pending, carried_out).await
}

async fn carry_out(engine: &Engine, caller: &Caller, opened: Opened<Stay>) -> Result<Booked> {
    let first = opened.steps.first().ok_or(Error::OfferGone)?;
    let mut progress = saga::run_saga(engine, &caller.actor(), first, Some(&opened.people)).await?;
    let error = progress.error.take();
    opened.after(&progress, error)
}

/// The rooms of the order, each for the next one that was searched of its kind, if the order is what was priced: the hotel,
/// the days, each rate as often as it has rooms, and in each room those for whom it was searched.
fn fitting(quote: &HotelQuote, hotel_id: &HotelId, order: &HotelOrder) -> Result<Vec<RoomRequest>> {
    let mut faults = Faults::default();
    if *hotel_id != quote.hotel_id() {
        faults.add("hotel_id", format!("must be {} as it was priced", quote.hotel_id()));
    }
    for (field, stated, priced) in [
        ("check_in", order.check_in, quote.query.check_in),
        ("check_out", order.check_out, quote.query.check_out),
    ] {
        if stated != priced {
            faults.add(field, format!("must be {priced} as it was priced"));
        }
    }
    let mut rooms: Vec<RoomRequest> = Vec::new();
    let mut left: Vec<(&QuotedRate, u16)> = quote.rates.iter().map(|rate| (rate, rate.rate.rooms)).collect();
    let kinds = quote.query.kinds();
    for (place, room) in order.rooms.iter().enumerate() {
        let at = |field: &str| format!("rooms[{place}].{field}");
        let mut rates = left.iter_mut().filter(|(rate, _)| rate.rate_id == room.rate_id);
        let Some((rate, left)) = rates.next() else {
            faults.add(at("rate_id"), "must be a rate that was priced");
            continue;
        };
        if room.room_id != rate.rate.room_id {
            faults.add(at("room_id"), "must be the room of this rate");
        }
        match left.checked_sub(1) {
            Some(fewer) => *left = fewer,
            None => faults
                .add(at("rate_id"), format!("was priced for {} rooms, and these are more", rate.rate.rooms)),
        }
        let Some((guests, _)) = kinds.get(rate.rate.kind) else {
            return Err(Error::Internal("a rate is for rooms that nobody asked for".to_owned()));
        };
        let is_free = |number: &u16| rooms.iter().all(|room| room.number != *number);
        let searched = (1_u16..).zip(&quote.query.rooms);
        let mut of_kind = searched.filter(|(_, room)| room.are_like(guests));
        let Some((number, searched)) = of_kind.find(|(number, _)| is_free(number)) else {
            // The fault above is of it: there are more rooms than were priced.
            continue;
        };
        match sleeping(searched, &room.guests, &at("guests")) {
            Ok(guests) => rooms.push(RoomRequest { token: rate.rate.token.clone(), number, guests }),
            Err(of_guests) => faults.append(of_guests),
        }
    }
    if faults.is_empty() && left.iter().any(|(_, left)| *left > 0) {
        let reason = format!("must have an entry for each of the {} rooms", quote.query.rooms.len());
        faults.add("rooms", reason);
    }
    Ok(faults.or(rooms)?)
}

/// The guests of a room, adults first, each child with an age that was searched: that which it is said to have, else the
/// next one. `field` is where the request names them.
fn sleeping(searched: &RoomGuests, guests: &[Guest], field: &str) -> Result<Vec<Guest>, Faults> {
    let (adults, children): (Vec<&Guest>, Vec<&Guest>) =
        guests.iter().partition(|guest| guest.kind == GuestKind::Adult);
    let (wanted, ages) = (usize::from(searched.adults), &searched.children_ages);
    if adults.len() != wanted || children.len() != ages.len() {
        let reason = format!("must be {wanted} adults and {} children as in the search", ages.len());
        return Err(Faults::of(field, reason));
    }
    let mut faults = Faults::default();
    let mut left = ages.clone();
    for (place, guest) in guests.iter().enumerate() {
        let Some(age) = guest.age else { continue };
        match left.iter().position(|searched| *searched == age) {
            Some(at) => {
                left.remove(at);
            }
            None => {
                let ages: Vec<String> = ages.iter().map(u8::to_string).collect();
                let reason = format!("must be as in the search: {}", ages.join(", "));
                faults.add(format!("{field}[{place}].age"), reason);
            }
        }
    }
    let mut left = left.into_iter();
    let mut aged = |child: &Guest| Guest { age: child.age.or_else(|| left.next()), ..child.clone() };
    let children: Vec<Guest> = children.into_iter().map(&mut aged).collect();
    faults.or(adults.into_iter().cloned().chain(children).collect())
}

fn purchase_request(
    core: &Core,
    quote: &Quote<HotelQuote>,
    rooms: Vec<RoomRequest>,
    order: HotelOrder,
) -> PurchaseRequest<Stay> {
    let reference = BookingRef::random(ProductKind::Hotel);
    let (contact, remarks) = (order.contact, order.remarks);
    let content = &quote.content;
    let (check_in, check_out) = (content.query.check_in, content.query.check_out);
    let request = StayRequest {
        reference: reference.order(1),
        hotel_id: content.hotel.clone(),
        check_in,
        check_out,
        supplier_context: content.memory.clone(),
        priced: Some(QuotedRates {
            query: content.query.clone(),
            rates: content.rates.iter().map(|quoted| quoted.rate.clone()).collect(),
        }),
        total: content.sale.supplier_total,
        rooms: rooms.clone(),
        contact: contact.clone(),
        remarks: remarks.clone(),
    };
    let note = remarks.clone().map(Note::Remarks);
    let guests = rooms.iter().map(|room| room.guests.len()).sum::<usize>();
    PurchaseRequest {
        quote: quote.id,
        reference,
        summary: Summary {
            provider: content.supplier.clone(),
            pnr: String::new(),
            origin: content.address.city.clone().unwrap_or_default(),
            destination: String::new(),
            passenger_count: i32::try_from(guests).unwrap_or(i32::MAX),
        },
        fingerprints: Some(fingerprints(core, content, &rooms)),
        product: stay(content, rooms, contact, remarks),
        sales: vec![content.sale.clone()],
        note,
        orders: vec![NewOrder {
            supplier: content.supplier.clone(),
            request: StoredStayRequest::of(request),
        }],
        allow_duplicate: order.allow_duplicate,
        auto_ticket: false,
        replaces: None,
    }
}

/// The same people in the same hotel on the same days make a duplicate, however their names are spelled (D-571).
fn fingerprints(core: &Core, quote: &HotelQuote, rooms: &[RoomRequest]) -> Fingerprints {
    let guests = rooms.iter().flat_map(|room| &room.guests);
    let (check_in, check_out) = (quote.query.check_in, quote.query.check_out);
    let fingerprint = |name: fn(&Guest) -> String| {
        let mut parts: Vec<String> = guests.clone().map(name).collect();
        parts.sort();
        parts.push(format!("{} {check_in} {check_out}", quote.hotel_id()));
        Fingerprint {
            by_name: core.secrets.mac("likeness", parts.join("\n").as_bytes()),
            by_birth_date: None,
        }
    };
    Fingerprints {
        present: fingerprint(|guest| {
            format!("={}", NameMeaning::of(&guest.first_name, &guest.last_name).key())
        }),
        former: fingerprint(|guest| format!("{}/{}", guest.last_name, guest.first_name).to_lowercase()),
    }
}

fn stay(
    quote: &HotelQuote,
    rooms: Vec<RoomRequest>,
    contact: StayContact,
    guest_remarks: Option<Remarks>,
) -> Stay {
    let kinds = quote.query.kinds();
    let rates = quote.rates.iter().filter_map(|QuotedRate { rate, .. }| {
        Some(StayRate {
            room_id: rate.room_id.clone(),
            room_name: rate.room_name.clone(),
            token: rate.token.clone(),
            rooms: rate.rooms,
            guests: kinds.get(rate.kind).map(|(guests, _)| RoomGuests::clone(guests))?,
            meal_plan: rate.meal_plan,
            meals: rate.meals.clone(),
            fees_at_hotel: rate.fees_at_hotel.clone(),
            payment: rate.payment,
            parts: rate.parts,
        })
    });
    Stay {
        supplier: quote.supplier.clone(),
        hotel_id: quote.hotel.clone(),
        hotel_name: quote.hotel_name.clone(),
        address: quote.address.clone(),
        time_zone: quote.time_zone,
        check_in: quote.query.check_in,
        check_out: quote.query.check_out,
        rates: rates.collect(),
        rooms,
        contact,
        guest_remarks,
        policy: quote.policy.clone(),
        remarks: quote.remarks(),
    }
}
