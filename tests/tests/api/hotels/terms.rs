//! What comes back of stays whose supplier quotes nothing: by the terms that were sold, or what it says, whichever is less.

use chrono::{DateTime, Utc};
use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use wayfare_domain::BookingRef;
use wayfare_operations::{
    access::operators::By,
    operator::desk::{self, RulingRequest},
};
use wayfare_tests::{Bought, FoundStay, Person, Pick, World, WorldOptions, amount, stay_at};

use crate::flights_after_sales::parts::supplier_cancelled;

/// A stay that is cancelled now or when all of it is lost, what LiteAPI gives back, the part of the price that returns to the wallet,
/// and of what the operator hears.
const CANCELLED: &[(&str, &str, Decimal, &str)] = &[
    ("free", "", dec!(1), "none"),
    ("free", "gives_back:100", dec!(1), "none"),
    ("free", "gives_back:40", dec!(0.4), "gave another amount"),
    ("free", "gives_back:0", dec!(0), "gave another amount"),
    ("free", "refund_untold", dec!(1), "does not say"),
    ("lost", "", dec!(0), "none"),
    ("lost", "gives_back:0", dec!(0), "none"),
    ("lost", "gives_back:100", dec!(0), "gave another amount"),
    ("lost", "gives_back:6", dec!(0), "gave another amount"),
    ("lost", "refund_untold", dec!(0), "none"),
];

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_back_is_what_liteapi_says_or_what_was_sold_whichever_is_less() {
    for (when, fault, part, heard) in CANCELLED {
        let case = format!("{when} {fault}");
        let (world, agency) = World::with(WorldOptions::hotels().frozen()).await.and_agency().await;
        let mut agent = agency.agent("arjun", "10000000").await;
        let bought = agent.buy_stay(&stay_at("liteapi"), Pick::Free).await;
        // Part of it is lost first: it names its deadlines.
        assert_eq!(bought.priced["cancellation_policy"]["deadlines"].as_array().unwrap().len(), 2);
        if *when == "lost" {
            let policy = &agent.stay(&bought.reference).await["cancellation_policy"];
            let last = policy["deadlines"].as_array().unwrap().last().unwrap();
            // The booking tells it of what is left without our commission, and it is told as all of the price.
            assert_eq!(amount(&last["fee"]), bought.fare, "{case}: {policy}");
            let from: DateTime<Utc> = last["from"].as_str().unwrap().parse().unwrap();
            world.pass((from - world.now()).num_seconds() + 1);
            agent = agency.log_in("arjun").await;
        }
        if !fault.is_empty() {
            world.next_at("liteapi", "cancel", fault).await;
        }
        let before = agent.balance().await;
        let cancelled = agent.cancel_stay(&bought.reference).await.ok();
        let back = agent.balance().await - before;
        assert_eq!(back, (bought.fare * part).round_dp(2), "{case}: {cancelled}");
        assert_eq!(amount(&cancelled["refund"]["amount"]), back, "{case}");
        assert_eq!(amount(&cancelled["cancellation_fee"]["amount"]), bought.fare - back, "{case}");
        let raised = world.lines("select kind || ' ' || problem from exceptions").await;
        match *heard {
            "none" => assert_eq!(raised, [""; 0], "{case}"),
            words => assert!(
                matches!(&raised[..], [one] if one.starts_with("other_refund ") && one.contains(words)),
                "{case}: {raised:?}"
            ),
        }
        world.books_agree().await;
    }
}

/// A supplier charges the price less the commission: a part of that is what it keeps, and what its account of the ledger shows.
#[tokio::test(flavor = "multi_thread")]
async fn the_account_of_a_supplier_of_stays_shows_what_it_keeps() {
    // Cancelled when a part of it is lost, or ended by its supplier, who gives back so much of 1; of a twentieth nothing is left
    // for the wallet, since the commission is the agency's.
    for (supplier, gives_back) in [
        ("liteapi", None),
        ("hotelbeds", None),
        ("hotelbeds", Some(dec!(0.6))),
        ("hotelbeds", Some(dec!(0.05))),
    ] {
        let case = format!("{supplier} gives back {gives_back:?}");
        let (world, agency) = World::with(WorldOptions::hotels().frozen()).await.and_agency().await;
        let admin = agency.admin("10000000").await;
        let package = json!({ "name": "Stays", "markup_type": "flat", "markup_value": 250.25 });
        let made = admin.post("/org/hotel-packages", &package).await.succeeds(201);
        admin.post("/org/hotel-packages/assign", &json!({ "package_id": made["id"] })).await.ok();
        let Bought { reference, priced, .. } = admin.buy_stay(&stay_at(supplier), Pick::WithCommission).await;
        let total = amount(&priced["pricing_breakdown"]["grand_total"]);
        let charged = total - amount(&priced["agent_price"]["agent_commission"]);
        assert_eq!(world.owed_to_suppliers().await, charged, "{case}");
        let order = world.supplier_orders().await.remove(0);
        if let Some(part) = gives_back {
            let back = (charged * part).round_dp(2);
            world.supplier_ends(order["id"].as_str().unwrap(), Some(&back.to_string()), true).await;
            rule_on_end(&world, &reference).await;
        } else {
            let deadlines = &admin.stay(&reference).await["cancellation_policy"]["deadlines"];
            let from: DateTime<Utc> = deadlines[0]["from"].as_str().unwrap().parse().unwrap();
            world.pass((from - world.now()).num_seconds() + 1);
            agency.log_in("asha").await.cancel_stay(&reference).await.ok();
        }
        let order = world.supplier_orders().await.remove(0);
        let (paid, back) = (amount(&order["amount"]), amount(&order["refunded"]));
        assert!(back > dec!(0) && back < paid, "{case}: {order}");
        // LiteAPI's books show the price, those of Hotelbeds what it charges.
        assert_eq!(paid, if supplier == "liteapi" { total } else { charged }, "{case}");
        assert_eq!(world.owed_to_suppliers().await, charged - (charged * back / paid).round_dp(2), "{case}");
        world.books_agree().await;
    }
}

