//! Reports in a bucket: against a server that speaks as much of S3's wire as they need.

use std::{
    collections::BTreeMap,
    net::TcpListener,
    sync::{Arc, Mutex},
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    http::Method,
    web::{self, Bytes, Data},
};
use serde_json::json;
use wayfare_operations::reports::ReportFiles;
use wayfare_tests::{Knobs, World};

/// Objects by their names, parts of uploads that are under way by theirs, and what was sent without a signature.
#[derive(Default)]
struct Bucket {
    objects: BTreeMap<String, Vec<u8>>,
    parts: BTreeMap<(String, u32), Bytes>,
    unsigned: Vec<String>,
}

type Shared = Arc<Mutex<Bucket>>;

async fn answer(bucket: Data<Shared>, request: HttpRequest, body: Bytes) -> HttpResponse {
    let mut bucket = bucket.lock().unwrap();
    let name = request.path().to_owned();
    let query: BTreeMap<String, String> = web::Query::from_query(request.query_string()).unwrap().0;
    let signature = request.headers().get("authorization");
    let signed = signature.is_some_and(|it| {
        it.to_str()
            .unwrap()
            .starts_with("AWS4-HMAC-SHA256 Credential=key/")
    });
    if !signed {
        bucket.unsigned.push(name.clone());
    }
    match (request.method(), query.get("partNumber")) {
        (&Method::POST, _) if query.contains_key("uploads") => HttpResponse::Ok()
            .body("<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>"),
        (&Method::PUT, Some(number)) => {
            bucket.parts.insert((name, number.parse().unwrap()), body);
            HttpResponse::Ok().insert_header(("etag", "\"part\"")).finish()
        }
        (&Method::POST, _) => {
            let mut whole = Vec::new();
            while let Some(entry) = bucket.parts.first_entry() {
                whole.extend_from_slice(&entry.remove());
            }
            bucket.objects.insert(name, whole);
            HttpResponse::Ok()
                .body("<CompleteMultipartUploadResult><ETag>\"whole\"</ETag></CompleteMultipartUploadResult>")
        }
        (&Method::GET, _) => match bucket.objects.get(&name) {
            Some(object) => HttpResponse::Ok()
                .insert_header(("etag", "\"whole\""))
                .insert_header(("last-modified", "Fri, 15 Jan 2027 08:00:00 GMT"))
                .body(object.clone()),
            None => HttpResponse::NotFound().finish(),
        },
        (&Method::DELETE, _) => {
            bucket.objects.remove(&name);
            HttpResponse::NoContent().finish()
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_keeps_reports_as_a_folder_does() {
    let bucket = Shared::default();
    let shared = Data::new(bucket.clone());
    let app = move || {
        let limit = web::PayloadConfig::new(16 << 20);
        App::new()
            .app_data(shared.clone())
            .app_data(limit)
            .default_service(web::to(answer))
    };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let server = HttpServer::new(app).workers(1).listen(listener).unwrap().run();
    let handle = server.handle();
    tokio::spawn(server);

    let options = [
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_REGION", "ap-south-1"),
        ("AWS_ENDPOINT", &endpoint),
        ("AWS_ALLOW_HTTP", "true"),
    ];
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let world = World::with(Knobs {
        report_files: ReportFiles::open("s3://ours/reports", options).unwrap(),
        ..Knobs::default().frozen()
    })
    .await;
    let agency = world.agency().await;
    let admin = agency.admin("1").await;
    let body = json!({ "type": "wallet", "period_start": "2027-01-01", "period_end": "2027-01-31" });
    // Enough for two parts.
    world
        .sql(
            "insert into transfers select org_id, gen_random_uuid(), 'copy:' || n, reason, reference,
                 repeat('x', 900), performed_by, currency, at from transfers, generate_series(1, 6999) n;
             insert into entries select e.org_id, t.id, e.leg, e.account, e.side, e.amount, e.wallet_id, e.sequence + n,
                 e.balance_before + n, e.balance_after + n, e.previous, e.seal, t.at, e.reason
                 from generate_series(1, 6999) n join transfers t on t.key = 'copy:' || n
                 join transfers o on o.key not like 'copy:%'
                 join entries e on (e.org_id, e.transfer_id) = (o.org_id, o.id) and e.wallet_id is not null;
             update wallets set sequence = 7000, balance = 7000",
        )
        .await;
    let asked = admin.post("/org/reports", &body).await.succeeds(201);
    let id = asked["id"].as_str().unwrap();
    assert_eq!(world.make_reports().await, 1);
    let names = || -> Vec<String> { bucket.lock().unwrap().objects.keys().cloned().collect() };
    assert_eq!(names(), [format!("/ours/reports/{id}-1.csv")]);
    let file = admin.get(&format!("/org/reports/{id}/download")).await;
    assert_eq!(file.status, 200);
    assert!(file.text.len() > 6 << 20);
    let export = admin.get("/org/wallet/transactions/export").await;
    assert!(file.text == export.text, "the same rows in the same order");

    world.pass(30 * 24 * 3600);
    assert_eq!(world.make_reports().await, 1);
    assert_eq!(names(), [""; 0]);
    assert_eq!(bucket.lock().unwrap().unsigned, [""; 0]);
    handle.stop(false).await;
}
