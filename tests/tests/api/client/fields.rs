//! That the client's types have every field that the server answers with.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wayfare_client::{self as client, flights, hotels};
use wayfare_tests::{Pick, Seller, World, WorldOptions, one_way, stay_at};

/// Reads data as `T`; the paths of what `T` has no field for must be just these.
#[track_caller]
fn reads<T: DeserializeOwned>(data: &Value, unread: &[&str]) {
    let text = data.to_string();
    let mut left = BTreeSet::new();
    let mut reader = serde_json::Deserializer::from_str(&text);
    let read: Result<T, _> = serde_ignored::deserialize(&mut reader, |path| {
        let path = path.to_string();
        let steps =
            path.split('.').filter(|step| !step.starts_with(|c: char| c.is_ascii_digit() || c == '?'));
        left.insert(steps.collect::<Vec<_>>().join("."));
    });
    read.unwrap_or_else(|error| panic!("{}: {error}: {data}", std::any::type_name::<T>()));
    assert_eq!(
        left,
        unread.iter().map(|path| (*path).to_owned()).collect(),
        "{}",
        std::any::type_name::<T>()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_field_of_a_flights_answers_is_in_the_types() {
    let options = WorldOptions::of([Seller::duffel(), Seller::tripjack()]).frozen();
    let (world, _, admin, agent) = World::with(options).await.and_people("1000000", "1000000").await;
    let package = json!({ "name": "A", "markup_type": "percent", "markup_value": 5 });
    let id = admin.post("/org/packages", &package).await.succeeds(201)["id"].clone();
    admin.post("/org/packages/assign", &json!({ "package_id": id })).await.ok();
    for supplier in ["duffel", "tripjack"] {
        let trip = one_way("DEL", "BOM");
        reads::<flights::FlightsFound>(&agent.search(&trip).await, &[]);
        let offer = agent.dearest_of(supplier, &trip).await.unwrap();
        let rules = agent.post("/flights/fare-rules", &json!({ "offer_ids": [offer] })).await.ok();
        reads::<flights::FareRules>(&rules, &[]);
        let priced = agent.price(&offer).await.ok();
        reads::<flights::FlightPrice>(&priced, &[]);
        let booked = agent.book(&agent.order(&priced, &trip)).await.ok();
        reads::<flights::FlightBooked>(&booked, &[]);
        let reference = booked["booking_ref"].as_str().unwrap();
        reads::<flights::FlightBooking>(&agent.booking(reference).await, &[]);
        let path = |what: &str| format!("/flights/bookings/{reference}/{what}");
        reads::<Vec<client::TimelineEntry>>(&agent.get(&path("timeline")).await.ok(), &[]);
        reads::<flights::Retrieved>(&agent.get(&path("retrieve")).await.ok(), &[]);
        reads::<flights::Tracked>(&agent.get(&path("track")).await.ok(), &[]);
        if supplier == "duffel" {
            reads::<flights::Services>(&agent.get(&path("ssr")).await.ok(), &[]);
        }
        let day = (world.now() + chrono::Duration::days(44)).date_naive();
        let journey = json!({ "origin": "DEL", "destination": "BOM", "new_date": day });
        let itineraries = agent.post(&path("reschedule-avail"), &journey).await.ok();
        reads::<Vec<flights::NewItinerary>>(&itineraries, &[]);
        let key = &itineraries[0]["fare_key"];
        let penalty = agent.post(&path("reschedule-penalty"), &json!({ "fare_key": key })).await.ok();
        reads::<flights::ReschedulePenalty>(&penalty, &[]);
        let moved = agent.post(&path("reschedule"), &json!({ "fare_keys": [key] })).await.ok();
        reads::<flights::Rescheduled>(&moved, &[]);
        let new = moved["new_booking"]["booking_ref"].as_str().unwrap();
        reads::<flights::FlightPenalty>(&agent.penalty(new).await.ok(), &[]);
        reads::<flights::FlightCancelled>(&agent.cancel(new).await.ok(), &[]);
        reads::<flights::RefundState>(&agent.post(&path("refund-status"), &json!({})).await.ok(), &[]);
    }
    reads::<Vec<flights::FlightBookingRow>>(&agent.get("/flights/bookings").await.ok(), &[]);
    reads::<client::BookingCounts>(&agent.get("/flights/bookings/counts").await.ok(), &[]);
    reads::<Vec<flights::RefundRow>>(&agent.get("/flights/refunds").await.ok(), &[]);
    reads::<client::FareLedger>(&agent.get("/me/fare-transactions").await.ok(), &[]);
    reads::<client::FinanceSummary>(&admin.get("/org/finance-summary").await.ok(), &[]);
}

/// An erased booking answers with what no other has.
#[tokio::test(flavor = "multi_thread")]
async fn every_field_of_an_erased_booking_is_in_the_types() {
    let options = WorldOptions::of([Seller::duffel(), Seller::liteapi()]);
    let (world, agency) = World::with(options.frozen()).await.and_agency().await;
    agency.admin("1000000").await;
    let agent = agency.agent("arjun", "1000000").await;
    let trip = one_way("DEL", "BOM");
    let priced = agent.quote(&trip).await;
    let flight = agent.book(&agent.order(&priced, &trip)).await.ok();
    let found = agent.find_stay(&stay_at("liteapi"), Pick::WithFee).await;
    let stay = agent.book_stay(&found, &agent.price_stay(&found).await.ok()).await.succeeds(201);
    let (flight, stay) = (flight["booking_ref"].as_str().unwrap(), stay["booking_ref"].as_str().unwrap());

    world.pass(90 * 86_400);
    let (admin, agent) = (agency.log_in("asha").await, agency.log_in("arjun").await);
    for reference in [flight, stay] {
        let erase = format!("/org/bookings/{reference}/people/erase");
        admin.post(&erase, &json!({})).await.says(200, "people erased");
    }
    let erased = agent.booking(flight).await;
    assert!(erased["people_erased_at"].is_string());
    reads::<flights::FlightBooking>(&erased, &[]);
    let erased = agent.stay(stay).await;
    assert!(erased["people_erased_at"].is_string());
    reads::<hotels::HotelBooking>(&erased, &[]);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_field_of_a_hotels_answers_is_in_the_types() {
    let options = WorldOptions::of([Seller::liteapi(), Seller::hotelbeds()]);
    let (world, _, agent) = World::with(options).await.and_agent("1000000").await;
    for supplier in ["liteapi", "hotelbeds"] {
        world.knows_hotels(&agent, &stay_at(supplier)).await;
        let stay = agent.find_stay(&stay_at(supplier), Pick::WithFee).await;
        reads::<hotels::HotelsFound>(&stay.found, &[]);
        let asked = json!({ "hotel_ids": [stay.hotel["hotel_id"]] });
        reads::<Vec<hotels::ProviderHotels>>(&agent.post("/hotels/details", &asked).await.ok(), &[]);
        let priced = agent.price_stay(&stay).await.ok();
        reads::<hotels::HotelPrice>(&priced, &[]);
        let booked = agent.book_stay(&stay, &priced).await.succeeds(201);
        reads::<hotels::HotelBooked>(&booked, &[]);
        let reference = booked["booking_ref"].as_str().unwrap();
        reads::<hotels::HotelBooking>(&agent.stay(reference).await, &[]);
        let path = |what: &str| format!("/hotels/bookings/{reference}/{what}");
        reads::<hotels::Voucher>(&agent.get(&path("voucher")).await.ok(), &[]);
        reads::<hotels::StayPenalty>(&agent.post(&path("penalty"), &json!({})).await.ok(), &[]);
        reads::<hotels::HotelCancelled>(&agent.cancel_stay(reference).await.ok(), &[]);
        reads::<Vec<client::TimelineEntry>>(&agent.get(&path("timeline")).await.ok(), &[]);
    }
    reads::<Vec<hotels::HotelBookingRow>>(&agent.get("/hotels/bookings").await.ok(), &[]);
    reads::<Vec<hotels::City>>(&agent.get("/hotels/cities?q=par").await.ok(), &[]);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_field_of_an_organizations_answers_is_in_the_types() {
    let (world, _, admin, agent) = World::start().await.and_people("1000", "0").await;
    let give = json!({ "amount": 10, "description": "Diwali" });
    admin.post(&format!("/org/wallet/topup/{}", agent.id), &give).await.ok();
    admin.put("/org/settings", &json!({ "key": "low_balance_alert", "value": "5" })).await.ok();
    let package = json!({ "name": "A", "markup_type": "flat", "markup_value": 5, "price_ranges": [
        { "min_amount": 1, "markup_type": "flat", "markup_value": 2 } ] });
    let flight = admin.post("/org/packages", &package).await.succeeds(201);
    reads::<client::FlightPackage>(&flight, &[]);
    let give = json!({ "package_id": flight["id"] });
    admin.post("/org/packages/assign", &give).await.ok();
    admin.post(&format!("/org/packages/assign-agent/{}", agent.id), &give).await.ok();
    let mut example = package.clone();
    example["example"] = json!({ "base": 4500, "taxes": 900, "commission": 225 });
    for path in ["/org/packages/preview", "/org/hotel-packages/preview"] {
        reads::<client::PricePreview>(&admin.post(path, &example).await.ok(), &[]);
    }
    reads::<client::HotelPackage>(&admin.post("/org/hotel-packages", &package).await.succeeds(201), &[]);

    let get = async |path: &str| admin.get(path).await.ok();
    reads::<client::OwnProfile>(&get("/me").await, &[]);
    reads::<client::Stats>(&get("/me/stats").await, &[]);
    reads::<Vec<client::UserRow>>(&get("/org/users").await, &[]);
    reads::<client::User>(&get(&format!("/org/users/{}", agent.id)).await, &[]);
    reads::<client::OrganizationProfile>(&get("/org/profile").await, &[]);
    reads::<Vec<client::Setting>>(&get("/org/settings").await, &[]);
    reads::<Vec<client::AuditEntry>>(&get("/org/audit-logs").await, &[]);
    reads::<client::Wallet>(&get("/org/wallet").await, &[]);
    reads::<client::Wallet>(&agent.get("/wallet").await.ok(), &[]);
    reads::<Vec<client::WalletEntry>>(&agent.get("/wallet/transactions").await.ok(), &[]);
    reads::<Vec<client::WalletTransaction>>(&get("/org/wallet/transactions").await, &[]);
    reads::<client::WalletSummary>(&get("/org/wallet/summary").await, &[]);
    reads::<Vec<client::AgentAllocation>>(&get("/org/wallet/agents").await, &[]);
    reads::<Vec<client::FlightPackageRow>>(&get("/org/packages").await, &[]);
    reads::<client::FlightPackage>(&get("/org/packages/assigned").await, &[]);
    reads::<Vec<client::PackageAssignment>>(&get("/org/packages/agent-assignments").await, &[]);
    reads::<Vec<client::HotelPackageRow>>(&get("/org/hotel-packages").await, &[]);
    reads::<Vec<client::HotelPackageAssignment>>(&get("/org/hotel-packages/agent-assignments").await, &[]);

    let hook = json!({ "url": "https://example.com/hooks" });
    let hook = admin.post("/org/webhooks", &hook).await.succeeds(201);
    // Told beside the webhook's own fields.
    reads::<client::webhooks::Webhook>(&hook, &["previous_secret_until", "secret"]);
    let path = format!("/org/webhooks/{}", hook["id"].as_str().unwrap());
    admin.post(&format!("{path}/test"), &json!({})).await.ok();
    world.deliver().await;
    reads::<Vec<client::webhooks::Webhook>>(&get("/org/webhooks").await, &[]);
    let deliveries = get(&format!("{path}/deliveries")).await;
    reads::<Vec<client::webhooks::Delivery>>(&deliveries, &[]);
    assert_ne!(deliveries, json!([]));
    reads::<client::FeedPart>(&get("/events").await, &[]);
    let told = agent.get("/notifications").await.ok();
    reads::<Vec<client::Notification>>(&told, &[]);
    assert_ne!(told, json!([]));
}
