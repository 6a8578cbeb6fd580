//! That `wayfare_contract`'s lists of words are those of the types that the server has for them.

use strum::VariantNames;
use wayfare_contract::{ACTOR_TYPES, ENTITY_TYPES, vocabulary};
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
        (vocabulary::BookingStatus::WORDS, BookingStatus::WORDS),
        (vocabulary::BreakerState::WORDS, BreakerState::WORDS),
        (vocabulary::Cabin::WORDS, Cabin::VARIANTS),
        (vocabulary::ClosedBy::WORDS, ClosedBy::WORDS),
        (vocabulary::CorrectedField::WORDS, CorrectedField::WORDS),
        (vocabulary::FeesRuling::WORDS, FeesRuling::WORDS),
        (vocabulary::IncidentKind::WORDS, IncidentKind::WORDS),
        (vocabulary::IncidentOutcome::WORDS, IncidentOutcome::WORDS),
        (vocabulary::MarkupType::WORDS, MarkupKind::WORDS),
        (vocabulary::OperatorRole::WORDS, OperatorRole::WORDS),
        (vocabulary::ProductKind::WORDS, ProductKind::WORDS),
        (vocabulary::Role::WORDS, Role::WORDS),
        (vocabulary::RulingKind::WORDS, RulingKind::WORDS),
        (vocabulary::RulingState::WORDS, RulingState::WORDS),
        (vocabulary::Standing::WORDS, AccountStatus::WORDS),
        (vocabulary::StepKind::WORDS, StepKind::WORDS),
        (vocabulary::Subscription::WORDS, Tier::WORDS),
        (vocabulary::VerificationState::WORDS, VerificationState::WORDS),
    ] {
        assert_eq!(declared, known);
    }
    assert!(EventKind::entities().into_iter().eq(ENTITY_TYPES.iter().copied()));
}
