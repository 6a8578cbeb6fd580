//! What reports add up to: the ledger's and the fare ledger's sums, whole and harmless.

use std::collections::HashMap;

use rust_decimal::{Decimal, dec};
use serde_json::json;
use wayfare_operations::{
    access::operators::By,
    operator::{self, Covered},
};
use wayfare_pricing::MarkupKind;
use wayfare_tests::{Agency, Person, Pick, Seller, World, WorldOptions, amount, one_way, stay_at};

use super::{ask, copied, decimal, download, january, january_with, read, rows, sum};

const FARES: [&str; 4] = ["public_fare", "agent_fare", "agent_commission", "markup"];

type Rows = Vec<HashMap<String, String>>;

/// An agency that has bought and given back in every way, and what the ledgers say of it.
struct Traded {
    world: World,
    admin: Person,
    arjun: Person,
    bina: Person,
    /// A booking with a charge and a bag, cancelled.
    dear: String,
    /// A stay of which nothing returned.
    kept: String,
    paid: Decimal,
    /// The fare ledger's sums, as [`FARES`].
    fares: Vec<Decimal>,
}

impl Traded {
    async fn new() -> Self {
        let options = WorldOptions::of([Seller::duffel(), Seller::liteapi()]).frozen();
        let (world, agency, admin) = World::with(options).await.and_admin("10000000").await;
        earns(&world, &agency, &admin).await;
        let arjun = agency.agent("arjun", "5000000").await;
        let bina = agency.agent("bina", "5000000").await;
        agency.agent("idle", "10").await;
        admin.give(&arjun, "100", "").await;

        let trip = one_way("DEL", "BOM");
        arjun.buy(trip.clone()).await;
        world.pass(60);
        // With a charge, and something bought beside the fare.
        let dear = bina.buy_dearest(&trip.clone().by("6E")).await.reference;
        let bag = json!({ "ssr": [{ "type": "BAGGAGE", "code": "checked-23kg", "pax_ref": 1, "segment_id": "s1" }] });
        bina.post(&format!("/flights/bookings/{dear}/ssr"), &bag).await.ok();
        world.pass(60);
        bina.cancels(&dear).await;
        // Paid and given back in the same instant.
        admin.cancels(&admin.buy_dearest(&trip).await.reference).await;
        let kept = arjun.buy_stay(&stay_at("liteapi"), Pick::Final).await.reference;
        world.pass(60);
        arjun.cancel_stay(&kept).await.ok();
        arjun.buy_stay(&stay_at("liteapi"), Pick::Free).await;
        world.next("book", "sold_out").await;
        assert_ne!(arjun.try_buy(&trip).await.status, 200);
        world.is_settled().await;

        let query = "select sum(case e.side when 'debit' then e.amount else -e.amount end) from entries e
            where e.wallet_id is not null and e.reason in ('booking', 'refund')";
        let paid = decimal(&world, query).await;
        let started = Decimal::from(10_000_000 + 5_000_000 + 5_000_000);
        let left = admin.balance().await + arjun.balance().await + bina.balance().await;
        assert_eq!(started - left, paid, "allocations stay in the agency");
        let query =
            "select concat_ws(' ', sum(public_fare), sum(agent_fare), sum(agent_commission), sum(markup))
            from fare_transactions";
        let fares = world.line(query).await;
        Self {
            fares: fares.split(' ').map(|sum| sum.parse().unwrap()).collect(),
            world,
            admin,
            arjun,
            bina,
            dear,
            kept,
            paid,
        }
    }

    /// The rows of January, at the agency's desk.
    async fn january(&self, kind: &str) -> Rows {
        rows(&self.world, &self.admin, "/org/reports", &january(kind)).await
    }

