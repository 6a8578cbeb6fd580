//! `wayfarectl wallet`: money into wallets, out of them and back from agents, and what they may spend.

mod statement;

use clap::{Args, Subcommand};
use rust_decimal::Decimal;
use serde::Serialize;
use wayfare_contract::{Amount, operator::OperatorWallet};
use wayfare_domain::{AgencyCode, TransferId};
use wayfare_operations::{
    Error, Platform,
    access::operators::By,
    operator::{self, Transfer, WalletOf},
};

use crate::{
    answers::{found, left, under_key},
    arguments::amount,
    installation::Installation,
    output::{Done, Failure, Line, Output, Report, lines_of},
};

use statement::Statement;

/// What can be done with wallets.
#[derive(Subcommand)]
pub enum Command {
    /// Puts money from outside into a wallet
    Topup(Money),
    /// Takes money out of a wallet, frozen or not: what stands in it and is not held
    Deduct(Money),
    /// Takes money back from an agent's wallet to the organization's
    Deallocate(Money),
    /// Lets a wallet spend so much beyond its balance
    CreditLimit(CreditLimit),
    /// Freezes a wallet: it pays for nothing until it is unfrozen
    Freeze(Which),
    /// Lets a frozen wallet pay again
    Unfreeze(Which),
    /// Shows what happened in a wallet: what stood in it, each transaction, what stood in it then
    Statement(Statement),
}

impl Command {
    /// Does it.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        match self {
            Self::Topup(money) => money.run(Transfer::TopUp, installation, output).await,
            Self::Deduct(money) => money.run(Transfer::Deduct, installation, output).await,
            Self::Deallocate(money) => money.run(Transfer::Deallocate, installation, output).await,
            Self::CreditLimit(limit) => limit.run(installation, output).await,
            Self::Freeze(which) => which.run(false, installation, output).await,
            Self::Unfreeze(which) => which.run(true, installation, output).await,
            Self::Statement(statement) => statement.run(installation, output).await,
        }
    }
}

/// Whose wallet.
#[derive(Args)]
pub struct Which {
    /// The agency
    agent_id: AgencyCode,
    /// The agent whose wallet it is; the organization's own unless given
    #[arg(long, value_name = "USERNAME")]
    user: Option<String>,
}

/// Money that is moved.
#[derive(Args)]
pub struct Money {
    #[command(flatten)]
    of: Which,
    /// How much, in the currency of the agency
    #[arg(value_parser = amount, allow_negative_numbers = true)]
    amount: Decimal,
    /// Why, for people: it stands in the wallet's list
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Makes a second run safe: under the same key money is moved once
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
}

/// A credit line.
#[derive(Args)]
pub struct CreditLimit {
    #[command(flatten)]
    of: Which,
    /// How much may be spent beyond the balance
    #[arg(value_parser = amount, allow_negative_numbers = true)]
    limit: Decimal,
}

#[derive(Serialize)]
struct Moved {
    agent_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<String>,
    transfer_id: TransferId,
    /// Whether it had been moved before under the same key.
    repeated: bool,
    balance: Amount,
    currency: String,
}

impl Report for Moved {
    fn lines(&self) -> Vec<Line<'_>> {
        let mut lines = who(&self.agent_id, self.username.as_deref());
        lines.push(("transfer", self.transfer_id.to_string().into()));
        lines.extend(left(self.repeated, self.balance, &self.currency));
        lines
    }
}

#[derive(Serialize)]
struct WalletState {
    agent_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<String>,
    #[serde(flatten)]
    wallet: OperatorWallet,
}

impl Report for WalletState {
    fn lines(&self) -> Vec<Line<'_>> {
        let mut lines = who(&self.agent_id, self.username.as_deref());
        lines.extend(lines_of(self, "balance held credit_limit"));
        lines.push(("is_active", if self.wallet.is_active { "yes" } else { "no" }.into()));
        lines.push(("currency", self.wallet.currency.as_str().into()));
        lines
    }
}

fn who<'a>(agent_id: &'a str, user: Option<&'a str>) -> Vec<Line<'a>> {
    let mut lines = vec![("agent_id", agent_id.into())];
    lines.extend(user.map(|user| ("user", user.into())));
    lines
}

impl Which {
    fn wallet(&self) -> WalletOf {
        WalletOf { agency: self.agent_id.clone(), username: self.user.clone() }
    }

    fn known<T>(&self, done: Result<T, Error>) -> Result<T, Failure> {
        found(done, &self.agent_id, self.user.as_deref())
    }

    fn state(self, wallet: OperatorWallet) -> WalletState {
        WalletState { agent_id: self.agent_id.to_string(), username: self.user, wallet }
    }

    async fn run(self, active: bool, installation: Installation, output: Output) -> Done {
        let work = installation.with_platform(async |platform| {
            let wallet =
                self.known(operator::set_active(platform, By::command_line(), &self.wallet(), active).await)?;
            output.print(&self.state(wallet))
        });
        work.await
    }
}

impl CreditLimit {
    async fn run(self, installation: Installation, output: Output) -> Done {
        let work = installation.with_platform(async |platform| {
            let of = self.of.wallet();
            let wallet = self
                .of
                .known(operator::set_credit_limit(platform, By::command_line(), &of, self.limit).await)?;
            output.print(&self.of.state(wallet))
        });
        work.await
    }
}

impl Money {
    /// Moves it.
    pub async fn run(self, transfer: Transfer, installation: Installation, output: Output) -> Done {
        let work = installation.with_platform(async |platform| {
            let moved = self.moved(platform, transfer).await?;
            output.print(&moved)
        });
        work.await
    }

    async fn moved(&self, platform: &Platform, transfer: Transfer) -> Result<Moved, Failure> {
        let (reason, key) = (self.reason.as_deref(), self.key.as_deref());
        let moved = operator::transfer(
            platform,
            By::command_line(),
            &self.of.wallet(),
            transfer,
            self.amount,
            reason,
            key,
        )
        .await;
        let moved = self.of.known(under_key(moved, key)?)?;
        let own = match transfer {
            Transfer::TopUp => moved.to,
            Transfer::Deduct | Transfer::Deallocate => moved.from,
        };
        let balance = own.ok_or_else(|| Failure::Failed("the wallet has no balance".to_owned()))?;
        Ok(Moved {
            agent_id: self.of.agent_id.to_string(),
            username: self.of.user.clone(),
            transfer_id: moved.transfer,
            repeated: moved.repeated,
            balance: Amount(balance.amount()),
            currency: balance.currency().code().to_owned(),
        })
    }
}
