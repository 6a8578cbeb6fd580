//! What is odd about answers, as long as it is told so: rows of [`wayfare_oddities`] for a supplier's calls.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use actix_web::dev::{Payload, ServiceRequest};
use actix_web::error::PayloadError;
use actix_web::http::Uri;
use actix_web::web::Bytes;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use wayfare_oddities::{AnswerOddity, KEYS, Rng, Wire, drawn, named, odd_answer, own_keys};

use crate::faults::{Call, Supplier};

/// Which answers are odd, and how: the body of the control surface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OddCalls {
    /// Whose answers; everybody's where nothing is said.
    #[serde(default)]
    supplier: Option<String>,
    /// Answers to which calls; to all where nothing is said.
    #[serde(default)]
    call: Option<String>,
    /// The rows that each such answer has.
    #[serde(default)]
    names: Vec<String>,
    /// So many more, drawn for each answer anew.
    #[serde(default)]
    drawn: usize,
    #[serde(default)]
    seed: u64,
}

#[derive(Debug)]
struct Row {
    asked: OddCalls,
    supplier: Option<Supplier>,
    call: Option<Call>,
    oddities: Vec<&'static AnswerOddity>,
}

impl Row {
    fn read(asked: OddCalls) -> Result<Self, String> {
        let supplier = asked.supplier.as_deref().map(str::parse).transpose()?;
        let call = asked.call.as_deref().map(str::parse).transpose()?;
        let oddities = asked.names.iter().map(|name| {
            let row = named(name);
            row.ok_or_else(|| format!("unknown oddity '{name}'"))
        });
        let oddities: Vec<_> = oddities.collect::<Result<_, _>>()?;
        let has_keys = oddities.iter().any(|row| row.name == KEYS.name);
        if has_keys && call.is_some() {
            return Err(format!("{} is of all calls: keys go from one to the next", KEYS.name));
        }
        Ok(Self { asked, supplier, call, oddities })
    }

    fn is_of(&self, supplier: Supplier) -> bool {
        self.supplier.is_none_or(|own| own == supplier)
    }
}

/// All that is odd, as long as the process or until it is cleared.
#[derive(Debug, Default)]
pub(crate) struct Oddities {
    rows: Mutex<Vec<Row>>,
    answers: AtomicU64,
}

impl Oddities {
    pub(crate) fn add(&self, asked: OddCalls) -> Result<(), String> {
        let row = Row::read(asked)?;
        self.rows().push(row);
        Ok(())
    }

    pub(crate) fn list(&self) -> Vec<OddCalls> {
        self.rows().iter().map(|row| row.asked.clone()).collect()
    }

    pub(crate) fn clear(&self) {
        self.rows().clear();
    }

    /// Whether anything is odd about this supplier's answers to such a call.
    pub(crate) fn strike(&self, supplier: Supplier, call: Option<Call>) -> bool {
        let fits = |row: &Row| row.is_of(supplier) && (row.call.is_none() || row.call == call);
        self.rows().iter().any(fits)
    }

    /// An answer of this supplier's to such a call.
    pub(crate) fn odd(&self, supplier: Supplier, call: Option<Call>, body: &[u8]) -> Vec<u8> {
        let count = self.answers.fetch_add(1, Ordering::Relaxed);
        let mut oddities = Vec::new();
        let mut seed = 0;
        for row in self.rows().iter() {
            if !row.is_of(supplier) || !(row.call.is_none() || row.call == call) {
                continue;
            }
            seed = row.asked.seed.wrapping_add(count);
            oddities.extend(row.oddities.iter().copied());
            oddities.extend(drawn(row.asked.drawn, &mut Rng::of(seed)));
        }
        let names: Vec<&str> = oddities.iter().map(|row| row.name).collect();
        tracing::debug!(?supplier, ?call, ?names, seed, "an answer is odd");
        odd_answer(body, wire(supplier), &oddities, seed)
    }

    /// Takes odd ends back from keys that came back as they were sent.
    pub(crate) async fn own_keys(&self, supplier: Supplier, request: &mut ServiceRequest) {
        let is_keyed =
            |row: &Row| row.is_of(supplier) && row.oddities.iter().any(|row| row.name == KEYS.name);
        if !self.rows().iter().any(is_keyed) {
            return;
        }
        let target = request.uri().path_and_query().map_or("/", |target| target.as_str());
        if let Ok(uri) = own_keys(target).parse::<Uri>() {
            request.match_info_mut().get_mut().update(&uri);
            request.head_mut().uri = uri;
        }
        let body = request.extract::<Bytes>().await.unwrap_or_default();
        let body = match std::str::from_utf8(&body) {
            Ok(text) => own_keys(text).into(),
            Err(_) => body,
        };
        let payload = Box::pin(stream::iter([Ok::<_, PayloadError>(body)]));
        request.set_payload(Payload::Stream { payload });
    }

    fn rows(&self) -> MutexGuard<'_, Vec<Row>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wire(supplier: Supplier) -> Wire {
    match supplier {
        Supplier::Duffel => Wire::Duffel,
        Supplier::Tripjack => Wire::Tripjack,
        Supplier::Liteapi => Wire::Liteapi,
        Supplier::Hotelbeds => Wire::Hotelbeds,
    }
}
