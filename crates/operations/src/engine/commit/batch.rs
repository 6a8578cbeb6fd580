//! One transaction for many: everything that is to be known is asked and locked in one round trip, each work is
//! decided by itself in the order in which it came, everything is written and committed in another.

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::Duration;
use futures_util::try_join;
use rust_decimal::Decimal;
use wayfare_domain::{BookingId, BookingRef, EffectId, Money, OrganizationId, QuoteId, UserId, WalletId};
use wayfare_ledger::Wallet;
use wayfare_store::{
    Batch,
    access::{idempotency, users},
    batch::writes::Writes,
    booking::{
        bookings::{self, Booking, Likeness},
        quotes, refunds,
        steps::{self, Effect},
    },
    money::{
        entries::{self, MadeTransfer},
        wallets::{self, Owner},
    },
};

use super::{Done, Work};
use crate::{
    Error, Platform, Result,
    engine::{
        complete, incidents, open_booking,
        purchase::{Closed, Closing, stands},
    },
    money::{markup_payout, wallet_transfer},
    tools::{failpoints::moment, idempotency::since},
};

/// For so long nobody means to book the same again (P-20).
const ALIKE_WITHIN: Duration = Duration::minutes(10);

/// What works need to know, as it stands with those before them in the batch.
#[derive(Default)]
pub(crate) struct Known {
    pub wallets: HashMap<WalletId, Wallet>,
    pub owners: HashMap<Owner, WalletId>,
    /// Under which amount what a wallet may spend is low, where the agency has said so.
    pub low_balances: HashMap<WalletId, Money>,
    /// Of wallets whose user is deleted, the organization's, which gets what is given back (P-7).
    pub heirs: HashMap<WalletId, WalletId>,
    pub quotes: HashMap<QuoteId, Option<BookingId>>,
    pub used_keys: HashSet<(UserId, String)>,
    pub open: HashSet<EffectId>,
    pub bookings: HashMap<BookingId, Closed>,
    /// What is planned in the chains of the effects that are to be closed.
    pub planned: HashMap<EffectId, Vec<Effect>>,
    /// Bookings like those that are to be opened.
    pub alike: HashMap<(OrganizationId, Likeness), BookingRef>,
    /// Bookings that are to be replaced.
    pub originals: HashMap<BookingId, Replaced>,
    /// Of the users who are to get money, those who are deleted.
    pub deleted: HashSet<(OrganizationId, UserId)>,
    pub made: HashMap<(OrganizationId, String), MadeTransfer>,
    /// What stands on the markup accounts of agencies that are to be settled, in their currencies.
    pub markups: HashMap<OrganizationId, Decimal>,
}

/// A booking that is to be replaced.
pub(crate) struct Replaced {
    pub booking: Booking<()>,
    pub under_way: Vec<Effect>,
    /// The numbers of its orders that stand.
    pub standing: Vec<u16>,
}

impl Known {
    /// The owner's wallet.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none.
    pub(crate) fn wallet_of(&self, owner: Owner) -> Result<Wallet> {
        let wallet = self.owners.get(&owner).and_then(|id| self.wallets.get(id));
        wallet.cloned().ok_or(Error::NotFound)
    }
}

/// Carries out all of these in one transaction of two round trips (three where wallets of deleted users get money
/// back, bookings are replaced, agents get money or markups are settled, more where exceptions are raised or closed). One that can't be done
/// changes nothing and doesn't hinder the others.
pub(super) async fn carry_out(
    platform: &Platform,
    works: &[&Work],
) -> std::result::Result<Vec<Result<Done>>, Failed> {
    // What fails before the commit is sent has changed nothing.
    let decided = decide(platform, works).await;
    let (batch, writes, answers) = decided.map_err(|error| Failed { error, undone: true })?;
    batch.commit(writes).await.map_err(|error| Failed {
        undone: error.surely_undone(),
        error: error.into(),
    })?;
    Ok(answers)
}

/// Why nobody in a batch has an answer.
pub(super) struct Failed {
    pub error: Error,
    /// Whether surely nothing was changed; else nobody knows.
    pub undone: bool,
}

