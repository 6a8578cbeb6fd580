//! Reports in a bucket: against a server that speaks as much of S3's wire as they need.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    body::SizedStream,
    dev::ServerHandle,
    http::Method,
    web::{self, Bytes, Data},
};
use futures_util::{Stream, StreamExt, stream};
use serde_json::json;
use wayfare_operations::reports::ReportFiles;
use wayfare_tests::{Person, Reply, World, WorldOptions, listen};

use super::copied;

/// Objects by their names, uploads that are under way and their parts by theirs, and what was sent without a signature.
#[derive(Default)]
struct Bucket {
    objects: BTreeMap<String, Vec<u8>>,
    uploads: BTreeSet<String>,
    parts: BTreeMap<(String, u32), Bytes>,
    unsigned: Vec<String>,
    /// Nothing can be read any more; how often it was tried.
    away: Option<u32>,
    /// Content comes in two halves, the second so much later.
    pause: Duration,
}

type Shared = Arc<Mutex<Bucket>>;

async fn answer(bucket: Data<Shared>, request: HttpRequest, body: Bytes) -> HttpResponse {
    let mut bucket = bucket.lock().unwrap();
    let name = request.path().to_owned();
    let query: BTreeMap<String, String> = web::Query::from_query(request.query_string()).unwrap().0;
    let signature = request.headers().get("authorization");
    let signed =
        signature.is_some_and(|it| it.to_str().unwrap().starts_with("AWS4-HMAC-SHA256 Credential=key/"));
    if !signed {
        bucket.unsigned.push(name.clone());
    }
    match (request.method(), query.get("partNumber")) {
        (&Method::POST, _) if query.contains_key("uploads") => {
            bucket.uploads.insert(name);
            HttpResponse::Ok().body(
                "<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>",
            )
        }
        (&Method::PUT, Some(number)) => {
            bucket.parts.insert((name, number.parse().unwrap()), body);
            HttpResponse::Ok().insert_header(("etag", "\"part\"")).finish()
        }
        (&Method::POST, _) => {
            let mut whole = Vec::new();
            while let Some(entry) = bucket.parts.first_entry() {
                whole.extend_from_slice(&entry.remove());
            }
            bucket.uploads.remove(&name);
            bucket.objects.insert(name, whole);
            HttpResponse::Ok()
                .body("<CompleteMultipartUploadResult><ETag>\"whole\"</ETag></CompleteMultipartUploadResult>")
        }
        (&Method::GET, _) if bucket.away.is_some() => {
            bucket.away = bucket.away.map(|asked| asked + 1);
            HttpResponse::ServiceUnavailable().finish()
        }
        (&Method::GET, _) => match bucket.objects.get(&name) {
            Some(object) => HttpResponse::Ok()
                .insert_header(("etag", "\"whole\""))
                .insert_header(("last-modified", "Fri, 15 Jan 2027 08:00:00 GMT"))
                .body(SizedStream::new(object.len() as u64, halves(object, bucket.pause))),
            None => HttpResponse::NotFound().finish(),
        },
        (&Method::DELETE, _) if query.contains_key("uploadId") => {
            bucket.uploads.remove(&name);
            HttpResponse::NoContent().finish()
        }
        (&Method::DELETE, _) => {
            bucket.objects.remove(&name);
            HttpResponse::NoContent().finish()
        }
        other => panic!("{other:?}"),
    }
}

fn halves(whole: &[u8], pause: Duration) -> impl Stream<Item = actix_web::Result<Bytes>> + use<> {
    let (first, second) = whole.split_at(whole.len() / 2);
    let (first, second) = (Bytes::copy_from_slice(first), Bytes::copy_from_slice(second));
    let late = stream::once(async move {
        tokio::time::sleep(pause).await;
        Ok(second)
    });
    stream::once(async { Ok(first) }).chain(late)
}

