//! Suppliers' hooks: what they post to us when something has happened to an order. A hook is a doorbell. Nothing that it says is
//! believed: it makes an order due, and what counts is what our own poll of that order shows.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::TimeDelta;
use secrecy::ExposeSecret;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use wayfare_boxed::boxed;
use wayfare_store::suppliers::supplier_hooks::{self, NewHook};
use wayfare_supply::{AfterSales, HookProof};
use wayfare_webhooks::TimedSignature;

use crate::{
    Core, Engine, Result,
    tools::{failpoints::moment, lease::LEASE},
};

/// A signature is good for so long, before and after its time.
const SIGNATURE_LASTS: TimeDelta = TimeDelta::seconds(300);
/// An order that nobody knows is looked for again so long after its hook came.
const AGAIN_AFTER: TimeDelta = TimeDelta::minutes(1);
/// And so long after it for the last time.
const LAST_AFTER: TimeDelta = TimeDelta::minutes(10);

/// Something that was posted to us, as it came.
#[derive(Clone, Copy)]
pub struct HookCall<'a> {
    /// The supplier's code, as the address has it.
    pub supplier: &'a str,
    /// The token at the end of the address.
    pub token: Option<&'a str>,
    pub header: &'a dyn Fn(&str) -> Option<&'a str>,
    pub body: &'a [u8],
}

/// Why something is no hook of a supplier's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookRefusal {
    /// There is no such address: no such supplier, none that sends hooks, or another token.
    NoAddress,
    /// The signature is missing, wrong or of another time.
    Unproven,
}

/// A hook of which it is proven that its supplier has sent it.
#[derive(Clone, Copy)]
pub struct ProvenHook<'a> {
    supplier: &'a dyn AfterSales,
    body: &'a [u8],
}

impl ProvenHook<'_> {
    pub fn supplier(&self) -> &str {
        &self.supplier.config().code
    }
}

/// Whether this is a supplier's hook.
///
/// # Errors
/// Why it is none.
pub fn prove<'a>(engine: &'a Engine, call: HookCall<'a>) -> Result<ProvenHook<'a>, HookRefusal> {
    let supplier = engine.suppliers.supplier(call.supplier).map_err(|_| HookRefusal::NoAddress)?;
    let proof = supplier.hook_proof().ok_or(HookRefusal::NoAddress)?;
    let hook = ProvenHook { supplier, body: call.body };
    #[cfg(feature = "failpoints")]
    if crate::tools::failpoints::seeded_bug(BELIEVED) {
        return Ok(hook);
    }
    match (proof, call.token) {
        (HookProof::Signature(header, secret), None) => {
            let signature = (call.header)(header).and_then(TimedSignature::read);
            let (secret, now) = (secret.expose_secret().as_bytes(), engine.core.shared_time.now());
            let is_good = |read: TimedSignature<'_>| read.is_good(secret, call.body, now, SIGNATURE_LASTS);
            signature.is_some_and(is_good).then_some(hook).ok_or(HookRefusal::Unproven)
        }
        (HookProof::Token(secret), Some(token)) => {
            is_same(secret.expose_secret(), token).then_some(hook).ok_or(HookRefusal::NoAddress)
        }
        (HookProof::Signature(..), Some(_)) | (HookProof::Token(_), None) => Err(HookRefusal::NoAddress),
    }
}

/// Takes as long whichever letter is wrong, and however many there are.
fn is_same(one: &str, other: &str) -> bool {
    Sha256::digest(one).ct_eq(&Sha256::digest(other)).into()
}

/// Makes the order due that a hook names, or the steps that may know of it, and keeps that it came. Once it returns, the
/// supplier may forget the hook. One that can't be read is passed over: it would be no better if it were sent again (D-350).
#[boxed]
pub async fn ring(core: &Core, proven: ProvenHook<'_>) -> Result<()> {
    let supplier = proven.supplier();
    let Some(hook) = proven.supplier.read_hook(proven.body) else {
        let bytes = proven.body.len();
        tracing::warn!(supplier, bytes, "a supplier's hook can't be read");
        return Ok(());
    };
    let now = core.shared_time.now();
    // Where events have no ids, the same words on the same day are the same event.
    let of_content = || format!("{} {}", now.date_naive(), fingerprint_of(proven.body));
    let event_id = hook.event_id.clone().unwrap_or_else(of_content);
    let new = NewHook {
        supplier,
        event_id: &event_id,
        kind: &hook.kind,
        order_id: hook.order_id.as_deref(),
        ends_making: hook.ends_making,
    };
    let mut connection = core.database.connection().await?;
    #[cfg(feature = "failpoints")]
    believe(&mut connection, &new).await?;
    let rung = supplier_hooks::ring(&mut connection, new, now, (AGAIN_AFTER, LEASE)).await?;
    drop(connection);
    tracing::info!(
        supplier,
        kind = hook.kind,
        is_new = rung.is_new,
        orders = rung.orders,
        steps = rung.steps,
        "a supplier tells of news"
    );
    moment("hook:stored");
    Ok(())
}

fn fingerprint_of(body: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(body))
}

/// Takes up the hooks of orders that were not known when they came.
#[boxed]
pub async fn ring_again(core: &Core) -> Result<()> {
    let mut connection = core.database.connection().await?;
    let now = core.shared_time.now();
    let rung = supplier_hooks::ring_again(&mut connection, now, LAST_AFTER).await?;
    if rung > 0 {
        tracing::info!(rung, "orders are known by now that suppliers have told of");
    }
    Ok(())
}

/// A bug: whatever is posted is believed, whoever has posted it, and nobody looks.
#[cfg(feature = "failpoints")]
const BELIEVED: &str = "bug:believe-the-hook";

#[cfg(feature = "failpoints")]
async fn believe(connection: &mut diesel_async::AsyncPgConnection, hook: &NewHook<'_>) -> Result<()> {
    use diesel_async::SimpleAsyncConnection;
    if let (true, Some(order_id)) = (crate::tools::failpoints::seeded_bug(BELIEVED), hook.order_id) {
        let ended = format!(
            "update supplier_orders set status = 'cancelled', next_poll_at = null
             where supplier = '{}' and supplier_order_id = '{order_id}'",
            hook.supplier
        );
        let ended = connection.batch_execute(&ended).await;
        ended.map_err(wayfare_store::StoreError::from)?;
    }
    Ok(())
}
