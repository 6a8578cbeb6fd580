//! `wayfarectl price`: why a booking cost what it did.

use std::borrow::Cow;

use clap::Subcommand;
use serde::Serialize;
use wayfare_domain::{Amount, BookingRef, BookingStatus, Currency};
use wayfare_operations::operator;
use wayfare_pricing::{Sale, Trace};

use crate::{
    booking::failure,
    installation::Installation,
    output::{Done, Output, Row, Table},
};

/// What can be asked about prices.
#[derive(Subcommand)]
pub enum Command {
    /// Shows how the price of a booking came about, step by step, as it was quoted
    Explain {
        /// The booking
        booking_ref: BookingRef,
    },
}

impl Command {
    /// Answers.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let Self::Explain { booking_ref } = self;
        let work = installation.with_platform(async |platform| {
            let found = operator::booking(platform, &booking_ref).await;
            let booking = found.map_err(|error| failure(error, &booking_ref))?;
            output.print_table(&Explained {
                booking_ref,
                status: booking.status,
                user: booking.user_name,
                currency: booking.amount.currency(),
                total_payable: booking.amount.number(),
                orders: booking.sales.into_iter().map(Order::from).collect(),
            })
        });
        work.await
    }
}

#[derive(Serialize)]
struct Explained {
    booking_ref: BookingRef,
    status: BookingStatus,
    user: String,
    currency: Currency,
    total_payable: Amount,
    orders: Vec<Order>,
}

/// One supplier order's price.
#[derive(Serialize)]
struct Order {
    supplier: String,
    supplier_total: Amount,
    supplier_currency: Currency,
    exchange_rate: Amount,
    agent_fare: Amount,
    /// None of bookings that were quoted before traces were kept.
    trace: Option<Trace>,
}

impl From<Sale> for Order {
    fn from(sale: Sale) -> Self {
        Self {
            supplier: sale.supplier,
            supplier_total: sale.supplier_total.number(),
            supplier_currency: sale.supplier_total.currency(),
            exchange_rate: Amount(sale.exchange_rate),
            agent_fare: sale.price.agent_fare().number(),
            trace: sale.trace,
        }
    }
}

impl Table for Explained {
    fn head(&self) -> Cow<'_, str> {
        format!("order part exact {} how", self.currency.code()).into()
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let numbered = (1..).zip(&self.orders);
        numbered.flat_map(|(number, order)| order.rows(&format!("{}-{number}", self.booking_ref))).collect()
    }

    fn foot(&self) -> Option<String> {
        Some(format!(
            "{} was booked by {} for {} {}",
            self.booking_ref,
            self.user,
            self.currency.code(),
            self.total_payable.0
        ))
    }
}

/// A letter of the calculation with its name, as the other lines' rules use the letter; a part that has a name as it is.
fn part(symbol: &str) -> String {
    let name = match symbol {
        "B" => "base fare",
        "X" => "taxes",
        "T" => "total",
        "K" => "supplier's commission",
        "M" => "markup",
        "S" => "service fee",
        "G" => "GST on the service fee",
        "P" => "platform charge",
        named => return named.to_owned(),
    };
    format!("{symbol} {name}")
}

impl Order {
    fn rows(&self, reference: &str) -> Vec<Row<'_>> {
        let named = |rest: [String; 4]| -> Row<'_> {
            let first = format!("{reference} {}", self.supplier);
            std::iter::once(first).chain(rest).map(Into::into).collect()
        };
        match &self.trace {
            Some(trace) => trace
                .steps
                .iter()
                .map(|step| {
                    named([
                        part(&step.symbol),
                        step.exact.0.normalize().to_string(),
                        step.result.0.to_string(),
                        step.how(),
                    ])
                })
                .collect(),
            None => vec![named([
                "agent fare".to_owned(),
                String::new(),
                self.agent_fare.0.to_string(),
                "quoted before explanations were kept".to_owned(),
            ])],
        }
    }
}
