//! What suppliers send by themselves: they tell their buyers that something has happened, until it is taken.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::rt::{spawn, time::sleep};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use wayfare_domain::Clock;

use crate::faults::{Call, Fault, Faults, Supplier};

/// So often it is tried to tell of something: a second later, then two, four and so on.
const ATTEMPTS: u32 = 8;
/// Whoever takes it has to answer within this time.
const DEADLINE: Duration = Duration::from_secs(5);
/// Who signs with this is nobody that a buyer knows.
const FORGED: &str = "somebody else's secret";

#[derive(Debug, Clone)]
pub(crate) struct Address {
    pub(crate) id: String,
    pub(crate) supplier: Supplier,
    pub(crate) url: String,
    /// What signs; where there is none the address itself is the secret.
    pub(crate) secret: Option<String>,
    pub(crate) created_at: DateTime<Utc>,
}

/// All addresses, one for each supplier, as long as the process.
#[derive(Debug, Default)]
pub(crate) struct Webhooks {
    addresses: Mutex<Vec<Address>>,
    client: reqwest::Client,
}

#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) supplier: Supplier,
    pub(crate) body: String,
    /// The header of the signature; none where nothing is signed.
    pub(crate) header: Option<&'static str>,
}

impl Webhooks {
    /// News of a supplier go to this address from now on, and no longer where they went.
    pub(crate) fn agree(
        &self,
        supplier: Supplier,
        url: &str,
        secret: Option<String>,
        now: DateTime<Utc>,
    ) -> Result<Address, String> {
        let is_own = ["http://127.0.0.1:", "http://localhost:", "https://"];
        if !is_own.iter().any(|start| url.starts_with(start)) {
            return Err(format!("url: {url} is neither https nor on this machine"));
        }
        let address = Address {
            id: format!("end_{}", rand::random::<u64>()),
            supplier,
            url: url.to_owned(),
            secret,
            created_at: now,
        };
        let mut addresses = self.addresses();
        addresses.retain(|other| other.supplier != supplier);
        addresses.push(address.clone());
        Ok(address)
    }

    pub(crate) fn of(&self, supplier: Supplier) -> Option<Address> {
        self.addresses().iter().find(|address| address.supplier == supplier).cloned()
    }

    /// Whether there was an address of this id.
    pub(crate) fn forget(&self, id: &str) -> bool {
        let mut addresses = self.addresses();
        let before = addresses.len();
        addresses.retain(|address| address.id != id);
        addresses.len() < before
    }

    /// Sends it once; whether it was taken.
    pub(crate) async fn send(&self, address: &Address, message: &Message, now: DateTime<Utc>) -> bool {
        let request = self.client.post(&address.url).timeout(DEADLINE);
        let request = request.header("Content-Type", "application/json");
        let request = match (&address.secret, message.header) {
            (Some(secret), Some(header)) => request.header(header, signature(secret, &message.body, now)),
            _ => request,
        };
        let answer = request.body(message.body.clone()).send().await;
        answer.is_ok_and(|answer| answer.status().is_success())
    }

    /// Tells the buyer, where an address is agreed: by itself and until it is taken, but for what a queued fault does to it.
    pub(crate) fn tell(self: &Arc<Self>, message: &Message, faults: &Faults, clock: &Clock) {
        if self.of(message.supplier).is_none() {
            return;
        }
        let fault = faults.take(message.supplier, Call::Webhook);
        if let Some(fault) = &fault {
            tracing::info!(%fault, "a fault is injected into what a supplier tells");
        }
        let (times, is_forged) = match fault {
            Some(Fault::WebhookLost) => (0, false),
            Some(Fault::WebhookTwice) => (2, false),
            Some(Fault::WebhookForged) => (1, true),
            _ => (1, false),
        };
        for _ in 0..times {
            spawn(deliver(Arc::clone(self), clock.clone(), message.clone(), is_forged));
        }
    }

    fn addresses(&self) -> MutexGuard<'_, Vec<Address>> {
        self.addresses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A secret that nobody knows yet, as Duffel makes them.
pub(crate) fn fresh_secret() -> String {
    STANDARD.encode(rand::random::<[u8; 16]>())
}

fn signature(secret: &str, body: &str, now: DateTime<Utc>) -> String {
    let at = now.timestamp();
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return String::new() };
    mac.update(format!("{at}.{body}").as_bytes());
    let bytes = mac.finalize().into_bytes();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={at},v1={hex}")
}

async fn deliver(webhooks: Arc<Webhooks>, clock: Clock, message: Message, is_forged: bool) {
    for attempt in 0..ATTEMPTS {
        // The buyer may have moved since.
        let Some(mut address) = webhooks.of(message.supplier) else { return };
        if is_forged {
            match &mut address.secret {
                Some(secret) => FORGED.clone_into(secret),
                None => address.url.push('x'),
            }
        }
        if webhooks.send(&address, &message, clock.now()).await || is_forged {
            return;
        }
        sleep(Duration::from_secs(1 << attempt)).await;
    }
}
