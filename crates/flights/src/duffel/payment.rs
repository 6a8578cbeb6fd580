//! Payments of held orders: what is sent, and what their states mean for us.

use serde::{Deserialize, Serialize};
use wayfare_domain::Money;

use super::money::money;
use super::read::{self, Unreadable};
use super::wire;

/// From what orders are paid: what the operator has with Duffel.
const BALANCE: &str = "balance";

/// A held order to be paid.
#[derive(Debug, Serialize)]
pub(super) struct NewPayment<'a> {
    order_id: &'a str,
    payment: wire::NewPayment,
}

impl<'a> NewPayment<'a> {
    pub fn of(order_id: &'a str, total: Money) -> Self {
        Self { order_id, payment: wire::NewPayment::from_balance(total) }
    }
}

/// How a held order is to be paid, for its price. The balance has no surcharge.
#[derive(Debug, Serialize)]
pub(super) struct PayingFromBalance {
    intended_payment_methods: [PaymentMethod; 1],
}

#[derive(Debug, Serialize)]
struct PaymentMethod {
    #[serde(rename = "type")]
    kind: &'static str,
}

impl Default for PayingFromBalance {
    fn default() -> Self {
        let balance = PaymentMethod { kind: BALANCE };
        Self { intended_payment_methods: [balance] }
    }
}

impl wire::NewPayment {
    /// So much from our balance with Duffel.
    pub fn from_balance(total: Money) -> Self {
        Self { kind: BALANCE, amount: total.to_string(), currency: total.currency().code() }
    }
}

#[derive(Debug, Deserialize)]
struct Payment {
    status: Option<String>,
    failure_reason: Option<String>,
}

/// What became of a payment.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Payment")]
pub(super) enum PaymentState {
    /// The order is paid.
    Paid,
    /// It may still become either of the others.
    Pending,
    /// Nothing was paid, and why.
    Failed(String),
}

impl TryFrom<Payment> for PaymentState {
    type Error = String;

    fn try_from(theirs: Payment) -> Result<Self, String> {
        let status = theirs.status.map(|word| word.trim().to_ascii_lowercase());
        match status.as_deref() {
            // Payments had no status before they could be pending.
            None | Some("succeeded") => Ok(Self::Paid),
            Some("pending") => Ok(Self::Pending),
            Some("failed" | "cancelled") => {
                let reason = theirs.failure_reason.filter(|reason| !reason.is_empty());
                Ok(Self::Failed(reason.unwrap_or_else(|| "the payment failed".to_owned())))
            }
            Some(other) => Err(format!("status {other:?} is unknown")),
        }
    }
}

/// The answer to a payment.
pub(super) fn state(body: &[u8]) -> Result<PaymentState, Unreadable> {
    Ok(read::parse::<wire::Envelope<PaymentState>>(body)?.data)
}

/// The total of an order that was priced.
pub(super) fn total(body: &[u8]) -> Result<Money, Unreadable> {
    let order = read::parse::<wire::Envelope<wire::Total>>(body)?.data;
    money("total_amount", order.total_amount, order.total_currency.0).map_err(Unreadable::new)
}

/// All payments of an order.
pub(super) fn states(body: &[u8]) -> Result<Vec<PaymentState>, Unreadable> {
    Ok(read::parse::<wire::Envelope<Vec<PaymentState>>>(body)?.data)
}
