//! How a price comes about, line by line, as people read it.

use wayfare_client::{PricePreview, TraceStep};

use crate::money::money;

/// A line of it.
pub struct TraceLine {
    /// What is worked out.
    pub part: String,
    /// How.
    pub how: String,
    /// What it comes to.
    pub result: String,
}

/// All lines of a price that is tried.
pub fn lines(preview: &PricePreview) -> Vec<TraceLine> {
    let line = |step| line(step, &preview.currency);
    preview.trace.iter().map(line).collect()
}

fn line(step: &TraceStep, currency: &str) -> TraceLine {
    let inputs: Vec<String> = step
        .inputs
        .iter()
        .map(|input| format!("{} {}", name(&input.name), input.value))
        .collect();
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
