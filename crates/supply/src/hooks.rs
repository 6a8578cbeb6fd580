//! Suppliers' hooks: how it is proven that a supplier has sent one, and the little that is read of it.

use async_trait::async_trait;
use secrecy::SecretString;
use serde_json::Value;

use crate::Answer;

/// What proves that a supplier has sent a hook.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum HookProof<'a> {
    /// A header of this name with a signature of the time and the body under this secret.
    Signature(&'static str, &'a SecretString),
    /// A word at the end of the address that nobody else knows.
    Token(&'a SecretString),
}

/// What a hook says, as far as anybody wants to know: which order something has happened to. What has happened is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    /// The supplier's id of the event, the same whenever it is sent; none where it has none.
    pub event_id: Option<String>,
    /// What has happened, in the supplier's word.
    pub kind: String,
    /// The supplier's id of the order; none where it is of no order.
    pub order_id: Option<String>,
    /// Whether it tells how the making of an order has ended that was accepted before.
    pub ends_making: bool,
}

/// The longest word that is read of a hook.
const LONGEST_WORD: usize = 200;

/// A word of a hook, such as an id: short, of letters, digits and signs.
pub fn hook_word(value: Option<&Value>) -> Option<&str> {
    let word = value?.as_str()?;
    let is_word =
        (1..=LONGEST_WORD).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_graphic());
    is_word.then_some(word)
}

/// An address that a supplier sends hooks to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookAddress {
    /// The supplier's id of it.
    pub id: String,
    /// Where they are sent.
    pub url: String,
    /// Whether any are sent.
    pub is_active: bool,
}

/// A supplier whose hooks are set up by calls.
#[async_trait]
pub trait HookRegistry: Send + Sync {
    /// The addresses that hooks are sent to.
    async fn hook_addresses(&self) -> Answer<Vec<HookAddress>>;

    /// Has hooks sent to this address; the secret that signs them, which is told this once. An effect.
    async fn add_hook_address(&self, url: &str) -> Answer<SecretString>;

    /// Has a hook sent that says nothing, and waits until it was taken: refused where it was not.
    async fn ping_hook_address(&self, id: &str) -> Answer<()>;

    /// Has no hooks sent to this address any more. An effect.
    async fn remove_hook_address(&self, id: &str) -> Answer<()>;
}
