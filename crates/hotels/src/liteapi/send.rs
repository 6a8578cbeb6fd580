//! One call: where it goes, with which key, and how its end is judged.

use std::time::Duration;

use secrecy::ExposeSecret;
use wayfare_domain::Currency;
use wayfare_supply::{Answer, Exchange, Method, Request, SupplierHttp};

use super::errors::{self, Call};

#[derive(Clone, Debug)]
pub(super) struct Calls {
    pub http: SupplierHttp,
}

impl Calls {
    /// To where it is searched and hotels are described.
    pub fn request(&self, method: Method, path: &str) -> Request {
        self.with_key(self.http.request(method, path))
    }

    /// To where it is booked.
    pub fn booking_request(&self, method: Method, path: &str) -> Request {
        self.with_key(self.http.booking_request(method, path))
    }

    fn with_key(&self, request: Request) -> Request {
        let config = self.http.config();
        request.header("X-API-Key", config.token.expose_secret())
    }

    pub async fn ask(&self, request: Request, call: Call) -> Answer<Vec<u8>> {
        self.judged(self.http.send(request, call.purpose()).await, call)
    }

    pub fn judged(&self, answer: Answer<Exchange>, call: Call) -> Answer<Vec<u8>> {
        let key = self.http.config().token.expose_secret();
        answer.and_then(|exchange| errors::judge(exchange, call, key))
    }

    /// Reads an answer of LiteAPI's, and counts what is lost in it.
    pub fn reading<T>(&self, read: impl FnOnce() -> T) -> T {
        self.http.reading(read)
    }

    /// In which currency prices are asked for.
    pub fn currency(&self) -> Currency {
        self.http.config().currency.unwrap_or(Currency::USD)
    }

    /// How many seconds they may take for an answer: one less than we wait, so that it arrives.
    pub fn patience(&self) -> u64 {
        let deadline = self.http.config().read_deadline;
        deadline.saturating_sub(Duration::from_secs(1)).as_secs().max(1)
    }
}