/// A world whose reports are kept in this bucket, with so much time for a call of it, and the bucket's server.
async fn world_of(bucket: &Shared, time_out: &str) -> (World, ServerHandle) {
    let shared = Data::new(bucket.clone());
    let app = move || {
        let limit = web::PayloadConfig::new(16 << 20);
        App::new().app_data(shared.clone()).app_data(limit).default_service(web::to(answer))
    };
    let (listener, endpoint) = listen();
    let server = HttpServer::new(app).workers(1).listen(listener).unwrap().run();
    let handle = server.handle();
    tokio::spawn(server);

    let options = [
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_REGION", "ap-south-1"),
        ("AWS_ENDPOINT", &endpoint),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_TIMEOUT", time_out),
    ];
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let world = World::with(WorldOptions {
        report_files: ReportFiles::open("s3://ours/reports", options).unwrap(),
        ..WorldOptions::default().frozen()
    });
    (world.await, handle)
}

/// Asks for the report of the wallet; its id.
async fn ask(person: &Person) -> String {
    let body = json!({ "type": "wallet", "period_start": "2027-01-01", "period_end": "2027-01-31" });
    person.post("/org/reports", &body).await.succeeds(201)["id"].as_str().unwrap().to_owned()
}

async fn download(person: &Person, id: &str) -> Reply {
    person.get(&format!("/org/reports/{id}/download")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_keeps_reports_as_a_folder_does() {
    let bucket = Shared::default();
    let (world, server) = world_of(&bucket, "30 seconds").await;
    let admin = world.agency().await.admin("1").await;
    // Enough for two parts.
    copied(&world, 6999, 0).await;
    let id = ask(&admin).await;
    assert_eq!(world.make_reports().await, 1);
    let names = || -> Vec<String> { bucket.lock().unwrap().objects.keys().cloned().collect() };
    assert_eq!(names(), [format!("/ours/reports/{id}-1.csv")]);
    let file = download(&admin, &id).await;
    assert_eq!(file.status, 200);
    assert!(file.text.len() > 6 << 20);
    let export = admin.get("/org/wallet/transactions/export").await;
    assert!(file.text == export.text, "the same rows in the same order");

    world.pass(30 * 24 * 3600);
    assert_eq!(world.make_reports().await, 1);
    assert_eq!(names(), [""; 0]);
    assert_eq!(bucket.lock().unwrap().unsigned, [""; 0]);
    server.stop(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_has_time_and_a_bucket_that_is_away_is_told_soon() {
    let bucket = Shared::default();
    let (world, server) = world_of(&bucket, "6 seconds").await;
    let admin = world.agency().await.admin("1").await;
    let id = ask(&admin).await;
    assert_eq!(world.make_reports().await, 1);
    let export = admin.get("/org/wallet/transactions/export").await;
    // Longer than another call may take here.
    bucket.lock().unwrap().pause = Duration::from_secs(8);
    let file = download(&admin, &id).await;
    assert_eq!((file.status, &file.text), (200, &export.text));

    bucket.lock().unwrap().away = Some(0);
    download(&admin, &id).await.is(500, "internal server error, please try again later");
    assert_eq!(bucket.lock().unwrap().away, Some(4));
    server.stop(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_maker_that_breaks_leaves_nothing_in_a_bucket() {
    let bucket = Shared::default();
    let (world, server) = world_of(&bucket, "30 seconds").await;
    ask(&world.agency().await.admin("1").await).await;
    // Other tests of this process write reports too.
    let this_test = thread::current().id();
    let begun = bucket.clone();
    let maker_breaks = move || {
        if thread::current().id() == this_test {
            let has_begun = !begun.lock().unwrap().uploads.is_empty();
            assert!(!has_begun, "a maker that breaks");
        }
    };
    fail::cfg_callback("report:writing", maker_breaks).unwrap();
    assert_eq!(world.make_reports().await, 1);
    fail::remove("report:writing");
    assert_eq!(world.line("select problem from reports").await, "its maker panicked");
    assert_eq!(bucket.lock().unwrap().uploads, BTreeSet::new());
    server.stop(false).await;
}
