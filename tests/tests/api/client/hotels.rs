//! The life of a stay at each supplier, through the client.

use std::time::Duration;

use futures_util::TryStreamExt;
use rust_decimal::Decimal;
use wayfare_client::{enums::*, hotels::*};
use wayfare_tests::{Seller, World, WorldOptions};

const MONEY: u32 = 1_000_000;

async fn lives(seller: Seller) {
    let supplier = seller.code;
    let (world, agency) = World::with(WorldOptions::of([seller])).await.and_agency().await;
    agency.agent("arjun", &MONEY.to_string()).await;
    let session = agency.session("arjun").await;
    let hotels = session.hotels();
    let check_in = world.now().date_naive() + chrono::Duration::days(30);
    let nights = (check_in, check_in + chrono::Duration::days(2));

    let cities = hotels.cities("mumb", 3).await.unwrap();
    assert_eq!(cities[0].name, "Mumbai");
    let location = Location::City { code: Some(cities[0].code.clone()), name: None };
    let refundable = HotelFilters::default().refundable_only(true);
    let search = HotelSearch::of(location, nights.0, nights.1)
        .rooms(vec![RoomGuests::adults(2), RoomGuests::adults(2)])
        .filters(refundable)
        .sort(SortField::Price, SortOrder::Ascending)
        .page(1, 2);
    let found = hotels.search(&search).await.unwrap();
    assert_eq!((&found.status, found.hotels.len()), (&SearchStatus::Complete, 2));
    assert_eq!(found.provider_status[supplier].status, SupplierState::Success);
    let next = search.page(2, 2).search_id(&found.search_id);
    let next = hotels.search(&next).await.unwrap();
    assert_eq!((next.page, next.total_results), (2, found.total_results));

    let hotel = &found.hotels[0];
    let room = hotel.rooms.iter().find(|room| room.pricing.refundable == Some(true)).unwrap();
    assert_eq!(room.pricing.quantity, 2);
    let details = hotels.details(std::slice::from_ref(&hotel.hotel_id), "en").await.unwrap();
    assert_eq!(details[0].hotels[0].name, hotel.name);
    let request = HotelPriceRequest::of(&found.search_id, &hotel.hotel_id, [room]);
    let priced = hotels.price(&request).await.unwrap();
    assert_eq!(priced.pricing_breakdown.room_charges.nights, 2);
    assert!(!priced.cancellation_policy.deadlines.is_empty());

    let rooms = [["Meera", "Kabir"], ["Asha", "Dev"]].map(|names| RoomOrder {
        room_id: room.room_id.clone(),
        rate_id: room.pricing.rate_id.clone(),
        guests: names.map(|name| Guest::adult(name, "Shah")).to_vec(),
    });
    let contact = StayContact {
        first_name: "Meera".to_owned(),
        last_name: "Shah".to_owned(),
        email: "traveller@sunrise.example".to_owned(),
        phone: "+919812345678".to_owned(),
    };
    let order = HotelOrder::of(&priced, nights, rooms.to_vec(), contact);
    let desk = session.keyed("desk-7");
    let first = desk.hotels().book(&order).await.unwrap();
    let again = desk.hotels().book(&order).await.unwrap();
    assert_eq!((first.replayed, again.replayed, &again.answer), (false, true, &first.answer));
    let booked = first.answer.done().unwrap();
    assert_eq!((&booked.status, booked.reservation.rooms.len()), (&BookingStatus::Confirmed, 2));
    let fare = booked.pricing.total_paid;
    assert_eq!(fare, priced.agent_price.agent_fare);
    let balance = || async { session.wallet().read().await.unwrap().balance.0 };
    assert_eq!(balance().await, Decimal::from(MONEY) - fare.0);

    let reference = &booked.booking_id;
    let booking = hotels.wait_until_settled(reference, Duration::ZERO).await.unwrap();
    assert_eq!((&booking.status, &booking.payment_status), (&BookingStatus::Confirmed, &PaymentStatus::Paid));
    assert_eq!((booking.guests.len(), booking.rooms[0].quantity), (4, 2));
    let listed: Vec<HotelBookingRow> = hotels.bookings(None).stream().try_collect().await.unwrap();
    assert_eq!((listed.len(), &listed[0].booking_ref), (1, reference));
    let voucher = hotels.voucher(reference).await.unwrap();
    assert_eq!((&voucher.provider, voucher.total_price), (&supplier.to_owned(), booking.public_fare));

    let penalty = hotels.penalty(reference).await.unwrap();
    let cancel = HotelCancel::default().reason("plans changed");
    let cancelled = hotels.cancel(reference, &cancel).await.unwrap().answer.done().unwrap();
    assert_eq!(cancelled.refund.amount, penalty.refund_amount);
    assert_eq!(balance().await, Decimal::from(MONEY) - fare.0 + penalty.refund_amount.0);
    assert_eq!(hotels.booking(reference).await.unwrap().status, BookingStatus::Cancelled);
    assert_eq!(hotels.voucher(reference).await.unwrap_err().status(), Some(400));
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stay_lives_through_the_client_at_liteapi() {
    lives(Seller::liteapi()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stay_lives_through_the_client_at_hotelbeds() {
    lives(Seller::hotelbeds()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_to_say_where_is_understood() {
    let world = World::with(WorldOptions::of([Seller::liteapi(), Seller::hotelbeds()])).await;
    let agency = world.agency().await;
    agency.agent("arjun", "0").await;
    let session = agency.session("arjun").await;
    let check_in = world.now().date_naive() + chrono::Duration::days(30);
    let search = |location| HotelSearch::of(location, check_in, check_in + chrono::Duration::days(1));
    let family = search(Location::city("Mumbai")).rooms(vec![RoomGuests::family(2, &[4, 9])]);
    let found = session.hotels().search(&family).await.unwrap();
    let occupancy = &found.hotels[0].rooms[0].occupancy;
    assert_eq!((occupancy.adults, &occupancy.children_ages[..]), (2, &[4, 9][..]));
    for location in [
        Location::Hotels { hotel_ids: vec![found.hotels[0].hotel_id.clone()] },
        Location::Airport { code: "BOM".to_owned() },
        Location::Coordinates {
            latitude: "19.076".parse().unwrap(),
            longitude: "72.8777".parse().unwrap(),
            radius_km: Some("15".parse().unwrap()),
        },
    ] {
        let found = session.hotels().search(&search(location.clone())).await.unwrap();
        assert!(found.total_results > 0, "{location:?}");
    }
}
