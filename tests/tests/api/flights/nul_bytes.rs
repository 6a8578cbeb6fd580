//! A supplier that writes NUL into its texts, which PostgreSQL keeps in none.

use std::{
    net::TcpListener,
    sync::{Arc, OnceLock},
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::StatusCode,
    web::{Bytes, Data, to},
};
use wayfare_tests::{Pick, Seller, World, WorldOptions, one_way, stay_at};

/// Stands before the sandbox and begins each sentence of its answers with NUL.
struct Relay {
    url: String,
    sandbox: Arc<OnceLock<String>>,
    server: ServerHandle,
}

impl Relay {
    fn start() -> Self {
        let sandbox: Arc<OnceLock<String>> = Arc::default();
        let known = Data::from(sandbox.clone());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = HttpServer::new(move || App::new().app_data(known.clone()).default_service(to(relay)))
            .workers(1)
            .disable_signals()
            .listen(listener)
            .unwrap()
            .run();
        let handle = server.handle();
        tokio::spawn(server);
        Self {
            url,
            sandbox,
            server: handle,
        }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

async fn relay(request: HttpRequest, body: Bytes, sandbox: Data<OnceLock<String>>) -> HttpResponse {
    let url = format!("{}{}", sandbox.get().unwrap(), request.uri());
    let method = request.method().as_str().parse().unwrap();
    let mut asked = reqwest::Client::new().request(method, url).body(body);
    for (name, value) in request.headers() {
        if !["host", "content-length", "accept-encoding"].contains(&name.as_str()) {
            asked = asked.header(name.as_str(), value.as_bytes());
        }
    }
    let answer = asked.send().await.unwrap();
    let status = StatusCode::from_u16(answer.status().as_u16()).unwrap();
    let text = answer.text().await.unwrap();
    HttpResponse::build(status)
        .content_type("application/json")
        .body(spoilt(&text))
}

/// With a NUL before each value that begins with a letter and has several words.
fn spoilt(json: &str) -> String {
    let mut values = json.split("\":\"");
    let mut spoilt = values.next().unwrap().to_owned();
    for rest in values {
        let value = rest.split('"').next().unwrap();
        let is_prose = value.starts_with(char::is_alphabetic) && value.contains(' ');
        spoilt += if is_prose { r#"":"\u0000"# } else { r#"":""# };
        spoilt += rest;
    }
    spoilt
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_whose_texts_have_nul_is_confirmed_and_paid() {
    let relay = Relay::start();
    let sellers = [
        Seller::liteapi(),
        Seller::hotelbeds(),
        Seller::duffel(),
        Seller::tripjack(),
    ];
    let world = World::with(WorldOptions {
        sellers: sellers.map(|seller| seller.at(&relay.url)).into(),
        ..WorldOptions::default()
    })
    .await;
    relay.sandbox.set(world.sandbox_url().to_owned()).unwrap();
    let agent = world.agent("1000000").await;
    for supplier in ["liteapi", "hotelbeds"] {
        let bought = agent.buy_stay(&stay_at(supplier), Pick::Cheapest).await;
        let stay = agent.stay(&bought.reference).await;
        assert_eq!(
            (stay["status"].as_str(), stay["payment_status"].as_str()),
            (Some("confirmed"), Some("paid")),
            "{supplier}"
        );
    }
    for supplier in ["duffel", "tripjack"] {
        let trip = one_way("DEL", "BOM");
        let found = agent.search(&trip).await;
        let offers = found["offers"].as_array().unwrap();
        let offer = offers.iter().find(|offer| offer["supplier"] == supplier).unwrap();
        let quote = agent.price(offer["offer_id"].as_str().unwrap()).await.ok();
        agent.book(&agent.order(&quote, &trip)).await.ok();
    }
    assert_eq!(
        world
            .line("select count(*) from bookings where status = 'confirmed'")
            .await,
        "4"
    );
    assert_eq!(world.supplier_orders().await.len(), 4);
    world.is_settled().await;
}
