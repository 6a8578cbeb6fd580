//! That the contract's lists of words are those of the types that the server has for them.

use strum::VariantNames;
use wayfare_contract::{ACTOR_TYPES, ENTITY_TYPES, words};
use wayfare_domain::{
    AccountStatus, ActorKind, BookingStatus, BreakerState, ClosedBy, EventKind, FeesRuling, IncidentKind,
    IncidentOutcome, OperatorRole, ProductKind, Role, RulingKind, RulingState, StepKind, Tier,
    VerificationState,
};
use wayfare_flights::Cabin;
use wayfare_pricing::MarkupKind;

use crate::resources::operator::bookings::CorrectedField;

#[test]
fn the_contracts_words_are_the_servers() {
    for (declared, known) in [
        (ACTOR_TYPES, ActorKind::WORDS),
        (words::BookingStatus::WORDS, BookingStatus::WORDS),
        (words::BreakerState::WORDS, BreakerState::WORDS),
        (words::Cabin::WORDS, Cabin::VARIANTS),
        (words::ClosedBy::WORDS, ClosedBy::WORDS),
        (words::CorrectedField::WORDS, CorrectedField::WORDS),
        (words::FeesRuling::WORDS, FeesRuling::WORDS),
        (words::IncidentKind::WORDS, IncidentKind::WORDS),
        (words::IncidentOutcome::WORDS, IncidentOutcome::WORDS),
        (words::MarkupType::WORDS, MarkupKind::WORDS),
        (words::OperatorRole::WORDS, OperatorRole::WORDS),
        (words::ProductKind::WORDS, ProductKind::WORDS),
        (words::Role::WORDS, Role::WORDS),
        (words::RulingKind::WORDS, RulingKind::WORDS),
        (words::RulingState::WORDS, RulingState::WORDS),
        (words::Standing::WORDS, AccountStatus::WORDS),
        (words::StepKind::WORDS, StepKind::WORDS),
        (words::Subscription::WORDS, Tier::WORDS),
        (words::VerificationState::WORDS, VerificationState::WORDS),
    ] {
        assert_eq!(declared, known);
    }
    assert!(EventKind::entities().into_iter().eq(ENTITY_TYPES.iter().copied()));
}
