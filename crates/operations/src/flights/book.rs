//! Book: from a booking key to a confirmed itinerary, or to the one clear reason why not.

use std::{
    collections::{BTreeSet, HashSet},
    ops::Range,
    sync::Arc,
};

use chrono::NaiveDate;
use rust_decimal::Decimal;
use wayfare_boxed::boxed;
use wayfare_contract::flights::PriceRequest;
use wayfare_domain::{
    BookingId, BookingPapers, BookingRef, Contact, Faults, FlightKey, Money, NameMeaning, OrderReference,
    ProductKind, QuoteId, Remarks, Traveller,
};
use wayfare_flights::{
    HoldTerms, Itinerary, ItineraryOrder, ItineraryPeople, Offer, OrderMode, OrderRequest, Segment,
    StoredOrder,
};
use wayfare_pricing::Sale;
use wayfare_store::booking::{
    bookings::Summary,
    duplicates::{Fingerprint, Fingerprints},
    quotes::Quote,
};

use super::{
    Booked,
    ancillaries::{self, AncillaryRequest},
    holds, passengers,
    price::{BookingKey, FlightQuote, QuotedOffers, QuotedOrder, price, read_catalog},
};
use crate::{
    Caller, ChangedFare, Core, Engine, Error, Flights, Result,
    access::idempotency::IdempotencyKey,
    agency::settings::{self, BookingSettings, TicketPasswordPassed},
    engine::{
        booking_state::BookingState,
        note::Note,
        patience::within_patience,
        purchase::{self, NewOrder, Opened, Original, PurchaseRequest},
        quotes, saga,
    },
};

/// What is to be booked: priced, or not yet.
#[derive(Clone, Debug)]
pub enum Bought {
    /// Booking keys of one price call, all of them.
    Keys(Vec<String>),
    /// Offers, which are priced in the same call (P-77).
    Offers(Vec<String>),
}

/// What the client states it agreed to; it changes no price (P-100).
#[derive(Clone, Copy, Debug)]
pub struct AgreedPrice {
    /// In the wallet's currency.
    pub agent_fare: Decimal,
}

#[derive(Clone, Debug)]
pub struct FlightOrder {
    pub bought: Bought,
    pub terms: OrderTerms,
}

/// Whether what is bought is held and paid later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// As the agency has set (`book_mode`, D-281): [`Hold::No`] or [`Hold::IfPossible`].
    AsSet,
    /// It is bought at once where the supplier allows it, and else held.
    No,
    /// It is held where the supplier can, and else bought at once.
    IfPossible,
    /// It is held or not booked.
    Only,
}

#[derive(Clone, Debug)]
pub struct OrderTerms {
    /// Who travels; in any order of their indices.
    pub travellers: Vec<Traveller>,
    pub ancillaries: Vec<AncillaryRequest>,
    /// Their papers, and to whom the tax is invoiced.
    pub papers: BookingPapers,
    pub contact: Contact,
    pub agreed: Option<AgreedPrice>,
    /// Whether to hold instead of buying at once.
    pub hold: Hold,
    /// Whether what is held is ticketed by itself before it lapses.
    pub auto_ticket: bool,
    /// Book the same people on the same flights again, within minutes.
    pub allow_duplicate: bool,
    /// What is said beside it, for the audit log, and for the suppliers of orders that are given back for it.
    pub remarks: Option<Remarks>,
}

/// Books: the money is held and the steps written before a supplier is asked; the hold is posted or voided when all
/// answers are known. Of several orders each is made when the one before it was; when one is refused, those before it
/// are given back. A silent supplier leaves the booking pending.
///
/// # Errors
/// The errors of P-76; nothing stays held then.
#[boxed]
pub async fn book(
    flights: &Arc<Flights>,
    caller: &Caller,
    read: ReadOrder,
    _: TicketPasswordPassed,
    key: Option<&IdempotencyKey>,
) -> Result<Booked> {
    let ReadOrder { order, settings, quote } = read;
    let hold = match order.terms.hold {
        Hold::AsSet if settings.holds_by_default => Hold::IfPossible,
        hold => hold,
    };
    let terms = OrderTerms { hold, ..order.terms };
    if terms.auto_ticket && !matches!(hold, Hold::Only | Hold::IfPossible) {
        return Err(Faults::of("auto_ticket", "must not be true without hold").into());
    }
    check_shape(&terms)?;
    let mut quote = quoted(flights, caller, &order.bought, quote).await?;
    if !terms.ancillaries.is_empty() {
        read_catalog(&flights.core, &mut quote).await?;
    }
    let purchase = buy(flights, caller, &quote, terms, None, key).await?;
    if holds::is_held(&purchase.booked) {
        holds::follow_up_now(&flights.core, &purchase.booked.booking).await;
    }
    Ok(purchase.booked)
}

