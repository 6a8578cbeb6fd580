//! `wayfarectl agency settle`: what stands on an agency's markup account is paid into its wallet.

use clap::Args;
use rust_decimal::Decimal;
use serde::Serialize;
use wayfare_contract::Amount;
use wayfare_domain::{AgencyCode, TransferId};
use wayfare_operations::{access::operators::By, operator};

use crate::{
    answers::{known, left, under_key},
    installation::Installation,
    output::{Done, Line, Output, Report},
};

/// An agency whose markups are settled.
#[derive(Args)]
pub struct Settle {
    /// The agency
    agent_id: AgencyCode,
    /// Makes a second run safe: under the same key markups are paid once
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
}

#[derive(Serialize)]
struct Settled {
    agent_id: String,
    settled: Amount,
    /// Null: there was nothing to settle.
    transfer_id: Option<TransferId>,
    /// Whether it had been settled before under the same key.
    repeated: bool,
    balance: Amount,
    currency: String,
}

impl Report for Settled {
    fn lines(&self) -> Vec<Line<'_>> {
        let mut lines = vec![("agent_id", self.agent_id.as_str().into())];
        match self.transfer_id {
            None => lines.push(("settled", "nothing stands on the markup account".into())),
            Some(transfer) => {
                lines.push(("settled", self.settled.to_string().into()));
                lines.push(("transfer", transfer.to_string().into()));
            }
        }
        lines.extend(left(self.repeated, self.balance, &self.currency));
        lines
    }
}

impl Settle {
    /// Pays it.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let (agent_id, key) = (self.agent_id, self.key.as_deref());
        let work = installation.with_platform(async |platform| {
            let done = operator::settle_markup(platform, By::command_line(), &agent_id, key).await;
            let settled = known(under_key(done, key)?, &agent_id)?;
            let after = settled.as_ref().and_then(|settled| settled.moved.to);
            let (balance, currency) = match after {
                Some(balance) => (Amount(balance.amount()), balance.currency().code().to_owned()),
                None => {
                    let agency = operator::agency(platform, &agent_id).await?;
                    (agency.balance, agency.currency)
                }
            };
            let amount = settled.as_ref().map(|settled| Amount(settled.amount.amount()));
            output.print(&Settled {
                agent_id: agent_id.to_string(),
                // Nothing has as many digits as the balance.
                settled: amount.unwrap_or_else(|| Amount(Decimal::new(0, balance.0.scale()))),
                transfer_id: settled.as_ref().map(|settled| settled.moved.transfer),
                repeated: settled.is_some_and(|settled| settled.moved.repeated),
                balance,
                currency,
            })
        });
        work.await
    }
}
