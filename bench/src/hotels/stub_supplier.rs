//! The supplier: answers every search with what was recorded, at once, and tells of hotels what they are.

use std::sync::Arc;

use rust_decimal::Decimal;
use serde_json::json;
use tokio::{io::AsyncWriteExt, net::TcpStream};
use wayfare_domain::{Clock, Currency};
use wayfare_hotels::{
    HotelResults, HotelSupplier, Query, RoomGuests, SearchArea,
    liteapi::{LiteApi, Payment},
};
use wayfare_supply::{Answer, SupplierConfig, SupplierHttp};

use super::recorded::{KEY, Recording, days};
use wayfare_stub_server::http::{self, Answers, Request};

use crate::Result;

pub(super) const CODE: &str = "liteapi_bench";
/// How long it may take: longer than any answer, however busy the machine is.
const DEADLINE_S: u64 = 60;

/// A supplier on a port of its own, until the runtime ends.
pub struct StubSupplier {
    url: String,
    http: reqwest::Client,
    adapter: LiteApi,
    query: Query,
}

impl StubSupplier {
    pub async fn start(recording: Recording) -> Result<Self> {
        let (listener, url) = http::listen().await?;
        tokio::spawn(http::serve(listener, Arc::new(recording)));
        let (check_in, check_out) = days();
        Ok(Self {
            adapter: adapter(&url)?,
            url,
            http: reqwest::Client::builder().no_gzip().build()?,
            query: Query {
                check_in,
                check_out,
                rooms: vec![RoomGuests { adults: 2, children_ages: Vec::new() }],
                area: SearchArea::Around {
                    latitude: Decimal::new(286_139, 4),
                    longitude: Decimal::new(77_209, 3),
                    radius_m: 200_000,
                },
                nationality: "IN".to_owned(),
                language: "en".to_owned(),
            },
        })
    }

    /// The settings of a server whose only supplier of hotels this is, and which asks it for every search anew.
    pub fn settings(&self) -> String {
        format!(
            "search_cache_ttl_s = 0\n[[suppliers]]\ncode = \"{CODE}\"\nkind = \"liteapi\"\nbase_url = \"{}\"\ntoken = \"{KEY}\"\n\
             currency = \"INR\"\npayment = \"WALLET\"\nread_deadline_s = {DEADLINE_S}\n",
            self.url
        )
    }

    /// The baseline: the whole answer fetched over a socket and thrown away; how many bytes it had.
    pub async fn fetch(&self) -> Result<usize> {
        let mut answer = self.http.post(format!("{}/hotels/rates", self.url)).send().await?;
        let mut bytes = 0;
        while let Some(chunk) = answer.chunk().await? {
            bytes += chunk.len();
        }
        Ok(bytes)
    }

    /// What the service's own adapter makes of it, in this process.
    pub async fn find(&self) -> Result<HotelResults> {
        match self.adapter.search(&self.query).await {
            Answer::Done(found) => Ok(found),
            failed => Err(failed.problem().unwrap_or_default().into()),
        }
    }

    pub(super) fn query(&self) -> &Query {
        &self.query
    }
}

fn adapter(url: &str) -> Result<LiteApi> {
    let deadline = std::time::Duration::from_secs(DEADLINE_S);
    let config = SupplierConfig::new(CODE, url, KEY).with(|config| {
        config.currency = Some(Currency::INR);
        (config.read_deadline, config.effect_deadline) = (deadline, deadline);
    });
    Ok(LiteApi::new(SupplierHttp::new(config, Clock::system())?, Payment::Credit))
}

impl Answers for Recording {
    async fn answer(&self, request: Request, to: &mut TcpStream) -> Result<()> {
        let told;
        let body = match request.path().split_once("?hotelIds=") {
            None if request.path().starts_with("/hotels/rates") => &*self.body,
            None => {
                told = words(request.path()).into_bytes();
                &told
            }
            Some((_, asked)) => {
                told = self.told(asked)?.into_bytes();
                &told
            }
        };
        to.write_all(http::head(body.len()).as_bytes()).await?;
        Ok(to.write_all(body).await?)
    }
}

impl Recording {
    /// The hotels of a query that begins with their ids.
    fn told(&self, asked: &str) -> Result<String> {
        let ids = asked.split('&').next().unwrap_or_default();
        let hotels: Vec<_> = ids.split("%2C").filter_map(|id| self.facts.get(id)).collect();
        Ok(serde_json::to_string(&json!({ "data": hotels }))?)
    }
}

/// The types of hotels and their facilities, by the numbers that the sandbox gives them.
fn words(path: &str) -> String {
    let words = match path {
        "/data/hotelTypes" => json!([
            { "id": 201, "name": "Apartments" }, { "id": 204, "name": "Hotels" },
            { "id": 206, "name": "Resorts" }, { "id": 216, "name": "Guest houses" },
        ]),
        _ => (1..=14)
            .map(|id| json!({ "facility_id": id, "facility": format!("Facility of number {id}") }))
            .collect(),
    };
    json!({ "data": words }).to_string()
}
