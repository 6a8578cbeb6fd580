//! Halves of a trip: what can be priced together, and what it comes to.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_launch::SupplierKind;
use wayfare_tests::{Person, Reply, Seller, World, WorldOptions, amount, journeys, one_way, round_trip};

async fn world_of(sellers: Vec<Seller>) -> World {
    World::with(WorldOptions { sellers, ..WorldOptions::default() }).await
}

fn offers(found: &Value, route_index: u64, kind: &str) -> Vec<Value> {
    let offers = found["offers"].as_array().unwrap().iter();
    offers.filter(|offer| offer["route_index"] == route_index && offer["type"] == kind).cloned().collect()
}

async fn price(agent: &Person, offers: &[&Value]) -> Reply {
    let ids: Vec<&Value> = offers.iter().map(|offer| &offer["offer_id"]).collect();
    agent.post("/flights/price", &json!({ "offer_ids": ids })).await
}

fn fare(offer: &Value) -> Decimal {
    amount(&offer["price"]["agent_price"]["agent_fare"])
}

fn partner<'a>(of: &Value, among: &'a [Value]) -> &'a Value {
    let group = of["combinable_with"][0].as_str().unwrap();
    among.iter().find(|offer| offer["combination_group_id"] == group).unwrap()
}

/// That the price is of these offers, in this order, and adds up.
fn check(priced: &Value, chosen: &[&Value]) {
    let summary = &priced["price_summary"];
    assert_eq!(amount(&summary["total_payable"]), chosen.iter().map(|offer| fare(offer)).sum::<Decimal>());
    assert_eq!(priced["booking_keys"].as_array().unwrap().len(), chosen.len());
    let total = amount(&summary["base_fare_total"]) + amount(&summary["tax_total"]);
    assert_eq!(total, chosen.iter().map(|offer| amount(&offer["price"]["total"])).sum::<Decimal>());
    let rows = priced["passenger_breakdown"].as_array().unwrap();
    let told: Decimal = rows.iter().map(|row| amount(&row["total_per_pax"]) * amount(&row["count"])).sum();
    assert_eq!(told, total);
    for row in rows {
        let parts = row["tax_breakdown"].as_array().unwrap().iter();
        assert_eq!(parts.map(|part| amount(&part["amount"])).sum::<Decimal>(), amount(&row["tax_per_pax"]));
    }
    assert!(priced.get("price_change").is_none(), "{priced}");
}

