//! Money into wallets and out of them, what they may spend, and their statements.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[cfg(feature = "schema")]
use crate::schema::CurrencyCode;
use crate::{Amount, vocabulary::TransactionType};

/// Money to be moved.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MoveMoneyRequest"))]
pub struct MoveMoney {
    /// How much, above zero, in the wallet's currency.
    pub amount: Amount,
    /// Why; the agency reads it.
    pub reason: String,
    /// The agent whose wallet it is; the organization's own without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
}
body! { MoveMoney of(amount: impl Into<Amount>, reason: &str) { username: &str } }

/// What a wallet may spend beyond its balance.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SetCreditLimitRequest"))]
pub struct SetCreditLimit {
    /// How much may be spent beyond the balance, in the wallet's currency.
    pub credit_limit: Amount,
    /// The agent whose wallet it is; the organization's own without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
}
body! { SetCreditLimit of(credit_limit: impl Into<Amount>) { username: &str } }

/// Whose wallet is meant.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WhoseWalletRequest"))]
pub struct WhoseWallet {
    /// The agent whose wallet it is; the organization's own without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
}

/// Money that was moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MovedMoney {
    /// The transfer.
    pub transfer_id: Uuid,
    /// What stands in the wallet after it.
    pub balance: Amount,
    /// Of that amount, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
}

/// A wallet as the operator sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OperatorWallet {
    /// Its id.
    pub id: Uuid,
    /// Of all its amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// What is in it.
    pub balance: Amount,
    /// What is set aside for bookings that are not settled yet.
    pub held: Amount,
    /// What may be spent beyond the balance.
    pub credit_limit: Amount,
    /// What it can pay now; nothing while it is frozen.
    pub spendable: Amount,
    /// Whether it pays for bookings.
    pub is_active: bool,
}

/// What happened in a wallet in some days of the agency's calendar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WalletStatement {
    /// The agency's code.
    pub agent_id: String,
    /// The agent whose wallet it is; null: the organization's own.
    pub username: Option<String>,
    /// Of all amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// The time zone of the agency's calendar, such as `Asia/Kolkata`.
    pub timezone: String,
    /// The first day; null: from the beginning.
    pub from: Option<NaiveDate>,
    /// The last day; null: until now.
    pub to: Option<NaiveDate>,
    /// What stood in it before.
    pub opening_balance: Amount,
    /// The oldest first.
    pub transactions: Vec<StatementLine>,
    /// What came in.
    pub total_credits: Amount,
    /// What went out.
    pub total_debits: Amount,
    /// What stood in it afterwards.
    pub closing_balance: Amount,
}

/// A transaction of a statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StatementLine {
    /// Its id.
    pub id: Uuid,
    /// When.
    pub created_at: DateTime<Utc>,
    /// A credit came in, a debit went out.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["debit", "credit"])))]
    pub kind: TransactionType,
    /// How much.
    pub amount: Amount,
    /// What stood in the wallet after it.
    pub balance_after: Amount,
    /// Why the money moved.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["topup", "booking", "refund", "deduction"])))]
    pub ref_type: String,
    /// What it was for: a booking's reference, for example; null where it was for nothing that has an id.
    pub ref_id: Option<String>,
    /// Why, in words.
    pub description: String,
}
