//! What is read as it comes: snapshots, downloads, pages.

use std::time::Duration;

use chrono::NaiveDate;
use futures_util::{StreamExt, TryStreamExt};
use serde_json::{Value, json};
use wayfare_client::{Client, Error, TransactionFilter, flights::FlightSearch};

use crate::stub::{answer, ok, quick, refusal, service, session};
use wayfare_stub_server::{Reply, Request};

fn search() -> FlightSearch {
    FlightSearch::one_way("DEL", "BOM", NaiveDate::from_ymd_opt(2027, 3, 1).unwrap())
}

fn event(name: &str, results: u32) -> String {
    let found = json!({
        "search_id": "7", "segments": [], "legs": [], "offers": [], "debug": { "provider_errors": {} },
        "search_meta": {
            "currency": "INR", "created_at": "2026-03-01T09:30:00Z", "expires_at": "2026-03-01T09:50:00Z",
            "total_results": results, "duration_ms": 12, "provider_status": {},
        },
        "dictionaries": { "airlines": {}, "airports": {}, "baggage": {}, "refund_policies": {} },
    });
    let answer = json!({ "success": true, "message": format!("{results} offers found"), "data": found });
    format!("event: {name}\ndata: {answer}\n\n")
}

async fn snapshots(pieces: Vec<String>, ends: bool) -> (Vec<(bool, usize)>, Option<Error>) {
    seen_of(Reply::Chunks(pieces, ends)).await
}

async fn seen_of(reply: Reply) -> (Vec<(bool, usize)>, Option<Error>) {
    let stub = service([reply]).await;
    let session = session(&stub).await;
    let mut stream = session.flights().search_stream(&search()).await.unwrap();
    let mut seen = Vec::new();
    while let Some(next) = stream.next().await {
        match next {
            Ok(snapshot) => seen.push((snapshot.is_complete, snapshot.found.search_meta.total_results)),
            Err(error) => {
                assert!(stream.next().await.is_none(), "nothing comes after an error");
                return (seen, Some(error));
            }
        }
    }
    (seen, None)
}

#[tokio::test]
async fn snapshots_come_whole_and_end_with_the_last_one() {
    let text = format!(": keep-alive\n\n{}{}", event("results", 3), event("done", 5));
    // However it is cut into pieces, inside of words too.
    for size in [1, 7, 100, 100_000] {
        let pieces: Vec<String> = match size {
            1 => vec![text.clone()],
            size => text
                .as_bytes()
                .chunks(size * 10)
                .map(|piece| String::from_utf8(piece.to_vec()).unwrap())
                .collect(),
        };
        let (seen, error) = snapshots(pieces, true).await;
        assert_eq!(seen, [(false, 3), (true, 5)]);
        assert!(error.is_none());
    }
    let marked = vec![format!("\u{feff}{text}")];
    assert_eq!(snapshots(marked, true).await.0, [(false, 3), (true, 5)]);
    let unknown = vec![format!("event: news\ndata: {{}}\n\n{}", event("done", 1))];
    assert_eq!(snapshots(unknown, true).await.0, [(true, 1)]);
}

#[tokio::test]
async fn a_stream_that_breaks_before_its_end_says_so() {
    let cut_in_an_event = vec![event("results", 3), "event: done\ndata: {".to_owned()];
    for (pieces, ends) in
        [(vec![event("results", 3)], true), (vec![event("results", 3)], false), (cut_in_an_event, true)]
    {
        let (seen, error) = snapshots(pieces, ends).await;
        assert_eq!(seen, [(false, 3)]);
        assert!(matches!(error, Some(Error::CutOff { .. })), "{error:?}");
    }
    let garbage = vec!["event: done\ndata: {\"success\":true}\n\n".to_owned()];
    let (_, error) = snapshots(garbage, true).await;
    assert!(matches!(error, Some(Error::Unreadable { .. })), "{error:?}");
}

#[tokio::test]
async fn a_stream_that_falls_silent_is_cut_off() {
    let stub = service([Reply::Silence, Reply::Chunks(vec![event("results", 3)], true)]).await;
    let session = session(&stub).await;
    // One that does not even begin is asked for again.
    let mut stream = session.flights().search_stream(&search()).await.unwrap();
    assert!(!stream.next().await.unwrap().unwrap().is_complete);
    assert_eq!(stub.requests().len(), 2);

    let keep_alive = (0..20).map(|_| ":\n\n".to_owned());
    let alive: Vec<String> = keep_alive.chain([event("done", 1)]).collect();
    assert_eq!(snapshots(alive, true).await.0, [(true, 1)]);
}

#[tokio::test]
async fn a_search_that_is_refused_has_no_stream() {
    let stub = service([refusal(422, "code=422, message=[{slices this field is required}]")]).await;
    let session = session(&stub).await;
    let refused = session.flights().search_stream(&search()).await.err().unwrap();
    assert_eq!(refused.field_faults()[0].field, "slices");
}

