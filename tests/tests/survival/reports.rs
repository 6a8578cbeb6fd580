//! A report whose maker dies is made by the next one, and nobody is ever given a part of it.

use serde_json::{Value, json};
use wayfare_tests::{Person, eventually};

use crate::fixture::Fixture;

/// How the report of this id stands.
async fn report(agent: &Person, id: &str) -> Value {
    let listed = agent.get("/reports").await.ok();
    let mut reports = listed.as_array().unwrap().iter();
    reports.find(|report| report["id"] == id).unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_whole_whenever_its_maker_dies() {
    let mut fixture = Fixture::new(&[]).await;
    let agent = fixture.agent("arjun").await;
    let body = json!({ "type": "wallet", "period_start": "2020-01-01", "period_end": "2020-12-31" });
    // While it is written; when its file is there and nobody knows of it; when all is done but the tidying up.
    for (moment, left, made_by) in
        [("report:writing", "-1.csv#1", 2), ("report:written", "-1.csv", 2), ("report:saved", "-1.csv", 1)]
    {
        let asked = agent.at(&fixture.crash_target.url);
        fixture.crash_target.arm(moment).await;
        let queued = asked.post("/reports", &body).await.succeeds(201);
        let id = queued["id"].as_str().unwrap();
        fixture.crash_target.reached().await;
        assert_eq!(fixture.report_files(), [format!("{id}{left}")], "{moment}");
        let path = format!("/reports/{id}/download");
        if made_by == 2 {
            asked.get(&path).await.is(400, "report is not ready");
        }
        // The lease of one that was alone is void at once, others wait for its end.
        match moment {
            "report:writing" => fixture.restart_beside_others().await,
            _ => fixture.restart().await,
        }

        let asked = agent.at(&fixture.crash_target.url);
        eventually(moment, async || (report(&asked, id).await["status"] == "ready").then_some(())).await;
        let file = asked.get(&path).await;
        assert_eq!(file.status, 200, "{moment}: {}", file.text);
        assert!(file.text.starts_with("ID,Date,Type,") && file.text.ends_with("\r\n"));
        let stands = format!("select status || ' ' || attempts from reports where id = '{id}'");
        assert_eq!(fixture.books.lines(&stands).await, [format!("ready {made_by}")], "{moment}");
        let told = format!("select action from events where entity_id = '{id}' order by id");
        assert_eq!(fixture.books.lines(&told).await, ["report.requested", "report.ready"]);
        fixture.restart().await;
        eventually("one file", async || {
            (fixture.report_files() == [format!("{id}-{made_by}.csv")]).then_some(())
        })
        .await;
        fixture.remove_report_files();
    }
    fixture.end().await;
}
