//! The life of a flight at each supplier, through the client.

use std::time::Duration;

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use rust_decimal::Decimal;
use wayfare_client::{Amount, Error, Outcome, Session, enums::*, flights::*};
use wayfare_tests::{LASTS, LONG, Seller, World, WorldOptions};

const MONEY: u32 = 1_000_000;

fn contact() -> Contact {
    Contact {
        email: "traveller@sunrise.example".to_owned(),
        phone: "9812345678".to_owned(),
        country_code: "91".to_owned(),
    }
}

fn traveller(number: u32, kind: PassengerType, first_name: &str, born: i32) -> Passenger {
    let born = NaiveDate::from_ymd_opt(born, 4, 12).unwrap();
    let title = if kind == PassengerType::Child { Title::Miss } else { Title::Ms };
    Passenger::new(number, kind, (title, first_name, "Shah"), Gender::Female, born)
}

/// A world of this seller and an agent with money.
async fn stage(seller: Seller) -> (World, Session) {
    stage_of(WorldOptions::of([seller])).await
}

async fn stage_of(options: WorldOptions) -> (World, Session) {
    let (world, agency) = World::with(options).await.and_agency().await;
    agency.agent("arjun", &MONEY.to_string()).await;
    let session = agency.session("arjun").await;
    (world, session)
}

async fn balance(session: &Session) -> Decimal {
    session.wallet().read().await.unwrap().balance.0
}

/// Searches, prices the dearest offer, which gives money back, and books it.
async fn buy(session: &Session, search: &FlightSearch, passengers: Vec<Passenger>) -> FlightBooked {
    let found = session.flights().search(search).await.unwrap();
    let offer = found.offers.last().unwrap();
    let priced = session.flights().price(&PriceRequest::of([&offer.offer_id])).await.unwrap();
    let order = FlightOrder::of(&priced, contact(), passengers);
    session.flights().book(&order).await.unwrap().answer.done().unwrap()
}

async fn lives(seller: Seller) {
    let supplier = seller.code;
    let (world, session) = stage(seller).await;
    let flights = session.flights();
    let day = world.now().date_naive() + chrono::Duration::days(30);
    let search = FlightSearch::one_way("DEL", "BOM", day).adults(1).children(1);

    let snapshots: Vec<Snapshot> = flights.search_stream(&search).await.unwrap().try_collect().await.unwrap();
    assert!(snapshots.last().unwrap().is_complete);
    let found = flights.search(&search).await.unwrap();
    assert_eq!(snapshots.last().unwrap().found.offers.len(), found.offers.len());
    assert_eq!(found.search_meta.provider_status[supplier].status, SupplierState::Success);
    let offer = found.offers.last().unwrap();
    let leg = found.leg(&offer.legs[0]).unwrap();
    assert_eq!(found.segment(&leg.segments[0]).unwrap().departure.date(), day);
    assert!(found.dictionaries.airports["DEL"].city.is_some());

    let offers = vec![offer.offer_id.clone()];
    let rules = FareRulesRequest::default().search_id(&found.search_id).offer_ids(offers);
    assert_eq!(flights.fare_rules(&rules).await.unwrap().items.len(), 1);
    let priced = flights.price(&PriceRequest::of([&offer.offer_id])).await.unwrap();
    assert_eq!(priced.passenger_breakdown.len(), 2);

    // Under one key it is booked once.
    let passengers = vec![
        traveller(1, PassengerType::Adult, "Meera", 1990),
        traveller(2, PassengerType::Child, "Asha", 2020),
    ];
    let agreed = AgreedPrice::default().agent_fare(priced.price_summary.agent_details.agent_fare);
    let order = FlightOrder::of(&priced, contact(), passengers).agreed_price(agreed);
    let desk = session.keyed("desk-7");
    let booked = desk.flights().book(&order).await.unwrap();
    let again = desk.flights().book(&order).await.unwrap();
    assert_eq!((booked.replayed, again.replayed), (false, true));
    assert_eq!(booked.answer, again.answer);
    let booked = booked.answer.done().unwrap();
    assert_eq!(booked.total_amount, priced.price_summary.total_payable);
    assert_eq!(balance(&session).await, Decimal::from(MONEY) - booked.total_amount.0);
    // Without it the price is spent.
    let spent = flights.book(&order).await.unwrap_err();
    assert_eq!((spent.status(), spent.booking_ref()), (Some(409), Some(booked.booking_ref.as_str())));

    let booking = flights.wait_until_settled(&booked.booking_ref, Duration::ZERO).await.unwrap();
    assert_eq!((&booking.status, booking.passengers.len()), (&BookingStatus::Confirmed, 2));
    assert_eq!(booking.passengers[1].kind, PassengerType::Child);
    assert_eq!(booking.tickets[0].status, TicketStatus::Issued);
    assert_eq!(booking.pricing.total_payable, booked.total_amount);
    let confirmed = flights.bookings(Some(BookingStatus::Confirmed)).page(1).await.unwrap();
    assert_eq!((confirmed.total, &confirmed.items[0].booking_ref), (1, &booked.booking_ref));
    assert_eq!(flights.bookings(Some(BookingStatus::Failed)).page(1).await.unwrap().items, []);

    let shown = flights.retrieve(&booked.booking_ref).await.unwrap();
    assert_eq!(shown.provider.unwrap().ticket_status, TicketStatus::Issued);
    assert_eq!(flights.track(&booked.booking_ref).await.unwrap().provider, supplier);
    moved(&session, &booked, day + chrono::Duration::days(14)).await;
    world.books_agree().await;
}

