//! What is wanted of travellers beside their names, and whether something can be held, as answers print it.

use wayfare_contract::flights::{HoldTerms, Requirement};
use wayfare_flights::Requirements;

/// Each thing that is wanted, or taken.
pub fn requirements(requires: &Requirements) -> Vec<Requirement> {
    requires.iter().map(requirement).collect()
}

fn requirement(requirement: &wayfare_flights::Requirement) -> Requirement {
    Requirement {
        what: requirement.what.as_ref().into(),
        whom: requirement.whom.as_ref().into(),
        fields: requirement.fields().iter().map(|field| (*field).to_owned()).collect(),
        mandatory: requirement.mandatory,
        // No supplier wants anything later, or says by when.
        due: "booking".to_owned(),
        due_at: None,
        valid_until: requirement.valid_until,
        airlines: requirement.airlines.clone(),
        text: requirement.text().to_owned(),
    }
}

/// Whether something can be held and paid later, and until when.
pub fn hold_terms(terms: wayfare_flights::HoldTerms) -> HoldTerms {
    let wayfare_flights::HoldTerms { can_hold, pay_by, price_guaranteed_until } = terms;
    HoldTerms { can_hold, pay_by, price_guaranteed_until }
}