/// What is to be written, and what to answer when it is.
async fn decide(platform: &Platform, works: &[&Work]) -> Result<(Batch, Writes, Vec<Result<Done>>)> {
    #[cfg(feature = "failpoints")]
    complete::planted_post_before_store(platform, &closings(works)).await?;
    let mut batch = Batch::on(platform.database.connection().await?);
    let mut known = look(platform, &batch, works).await?;
    inherit(&mut batch, works, &mut known).await?;
    find_originals(&mut batch, works, &mut known).await?;
    find_deleted(&mut batch, works, &mut known).await?;
    find_markups(&mut batch, works, &mut known).await?;
    let (mut writes, mut raised, mut closed) = (Writes::default(), Vec::new(), Vec::new());
    let answers: Vec<Result<Done>> = works
        .iter()
        .map(|work| match work {
            Work::Open(opening) => {
                open_booking::open(platform, opening, &mut known, &mut writes).map(Done::Stood)
            }
            Work::Close(closing) => {
                let first = known.open.contains(&closing.effect.id);
                let after = complete::close(platform, closing, &mut known, &mut writes, &mut raised)?;
                if first {
                    closed.push((&closing.actor, &closing.effect));
                }
                Ok(Done::Closed(Box::new(after)))
            }
            Work::Move(movement) => {
                wallet_transfer::decide(platform, movement, &mut known, &mut writes).map(Done::Moved)
            }
            Work::Settle(settlement) => {
                markup_payout::decide(platform, settlement, &mut known, &mut writes).map(Done::Settled)
            }
        })
        .collect();
    incidents::outcomes_known(platform, batch.connection_mut()?, closed.into_iter()).await?;
    for raise in raised {
        incidents::raise(platform, batch.connection_mut()?, raise).await?;
    }
    if works.iter().any(|work| matches!(work, Work::Close(_))) {
        moment("close:decided");
    }
    Ok((batch, writes, answers))
}

fn closings<'a>(works: &[&'a Work]) -> Vec<&'a Closing> {
    let closing = |work: &&'a Work| match work {
        Work::Close(closing) => Some(&**closing),
        _ => None,
    };
    works.iter().filter_map(closing).collect()
}

/// Begins, locks and asks, in one round trip. Wallets are locked first, all with one statement, so that two processes
/// which write for one agency wait for each other and not both for ever.
async fn look(platform: &Platform, batch: &Batch, works: &[&Work]) -> Result<Known> {
    let closings = closings(works);
    let effects: Vec<&Effect> = closings.iter().map(|closing| &closing.effect).collect();
    let bookings: Vec<_> = effects
        .iter()
        .map(|effect| (effect.organization, effect.booking))
        .collect();
    let cancellations: Vec<_> = closings
        .iter()
        .filter(|closing| closing.ending.is_of_cancellation())
        .map(|closing| (closing.effect.organization, closing.effect.booking))
        .collect();
    // Most stand alone.
    let chains: Vec<_> = effects
        .iter()
        .filter(|effect| effect.step < effect.steps)
        .map(|effect| (effect.organization, effect.chain))
        .collect();
    let (mut owners, mut quotes, mut keys, mut transfers) = (vec![], vec![], vec![], vec![]);
    let mut likenesses = Vec::new();
    for work in works {
        match work {
            Work::Open(opening) => {
                owners.push(opening.caller.payer());
                quotes.push((opening.caller.organization(), opening.quote));
                keys.extend(opening.used_key());
                likenesses.extend(opening.likeness());
            }
            Work::Close(_) => {}
            Work::Move(movement) => {
                owners.extend(movement.owners());
                keys.extend(movement.used_key());
                transfers.push((movement.organization, movement.key.as_str()));
            }
            Work::Settle(settlement) => {
                owners.push(settlement.owner());
                transfers.push((settlement.organization, settlement.key.as_str()));
            }
        }
    }
    let connection = batch.connection()?;
    let alike_since = platform.clock.now() - ALIKE_WITHIN;
    let (_, locked, quotes, used_keys, made, alike, closing, planned, mut orders, mut refunds) = try_join!(
        batch.begin(),
        wallets::lock_for(connection, &owners, &effects),
        quotes::lock_all(connection, &quotes),
        idempotency::used(connection, &keys, since(platform)),
        entries::made(connection, &transfers),
        bookings::alike(connection, &likenesses, alike_since),
        bookings::lock_for(connection, &effects),
        steps::planned_in(connection, &chains),
        bookings::orders_of(connection, &bookings),
        refunds::of_all(connection, &cancellations),
    )?;
    let mut known = Known {
        quotes,
        used_keys,
        made,
        alike,
        planned,
        ..Known::default()
    };
    for (owner, locked) in locked {
        let id = locked.wallet.id;
        known.owners.insert(owner, id);
        known.low_balances.extend(locked.low_balance.map(|low| (id, low)));
        known.wallets.insert(id, locked.wallet);
    }
    for locked in closing {
        let id = locked.booking.id;
        if locked.open {
            known.open.insert(locked.effect);
        }
        known.bookings.entry(id).or_insert_with(|| Closed {
            booking: locked.booking,
            orders: orders.remove(&id).unwrap_or_default(),
            refunds: refunds.remove(&id).unwrap_or_default(),
            begun: Vec::new(),
        });
    }
    Ok(known)
}

