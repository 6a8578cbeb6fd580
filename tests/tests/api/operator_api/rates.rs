//! Exchange rates at the operator's API: which one counts and who set it, what one does before it is set, and the central
//! bank's file, whose difference is what is written.

use reqwest::Method;
use rust_decimal::dec;
use serde_json::{Value, json};
use wayfare_client::operator::OperatorClient;
use wayfare_domain::{
    Currency,
    OperatorRole::{Finance, Viewer},
};
use wayfare_operations::{access::operators::By, operator};
use wayfare_pricing::RateTable;
use wayfare_tests::{OperatorPerson, Reply, World, WorldOptions};

fn document(day: &str, rates: &[(&str, &str)]) -> String {
    let rate = |(currency, rate): &(&str, &str)| format!("<Cube currency='{currency}' rate='{rate}'/>\n");
    format!(
        "<gesmes:Envelope xmlns:gesmes='http://www.gesmes.org/xml/2002-08-01' \
         xmlns='http://www.ecb.int/vocabulary/2002-08-01/eurofxref'>\n<Cube><Cube time='{day}'>\n{}</Cube></Cube>\n\
         </gesmes:Envelope>",
        rates.iter().map(rate).collect::<String>()
    )
}

/// The same as the lines of its CSV.
fn lines(day: &str, rates: &[(&str, &str)]) -> String {
    let codes: String = rates.iter().map(|(code, _)| format!("{code}, ")).collect();
    let values: String = rates.iter().map(|(_, rate)| format!("{rate}, ")).collect();
    format!("Date, {codes}\n{day}, {values}\n")
}

async fn import(person: &OperatorPerson, query: &str, kind: &str, file: impl Into<String>) -> Reply {
    let request = person.request(Method::POST, &format!("/rates/import{query}"));
    person.send(request.header("content-type", kind).body(file.into())).await
}

fn text(value: &Value) -> String {
    value.to_string().trim_matches('"').to_owned()
}

