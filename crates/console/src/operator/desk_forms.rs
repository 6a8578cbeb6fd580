//! What the desk changes of a booking: numbers that a supplier told otherwise, and rulings about money, which are shown with
//! what they do before they do it.

use uuid::Uuid;
use wayfare_client::{
    Amount,
    enums::{CorrectedField, FeesRuling, RulingKind, RulingState},
    operator::{Correction, DeskBooking, RulingRequest},
};

use super::{
    booking::orders,
    bookings::{DeskRow, column},
    signed::OperatorSigned,
};
use crate::prelude::*;

/// Rulings as they are stored and as they read.
pub const RULINGS: [(&str, &str); 4] = [
    ("refund", "Refund: so much more comes back to the wallet"),
    ("debit_note", "Debit note: the supplier charged so much after the sale, and the wallet pays"),
    ("write_off", "Write-off: the supplier charged so much, and we bear it"),
    ("supplier_cancelled", "The supplier cancelled it by itself and gives so much back"),
];

/// The orders of a booking that can be chosen: number and name.
type Choices = Vec<(String, String)>;

fn choices(shown: &DeskBooking) -> Choices {
    let name = |order: &DeskRow| {
        let [number, supplier, id] = ["order", "supplier", "order_id"].map(|name| column(order, name));
        let name = format!("{number}: {supplier} {id}");
        (number, name.trim().to_owned())
    };
    orders(&shown.booking).into_iter().map(name).collect()
}

#[derive(Template)]
#[template(path = "operator/correct.html")]
struct CorrectPage {
    shell: Shell,
    reference: String,
    orders: Choices,
    typed: Fields,
    wrongs: Wrongs,
}

async fn correct_page(
    signed: &OperatorSigned,
    reference: &str,
    fields: &Fields,
    wrongs: Wrongs,
) -> Result<CorrectPage> {
    let shell = signed.shell("Correct a number", Area::Bookings);
    let (shell, shown) = futures_util::try_join!(shell, signed.session.booking(reference))?;
    Ok(CorrectPage {
        shell,
        reference: column(&shown.booking, "booking_ref"),
        orders: choices(&shown),
        typed: fields.clone(),
        wrongs,
    })
}

/// `GET /operator/bookings/{ref}/correct`.
pub async fn show_correct(signed: OperatorSigned, reference: Path<String>) -> Answer {
    page::html(&correct_page(&signed, &reference, &Fields::default(), Wrongs::default()).await?)
}

/// `POST /operator/bookings/{ref}/correct`.
pub async fn correct(signed: OperatorSigned, reference: Path<String>, fields: Fields) -> Answer {
    let what = fields.get("what");
    let whose: Option<u16> = fields.number("whose");
    let mut wrongs = Wrongs::default();
    if what != "pnr" && whose.is_none() {
        wrongs.add("whose", "Say which one, as a number");
    } else {
        let correction = Correction {
            order: fields.number("order").unwrap_or_default(),
            field: CorrectedField::from(what),
            number: fields.get("number").to_owned(),
            traveller: whose.filter(|_| what == "ticket").map(u32::from),
            room: whose.filter(|_| what == "hotel_number"),
            note: fields.get("note").to_owned(),
        };
        match signed.session.correct(&reference, &correction).await {
            Ok(_) => {
                return Ok(see_other(&format!("/operator/bookings/{reference}?done=corrected")));
            }
            Err(error) => wrongs = Wrongs::refused(error, "")?.renamed(named),
        }
    }
    page::unprocessable(&correct_page(&signed, &reference, &fields, wrongs).await?)
}

/// Traveller and room are one field here.
fn named(field: &str) -> String {
    match field {
        "traveller" | "room" => "whose".to_owned(),
        other => other.to_owned(),
    }
}

#[derive(Template)]
#[template(path = "operator/ruling.html")]
struct RulingPage {
    shell: Shell,
    reference: String,
    orders: Choices,
    typed: Fields,
    key: String,
    wrongs: Wrongs,
    /// What the ruling does, where it is asked whether to do it.
    sure: Option<String>,
    button: String,
    sent: Vec<(String, String)>,
}

async fn ruling_page(
    signed: &OperatorSigned,
    reference: &str,
    fields: &Fields,
    wrongs: Wrongs,
) -> Result<(RulingPage, DeskBooking)> {
    let shell = signed.shell("Rule about money", Area::Bookings);
    let (shell, shown) = futures_util::try_join!(shell, signed.session.booking(reference))?;
    let page = RulingPage {
        shell,
        reference: column(&shown.booking, "booking_ref"),
        orders: choices(&shown),
        typed: fields.clone(),
        key: fields.key_or_new(),
        wrongs,
        sure: None,
        button: String::new(),
        sent: Vec::new(),
    };
    Ok((page, shown))
}