#[tokio::test(flavor = "multi_thread")]
async fn free_halves_of_one_supplier_are_one_price() {
    let (_world, _, agent) = world_of(vec![Seller::tripjack()]).await.and_agent("1000000").await;
    let found = agent.search(&round_trip("DEL", "BOM").party(2, 1, 1)).await;
    let (out, back) = (offers(&found, 0, "one_way"), offers(&found, 1, "one_way"));
    // Two seats further on there is another flight.
    for (out, back) in [(&out[0], &back[0]), (out.last().unwrap(), back.last().unwrap())] {
        let priced = price(&agent, &[back, out]).await.ok();
        check(&priced, &[out, back]);
        let segments = priced["itinerary_snapshot"]["segments"].as_array().unwrap();
        assert_eq!(segments[0]["origin"], "DEL");
        assert_eq!(segments.last().unwrap()["destination"], "DEL");
    }
    // The way back is a booking of its own, if one likes.
    check(&price(&agent, &[&out[0]]).await.ok(), &[&out[0]]);
    // Two for one journey are no trip.
    price(&agent, &[&out[0], out.last().unwrap()]).await.is_invalid(
        "{offer_ids must have one offer for each journey: only combinable ones share the passengers out}",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn special_returns_go_with_their_own_partner_only() {
    let (_world, _, agent) = world_of(vec![Seller::tripjack()]).await.and_agent("1000000").await;
    let found = agent.search(&round_trip("DEL", "BOM")).await;
    let (out, back) = (offers(&found, 0, "combinable"), offers(&found, 1, "combinable"));
    assert!(out.len() > 1 && out.len() == back.len());
    for half in &out {
        assert_eq!(partner(half, &back)["combinable_with"], json!([half["combination_group_id"]]));
    }
    let (first, theirs) = (&out[0], partner(&out[0], &back));
    check(&price(&agent, &[first, theirs]).await.ok(), &[first, theirs]);
    let apart = "code=422, message=[{offer_ids these offers can't be booked together}]";
    price(&agent, &[first, back.iter().find(|offer| *offer != theirs).unwrap()]).await.is(422, apart);
    price(&agent, &[first, &offers(&found, 1, "one_way")[0]]).await.is(422, apart);
    let alone = price(&agent, &[first]).await;
    alone.is_invalid("{offer_ids must have an offer for each journey: this one is only sold with another}");
}

#[tokio::test(flavor = "multi_thread")]
async fn halves_of_two_suppliers_are_two_orders_of_one_price() {
    let [first, second] = ["first", "second"].map(|code| Seller::of(code, SupplierKind::TripJack));
    let (world, _, agent) = world_of(vec![first, second, Seller::duffel()]).await.and_agent("1000000").await;
    let found = agent.search(&round_trip("DEL", "BOM")).await;
    let of = |all: Vec<Value>, code: &str| all.into_iter().find(|offer| offer["supplier"] == code).unwrap();
    let out = of(offers(&found, 0, "one_way"), "first");
    let back = of(offers(&found, 1, "one_way"), "second");
    let priced = price(&agent, &[&out, &back]).await.ok();
    check(&priced, &[&out, &back]);
    // A bundled trip takes nothing beside it.
    let whole = of(offers(&found, 0, "bundled"), "duffel");
    price(&agent, &[&whole, &back]).await.is_invalid("{offer_ids these offers can't be booked together}");
    // One supplier that fails is the price's failure: nothing is promised by halves.
    world.next_at("tripjack", "price", "sold_out").await;
    price(&agent, &[&out, &back]).await.is(409, "offer is no longer available, please search again");
    assert_eq!(world.line("select count(*) from quotes").await, "1");

    let booked = agent.book(&agent.order(&priced, &round_trip("DEL", "BOM"))).await.ok();
    let reference = booked["booking_ref"].as_str().unwrap();
    let one_rate = agent.booking(reference).await["pricing"].clone();
    assert_eq!(one_rate["exchange_rate"], 1, "{one_rate}");
    // Orders that were sold at several rates have none together, and no sum in their supplier's currency.
    world.sql("update bookings set pricing = jsonb_set(pricing, '{1,exchange_rate}', '1.5')").await;
    let two_rates = agent.booking(reference).await["pricing"].clone();
    for field in ["exchange_rate", "supplier_currency", "supplier_total"] {
        assert!(two_rates[field].is_null(), "{field} of {two_rates}");
        assert!(two_rates.as_object().unwrap().contains_key(field), "{field} is there");
    }
    assert_eq!(two_rates["total_payable"], one_rate["total_payable"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_combinable_offers_share_the_passengers_out() {
    let (_world, _, agent) = world_of(vec![Seller::tripjack()]).await.and_agent("1000000").await;
    let found = agent.search(&round_trip("DEL", "BOM").party(2, 1, 1)).await;
    let (out, back) = (offers(&found, 0, "combinable"), offers(&found, 1, "combinable"));
    let (one, two) = (&out[0], &out[1]);
    let (ones, twos) = (partner(one, &back), partner(two, &back));
    let priced = price(&agent, &[one, two, twos, ones]).await.ok();
    assert_eq!(priced["booking_keys"].as_array().unwrap().len(), 4);
    let rows = priced["passenger_breakdown"].as_array().unwrap();
    let count = |kind: &str| -> Decimal {
        rows.iter().filter(|row| row["pax_type"] == kind).map(|row| amount(&row["count"])).sum()
    };
    assert_eq!([count("ADT"), count("CHD"), count("INF")], [2, 1, 1].map(Decimal::from), "{rows:?}");
    // Less than two whole parties, more than the cheaper one.
    let total = amount(&priced["price_summary"]["total_payable"]);
    let both = fare(one) + fare(ones) + fare(two) + fare(twos);
    assert!(total < both && total > both / Decimal::from(4), "{total} of {both}");
    let told: Decimal = rows.iter().map(|row| amount(&row["total_per_pax"]) * amount(&row["count"])).sum();
    let summary = &priced["price_summary"];
    assert_eq!(told, amount(&summary["base_fare_total"]) + amount(&summary["tax_total"]));
    // Nobody travels without an adult.
    let three = price(&agent, &[one, ones, two, twos, &out[2], partner(&out[2], &back)]).await;
    three.is_invalid("{offer_ids must not be more than there are adults for each journey}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_half_that_leaves_too_early_and_one_that_moved() {
    let (world, _, agent) = world_of(vec![Seller::tripjack()]).await.and_agent("1000000").await;
    let found = agent.search(&journeys(&[("DEL", "BOM", 30), ("BOM", "DEL", 30)])).await;
    let times = |offer: &Value| {
        let leg = offer["legs"][0].clone();
        found["legs"].as_array().unwrap().iter().find(|other| other["leg_id"] == leg).unwrap().clone()
    };
    let out = offers(&found, 0, "one_way");
    let back = offers(&found, 1, "one_way");
    let latest = out.iter().max_by_key(|offer| times(offer)["arrival"].to_string()).unwrap();
    let earliest = back.iter().min_by_key(|offer| times(offer)["departure"].to_string()).unwrap();
    let early = price(&agent, &[latest, earliest]).await;
    early.is_invalid("{offer_ids must not leave before the journey before it has ended}");
    let soonest = out.iter().min_by_key(|offer| times(offer)["arrival"].to_string()).unwrap();
    let last = back.iter().max_by_key(|offer| times(offer)["departure"].to_string()).unwrap();
    world.next_at("tripjack", "price", "price_changed:10").await;
    let moved = price(&agent, &[soonest, last]).await.ok();
    let old = amount(&soonest["price"]["total"]) + amount(&last["price"]["total"]);
    let change = &moved["price_change"];
    assert_eq!(amount(&change["old_total"]), old);
    let new =
        amount(&moved["price_summary"]["base_fare_total"]) + amount(&moved["price_summary"]["tax_total"]);
    assert_eq!(amount(&change["new_total"]), new);
    assert!(new > old);
}

#[tokio::test(flavor = "multi_thread")]
async fn across_borders_both_are_asked_and_what_tripjack_shows_is_booked_with_passports() {
    let world = world_of(vec![Seller::duffel(), Seller::tripjack()]).await;
    let agent = world.agent("1000000").await;
    for trip in [one_way("DEL", "DXB"), round_trip("DEL", "DXB")] {
        let found = agent.search(&trip).await;
        let offers = found["offers"].as_array().unwrap();
        assert_has!(found["search_meta"]["provider_status"], {
            "tripjack/status": "success", "duffel/status": "success",
        });
        for supplier in ["duffel", "tripjack"] {
            let offer = offers.iter().find(|offer| offer["supplier"] == supplier).unwrap();
            let priced = agent.price(offer["offer_id"].as_str().unwrap()).await.ok();
            agent.book(&agent.order(&priced, &trip)).await.ok();
        }
    }
    world.books_agree().await;
}
