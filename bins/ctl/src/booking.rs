//! `wayfarectl booking`: the operator's desk for one booking.

mod correct;
mod find;
mod look;
mod rule;
mod show;
mod withdraw;

use clap::Subcommand;
use wayfare_domain::BookingRef;
use wayfare_operations::Error;

use crate::{
    installation::Installation,
    output::{Done, Failure, Output},
    suppliers::KnownSuppliers,
};

/// What can be done about a booking.
#[derive(Subcommand)]
pub enum Command {
    /// Finds bookings of all agencies; all that is given has to fit
    Find(find::Find),
    /// Shows one with its orders, and what happened to it in order of time
    Show(show::Show),
    /// Has the running server ask the suppliers for it now
    Look(look::Look),
    /// Rules about the money of an order: one transfer, one row of the fare ledger, one event
    Rule(rule::Rule),
    /// Withdraws a debit note that is due: nothing has moved, and nothing will
    Withdraw(withdraw::Withdraw),
    /// Corrects a number that the supplier told otherwise
    Correct(correct::Correct),
}

impl Command {
    /// Does it.
    pub async fn run(self, suppliers: &KnownSuppliers, installation: Installation, output: Output) -> Done {
        match self {
            Self::Find(find) => find.run(installation, output).await,
            Self::Show(show) => show.run(suppliers, installation, output).await,
            Self::Look(look) => look.run(installation, output).await,
            Self::Rule(rule) => rule.run(installation, output).await,
            Self::Withdraw(withdraw) => withdraw.run(installation, output).await,
            Self::Correct(correct) => correct.run(installation, output).await,
        }
    }
}

/// Why something could not be done with this booking.
pub fn failure(error: Error, reference: &BookingRef) -> Failure {
    match error {
        Error::NotFound => Failure::Failed(format!("there is no booking {:?}", reference.as_ref())),
        other => other.into(),
    }
}
