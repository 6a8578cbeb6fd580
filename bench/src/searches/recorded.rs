//! What sandbox suppliers answer to a search, as it goes over the wire.

use std::{collections::BTreeMap, sync::Arc};

use chrono::{Days, NaiveDate};
use serde_json::{Value, json, value::RawValue};
use wayfare_domain::Clock;

use crate::{Result, sandbox};

/// How many suppliers there are; each second one speaks the other wire.
const SUPPLIERS: u64 = 10;
/// How many offers an answer has at least.
const OFFERS: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Duffel Flights, version 2.
    Duffel,
    /// TripJack Air API, version 1.
    TripJack,
}

#[derive(Clone, Debug)]
pub struct Recording {
    pub wire: Wire,
    /// Its bytes.
    pub body: Arc<[u8]>,
    pub offers: usize,
}

/// Asks ten sandboxes, each of another seed, by turns of either wire. One day's answer is short: each has the offers of
/// as many days as it takes.
pub async fn record() -> Result<Vec<Recording>> {
    let mut recordings = Vec::new();
    for number in 0..SUPPLIERS {
        let wire = if number % 2 == 0 { Wire::Duffel } else { Wire::TripJack };
        let sandbox = sandbox::start(number + 1).await?;
        let recorded = wire.record(&sandbox.base_url()).await;
        sandbox.stop().await;
        recordings.push(recorded?);
    }
    Ok(recordings)
}

impl Wire {
    async fn record(self, sandbox_url: &str) -> Result<Recording> {
        let mut day = Clock::system().now().date_naive() + Days::new(30);
        let (mut first, mut offers) = (None, Offers::default());
        while offers.count < OFFERS {
            let body = self.ask(sandbox_url, day).await?;
            offers.add(list(&body, self.place())?, self)?;
            first.get_or_insert(body);
            day = day.succ_opt().ok_or("no such day")?;
        }
        let body = with_list(&first.ok_or("no answer")?, self.place(), &offers.written())?;
        Ok(Recording { wire: self, body: body.into_bytes().into(), offers: offers.count })
    }

    async fn ask(self, sandbox_url: &str, day: NaiveDate) -> Result<String> {
        let http = reqwest::Client::new();
        let request = match self {
            Self::Duffel => http
                .post(format!("{sandbox_url}/duffel/air/offer_requests?return_offers=true"))
                .bearer_auth(self.token())
                .header("Duffel-Version", "v2")
                .json(&json!({ "data": {
                    "slices": [{ "origin": "DEL", "destination": "BOM", "departure_date": day }],
                    "passengers": [{ "type": "adult" }],
                    "cabin_class": "economy",
                }})),
            Self::TripJack => http
                .post(format!("{sandbox_url}/tripjack/fms/v1/air-search-all"))
                .header("apikey", self.token())
                .json(&json!({ "searchQuery": {
                    "cabinClass": "ECONOMY",
                    "paxInfo": { "ADULT": 1 },
                    "routeInfos": [{
                        "fromCityOrAirport": { "code": "DEL" },
                        "toCityOrAirport": { "code": "BOM" },
                        "travelDate": day,
                    }],
                }})),
        };
        Ok(request.send().await?.error_for_status()?.text().await?)
    }

    /// What a sandbox takes for a credential.
    pub fn token(self) -> &'static str {
        match self {
            Self::Duffel => "duffel_test_bench",
            Self::TripJack => "tripjack_test_bench",
        }
    }

    /// Where in an answer the list of what is offered stands.
    fn place(self) -> &'static [&'static str] {
        match self {
            Self::Duffel => &["data", "offers"],
            Self::TripJack => &["searchResult", "tripInfos", "ONWARD"],
        }
    }

    /// How many offers one of the list is.
    fn offers_in(self, one: &str) -> Result<usize> {
        match self {
            Self::Duffel => Ok(1),
            Self::TripJack => {
                let trip: Value = serde_json::from_str(one)?;
                let fares = trip.get("totalPriceList").and_then(Value::as_array);
                Ok(fares.ok_or("a trip without fares")?.len())
            }
        }
    }
}

/// What is taken over, letter by letter.
#[derive(Default)]
struct Offers {
    texts: Vec<String>,
    count: usize,
}

impl Offers {
    fn add(&mut self, list: Vec<Box<RawValue>>, wire: Wire) -> Result<()> {
        if list.is_empty() {
            return Err("a sandbox has no offers".into());
        }
        for one in list {
            if self.count >= OFFERS {
                break;
            }
            self.count += wire.offers_in(one.get())?;
            self.texts.push(one.get().to_owned());
        }
        Ok(())
    }

    fn written(&self) -> String {
        format!("[{}]", self.texts.join(","))
    }
}

type Members = BTreeMap<String, Box<RawValue>>;

fn list(body: &str, place: &[&str]) -> Result<Vec<Box<RawValue>>> {
    match place {
        [] => Ok(serde_json::from_str(body)?),
        [name, rest @ ..] => {
            let members: Members = serde_json::from_str(body)?;
            list(members.get(*name).ok_or("an answer without offers")?.get(), rest)
        }
    }
}

/// The body with another list at this place.
fn with_list(body: &str, place: &[&str], written: &str) -> Result<String> {
    match place {
        [] => Ok(written.to_owned()),
        [name, rest @ ..] => {
            let mut members: Members = serde_json::from_str(body)?;
            let member = members.get_mut(*name).ok_or("an answer without offers")?;
            *member = RawValue::from_string(with_list(member.get(), rest, written)?)?;
            Ok(serde_json::to_string(&members)?)
        }
    }
}
