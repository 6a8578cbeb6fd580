#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod audit_event;
mod booking;
mod card_number;
mod clock;
mod code;
mod digits;
mod event_kind;
mod fault;
mod flight_number;
mod id;
mod incident;
mod integration_event;
mod limits;
mod money;
mod name;
mod network;
mod notification;
mod operator;
mod order_part;
mod page;
mod papers;
mod people;
mod raw_answer;
mod reason;
mod report;
mod ruling;
mod scope;
mod short_decimal;
mod supplier_health;
mod text;
mod traveller;
mod verification;
mod western_digit;
mod word_enum;
mod zone;

pub use audit_event::{Actor, ActorKind, AuditEvent, Origin};
pub use booking::{
    Awaited, BookingGroup, BookingRef, BookingStatus, ChangeKind, ChangeState, ChangeWish, HoldState,
    KeptByTerms, KeptDays, OrderFacts, OrderReference, OrderStatus, PendingWhat, Product, ProductKind,
    ProductParts, RefundStatus, ReminderKind, SealedKind, StepKind, TicketStatus, Travel,
};
pub use card_number::{NO_CARD_NUMBER, has_card_number};
pub use clock::Clock;
pub use code::{AgencyCode, random_code};
pub use digits::Digits;
pub use event_kind::EventKind;
pub use fault::{Fault, Faults};
pub use flight_number::FlightKey;
pub use id::{
    AlarmId, AnswerId, AssignmentId, BookingId, ChangeId, ContractId, EventId, FareTransactionId, HoldId, Id,
    IncidentId, OperatorId, OrganizationId, PackageId, PriceRangeId, QuoteId, RefundId, ReportId, RulingId,
    SearchId, SessionId, SettingId, StepId, SupplierAnswerId, TokenId, TransferId, UserId, VerificationId,
    WalletId, WebhookId,
};
pub use incident::{AlarmKind, ClosedBy, IncidentKind, IncidentOutcome, SupplierCancellation};
pub use integration_event::IntegrationEvent;
pub use iso_currency::Currency;
pub use limits::{MOST_PACKAGES, MOST_UNFINISHED_REPORTS, MOST_WEBHOOKS};
pub use money::{Amount, Money, MoneyError, exact_number, minor_units, parse_currency};
pub use name::{
    Alphabet, NameMeaning, NameSimilarity, SaidTraveller, as_written, is_name, spellings, whose,
    with_plain_marks,
};
pub use network::{Network, NotANetwork};
pub use notification::{LAST_REMINDER, Notification, TELLS_ADMINS, TELLS_PEOPLE};
pub use operator::OperatorRole;
pub use order_part::{CancelledPart, OrderPart, PartOfJourney};
pub use page::{Anchor, ListRequest, Page, PageRequest, Period};
pub use papers::{
    BookingPapers, Document, DocumentNumber, FareDocument, FareDocumentKind, FareDocumentNumber, Gst,
    GstNumber, KnownTravellerNumber, Loyalty, LoyaltyNumber, Pan, Papers, RedressNumber, TaxId, TaxNumber,
};
pub use people::{Account, AccountStatus, Organization, Role, Tier, is_email};
pub use raw_answer::RawAnswer;
pub use reason::{ReasonCode, Retry};
pub use report::{ReportKind, ReportStatus};
pub use ruling::{FareKind, FeesRuling, RulingKind, RulingState};
pub use scope::Scope;
pub use supplier_health::BreakerState;
pub use text::{INVISIBLE, Remarks, is_invisible};
pub use traveller::{Contact, Gender, Party, PartyMember, PassengerType, Title, Traveller};
pub use verification::VerificationState;
pub use western_digit::western_digit;
pub use zone::{UnknownZone, Zone, ZoneOffset, ZoneRulesError};
