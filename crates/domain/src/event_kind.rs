//! The kinds of audit events: every change that is written down, by name.

use std::collections::BTreeSet;

use strum::{AsRefStr, EnumString, IntoStaticStr, VariantArray};

/// Each kind with its stored name, what kind of thing changed, and whether an agency's own programs may read it.
macro_rules! event_kinds {
    ($($(#[$doc:meta])* $kind:ident = $text:literal of $entity:literal, $readers:ident;)*) => {
        /// What happened; its text is the dotted name that is stored and shown, and stands in `docs/API.md`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[derive(AsRefStr, EnumString, IntoStaticStr, VariantArray)]
        #[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
        pub enum EventKind {
            $($(#[$doc])* #[strum(serialize = $text)] $kind,)*
        }

        impl EventKind {
            /// What kind of thing changed, such as `booking`.
            pub fn entity(self) -> &'static str {
                match self {
                    $(Self::$kind => $entity,)*
                }
            }

            fn readers(self) -> Readers {
                match self {
                    $(Self::$kind => Readers::$readers,)*
                }
            }
        }
    };
}

event_kinds! {
    /// A booking was asked for; its money is held.
    BookingRequested = "booking.requested" of "booking", Programs;
    /// Every supplier has its order.
    BookingConfirmed = "booking.confirmed" of "booking", Programs;
    /// Nothing was bought and nothing charged.
    BookingFailed = "booking.failed" of "booking", Programs;
    /// An order of a booking that failed was given back (compensation).
    BookingOrderUndone = "booking.order_undone" of "booking", People;
    /// A supplier refused to take such an order back.
    BookingUndoRefused = "booking.undo_refused" of "booking", People;
    /// A cancellation was asked for.
    BookingCancelRequested = "booking.cancel_requested" of "booking", Programs;
    /// All of it is cancelled.
    BookingCancelled = "booking.cancelled" of "booking", Programs;
    /// The supplier refused to cancel.
    BookingCancelRefused = "booking.cancel_refused" of "booking", Programs;
    /// One of several orders is cancelled.
    BookingPartlyCancelled = "booking.partly_cancelled" of "booking", Programs;
    /// Another booking stands in its place.
    BookingRescheduled = "booking.rescheduled" of "booking", Programs;
    /// A supplier let a hold go.
    BookingLapsed = "booking.lapsed" of "booking", Programs;
    /// A hold has to be paid soon.
    BookingHoldExpiring = "booking.hold_expiring" of "booking", Programs;
    /// A hold loses its price soon, or has lost it.
    BookingHoldPriceEnding = "booking.hold_price_ending" of "booking", Programs;
    /// All that was held is paid.
    BookingHoldPaid = "booking.hold_paid" of "booking", Programs;
    /// Somebody has it ticketed by itself, or no more.
    BookingAutoTicketSet = "booking.auto_ticket_set" of "booking", People;
    /// A supplier cancelled an order by itself.
    BookingCancelledBySupplier = "booking.cancelled_by_supplier" of "booking", Programs;
    /// A hotel told its own number of a stay.
    BookingHotelConfirmed = "booking.hotel_confirmed" of "booking", Programs;
    /// A stay begins soon whose hotel has not told its own number.
    BookingHotelUnconfirmed = "booking.hotel_unconfirmed" of "booking", Programs;
    /// An airline changed flights.
    BookingAirlineChanged = "booking.airline_changed" of "booking", Programs;
    /// A schedule change has to be decided on soon.
    BookingChangeExpiring = "booking.change_expiring" of "booking", Programs;
    /// Somebody wants to accept a schedule change.
    BookingChangeAcceptRequested = "booking.change_accept_requested" of "booking", People;
    /// A schedule change is accepted.
    BookingChangeAccepted = "booking.change_accepted" of "booking", Programs;
    /// It was not: the supplier does not take that, or a newer change is there.
    BookingChangeAcceptRefused = "booking.change_accept_refused" of "booking", Programs;
    /// The agency refused a schedule change.
    BookingChangeRefused = "booking.change_refused" of "booking", Programs;
    /// An exchange was asked for.
    BookingJourneyChangeRequested = "booking.journey_change_requested" of "booking", People;
    /// The exchange was made.
    BookingChanged = "booking.changed" of "booking", Programs;
    /// The supplier did not make the exchange.
    BookingJourneyChangeRefused = "booking.journey_change_refused" of "booking", Programs;
    /// An SSR was asked for.
    BookingServiceRequested = "booking.service_requested" of "booking", Programs;
    /// The SSR was added, and paid.
    BookingServiceAdded = "booking.service_added" of "booking", Programs;
    /// The supplier refused it.
    BookingServiceRefused = "booking.service_refused" of "booking", Programs;
    /// The tickets of a hold were asked for.
    TicketRequested = "ticket.requested" of "booking", Programs;
    /// Tickets are issued.
    TicketIssued = "ticket.issued" of "booking", Programs;
    /// The supplier refused to issue them.
    TicketRefused = "ticket.refused" of "booking", Programs;
    /// A hold that was to be ticketed by itself was not.
    TicketAutoRefused = "ticket.auto_refused" of "booking", Programs;
    /// Money came back to the wallet.
    RefundCompleted = "refund.completed" of "booking", Programs;
    /// More came back by the operator's ruling.
    RefundAdjusted = "refund.adjusted" of "booking", Programs;
    /// A supplier charged for a booking after the sale, and the wallet paid.
    BookingDebitNote = "booking.debit_note" of "booking", Programs;
    /// It did, and the wallet could not pay yet.
    BookingDebitDue = "booking.debit_due" of "booking", Programs;
    /// What a wallet could not pay yet is not charged any more.
    BookingDebitWithdrawn = "booking.debit_withdrawn" of "booking", Programs;
    /// The operator bore what a supplier charged.
    BookingWrittenOff = "booking.written_off" of "exception", People;
    /// The operator corrected a number of an order.
    BookingCorrected = "booking.corrected" of "booking", People;
    /// An admin gave money to an agent.
    WalletAllocated = "wallet.allocated" of "wallet", Programs;
    /// Money went back to the organization's wallet.
    WalletDeallocated = "wallet.deallocated" of "wallet", Programs;
    /// An admin of the agency was given all that is stored of whom a booking is for.
    PeopleExported = "people.exported" of "booking", People;
    /// The operator was.
    PeopleRead = "people.read" of "booking", People;
    /// It was erased whom a booking is for.
    PeopleErased = "people.erased" of "booking", People;
    /// Money came in from outside.
    WalletToppedUp = "wallet.topped_up" of "wallet", Programs;
    /// The operator took money out.
    WalletDeducted = "wallet.deducted" of "wallet", Programs;
    /// The wallet has run low.
    WalletLowBalance = "wallet.low_balance" of "wallet", Programs;
    /// The operator changed the credit limit.
    WalletCreditLimitChanged = "wallet.credit_limit_changed" of "wallet", Programs;
    /// The operator froze it.
    WalletFrozen = "wallet.frozen" of "wallet", Programs;
    /// The operator thawed it.
    WalletUnfrozen = "wallet.unfrozen" of "wallet", Programs;
    /// Earned markups were paid into the organization's wallet.
    MarkupSettled = "markup.settled" of "wallet", People;
    /// A report was asked for.
    ReportRequested = "report.requested" of "report", People;
    /// Its file is there.
    ReportReady = "report.ready" of "report", Programs;
    /// It could not be made.
    ReportFailed = "report.failed" of "report", Programs;
    /// A user was created.
    UserCreated = "user.created" of "user", Programs;
    /// A user's name or phone changed.
    UserUpdated = "user.updated" of "user", People;
    /// A user was suspended.
    UserSuspended = "user.suspended" of "user", Programs;
    /// A user was activated again.
    UserActivated = "user.activated" of "user", Programs;
    /// A user was deleted.
    UserDeleted = "user.deleted" of "user", Programs;
    /// A user changed their password.
    UserPasswordChanged = "user.password_changed" of "user", People;
    /// The operator set a user's password.
    UserPasswordReset = "user.password_reset" of "user", People;
    /// A log-in was refused.
    AuthLoginRefused = "auth.login_refused" of "user", People;
    /// A user logged out.
    AuthLoggedOut = "auth.logged_out" of "session", People;
    /// A spent refresh token was used again, which ends the session.
    AuthTokenReused = "auth.token_reused" of "session", People;
    /// The operator created the agency.
    OrganizationCreated = "organization.created" of "organization", People;
    /// Its profile changed.
    OrganizationUpdated = "organization.updated" of "organization", People;
    /// The operator suspended it.
    OrganizationSuspended = "organization.suspended" of "organization", People;
    /// The operator activated it again.
    OrganizationActivated = "organization.activated" of "organization", People;
    /// A setting of the agency changed.
    SettingUpdated = "setting.updated" of "setting", People;
    /// What the platform charges the agency changed.
    TermsUpdated = "terms.updated" of "terms", People;
    /// A supplier's commission was agreed or changed.
    ContractSet = "contract.set" of "contract", People;
    /// A supplier's commission ended.
    ContractRemoved = "contract.removed" of "contract", People;
    /// A markup package for flights was created.
    PackageCreated = "package.created" of "package", People;
    /// The package was edited.
    PackageUpdated = "package.updated" of "package", People;
    /// The package was deleted, and its assignments with it.
    PackageDeleted = "package.deleted" of "package", People;
    /// The package was assigned to an agent or the agency.
    PackageAssigned = "package.assigned" of "package", People;
    /// An agent or the agency has the package no more.
    PackageUnassigned = "package.unassigned" of "package", People;
    /// A markup package for hotels was created.
    HotelPackageCreated = "hotel_package.created" of "hotel_package", People;
    /// The package was edited.
    HotelPackageUpdated = "hotel_package.updated" of "hotel_package", People;
    /// The package was deleted, and its assignments with it.
    HotelPackageDeleted = "hotel_package.deleted" of "hotel_package", People;
    /// The package was assigned to an agent or the agency.
    HotelPackageAssigned = "hotel_package.assigned" of "hotel_package", People;
    /// An agent or the agency has the package no more.
    HotelPackageUnassigned = "hotel_package.unassigned" of "hotel_package", People;
    /// An incident waits for the operator.
    ExceptionRaised = "exception.raised" of "exception", People;
    /// The operator resolved it.
    ExceptionResolved = "exception.resolved" of "exception", People;
    /// Another operator works on it than the one who had claimed it.
    ExceptionTakenOver = "exception.taken_over" of "exception", People;
    /// The service closed it by itself.
    ExceptionClosed = "exception.closed" of "exception", People;
    /// A webhook was created.
    WebhookCreated = "webhook.created" of "webhook", People;
    /// The webhook was edited.
    WebhookUpdated = "webhook.updated" of "webhook", People;
    /// The webhook was deleted.
    WebhookDeleted = "webhook.deleted" of "webhook", People;
    /// It has a new secret.
    WebhookSecretRotated = "webhook.secret_rotated" of "webhook", People;
    /// A delivery was sent again by hand.
    WebhookRedelivered = "webhook.redelivered" of "webhook", People;
    /// The service switched it off: its receiver answered 410.
    WebhookDisabled = "webhook.disabled" of "webhook", Programs;
    /// An admin sent an event to try it.
    WebhookTest = "webhook.test" of "webhook", Programs;
}

/// Who may read events of a kind.
#[derive(PartialEq)]
enum Readers {
    /// People with a right to the audit log.
    People,
    /// The agency's own programs, too.
    Programs,
}

impl EventKind {
    /// Every kind.
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;

    /// The dotted name, such as `booking.confirmed`.
    pub fn text(self) -> &'static str {
        self.into()
    }

    /// Whether an agency's own programs may read it, as an [`crate::IntegrationEvent`].
    pub fn is_published(self) -> bool {
        self.readers() == Readers::Programs
    }

    /// Whether whoever sees a booking sees that this happened to it. Who has read whom it is for, only the audit log tells.
    pub fn is_of_timelines(self) -> bool {
        self.entity() == "booking" && !matches!(self, Self::PeopleExported | Self::PeopleRead)
    }

    /// The kinds that timelines of bookings have.
    pub fn of_timelines() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| kind.is_of_timelines())
    }

    /// Each kind of thing that changes, once.
    pub fn entities() -> BTreeSet<&'static str> {
        Self::ALL.iter().map(|kind| kind.entity()).collect()
    }

    /// The kinds that are published.
    pub fn published() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| kind.is_published())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_its_kind() {
        for kind in EventKind::ALL {
            assert_eq!(kind.text().parse::<EventKind>(), Ok(*kind));
        }
    }
}