/// Each rate as `EUR/INR 90 ecb`.
async fn stated(person: &OperatorPerson) -> Vec<String> {
    let all = person.get("/rates").await.ok();
    let line = |rate: &Value| {
        let [from, to, number, source] = ["from", "to", "rate", "source"].map(|name| text(&rate[name]));
        format!("{from}/{to} {number} {source}")
    };
    all.as_array().unwrap().iter().map(line).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rate_counts_with_who_set_it_until_it_is_taken_back() {
    let rates = RateTable::default().with(Currency::GBP, Currency::INR, dec!(100));
    let mut world =
        World::with(WorldOptions { rates: rates.unwrap(), ..WorldOptions::default() }.frozen()).await;
    let finance = world.operator_api().operator("farah", Finance).await;
    let path = "/rates/GBP/INR";
    let configured = finance.get(path).await.ok();
    assert_eq!(configured["source"], "configuration");
    assert_eq!([&configured["day"], &configured["set_by"]], [&Value::Null; 2]);
    let rate = json!({ "rate": 105.25 });
    let rows = "select concat_ws(' ', (select count(*) from exchange_rates), (select count(*) from operator_events))";
    let before = world.line(rows).await;
    let preview = finance.put(&format!("{path}?preview=true"), &rate).await.ok();
    assert_eq!(world.line(rows).await, before);
    // A fare that comes to 10,000 rupees now.
    let fare = ["asked_currency", "asked", "currency", "before", "after"];
    let fare = fare.map(|part| text(&preview["fare"][part]));
    assert_eq!(fare, ["GBP", "100.00", "INR", "10000.00", "10525.00"]);
    assert_eq!(preview["before"]["rate"].to_string(), "100");
    assert_eq!(preview["written"], false);
    let set = finance.put(path, &rate).await.ok();
    assert_eq!(set["written"], true);
    for part in ["before", "after", "fare"] {
        assert_eq!(set[part], preview[part], "{part}");
    }
    world.pass(3 * 86_400);
    // The session has ended meanwhile.
    let finance = finance.logged_in("farah").await;
    let found = finance.get("/rates/gbp/inr").await.ok();
    assert_eq!(found["set_by"], json!({ "id": finance.id, "name": "farah of the platform" }));
    assert_eq!((&found["source"], &found["age_days"]), (&json!("operator"), &json!(3)));
    assert_eq!(stated(&finance).await, ["GBP/INR 105.25 operator"]);
    // What the command line sets has no name, also where somebody set it before.
    operator::set_rate(&world.platform, By::command_line(), Currency::GBP, Currency::INR, dec!(106))
        .await
        .unwrap();
    let found = finance.get(path).await.ok();
    assert_eq!((&found["set_by"], &found["age_days"]), (&Value::Null, &json!(0)));
    let removed = finance.delete(path).await.ok();
    assert_eq!(removed["removed"].to_string(), "106");
    assert_eq!(removed["after"]["source"], "configuration");
    finance.delete(path).await.is_missing();
    assert_eq!(stated(&finance).await, ["GBP/INR 100 configuration"]);
    let events = "select string_agg(concat_ws(' ', action, coalesce(actor_id::text, 'none')), ', ' order by created_at, action) \
         from operator_events where action like 'rate.%'";
    let id = &finance.id;
    assert_eq!(world.line(events).await, format!("rate.set {id}, rate.removed {id}, rate.set none"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rate_that_cant_be_is_refused_and_changes_nothing() {
    let (_world, door) = World::frozen().await.and_operators();
    let finance = door.operator("farah", Finance).await;
    let path = "/rates/GBP/INR";
    for query in ["", "?preview=true"] {
        let path = format!("{path}{query}");
        for (rate, reason) in [
            (json!({ "rate": 0 }), "{rate must be greater than 0}"),
            (json!({ "rate": -1 }), "{rate must be greater than 0}"),
            (json!({ "rate": "105" }), "{rate must be a number}"),
            (
                json!({ "rate": 10_000_000_000_u64 }),
                "{rate must have at most 10 digits before the decimal point}",
            ),
            (json!({}), "{rate this field is required}"),
        ] {
            finance.put(&path, &rate).await.is_invalid(reason);
        }
    }
    let rate = json!({ "rate": 105.25 });
    finance.put("/rates/INR/INR", &rate).await.is_invalid("{to must be another currency}");
    finance.get("/rates/INR/INR").await.is_invalid("{to must be another currency}");
    let refused = finance.put(&format!("{path}?preview=perhaps"), &rate).await;
    refused.is_invalid("{preview must be one of true, false}");
    for unknown in ["/rates/XXQ/INR", "/rates/GBP/XXQ", "/rates/POUND/INR"] {
        finance.put(unknown, &rate).await.is_missing();
        finance.get(unknown).await.is_missing();
        finance.delete(unknown).await.is_missing();
    }
    // One that nobody quotes is none, and never 1.
    finance.get(path).await.is_missing();
    let viewer = door.operator("vera", Viewer).await;
    viewer.put(&format!("{path}?preview=true"), &rate).await.is(403, "this needs the role finance");
    assert_eq!(stated(&viewer).await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_file_would_change_is_what_it_changes() {
    let (world, finance) = World::frozen().await.and_operator("farah", Finance).await;
    let day = world.now().date_naive();
    let before = (day - chrono::Duration::days(1)).to_string();
    let day = day.to_string();
    let first = [("USD", "1.25"), ("RUB", "100"), ("INR", "90")];
    import(&finance, "", "text/xml", document(&before, &first)).await.ok();
    finance.put("/rates/USD/INR", &json!({ "rate": 84 })).await.ok();
    let stood = stated(&finance).await;
    assert_eq!(stood, ["EUR/INR 90 ecb", "EUR/RUB 100 ecb", "EUR/USD 1.25 ecb", "USD/INR 84 operator"]);

    let second = [("USD", "1.250"), ("QQQ", "2"), ("JPY", "158"), ("INR", "91.8")];
    let file = document(&day, &second);
    let preview = import(&finance, "?preview=true", "application/xml", file.as_str()).await.ok();
    assert_eq!(stated(&finance).await, stood);
    let changes = preview["changes"].as_array().unwrap().iter();
    let changes: Vec<String> = changes
        .map(|change| ["currency", "before", "after", "percent"].map(|part| text(&change[part])).join(" "))
        .collect();
    assert_eq!(changes, ["INR 90 91.8 2.00", "JPY null 158 null", "RUB 100 null null"]);
    assert_has!(preview, { "skipped": [{ "line": 4, "code": "QQQ" }], "before": before, "rates": 3 });
    // The same as CSV is the same, but for the line.
    let csv = import(&finance, "?preview=true", "text/csv; charset=utf-8", lines(&day, &second)).await;
    assert_eq!(csv.ok()["changes"], preview["changes"]);

    let written = import(&finance, "", "text/xml", file.as_str()).await.ok();
    assert_eq!(written["written"], true);
    for part in ["day", "before", "rates", "changes", "skipped"] {
        assert_eq!(written[part], preview[part], "{part}");
    }
    assert_eq!(
        stated(&finance).await,
        ["EUR/INR 91.8 ecb", "EUR/JPY 158 ecb", "EUR/USD 1.25 ecb", "USD/INR 84 operator"]
    );
    let cross = finance.get("/rates/INR/USD").await.ok();
    assert_eq!(
        (&cross["source"], &cross["set_by"]["name"]),
        (&json!("ecb"), &json!("farah of the platform"))
    );
    // Once more there is nothing to change.
    assert_eq!(import(&finance, "?preview=true", "text/xml", file).await.ok()["changes"], json!([]));
    let older = document(&before, &first);
    let reason = format!("{{file is of {before}, and rates of {day} are there: it is taken by force only}}");
    for query in ["", "?preview=true"] {
        import(&finance, query, "text/xml", older.as_str()).await.is_invalid(&reason);
    }
    assert_eq!(import(&finance, "?force=true", "text/xml", older).await.ok()["rates"], 3);
    assert_eq!(stated(&finance).await, stood);
    assert_eq!(world.line("select count(*) from operator_events where action = 'rates.imported'").await, "3");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_none_is_refused_with_its_line_and_changes_nothing() {
    let (world, finance) = World::frozen().await.and_operator("farah", Finance).await;
    let day = world.now().date_naive().to_string();
    let good = document(&day, &[("USD", "1.25")]);
    import(&finance, "", "text/xml", good.as_str()).await.ok();
    for query in ["", "?preview=true"] {
        for (file, reason) in [
            (document(&day, &[("USD", "1.3"), ("INR", "0")]), "{file line 4: `rate` must be greater than 0}"),
            (
                lines(&day, &[("USD", "1.3"), ("INR", "N/A")]),
                "{file line 2: `INR` must be a decimal number, like 90.7495}",
            ),
            (
                "<!DOCTYPE a [<!ENTITY b 'lol'>]>\n<a>&b;</a>".to_owned(),
                "{file line 1: a document type does not belong here}",
            ),
            (document("2999-01-01", &[("USD", "1.3")]), "{file is of 2999-01-01, a day that has not come}"),
        ] {
            import(&finance, query, "text/xml", file).await.is_invalid(reason);
        }
        let empty = import(&finance, query, "text/csv", "").await;
        assert_eq!(empty.status, 422, "{}", empty.text);
        for kind in ["application/json", "text/plain", "multipart/form-data; boundary=x"] {
            import(&finance, query, kind, good.as_str()).await.is(415, "unsupported content type");
        }
        let long = import(&finance, query, "text/xml", " ".repeat(64 * 1024 + 1)).await;
        long.is(413, "request body too large");
        let request = finance.request(Method::POST, &format!("/rates/import{query}"));
        let request = request.header("content-type", "text/csv").body(vec![0xff, 0xfe]);
        finance.send(request).await.is_invalid("{file must be UTF-8}");
    }
    assert_eq!(stated(&finance).await, ["EUR/USD 1.25 ecb"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_reads_sets_and_imports() {
    let (world, door) = World::frozen().await.and_operators();
    let finance = door.operator("farah", Finance).await;
    let client = OperatorClient::new(&door.base_url).unwrap();
    let session = client.with_token(finance.token.clone().unwrap());
    let rate = "105.25".parse().unwrap();
    let preview = session.preview_rate("GBP", "INR", rate).await.unwrap();
    assert_eq!((preview.before, preview.written), (None, false));
    assert!(session.rate("GBP", "INR").await.unwrap_err().is_not_found());
    let set = session.set_rate("GBP", "INR", rate).await.unwrap();
    assert_eq!((set.after.rate, set.after.source.as_str()), (rate, "operator"));
    assert_eq!(set.fare, preview.fare);
    let day = world.now().date_naive();
    for file in [
        document(&day.to_string(), &[("GBP", "0.8"), ("INR", "90")]),
        lines(&day.to_string(), &[("GBP", "0.8"), ("INR", "90")]),
    ] {
        let changes = session.preview_import(&file, false).await.unwrap();
        let imported = session.import_rates(&file, false).await.unwrap();
        assert_eq!(imported.changes, changes.changes);
        assert_eq!((imported.day, imported.rates), (day, 2));
    }
    assert_eq!(session.rates().await.unwrap().len(), 3);
    assert_eq!(session.remove_rate("GBP", "INR").await.unwrap().after.unwrap().rate.to_string(), "112.5");
}