#[derive(Clone, Debug)]
pub(super) struct Purchase {
    pub booked: Booked,
    /// What became of the booking that it replaces, if it replaces one.
    pub original: Option<Replaced>,
}

/// What became of a booking that another one replaces.
#[derive(Clone, Debug, Default)]
pub(super) struct Replaced {
    /// The booking after the last of its orders that was given back.
    pub closed: Option<BookingState>,
    /// Why it was not, or not all of it.
    pub refused: Option<String>,
}

/// Buys what was quoted, in the place of another booking where one is to be replaced.
///
/// # Errors
/// As [`book`].
pub(super) async fn buy(
    flights: &Arc<Flights>,
    caller: &Caller,
    quote: &Quote<FlightQuote>,
    mut terms: OrderTerms,
    replaces: Option<Original>,
    key: Option<&IdempotencyKey>,
) -> Result<Purchase> {
    if let Some(reference) = &quote.used_by {
        return Err(Error::KeyUsed(reference.clone()));
    }
    if flights.core.clock.now() >= quote.expires_at {
        return Err(Error::KeyExpired);
    }
    let totals = quote.content.totals()?;
    if let Some(AgreedPrice { agent_fare }) = terms.agreed {
        let stated = Money::exact(agent_fare, totals.agent_fare.currency());
        let stated = stated.map_err(|wrong| Faults::of("agent_price.agent_fare", wrong.to_string()))?;
        if stated != totals.agent_fare {
            return Err(ChangedFare::stated(stated, (totals.total, totals.agent_fare)).into());
        }
    }
    let requires = quote.content.requires();
    let missing = requires.check(&terms.travellers, &terms.papers, last_arrival(&quote.content));
    terms.travellers = check_travellers(&flights.engine, caller, &quote.content, terms.travellers, missing)?;
    let original = replaces.as_ref().map(|original| original.booking);
    let request = purchase_request(&flights.engine, quote, terms, replaces)?;
    let opened = purchase::open(&flights.engine, caller, request, key).await?;
    // Whoever prices another offer of the same answers, though it be the same caller, needs a new one.
    for answer in quote.content.orders.iter().filter_map(|order| order.answer) {
        flights.sessions.spend(caller, answer).await;
    }
    let reference = opened.booking.reference.clone();
    let pending = Purchase { booked: opened.pending(), original: original.map(|_| Replaced::default()) };
    let carried_out = {
        let (flights, caller) = (flights.clone(), caller.clone());
        let (offers, query) = (QuotedOffers::of(&quote.content), quote.content.query.clone());
        let suppliers: BTreeSet<String> =
            quote.content.orders.iter().map(|order| order.sale.supplier.clone()).collect();
        async move {
            let carried_out = carry_out(&flights.engine, &caller, opened, original).await;
            // Fewer seats are left, or none at this fare.
            for supplier in suppliers {
                flights.engine.suppliers.forget_answer(&supplier, &query);
            }
            match carried_out {
                Err(error) => {
                    let quoted = (totals.total, totals.agent_fare);
                    Err(purchase::with_fares(error, quoted, offers.fare_now(&flights.engine, &caller)).await)
                }
                purchase => purchase,
            }
        }
    };
    within_patience(&flights.core, &reference, pending, carried_out).await
}

