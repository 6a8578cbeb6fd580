//! Each refusal of each supplier has its reason: a code, what helps, the field at fault, and no word of an account.

use serde_json::{Value, json};
use wayfare_launch::SupplierKind;
use wayfare_tests::{MONEY, Person, Pick, Reply, Seller, World, WorldOptions, one_way, sells_stays, stay_at};

/// Which call suffers which fault, and how it ends: status, code, what helps, field at fault.
type Row = (&'static str, &'static str, u16, &'static str, &'static str, Option<&'static str>);

const DUFFEL: [Row; 15] = [
    ("price", "expired", 400, "offer_expired", "search", None),
    ("price", "sold_out", 409, "sold_out", "search", None),
    ("price", "duplicate", 409, "duplicate_at_airline", "look", None),
    ("price", "refused", 409, "refused", "other_offer", None),
    ("price", "status:503", 503, "unavailable", "later", None),
    ("book", "papers_missing", 409, "papers_missing", "fix", Some("passengers[0].document")),
    ("book", "papers_refused", 409, "papers_invalid", "fix", Some("passengers[0].document.expires_on")),
    ("book", "traveller_refused", 409, "traveller_invalid", "fix", Some("passengers[0].first_name")),
    ("book", "price_changed:10", 400, "price_changed", "price", None),
    ("book", "expired", 409, "offer_expired", "search", None),
    ("book", "sold_out", 409, "sold_out", "search", None),
    ("book", "refused", 409, "refused", "other_offer", None),
    ("cancel_quote", "not_changeable", 409, "not_changeable", "call_us", None),
    ("ticket", "too_late", 409, "too_late", "call_us", None),
    ("book", "rate_limited", 503, "unavailable", "later", None),
];

const TRIPJACK: [Row; 14] = [
    ("price", "expired", 400, "offer_expired", "search", None),
    ("price", "sold_out", 409, "sold_out", "search", None),
    ("price", "duplicate", 409, "duplicate_at_airline", "look", None),
    ("price", "not_combinable", 409, "not_combinable", "other_offer", None),
    ("price", "refused", 409, "refused", "other_offer", None),
    ("book", "papers_missing", 409, "papers_missing", "fix", None),
    ("book", "papers_refused", 409, "papers_invalid", "fix", Some("passengers[].document.expires_on")),
    ("book", "traveller_refused", 409, "traveller_invalid", "fix", None),
    ("book", "price_changed:10", 400, "price_changed", "price", None),
    ("book", "sold_out", 409, "sold_out", "search", None),
    ("book", "refused", 409, "refused", "other_offer", None),
    ("cancel_quote", "not_changeable", 409, "not_changeable", "call_us", None),
    ("cancel", "too_late", 409, "too_late", "call_us", None),
    ("book", "rate_limited", 503, "unavailable", "later", None),
];

const LITEAPI: [Row; 7] = [
    ("price", "expired", 400, "offer_expired", "search", None),
    ("price", "duplicate", 409, "duplicate_at_airline", "look", None),
    ("price", "refused", 409, "refused", "other_offer", None),
    ("book", "traveller_refused", 409, "traveller_invalid", "fix", None),
    ("book", "sold_out", 409, "refused", "other_offer", None),
    ("cancel", "not_changeable", 409, "not_changeable", "call_us", None),
    ("book", "rate_limited", 503, "unavailable", "later", None),
];

const HOTELBEDS: [Row; 9] = [
    ("price", "expired", 400, "offer_expired", "search", None),
    ("price", "sold_out", 409, "sold_out", "search", None),
    ("price", "duplicate", 409, "duplicate_at_airline", "look", None),
    ("price", "refused", 409, "refused", "other_offer", None),
    ("book", "traveller_refused", 409, "traveller_invalid", "fix", None),
    ("book", "sold_out", 409, "sold_out", "search", None),
    ("cancel", "too_late", 409, "too_late", "call_us", None),
    ("cancel", "not_changeable", 409, "not_changeable", "call_us", None),
    ("book", "rate_limited", 503, "unavailable", "later", None),
];

fn refusals_of(kind: SupplierKind) -> &'static [Row] {
    match kind {
        SupplierKind::Duffel => &DUFFEL,
        SupplierKind::TripJack => &TRIPJACK,
        SupplierKind::LiteApi => &LITEAPI,
        SupplierKind::Hotelbeds => &HOTELBEDS,
    }
}

