//! What became of the money of a booking, of flights or of a stay: paid, blocked, refunded, or never charged.

use askama::{Template, filters::HtmlSafe};
use wayfare_client::{Amount, BookingCost, enums::BookingStatus};

use crate::{day::Moment, money::money, sums::Sums};

/// From what a booking costs the agency to what it has cost until now. `sums` has the lines of `total`, what the wallet was to
/// pay.
pub fn payment(
    sums: Sums,
    status: &BookingStatus,
    total: Amount,
    cost: Option<&BookingCost>,
    is_held: bool,
) -> Sums {
    let refunded = cost.map(|settled| settled.refunded).unwrap_or_default();
    let ruled = cost.map(|settled| settled.ruled).unwrap_or_default();
    match status {
        BookingStatus::Pending => sums
            .total("Blocked in the wallet", total)
            .with_note("Charged when it is confirmed, released when it fails."),
        BookingStatus::Failed => {
            sums.total("Price", total).less("Not charged", total).total("Cost", Amount::default())
        }
        _ => {
            let paid = sums.total("Paid from wallet", total);
            let paid = match is_held {
                true => paid.with_note("Refunded in full if the hold lapses or is released."),
                false => paid,
            };
            let is_cancelled = *status == BookingStatus::Cancelled;
            if refunded.0.is_zero() && ruled.0.is_zero() && !is_cancelled {
                return paid;
            }
            let back = match ruled.0.is_sign_negative() {
                true => "Refunded by the operator",
                false => "Charged later by the supplier",
            };
            // Of what is cancelled it is told, too, that nothing came back.
            let refund = paid.line("Refund credited", -refunded.0);
            let refund = match cost.and_then(|settled| settled.refunded_at) {
                Some(at) if !refunded.0.is_zero() => refund.at(Moment::of(at)),
                _ => refund,
            };
            let cost = total.0 - refunded.0 + ruled.0;
            refund.part(back, ruled).total("Cost after refund", cost)
        }
    }
}

/// In the list of bookings.
#[derive(Template)]
#[template(path = "part/cost.html")]
pub struct Cost {
    /// What it has cost until now, or that nothing was charged.
    amount: String,
    note: String,
}

impl HtmlSafe for Cost {}

impl Cost {
    /// Of a booking that stands so; `total` is what the wallet was to pay, in this currency.
    pub fn of(status: &BookingStatus, total: Amount, cost: Option<&BookingCost>, currency: &str) -> Self {
        let text = |amount| money(amount, currency);
        let refunded = cost.map(|settled| settled.refunded).unwrap_or_default();
        let (amount, note) = match status {
            BookingStatus::Pending => (text(total), "blocked".to_owned()),
            BookingStatus::Failed => ("Not charged".to_owned(), String::new()),
            _ if refunded.0.is_zero() => {
                let cost = cost.map_or(total, |settled| settled.net);
                (text(cost), String::new())
            }
            _ => {
                let cost = cost.map_or(total, |settled| settled.net);
                (text(cost), format!("{} refunded", text(refunded)))
            }
        };
        Self { amount, note }
    }
}
