//! `wayfarectl booking withdraw`.

use clap::Args;
use wayfare_domain::{BookingRef, RulingId};
use wayfare_operations::{Error, access::operators::By, engine::ruling::RulingMade, operator::desk};

use super::rule::Ruled;
use crate::{
    installation::Installation,
    output::{Done, Failure, Output},
};

/// Which debit note is not charged any more.
#[derive(Args)]
pub struct Withdraw {
    /// The booking
    reference: BookingRef,
    /// The ruling that is due
    id: RulingId,
    /// Why; kept in the journal
    #[arg(long, value_name = "TEXT")]
    note: String,
}

impl Withdraw {
    /// Does it.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let work = installation.with_platform(async |platform| {
            let withdrawn =
                desk::withdraw(platform, By::command_line(), &self.reference, self.id, &self.note).await;
            let ruling = withdrawn.map_err(|error| match error {
                Error::NotFound => Failure::Failed(format!("{} has no ruling {}", self.reference, self.id)),
                other => other.into(),
            })?;
            output.print(&Ruled::from(RulingMade { ruling, repeated: false }))
        });
        work.await
    }
}