#[tokio::test]
async fn a_download_comes_as_it_is_sent_and_tells_when_it_broke() {
    let rows = ["ID,Amount\r\n".to_owned(), "1,2.50\r\n".to_owned()];
    let stub = service([Reply::Chunks(rows.to_vec(), true), Reply::Chunks(rows.to_vec(), false)]).await;
    let session = session(&stub).await;
    let filter = TransactionFilter {
        min_amount: Some("2.50".parse().unwrap()),
        search: Some("a&b".to_owned()),
        ..TransactionFilter::default()
    };
    let export = session.organization_wallet().export(&filter).await.unwrap();
    assert_eq!(export.into_bytes().await.unwrap(), rows.concat().into_bytes());
    let target = "GET /api/v1/org/wallet/transactions/export?min_amount=2.50&search=a%26b";
    assert_eq!(stub.lines(), [target]);
    let broken = session.organization_wallet().export(&filter).await.unwrap();
    let error = broken.into_stream().try_collect::<Vec<_>>().await.unwrap_err();
    assert!(matches!(error, Error::CutOff { .. }), "{error}");
}

#[tokio::test]
async fn a_list_is_read_page_by_page_or_all_of_it() {
    let row = |number: u32| {
        json!({
            "id": format!("00000000-0000-7000-8000-{number:012}"), "type": "credit", "amount": number,
            "description": "", "created_at": "2026-03-01T09:30:00Z",
        })
    };
    let page = |number: u32, rows: &[u32]| {
        let data: Vec<Value> = rows.iter().map(|number| row(*number)).collect();
        let meta = json!({ "page": number, "per_page": 2, "total": 3, "total_pages": 2 });
        answer(200, &json!({ "success": true, "data": data, "meta": meta }))
    };
    let replies =
        [page(2, &[3]), page(1, &[1, 2]), page(2, &[3]), page(1, &[1, 2]), Reply::Hang, page(2, &[3])];
    let stub = service(replies).await;
    let session = session(&stub).await;
    let list = || session.wallet().transactions().per_page(2);
    let second = list().page(2).await.unwrap();
    assert_eq!((second.items.len(), second.total, second.total_pages), (1, 3, 2));
    for _ in 0..2 {
        let all: Vec<_> = list().stream().try_collect().await.unwrap();
        let amounts: Vec<String> = all.iter().map(|entry| entry.amount.to_string()).collect();
        assert_eq!(amounts, ["1", "2", "3"]);
    }
    assert_eq!(stub.lines()[1], "GET /api/v1/wallet/transactions?page=1&per_page=2");
    tokio::time::timeout(Duration::from_secs(60), list().stream().next()).await.unwrap();
}

#[cfg(feature = "zstd")]
#[tokio::test]
async fn a_coded_stream_is_decoded_as_it_comes_and_one_that_ends_within_its_coding_is_cut_off() {
    let coding = || "content-encoding: zstd".to_owned();
    let zstd = |text: &str| {
        let mut coded = Vec::with_capacity(zstd_safe::compress_bound(text.len()));
        zstd_safe::compress(&mut coded, text.as_bytes(), 3).unwrap();
        coded
    };
    // A second frame is decoded like the first.
    let whole = [zstd(&event("results", 3)), zstd(": keep-alive\n\n"), zstd(&event("done", 5))].concat();
    for size in [1, 7, 1000] {
        let pieces = whole.chunks(size).map(<[u8]>::to_vec).collect();
        assert_eq!(seen_of(Reply::Coded(coding(), pieces, true)).await.0, [(false, 3), (true, 5)]);
    }
    let first = zstd(&event("results", 3));
    for (pieces, ends) in [
        (vec![whole[..first.len()].to_vec()], true),
        (vec![whole[..first.len() + 9].to_vec()], true),
        (vec![whole[..first.len() + 9].to_vec()], false),
    ] {
        let (seen, error) = seen_of(Reply::Coded(coding(), pieces, ends)).await;
        assert_eq!(seen, [(false, 3)]);
        assert!(matches!(error, Some(Error::CutOff { .. })), "{error:?}");
    }
    // No zstd at all, and a window of 16 MiB.
    for garbage in [event("done", 5).into_bytes(), b"\x28\xb5\x2f\xfd\x00\x70\x00\x00\x00".to_vec()] {
        let (_, error) = seen_of(Reply::Coded(coding(), vec![garbage], true)).await;
        assert!(matches!(error, Some(Error::Unreadable { .. })), "{error:?}");
    }
}

#[tokio::test]
async fn a_client_asks_for_what_it_can_decode_or_for_nothing() {
    let accepted = async |is_compressed: bool| {
        let stub = service([Reply::Chunks(vec![event("done", 1)], true), ok(json!({}))]).await;
        let builder = Client::builder(&stub.base_url).retries(quick());
        let client = if is_compressed { builder } else { builder.uncompressed() }.build().unwrap();
        let session = client.log_in("WF7K2M9Q", "asha", "correct horse 7").await.unwrap();
        drop(session.flights().search_stream(&search()).await.unwrap());
        session.flights().search(&search()).await.unwrap_err();
        let accepted = |request: Request| request.header("accept-encoding").map(str::to_owned);
        stub.requests().into_iter().map(accepted).collect::<Vec<_>>()
    };
    let of_a_stream = if cfg!(feature = "zstd") { "zstd" } else { "gzip" };
    assert_eq!(accepted(true).await, [of_a_stream, "gzip"].map(|coding| Some(coding.to_owned())));
    assert_eq!(accepted(false).await, [None, None]);
}
