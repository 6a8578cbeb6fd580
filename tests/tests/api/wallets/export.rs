//! The export of the organization's wallet: every row, exact, and harmless in a spreadsheet.

use reqwest::Method;
use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use wayfare_tests::{Person, Reply, World, amount, eventually};

const COLUMNS: &str =
    "ID,Date,Type,Amount,Balance Before,Balance After,Reference Type,Description,Performed By";

async fn export(admin: &Person, query: &str) -> Reply {
    admin.get(&format!("/org/wallet/transactions/export?{query}")).await
}

/// The rows of a file, without its head.
fn rows(file: &str) -> Vec<Vec<String>> {
    assert!(file.ends_with("\r\n"), "{file:?}");
    let mut reader = csv::Reader::from_reader(file.as_bytes());
    assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>().join(","), COLUMNS);
    let row = |row: csv::Result<csv::StringRecord>| row.unwrap().iter().map(str::to_owned).collect();
    reader.records().map(row).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_has_what_the_list_has_to_the_letter() {
    let (world, agency, admin) = World::start().await.and_admin("12345678901234.50").await;
    let agent = agency.agent("arjun", "0").await;
    for reason in ["a, b", "say \"hi\"", "two\nlines", "two\r\nlines", "=1+1", "हवाई", ""] {
        admin.give(&agent, "1", reason).await;
    }
    let file = export(&admin, "").await;
    assert_eq!(file.status, 200);
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"wallet-transactions.csv\"");
    let (file, listed) = (rows(&file.text), admin.get("/org/wallet/transactions").await.ok());
    let listed = listed.as_array().unwrap();
    assert_eq!((file.len(), listed.len()), (8, 8));
    for (row, entry) in file.iter().zip(listed) {
        let text = |name: &str| match &entry[name] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            number => number.to_string(),
        };
        let names = [
            "id",
            "created_at",
            "type",
            "amount",
            "balance_before",
            "balance_after",
            "ref_type",
            "description",
            "performed_by",
        ];
        assert_eq!(*row, names.map(text));
    }
    assert_eq!(file[2][7], "allocated to agent: =1+1");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_begins_like_a_formula_is_a_text() {
    let (world, _, admin) = World::start().await.and_admin("100").await;
    for (number, (description, expected)) in (0..).zip([
        ("=HYPERLINK(\"http://x\")", "'=HYPERLINK(\"http://x\")"),
        ("+1+1", "'+1+1"),
        ("-1+1", "'-1+1"),
        ("@SUM(A1:A9)", "'@SUM(A1:A9)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("-5.00", "-5.00"),
    ]) {
        // Nothing that callers write stands at the beginning yet; what the operator writes may.
        let written = description.replace('\t', "\\t").replace('\r', "\\r");
        let update = format!("update transfers set description = e'{written}'");
        world.sql(&format!("set session_replication_role = replica; {update}")).await;
        assert_eq!(rows(&export(&admin, "").await.text)[0][7], expected, "{number}");
    }
    // A debt is a number.
    let debt = "update entries set balance_before = -150, balance_after = -50 where wallet_id is not null";
    world.sql(&format!("set session_replication_role = replica; {debt}")).await;
    let row = rows(&export(&admin, "").await.text).remove(0);
    assert_eq!((row[4].as_str(), row[5].as_str()), ("-150.00", "-50.00"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_many_chunks_is_whole_and_adds_up() {
    let (world, _, admin, agent) = World::frozen().await.and_people("100000", "0").await;
    admin.give(&agent, "1", "first").await;
    // 4,500 more like it, one balance following from the other; every third has the time of the one before.
    let more = "insert into transfers select org_id, gen_random_uuid(), 'copy:' || n, reason, reference,
             'copy ' || n, performed_by, currency, at + (n - n % 3) * interval '1 second'
             from transfers, generate_series(1, 4500) n where key like 'allocation:%';
         insert into entries select e.org_id, t.id, e.leg, e.account, e.side, e.amount, e.wallet_id, e.sequence + n,
             e.balance_before - n, e.balance_after - n, e.previous, e.seal, t.at, e.reason
             from generate_series(1, 4500) n join transfers t on t.key = 'copy:' || n
             join transfers o on o.key like 'allocation:%'
             join entries e on (e.org_id, e.transfer_id) = (o.org_id, o.id) and e.side = 'debit';
         update wallets set sequence = sequence + 4500, balance = balance - 4500 where owner_type = 'org'";
    world.sql(more).await;
    for (query, expected) in [
        ("", 4502),
        ("type=debit", 4501),
        ("search=copy", 4500),
        ("search=copy%204500", 1),
        ("min_amount=2", 1),
        ("from=2027-01-16", 0),
        ("ref_type=refund", 0),
        // Pages are not asked for here.
        ("page=2&per_page=1", 4502),
    ] {
        let found = rows(&export(&admin, query).await.text);
        assert_eq!(found.len(), expected, "{query}");
        let list = format!("/org/wallet/transactions?per_page=100&{}", query.replace("page", "-"));
        let listed = admin.get(&list).await.json();
        assert_eq!(listed["meta"]["total"], expected, "{query}");
        for (row, entry) in found.iter().zip(listed["data"].as_array().unwrap()) {
            assert_eq!(entry["id"], json!(row[0]), "{query}");
        }
    }
    let number = |text: &String| text.parse::<Decimal>().unwrap();
    let found = rows(&export(&admin, "").await.text);
    let change: Decimal =
        found.iter().map(|row| if row[2] == "credit" { number(&row[3]) } else { -number(&row[3]) }).sum();
    assert_eq!(change, admin.balance().await);
    assert_eq!(change, dec!(95499));
    for pair in found.windows(2) {
        assert_eq!(pair[0][4], pair[1][5]);
    }
    let summary = admin.get("/org/wallet/summary").await.ok();
    assert_eq!(amount(&summary["this_month"]["net_change"]), change);
    assert_eq!(summary["this_month"]["transaction_count"], 4502);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_file_has_its_head() {
    let (_world, _, admin) = World::start().await.and_admin("0").await;
    assert_eq!(export(&admin, "").await.text, format!("{COLUMNS}\r\n"));
    assert!(rows(&export(&admin, "search=x").await.text).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_go_away_or_do_not_read_leave_nothing_open() {
    let (world, _, admin) = World::frozen().await.and_admin("1").await;
    let more = "insert into transfers select org_id, gen_random_uuid(), 'copy:' || n, reason, reference,
             repeat('x', 900), performed_by, currency, at from transfers, generate_series(1, 20000) n;
         insert into entries select e.org_id, t.id, e.leg, e.account, e.side, e.amount, e.wallet_id, e.sequence + n,
             e.balance_before + n, e.balance_after + n, e.previous, e.seal, t.at, e.reason
             from generate_series(1, 20000) n join transfers t on t.key = 'copy:' || n
             join transfers o on o.key not like 'copy:%'
             join entries e on (e.org_id, e.transfer_id) = (o.org_id, o.id) and e.wallet_id is not null;
         update wallets set sequence = 20001, balance = 20001";
    world.sql(more).await;
    let path = "/org/wallet/transactions/export";
    let mut begun = Vec::new();
    // More than the pool has connections.
    for _ in 0..12 {
        let mut answer = admin.request(Method::GET, path).send().await.unwrap();
        assert!(answer.chunk().await.unwrap().is_some());
        begun.push(answer);
    }
    // When what lies between us is full, none of them keeps a connection from others, nor a snapshot in the database.
    let open = "select count(*) from pg_stat_activity
        where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()";
    eventually("no export is open", async || (world.line(open).await == "0").then_some(())).await;
    assert_eq!(admin.balance().await, Decimal::from(20001));
    drop(begun);
    let whole = admin.request(Method::GET, path).send().await.unwrap();
    assert_eq!(rows(&whole.text().await.unwrap()).len(), 20001);
}

/// A newer time zone database may say that days began an hour earlier: what was handed out stays as it was.
#[tokio::test(flavor = "multi_thread")]
async fn a_day_of_which_somebody_has_an_export_keeps_its_bounds() {
    let (world, agency) = World::frozen().await.and_agency().await;
    agency.admin("100").await;
    world.pass(3 * 86_400);
    let admin = agency.log_in("asha").await;
    let day = "from=2027-01-15&to=2027-01-15";
    let kept = "select concat_ws(' ', zone, day, to_char(began_at at time zone 'UTC', 'MM-DD HH24:MI')) from day_bounds order by day";
    assert_eq!(world.lines(kept).await, [""; 0]);
    assert_eq!(rows(&export(&admin, day).await.text).len(), 1);
    let bounds = ["Asia/Kolkata 2027-01-15 01-14 18:30", "Asia/Kolkata 2027-01-16 01-15 18:30"];
    assert_eq!(world.lines(kept).await, bounds);
    // So it was by the rules of then: the money that came at 08:00 is the next day's.
    world.sql("update day_bounds set began_at = '2027-01-15T07:00:00Z' where day = '2027-01-16'").await;
    let list = async |days: &str| {
        admin.get(&format!("/org/wallet/transactions?{days}")).await.ok().as_array().unwrap().len()
    };
    for (days, count) in [(day, 0), ("from=2027-01-16&to=2027-01-17", 1)] {
        assert_eq!(rows(&export(&admin, days).await.text).len(), count, "{days}");
        assert_eq!(list(days).await, count, "{days}");
    }
    // Nor does a report tell another day.
    let asked = json!({ "type": "wallet", "period_start": "2027-01-15", "period_end": "2027-01-15" });
    assert_eq!(admin.post("/org/reports", &asked).await.succeeds(201)["period_end"], "2027-01-15T07:00:00Z");
    // What has not begun yet may still move.
    export(&admin, "from=2027-01-20&to=2027-01-31").await;
    assert_eq!(world.lines(kept).await.len(), 3, "18 January has begun");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_written_for_a_spreadsheet_where_that_is_asked_for() {
    let (_world, agency, admin) = World::start().await.and_admin("1000").await;
    admin.give(&agency.agent("arjun", "0").await, "1.50", "José; हवाई").await;
    let plain = export(&admin, "").await.text;
    assert_eq!(export(&admin, "bom=false&separator=comma&times=utc").await.text, plain);
    assert_eq!(export(&admin, "bom=true").await.text.trim_start_matches('\u{feff}'), plain);
    let written = export(&admin, "separator=semicolon&times=agency").await.text;
    assert_eq!(written.lines().next(), Some(COLUMNS.replace(',', ";").as_str()));
    assert!(written.contains("José; हवाई\""), "{written}");
    let zone = admin.get("/org/profile").await.ok()["timezone"].as_str().unwrap().to_owned();
    let zone: wayfare_domain::Zone = zone.parse().unwrap();
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').from_reader(written.as_bytes());
    for (row, before) in reader.records().zip(rows(&plain)) {
        let row = row.unwrap();
        let at: chrono::DateTime<chrono::FixedOffset> = row[1].parse().unwrap();
        assert_eq!(at, before[1].parse::<chrono::DateTime<chrono::Utc>>().unwrap());
        assert_eq!(row[1], at.with_timezone(&zone).to_rfc3339_opts(chrono::SecondsFormat::AutoSi, false));
        assert_eq!(&row[3], before[3].as_str());
    }
    for wrong in ["bom=perhaps", "separator=,", "times=mine"] {
        assert_eq!(export(&admin, wrong).await.status, 422, "{wrong}");
    }
}