/// The travellers in order of their index, if the quote is for them and its suppliers take them. `faults` are what is
/// wrong already: all of it is named at once.
fn check_travellers(
    engine: &Engine,
    caller: &Caller,
    quote: &FlightQuote,
    travellers: Vec<Traveller>,
    mut faults: Faults,
) -> Result<Vec<Traveller>> {
    for quoted in &quote.orders {
        let seller = engine.suppliers.flight_seller(caller, &quoted.sale.supplier)?;
        faults.append_new(seller.check_travellers(&travellers));
    }
    passengers::fitting(quote, travellers, faults)
}

/// Local, where the last flight lands.
fn last_arrival(quote: &FlightQuote) -> Option<NaiveDate> {
    let flights = quote.offers().flat_map(Offer::segments);
    flights.map(|flight| flight.arrival.date()).max()
}

/// That [`buy`] would not refuse these travellers, with the papers that are wanted, or the quote to anybody.
///
/// # Errors
/// As [`buy`].
pub(super) fn check_sellable(
    engine: &Engine,
    caller: &Caller,
    quote: &FlightQuote,
    travellers: Vec<Traveller>,
) -> Result<()> {
    check_travellers(engine, caller, quote, travellers, Faults::default())?;
    let mut orders = quote.orders.iter();
    orders.try_for_each(|order| mode(order, Hold::No).map(drop))
}

async fn carry_out(
    engine: &Engine,
    caller: &Caller,
    opened: Opened<Itinerary>,
    original: Option<BookingId>,
) -> Result<Purchase> {
    let first = opened.steps.first().ok_or(Error::OfferGone)?;
    let mut progress = saga::run_saga(engine, &caller.actor(), first, Some(&opened.people)).await?;
    let error = progress.error.take();
    let original = original.map(|original| Replaced {
        closed: progress.of(original).cloned(),
        refused: error.as_ref().map(ToString::to_string),
    });
    let booked = opened.after(&progress, error)?;
    Ok(Purchase { booked, original })
}

/// What can be said of the order without its quote.
fn check_shape(terms: &OrderTerms) -> Result<()> {
    let mut faults = Faults::default();
    let mut seen = HashSet::new();
    for (place, traveller) in terms.travellers.iter().enumerate() {
        if !seen.insert(traveller.index) {
            faults.add(format!("passengers[{place}].pax_index"), "must be unique");
        }
    }
    if terms.travellers.is_empty() {
        faults.add("passengers", "this field is required");
    }
    Ok(faults.or(())?)
}

/// An order, with what was read for it in one statement.
#[derive(Debug)]
pub struct ReadOrder {
    order: FlightOrder,
    pub settings: BookingSettings,
    /// That of its booking keys, where it has any. What is wrong with it is told after what is wrong with the ticket password.
    quote: Option<Result<Quote<FlightQuote>>>,
}

/// Reads what the agency has set of its bookings, and the quote.
#[boxed]
pub async fn read_order(engine: &Engine, caller: &Caller, order: FlightOrder) -> Result<ReadOrder> {
    let key = match &order.bought {
        Bought::Keys(keys) => keys.first().and_then(|text| BookingKey::read(text).ok()),
        Bought::Offers(_) => None,
    };
    let stored = match &key {
        Some(key) => quotes::stored(engine, caller, key.quote).await?,
        None => None,
    };
    if let (Some(key), Some(stored)) = (&key, stored) {
        let settings = BookingSettings::beside(&stored);
        let quote = quotes::read(stored, caller, ProductKind::Flight, key.quote, Error::KeyExpired);
        return Ok(ReadOrder { order, settings, quote: Some(quote) });
    }
    let settings = settings::of_bookings(&*engine.core.database.connection().await?, caller).await?;
    Ok(ReadOrder { order, settings, quote: key.map(|_| Err(Error::NotFound)) })
}

