//! `wayfarectl booking look`.

use std::time::Duration;

use clap::Args;
use wayfare_contract::operator::Looked;
use wayfare_domain::BookingRef;
use wayfare_operations::operator::desk;

use super::failure;
use crate::{
    installation::Installation,
    output::{Done, Failure, Line, Output, Report},
};

/// Which orders are polled.
#[derive(Args)]
pub struct Look {
    /// The booking
    reference: BookingRef,
    /// The number of an order; all that stand where none is given
    #[arg(long, value_name = "NUMBER")]
    order: Option<u16>,
    /// For how long the running server is waited for
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    patience: u64,
}

impl Look {
    /// Does it.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let work = installation.with_platform(async |platform| {
            let patience = Duration::from_secs(self.patience);
            let looked = desk::look(platform, &self.reference, self.order, patience).await;
            let looked = looked.map_err(|error| failure(error, &self.reference))?;
            output.print(&looked)?;
            match looked.looked < looked.orders {
                false => Ok(()),
                true => Err(Failure::Failed(
                    "no running server has looked yet: it does so when it comes to it".to_owned(),
                )),
            }
        });
        work.await
    }
}

impl Report for Looked {
    fn lines(&self) -> Vec<Line<'_>> {
        vec![("orders", self.orders.to_string().into()), ("looked", self.looked.to_string().into())]
    }
}
