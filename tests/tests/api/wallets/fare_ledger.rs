//! The fare ledger: what was sold and earned, in this week or month of the agency's calendar.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{World, amount, one_way, sum};

use crate::fields;

const LEDGER: &str = "period period_start period_end summary transactions total page per_page";
const ROW: &str =
    "id booking_ref pnr agent_id agent_name public_fare agent_fare agent_commission currency issued_at";
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
    let world = World::frozen().await;
    let agency = world.agency().await;
    let (admin, agent) = (
        agency.admin("1000000").await,
        agency.agent("arjun", "1000000").await,
    );
    world.agent("1000000").await.buy(one_way("DEL", "BOM")).await;
    let empty = admin.get("/org/fare-transactions").await.ok();
    fields::has(&empty, LEDGER);
    assert_eq!(
        (&empty["period"], &empty["transactions"], &empty["total"]),
        (&json!("monthly"), &json!([]), &json!(0))
    );
    assert_eq!(empty["summary"]["total_agent_fare"].to_string(), "0.00");

    let trip = one_way("DEL", "BLR");
    let dearest = agent.quote_dearest(&trip).await;
    let dear = agent.book(&agent.order(&dearest, &trip)).await.ok();
    world.pass(60);
    let kept = agent.buy(one_way("DEL", "BOM")).await;
    world.pass(60);
    let reference = dear["booking_ref"].as_str().unwrap();
    agent.cancel(reference).await.ok();
    world.pass(60);
    let of_admin = admin.buy(one_way("DEL", "MAA")).await;

    let all = admin.get("/org/fare-transactions").await.ok();
    fields::each_has(&all["transactions"], ROW);
    adds_up(&all);
    let line = |row: &Value| {
        let sign = if amount(&row["agent_fare"]) < Decimal::ZERO {
            "-"
        } else {
            "+"
        };
        format!(
            "{} {sign} {}",
            row["booking_ref"].as_str().unwrap(),
            row["agent_name"].as_str().unwrap()
        )
    };
    let lines: Vec<_> = all["transactions"].as_array().unwrap().iter().map(line).collect();
    let (names, kept_ref, admins_ref) = ("Arjun", &kept.reference, &of_admin.reference);
    let name_of = |index: usize| {
        all["transactions"][index]["agent_name"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(
        lines,
        [
            format!("{admins_ref} + {}", name_of(0)),
            format!("{reference} - {}", name_of(1)),
            format!("{kept_ref} + {}", name_of(1)),
            format!("{reference} + {}", name_of(1)),
        ],
        "{names}"
    );
    // The row of the sale says what the price said, the row of the refund what came back.
    let sold = &all["transactions"][3];
    assert_eq!(amount(&sold["agent_fare"]), amount(&dear["total_amount"]));
    assert_eq!(sold["public_fare"], dearest["price_summary"]["public_fare"]);
    assert_eq!(sold["agent_id"], json!(agent.id));
    assert_eq!(sold["pnr"], dear["legs"][0]["provider_pnr"]);
    assert_eq!(sold["agent_commission"].to_string(), "0.00");
    let refunds = agent.get("/wallet/transactions").await.json();
    let refund = refunds["data"].as_array().unwrap().iter();
    let refund = refund
        .filter(|row| row["type"] == "credit")
        .map(|row| amount(&row["amount"]));
    let refund = refund.min().unwrap();
    assert_eq!(amount(&all["transactions"][1]["agent_fare"]), -refund);

    // Pages are of the same rows, and each tells the sums of all.
    let second = admin.get("/org/fare-transactions?per_page=3&page=2").await.ok();
    assert_eq!(
        (&second["summary"], &second["total"]),
        (&all["summary"], &json!(4))
    );
    assert_eq!(second["transactions"], json!([sold]));
    assert_eq!((&second["page"], &second["per_page"]), (&json!(2), &json!(3)));

    // One agent's, an admin's own, and one's own are parts of it.
    let own = agent.get("/me/fare-transactions").await.ok();
    let of_agent = admin
        .get(&format!("/org/fare-transactions/{}", agent.id))
        .await
        .ok();
    assert_eq!(own, of_agent);
    adds_up(&own);
    assert_eq!(own["total"], 3);
    let admins = admin.get("/me/fare-transactions").await.ok();
    assert_eq!(admins["transactions"], json!([all["transactions"][0]]));

    // What the wallets paid is what the ledger says, and so is what each one's figures say.
    for (person, ledger) in [(&agent, &own), (&admin, &admins)] {
        let spent = Decimal::from(1_000_000) - person.balance().await;
        assert_eq!(amount(&ledger["summary"]["total_agent_fare"]), spent);
        let stats = person.get("/me/stats").await.ok();
        assert_eq!(stats["total_spent"], ledger["summary"]["total_agent_fare"]);
        assert_eq!(
            stats["total_commissions"],
            ledger["summary"]["total_agent_commission"]
        );
    }
    let month = &admin.get("/org/wallet/summary").await.ok()["this_month"];
    // The admin's wallet was topped up and paid for one booking.
    assert_eq!(
        amount(&month["total_debits"]),
        amount(&admins["summary"]["total_agent_fare"])
    );

    let finance = admin.get("/org/finance-summary").await.ok();
    fields::has(&finance, "period period_start period_end by_supplier");
    fields::each_has(
        &finance["by_supplier"],
        "provider currency public_fare agent_fare markup bookings",
    );
    let supplier = &finance["by_supplier"][0];
    assert_eq!(
        (&supplier["provider"], &supplier["bookings"]),
        (&json!("duffel"), &json!(3))
    );
    assert_eq!(supplier["agent_fare"], all["summary"]["total_agent_fare"]);
    assert_eq!(supplier["public_fare"], all["summary"]["total_public_fare"]);
    assert_eq!(finance["by_supplier"].as_array().unwrap().len(), 1);

    // A deleted agent's rows stay.
    agent.cancel(&kept.reference).await.ok();
    admin.delete(&format!("/org/users/{}", agent.id)).await.ok();
    let after = admin
        .get(&format!("/org/fare-transactions/{}", agent.id))
        .await
        .ok();
    assert_eq!(after["total"], 4);
    for id in ["0199c2b0-0000-7000-8000-000000000000", "x"] {
        let path = format!("/org/fare-transactions/{id}");
        admin.get(&path).await.is(404, "resource not found");
    }
    for path in [
        "/org/fare-transactions",
        "/org/finance-summary",
        "/me/fare-transactions",
    ] {
        admin
            .get(&format!("{path}?period=yearly"))
            .await
            .is(422, "code=422, message=[{period must be one of weekly, monthly}]");
    }
    admin.get("/org/fare-transactions?period=daily&per_page=0").await.is(
        422,
        "code=422, message=[{per_page must be between 1 and 100} {period must be one of weekly, monthly}]",
    );
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_period_is_the_calendar_week_or_month_where_the_agency_is() {
    let world = World::frozen().await;
    let agency = world.agency().await;
    let admin = agency.admin("1000000").await;
    let bounds =
        |ledger: &Value| ["period_start", "period_end"].map(|name| ledger[name].as_str().unwrap().to_owned());
    let week = admin.get("/me/fare-transactions?period=weekly").await.ok();
    assert_eq!(week["period"], "weekly");
    let [start, end] = bounds(&week);
    // Midnight of a Monday in Kolkata is half past six on Sunday.
    assert!(
        start.ends_with("T18:30:00Z") && end.ends_with("T18:30:00Z"),
        "{start} {end}"
    );
    let instant = |text: &str| text.parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    assert_eq!(instant(&end) - instant(&start), chrono::Duration::days(7));
    assert!(instant(&start) <= world.now() && world.now() < instant(&end));

    admin.buy(one_way("DEL", "BOM")).await;
    let count = async |period: &str| {
        let admin = agency.log_in("asha").await;
        let ledger = admin
            .get(&format!("/me/fare-transactions?period={period}"))
            .await
            .ok();
        ledger["total"].as_i64().unwrap()
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