/// The operator sees that a supplier has ended it, and rules what comes back as the incident says.
async fn rule_on_end(world: &World, reference: &str) {
    for seconds in [7 * 86_400, 600, 600] {
        world.pass(seconds);
        world.watch().await;
    }
    let incident = "select id || ' ' || (details -> 'refund' ->> 'amount') from exceptions";
    let incident = world.line(incident).await;
    let (incident, back) = incident.split_once(' ').unwrap();
    let incident = Some(incident.parse().unwrap());
    let request = RulingRequest { incident, ..supplier_cancelled(back.parse().unwrap()) };
    let reference = BookingRef::from(reference.to_owned());
    desk::rule(&world.platform, By::command_line(), &reference, request).await.unwrap();
}

/// Few houses sell it; it is free until the hotel's own day of arrival begins, wherever the agency is.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_refundable_without_a_deadline_is_free_until_the_day_of_arrival() {
    let (world, agency) = World::with(WorldOptions::hotels().frozen()).await.and_agency().await;
    let agent = agency.agent("arjun", "10000000").await;
    let stay = undated(&agent).await;
    let priced = agent.price_stay(&stay).await.ok();
    let policy = &priced["cancellation_policy"];
    assert_eq!(policy["refundable"], true, "{policy}");
    assert_eq!(policy["free_until"], stay.rooms[0]["pricing"]["free_cancellation_until"]);
    let deadlines = policy["deadlines"].as_array().unwrap();
    assert_eq!(deadlines.len(), 1, "{policy}");
    assert!(deadlines[0]["local"].as_str().unwrap().contains("T00:00:00"), "{policy}");
    let booked = agent.book_stay(&stay, &priced).await.succeeds(201);
    let reference = booked["booking_ref"].as_str().unwrap().to_owned();
    assert_eq!(agent.stay(&reference).await["cancellation_policy"]["free_until"], policy["free_until"]);
    let until: DateTime<Utc> = policy["free_until"].as_str().unwrap().parse().unwrap();
    let penalty = async |seconds: i64| {
        world.pass((until - world.now()).num_seconds() + seconds);
        let agent = agency.log_in("arjun").await;
        let path = format!("/hotels/bookings/{reference}/penalty");
        amount(&agent.post(&path, &json!({})).await.ok()["refund_amount"])
    };
    let fare = amount(&booked["pricing"]["total_paid"]);
    assert_eq!(penalty(-1).await, fare);
    assert_eq!(penalty(1).await, Decimal::ZERO);
    // What LiteAPI gives then counts.
    world.next_at("liteapi", "cancel", "gives_back:30").await;
    let agent = agency.log_in("arjun").await;
    let before = agent.balance().await;
    agent.cancel_stay(&reference).await.ok();
    assert_eq!(agent.balance().await - before, (fare * dec!(0.3)).round_dp(2));
    assert_eq!(world.lines("select kind from exceptions").await, [""; 0]);
    world.books_agree().await;
}

/// A stay that is free until a day begins where its hotel stands.
async fn undated(agent: &Person) -> FoundStay {
    for (city, zone) in [
        ("Mumbai", wayfare_domain::Zone::KOLKATA),
        ("Delhi", wayfare_domain::Zone::KOLKATA),
        ("London", "Europe/London".parse::<wayfare_domain::Zone>().unwrap()),
        ("Tokyo", "Asia/Tokyo".parse::<wayfare_domain::Zone>().unwrap()),
        ("Paris", "Europe/Paris".parse::<wayfare_domain::Zone>().unwrap()),
    ] {
        let mut search = stay_at("liteapi");
        search.location = json!({ "type": "city", "name": city });
        let found = agent.search_stays(&search).await;
        let is_undated = |room: &&Value| {
            let until = room["pricing"]["free_cancellation_until"].as_str();
            until.is_some_and(|until| {
                let until: DateTime<Utc> = until.parse().unwrap();
                until.with_timezone(&zone).format("%H:%M:%S").to_string() == "00:00:00"
            })
        };
        let hotels = found["hotels"].as_array().unwrap().iter();
        let picked = hotels.filter(|hotel| hotel["provider"] == "liteapi").find_map(|hotel| {
            Some((hotel.clone(), hotel["rooms"].as_array().unwrap().iter().find(is_undated)?.clone()))
        });
        if let Some((hotel, room)) = picked {
            return FoundStay { asked: search.body(agent.today()), found, hotel, rooms: vec![room] };
        }
    }
    unreachable!("no hotel names no deadline")
}
