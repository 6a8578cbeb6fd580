//! A relay in front of a world's sandbox that alters what is sent and answered, as a supplier of another mind would.

use std::sync::{Arc, OnceLock};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::StatusCode,
    web::{Bytes, Data, to},
};

pub trait Alterations: Send + Sync + 'static {
    /// The body that the supplier gets instead of this one.
    fn request(&self, body: Bytes) -> Bytes {
        body
    }

    /// The body that the platform gets instead of this one.
    fn answer(&self, body: String) -> String {
        body
    }
}

struct Ends {
    sandbox: OnceLock<String>,
    alterations: Arc<dyn Alterations>,
}

/// The relay, until it is dropped. Suppliers are put [`at`](crate::Seller::at) its address before their world starts, and the
/// relay [before](Self::stand_before) the world's sandbox after.
pub struct AlteringRelay {
    pub url: String,
    ends: Data<Ends>,
    server: ServerHandle,
}

impl AlteringRelay {
    pub fn start(alterations: Arc<dyn Alterations>) -> Self {
        let ends = Data::new(Ends { sandbox: OnceLock::new(), alterations });
        let known = ends.clone();
        let (listener, url) = crate::listen();
        let server = HttpServer::new(move || App::new().app_data(known.clone()).default_service(to(relay)))
            .workers(1)
            .disable_signals()
            .listen(listener)
            .unwrap()
            .run();
        let handle = server.handle();
        tokio::spawn(server);
        Self { url, ends, server: handle }
    }

    /// Passes on to this sandbox, whose address is known only once its world stands.
    pub fn stand_before(&self, sandbox_url: &str) {
        self.ends.sandbox.set(sandbox_url.to_owned()).unwrap();
    }
}

impl Drop for AlteringRelay {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

async fn relay(request: HttpRequest, body: Bytes, ends: Data<Ends>) -> HttpResponse {
    let url = format!("{}{}", ends.sandbox.get().unwrap(), request.uri());
    let method = request.method().as_str().parse().unwrap();
    let mut asked = reqwest::Client::new().request(method, url).body(ends.alterations.request(body));
    for (name, value) in request.headers() {
        if !["host", "content-length", "accept-encoding"].contains(&name.as_str()) {
            asked = asked.header(name.as_str(), value.as_bytes());
        }
    }
    let answer = asked.send().await.unwrap();
    let status = StatusCode::from_u16(answer.status().as_u16()).unwrap();
    let text = answer.text().await.unwrap();
    HttpResponse::build(status).content_type("application/json").body(ends.alterations.answer(text))
}
