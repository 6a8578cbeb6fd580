//! The search stream in a content coding: who is sent which, that nothing waits in it, how much memory it takes, and how it
//! reads when it is cut.

use std::{net::SocketAddr, time::Duration};

use futures_util::StreamExt;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy},
    net::{TcpListener, TcpStream},
};
use wayfare_client::{Client, Error, flights::FlightSearch};
use wayfare_tests::{Agency, LASTS, PASSWORD, Person, Seller, World, WorldOptions, eventually, one_way};

/// What is accepted, and what is sent then. None is no header at all.
const ASKED: [(Option<&str>, &str); 22] = [
    (None, "identity"),
    (Some(""), "identity"),
    (Some("gzip"), "identity"),
    (Some("gzip, deflate"), "identity"),
    (Some("identity"), "identity"),
    (Some("gzip, identity;q=0"), "identity"),
    (Some("zstd"), "zstd"),
    (Some("br"), "br"),
    (Some("ZSTD"), "zstd"),
    (Some("gzip, deflate, br, zstd"), "zstd"),
    (Some("br;q=0.5, zstd;q=0.5"), "zstd"),
    (Some("br, zstd;q=0.9"), "br"),
    (Some("zstd;q=0.1, br;q=0.2"), "br"),
    (Some("zstd;q=0, br"), "br"),
    (Some("zstd;q=0, br;q=0.000"), "identity"),
    (Some("zstd;q=0, *"), "br"),
    (Some("*"), "zstd"),
    (Some("*;q=0"), "406"),
    (Some("zstd, *;q=0"), "zstd"),
    (Some("br, identity;q=0"), "br"),
    (Some("identity, zstd;q=0.5"), "identity"),
    (Some("zstd;q=nothing"), "identity"),
];

async fn both(stream_memory: usize) -> (World, Agency, Person) {
    let sellers = WorldOptions::of([Seller::duffel(), Seller::tripjack()]);
    let read_deadline = Duration::from_secs(3600);
    World::with(WorldOptions { stream_memory, read_deadline, ..sellers }).await.and_agent("0").await
}

#[tokio::test(flavor = "multi_thread")]
async fn each_is_sent_what_they_ask_for_and_it_says_the_same() {
    // Enough for those that are left, too.
    let (world, _, agent) = both(1 << 30).await;
    let trip = one_way("DEL", "BOM");
    let mut found: Vec<(&str, usize, usize)> = Vec::new();
    for (accepted, sent) in ASKED {
        if sent == "406" {
            let request = agent.request(reqwest::Method::POST, "/flights/search/stream");
            let request = request.header("accept-encoding", accepted.unwrap());
            let answer = request.json(&trip.body(world.now())).send().await.unwrap();
            assert_eq!(answer.status(), 406, "{accepted:?}");
            continue;
        }
        let mut events = agent.stream_accepting(accepted, &trip).await;
        assert_eq!(events.coding(), sent, "{accepted:?}");
        if found.iter().any(|(known, ..)| *known == sent) {
            continue;
        }
        let mut sizes = Vec::new();
        while let Some(event) = events.next().await {
            sizes.push((event.name, event.data["data"]["offers"].as_array().unwrap().len()));
        }
        let names: Vec<&str> = sizes.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["results", "results", "done"], "{accepted:?}");
        found.push((sent, sizes[2].1, events.bytes));
    }
    let (_, offers, identity) = found[0];
    for (sent, found, bytes) in found {
        assert_eq!(found, offers, "{sent}");
        // The last event alone is a third of it.
        assert_eq!(sent != "identity", bytes < identity / 10, "{sent}: {bytes} of {identity}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_event_and_comment_can_be_read_when_it_comes() {
    let (world, _, agent) = both(64 << 20).await;
    for coding in ["zstd", "br"] {
        world.next_at("duffel", "search", LASTS).await;
        let mut events = agent.stream_accepting(Some(coding), &one_way("DEL", "BOM")).await;
        assert_eq!(events.next().await.unwrap().name, "results", "{coding}");
        events.comes_to_comments(2).await;
        world.all_is_well().await;
        assert_eq!(events.rest().await.len(), 2, "{coding}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_beyond_the_memory_go_as_they_are_until_others_have_left() {
    // Room for one encoder of each.
    let (world, _, agent) = both(21 << 20).await;
    let open = async |coding: &str| {
        world.next_at("duffel", "search", LASTS).await;
        agent.stream_accepting(Some(coding), &one_way("DEL", "BOM")).await
    };
    let first = [open("br").await, open("zstd").await];
    assert_eq!(first.each_ref().map(|events| events.coding()), ["br", "zstd"]);
    let mut beyond = open("zstd, br").await;
    assert_eq!(beyond.coding(), "identity");
    assert_eq!(beyond.next().await.unwrap().name, "results");
    drop(first);
    eventually("an encoder that is free again", async || (open("br").await.coding() == "br").then_some(()))
        .await;
    world.all_is_well().await;
}

/// Where a proxy listens that knows nothing of HTTP, and cuts each connection when so much of a stream came through it.
async fn proxy(server: &str, cut: Option<usize>) -> String {
    let server: SocketAddr = server.trim_start_matches("http://").parse().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(pass_on(client, server, cut));
        }
    });
    url
}

async fn pass_on(mut client: TcpStream, server: SocketAddr, cut: Option<usize>) {
    let mut server = TcpStream::connect(server).await.unwrap();
    let ((mut asked, mut to_client), (mut answered, mut to_server)) = (client.split(), server.split());
    let asking = copy(&mut asked, &mut to_server);
    let answering = async {
        let (mut buffer, mut left) = (vec![0; 4096], usize::MAX);
        loop {
            let read = answered.read(&mut buffer).await.unwrap_or(0);
            let text = String::from_utf8_lossy(&buffer[..read]);
            // A head comes in one piece.
            if let Some(cut) = cut.filter(|_| text.contains("text/event-stream")) {
                left = text.find("\r\n\r\n").unwrap() + cut;
            }
            let passed = read.min(left);
            left -= passed;
            if passed == 0 || to_client.write_all(&buffer[..passed]).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        _ = asking => {}
        () = answering => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_reads_a_coded_stream_through_a_proxy_and_tells_one_that_was_cut() {
    let (world, agency, _) = both(64 << 20).await;
    let day = (world.now() + chrono::Duration::days(30)).date_naive();
    let search = FlightSearch::one_way("DEL", "BOM", day);
    for is_compressed in [true, false] {
        // Not at all, within the first event, and after it.
        for cut in [None, Some(700), Some(if is_compressed { 6_000 } else { 200_000 })] {
            let builder = Client::builder(proxy(&world.base_url, cut).await);
            let client = if is_compressed { builder } else { builder.uncompressed() }.build().unwrap();
            let session = client.log_in(agency.code.as_ref(), "arjun", PASSWORD).await.unwrap();
            let mut stream = session.flights().search_stream(&search).await.unwrap();
            let mut ends = Vec::new();
            while let Some(next) = stream.next().await {
                ends.push(next.map(|snapshot| snapshot.is_complete));
            }
            match cut {
                None => assert!(matches!(ends[..], [Ok(false), Ok(false), Ok(true)]), "{ends:?}"),
                Some(_) => {
                    let is_cut_off = matches!(ends.last(), Some(Err(Error::CutOff { .. })));
                    assert!(is_cut_off, "{is_compressed}, {cut:?}: {ends:?}");
                }
            }
        }
    }
}
