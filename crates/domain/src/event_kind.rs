//! The kinds of audit events: every change that is written down, by name.

use strum::{AsRefStr, EnumString, IntoStaticStr, VariantArray};

/// What happened; its text is the dotted name that is stored and shown, and stands in `docs/API.md`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, AsRefStr, EnumString, IntoStaticStr, VariantArray,
)]
pub enum EventKind {
    /// A booking was asked for; its money is held.
    #[strum(serialize = "booking.requested")]
    BookingRequested,
    /// Every supplier has its order.
    #[strum(serialize = "booking.confirmed")]
    BookingConfirmed,
    /// Nothing was bought and nothing charged.
    #[strum(serialize = "booking.failed")]
    BookingFailed,
    /// An order of a booking that failed was given back (compensation).
    #[strum(serialize = "booking.order_undone")]
    BookingOrderUndone,
    /// A supplier refused to take such an order back.
    #[strum(serialize = "booking.undo_refused")]
    BookingUndoRefused,
    /// A cancellation was asked for.
    #[strum(serialize = "booking.cancel_requested")]
    BookingCancelRequested,
    /// All of it is cancelled.
    #[strum(serialize = "booking.cancelled")]
    BookingCancelled,
    /// The supplier refused to cancel.
    #[strum(serialize = "booking.cancel_refused")]
    BookingCancelRefused,
    /// One of several orders is cancelled.
    #[strum(serialize = "booking.partly_cancelled")]
    BookingPartlyCancelled,
    /// Another booking stands in its place.
    #[strum(serialize = "booking.rescheduled")]
    BookingRescheduled,
    /// A supplier let a hold go.
    #[strum(serialize = "booking.lapsed")]
    BookingLapsed,
    /// An airline changed flights.
    #[strum(serialize = "booking.airline_changed")]
    BookingAirlineChanged,
    /// An SSR was asked for.
    #[strum(serialize = "booking.service_requested")]
    BookingServiceRequested,
    /// It was added.
    #[strum(serialize = "booking.service_added")]
    BookingServiceAdded,
    /// The supplier refused it.
    #[strum(serialize = "booking.service_refused")]
    BookingServiceRefused,
    /// The tickets of a hold were asked for.
    #[strum(serialize = "ticket.requested")]
    TicketRequested,
    /// Tickets are issued.
    #[strum(serialize = "ticket.issued")]
    TicketIssued,
    /// The supplier refused to issue them.
    #[strum(serialize = "ticket.refused")]
    TicketRefused,
    /// Money came back to the wallet.
    #[strum(serialize = "refund.completed")]
    RefundCompleted,
    /// An admin gave money to an agent.
    #[strum(serialize = "wallet.allocated")]
    WalletAllocated,
    /// Money went back to the organization's wallet.
    #[strum(serialize = "wallet.deallocated")]
    WalletDeallocated,
    /// Money came in from outside.
    #[strum(serialize = "wallet.topped_up")]
    WalletToppedUp,
    /// The operator took money out.
    #[strum(serialize = "wallet.deducted")]
    WalletDeducted,
    /// The wallet has run low.
    #[strum(serialize = "wallet.low_balance")]
    WalletLowBalance,
    /// The operator changed the credit limit.
    #[strum(serialize = "wallet.credit_limit_changed")]
    WalletCreditLimitChanged,
    /// The operator froze it.
    #[strum(serialize = "wallet.frozen")]
    WalletFrozen,
    /// The operator thawed it.
    #[strum(serialize = "wallet.unfrozen")]
    WalletUnfrozen,
    /// Earned markups were paid into the organization's wallet.
    #[strum(serialize = "markup.settled")]
    MarkupSettled,
    /// A report was asked for.
    #[strum(serialize = "report.requested")]
    ReportRequested,
    /// Its file is there.
    #[strum(serialize = "report.ready")]
    ReportReady,
    /// It could not be made.
    #[strum(serialize = "report.failed")]
    ReportFailed,
    /// A user was created.
    #[strum(serialize = "user.created")]
    UserCreated,
    /// A user's name or phone changed.
    #[strum(serialize = "user.updated")]
    UserUpdated,
    /// A user was suspended.
    #[strum(serialize = "user.suspended")]
    UserSuspended,
    /// A user was activated again.
    #[strum(serialize = "user.activated")]
    UserActivated,
    /// A user was deleted.
    #[strum(serialize = "user.deleted")]
    UserDeleted,
    /// A user changed their password.
    #[strum(serialize = "user.password_changed")]
    UserPasswordChanged,
    /// The operator set a user's password.
    #[strum(serialize = "user.password_reset")]
    UserPasswordReset,
    /// A log-in was refused.
    #[strum(serialize = "auth.login_refused")]
    AuthLoginRefused,
    /// A user logged out.
    #[strum(serialize = "auth.logged_out")]
    AuthLoggedOut,
    /// A spent refresh token was used again, which ends the session.
    #[strum(serialize = "auth.token_reused")]
    AuthTokenReused,
    /// The operator created the agency.
    #[strum(serialize = "organization.created")]
    OrganizationCreated,
    /// Its profile changed.
    #[strum(serialize = "organization.updated")]
    OrganizationUpdated,
    /// The operator suspended it.
    #[strum(serialize = "organization.suspended")]
    OrganizationSuspended,
    /// The operator activated it again.
    #[strum(serialize = "organization.activated")]
    OrganizationActivated,
    /// A setting of the agency changed.
    #[strum(serialize = "setting.updated")]
    SettingUpdated,
    /// What the platform charges the agency changed.
    #[strum(serialize = "terms.updated")]
    TermsUpdated,
    /// A supplier's commission was agreed or changed.
    #[strum(serialize = "contract.set")]
    ContractSet,
    /// A supplier's commission ended.
    #[strum(serialize = "contract.removed")]
    ContractRemoved,
    /// A markup package for flights was created.
    #[strum(serialize = "package.created")]
    PackageCreated,
    /// It was changed.
    #[strum(serialize = "package.updated")]
    PackageUpdated,
    /// It was deleted.
    #[strum(serialize = "package.deleted")]
    PackageDeleted,
    /// It was assigned.
    #[strum(serialize = "package.assigned")]
    PackageAssigned,
    /// It was taken away.
    #[strum(serialize = "package.unassigned")]
    PackageUnassigned,
    /// A markup package for hotels was created.
    #[strum(serialize = "hotel_package.created")]
    HotelPackageCreated,
    /// It was changed.
    #[strum(serialize = "hotel_package.updated")]
    HotelPackageUpdated,
    /// It was deleted.
    #[strum(serialize = "hotel_package.deleted")]
    HotelPackageDeleted,
    /// It was assigned.
    #[strum(serialize = "hotel_package.assigned")]
    HotelPackageAssigned,
    /// It was taken away.
    #[strum(serialize = "hotel_package.unassigned")]
    HotelPackageUnassigned,
    /// An incident waits for the operator.
    #[strum(serialize = "exception.raised")]
    ExceptionRaised,
    /// The operator resolved it.
    #[strum(serialize = "exception.resolved")]
    ExceptionResolved,
    /// The service closed it by itself.
    #[strum(serialize = "exception.closed")]
    ExceptionClosed,
    /// A webhook was created.
    #[strum(serialize = "webhook.created")]
    WebhookCreated,
    /// It was changed.
    #[strum(serialize = "webhook.updated")]
    WebhookUpdated,
    /// It was deleted.
    #[strum(serialize = "webhook.deleted")]
    WebhookDeleted,
    /// It has a new secret.
    #[strum(serialize = "webhook.secret_rotated")]
    WebhookSecretRotated,
    /// A delivery was sent again by hand.
    #[strum(serialize = "webhook.redelivered")]
    WebhookRedelivered,
    /// The service switched it off: its receiver answered 410.
    #[strum(serialize = "webhook.disabled")]
    WebhookDisabled,
    /// An admin sent an event to try it.
    #[strum(serialize = "webhook.test")]
    WebhookTest,
}