/// Has it flown on another day, and gives that back.
async fn moved(session: &Session, booked: &FlightBooked, day: NaiveDate) {
    let flights = session.flights();
    let original = &booked.booking_ref;
    let itineraries = flights.new_itineraries(original, &NewJourney::of("DEL", "BOM", day)).await.unwrap();
    let itinerary = itineraries.last().unwrap();
    let cost = flights.reschedule_penalty(original, itinerary).await.unwrap();
    let refund = cost.refund_to_wallet;
    assert_eq!(cost.total_reschedule_charge.0, cost.new_agent_fare.0 - refund.0);
    let to = Reschedule::to([&itinerary.fare_key]);
    let moved = flights.reschedule(original, &to).await.unwrap().answer.done().unwrap();
    assert_eq!(moved.new_booking.status, BookingStatus::Confirmed);
    assert_eq!(moved.cancellation.status, OriginalStatus::Cancelled);
    assert_eq!(moved.cancellation.refund_to_wallet, Some(refund));
    let paid = booked.total_amount.0 - refund.0 + cost.new_agent_fare.0;
    assert_eq!(balance(session).await, Decimal::from(MONEY) - paid);
    assert_eq!(flights.refund_status(original).await.unwrap().status, RefundStatus::Refunded);

    let new = &moved.new_booking.booking_ref;
    let penalty = flights.penalty(new).await.unwrap();
    let cancelled = flights.cancel(new).await.unwrap().answer.done().unwrap();
    assert_eq!(cancelled.amounts.refund_to_wallet, penalty.refund_amount);
    assert_eq!(balance(session).await, Decimal::from(MONEY) - paid + penalty.refund_amount.0);
    let refunds: Vec<RefundRow> = flights.refunds().per_page(1).stream().try_collect().await.unwrap();
    let refunded: Vec<&String> = refunds.iter().map(|row| &row.booking_ref).collect();
    assert_eq!(refunded, [new, original]);
    let error = flights.cancel(new).await.unwrap_err();
    assert!(
        matches!(&error, Error::Refused { status: 400, text, .. } if text == "booking is already cancelled")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flight_lives_through_the_client_at_duffel() {
    lives(Seller::duffel()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flight_lives_through_the_client_at_tripjack() {
    lives(Seller::tripjack()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn services_are_bought_where_they_are_sold() {
    let (world, session) = stage(Seller::duffel()).await;
    let flights = session.flights();
    let day = world.now().date_naive() + chrono::Duration::days(30);
    let search = FlightSearch::one_way("DEL", "BOM", day).airline("6E");
    let booked = buy(&session, &search, vec![traveller(1, PassengerType::Adult, "Meera", 1990)]).await;
    let segment = &flights.services(&booked.booking_ref, None).await.unwrap().details.segments[0];
    let (kind, service) = [
        (AncillaryType::Baggage, segment.baggage.first()),
        (AncillaryType::Seat, segment.seats.first()),
        (AncillaryType::Meal, segment.meals.first()),
    ]
    .into_iter()
    .find_map(|(kind, service)| Some((kind, service?)))
    .unwrap();
    let request = ServiceRequest::of(kind, &service.code, 1, &segment.segment_id);
    let added = flights.add_services(&booked.booking_ref, &ServiceOrder::of(vec![request])).await.unwrap();
    let Outcome::Done(booking) = added.answer else { panic!("{added:?}") };
    assert_eq!(booking.pricing.ancillary, service.price);
    assert_eq!(booking.pnr_details[0].ancillaries[0].code, service.code);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_held_is_ticketed() {
    let (world, session) = stage(Seller::duffel()).await;
    let flights = session.flights();
    let day = world.now().date_naive() + chrono::Duration::days(30);
    // What flies there can only be held.
    let search = FlightSearch::one_way("JFK", "EWR", day);
    let booked = buy(&session, &search, vec![traveller(1, PassengerType::Adult, "Meera", 1990)]).await;
    assert!(flights.booking(&booked.booking_ref).await.unwrap().can_issue_ticket);
    let wrong = TicketRequest::of(Amount(Decimal::ONE));
    assert_eq!(flights.issue_ticket(&booked.booking_ref, &wrong).await.unwrap_err().status(), Some(400));
    let request = TicketRequest::of(booked.total_amount);
    let issued = flights.issue_ticket(&booked.booking_ref, &request).await.unwrap();
    assert_eq!(issued.answer.done().unwrap().status, TicketStatus::Issued);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_whose_outcome_is_not_known_is_pending_and_settles() {
    let hasty = WorldOptions { patience: Duration::from_millis(300), ..WorldOptions::of([Seller::duffel()]) };
    let (world, session) = stage_of(hasty).await;
    let flights = session.flights();
    let day = world.now().date_naive() + chrono::Duration::days(30);
    let found = flights.search(&FlightSearch::one_way("DEL", "BOM", day)).await.unwrap();
    let priced = flights.price(&PriceRequest::of([&found.offers[0].offer_id])).await.unwrap();
    let order = FlightOrder::of(&priced, contact(), vec![traveller(1, PassengerType::Adult, "Meera", 1990)]);
    world.next("book", LASTS).await;
    let booked = flights.book(&order).await.unwrap();
    let Outcome::Pending(pending) = booked.answer else { panic!("{booked:?}") };
    let overdue = flights.wait_until_settled(&pending.booking_ref, Duration::ZERO).await;
    assert!(matches!(overdue, Err(Error::Overdue { .. })));
    assert!(session.keyed(&booked.idempotency_key).flights().book(&order).await.unwrap().replayed);
    world.all_is_well().await;
    let settled = flights.wait_until_settled(&pending.booking_ref, LONG).await.unwrap();
    assert_eq!(settled.status, BookingStatus::Confirmed);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_tell_what_they_are() {
    let (world, agency) = World::start().await.and_agency().await;
    agency.agent("arjun", "1").await;
    let session = agency.session("arjun").await;
    let flights = session.flights();
    let day = world.now().date_naive() + chrono::Duration::days(30);
    let search = FlightSearch::one_way("DEL", "BOM", day);
    let faults = flights.search(&search.clone().adults(0)).await.unwrap_err().field_faults();
    assert_eq!(faults[0].field, "search_params.passengers.adults");
    let found = flights.search(&search).await.unwrap();
    let poor = flights.price(&PriceRequest::of([&found.offers[0].offer_id])).await.unwrap_err();
    assert!(poor.is_insufficient_funds(), "{poor}");
    assert!(poor.request_id().is_some_and(|id| !id.is_empty()));
    assert!(flights.booking("FA-00000000").await.unwrap_err().is_not_found());
    assert_eq!(session.organization().profile().await.unwrap_err().status(), Some(403));
}

#[tokio::test(flavor = "multi_thread")]
async fn papers_that_are_wanted_abroad_are_given_and_shown_masked() {
    let (world, session) = stage(Seller::duffel()).await;
    let flights = session.flights();
    let day = world.now().date_naive() + chrono::Duration::days(30);
    let found = flights.search(&FlightSearch::one_way("BOM", "LHR", day).adults(1)).await.unwrap();
    let priced = flights.price(&PriceRequest::of([&found.offers.last().unwrap().offer_id])).await.unwrap();
    let wanted = priced.requires.iter().find(|one| one.what == RequirementKind::Passport).unwrap();
    assert_eq!(wanted.mandatory, Some(true));
    let mut passenger = traveller(1, PassengerType::Adult, "Meera", 1990);
    let mut order = FlightOrder::of(&priced, contact(), vec![passenger.clone()]);
    let refused = flights.book(&order).await.unwrap_err();
    assert!(refused.to_string().contains("passengers[0].document"), "{refused}");
    let last_day = day + chrono::Duration::days(3_000);
    passenger.papers = Papers::default()
        .document(Passport::of(DocumentType::Passport, "Z1234567", "IN", "IN", last_day))
        .loyalty(vec![Loyalty { airline: "ZZ".to_owned(), number: "4711".to_owned() }]);
    order.passengers = vec![passenger];
    order.gst = Some(Gst {
        number: "27AAPFU0939F1ZV".to_owned(),
        company_name: "Tara Travels".to_owned(),
        address: "1 Hill Road".to_owned(),
        email: "tax@tara.example".to_owned(),
        phone: "+912212345678".to_owned(),
    });
    let booked = flights.book(&order).await.unwrap().answer.done().unwrap();
    let detail = flights.booking(&booked.booking_ref).await.unwrap();
    let shown = detail.passengers[0].document.as_ref().unwrap();
    assert_eq!((shown.kind.as_str(), shown.number.as_str()), ("passport", "****4567"));
}
