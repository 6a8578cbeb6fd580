//! That `wayfare_contract`'s lists of words are those of the types that the server has for them.

use std::collections::BTreeSet;

use serde_json::json;
use strum::VariantNames;
use wayfare_contract::{ACTOR_TYPES, ENTITY_TYPES, EVENT_TYPES, NOTIFICATION_KINDS, vocabulary};
use wayfare_domain::{
    AccountStatus, Actor, ActorKind, AuditEvent, BookingGroup, BookingStatus, BreakerState, ChangeKind,
    ChangeState, ChangeWish, ClosedBy, EventId, EventKind, FareKind, FeesRuling, Gender, HoldState,
    IncidentKind, IncidentOutcome, Notification, OperatorRole, OrderStatus, OrganizationId, PassengerType,
    PendingWhat, Period, ProductKind, ReasonCode, RefundStatus, ReportKind, ReportStatus, Retry, Role,
    RulingKind, RulingState, StepKind, TELLS_PEOPLE, TicketStatus, Tier, Title, VerificationState,
};
use wayfare_flights::{AncillaryKind, Cabin, FeeKind, OfferKind, RequiredOf, RequirementKind, TripType};
use wayfare_hotels::{GuestKind, MealPlan, PaymentPlace};
use wayfare_operations::{
    events::webhooks::DeliveryState,
    hotels::{SortField, SortOrder},
};
use wayfare_pricing::{ApplyOn, MarkupKind};

use crate::resources::operator::bookings::CorrectedField;

#[test]
fn the_contracts_words_are_the_servers() {
    for (declared, known) in [
        (ACTOR_TYPES, ActorKind::WORDS),
        (vocabulary::AncillaryType::WORDS, AncillaryKind::WORDS),
        (vocabulary::ApplyOn::WORDS, ApplyOn::WORDS),
        (vocabulary::BookingGroup::WORDS, BookingGroup::WORDS),
        (vocabulary::BookingStatus::WORDS, BookingStatus::WORDS),
        (vocabulary::BreakerState::WORDS, BreakerState::WORDS),
        (vocabulary::Cabin::WORDS, Cabin::VARIANTS),
        (vocabulary::ChangeKind::WORDS, ChangeKind::WORDS),
        (vocabulary::ChangeState::WORDS, ChangeState::WORDS),
        (vocabulary::ChangeWish::WORDS, ChangeWish::WORDS),
        (vocabulary::ClosedBy::WORDS, ClosedBy::WORDS),
        (vocabulary::CorrectedField::WORDS, CorrectedField::WORDS),
        (vocabulary::DeliveryStatus::WORDS, DeliveryState::VARIANTS),
        (vocabulary::FareKind::WORDS, FareKind::WORDS),
        (vocabulary::FeeType::WORDS, FeeKind::VARIANTS),
        (vocabulary::FeesRuling::WORDS, FeesRuling::WORDS),
        (vocabulary::Gender::WORDS, Gender::VARIANTS),
        (vocabulary::GuestType::WORDS, GuestKind::WORDS),
        (vocabulary::HoldState::WORDS, HoldState::WORDS),
        (vocabulary::IncidentKind::WORDS, IncidentKind::WORDS),
        (vocabulary::IncidentOutcome::WORDS, IncidentOutcome::WORDS),
        (vocabulary::MarkupType::WORDS, MarkupKind::WORDS),
        (vocabulary::MealPlan::WORDS, MealPlan::WORDS),
        (vocabulary::OfferType::WORDS, OfferKind::VARIANTS),
        (vocabulary::OperatorRole::WORDS, OperatorRole::WORDS),
        (vocabulary::OrderStatus::WORDS, OrderStatus::WORDS),
        (vocabulary::PassengerType::WORDS, PassengerType::WORDS),
        (vocabulary::PaymentType::WORDS, PaymentPlace::WORDS),
        (vocabulary::PendingWhat::WORDS, PendingWhat::WORDS),
        (vocabulary::Period::WORDS, Period::VARIANTS),
        (vocabulary::ProductKind::WORDS, ProductKind::WORDS),
        (wayfare_contract::ReasonCode::WORDS, ReasonCode::WORDS),
        (vocabulary::RefundStatus::WORDS, RefundStatus::WORDS),
        (vocabulary::ReportStatus::WORDS, ReportStatus::WORDS),
        (vocabulary::ReportType::WORDS, ReportKind::WORDS),
        (vocabulary::RequiredOf::WORDS, RequiredOf::WORDS),
        (vocabulary::RequirementKind::WORDS, RequirementKind::WORDS),
        (wayfare_contract::Retry::WORDS, Retry::WORDS),
        (vocabulary::Role::WORDS, Role::WORDS),
        (vocabulary::RulingKind::WORDS, RulingKind::WORDS),
        (vocabulary::RulingState::WORDS, RulingState::WORDS),
        (vocabulary::SortField::WORDS, SortField::VARIANTS),
        (vocabulary::SortOrder::WORDS, SortOrder::VARIANTS),
        (vocabulary::Standing::WORDS, AccountStatus::WORDS),
        (vocabulary::StepKind::WORDS, StepKind::WORDS),
        (vocabulary::Subscription::WORDS, Tier::WORDS),
        (vocabulary::TicketStatus::WORDS, TicketStatus::WORDS),
        (vocabulary::Title::WORDS, Title::VARIANTS),
        (vocabulary::TripType::WORDS, TripType::WORDS),
        (vocabulary::VerificationState::WORDS, VerificationState::WORDS),
    ] {
        assert_eq!(declared, known);
    }
    for word in Role::WORDS {
        let known: Role = word.parse().unwrap();
        assert_eq!(vocabulary::Role::from(*word).is_admin(), known.is_admin(), "{word}");
    }
    assert!(EventKind::published().map(EventKind::text).eq(EVENT_TYPES.iter().copied()));
    assert!(EventKind::entities().into_iter().eq(ENTITY_TYPES.iter().copied()));
}

#[test]
fn the_contracts_kinds_of_notifications_are_the_servers() {
    let at = "2026-03-01T00:00:00Z".parse().unwrap();
    let event = |action: EventKind| AuditEvent {
        id: EventId::at(at),
        organization: OrganizationId::at(at),
        actor: Actor::system(),
        action,
        entity_id: "FA-7K2M9QX4".to_owned(),
        old_value: None,
        new_value: Some(json!({ TELLS_PEOPLE: true })),
        at,
    };
    let notifications = EventKind::ALL.iter().filter_map(|action| Notification::of(&event(*action)));
    let kinds: BTreeSet<&str> = notifications.map(|notification| notification.kind).collect();
    assert_eq!(kinds, NOTIFICATION_KINDS.iter().copied().collect());
}
