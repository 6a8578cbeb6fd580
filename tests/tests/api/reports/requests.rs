//! Asking for reports: what may be asked, whose they are, and how many there may be.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use serde_json::{Value, json};
use wayfare_tests::World;

use super::{Folder, NOT_READY, QUEUED, ask, download, january, january_with, read, rows};

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_queued_made_and_fetched_and_the_journal_tells_it() {
    let folder = Folder::new();
    let (world, agency, admin) = World::with(folder.options()).await.and_admin("12345678901234.50").await;
    let agent = agency.agent("arjun", "0").await;
    let give = json!({ "amount": 7, "description": "=1+1, \"two\"\r\nlines" });
    let path = format!("/org/wallet/topup/{}", agent.id);
    admin.post(&path, &give).await.succeeds(200);

    let queued = admin.post("/org/reports", &january("wallet")).await.says(201, QUEUED);
    let id = queued["id"].as_str().unwrap();
    let own = admin.get("/me").await.ok();
    assert_eq!(
        queued,
        json!({
            "id": id, "type": "wallet", "status": "queued", "requested_by": admin.id, "requester_type": "org_user",
            "org_id": own["org_id"], "created_at": "2027-01-15T08:00:00Z",
            // Whole days in the agency's time zone.
            "period_start": "2026-12-31T18:30:00Z", "period_end": "2027-01-31T18:30:00Z",
            "file_url": null, "generated_at": null, "expires_at": null, "progress": null, "rows": null,
        })
    );
    download(&admin, "/org/reports", id).await.is(400, NOT_READY);
    assert_eq!(folder.names(), [""; 0]);

    world.pass(5);
    assert_eq!(world.make_reports().await, 1);
    assert_eq!(world.make_reports().await, 0);
    let listed = admin.get("/org/reports").await;
    let ready = listed.ok()[0].clone();
    assert_has!(ready, {
        "status": "ready", "progress": 100, "rows": 2, "generated_at": "2027-01-15T08:00:05Z", "expires_at": "2027-02-14T08:00:05Z",
    });
    assert_eq!(listed.json()["meta"]["total"], 1);
    assert_eq!(ready["file_url"].as_str().unwrap(), format!("/api/v1/org/reports/{id}/download"));

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

    let query = format!(
        "select concat_ws(' ', action, actor_type, entity_id = '{id}', new_value ->> 'type', new_value ->> 'status',
             new_value ->> 'user_id' = '{}', new_value ->> 'scope')
         from events where entity_type = 'report' order by id",
        admin.id
    );
    let journal = world.lines(&query).await;
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
    let (world, _, admin, agent) = World::frozen().await.and_people("0", "0").await;
    let stranger = world.agency().await.agent("zara", "0").await;
    let required = "this field is required";
    let day = "must be a date (YYYY-MM-DD)";
    let dates = |start: &str, end: &str| json!({ "type": "sales", "period_start": start, "period_end": end });
    let uuid = "00000000-0000-7000-8000-000000000000";
    for (body, faults) in [
        (json!({}), format!("{{type {required}}} {{period_start {required}}} {{period_end {required}}}")),
        (
            json!({ "type": "profit", "period_start": "01/01/2027", "period_end": "2027-1-31", "filters": [] }),
            format!(
                "{{type must be one of sales, agent_activity, booking, wallet}} {{period_start {day}}} \
                 {{period_end {day}}} {{filters must be an object}}"
            ),
        ),
        (dates("2027-01-02", "2027-01-01"), "{period_start must not be after period_end}".to_owned()),
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
        for (person, desk) in [(&admin, "/org/reports"), (&admin, "/reports"), (&agent, "/reports")] {
            person.post(desk, &body).await.is_invalid(&faults);
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
    let asked = admin.post("/org/reports", &body).await.says(201, QUEUED);
    assert_has!(asked, { "status": "queued", "requested_by": admin.id });
    for path in [
        "/org/reports/nobody/download",
        &format!("/org/reports/{uuid}/download"),
        &format!("/reports/{}/download", asked["id"].as_str().unwrap()),
    ] {
        admin.get(path).await.is_missing();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_belong_to_who_asked_and_their_days_are_the_agencys() {
    let (world, agency, admin, agent) = World::frozen().await.and_people("100", "50").await;
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
        download(person, desk, id).await.is_missing();
    }
    assert_eq!(vikram.get("/reports").await.ok(), json!([]));
    agent.get("/org/reports").await.is(403, "access denied");

    // It is noon on the 15th there, and was the 15th since half past six of the 14th.
    for (first, last, expected) in
        [("2027-01-15", "2027-01-15", 1), ("2027-01-14", "2027-01-14", 0), ("2027-01-16", "2027-01-31", 0)]
    {
        let body = json!({ "type": "wallet", "period_start": first, "period_end": last });
        assert_eq!(rows(&world, &agent, "/reports", &body).await.len(), expected, "{first}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_asks_for_one_report() {
    let (world, _, admin) = World::frozen().await.and_admin("0").await;
    let with_key = async |body: &Value| admin.post_with_key("/org/reports", "k", body).await;
    let first = with_key(&january("sales")).await;
    first.says(201, QUEUED);
    world.make_reports().await;
    let again = with_key(&january("sales")).await;
    assert_eq!((again.text.as_str(), again.status), (first.text.as_str(), 201));
    assert_eq!(again.header("Idempotency-Replayed"), "true");
    with_key(&january("wallet")).await.is(422, "idempotency key was used with a different request");
    world.sql("update idempotency_keys set status = null, answer = null").await;
    assert_eq!(with_key(&january("sales")).await.says(201, QUEUED)["status"], "ready");
    assert_eq!(world.line("select count(*) from reports").await, "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agency_has_so_many_to_be_made_and_its_agents_share_them() {
    let (world, _, admin, agent) = World::frozen().await.and_people("0", "0").await;
    for number in 0..20 {
        let (person, desk) = match number % 2 {
            0 => (&admin, "/org/reports"),
            _ => (&agent, "/reports"),
        };
        ask(person, desk, &january("booking")).await;
    }
    let text = "an organization has at most 20 unfinished reports";
    agent.post("/reports", &january("booking")).await.is(409, text);
    admin.post("/org/reports", &january("booking")).await.is(409, text);
    ask(&world.agency().await.admin("0").await, "/org/reports", &january("booking")).await;
    assert_eq!(world.make_reports().await, 21);
    ask(&agent, "/reports", &january("booking")).await;
    let page = admin.get("/org/reports?page=2&per_page=4").await.json();
    assert_has!(page, { "meta": { "page": 2, "per_page": 4, "total": 10, "total_pages": 3 } });
    let all = admin.get("/org/reports?per_page=100").await.ok();
    let times: Vec<&str> =
        all.as_array().unwrap().iter().map(|report| report["id"].as_str().unwrap()).collect();
    assert!(times.is_sorted_by(|one, next| one > next), "newest first");
}
