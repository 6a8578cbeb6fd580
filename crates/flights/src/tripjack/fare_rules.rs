//! Theirs to ours: fare rules.

use super::offers::price;
use super::parts::RULES;
use super::wire::{self, Number, Text};
use crate::{FareFee, FareRules, FeeKind};
use wayfare_supply::{
    lenient::parse_leniently,
    plain_text,
    reading::{Unreadable, filled, is_word},
};

/// The answer to a question for fare rules.
pub fn fare_rules(body: &[u8]) -> Result<FareRules, Unreadable> {
    let theirs = parse_leniently::<wire::Rules<Text>>(body, "", &RULES)?;
    let mut rules = FareRules::default();
    for (route, of_route) in &theirs.routes.0 {
        for (word, policies) in of_route.tfr.iter().flat_map(|policies| &policies.0) {
            if let Some(kind) = kind(word) {
                rules.fees.extend(policies.iter().map(|policy| fee(kind, route, policy)));
            }
        }
        let texts = match &of_route.text {
            None => &[][..],
            Some(wire::OneOrMore::One(text)) => std::slice::from_ref(text),
            Some(wire::OneOrMore::More(texts)) => texts,
        };
        for text in texts.iter().map(|text| plain(text)).filter(|text| !text.is_empty()) {
            if !rules.text.is_empty() {
                rules.text.push('\n');
            }
            rules.text.push_str(&format!("{}: {text}", &**route));
        }
    }
    Ok(rules)
}

/// Other words, such as what a seat costs, are about no fee of ours.
fn kind(word: &str) -> Option<FeeKind> {
    match word.trim().to_ascii_uppercase().as_str() {
        "CANCELLATION" => Some(FeeKind::Cancellation),
        "DATECHANGE" => Some(FeeKind::DateChange),
        "NO_SHOW" => Some(FeeKind::NoShow),
        _ => None,
    }
}

fn fee(kind: FeeKind, route: &str, policy: &wire::Policy<Text>) -> FareFee {
    let (airline, theirs) = match (&policy.fcs, kind) {
        (Some(fees), FeeKind::Cancellation) => ([fees.acf, fees.acft], [fees.ccf, fees.ccft]),
        (Some(fees), FeeKind::DateChange) => ([fees.arf, fees.arft], [fees.crf, fees.crft]),
        _ => ([None; 2], [None; 2]),
    };
    let amount = policy.amount.and_then(|amount| price("tfr.amount", amount).ok()).or_else(|| sum(airline));
    let own =
        policy.additional_fee.and_then(|fee| price("tfr.additionalFee", fee).ok()).or_else(|| sum(theirs));
    let hours = |hours: &Option<wire::Loose>| hours.as_ref().and_then(|hours| hours.text().parse().ok());
    let after = filled(&policy.pp).is_some_and(|word| is_word(word, "AFTER_DEPARTURE"));
    let said = filled(&policy.policy_info).map(plain);
    FareFee {
        kind,
        route: Some(route.to_owned()),
        passenger: None,
        // That something costs so much says that it is possible; most words are for people only.
        allowed: match &said {
            Some(said) if said.to_ascii_lowercase().contains("not allowed") => Some(false),
            _ => amount.map(|_| true),
        },
        amount,
        supplier_fee: own,
        from_hours: hours(&policy.et).filter(|_| !after),
        until_hours: hours(&policy.st).filter(|hours| !after && *hours > 0),
        after_departure: after,
        text: said,
    }
}

fn sum(parts: [Option<Number>; 2]) -> Option<wayfare_domain::Money> {
    let [fee, tax] = parts.map(|part| part.and_then(|part| price("tfr.fcs", part).ok()));
    match (fee, tax) {
        (Some(fee), Some(tax)) => fee.plus(tax).ok(),
        (fee, tax) => fee.or(tax),
    }
}

/// Their texts carry the marks of their own templates for a line's end and a space.
fn plain(text: &str) -> String {
    plain_text::text(&text.replace("__nls__", "\n").replace("__bs__", " "))
}
