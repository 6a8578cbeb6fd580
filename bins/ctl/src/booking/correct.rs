//! `wayfarectl booking correct`.

use clap::{ArgGroup, Args};
use serde::Serialize;
use serde_json::Value;
use wayfare_domain::BookingRef;
use wayfare_operations::{
    access::operators::By,
    operator::desk::{self, Correction},
};

use super::failure;
use crate::{
    installation::Installation,
    output::{Done, Failure, Line, Output, Report},
};

/// What is corrected.
#[derive(Args)]
#[command(group = ArgGroup::new("number").required(true).args(["pnr", "ticket", "hotel_number"]))]
pub struct Correct {
    /// The booking
    reference: BookingRef,
    /// The number of the supplier order in the booking
    #[arg(long, value_name = "NUMBER")]
    order: u16,
    /// The order's locator
    #[arg(long)]
    pnr: Option<String>,
    /// The number of a traveller's ticket; PAX is their `pax_id`
    #[arg(long, value_name = "PAX=NUMBER", value_parser = numbered::<u32>)]
    ticket: Option<(u32, String)>,
    /// The hotel's own number of a room; rooms are counted from 1
    #[arg(long, value_name = "ROOM=NUMBER", value_parser = numbered::<u16>)]
    hotel_number: Option<(u16, String)>,
    /// Who said so; kept in the journal
    #[arg(long, value_name = "TEXT")]
    note: String,
}

fn numbered<T: std::str::FromStr>(text: &str) -> Result<(T, String), String> {
    let parts = text.split_once('=');
    let parts = parts.and_then(|(of, number)| Some((of.parse().ok()?, number.to_owned())));
    parts.ok_or_else(|| "must be a number, =, and what it is".to_owned())
}

impl Correct {
    /// Does it.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let correction = match (self.pnr, self.ticket, self.hotel_number) {
            (Some(pnr), ..) => Correction::Pnr(pnr),
            (_, Some((traveller, number)), _) => Correction::Ticket { traveller, number },
            (.., Some((room, number))) => Correction::HotelNumber { room, number },
            (None, None, None) => return Err(Failure::Usage("nothing is to be corrected".to_owned())),
        };
        let work = installation.with_platform(async |platform| {
            let corrected = desk::correct(
                platform,
                By::command_line(),
                &self.reference,
                self.order,
                &correction,
                &self.note,
            )
            .await;
            let content = corrected.map_err(|error| failure(error, &self.reference))?;
            output.print(&Corrected { order: self.order, content })
        });
        work.await
    }
}

#[derive(Serialize)]
struct Corrected {
    order: u16,
    /// The order as it is stored now.
    content: Value,
}

impl Report for Corrected {
    fn lines(&self) -> Vec<Line<'_>> {
        vec![("order", self.order.to_string().into()), ("content", self.content.to_string().into())]
    }
}
