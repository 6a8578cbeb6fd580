//! A purchase whose answer never comes: the page says that nobody knows, is sent again under the same key, and buys once.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use actix_web::{App, HttpServer};
use rust_decimal::Decimal;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpStream,
};
use wayfare_console::Console;
use wayfare_tests::{World, WorldOptions, listen};

use super::{
    browser::{Browser, Page, pairs},
    flights, hotels,
};

/// A console whose calls go through a socket that loses the answers to what books.
struct Lossy {
    url: String,
    is_losing: Arc<AtomicBool>,
}

impl Lossy {
    async fn of(world: &World) -> Self {
        let is_losing = Arc::new(AtomicBool::new(false));
        let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let between = socket.local_addr().unwrap();
        let api = world.base_url.trim_start_matches("http://").to_owned();
        let losing = Arc::clone(&is_losing);
        tokio::spawn(async move {
            while let Ok((caller, _)) = socket.accept().await {
                tokio::spawn(pass_on(caller, TcpStream::connect(&api).await.unwrap(), Arc::clone(&losing)));
            }
        });
        let console = Console::new(wayfare_console::Options {
            api: format!("http://{between}"),
            public_url: None,
            is_loopback: true,
            proof: String::new(),
            is_sandbox: true,
        });
        let console = console.unwrap();
        let (listener, url) = listen();
        let server = HttpServer::new(move || {
            let console = console.clone();
            App::new().configure(move |config| console.mount(config))
        });
        tokio::spawn(server.workers(1).disable_signals().listen(listener).unwrap().run());
        Self { url, is_losing }
    }
}

/// Passes on what both say. A caller who books hears nothing of it while answers are to be lost: the connection is closed when
/// the answer comes.
async fn pass_on(caller: TcpStream, server: TcpStream, is_losing: Arc<AtomicBool>) {
    let (mut from_caller, mut to_caller) = caller.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let is_lost = AtomicBool::new(false);
    let asks = copy(&mut from_caller, &mut to_server, |asked| {
        let books = [b"POST /api/v1/flights/book".as_slice(), b"POST /api/v1/hotels/book"];
        if books.iter().any(|begins| asked.starts_with(begins)) {
            is_lost.store(is_losing.load(Ordering::SeqCst), Ordering::SeqCst);
        }
        true
    });
    let answers = copy(&mut from_server, &mut to_caller, |_| !is_lost.load(Ordering::SeqCst));
    tokio::select! {
        () = asks => {}
        () = answers => {}
    }
}

/// Copies from one to the other until either ends or a part is not to go on.
async fn copy(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    goes_on: impl Fn(&[u8]) -> bool,
) {
    let mut part = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = from.read(&mut part).await {
        if !goes_on(&part[..length]) || to.write_all(&part[..length]).await.is_err() {
            return;
        }
    }
}

/// Sends the form that books while answers are lost; what stands where nobody knows, and where the form leads when it is sent
/// again as that page sends it.
async fn unknown_then_known(
    lossy: &Lossy,
    browser: &Browser,
    path: &str,
    fields: &[(String, String)],
) -> String {
    lossy.is_losing.store(true, Ordering::SeqCst);
    let page = browser.post(path, &pairs(fields)).await;
    lossy.is_losing.store(false, Ordering::SeqCst);
    says_so(&page);
    let again = page.hidden(path);
    let key = |fields: &[(String, String)]| fields.iter().find(|(name, _)| name == "key").cloned();
    assert_eq!(key(&again), key(fields));
    browser.post(path, &pairs(&again)).await.leads_to()
}

fn shown(fields: &[(String, String)]) -> Decimal {
    fields.iter().find(|(name, _)| name == "agreed_fare").unwrap().1.parse().unwrap()
}

fn says_so(page: &Page) {
    page.has(202, "We do not know yet whether this was booked")
        .has(202, "Do not book it again.")
        .has(202, "data-again=\"3\"");
}

async fn is_bought_once(options: WorldOptions, product: &str) {
    let (world, agency, agent) = World::with(options).await.and_agent("1000000").await;
    let lossy = Lossy::of(&world).await;
    let browser = Browser::signed_at(&lossy.url, &agency, "arjun").await;
    let fields = match product {
        "flights" => flights::checked(&world, &browser).await,
        _ => hotels::checked(&world, &browser).await,
    };
    let before = agent.balance().await;
    let booked = unknown_then_known(&lossy, &browser, &format!("/console/{product}/book"), &fields).await;
    browser.get(&booked).await.has(200, "Confirmed");
    assert_eq!(agent.get(&format!("/{product}/bookings")).await.json()["meta"]["total"], 1);
    // What the form showed is paid, once.
    assert_eq!(before - agent.balance().await, shown(&fields));
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flight_whose_answer_is_lost_is_bought_once_and_found_under_the_same_key() {
    is_bought_once(WorldOptions::default(), "flights").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stay_whose_answer_is_lost_is_bought_once_and_found_under_the_same_key() {
    is_bought_once(WorldOptions::hotels(), "hotels").await;
}