/// `GET /operator/bookings/{ref}/ruling`.
pub async fn show_ruling(signed: OperatorSigned, reference: Path<String>) -> Answer {
    let (shown, _) = ruling_page(&signed, &reference, &Fields::default(), Wrongs::default()).await?;
    page::html(&shown)
}

/// What a ruling does in money: a sentence, and the words of its button.
fn effect(ruling: &RulingRequest, booking: &DeskBooking) -> (String, String) {
    let (agency, currency) = (column(&booking.booking, "agency"), column(&booking.booking, "currency"));
    let sum = money(ruling.amount, &currency);
    match &ruling.kind {
        RulingKind::Refund if ruling.from_loss => (
            format!("{sum} come into the wallet of {agency}, out of our loss account."),
            format!("Refund {sum} to {agency}"),
        ),
        RulingKind::Refund => (
            format!("{sum} come into the wallet of {agency}, on account of the supplier."),
            format!("Refund {sum} to {agency}"),
        ),
        RulingKind::DebitNote => (
            format!("{sum} are taken out of the wallet of {agency}, or are due until it covers them."),
            format!("Charge {sum} to {agency}"),
        ),
        RulingKind::WriteOff => (
            format!("{sum} are owed to the supplier and stand on our loss account. No wallet moves."),
            format!("Write off {sum}"),
        ),
        RulingKind::SupplierCancelled => (
            format!(
                "The order is cancelled. The supplier gives {} back, in the currency in which it charged; the wallet of \
                 {agency} gets its part, {} our fees.",
                ruling.amount,
                if ruling.fees == Some(FeesRuling::Keep) { "without" } else { "with" },
            ),
            format!("Cancel the order, {} come back from the supplier", ruling.amount),
        ),
        newer => (format!("This page does not know what {newer} does."), format!("Rule {newer}")),
    }
}

/// `POST /operator/bookings/{ref}/ruling`: first what it does, then, with `sure`, that it is done, once under its key.
pub async fn rule(signed: OperatorSigned, reference: Path<String>, fields: Fields) -> Answer {
    let key = fields.key()?;
    let amount: Option<Amount> = fields.number("amount");
    let mut wrongs = Wrongs::default();
    if amount.is_none_or(|amount| amount.0 <= rust_decimal::Decimal::ZERO) {
        wrongs.add("amount", "Type an amount above zero, such as 1250.50");
    }
    if fields.get("note").is_empty() {
        wrongs.add("note", "Say why");
    }
    let fees = fields.given("fees").filter(|_| fields.get("kind") == "supplier_cancelled");
    let ruling = RulingRequest {
        order: fields.number("order").unwrap_or_default(),
        kind: RulingKind::from(fields.get("kind")),
        amount: amount.unwrap_or_default(),
        fees: fees.map(|word| FeesRuling::from(word.as_str())),
        from_loss: fields.is_ticked("from_loss") && fields.get("kind") == "refund",
        amount_again: fields.number("amount_again").filter(|_| fields.get("kind") == "debit_note"),
        take_over: fields.is_ticked("take_over"),
        note: fields.get("note").to_owned(),
        incident_id: None,
    };
    if wrongs.is_empty() && fields.is_ticked("sure") {
        match signed.session.keyed(key).rule(&reference, &ruling).await {
            Ok(made) => {
                let done = if made.answer.state == RulingState::Due { "due" } else { "ruled" };
                return Ok(see_other(&format!("/operator/bookings/{reference}?done={done}")));
            }
            Err(error) => wrongs = Wrongs::refused(error, "")?,
        }
    }
    let is_right = wrongs.is_empty();
    let (mut shown, booking) = ruling_page(&signed, &reference, &fields, wrongs).await?;
    if !is_right {
        // What was refused under a key is not what is asked under it next.
        shown.key = Uuid::new_v4().to_string();
        return page::unprocessable(&shown);
    }
    let (sure, button) = effect(&ruling, &booking);
    shown.sure = Some(sure);
    shown.button = button;
    let kept = fields.0.into_iter().filter(|(name, _)| name != "sure");
    shown.sent = kept.collect();
    page::html(&shown)
}