async fn quoted(
    flights: &Flights,
    caller: &Caller,
    bought: &Bought,
    promised: Option<Result<Quote<FlightQuote>>>,
) -> Result<Quote<FlightQuote>> {
    match bought {
        Bought::Keys(texts) => {
            let keys = texts.iter().map(|text| BookingKey::read(text)).collect::<Result<Vec<_>>>()?;
            let first = keys.first().ok_or_else(|| Faults::of("booking_keys", "this field is required"))?;
            let quote = match promised {
                Some(quote) => quote?,
                None => find(&flights.engine, caller, first.quote).await?,
            };
            let named: HashSet<usize> =
                keys.iter().filter(|key| key.quote == quote.id).map(|key| key.index).collect();
            let offers = quote.content.offers().count();
            let whole = keys.len() == offers && (0..offers).all(|index| named.contains(&index));
            if !whole {
                return Err(
                    Faults::of("booking_keys", "must be all keys of one price call, each once").into()
                );
            }
            Ok(quote)
        }
        Bought::Offers(offer_ids) => {
            let now = price(flights, caller, &PriceRequest::of(offer_ids.clone())).await?;
            if now.is_dearer() {
                return Err(now.changed_fare().into());
            }
            Ok(now.quote)
        }
    }
}

/// The caller's quote, without what can be bought with its fares: [`read_catalog`].
pub(super) async fn find(engine: &Engine, caller: &Caller, id: QuoteId) -> Result<Quote<FlightQuote>> {
    quotes::find(engine, caller, ProductKind::Flight, id, Error::KeyExpired).await
}

fn purchase_request(
    engine: &Engine,
    quote: &Quote<FlightQuote>,
    terms: OrderTerms,
    replaces: Option<Original>,
) -> Result<PurchaseRequest<Itinerary>> {
    let reference = BookingRef::random(ProductKind::Flight);
    let mut new_orders = Vec::new();
    let mut orders = Vec::new();
    let mut sales = Vec::new();
    let mut before = 0;
    let dealt = passengers::dealt(&quote.content, &terms.travellers)?;
    for ((number, quoted), travellers) in (1_u16..).zip(&quote.content.orders).zip(dealt) {
        let offers = &quoted.priced.offers;
        let first = offers.first().ok_or(Error::OfferGone)?;
        let supplier = quoted.sale.supplier.clone();
        let flights = offers.iter().flat_map(Offer::segments).count();
        let flights = before..before + flights;
        before = flights.end;
        let request = order_request(engine, quoted, &terms, reference.order(number), travellers, flights)?;
        sales.push(Sale {
            ancillaries: ancillaries::sold(
                &request.ancillaries,
                quoted.sale.exchange_rate,
                quote.content.currency,
            )?,
            ..quoted.sale.clone()
        });
        orders.push(ItineraryOrder {
            supplier: supplier.clone(),
            journeys: offers.iter().flat_map(|offer| offer.journeys.clone()).collect(),
            fare: (*first.fare).clone(),
            shares: quoted.shares.clone(),
            travellers: request.travellers.iter().map(|traveller| traveller.index).collect(),
        });
        new_orders.push(NewOrder { supplier, request: StoredOrder::of(&request) });
    }
    if let Some(asked) = terms.ancillaries.iter().find(|asked| asked.segment >= before) {
        let field = format!("{}.segment_id", asked.field);
        return Err(Faults::of(field, "must be a segment of what was priced").into());
    }
    let people = ItineraryPeople { travellers: terms.travellers, contact: terms.contact };
    let fingerprints = fingerprints(&engine.core, &people, &orders);
    let product = Itinerary::new(orders, people, terms.papers);
    Ok(PurchaseRequest {
        quote: quote.id,
        reference,
        summary: summary(quote, &product),
        fingerprints: Some(fingerprints),
        allow_duplicate: terms.allow_duplicate,
        auto_ticket: terms.auto_ticket
            && new_orders.iter().any(|order| order.request.mode == OrderMode::Hold),
        product,
        sales,
        orders: new_orders,
        replaces,
        note: terms.remarks.map(Note::Remarks),
    })
}