    async fn sales_add_up(&self, sales: &Rows) {
        assert_eq!(sum(sales, "amount"), self.paid);
        assert_eq!(sum(sales, "agent_fare") + sum(sales, "ancillary"), self.paid);
        assert_eq!(FARES.map(|column| sum(sales, column)).to_vec(), self.fares);
        assert!(!sum(sales, "markup").is_zero() && !self.fares[2].is_zero());
        let query =
            "select count(*) from entries where wallet_id is not null and reason in ('booking', 'refund')";
        let moved = sales.iter().filter(|row| row["amount"] != "0.00").count();
        assert_eq!(moved.to_string(), self.world.line(query).await);
        // Each movement stands beside its own fare: nothing but what was bought beside it is left over.
        for row in sales {
            let beside = row["booking_ref"] == self.dear && row["agent_fare"] != row["amount"];
            assert_eq!(row["ancillary"] != "0.00", beside, "{row:?}");
            let charged = !row["amount"].starts_with('-') && row["amount"] != "0.00";
            assert_eq!(row["type"] == "charge", charged, "{row:?}");
            assert_eq!(row["currency"], "INR");
        }
        let is_bag =
            |row: &&HashMap<String, String>| row["booking_ref"] == self.dear && row["agent_fare"] == "0.00";
        assert_eq!(sales.iter().filter(is_bag).count(), 1, "the bag is a charge without fare");
        let times: Vec<&String> = sales.iter().map(|row| &row["date"]).collect();
        assert!(times.is_sorted_by(|one, next| one >= next), "{times:?}");
    }

    async fn bookings_add_up(&self) {
        let bookings = self.january("booking").await;
        assert_eq!(sum(&bookings, "paid") - sum(&bookings, "refunded"), self.paid);
        let mut told: Vec<String> =
            bookings.iter().map(|row| format!("{} {}", row["booking_ref"], row["status"])).collect();
        told.sort();
        let query = "select booking_ref || ' ' || status from bookings order by booking_ref";
        assert_eq!(told, self.world.lines(query).await);
        let stay = bookings.iter().find(|row| row["booking_ref"] == self.kept).unwrap();
        assert_eq!([&stay["product"], &stay["refunded"]], ["hotel", "0.00"]);
        assert_eq!([&stay["check_in"], &stay["origin"]], ["2027-02-14", "Mumbai"]);
        assert!(!stay["hotel_name"].is_empty(), "{stay:?}");
    }

    async fn agents_add_up(&self) {
        let agents = self.january("agent_activity").await;
        assert_eq!(sum(&agents, "net"), self.paid);
        assert_eq!(sum(&agents, "paid") - sum(&agents, "refunded"), self.paid);
        assert_eq!(FARES.map(|column| sum(&agents, column)).to_vec(), self.fares);
        let names: Vec<&str> = agents.iter().map(|row| row["username"].as_str()).collect();
        assert_eq!(names, ["arjun", "asha", "bina", "idle"]);
        for (username, counts) in
            [("arjun", "4 0 2 1 1 2 2"), ("asha", "1 0 0 1 0 1 0"), ("idle", "0 0 0 0 0 0 0")]
        {
            let row = agents.iter().find(|row| row["username"] == username).unwrap();
            let names = "bookings pending confirmed cancelled failed flights hotels".split(' ');
            let found: Vec<&str> = names.map(|name| row[name].as_str()).collect();
            assert_eq!(found.join(" "), counts, "{row:?}");
        }
    }

    /// Everybody's own come to what their own wallets and bookings say.
    async fn own_add_up(&self, person: &Person) {
        let world = &self.world;
        let own = rows(world, person, "/reports", &january("sales")).await;
        let query = format!(
            "select coalesce(sum(case e.side when 'debit' then e.amount else -e.amount end), 0) from entries e
                 join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
                 join bookings b on b.booking_ref = t.reference
                 where e.wallet_id is not null and b.user_id = '{}'",
            person.id
        );
        assert_eq!(sum(&own, "amount"), decimal(world, &query).await);
        assert!(own.iter().all(|row| row["agent_id"] == person.id));
        let stats = person.get("/me/stats").await.ok();
        let activity = rows(world, person, "/reports", &january("agent_activity")).await;
        assert_eq!(activity.len(), 1);
        assert_eq!(activity[0]["bookings"], stats["total_bookings"].to_string());
        assert_eq!(sum(&activity, "net"), amount(&stats["total_spent"]));
        assert_eq!(sum(&activity, "agent_commission"), amount(&stats["total_commissions"]));
        let filtered = january_with("sales", json!({ "agent_id": person.id }));
        let named = rows(world, &self.admin, "/org/reports", &filtered).await;
        assert_eq!(named, own, "the agency's report of one user");
    }

