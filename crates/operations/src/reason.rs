//! Why a supplier was asked in vain: what a caller is told of it beside the error, and what the operator reads.

use wayfare_domain::{Currency, Money, ReasonCode, Retry};
use wayfare_supply::{Refusal, RefusalKind};

use crate::scrub::NamedPeople;

/// A longer text of a supplier's is not shown beside our own.
const LONGEST_WORDS: usize = 300;
/// Words that speak of an account. Suppliers mean the operator's with them, and the agency would think of its own.
const OF_ACCOUNTS: [&str; 5] = ["account", "balance", "credit", "deposit", "wallet"];

/// Why something that needed a supplier did not come to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub code: ReasonCode,
    pub retry: Retry,
    /// The supplier's code, where it is one supplier's doing.
    pub supplier: Option<String>,
    /// What of the request is at fault, where it is known.
    pub field: Option<String>,
    /// The supplier's own words, where they are fit to be shown.
    pub supplier_text: Option<String>,
}

pub(crate) type Fare = (Money, Money);

/// What a fare was and what it is now; none where that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangedFare {
    /// The wallet's currency.
    pub currency: Currency,
    pub old_total: Option<Money>,
    pub new_total: Option<Money>,
    /// The agent fare as it was agreed to.
    pub old_agent_fare: Option<Money>,
    pub new_agent_fare: Option<Money>,
}

impl ChangedFare {
    /// Of somebody who states another agent fare than the price has: its T has not changed.
    pub(crate) fn stated(agent_fare: Money, (total, now): Fare) -> Self {
        Self::between((total, agent_fare), Some((total, now)))
    }

    /// From one fare to another, which may not be known.
    pub(crate) fn between((total, agent_fare): Fare, new: Option<Fare>) -> Self {
        Self {
            currency: total.currency(),
            old_total: Some(total),
            new_total: new.map(|(total, _)| total),
            old_agent_fare: Some(agent_fare),
            new_agent_fare: new.map(|(_, agent_fare)| agent_fare),
        }
    }
}

/// When a supplier was asked: what it refuses means something else before an order is sold than after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// About an offer, or to make an order of it.
    Sale,
    AfterSale,
}

impl Reason {
    pub fn of(code: ReasonCode) -> Self {
        Self { code, retry: code.retry(), supplier: None, field: None, supplier_text: None }
    }

    pub(crate) fn at(code: ReasonCode, supplier: &str) -> Self {
        Self { supplier: Some(supplier.to_owned()), ..Self::of(code) }
    }

    /// Of a supplier's refusal, which the operator reads in the log.
    pub(crate) fn of_refusal(
        supplier: &str,
        refusal: &Refusal,
        moment: Moment,
        people: &NamedPeople,
    ) -> Self {
        let code = code_of(refusal.kind, moment);
        // Of an order that is there, a supplier may name people that this request does not.
        let is_shown = moment == Moment::Sale || !people.is_empty();
        tracing::info!(
            supplier,
            kind = ?refusal.kind,
            code = code.as_ref(),
            supplier_code = refusal.code,
            text = is_shown.then(|| people.scrub(&refusal.text)),
            "a supplier refused"
        );
        Self {
            field: refusal.field.clone(),
            supplier_text: safe(&refusal.text, people),
            ..Self::at(code, supplier)
        }
    }
}

fn code_of(kind: RefusalKind, moment: Moment) -> ReasonCode {
    match (kind, moment) {
        (RefusalKind::PriceChanged, _) => ReasonCode::PriceChanged,
        (RefusalKind::PapersMissing, _) => ReasonCode::PapersMissing,
        (RefusalKind::PapersInvalid, _) => ReasonCode::PapersInvalid,
        (RefusalKind::Traveller, _) => ReasonCode::TravellerInvalid,
        (RefusalKind::Duplicate, _) => ReasonCode::DuplicateAtAirline,
        (RefusalKind::NotCombinable, _) => ReasonCode::NotCombinable,
        (RefusalKind::TooLate, _) | (RefusalKind::Expired, Moment::AfterSale) => ReasonCode::TooLate,
        (RefusalKind::NotChangeable | RefusalKind::Superseded, _)
        | (RefusalKind::Gone | RefusalKind::Other, Moment::AfterSale) => ReasonCode::NotChangeable,
        (RefusalKind::Expired, Moment::Sale) => ReasonCode::OfferExpired,
        (RefusalKind::Gone, Moment::Sale) => ReasonCode::SoldOut,
        (RefusalKind::Other, Moment::Sale) => ReasonCode::Refused,
    }
}

/// A supplier's text as an agency may read it in the place of an error: ours where the supplier speaks of an account.
pub(crate) fn shown(text: String) -> String {
    match speaks_of_accounts(&text) {
        true => "the supplier has refused this".to_owned(),
        false => text,
    }
}

/// A supplier's text as far as it may stand beside ours: nothing of it where it is long, or has an address, an e-mail, a
/// long number, one of these people or an account.
pub(crate) fn safe(text: &str, people: &NamedPeople) -> Option<String> {
    let text = text.trim();
    let is_fit = !text.is_empty()
        && text.chars().count() <= LONGEST_WORDS
        && !text.contains('@')
        && !["://", "www."].iter().any(|sign| text.contains(sign))
        && !people.are_in(text)
        && !speaks_of_accounts(text);
    is_fit.then(|| text.to_owned())
}

fn speaks_of_accounts(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| {
        let word = word.to_lowercase();
        OF_ACCOUNTS.iter().any(|account| word.starts_with(account))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn people() -> NamedPeople {
        NamedPeople::of([&json!({
            "travellers": [{ "first_name": "Mira Devi", "last_name": "Sharma", "index": 1 }],
            "contact": { "email": "ravi@example.com", "phone": "98123" },
        })])
    }

    #[test]
    fn only_texts_without_people_numbers_addresses_and_accounts_stand_beside_ours() {
        for text in
            ["The fare is no longer sold.", "Flight AI 865 departs in 90 minutes; it costs 12345.50 now"]
        {
            assert_eq!(safe(text, &people()).as_deref(), Some(text));
        }
        for text in [
            "",
            "Passport 1234567 is unknown",
            "MR SHARMA/MIRA is booked already",
            "sharma is too young",
            "write to help@airline.example",
            "see https://airline.example/help",
            "see www.airline.example",
            "Insufficient balance",
            "your Credits are used up",
            "the account is closed",
        ] {
            assert_eq!(safe(text, &people()), None, "{text}");
        }
        assert_eq!(safe(&"a ".repeat(200), &people()), None);
    }

    #[test]
    fn an_error_never_speaks_of_an_account() {
        assert_eq!(shown("Sold out".to_owned()), "Sold out");
        assert_eq!(shown("Your wallet is empty".to_owned()), "the supplier has refused this");
    }

    #[test]
    fn what_is_refused_after_the_sale_can_not_be_had_of_another_offer() {
        use RefusalKind::{Expired, Gone, Other, PriceChanged};
        for (kind, sale, after_sale) in [
            (Expired, ReasonCode::OfferExpired, ReasonCode::TooLate),
            (Gone, ReasonCode::SoldOut, ReasonCode::NotChangeable),
            (Other, ReasonCode::Refused, ReasonCode::NotChangeable),
            (PriceChanged, ReasonCode::PriceChanged, ReasonCode::PriceChanged),
        ] {
            assert_eq!(code_of(kind, Moment::Sale), sale);
            assert_eq!(code_of(kind, Moment::AfterSale), after_sale);
        }
    }
}