/// Locks the wallets that get the money of deleted users.
async fn inherit(batch: &mut Batch, works: &[&Work], known: &mut Known) -> Result<()> {
    let payers: Vec<_> = closings(works)
        .iter()
        .filter(|closing| closing.ending.is_of_cancellation())
        .filter_map(|closing| known.bookings.get(&closing.effect.booking))
        .map(|closed| (closed.booking.organization, closed.booking.wallet))
        .collect();
    if payers.is_empty() {
        return Ok(());
    }
    for (payer, heir) in wallets::lock_heirs(batch.connection_mut()?, &payers).await? {
        known.heirs.insert(payer, heir.id);
        known.wallets.insert(heir.id, heir);
    }
    Ok(())
}

/// Locks the bookings that are to be replaced, so that nobody begins or ends anything on them meanwhile.
async fn find_originals(batch: &mut Batch, works: &[&Work], known: &mut Known) -> Result<()> {
    let original = |work: &&Work| match work {
        Work::Open(opening) => opening.original,
        Work::Close(_) | Work::Move(_) | Work::Settle(_) => None,
    };
    // Always in the same order, so that two who lock several wait for each other and not both for ever.
    let originals: BTreeSet<_> = works.iter().filter_map(original).collect();
    for (organization, id) in originals {
        let connection = batch.connection_mut()?;
        let booking = bookings::lock(connection, organization, id).await?;
        let under_way = steps::under_way_on(connection, organization, id).await?;
        let mut orders = bookings::orders_of(connection, &[(organization, id)]).await?;
        let orders = orders.remove(&id).unwrap_or_default().into_iter();
        let original = Replaced {
            booking,
            under_way,
            standing: orders.filter(stands).map(|order| order.number).collect(),
        };
        known.originals.insert(id, original);
    }
    Ok(())
}

/// Looks whether the users who are to get money are deleted. Their wallets are locked by now, which a deletion locks
/// too: nobody is deleted between this look and the commit.
async fn find_deleted(batch: &mut Batch, works: &[&Work], known: &mut Known) -> Result<()> {
    let credited = |work: &&Work| match work {
        Work::Move(movement) => movement.credited_user(),
        Work::Open(_) | Work::Close(_) | Work::Settle(_) => None,
    };
    let users: Vec<_> = works.iter().filter_map(credited).collect();
    known.deleted = users::deleted_among(batch.connection_mut()?, &users).await?;
    Ok(())
}

/// Adds up what is to be settled. The organizations' wallets, which get it, are locked by now: of two settlements the
/// second sees what the first has paid.
async fn find_markups(batch: &mut Batch, works: &[&Work], known: &mut Known) -> Result<()> {
    let settled = |work: &&Work| match work {
        Work::Settle(settlement) => Some(settlement.organization),
        Work::Open(_) | Work::Close(_) | Work::Move(_) => None,
    };
    let organizations: Vec<_> = works.iter().filter_map(settled).collect();
    known.markups = entries::markups(batch.connection_mut()?, &organizations).await?;
    Ok(())
}
