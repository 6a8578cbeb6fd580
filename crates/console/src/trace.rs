//! How a price comes about, line by line, as people read it.

use askama::Template;
use wayfare_client::{PricePreview, TraceStep};

use crate::{form::Wrongs, money::money, sums::Sums};

struct TraceLine {
    part: String,
    how: String,
    result: String,
}

/// What an example comes to; what is wrong with it otherwise.
#[derive(Template)]
#[template(path = "part/price.html")]
pub struct Example {
    /// Each with its lines; none where something is wrong.
    sums: Vec<Sums>,
    lines: Vec<TraceLine>,
    wrongs: Wrongs,
}

impl Example {
    /// Shown by these sums.
    pub fn of(preview: &PricePreview, sums: Vec<Sums>) -> Self {
        Self { sums, lines: lines(preview), wrongs: Wrongs::default() }
    }

    pub fn wrong(wrongs: Wrongs) -> Self {
        Self { sums: Vec::new(), lines: Vec::new(), wrongs }
    }
}

/// All lines of a price that is tried.
fn lines(preview: &PricePreview) -> Vec<TraceLine> {
    let line = |step| line(step, &preview.currency);
    preview.trace.iter().map(line).collect()
}

/// What the customer pays: what the supplier asks, with the agency's markup.
pub fn customer_price(preview: &PricePreview) -> Sums {
    let price = &preview.price;
    Sums::of(&preview.currency)
        .line("Supplier's price", price.total)
        .part("Markup on top", price.public_fare.0 - price.total.0)
        .total("Customer price", price.public_fare)
}

/// What the wallet pays at booking: the customer's price less the commission, with the platform's fees.
pub fn agency_price(preview: &PricePreview) -> Sums {
    let price = &preview.price;
    Sums::of(&preview.currency)
        .line("Customer price", price.public_fare)
        .less("Commission", price.agent_commission.unwrap_or_default())
        .part("Service fee", price.service_fee)
        .part("GST on the service fee", price.gst_on_service_fee)
        .part("Platform fee", price.platform_charge)
        .total("Paid from the agency's wallet", price.agent_fare)
}

/// What is left to the agency: what the customer pays beyond what the wallet pays, and the markup, which comes with the next
/// payout.
pub fn earnings(preview: &PricePreview) -> Sums {
    let price = &preview.price;
    let at_once = price.public_fare.0 - price.agent_fare.0;
    Sums::of(&preview.currency)
        .line("Customer price", price.public_fare)
        .less("Paid from the agency's wallet", price.agent_fare)
        .part("Markup, with the next payout", price.markup)
        .total("The agency earns", at_once + price.markup.0)
}

/// What is left to the platform: what the wallet pays, less what the supplier gets and the agency's markup.
pub fn platform_share(preview: &PricePreview) -> Sums {
    let price = &preview.price;
    let share = price.agent_fare.0 - price.total.0 + price.commission.0 - price.markup.0;
    Sums::of(&preview.currency)
        .line("Paid from the agency's wallet", price.agent_fare)
        .less("Supplier's price", price.total)
        .part("Supplier's commission", price.commission)
        .less("Agency's markup", price.markup)
        .total("The platform keeps", share)
}

fn line(step: &TraceStep, currency: &str) -> TraceLine {
    let inputs: Vec<String> =
        step.inputs.iter().map(|input| format!("{} {}", name(&input.name), input.value)).collect();
    TraceLine {
        part: name(&step.part).to_owned(),
        how: match inputs.is_empty() {
            true => step.rule.clone(),
            false => format!("{} ({})", step.rule, inputs.join(", ")),
        },
        result: money(step.result, currency),
    }
}

/// What a letter of the calculation stands for.
fn name(part: &str) -> &str {
    match part {
        "B" => "B, base fare",
        "X" => "X, taxes",
        "T" => "T, total",
        "K" => "K, commission",
        "M" => "M, markup",
        "S" => "S, service fee",
        "G" => "G, tax on the fee",
        "P" => "P, platform's charge",
        other => other,
    }
}
