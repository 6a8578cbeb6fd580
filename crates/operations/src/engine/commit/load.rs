//! What the commands of one batch need to know: loaded and locked in one round trip, and in more only for what is rare.

use std::collections::{BTreeSet, HashMap};

use chrono::Duration;
use futures_util::try_join;
use wayfare_domain::{BookingId, OrganizationId, QuoteId, UserId};
use wayfare_store::{
    Batch,
    access::{idempotency, users},
    booking::{
        bookings,
        duplicates::{self, Fingerprints},
        quotes, refunds,
        steps::{self, Step},
    },
    money::{
        entries,
        wallets::{self, Locked, Owner},
    },
};

use super::{
    AnyJob,
    kept_seals::{KeptSeals, OnlyWallet},
};
use crate::{
    Core, Error, Result,
    access::idempotency::since,
    engine::{
        batch_state::{BatchState, Replaced, UsedBy},
        booking_state::{BookingState, is_live},
        complete::CompleteStep,
        ruling::{self, Rule},
    },
    money::locked_wallets::LockedWallets,
};

/// For so long nobody means to book the same again (P-20).
const DUPLICATE_WITHIN: Duration = Duration::minutes(10);

/// What has to be known of these commands.
#[derive(Default)]
pub(crate) struct Wanted<'a> {
    pub(super) completions: Vec<&'a CompleteStep>,
    /// The bookings of steps that may give something back.
    pub(super) cancellations: Vec<(OrganizationId, BookingId)>,
    pub(super) owners: Vec<Owner>,
    pub(super) quotes: Vec<(OrganizationId, QuoteId)>,
    /// Idempotency-Keys that they would use up.
    pub(super) keys: Vec<(OrganizationId, UserId, &'a str)>,
    pub(super) transfers: Vec<(OrganizationId, &'a str)>,
    pub(super) fingerprints: Vec<(OrganizationId, Fingerprints)>,
    /// Bookings that are to be replaced, always in the same order, so that two who lock several wait for each other and
    /// not both for ever.
    pub(super) originals: BTreeSet<(OrganizationId, BookingId)>,
    pub(super) credited: Vec<(OrganizationId, UserId)>,
    /// Organizations whose markups are paid out.
    pub(super) payouts: Vec<OrganizationId>,
    pub(super) rules: Vec<&'a Rule>,
}

impl<'a> Wanted<'a> {
    pub(super) fn by(jobs: &'a [Box<dyn AnyJob>]) -> Self {
        let mut wanted = Self::default();
        for job in jobs {
            job.need(&mut wanted);
        }
        wanted
    }

    /// Whether one round trip does not tell all.
    fn needs_more(&self) -> bool {
        !(self.cancellations.is_empty()
            && self.originals.is_empty()
            && self.credited.is_empty()
            && self.rules.is_empty()
            && self.payouts.is_empty())
    }
}

/// Begins, locks and asks, in one round trip. Wallets are locked first, all with one statement, so that two processes
/// which write for one agency wait for each other and not both for ever. What was kept of the wallets is forgotten; if it is
/// one alone, it comes with the state.
pub(super) async fn load_state(
    core: &Core,
    seals: &mut KeptSeals,
    batch: &mut Batch,
    wanted: Wanted<'_>,
) -> Result<(BatchState, Option<OnlyWallet>)> {
    let steps: Vec<&Step> = wanted.completions.iter().map(|completion| &completion.step).collect();
    let bookings: Vec<_> = steps.iter().map(|step| (step.organization, step.booking)).collect();
    // Most stand alone.
    let sagas: Vec<_> = steps
        .iter()
        .filter(|step| step.position < step.saga_length)
        .map(|step| (step.organization, step.saga))
        .collect();
    let connection = batch.connection()?;
    let duplicates_since = core.clock.now() - DUPLICATE_WITHIN;
    let (_, locked, quotes, used_keys, made, duplicates, completion, planned, mut orders, mut refunds) = try_join!(
        batch.begin(),
        wallets::lock_for(connection, &wanted.owners, &steps),
        quotes::lock_all(connection, &wanted.quotes),
        idempotency::used(connection, &wanted.keys, since(core)),
        entries::made(connection, &wanted.transfers),
        duplicates::duplicates(connection, &wanted.fingerprints, duplicates_since),
        bookings::lock_for(connection, &steps),
        steps::planned_in(connection, &sagas),
        bookings::orders_of(connection, &bookings),
        refunds::of_all(connection, &wanted.cancellations),
    )?;
    let mut state = BatchState {
        money: LockedWallets { used_keys, made, ..LockedWallets::default() },
        duplicates,
        planned,
        ..BatchState::default()
    };
    let only = take_wallets(seals, &mut state.money, locked);
    for locked in completion {
        let id = locked.booking.id;
        if locked.open {
            state.open.insert(locked.step);
        }
        state.bookings.entry(id).or_insert_with(|| BookingState {
            booking: locked.booking,
            orders: orders.remove(&id).unwrap_or_default(),
            refunds: refunds.remove(&id).unwrap_or_default(),
            begun: Vec::new(),
        });
    }
    for (quote, used) in quotes {
        let used = match used {
            Some(booking) => Some(user_of_quote(batch, &wanted, quote, booking).await?),
            None => None,
        };
        state.quotes.insert(quote, used);
    }
    if wanted.needs_more() {
        redirect_deleted_users(batch, &wanted, &mut state).await?;
        find_originals(batch, &wanted, &mut state).await?;
        let connection = batch.connection_mut()?;
        // Their wallets are locked by now, which a deletion locks too: nobody is deleted between this and the commit.
        state.money.deleted = users::deleted_among(connection, &wanted.credited).await?;
        // The organizations' wallets, which get it, are locked: of two settlements the second sees what the first has paid.
        state.money.markups = entries::markups(connection, &wanted.payouts).await?;
        // Their wallets are locked too.
        for rule in &wanted.rules {
            ruling::load(batch, rule, &mut state).await?;
        }
    }
    Ok((state, only))
}

/// What was kept of these wallets is forgotten. If it is one alone, it may be kept again.
fn take_wallets(
    seals: &mut KeptSeals,
    money: &mut LockedWallets,
    locked: HashMap<Owner, Locked>,
) -> Option<OnlyWallet> {
    let mut only = None;
    for (owner, wallet) in locked {
        let unchallenged = seals.forget(owner).as_ref() == Some(&wallet);
        money.lock(owner, &wallet);
        only = (money.wallets.len() == 1).then_some(OnlyWallet { owner, wallet, unchallenged });
    }
    only
}

/// Finds the reference of the booking that uses a quote, now that this is locked. Most are used by none.
async fn user_of_quote(
    batch: &mut Batch,
    wanted: &Wanted<'_>,
    quote: QuoteId,
    booking: BookingId,
) -> Result<UsedBy> {
    let mut quotes = wanted.quotes.iter();
    let (organization, _) = quotes.find(|(_, id)| *id == quote).ok_or(Error::NotFound)?;
    let used = bookings::by_id(batch.connection_mut()?, *organization, booking).await?;
    Ok(UsedBy { booking, reference: used.reference })
}

/// Locks the wallets that get the money of deleted users.
async fn redirect_deleted_users(
    batch: &mut Batch,
    wanted: &Wanted<'_>,
    state: &mut BatchState,
) -> Result<()> {
    let cancelled = wanted.cancellations.iter();
    let payers: Vec<_> = cancelled
        .filter_map(|(_, booking)| state.bookings.get(booking))
        .map(|closed| (closed.booking.organization, closed.booking.wallet))
        .collect();
    if payers.is_empty() {
        return Ok(());
    }
    for (payer, redirect) in wallets::lock_redirects(batch.connection_mut()?, &payers).await? {
        state.money.redirects.insert(payer, redirect.id);
        state.money.wallets.insert(redirect.id, redirect);
    }
    Ok(())
}

/// Locks the bookings that are to be replaced, so that nobody begins or ends anything on them meanwhile.
async fn find_originals(batch: &mut Batch, wanted: &Wanted<'_>, state: &mut BatchState) -> Result<()> {
    for &(organization, id) in &wanted.originals {
        let connection = batch.connection_mut()?;
        let booking = bookings::lock(connection, organization, id).await?;
        let under_way = steps::under_way_on(connection, organization, id).await?;
        let mut orders = bookings::orders_of(connection, &[(organization, id)]).await?;
        let orders = orders.remove(&id).unwrap_or_default().into_iter();
        let original = Replaced {
            booking,
            under_way,
            live_orders: orders.filter(is_live).map(|order| (order.number, order.given_back.len())).collect(),
        };
        state.originals.insert(id, original);
    }
    Ok(())
}
