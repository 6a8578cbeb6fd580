//! Theirs to ours: what an offer says of giving it back and changing it. Null is "unknown", not "no".

use serde_json::Value;
use wayfare_domain::Money;
use wayfare_supply::{LossKind, note_loss, plain_text::name_of, reading::code};

use super::money::optional_money;
use super::wire::{self, Text};
use crate::{FareFee, FareRules, FeeKind, RefundPolicy};

/// One condition, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Term {
    allowed: bool,
    fee: Option<Money>,
}

impl Term {
    fn of(condition: Option<&wire::Condition<Text>>) -> Option<Self> {
        let condition = condition?;
        let allowed = condition.allowed?;
        let fee = optional_money(
            "penalty_amount",
            condition.penalty_amount.as_ref(),
            condition.penalty_currency.as_deref(),
        );
        // Of what is kept, but nobody can read, all is kept.
        let fee = fee.filter(|fee| !fee.is_negative());
        let is_unreadable = condition.penalty_amount.is_some() && fee.is_none();
        if allowed && is_unreadable {
            note_loss(LossKind::LeftOut, "conditions.penalty_amount", "");
        }
        let allowed = allowed && !is_unreadable;
        Some(Self { allowed, fee: fee.filter(|_| allowed) })
    }

    /// What holds for all of an offer: the strictest of what is said of the whole and of its slices. Where nothing is
    /// said of the whole, every slice must allow it.
    ///
    /// Beside it the highest fee in each currency, where those are several: nobody can compare them.
    fn strictest(whole: Option<Self>, slices: &[Option<Self>]) -> (Option<Self>, Vec<Money>) {
        let mut said = whole.iter().chain(slices.iter().flatten());
        if said.any(|term| !term.allowed) {
            let refused = Self { allowed: false, fee: None };
            return (Some(refused), Vec::new());
        }
        if whole.is_none() && slices.iter().any(Option::is_none) {
            return (None, Vec::new());
        }
        let allowed = |fee| Some(Self { allowed: true, fee });
        match highest_fees(whole, slices) {
            fees if fees.len() > 1 => (allowed(None), fees),
            fees => (allowed(fees.first().copied()), Vec::new()),
        }
    }
}

/// The highest fee in each currency of what holds for all of an offer; none where it is not told what that costs.
fn highest_fees(whole: Option<Term>, slices: &[Option<Term>]) -> Vec<Money> {
    let of_slices = slices.iter().map(|slice| (*slice)?.fee);
    let named: Option<Vec<Money>> = match whole.map(|whole| whole.fee) {
        Some(Some(fee)) => Some(of_slices.flatten().chain([fee]).collect()),
        // That the whole names none does not mean that it costs nothing.
        Some(None) => of_slices
            .collect::<Option<_>>()
            .filter(|fees: &Vec<Money>| fees.iter().any(|fee| fee.is_positive())),
        None => of_slices.collect(),
    };
    let mut highest: Vec<Money> = Vec::new();
    for fee in named.unwrap_or_default() {
        match highest.iter_mut().find(|other| other.currency() == fee.currency()) {
            Some(other) if other.amount() < fee.amount() => *other = fee,
            Some(_) => {}
            None => highest.push(fee),
        }
    }
    // Whatever costs something costs more than nothing.
    if highest.iter().any(|fee| fee.is_positive()) {
        highest.retain(|fee| fee.is_positive());
    }
    highest
}

/// What is said of a refund and of a change, in that order: of the whole offer, and of each slice.
fn said(theirs: &wire::Offer<Text>) -> [(FeeKind, Option<Term>, Vec<Option<Term>>); 2] {
    let whole = theirs.conditions.as_ref();
    let slices = || theirs.slices.iter().map(|slice| slice.conditions.as_ref());
    [
        (
            FeeKind::Cancellation,
            Term::of(whole.and_then(|all| all.refund_before_departure.as_ref())),
            slices().map(|slice| Term::of(slice?.refund_before_departure.as_ref())).collect(),
        ),
        (
            FeeKind::DateChange,
            Term::of(whole.and_then(|all| all.change_before_departure.as_ref())),
            slices().map(|slice| Term::of(slice?.change_before_departure.as_ref())).collect(),
        ),
    ]
}

/// For the whole offer, its fees in the currencies in which they are told.
pub(super) fn refund_policy(theirs: &wire::Offer<Text>) -> RefundPolicy {
    let mut incomparable_fees = Vec::new();
    let [refund, change] = said(theirs).map(|(kind, whole, slices)| {
        let (term, in_several) = Term::strictest(whole, &slices);
        incomparable_fees.extend(in_several.into_iter().map(|fee| (kind, fee)));
        term
    });
    let fee = |term: Option<Term>| term?.fee;
    RefundPolicy {
        refundable: refund.map(|term| term.allowed),
        cancel_fee: fee(refund),
        changeable: change.map(|term| term.allowed),
        change_fee: fee(change),
        no_show_fee: None,
        incomparable_fees,
    }
}

/// All that an offer tells: a line for the whole, one more for each slice that differs from it, and in words what the
/// fare of each slice includes and for whom it is.
pub(super) fn fare_rules(theirs: &wire::Offer<Text>) -> FareRules {
    let mut fees = Vec::new();
    for (kind, whole, slices) in said(theirs) {
        let (strictest, _) = Term::strictest(whole, &slices);
        fees.extend(strictest.map(|term| fee_line(kind, term, None)));
        for (slice, term) in theirs.slices.iter().zip(slices) {
            let differs = term.filter(|_| term != strictest);
            fees.extend(differs.map(|term| fee_line(kind, term, route(slice))));
        }
    }
    let private = theirs.private_fares.iter().flatten().map(private_fare);
    let sentences = private.chain(theirs.slices.iter().filter_map(included));
    FareRules { fees, text: sentences.collect::<Vec<_>>().join(" ") }
}

fn fee_line(kind: FeeKind, term: Term, route: Option<String>) -> FareFee {
    FareFee { route, ..FareFee::of(kind, term.allowed, term.fee) }
}

fn route(slice: &wire::Slice<Text>) -> Option<String> {
    let (first, last) = slice.segments.first().zip(slice.segments.last())?;
    Some(format!("{}-{}", code(&first.origin.iata_code), code(&last.destination.iata_code)))
}

/// `Private fare: corporate, corporate code FLX53.`
fn private_fare(fare: &wire::PrivateFare<Text>) -> String {
    let details = [
        name_of(&fare.kind).map(|kind| kind.to_ascii_lowercase()),
        name_of(&fare.corporate_code).map(|code| format!("corporate code {code}")),
        name_of(&fare.tracking_reference).map(|name| format!("tracking reference {name}")),
    ];
    let details: Vec<String> = details.into_iter().flatten().collect();
    if details.is_empty() {
        "Private fare.".to_owned()
    } else {
        format!("Private fare: {}.", details.join(", "))
    }
}

/// `LHR-JFK: priority boarding not included.`
fn included(slice: &wire::Slice<Text>) -> Option<String> {
    let conditions = slice.conditions.as_ref()?;
    let perks = [
        ("advance seat selection", &conditions.advance_seat_selection),
        ("priority boarding", &conditions.priority_boarding),
        ("priority check-in", &conditions.priority_check_in),
    ];
    let words = perks.into_iter().filter_map(|(what, value)| {
        let word = if value.as_ref().and_then(Value::as_bool)? { "included" } else { "not included" };
        Some(format!("{what} {word}"))
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() {
        return None;
    }
    Some(format!("{}: {}.", route(slice)?, words.join(", ")))
}