/// What the supplier is sent for one order, which has these of all flights.
fn order_request(
    engine: &Engine,
    quoted: &QuotedOrder,
    terms: &OrderTerms,
    reference: OrderReference,
    travellers: Vec<Traveller>,
    flights: Range<usize>,
) -> Result<OrderRequest> {
    let first = quoted.priced.offers.first().ok_or(Error::OfferGone)?;
    let request = OrderRequest {
        reference,
        offer_token: first.token.clone(),
        supplier_context: quoted.priced.supplier_context.clone(),
        mode: mode(quoted, terms.hold)?,
        total: quoted.sale.supplier_total,
        travellers,
        contact: terms.contact.clone(),
        papers: terms.papers.clone(),
        ancillaries: Vec::new(),
    };
    let requested = terms.ancillaries.iter();
    let requested = requested.filter(|asked| flights.contains(&asked.segment));
    let requested: Vec<AncillaryRequest> = requested.map(|asked| asked.within_order(flights.start)).collect();
    let ancillaries = ancillaries::chosen(
        &**engine.suppliers.flight_supplier(&quoted.sale.supplier)?,
        &request,
        &quoted.priced.ancillary_catalog,
        &quoted.priced.ancillaries,
        &requested,
    )?;
    Ok(OrderRequest { ancillaries, ..request })
}

fn summary(quote: &Quote<FlightQuote>, product: &Itinerary) -> Summary {
    let first = quote.content.orders.first();
    let leg = product.journeys().next();
    let origin = leg.and_then(|leg| leg.segments.first());
    let destination = leg.and_then(|leg| leg.segments.last());
    Summary {
        provider: first.map(|order| order.sale.supplier.clone()).unwrap_or_default(),
        pnr: String::new(),
        origin: origin.map(|segment| segment.origin.to_string()).unwrap_or_default(),
        destination: destination.map(|segment| segment.destination.to_string()).unwrap_or_default(),
        passenger_count: i32::try_from(product.party.len()).unwrap_or(i32::MAX),
    }
}

/// The same people on the same flights on the same days make a duplicate (P-20), however their names are spelled (D-571): by
/// their birth dates, too, where all are known (D-229).
fn fingerprints(core: &Core, people: &ItineraryPeople, orders: &[ItineraryOrder]) -> Fingerprints {
    let journeys = orders.iter().flat_map(|order| &order.journeys);
    let flights: Vec<&Segment> = journeys.flat_map(|leg| &leg.segments).collect();
    let travellers = people.travellers.iter();
    let fingerprint = |name: fn(&Traveller) -> String, flight: fn(&Segment) -> String| {
        let flights =
            flights.iter().map(|segment| format!("{}/{}", flight(segment), segment.departure.date()));
        let hash = |mut people: Vec<String>| {
            people.sort();
            people.extend(flights.clone());
            core.secrets.mac("likeness", people.join("\n").as_bytes())
        };
        let with_birth_dates: Option<Vec<String>> =
            travellers.clone().map(|who| Some(format!("{}/{}", name(who), who.born_on?))).collect();
        Fingerprint {
            by_name: hash(travellers.clone().map(name).collect()),
            by_birth_date: with_birth_dates.map(hash),
        }
    };
    Fingerprints {
        present: fingerprint(
            |who| format!("={}", NameMeaning::of(&who.first_name, &who.last_name).key()),
            |segment| FlightKey::of(&segment.airline, &segment.flight_number).to_string(),
        ),
        former: fingerprint(
            |who| format!("{}/{}", who.last_name, who.first_name).to_lowercase(),
            |segment| format!("{}{}", segment.airline, segment.flight_number),
        ),
    }
}

/// How an order is made of what was quoted (P-13).
fn mode(quoted: &QuotedOrder, hold: Hold) -> Result<OrderMode> {
    let offers = &quoted.priced.offers;
    let holdable = HoldTerms::together(offers.iter()).can_hold == Some(true);
    let instant = offers.iter().all(|offer| offer.instant);
    match (hold, holdable, instant) {
        (Hold::Only | Hold::IfPossible, true, _) | (_, true, false) => Ok(OrderMode::Hold),
        (Hold::AsSet | Hold::No, true, true) | (Hold::AsSet | Hold::No | Hold::IfPossible, false, true) => {
            Ok(OrderMode::Instant)
        }
        (Hold::Only, false, _) => Err(Faults::of("hold", "the supplier can't hold this offer").into()),
        (Hold::AsSet | Hold::No | Hold::IfPossible, false, false) => Err(Error::OfferGone),
    }
}