fn has_reason(supplier: &str, row: Row, reply: &Reply) {
    let (call, fault, status, code, retry, field) = row;
    let at = format!("{supplier} {call} {fault}: {}", reply.text);
    assert_eq!(reply.status, status, "{at}");
    let reason = &reply.json()["data"]["reason"];
    assert_eq!(reason["code"], code, "{at}");
    assert_eq!(reason["retry"], retry, "{at}");
    assert_eq!(reason["supplier"], supplier, "{at}");
    assert_eq!(reason["field"].as_str(), field, "{at}");
    assert!(!reason["text"].as_str().unwrap().is_empty(), "{at}");
    for account in ["balance", "deposit", "credit", "wallet"] {
        assert!(!reply.text.to_lowercase().contains(account), "{at}");
    }
    if let Some(words) = reason["supplier_text"].as_str() {
        assert!(!words.contains("Sharma") && words.len() <= 300, "{at}");
    }
}

async fn flight_ends(world: &World, agent: &Person, supplier: &'static str, row: Row) {
    let (call, fault, ..) = row;
    let is_hold = call == "ticket";
    let trip = if is_hold { one_way("JFK", "EWR") } else { one_way("DEL", "BOM") };
    let offer = agent.offer(&trip).await;
    if call == "price" {
        world.next_at(supplier, call, fault).await;
        return has_reason(supplier, row, &agent.price(&offer).await);
    }
    let order = agent.order(&agent.price(&offer).await.ok(), &trip);
    if call == "book" {
        world.next_at(supplier, call, fault).await;
        return has_reason(supplier, row, &agent.book(&order).await);
    }
    let booked = agent.book(&order).await.ok();
    let reference = booked["booking_ref"].as_str().unwrap();
    world.next_at(supplier, call, fault).await;
    let reply = match call {
        "ticket" => {
            let body = json!({ "amount": booked["total_amount"] });
            agent.post(&format!("/flights/bookings/{reference}/issue-ticket"), &body).await
        }
        "cancel_quote" => agent.penalty(reference).await,
        _ => agent.cancel(reference).await,
    };
    has_reason(supplier, row, &reply);
}

async fn stay_ends(world: &World, agent: &Person, supplier: &'static str, row: Row) {
    let (call, fault, ..) = row;
    let stay = agent.find_stay(&stay_at(supplier), Pick::Free).await;
    if call == "price" {
        world.next_at(supplier, call, fault).await;
        return has_reason(supplier, row, &agent.price_stay(&stay).await);
    }
    let priced = agent.price_stay(&stay).await.ok();
    if call == "book" {
        world.next_at(supplier, call, fault).await;
        return has_reason(supplier, row, &agent.book_stay(&stay, &priced).await);
    }
    let booked = agent.book_stay(&stay, &priced).await.succeeds(201);
    world.next_at(supplier, call, fault).await;
    has_reason(supplier, row, &agent.cancel_stay(booked["booking_ref"].as_str().unwrap()).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_refusal_of_a_supplier_has_its_reason() {
    for seller in Seller::all() {
        let Seller { code: supplier, kind, .. } = seller;
        let (world, _, agent) = World::with(WorldOptions::of([seller])).await.and_agent("10000000").await;
        for row in refusals_of(kind) {
            match sells_stays(kind) {
                true => stay_ends(&world, &agent, supplier, *row).await,
                false => flight_ends(&world, &agent, supplier, *row).await,
            }
            assert!(world.held().await.is_zero(), "{supplier} {row:?}");
        }
        world.books_agree().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_duplicate_at_the_airline_may_be_ours_and_is_looked_up() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    world.next("book", "duplicate").await;
    assert_eq!(agent.try_buy(&one_way("DEL", "BOM")).await.succeeds(202)["status"], "PENDING");
    assert!(!world.held().await.is_zero());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_suppliers_own_words_stand_beside_ours_where_they_name_nobody() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    world.next("book", "refused").await;
    let refused = agent.try_buy(&one_way("DEL", "BOM")).await;
    refused.is(409, "The airline does not accept this.");
    let expected = json!({
        "code": "refused", "text": "The supplier has refused this.", "supplier": "duffel", "field": null,
        "retry": "other_offer", "supplier_text": "The airline does not accept this.",
    });
    assert_eq!(refused.json()["data"]["reason"], expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_we_refuse_by_ourselves_says_all_in_its_text() {
    let (_world, _, agent) = World::start().await.and_agent(MONEY).await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let again = agent.book(&agent.order(&bought.priced, &one_way("DEL", "BOM"))).await;
    again.is(409, "booking key has already been used");
    assert_eq!(again.json()["data"]["reason"], Value::Null);
    agent.price("of_unknown").await.is_missing();
}
