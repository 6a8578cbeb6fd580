//! What reports add up to: the ledger's and the fare ledger's sums, whole and harmless.

use std::collections::BTreeMap;

use rust_decimal::{Decimal, dec};
use serde_json::json;
use wayfare_operations::operator::{self, Covered};
use wayfare_pricing::MarkupKind;
use wayfare_tests::{Pick, Seller, World, WorldOptions, amount, one_way, stay_at};

use super::{ask, decimal, download, january, january_with, read, rows, sum};

#[tokio::test(flavor = "multi_thread")]
async fn what_reports_tell_adds_up_to_the_ledger_and_the_fare_ledger() {
    let world = World::with(WorldOptions {
        sellers: vec![Seller::duffel(), Seller::liteapi()],
        ..WorldOptions::default().frozen()
    })
    .await;
    let agency = world.agency().await;
    let admin = agency.admin("10000000").await;
    let package = json!({ "name": "All", "markup_type": "percent", "markup_value": 5 });
    let made = admin.post("/org/packages", &package).await.succeeds(201)["id"].clone();
    let assign = json!({ "package_id": made });
    admin.post("/org/packages/assign", &assign).await.ok();
    let everything = Covered {
        supplier: "duffel".to_owned(),
        airline: None,
        cabin: None,
    };
    let (percent, platform) = (MarkupKind::Percent, &world.platform);
    let contract = operator::set_contract(platform, &agency.code, everything, percent, dec!(5));
    contract.await.unwrap();
    let arjun = agency.agent("arjun", "5000000").await;
    let bina = agency.agent("bina", "5000000").await;
    agency.agent("idle", "10").await;
    let path = format!("/org/wallet/topup/{}", arjun.id);
    admin.post(&path, &json!({ "amount": 100 })).await.ok();

    let trip = one_way("DEL", "BOM");
    arjun.buy(trip.clone()).await;
    world.pass(60);
    // With a charge, and something bought beside the fare.
    let priced = bina.quote_dearest(&trip.clone().by("6E")).await;
    let dear = bina.book(&bina.order(&priced, &trip)).await.ok();
    let dear = dear["booking_ref"].as_str().unwrap();
    let bag =
        json!({ "ssr": [{ "type": "BAGGAGE", "code": "checked-23kg", "pax_ref": 1, "segment_id": "s1" }] });
    bina.post(&format!("/flights/bookings/{dear}/ssr"), &bag)
        .await
        .ok();
    world.pass(60);
    bina.cancel(dear).await.ok();
    // Paid and given back in the same instant.
    let priced = admin.quote_dearest(&trip).await;
    let at_once = admin.book(&admin.order(&priced, &trip)).await.ok();
    admin.cancel(at_once["booking_ref"].as_str().unwrap()).await.ok();
    // Of this one nothing returns.
    let kept = arjun.buy_stay(&stay_at("liteapi"), Pick::Final).await;
    world.pass(60);
    arjun.cancel_stay(&kept.reference).await.ok();
    arjun.buy_stay(&stay_at("liteapi"), Pick::Free).await;
    world.next("book", "sold_out").await;
    assert_ne!(arjun.try_buy(&trip).await.status, 200);
    world.is_settled().await;

    let paid = decimal(
        &world,
        "select sum(case e.side when 'debit' then e.amount else -e.amount end) from entries e
             where e.wallet_id is not null and e.reason in ('booking', 'refund')",
    )
    .await;
    let started = Decimal::from(10_000_000 + 5_000_000 + 5_000_000);
    let left = admin.balance().await + arjun.balance().await + bina.balance().await;
    assert_eq!(started - left, paid, "allocations stay in the agency");
    let fares = world
        .line("select concat_ws(' ', sum(public_fare), sum(agent_fare), sum(agent_commission), sum(markup)) from fare_transactions")
        .await;
    let fares: Vec<Decimal> = fares.split(' ').map(|sum| sum.parse().unwrap()).collect();
    let columns = ["public_fare", "agent_fare", "agent_commission", "markup"];

    let sales = rows(&world, &admin, "/org/reports", &january("sales")).await;
    assert_eq!(sum(&sales, "amount"), paid);
    assert_eq!(sum(&sales, "agent_fare") + sum(&sales, "ancillary"), paid);
    assert_eq!(columns.map(|column| sum(&sales, column)).to_vec(), fares);
    assert!(!sum(&sales, "markup").is_zero() && !fares[2].is_zero());
    let movements = world
        .line("select count(*) from entries where wallet_id is not null and reason in ('booking', 'refund')")
        .await;
    let moved = sales.iter().filter(|row| row["amount"] != "0.00").count();
    assert_eq!(moved.to_string(), movements);
    // Each movement stands beside its own fare: nothing but what was bought beside it is left over.
    for row in &sales {
        let left_over = row["ancillary"] != "0.00";
        assert_eq!(
            left_over,
            row["booking_ref"] == dear && row["agent_fare"] != row["amount"],
            "{row:?}"
        );
        assert_eq!(
            row["type"] == "charge",
            !row["amount"].starts_with('-') && row["amount"] != "0.00",
            "{row:?}"
        );
        assert_eq!(row["currency"], "INR");
    }
    let bag_rows: Vec<_> = sales
        .iter()
        .filter(|row| row["booking_ref"] == dear && row["agent_fare"] == "0.00")
        .collect();
    assert_eq!(bag_rows.len(), 1, "the bag is a charge without fare");
    let times: Vec<&String> = sales.iter().map(|row| &row["date"]).collect();
    assert!(times.is_sorted_by(|one, next| one >= next), "{times:?}");

    let bookings = rows(&world, &admin, "/org/reports", &january("booking")).await;
    assert_eq!(sum(&bookings, "paid") - sum(&bookings, "refunded"), paid);
    let known: BTreeMap<&str, &str> = bookings
        .iter()
        .map(|row| (row["booking_ref"].as_str(), row["status"].as_str()))
        .collect();
    let stored = world
        .lines("select booking_ref || ' ' || status from bookings")
        .await;
    assert_eq!(known.len(), bookings.len());
    assert_eq!(known.len(), stored.len());
    for line in &stored {
        let (reference, status) = line.split_once(' ').unwrap();
        assert_eq!(known[reference], status);
    }
    let stay = bookings.iter().find(|row| row["booking_ref"] == kept.reference);
    let stay = stay.unwrap();
    assert_eq!(
        (stay["product"].as_str(), stay["refunded"].as_str()),
        ("hotel", "0.00")
    );
    assert_eq!(stay["check_in"], "2027-02-14");
    assert!(
        !stay["hotel_name"].is_empty() && stay["origin"] == "Mumbai",
        "{stay:?}"
    );

    let agents = rows(&world, &admin, "/org/reports", &january("agent_activity")).await;
    assert_eq!(sum(&agents, "net"), paid);
    assert_eq!(sum(&agents, "paid") - sum(&agents, "refunded"), paid);
    assert_eq!(columns.map(|column| sum(&agents, column)).to_vec(), fares);
    let names: Vec<&str> = agents.iter().map(|row| row["username"].as_str()).collect();
    assert_eq!(names, ["arjun", "asha", "bina", "idle"]);
    for (username, counts) in [
        ("arjun", "4 0 2 1 1 2 2"),
        ("asha", "1 0 0 1 0 1 0"),
        ("idle", "0 0 0 0 0 0 0"),
    ] {
        let row = agents.iter().find(|row| row["username"] == username).unwrap();
        let names = [
            "bookings",
            "pending",
            "confirmed",
            "cancelled",
            "failed",
            "flights",
            "hotels",
        ];
        assert_eq!(names.map(|name| row[name].as_str()).join(" "), counts, "{row:?}");
    }

    // Everybody's own come to what their own wallets and bookings say.
    for person in [&arjun, &bina, &admin] {
        let own = rows(&world, person, "/reports", &january("sales")).await;
        let query = format!(
            "select coalesce(sum(case e.side when 'debit' then e.amount else -e.amount end), 0) from entries e
                 join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
                 join bookings b on b.booking_ref = t.reference
                 where e.wallet_id is not null and b.user_id = '{}'",
            person.id
        );
        assert_eq!(sum(&own, "amount"), decimal(&world, &query).await);
        assert!(own.iter().all(|row| row["agent_id"] == person.id));
        let stats = person.get("/me/stats").await.ok();
        let activity = rows(&world, person, "/reports", &january("agent_activity")).await;
        assert_eq!(activity.len(), 1);
        assert_eq!(activity[0]["bookings"], stats["total_bookings"].to_string());
        assert_eq!(sum(&activity, "net"), amount(&stats["total_spent"]));
        assert_eq!(
            sum(&activity, "agent_commission"),
            amount(&stats["total_commissions"])
        );
        let filtered = january_with("sales", json!({ "agent_id": person.id }));
        let named = rows(&world, &admin, "/org/reports", &filtered).await;
        assert_eq!(named, own, "the agency's report of one user");
    }
    for (kind, filters, expected) in [
        (
            "sales",
            json!({ "ref_type": "refund" }),
            sales.iter().filter(|row| row["type"] == "refund").count(),
        ),
        (
            "sales",
            json!({ "product": "hotel" }),
            sales.iter().filter(|row| row["product"] == "hotel").count(),
        ),
        (
            "sales",
            json!({ "supplier": "duffel" }),
            sales.iter().filter(|row| row["provider"] == "duffel").count(),
        ),
        ("sales", json!({ "supplier": "d%" }), 0),
        ("booking", json!({ "status": "failed" }), 1),
        ("booking", json!({ "status": "cancelled", "product": "hotel" }), 1),
        ("booking", json!({ "agent_id": bina.id }), 1),
        ("wallet", json!({ "ref_type": "topup", "type": "debit" }), 1),
        ("wallet", json!({ "agent_id": bina.id }), 4),
        ("agent_activity", json!({ "agent_id": admin.id }), 1),
    ] {
        let found = rows(
            &world,
            &admin,
            "/org/reports",
            &january_with(kind, filters.clone()),
        )
        .await;
        assert_eq!(found.len(), expected, "{kind} {filters}");
    }
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_looks_like_a_formula_is_a_text() {
    let world = World::frozen().await;
    let agency = world.agency().await;
    let admin = agency.admin("1000000").await;
    admin.buy(one_way("DEL", "BOM")).await;
    world
        .sql("update bookings set user_name = '=cmd|A1', pnr = '@x', origin = '-2+3', failure = e'\\t=1'; update users set name = '+1+1'")
        .await;
    let sale = rows(&world, &admin, "/org/reports", &january("sales"))
        .await
        .remove(0);
    assert_eq!([&sale["agent_name"], &sale["pnr"]], ["'=cmd|A1", "'@x"]);
    let booking = rows(&world, &admin, "/org/reports", &january("booking"))
        .await
        .remove(0);
    assert_eq!([&booking["origin"], &booking["failure"]], ["'-2+3", "'\t=1"]);
    let agent = rows(&world, &admin, "/org/reports", &january("agent_activity"))
        .await
        .remove(0);
    assert_eq!(agent["agent_name"], "'+1+1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_of_many_pages_is_whole() {
    let world = World::frozen().await;
    let agency = world.agency().await;
    let admin = agency.admin("1").await;
    world
        .sql(
            "insert into transfers select org_id, gen_random_uuid(), 'copy:' || n, reason, reference,
                 repeat('x', 900), performed_by, currency, at - n * interval '1 second'
                 from transfers, generate_series(1, 7999) n;
             insert into entries select e.org_id, t.id, e.leg, e.account, e.side, e.amount, e.wallet_id, e.sequence + n,
                 e.balance_before + n, e.balance_after + n, e.previous, e.seal, t.at, e.reason
                 from generate_series(1, 7999) n join transfers t on t.key = 'copy:' || n
                 join transfers o on o.key not like 'copy:%'
                 join entries e on (e.org_id, e.transfer_id) = (o.org_id, o.id) and e.wallet_id is not null;
             update wallets set sequence = 8000, balance = 8000",
        )
        .await;
    let id = ask(&admin, "/org/reports", &january("wallet")).await;
    assert_eq!(world.make_reports().await, 1);
    let file = download(&admin, "/org/reports", &id).await;
    assert_eq!(read(&file.text).len(), 8000);
    // More than one part of an upload.
    assert!(file.text.len() > 6 << 20, "{}", file.text.len());
    let query = "from=2027-01-01&to=2027-01-31";
    let export = admin
        .get(&format!("/org/wallet/transactions/export?{query}"))
        .await;
    assert!(file.text == export.text, "the same rows in the same order");
}