    async fn filters_find(&self, sales: &Rows) {
        let count = |column: &str, value: &str| sales.iter().filter(|row| row[column] == value).count();
        for (kind, filters, expected) in [
            ("sales", json!({ "ref_type": "refund" }), count("type", "refund")),
            ("sales", json!({ "product": "hotel" }), count("product", "hotel")),
            ("sales", json!({ "supplier": "duffel" }), count("provider", "duffel")),
            ("sales", json!({ "supplier": "d%" }), 0),
            ("booking", json!({ "status": "failed" }), 1),
            ("booking", json!({ "status": "cancelled", "product": "hotel" }), 1),
            ("booking", json!({ "agent_id": self.bina.id }), 1),
            ("wallet", json!({ "ref_type": "topup", "type": "debit" }), 1),
            ("wallet", json!({ "agent_id": self.bina.id }), 4),
            ("agent_activity", json!({ "agent_id": self.admin.id }), 1),
        ] {
            let body = january_with(kind, filters.clone());
            let found = rows(&self.world, &self.admin, "/org/reports", &body).await;
            assert_eq!(found.len(), expected, "{kind} {filters}");
        }
    }
}

/// A package and a contract, so that there are markups and commissions.
async fn earns(world: &World, agency: &Agency, admin: &Person) {
    let package = json!({ "name": "All", "markup_type": "percent", "markup_value": 5 });
    let made = admin.post("/org/packages", &package).await.succeeds(201)["id"].clone();
    let assign = json!({ "package_id": made });
    admin.post("/org/packages/assign", &assign).await.ok();
    let everything = Covered { supplier: "duffel".to_owned(), airline: None, cabin: None };
    let (percent, platform) = (MarkupKind::Percent, &world.platform);
    let contract =
        operator::set_contract(platform, By::command_line(), &agency.code, everything, percent, dec!(5));
    contract.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_reports_tell_adds_up_to_the_ledger_and_the_fare_ledger() {
    let traded = Traded::new().await;
    let sales = traded.january("sales").await;
    traded.sales_add_up(&sales).await;
    traded.bookings_add_up().await;
    traded.agents_add_up().await;
    for person in [&traded.arjun, &traded.bina, &traded.admin] {
        traded.own_add_up(person).await;
    }
    traded.filters_find(&sales).await;
    traded.world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_looks_like_a_formula_is_a_text() {
    let (world, _, admin) = World::frozen().await.and_admin("1000000").await;
    admin.buy(one_way("DEL", "BOM")).await;
    world
        .sql("update bookings set user_name = '=cmd|A1', pnr = '@x', origin = '-2+3', failure = e'\\t=1'; update users set name = '+1+1'")
        .await;
    let sale = rows(&world, &admin, "/org/reports", &january("sales")).await.remove(0);
    assert_eq!([&sale["agent_name"], &sale["pnr"]], ["'=cmd|A1", "'@x"]);
    let booking = rows(&world, &admin, "/org/reports", &january("booking")).await.remove(0);
    assert_eq!([&booking["origin"], &booking["failure"]], ["'-2+3", "'\t=1"]);
    let agent = rows(&world, &admin, "/org/reports", &january("agent_activity")).await.remove(0);
    assert_eq!(agent["agent_name"], "'+1+1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_of_many_pages_is_whole() {
    let (world, _, admin) = World::frozen().await.and_admin("1").await;
    copied(&world, 7999, 1).await;
    let id = ask(&admin, "/org/reports", &january("wallet")).await;
    assert_eq!(world.make_reports().await, 1);
    let file = download(&admin, "/org/reports", &id).await;
    assert_eq!(read(&file.text).len(), 8000);
    // More than one part of an upload.
    assert!(file.text.len() > 6 << 20, "{}", file.text.len());
    let query = "from=2027-01-01&to=2027-01-31";
    let export = admin.get(&format!("/org/wallet/transactions/export?{query}")).await;
    assert!(file.text == export.text, "the same rows in the same order");
}
