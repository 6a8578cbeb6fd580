//! `wayfarectl booking rule`.

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use rust_decimal::Decimal;
use serde::Serialize;
use wayfare_contract::operator::Ruling;
use wayfare_domain::{BookingRef, FeesRuling, IncidentId, RulingKind};
use wayfare_operations::{
    Error,
    access::operators::By,
    engine::{incidents::TakeOver, ruling::RulingMade},
    operator::desk::{self, RulingRequest, shown},
};

use crate::{
    installation::Installation,
    output::{Done, Failure, Output, Report, Row, Table, rows_of, to_the_second},
};

/// What is ruled.
#[derive(Args)]
pub struct Rule {
    /// The booking; with --collect none: all bookings
    #[arg(required_unless_present = "collect")]
    reference: Option<BookingRef>,
    /// Collects debit notes that are due, where their wallets cover them by now
    #[arg(
        long,
        conflicts_with_all = ["order", "kind", "amount", "amount_again", "fees", "from", "note", "exception", "key"]
    )]
    collect: bool,
    /// The number of the supplier order in the booking
    #[arg(long, value_name = "NUMBER", required_unless_present = "collect")]
    order: Option<u16>,
    /// What is ruled
    #[arg(
        long,
        required_unless_present = "collect",
        value_parser = PossibleValuesParser::new(RulingKind::WORDS).try_map(|kind| kind.parse::<RulingKind>())
    )]
    kind: Option<RulingKind>,
    /// How much: of supplier_cancelled what the supplier gives back, in the currency in which it charged; else in the
    /// wallet's currency
    #[arg(long, required_unless_present = "collect")]
    amount: Option<Decimal>,
    /// The amount once more, where it is more than the order cost
    #[arg(long, value_name = "AMOUNT")]
    amount_again: Option<Decimal>,
    /// Whether the operator's own fees come back, of supplier_cancelled
    #[arg(
        long,
        default_value = "return",
        value_parser = PossibleValuesParser::new(FeesRuling::WORDS).try_map(|fees| fees.parse::<FeesRuling>())
    )]
    fees: FeesRuling,
    /// `loss`: the operator bears a refund, and not the supplier
    #[arg(long, value_parser = ["loss"])]
    from: Option<String>,
    /// Why; kept with the ruling
    #[arg(long, value_name = "TEXT", required_unless_present = "collect")]
    note: Option<String>,
    /// The incident that it settles; of supplier_cancelled that of the order where it is left out
    #[arg(long, value_name = "ID")]
    exception: Option<IncidentId>,
    /// Makes a second run safe: it prints what the first one did
    #[arg(long)]
    key: Option<String>,
}

impl Rule {
    /// Does it.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let work = installation.with_platform(async |platform| {
            let (Some(reference), Some(number), Some(kind), Some(amount), Some(note)) =
                (self.reference.clone(), self.order, self.kind, self.amount, self.note.clone())
            else {
                let tried = desk::collect(platform, self.reference.as_ref()).await;
                let tried = tried.map_err(|error| failure(error, self.reference.as_ref()))?;
                return output
                    .print_table(&Collected { rulings: tried.into_iter().map(Ruled::from).collect() });
            };
            let request = RulingRequest {
                number,
                kind,
                amount,
                fees: self.fees,
                from_loss: self.from.is_some(),
                amount_again: self.amount_again,
                take_over: TakeOver::Yes,
                note,
                incident: self.exception,
                key: self.key.clone(),
            };
            let made = desk::rule(platform, By::command_line(), &reference, request).await;
            output.print(&Ruled::from(made.map_err(|error| failure(error, Some(&reference)))?))
        });
        work.await
    }
}

fn failure(error: Error, reference: Option<&BookingRef>) -> Failure {
    match (error, reference) {
        (Error::NotFound, Some(reference)) => Failure::Failed(format!("there is no booking {reference}")),
        (other, _) => other.into(),
    }
}

#[derive(Serialize)]
struct Collected {
    rulings: Vec<Ruled>,
}

impl Table for Collected {
    const HEAD: &str = "id order kind state amount currency moved";

    fn rows(&self) -> Vec<Row<'_>> {
        rows_of(Self::HEAD, &self.rulings, "")
    }
}

#[derive(Serialize)]
pub(super) struct Ruled {
    #[serde(flatten)]
    ruling: Ruling,
    /// Under which it was made: asked again under it, it is not made again.
    key: String,
    repeated: bool,
}

impl From<RulingMade> for Ruled {
    fn from(RulingMade { ruling, repeated }: RulingMade) -> Self {
        let key = ruling.key.clone();
        let ruling = shown::ruling(ruling);
        let (ruled_at, collected_at) =
            (to_the_second(ruling.ruled_at), ruling.collected_at.map(to_the_second));
        Self { ruling: Ruling { ruled_at, collected_at, ..ruling }, key, repeated }
    }
}

impl Report for Ruled {
    const NAMES: &str = "id order kind state amount currency moved moved_currency transfer_id incident_id note \
        key ruled_at collected_at repeated";
}
