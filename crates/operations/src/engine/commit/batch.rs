//! One transaction for many: everything that is to be state is asked and locked in one round trip, each command is
//! decided by itself in the order in which it came, everything is written and committed in another.

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::Duration;
use futures_util::try_join;
use rust_decimal::Decimal;
use wayfare_domain::{BookingId, BookingRef, Money, OrganizationId, QuoteId, StepId, UserId, WalletId};
use wayfare_ledger::Wallet;
use wayfare_store::{
    Batch,
    access::{idempotency, users},
    batch::writes::Writes,
    booking::{
        bookings::{self, Booking, Fingerprint},
        quotes, refunds,
        steps::{self, Step},
    },
    money::{
        entries::{self, MadeTransfer},
        wallets::{self, Owner},
    },
};

use super::{Command, CommandResult};
use crate::{
    Error, Platform, Result,
    engine::{
        complete, incidents, open_booking,
        purchase::{BookingState, CompleteStep, stands},
    },
    money::{markup_payout, wallet_transfer},
    tools::{failpoints::moment, idempotency::since},
};

/// For so long nobody means to book the same again (P-20).
const DUPLICATE_WITHIN: Duration = Duration::minutes(10);

/// What commands need to know, as it stands with those before them in the batch.
#[derive(Default)]
pub(crate) struct BatchState {
    pub wallets: HashMap<WalletId, Wallet>,
    pub owners: HashMap<Owner, WalletId>,
    /// Under which amount what a wallet may spend is low, where the agency has said so.
    pub low_balances: HashMap<WalletId, Money>,
    /// Of wallets whose user is deleted, the organization's, which gets what is given back (P-7).
    pub redirects: HashMap<WalletId, WalletId>,
    pub quotes: HashMap<QuoteId, Option<BookingId>>,
    pub used_keys: HashSet<(UserId, String)>,
    pub open: HashSet<StepId>,
    pub bookings: HashMap<BookingId, BookingState>,
    /// What is planned in the sagas of the steps that are to be closed.
    pub planned: HashMap<StepId, Vec<Step>>,
    /// Bookings like those that are to be opened.
    pub duplicates: HashMap<(OrganizationId, Fingerprint), BookingRef>,
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
    pub under_way: Vec<Step>,
    /// The numbers of its orders that stand.
    pub standing: Vec<u16>,
}

impl BatchState {
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
    commands: &[&Command],
) -> std::result::Result<Vec<Result<CommandResult>>, Failed> {
    // What fails before the commit is sent has changed nothing.
    let decided = decide(platform, commands).await;
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
async fn decide(
    platform: &Platform,
    commands: &[&Command],
) -> Result<(Batch, Writes, Vec<Result<CommandResult>>)> {
    #[cfg(feature = "failpoints")]
    complete::planted_post_before_store(platform, &closings(commands)).await?;
    let mut batch = Batch::on(platform.database.connection().await?);
    let mut state = load_state(platform, &batch, commands).await?;
    redirect_deleted_users(&mut batch, commands, &mut state).await?;
    find_originals(&mut batch, commands, &mut state).await?;
    find_deleted(&mut batch, commands, &mut state).await?;
    find_markups(&mut batch, commands, &mut state).await?;
    let (mut writes, mut raised, mut closed) = (Writes::default(), Vec::new(), Vec::new());
    let answers: Vec<Result<CommandResult>> =
        commands
            .iter()
            .map(|command| match command {
                Command::Open(opening) => open_booking::open(platform, opening, &mut state, &mut writes)
                    .map(CommandResult::OpenResult),
                Command::Close(closing) => {
                    let first = state.open.contains(&closing.step.id);
                    let after = complete::close(platform, closing, &mut state, &mut writes, &mut raised)?;
                    if first {
                        closed.push((&closing.actor, &closing.step));
                    }
                    Ok(CommandResult::BookingState(Box::new(after)))
                }
                Command::Move(wallet_transfer) => {
                    wallet_transfer::decide(platform, wallet_transfer, &mut state, &mut writes)
                        .map(CommandResult::Moved)
                }
                Command::Settle(payout) => markup_payout::decide(platform, payout, &mut state, &mut writes)
                    .map(CommandResult::Settled),
            })
            .collect();
    incidents::outcomes_known(platform, batch.connection_mut()?, closed.into_iter()).await?;
    for raise in raised {
        incidents::raise(platform, batch.connection_mut()?, raise).await?;
    }
    if commands
        .iter()
        .any(|command| matches!(command, Command::Close(_)))
    {
        moment("close:decided");
    }
    Ok((batch, writes, answers))
}

fn closings<'a>(commands: &[&'a Command]) -> Vec<&'a CompleteStep> {
    let closing = |command: &&'a Command| match command {
        Command::Close(closing) => Some(&**closing),
        _ => None,
    };
    commands.iter().filter_map(closing).collect()
}

