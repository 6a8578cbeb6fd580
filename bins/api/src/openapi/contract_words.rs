//! That `wayfare_contract`'s lists of words are those of the types that the server has for them.

use strum::VariantNames;
use wayfare_contract::{ACTOR_TYPES, ENTITY_TYPES, EVENT_TYPES, vocabulary};
use wayfare_domain::{
    AccountStatus, ActorKind, BookingStatus, BreakerState, ClosedBy, EventKind, FareKind, FeesRuling,
    IncidentKind, IncidentOutcome, OperatorRole, Period, ProductKind, ReportKind, ReportStatus, Role,
    RulingKind, RulingState, StepKind, Tier, VerificationState,
};
use wayfare_flights::Cabin;
use wayfare_operations::events::webhooks::DeliveryState;
use wayfare_pricing::{ApplyOn, MarkupKind};

use crate::resources::operator::bookings::CorrectedField;

#[test]
fn the_contracts_words_are_the_servers() {
    for (declared, known) in [
        (ACTOR_TYPES, ActorKind::WORDS),
        (vocabulary::ApplyOn::WORDS, ApplyOn::WORDS),
        (vocabulary::BookingStatus::WORDS, BookingStatus::WORDS),
        (vocabulary::BreakerState::WORDS, BreakerState::WORDS),
        (vocabulary::Cabin::WORDS, Cabin::VARIANTS),
        (vocabulary::ClosedBy::WORDS, ClosedBy::WORDS),
        (vocabulary::CorrectedField::WORDS, CorrectedField::WORDS),
        (vocabulary::DeliveryStatus::WORDS, DeliveryState::VARIANTS),
        (vocabulary::FareKind::WORDS, FareKind::WORDS),
        (vocabulary::FeesRuling::WORDS, FeesRuling::WORDS),
        (vocabulary::IncidentKind::WORDS, IncidentKind::WORDS),
        (vocabulary::IncidentOutcome::WORDS, IncidentOutcome::WORDS),
        (vocabulary::MarkupType::WORDS, MarkupKind::WORDS),
        (vocabulary::OperatorRole::WORDS, OperatorRole::WORDS),
        (vocabulary::Period::WORDS, Period::VARIANTS),
        (vocabulary::ProductKind::WORDS, ProductKind::WORDS),
        (vocabulary::ReportStatus::WORDS, ReportStatus::WORDS),
        (vocabulary::ReportType::WORDS, ReportKind::WORDS),
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
    assert!(EventKind::published().map(EventKind::text).eq(EVENT_TYPES.iter().copied()));
    assert!(EventKind::entities().into_iter().eq(ENTITY_TYPES.iter().copied()));
}
