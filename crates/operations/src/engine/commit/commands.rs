//! The commands of the group commit: what has to be known of each before it is decided, and who decides it.

use wayfare_domain::OrganizationId;
use wayfare_store::money::wallets::Owner;

use super::{batch::Deciding, load::Wanted};
use crate::{
    Result,
    engine::{
        booking_state::BookingState,
        complete::{self, CompleteStep},
        open_booking::{self, OpenBooking, OpenResult},
        ruling::{self, Rule, RulingMade},
    },
    money::{
        markup_payout::{self, MarkupPaid, MarkupPayout},
        wallet_transfer::{self, Moved, WalletTransfer},
    },
};

pub(crate) trait Command: Send + 'static {
    /// What whoever asked for it is answered.
    type Answer: Send + 'static;

    fn organization(&self) -> OrganizationId;

    /// Notes what has to be loaded and locked for it.
    fn need<'a>(&'a self, wanted: &mut Wanted<'a>);

    fn decide<'a>(&'a self, batch: &mut Deciding<'a>) -> Result<Self::Answer>;

    /// Whose wallet it moves money on, if it is one and nothing but it decides.
    fn only_wallet(&self) -> Option<Owner> {
        None
    }
}

impl Command for OpenBooking {
    type Answer = OpenResult;

    fn organization(&self) -> OrganizationId {
        self.caller.organization()
    }

    fn need<'a>(&'a self, wanted: &mut Wanted<'a>) {
        wanted.owners.push(self.caller.payer());
        wanted.quotes.push((self.caller.organization(), self.quote));
        wanted.keys.extend(self.used_key());
        wanted.fingerprints.extend(self.fingerprints());
        wanted.originals.extend(self.original);
    }

    fn decide<'a>(&'a self, batch: &mut Deciding<'a>) -> Result<OpenResult> {
        open_booking::open(&batch.engine.core, self, &mut batch.state, &mut batch.writes)
    }
}

impl Command for CompleteStep {
    type Answer = BookingState;

    fn organization(&self) -> OrganizationId {
        self.step.organization
    }

    fn need<'a>(&'a self, wanted: &mut Wanted<'a>) {
        wanted.completions.push(self);
        let booking = (self.step.organization, self.step.booking);
        wanted.cancellations.extend(self.may_give_back().then_some(booking));
    }

    fn decide<'a>(&'a self, batch: &mut Deciding<'a>) -> Result<BookingState> {
        let first = batch.state.open.contains(&self.step.id);
        let after =
            complete::complete(batch.engine, self, &mut batch.state, &mut batch.writes, &mut batch.raised)?;
        if first {
            batch.completed.push((&self.actor, &self.step));
        }
        Ok(after)
    }
}

impl Command for WalletTransfer {
    type Answer = Moved;

    fn organization(&self) -> OrganizationId {
        self.organization
    }

    fn need<'a>(&'a self, wanted: &mut Wanted<'a>) {
        wanted.owners.extend(self.owners());
        wanted.keys.extend(self.used_key());
        wanted.transfers.push((self.organization, &self.key));
        wanted.credited.extend(self.credited_user());
    }

    fn decide<'a>(&'a self, batch: &mut Deciding<'a>) -> Result<Moved> {
        wallet_transfer::decide(&batch.engine.core, self, &mut batch.state.money, &mut batch.writes)
    }

    fn only_wallet(&self) -> Option<Owner> {
        // Whether a user who gets money is deleted has to be asked.
        if self.credited_user().is_some() {
            return None;
        }
        let mut owners = self.owners();
        owners.next().filter(|_| owners.next().is_none())
    }
}

impl Command for MarkupPayout {
    type Answer = Option<MarkupPaid>;

    fn organization(&self) -> OrganizationId {
        self.organization
    }

    fn need<'a>(&'a self, wanted: &mut Wanted<'a>) {
        wanted.owners.push(self.owner());
        wanted.transfers.push((self.organization, &self.key));
        wanted.payouts.push(self.organization);
    }

    fn decide<'a>(&'a self, batch: &mut Deciding<'a>) -> Result<Option<MarkupPaid>> {
        markup_payout::decide(&batch.engine.core, self, &mut batch.state.money, &mut batch.writes)
    }
}

impl Command for Rule {
    type Answer = RulingMade;

    fn organization(&self) -> OrganizationId {
        self.organization
    }

    fn need<'a>(&'a self, wanted: &mut Wanted<'a>) {
        // The organization's too: it gets and pays what a deleted user would.
        wanted.owners.extend([Owner::Organization(self.organization), self.payer]);
        if let Owner::User(organization, user) = self.payer {
            wanted.credited.push((organization, user));
        }
        wanted.rules.push(self);
    }

    fn decide<'a>(&'a self, batch: &mut Deciding<'a>) -> Result<RulingMade> {
        ruling::decide(&batch.engine.core, self, &mut batch.state, &mut batch.writes, &mut batch.settled)
    }
}