/// Begins, locks and asks, in one round trip. Wallets are locked first, all with one statement, so that two processes
/// which write for one agency wait for each other and not both for ever.
async fn load_state(platform: &Platform, batch: &Batch, commands: &[&Command]) -> Result<BatchState> {
    let closings = closings(commands);
    let steps: Vec<&Step> = closings.iter().map(|closing| &closing.step).collect();
    let bookings: Vec<_> = steps
        .iter()
        .map(|step| (step.organization, step.booking))
        .collect();
    let cancellations: Vec<_> = closings
        .iter()
        .filter(|closing| closing.ending.is_of_cancellation())
        .map(|closing| (closing.step.organization, closing.step.booking))
        .collect();
    // Most stand alone.
    let sagas: Vec<_> = steps
        .iter()
        .filter(|step| step.position < step.saga_length)
        .map(|step| (step.organization, step.saga))
        .collect();
    let (mut owners, mut quotes, mut keys, mut transfers) = (vec![], vec![], vec![], vec![]);
    let mut fingerprints = Vec::new();
    for command in commands {
        match command {
            Command::Open(opening) => {
                owners.push(opening.caller.payer());
                quotes.push((opening.caller.organization(), opening.quote));
                keys.extend(opening.used_key());
                fingerprints.extend(opening.fingerprint());
            }
            Command::Close(_) => {}
            Command::Move(wallet_transfer) => {
                owners.extend(wallet_transfer.owners());
                keys.extend(wallet_transfer.used_key());
                transfers.push((wallet_transfer.organization, wallet_transfer.key.as_str()));
            }
            Command::Settle(payout) => {
                owners.push(payout.owner());
                transfers.push((payout.organization, payout.key.as_str()));
            }
        }
    }
    let connection = batch.connection()?;
    let duplicates_since = platform.clock.now() - DUPLICATE_WITHIN;
    let (_, locked, quotes, used_keys, made, duplicates, closing, planned, mut orders, mut refunds) = try_join!(
        batch.begin(),
        wallets::lock_for(connection, &owners, &steps),
        quotes::lock_all(connection, &quotes),
        idempotency::used(connection, &keys, since(platform)),
        entries::made(connection, &transfers),
        bookings::duplicates(connection, &fingerprints, duplicates_since),
        bookings::lock_for(connection, &steps),
        steps::planned_in(connection, &sagas),
        bookings::orders_of(connection, &bookings),
        refunds::of_all(connection, &cancellations),
    )?;
    let mut state = BatchState {
        quotes,
        used_keys,
        made,
        duplicates,
        planned,
        ..BatchState::default()
    };
    for (owner, locked) in locked {
        let id = locked.wallet.id;
        state.owners.insert(owner, id);
        state.low_balances.extend(locked.low_balance.map(|low| (id, low)));
        state.wallets.insert(id, locked.wallet);
    }
    for locked in closing {
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
    Ok(state)
}

/// Locks the wallets that get the money of deleted users.
async fn redirect_deleted_users(
    batch: &mut Batch,
    commands: &[&Command],
    state: &mut BatchState,
) -> Result<()> {
    let payers: Vec<_> = closings(commands)
        .iter()
        .filter(|closing| closing.ending.is_of_cancellation())
        .filter_map(|closing| state.bookings.get(&closing.step.booking))
        .map(|closed| (closed.booking.organization, closed.booking.wallet))
        .collect();
    if payers.is_empty() {
        return Ok(());
    }
    for (payer, redirect) in wallets::lock_redirects(batch.connection_mut()?, &payers).await? {
        state.redirects.insert(payer, redirect.id);
        state.wallets.insert(redirect.id, redirect);
    }
    Ok(())
}

/// Locks the bookings that are to be replaced, so that nobody begins or ends anything on them meanwhile.
async fn find_originals(batch: &mut Batch, commands: &[&Command], state: &mut BatchState) -> Result<()> {
    let original = |command: &&Command| match command {
        Command::Open(opening) => opening.original,
        Command::Close(_) | Command::Move(_) | Command::Settle(_) => None,
    };
    // Always in the same order, so that two who lock several wait for each other and not both for ever.
    let originals: BTreeSet<_> = commands.iter().filter_map(original).collect();
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
        state.originals.insert(id, original);
    }
    Ok(())
}

/// Looks whether the users who are to get money are deleted. Their wallets are locked by now, which a deletion locks
/// too: nobody is deleted between this look and the commit.
async fn find_deleted(batch: &mut Batch, commands: &[&Command], state: &mut BatchState) -> Result<()> {
    let credited = |command: &&Command| match command {
        Command::Move(wallet_transfer) => wallet_transfer.credited_user(),
        Command::Open(_) | Command::Close(_) | Command::Settle(_) => None,
    };
    let users: Vec<_> = commands.iter().filter_map(credited).collect();
    state.deleted = users::deleted_among(batch.connection_mut()?, &users).await?;
    Ok(())
}

/// Adds up what is to be settled. The organizations' wallets, which get it, are locked by now: of two settlements the
/// second sees what the first has paid.
async fn find_markups(batch: &mut Batch, commands: &[&Command], state: &mut BatchState) -> Result<()> {
    let settled = |command: &&Command| match command {
        Command::Settle(payout) => Some(payout.organization),
        Command::Open(_) | Command::Close(_) | Command::Move(_) => None,
    };
    let organizations: Vec<_> = commands.iter().filter_map(settled).collect();
    state.markups = entries::markups(batch.connection_mut()?, &organizations).await?;
    Ok(())
}
