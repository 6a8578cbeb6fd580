//! Reports: asked for, made, fetched, kept for a while; whose they are, and what they add up to.

use std::{
    collections::{BTreeMap, HashMap},
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use diesel_async::SimpleAsyncConnection;
use reqwest::Method;
use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use wayfare_operations::{
    operator::{self, Covered},
    reports::{self, ReportFiles},
};
use wayfare_pricing::MarkupKind;
use wayfare_store::reports::Due;
use wayfare_tests::{Knobs, Person, Pick, Reply, Seller, World, amount, one_way, stay_at};

use crate::fields;

const QUEUED: &str = "report queued for generation";
const NOT_READY: &str = "report is not ready";

/// The month in which frozen worlds stand still.
fn january(kind: &str) -> Value {
    json!({ "type": kind, "period_start": "2027-01-01", "period_end": "2027-01-31" })
}

fn january_with(kind: &str, filters: Value) -> Value {
    let mut body = january(kind);
    body["filters"] = filters;
    body
}

/// Asks for a report at this desk; its id.
async fn ask(person: &Person, desk: &str, body: &Value) -> String {
    let report = person.post(desk, body).await.told(201, QUEUED);
    report["id"].as_str().unwrap().to_owned()
}

async fn download(person: &Person, desk: &str, id: &str) -> Reply {
    person.get(&format!("{desk}/{id}/download")).await
}

/// Asks for a report, has it made and fetches its rows, each by its columns.
async fn rows(world: &World, person: &Person, desk: &str, body: &Value) -> Vec<HashMap<String, String>> {
    let id = ask(person, desk, body).await;
    assert_eq!(world.make_reports().await, 1);
    let file = download(person, desk, &id).await;
    assert_eq!(file.status, 200, "{}", file.text);
    read(&file.text)
}

fn read(file: &str) -> Vec<HashMap<String, String>> {
    let mut reader = csv::Reader::from_reader(file.as_bytes());
    let columns = reader.headers().unwrap().clone();
    let row = |row: csv::Result<csv::StringRecord>| {
        let row = row.unwrap();
        let cells = columns.iter().zip(row.iter());
        cells
            .map(|(name, cell)| (name.to_owned(), cell.to_owned()))
            .collect()
    };
    reader.records().map(row).collect()
}

fn sum(rows: &[HashMap<String, String>], column: &str) -> Decimal {
    let number = |row: &HashMap<String, String>| row[column].parse::<Decimal>().unwrap();
    rows.iter().map(number).sum()
}

async fn decimal(world: &World, query: &str) -> Decimal {
    let text = world.line(query).await;
    text.parse().unwrap_or_else(|_| panic!("{query}: {text}"))
}

/// A folder that goes with the value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(1);
        let name = format!(
            "wayfare-reports-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        Self(std::env::temp_dir().join(name))
    }

    fn knobs(&self) -> Knobs {
        Knobs {
            report_files: ReportFiles::in_folder(&self.0).unwrap(),
            ..Knobs::default().frozen()
        }
    }

    /// The names of all that is in it.
    fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.0) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_queued_made_and_fetched_and_the_journal_tells_it() {
    let folder = Folder::new();
    let world = World::with(folder.knobs()).await;
    let agency = world.agency().await;
    let admin = agency.admin("12345678901234.50").await;
    let agent = agency.agent("arjun", "0").await;
    let give = json!({ "amount": 7, "description": "=1+1, \"two\"\r\nlines" });
    let path = format!("/org/wallet/topup/{}", agent.id);
    admin.post(&path, &give).await.succeeds(200);

    let queued = admin
        .post("/org/reports", &january("wallet"))
        .await
        .told(201, QUEUED);
    fields::report(&queued);
    let id = queued["id"].as_str().unwrap();
    let own = admin.get("/me").await.ok();
    assert_eq!(
        queued,
        json!({
            "id": id, "type": "wallet", "status": "queued", "requested_by": admin.id, "requester_type": "org_user",
            "org_id": own["org_id"], "created_at": "2027-01-15T08:00:00Z",
            // Whole days in the agency's time zone.
            "period_start": "2026-12-31T18:30:00Z", "period_end": "2027-01-31T18:30:00Z",
            "file_url": null, "generated_at": null, "expires_at": null,
        })
    );
    download(&admin, "/org/reports", id).await.is(400, NOT_READY);
    assert_eq!(folder.names(), [""; 0]);

    world.pass(5);
    assert_eq!(world.make_reports().await, 1);
    assert_eq!(world.make_reports().await, 0);
    let listed = admin.get("/org/reports").await;
    let ready = listed.ok()[0].clone();
    fields::report(&ready);
    assert_eq!(
        [&ready["status"], &ready["generated_at"], &ready["expires_at"]],
        ["ready", "2027-01-15T08:00:05Z", "2027-02-14T08:00:05Z"]
    );
    assert_eq!(listed.json()["meta"]["total"], 1);
    let url = ready["file_url"].as_str().unwrap();
    assert_eq!(url, format!("/api/v1/org/reports/{id}/download"));

    let file = download(&admin, "/org/reports", id).await;
    assert_eq!(file.status, 200);
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(
        file.header("content-disposition"),
        format!("attachment; filename=\"report-wallet-{id}.csv\"")
    );
    let export = admin.get("/org/wallet/transactions/export").await;
    assert_eq!(file.text, export.text, "a wallet's report is its export");
    assert_eq!(folder.names(), [format!("{id}-1.csv")]);
    let mode = |path: &PathBuf| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&folder.0) & 0o777, 0o700);

    let journal = world
        .lines(&format!(
            "select concat_ws(' ', action, actor_type, entity_id = '{id}', new_value ->> 'type', new_value ->> 'status',
                 new_value ->> 'user_id' = '{}', new_value ->> 'scope')
             from events where entity_type = 'report' order by id",
            admin.id
        ))
        .await;
    assert_eq!(
        journal,
        [
            "report.requested org_user t wallet queued t organization",
            "report.ready system t wallet ready t organization"
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_for_is_refused_by_its_name() {
    let world = World::frozen().await;
    let agency = world.agency().await;
    let admin = agency.admin("0").await;
    let agent = agency.agent("arjun", "0").await;
    let stranger = world.agency().await.agent("zara", "0").await;
    let required = "this field is required";
    let day = "must be a date (YYYY-MM-DD)";
    let dates = |start: &str, end: &str| json!({ "type": "sales", "period_start": start, "period_end": end });
    let uuid = "00000000-0000-7000-8000-000000000000";
    for (body, faults) in [
        (
            json!({}),
            format!("{{type {required}}} {{period_start {required}}} {{period_end {required}}}"),
        ),
        (
            json!({ "type": "profit", "period_start": "01/01/2027", "period_end": "2027-1-31", "filters": [] }),
            format!(
                "{{type must be one of sales, agent_activity, booking, wallet}} {{period_start {day}}} \
                 {{period_end {day}}} {{filters must be an object}}"
            ),
        ),
        (
            dates("2027-01-02", "2027-01-01"),
            "{period_start must not be after period_end}".to_owned(),
        ),
        (
            dates("2027-01-01", "2028-01-02"),
            "{period_end must be within 366 days, period_start included}".to_owned(),
        ),
        (
            january_with(
                "booking",
                json!({ "status": "lost", "agent_id": 7, "product": "train", "supplier": {}, "ref_type": "gift",
                    "type": "both" }),
            ),
            "{filters.agent_id must be a string} \
             {filters.status must be one of pending, confirmed, cancelled, failed} \
             {filters.product must be one of flight, hotel} {filters.supplier must be a string} \
             {filters.ref_type must be one of topup, booking, refund, deduction} \
             {filters.type must be one of debit, credit}"
                .to_owned(),
        ),
        (
            january_with("booking", json!({ "agent_id": "arjun" })),
            "{filters.agent_id must be a UUID}".to_owned(),
        ),
    ] {
        let text = format!("code=422, message=[{faults}]");
        for (person, desk) in [
            (&admin, "/org/reports"),
            (&admin, "/reports"),
            (&agent, "/reports"),
        ] {
            person.post(desk, &body).await.is(422, &text);
        }
    }
    // Another agency's user is nobody here, and an admin has no wallet of their own.
    for (kind, id, reason) in [
        ("sales", uuid, "a user"),
        ("sales", stranger.id.as_str(), "a user"),
        ("wallet", admin.id.as_str(), "an agent"),
    ] {
        let body = january_with(kind, json!({ "agent_id": id }));
        let text = format!("code=422, message=[{{filters.agent_id must be {reason} of the organization}}]");
        admin.post("/org/reports", &body).await.is(422, &text);
    }
    assert_eq!(world.line("select count(*) from reports").await, "0");

    // What nobody asked about is ignored, and a leap year is no day too long.
    let body = json!({ "type": "sales", "period_start": "2028-01-01", "period_end": "2028-12-31", "status": "ready",
        "org_id": uuid, "requested_by": agent.id, "bytes": 9, "filters": { "status": null, "colour": "red" } });
    let asked = admin.post("/org/reports", &body).await.told(201, QUEUED);
    assert_eq!(
        [&asked["status"], &asked["requested_by"]],
        ["queued", admin.id.as_str()]
    );
    for path in [
        "/org/reports/nobody/download",
        &format!("/org/reports/{uuid}/download"),
        &format!("/reports/{}/download", asked["id"].as_str().unwrap()),
    ] {
        admin.get(path).await.is(404, "resource not found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_reports_tell_adds_up_to_the_ledger_and_the_fare_ledger() {
    let world = World::with(Knobs {
        sellers: vec![Seller::duffel(), Seller::liteapi()],
        ..Knobs::default().frozen()
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
async fn reports_belong_to_who_asked_and_their_days_are_the_agencys() {
    let world = World::frozen().await;
    let agency = world.agency().await;
    let admin = agency.admin("100").await;
    let agent = agency.agent("arjun", "50").await;
    agency.second_admin("vikram").await;
    let vikram = agency.log_in("vikram").await;
    let stranger = world.agency().await.admin("0").await;
    let of_agency = ask(&admin, "/org/reports", &january("wallet")).await;
    let of_admin = ask(&admin, "/reports", &january("wallet")).await;
    let of_agent = ask(&agent, "/reports", &january("wallet")).await;
    assert_eq!(world.make_reports().await, 3);

    // An admin's own wallet is the organization's.
    for (person, desk, id, sum) in [
        (&admin, "/org/reports", &of_agency, "100.00"),
        (&vikram, "/org/reports", &of_agency, "100.00"),
        (&admin, "/reports", &of_admin, "100.00"),
        (&agent, "/reports", &of_agent, "50.00"),
    ] {
        let file = download(person, desk, id).await;
        let found = read(&file.text);
        assert_eq!((found.len(), found[0]["Amount"].as_str()), (1, sum));
        let url = format!("/api/v1{desk}/{id}/download");
        let listed = person.get(desk).await.ok();
        assert_eq!(listed[0]["file_url"], url);
        assert_eq!(listed.as_array().unwrap().len(), 1);
    }
    for (person, desk, id) in [
        (&admin, "/org/reports", &of_admin),
        (&admin, "/org/reports", &of_agent),
        (&admin, "/reports", &of_agency),
        (&admin, "/reports", &of_agent),
        (&vikram, "/reports", &of_admin),
        (&agent, "/reports", &of_agency),
        (&stranger, "/org/reports", &of_agency),
        (&stranger, "/reports", &of_agent),
    ] {
        download(person, desk, id).await.is(404, "resource not found");
    }
    assert_eq!(vikram.get("/reports").await.ok(), json!([]));
    agent.get("/org/reports").await.is(403, "access denied");

    // It is noon on the 15th there, and was the 15th since half past six of the 14th.
    for (first, last, expected) in [
        ("2027-01-15", "2027-01-15", 1),
        ("2027-01-14", "2027-01-14", 0),
        ("2027-01-16", "2027-01-31", 0),
    ] {
        let body = json!({ "type": "wallet", "period_start": first, "period_end": last });
        assert_eq!(
            rows(&world, &agent, "/reports", &body).await.len(),
            expected,
            "{first}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_asks_for_one_report() {
    let world = World::frozen().await;
    let admin = world.agency().await.admin("0").await;
    let with_key = async |body: &Value| {
        let request = admin.request(Method::POST, "/org/reports").json(body);
        admin.send(request.header("Idempotency-Key", "k")).await
    };
    let first = with_key(&january("sales")).await;
    first.told(201, QUEUED);
    world.make_reports().await;
    let again = with_key(&january("sales")).await;
    assert_eq!((again.text.as_str(), again.status), (first.text.as_str(), 201));
    assert_eq!(again.header("Idempotency-Replayed"), "true");
    with_key(&january("wallet"))
        .await
        .is(422, "idempotency key was used with a different request");
    world
        .sql("update idempotency_keys set status = null, answer = null")
        .await;
    let present = with_key(&january("sales")).await.told(201, QUEUED);
    assert_eq!(present["status"], "ready");
    assert_eq!(world.line("select count(*) from reports").await, "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_kept_is_tried_again_and_given_up_at_last() {
    let folder = Folder::new();
    let world = World::with(folder.knobs()).await;
    let agency = world.agency().await;
    let agent = agency.agent("arjun", "1").await;
    // Nothing can be kept in a file.
    fs::write(&folder.0, "").unwrap();
    let lost = ask(&agent, "/reports", &january("wallet")).await;
    for wait in [10, 40, 160, 640] {
        assert_eq!(world.make_reports().await, 1);
        assert_eq!(agent.get("/reports").await.ok()[0]["status"], "processing");
        download(&agent, "/reports", &lost).await.is(400, NOT_READY);
        world.pass(wait - 1);
        assert_eq!(world.make_reports().await, 0, "{wait}");
        world.pass(1);
    }
    assert_eq!(world.make_reports().await, 1);
    let report = agent.get("/reports").await.ok()[0].clone();
    assert_eq!(
        [&report["status"], &report["file_url"], &report["expires_at"]],
        [&json!("failed"), &Value::Null, &Value::Null]
    );
    download(&agent, "/reports", &lost).await.is(400, NOT_READY);
    let problem = world.line("select problem from reports").await;
    assert!(problem.contains("can't be made"), "{problem}");
    let told = world
        .lines("select concat_ws(' ', action, new_value ->> 'scope') from events where entity_type = 'report' order by id")
        .await;
    assert_eq!(told, ["report.requested user", "report.failed user"]);

    // One that fails once is made the next time.
    let late = ask(&agent, "/reports", &january("wallet")).await;
    assert_eq!(world.make_reports().await, 1);
    fs::remove_file(&folder.0).unwrap();
    world.pass(10);
    assert_eq!(world.make_reports().await, 1);
    assert_eq!(download(&agent, "/reports", &late).await.status, 200);
    assert_eq!(folder.names(), [format!("{late}-2.csv")]);
    assert_eq!(
        world
            .line("select coalesce(problem, '') from reports where status = 'ready'")
            .await,
        ""
    );
    // The one that was given up is looked after once more, and then never again.
    world.pass(31 * 24 * 3600);
    assert_eq!(world.make_reports().await, 2);
    assert_eq!(world.line("select count(due_at) from reports").await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_ends_all_its_makers_is_given_up() {
    let folder = Folder::new();
    let world = World::with(folder.knobs()).await;
    let agent = world.agent("1").await;
    let id = ask(&agent, "/reports", &january("wallet")).await;
    // Each of five has died and told nobody; of the third is left what it had begun, of the fourth a whole file.
    world
        .sql("update reports set status = 'processing', attempts = 5")
        .await;
    fs::create_dir(&folder.0).unwrap();
    fs::write(folder.0.join(format!("{id}-3.csv#1")), "ID,Da").unwrap();
    fs::write(folder.0.join(format!("{id}-4.csv")), "ID,Date\r\n").unwrap();
    assert_eq!(world.make_reports().await, 1);
    assert_eq!(agent.get("/reports").await.ok()[0]["status"], "failed");
    let problem = world.line("select problem from reports").await;
    assert_eq!(problem, "its makers have all ended before it was made");
    assert_eq!(folder.names(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_kept_for_thirty_days_and_then_gone() {
    let folder = Folder::new();
    let world = World::with(folder.knobs()).await;
    let agency = world.agency().await;
    let agent = agency.agent("arjun", "1").await;
    let id = ask(&agent, "/reports", &january("wallet")).await;
    world.make_reports().await;
    world.pass(30 * 24 * 3600 - 1);
    let agent = agency.log_in("arjun").await;
    assert_eq!(world.make_reports().await, 0);
    assert_eq!(download(&agent, "/reports", &id).await.status, 200);
    world.pass(1);
    // Before anybody has removed it.
    download(&agent, "/reports", &id)
        .await
        .is(404, "resource not found");
    let report = agent.get("/reports").await.ok()[0].clone();
    assert_eq!(
        [&report["status"], &report["file_url"]],
        [&json!("ready"), &Value::Null]
    );
    assert_eq!(folder.names().len(), 1);
    assert_eq!(world.make_reports().await, 1);
    assert_eq!(folder.names(), [""; 0]);
    download(&agent, "/reports", &id)
        .await
        .is(404, "resource not found");
    let report = agent.get("/reports").await.ok()[0].clone();
    assert_eq!(
        [&report["status"], &report["file_url"]],
        [&json!("ready"), &Value::Null]
    );
    assert_eq!(report["expires_at"], "2027-02-14T08:00:00Z");
    assert_eq!(world.make_reports().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_maker_whose_lease_has_ended_changes_nothing() {
    let folder = Folder::new();
    let world = World::with(folder.knobs()).await;
    let agency = world.agency().await;
    let agent = agency.agent("arjun", "1").await;
    let id = ask(&agent, "/reports", &january("booking")).await;
    // Both makers wait here for what they are to read.
    let mut stopper = world.database.owner().await;
    stopper
        .batch_execute("begin; lock table bookings in access exclusive mode")
        .await
        .unwrap();
    let waiting = async |makers: usize| {
        let query = "select count(*) from pg_locks where relation = 'bookings'::regclass and not granted";
        while world.line(query).await != makers.to_string() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let other = folder.knobs();
    let other = Knobs {
        clock: world.clock.clone(),
        ..other
    };
    let other = other.platform(world.database.database.clone(), "http://127.0.0.1:9");
    let slow = tokio::spawn({
        let platform = world.platform.clone();
        async move { reports::make_due(&platform).await }
    });
    waiting(1).await;
    assert_eq!(reports::make_due(&other).await.unwrap(), 0, "it is leased");
    world.pass(301);
    let next = tokio::spawn(async move { reports::make_due(&other).await });
    waiting(2).await;
    stopper.batch_execute("commit").await.unwrap();
    assert_eq!(slow.await.unwrap().unwrap(), 1);
    assert_eq!(next.await.unwrap().unwrap(), 1);

    assert_eq!(
        world.line("select status || ' ' || attempts from reports").await,
        "ready 2"
    );
    let told = "select count(*) from events where action = 'report.ready'";
    assert_eq!(world.line(told).await, "1");
    assert_eq!(folder.names(), [format!("{id}-2.csv")]);
    assert_eq!(download(&agent, "/reports", &id).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_nobody_elses_to_read_in_a_folder_that_was_there_before() {
    let folder = Folder::new();
    let world = World::with(folder.knobs()).await;
    let agent = world.agent("1").await;
    fs::create_dir(&folder.0).unwrap();
    fs::set_permissions(&folder.0, Permissions::from_mode(0o755)).unwrap();
    let id = ask(&agent, "/reports", &january("wallet")).await;
    world.make_reports().await;
    let file = fs::metadata(folder.0.join(format!("{id}-1.csv"))).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
    assert_eq!(download(&agent, "/reports", &id).await.status, 200);
}

/// A maker takes what is next.
async fn next(world: &World) -> Option<Due> {
    let now = world.clock.now();
    let mut connection = world.database.owner().await;
    let leased_until = now + chrono::Duration::seconds(300);
    wayfare_store::reports::take_due(&mut connection, now, leased_until)
        .await
        .unwrap()
}

async fn next_id(world: &World) -> String {
    match next(world).await {
        Some(Due::Report(report)) => report.id.to_string(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agency_whose_report_is_being_made_lets_others_go_first() {
    let world = World::frozen().await;
    let eager = world.agency().await.admin("0").await;
    let mut asked = Vec::new();
    for _ in 0..3 {
        asked.push(ask(&eager, "/org/reports", &january("booking")).await);
        world.pass(1);
    }
    let patient = world.agency().await.admin("0").await;
    let waiting = ask(&patient, "/org/reports", &january("booking")).await;
    let mut taken = Vec::new();
    for _ in 0..4 {
        taken.push(next_id(&world).await);
    }
    // Nobody waits for the two that are left.
    let [first, second, third] = <[String; 3]>::try_from(asked).unwrap();
    assert_eq!(taken, [first, waiting, second, third]);
    assert!(next(&world).await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_of_a_later_version_does_not_keep_others_waiting() {
    let world = World::frozen().await;
    let agent = world.agency().await.agent("arjun", "1").await;
    let strange = ask(&agent, "/reports", &january("wallet")).await;
    world
        .sql("update reports set filters = '{\"status\": \"a word of tomorrow\"}'")
        .await;
    world.pass(1);
    let other = world.agency().await.agent("zara", "1").await;
    let late = ask(&other, "/reports", &january("wallet")).await;
    assert_eq!(world.make_reports().await, 2);
    assert_eq!(download(&other, "/reports", &late).await.status, 200);
    assert_eq!(world.make_reports().await, 0);
    // Nothing was taken from it for the version that knows it.
    world
        .sql("update reports set filters = '{}' where status = 'queued'")
        .await;
    world.pass(300);
    assert_eq!(world.make_reports().await, 1);
    assert_eq!(download(&agent, "/reports", &strange).await.status, 200);
    let attempts = world.lines("select distinct attempts::text from reports").await;
    assert_eq!(attempts, ["1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_the_one_that_was_made_is_not_served() {
    let folder = Folder::new();
    let world = World::with(folder.knobs()).await;
    let agent = world.agent("1").await;
    let id = ask(&agent, "/reports", &january("wallet")).await;
    world.make_reports().await;
    let file = folder.0.join(format!("{id}-1.csv"));
    let whole = fs::read_to_string(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let broken = "internal server error, please try again later";
    download(&agent, "/reports", &id).await.is(500, broken);
    fs::remove_file(&file).unwrap();
    download(&agent, "/reports", &id).await.is(500, broken);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agency_has_so_many_to_be_made_and_its_agents_share_them() {
    let world = World::frozen().await;
    let agency = world.agency().await;
    let admin = agency.admin("0").await;
    let agent = agency.agent("arjun", "0").await;
    for number in 0..20 {
        let (person, desk) = match number % 2 {
            0 => (&admin, "/org/reports"),
            _ => (&agent, "/reports"),
        };
        ask(person, desk, &january("booking")).await;
    }
    let text = "an organization has at most 20 unfinished reports";
    agent.post("/reports", &january("booking")).await.is(409, text);
    admin
        .post("/org/reports", &january("booking"))
        .await
        .is(409, text);
    let neighbour = world.agency().await.admin("0").await;
    ask(&neighbour, "/org/reports", &january("booking")).await;
    assert_eq!(world.make_reports().await, 21);
    ask(&agent, "/reports", &january("booking")).await;
    let page = admin.get("/org/reports?page=2&per_page=4").await.json();
    assert_eq!(
        page["meta"],
        json!({ "page": 2, "per_page": 4, "total": 10, "total_pages": 3 })
    );
    let all = admin.get("/org/reports?per_page=100").await.ok();
    let times: Vec<&str> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|report| report["id"].as_str().unwrap())
        .collect();
    assert!(times.is_sorted_by(|one, next| one > next), "newest first");
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
