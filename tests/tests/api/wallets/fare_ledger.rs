//! The fare ledger: what was sold and earned, in this week or month of the agency's calendar.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{MONEY, Person, World, amount, money, one_way, round_trip, sum};

const DAY: i64 = 86_400;

/// What the summary must say of all rows.
#[track_caller]
fn adds_up(ledger: &Value) {
    let (summary, rows) = (&ledger["summary"], &ledger["transactions"]);
    for (total, field) in [
        ("total_public_fare", "public_fare"),
        ("total_agent_fare", "agent_fare"),
        ("total_agent_commission", "agent_commission"),
    ] {
        assert_eq!(amount(&summary[total]), sum(rows, field), "{total}: {ledger}");
    }
    assert_eq!(summary["transaction_count"], rows.as_array().unwrap().len());
    assert_eq!(summary["transaction_count"], ledger["total"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sale_is_a_row_and_a_refund_a_negative_one() {
    let (world, _, admin, agent) = World::frozen().await.and_people(MONEY, MONEY).await;
    world.agent(MONEY).await.buy(one_way("DEL", "BOM")).await;
    let empty = admin.get("/org/fare-transactions").await.ok();
    assert_answer!("empty_fare_ledger", empty);

    let dear = agent.buy_dearest(&one_way("DEL", "BLR")).await;
    world.pass(60);
    let kept = agent.buy(one_way("DEL", "BOM")).await;
    world.pass(60);
    let reference = &dear.reference;
    agent.cancel(reference).await.ok();
    world.pass(60);
    let of_admin = admin.buy(one_way("DEL", "MAA")).await;

    let all = admin.get("/org/fare-transactions").await.ok();
    adds_up(&all);
    let rows = all["transactions"].as_array().unwrap();
    let line = |row: &Value| {
        let sign = if amount(&row["agent_fare"]) < Decimal::ZERO { "-" } else { "+" };
        format!("{} {sign} {}", row["booking_ref"], row["agent_name"]).replace('"', "")
    };
    let (kept, admins) = (&kept.reference, &of_admin.reference);
    let expected = [
        format!("{admins} + asha Sunrise"),
        format!("{reference} - arjun Sunrise"),
        format!("{kept} + arjun Sunrise"),
        format!("{reference} + arjun Sunrise"),
    ];
    assert_eq!(rows.iter().map(line).collect::<Vec<_>>(), expected);
    // The row of the sale says what the price said, the row of the refund what came back.
    let sold = &rows[3];
    assert_eq!(amount(&sold["agent_fare"]), dear.fare);
    let (paid, pnr) = (&dear.priced["price_summary"]["public_fare"], &dear.booked["legs"][0]["provider_pnr"]);
    assert_has!(sold, { "public_fare": paid, "agent_id": agent.id, "pnr": pnr });
    assert_eq!(sold["agent_commission"].to_string(), "0.00");
    let moves = agent.get("/wallet/transactions").await.json();
    let credits = moves["data"].as_array().unwrap().iter();
    let credits = credits.filter(|row| row["type"] == "credit");
    assert_eq!(amount(&rows[1]["agent_fare"]), -credits.map(|row| amount(&row["amount"])).min().unwrap());

    // Pages are of the same rows, and each tells the sums of all.
    assert_has!(admin.get("/org/fare-transactions?per_page=3&page=2").await.ok(), {
        "summary": all["summary"], "total": 4, "transactions": [sold], "page": 2, "per_page": 3,
    });

    parts_agree(&admin, &agent, &all).await;
    finance_agrees(&admin, &all).await;
    // A deleted agent's rows stay.
    agent.cancel(kept).await.ok();
    admin.delete_user(&agent).await;
    assert_eq!(admin.get(&format!("/org/fare-transactions/{}", agent.id)).await.ok()["total"], 4);
    world.books_agree().await;
}

/// One agent's, an admin's own, and one's own are parts of it, and what the wallets paid.
async fn parts_agree(admin: &Person, agent: &Person, all: &Value) {
    let own = agent.get("/me/fare-transactions").await.ok();
    assert_eq!(own, admin.get(&format!("/org/fare-transactions/{}", agent.id)).await.ok());
    adds_up(&own);
    assert_eq!(own["total"], 3);
    let admins = admin.get("/me/fare-transactions").await.ok();
    assert_eq!(admins["transactions"], json!([all["transactions"][0]]));
    for (person, ledger) in [(agent, &own), (admin, &admins)] {
        let summary = &ledger["summary"];
        assert_eq!(amount(&summary["total_agent_fare"]), money() - person.balance().await);
        let stats = person.get("/me/stats").await.ok();
        assert_eq!(stats["total_spent"], summary["total_agent_fare"]);
        assert_eq!(stats["total_commissions"], summary["total_agent_commission"]);
    }
    // The admin's wallet was topped up and paid for one booking.
    let month = &admin.get("/org/wallet/summary").await.ok()["this_month"];
    assert_eq!(amount(&month["total_debits"]), amount(&admins["summary"]["total_agent_fare"]));
}

async fn finance_agrees(admin: &Person, all: &Value) {
    let finance = admin.get("/org/finance-summary").await.ok();
    assert_eq!(finance["by_supplier"].as_array().unwrap().len(), 1);
    assert_has!(finance["by_supplier"][0], {
        "provider": "duffel", "bookings": 3, "agent_fare": all["summary"]["total_agent_fare"],
        "public_fare": all["summary"]["total_public_fare"],
    });
}

/// A seat with the fare, a bag later, and all of it given back.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_spent_is_agent_fares_and_ancillaries() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let trip = round_trip("DEL", "BOM").by("6E");
    let priced = agent.quote_dearest(&trip).await;
    let fare = amount(&priced["price_summary"]["total_payable"]);
    let seats = priced["ancillaries"].as_array().unwrap().iter();
    let mut seats = seats.filter(|one| one["type"] == "SEAT" && amount(&one["price"]) > Decimal::ZERO);
    let seat = seats.next().unwrap();
    let mut order = agent.order(&priced, &trip);
    order["passengers"][0]["ancillaries"] =
        json!([{ "type": "SEAT", "code": seat["code"], "segment_id": seat["segment_id"] }]);
    let booked = agent.book(&order).await.ok();
    let reference = booked["booking_ref"].as_str().unwrap();
    let with_seat = amount(&seat["price"]);
    adds_up_with(&agent, fare, with_seat, 1).await;

    let path = format!("/flights/bookings/{reference}/ssr");
    let segment = &agent.get(&path).await.ok()["SsrDetails"]["Segments"][0];
    let bag = &segment["Baggage"][0];
    let wish = json!({
        "type": "BAGGAGE", "code": bag["Code"], "pax_ref": 1, "segment_id": segment["SegmentId"],
    });
    agent.post(&path, &json!({ "ssr": [wish] })).await.says(200, "SSR added");
    let with_bag = with_seat + amount(&bag["Price"]);
    adds_up_with(&agent, fare, with_bag, 1).await;
    assert_eq!(amount(&agent.booking(reference).await["pricing"]["ancillary"]), with_bag);

    world.pass(60);
    let cancelled = agent.cancel(reference).await.ok();
    let rows = &agent.get("/me/fare-transactions").await.ok()["transactions"];
    let back = amount(&rows[0]["agent_fare"]) + amount(&rows[0]["ancillary"]);
    assert_eq!(back, -amount(&cancelled["refund_to_wallet"]));
    let left = with_bag + amount(&rows[0]["ancillary"]);
    adds_up_with(&agent, fare + amount(&rows[0]["agent_fare"]), left, 2).await;
    world.books_agree().await;
}

/// What the wallet spent is the agent fares of the ledger, which are these, and the ancillaries of its rows, which no sum
/// of it has.
async fn adds_up_with(agent: &Person, fares: Decimal, ancillaries: Decimal, rows: usize) {
    let ledger = agent.get("/me/fare-transactions").await.ok();
    adds_up(&ledger);
    let transactions = &ledger["transactions"];
    assert_eq!(transactions.as_array().unwrap().len(), rows);
    assert_eq!(amount(&ledger["summary"]["total_agent_fare"]), fares);
    assert_eq!(sum(transactions, "ancillary"), ancillaries, "{ledger}");
    let stats = agent.get("/me/stats").await.ok();
    assert_eq!(amount(&stats["total_ancillaries"]), ancillaries);
    assert_eq!(amount(&stats["total_spent"]), fares + ancillaries);
    assert_eq!(money() - agent.balance().await, fares + ancillaries);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_wrongly_of_the_fare_ledger_is_refused() {
    let (_world, _, admin) = World::frozen().await.and_admin("0").await;
    for id in ["0199c2b0-0000-7000-8000-000000000000", "x"] {
        admin.get(&format!("/org/fare-transactions/{id}")).await.is_missing();
    }
    let period = "{period must be one of weekly, monthly}";
    for path in ["/org/fare-transactions", "/org/finance-summary", "/me/fare-transactions"] {
        admin.get(&format!("{path}?period=yearly")).await.is_invalid(period);
    }
    let refused = admin.get("/org/fare-transactions?period=daily&per_page=0").await;
    refused.is(422, &format!("code=422, message=[{{per_page must be between 1 and 100}} {period}]"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_period_is_the_calendar_week_or_month_where_the_agency_is() {
    let (world, agency, admin) = World::frozen().await.and_admin("1000000").await;
    let bounds =
        |ledger: &Value| ["period_start", "period_end"].map(|name| ledger[name].as_str().unwrap().to_owned());
    let week = admin.get("/me/fare-transactions?period=weekly").await.ok();
    assert_eq!(week["period"], "weekly");
    let [start, end] = bounds(&week);
    // Midnight of a Monday in Kolkata is half past six on Sunday.
    assert!(start.ends_with("T18:30:00Z") && end.ends_with("T18:30:00Z"), "{start} {end}");
    let instant = |text: &str| text.parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    assert_eq!(instant(&end) - instant(&start), chrono::Duration::days(7));
    assert!(instant(&start) <= world.now() && world.now() < instant(&end));

    admin.buy(one_way("DEL", "BOM")).await;
    let count = async |period: &str| {
        let admin = agency.log_in("asha").await;
        admin.get(&format!("/me/fare-transactions?period={period}")).await.ok()["total"].as_i64().unwrap()
    };
    assert_eq!((count("weekly").await, count("monthly").await), (1, 1));
    // To the last second of the week, and one more.
    world.pass((instant(&end) - world.now()).num_seconds() - 1);
    assert_eq!(count("weekly").await, 1);
    world.pass(1);
    assert_eq!(count("weekly").await, 0);
    world.pass(32 * DAY);
    assert_eq!((count("weekly").await, count("monthly").await), (0, 0));
}