impl EventKind {
    /// Every kind.
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;

    /// The dotted name, such as `booking.confirmed`.
    pub fn text(self) -> &'static str {
        self.into()
    }

    /// What kind of thing changed, such as `booking`.
    pub fn entity(self) -> &'static str {
        match self {
            Self::BookingRequested
            | Self::BookingConfirmed
            | Self::BookingFailed
            | Self::BookingOrderUndone
            | Self::BookingUndoRefused
            | Self::BookingCancelRequested
            | Self::BookingCancelled
            | Self::BookingCancelRefused
            | Self::BookingPartlyCancelled
            | Self::BookingRescheduled
            | Self::BookingLapsed
            | Self::BookingAirlineChanged
            | Self::BookingServiceRequested
            | Self::BookingServiceAdded
            | Self::BookingServiceRefused
            | Self::TicketRequested
            | Self::TicketIssued
            | Self::TicketRefused
            | Self::RefundCompleted => "booking",
            Self::WalletAllocated
            | Self::WalletDeallocated
            | Self::WalletToppedUp
            | Self::WalletDeducted
            | Self::WalletLowBalance
            | Self::WalletCreditLimitChanged
            | Self::WalletFrozen
            | Self::WalletUnfrozen
            | Self::MarkupSettled => "wallet",
            Self::ReportRequested | Self::ReportReady | Self::ReportFailed => "report",
            Self::UserCreated
            | Self::UserUpdated
            | Self::UserSuspended
            | Self::UserActivated
            | Self::UserDeleted
            | Self::UserPasswordChanged
            | Self::UserPasswordReset
            | Self::AuthLoginRefused => "user",
            Self::AuthLoggedOut | Self::AuthTokenReused => "session",
            Self::OrganizationCreated
            | Self::OrganizationUpdated
            | Self::OrganizationSuspended
            | Self::OrganizationActivated => "organization",
            Self::SettingUpdated => "setting",
            Self::TermsUpdated => "terms",
            Self::ContractSet | Self::ContractRemoved => "contract",
            Self::PackageCreated
            | Self::PackageUpdated
            | Self::PackageDeleted
            | Self::PackageAssigned
            | Self::PackageUnassigned => "package",
            Self::HotelPackageCreated
            | Self::HotelPackageUpdated
            | Self::HotelPackageDeleted
            | Self::HotelPackageAssigned
            | Self::HotelPackageUnassigned => "hotel_package",
            Self::ExceptionRaised | Self::ExceptionResolved | Self::ExceptionClosed => "exception",
            Self::WebhookCreated
            | Self::WebhookUpdated
            | Self::WebhookDeleted
            | Self::WebhookSecretRotated
            | Self::WebhookRedelivered
            | Self::WebhookDisabled
            | Self::WebhookTest => "webhook",
        }
    }

    /// Whether an agency's own programs may read it, as an [`crate::IntegrationEvent`].
    pub fn is_published(self) -> bool {
        matches!(
            self,
            Self::BookingRequested
                | Self::BookingConfirmed
                | Self::BookingFailed
                | Self::BookingCancelRequested
                | Self::BookingCancelled
                | Self::BookingCancelRefused
                | Self::BookingPartlyCancelled
                | Self::BookingRescheduled
                | Self::BookingLapsed
                | Self::BookingAirlineChanged
                | Self::BookingServiceRequested
                | Self::BookingServiceAdded
                | Self::BookingServiceRefused
                | Self::TicketRequested
                | Self::TicketIssued
                | Self::TicketRefused
                | Self::RefundCompleted
                | Self::WalletAllocated
                | Self::WalletDeallocated
                | Self::WalletToppedUp
                | Self::WalletDeducted
                | Self::WalletLowBalance
                | Self::WalletCreditLimitChanged
                | Self::WalletFrozen
                | Self::WalletUnfrozen
                | Self::ReportReady
                | Self::ReportFailed
                | Self::UserCreated
                | Self::UserSuspended
                | Self::UserActivated
                | Self::UserDeleted
                | Self::WebhookDisabled
                | Self::WebhookTest
        )
    }

    /// The kinds that are published.
    pub fn published() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| kind.is_published())
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    /// The rows of the table of events in `docs/API.md`.
    fn rows() -> Vec<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/API.md");
        let docs = fs::read_to_string(&path).unwrap();
        let section = docs
            .split("\n## ")
            .find(|section| section.starts_with("Events"))
            .unwrap();
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        rows.map(str::to_owned).collect()
    }

    /// The names in backticks of the table's first column, and whether a dagger follows.
    fn documented() -> BTreeSet<(String, bool)> {
        let rows = rows();
        let first_columns = rows.iter().filter_map(|row| row.split('|').nth(1));
        let names = first_columns.flat_map(|column| {
            column.split(", ").map(|name| {
                let name = name.trim();
                let text = name.split('`').nth(1).unwrap();
                (text.to_owned(), name.ends_with('†'))
            })
        });
        names.collect()
    }

    #[test]
    fn the_docs_list_every_event_and_mark_those_that_are_published() {
        let kinds: BTreeSet<(String, bool)> = EventKind::ALL
            .iter()
            .map(|kind| (kind.text().to_owned(), kind.is_published()))
            .collect();
        assert_eq!(documented(), kinds);
    }

    #[test]
    fn the_docs_name_the_entity_of_every_event() {
        let rows = rows();
        for kind in EventKind::ALL {
            let name = format!("`{}`", kind.text());
            let row = rows.iter().find(|row| row.contains(&name));
            let entity = row.and_then(|row| row.split('|').nth(2)).map(str::trim);
            assert_eq!(entity, Some(kind.entity()), "{name}");
        }
    }

    #[test]
    fn a_name_is_read_as_its_kind() {
        for kind in EventKind::ALL {
            assert_eq!(kind.text().parse::<EventKind>(), Ok(*kind));
        }
    }
}
