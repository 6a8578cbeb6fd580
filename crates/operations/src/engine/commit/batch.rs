//! One transaction for many: everything that is to be state is asked and locked in one round trip, each command is
//! decided by itself in the order in which it came, everything is written and committed in another.

use std::collections::{BTreeSet, HashMap};

use chrono::Duration;
use futures_util::try_join;
use wayfare_domain::{Actor, BookingId, OrganizationId, QuoteId, UserId};
use wayfare_store::{
    Batch,
    access::{idempotency, users},
    batch::writes::Writes,
    booking::{
        bookings::{self, Fingerprint},
        quotes, refunds,
        steps::{self, Step},
    },
    money::{
        entries,
        wallets::{self, Owner},
    },
};

use super::{Command, CommandResult};
use crate::{
    Error, Platform, Result,
    access::idempotency::since,
    engine::{
        batch_state::{BatchState, Replaced, UsedBy},
        booking_state::{BookingState, is_live},
        complete::{self, CompleteStep},
        incidents, open_booking,
    },
    money::{locked_wallets::LockedWallets, markup_payout, wallet_transfer},
    tools::failpoints::moment,
};

/// For so long nobody means to book the same again (P-20).
const DUPLICATE_WITHIN: Duration = Duration::minutes(10);

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
    complete::seeded_bugs::post_before_store(platform, &completions(commands)).await?;
    let mut batch = Batch::on(platform.database.connection().await?);
    let (mut state, quotes) = load_state(platform, &batch, commands).await?;
    find_users_of_quotes(&mut batch, commands, &quotes, &mut state).await?;
    redirect_deleted_users(&mut batch, commands, &mut state).await?;
    find_originals(&mut batch, commands, &mut state).await?;
    find_deleted(&mut batch, commands, &mut state).await?;
    find_markups(&mut batch, commands, &mut state).await?;
    let mut decided = Decided::default();
    let results: Vec<Result<CommandResult>> = commands
        .iter()
        .map(|command| decided.add(platform, command, &mut state))
        .collect();
    incidents::outcomes_known(platform, batch.connection_mut()?, decided.completed.into_iter()).await?;
    for raise in decided.raised {
        incidents::raise(platform, batch.connection_mut()?, raise).await?;
    }
    if !completions(commands).is_empty() {
        moment("close:decided");
    }
    Ok((batch, decided.writes, results))
}

/// What the commands of a batch came to so far.
#[derive(Default)]
struct Decided<'a> {
    writes: Writes,
    raised: Vec<incidents::Raise<'a>>,
    /// Steps that are completed by this batch, and who says so.
    completed: Vec<(&'a Actor, &'a Step)>,
}

impl<'a> Decided<'a> {
    fn add(
        &mut self,
        platform: &'a Platform,
        command: &&'a Command,
        state: &mut BatchState,
    ) -> Result<CommandResult> {
        let writes = &mut self.writes;
        match *command {
            Command::Open(booking) => {
                open_booking::open(platform, booking, state, writes).map(CommandResult::Opened)
            }
            Command::Complete(completion) => {
                let first = state.open.contains(&completion.step.id);
                let after = complete::complete(platform, completion, state, writes, &mut self.raised)?;
                if first {
                    self.completed.push((&completion.actor, &completion.step));
                }
                Ok(CommandResult::Completed(Box::new(after)))
            }
            Command::Transfer(transfer) => {
                wallet_transfer::decide(platform, transfer, &mut state.money, writes)
                    .map(CommandResult::Moved)
            }
            Command::PayMarkup(payout) => markup_payout::decide(platform, payout, &mut state.money, writes)
                .map(CommandResult::MarkupPaid),
        }
    }
}

fn completions<'a>(commands: &[&'a Command]) -> Vec<&'a CompleteStep> {
    let completion = |command: &&'a Command| match command {
        Command::Complete(completion) => Some(&**completion),
        _ => None,
    };
    commands.iter().filter_map(completion).collect()
}

/// What has to be known of these commands.
#[derive(Default)]
struct Wanted<'a> {
    steps: Vec<&'a Step>,
    owners: Vec<Owner>,
    quotes: Vec<(OrganizationId, QuoteId)>,
    /// Idempotency-Keys that they would use up.
    keys: Vec<(OrganizationId, UserId, &'a str)>,
    /// The keys of transfers.
    transfers: Vec<(OrganizationId, &'a str)>,
    fingerprints: Vec<(OrganizationId, Fingerprint)>,
}

impl<'a> Wanted<'a> {
    fn by(commands: &[&'a Command]) -> Self {
        let mut wanted = Self::default();
        for &command in commands {
            match command {
                Command::Open(opening) => {
                    wanted.owners.push(opening.caller.payer());
                    wanted.quotes.push((opening.caller.organization(), opening.quote));
                    wanted.keys.extend(opening.used_key());
                    wanted.fingerprints.extend(opening.fingerprint());
                }
                Command::Complete(completion) => wanted.steps.push(&completion.step),
                Command::Transfer(transfer) => {
                    wanted.owners.extend(transfer.owners());
                    wanted.keys.extend(transfer.used_key());
                    wanted
                        .transfers
                        .push((transfer.organization, transfer.key.as_str()));
                }
                Command::PayMarkup(payout) => {
                    wanted.owners.push(payout.owner());
                    wanted.transfers.push((payout.organization, payout.key.as_str()));
                }
            }
        }
        wanted
    }
}

/// Begins, locks and asks, in one round trip. Wallets are locked first, all with one statement, so that two processes
/// which write for one agency wait for each other and not both for ever.
async fn load_state(
    platform: &Platform,
    batch: &Batch,
    commands: &[&Command],
) -> Result<(BatchState, HashMap<QuoteId, Option<BookingId>>)> {
    let wanted = Wanted::by(commands);
    let Wanted { steps, owners, .. } = &wanted;
    let bookings: Vec<_> = steps
        .iter()
        .map(|step| (step.organization, step.booking))
        .collect();
    let cancellations: Vec<_> = completions(commands)
        .into_iter()
        .filter(|completion| completion.is_of_cancellation())
        .map(|completion| (completion.step.organization, completion.step.booking))
        .collect();
    // Most stand alone.
    let sagas: Vec<_> = steps
        .iter()
        .filter(|step| step.position < step.saga_length)
        .map(|step| (step.organization, step.saga))
        .collect();
    let connection = batch.connection()?;
    let duplicates_since = platform.clock.now() - DUPLICATE_WITHIN;
    let (_, locked, quotes, used_keys, made, duplicates, completion, planned, mut orders, mut refunds) = try_join!(
        batch.begin(),
        wallets::lock_for(connection, owners, steps),
        quotes::lock_all(connection, &wanted.quotes),
        idempotency::used(connection, &wanted.keys, since(platform)),
        entries::made(connection, &wanted.transfers),
        bookings::duplicates(connection, &wanted.fingerprints, duplicates_since),
        bookings::lock_for(connection, steps),
        steps::planned_in(connection, &sagas),
        bookings::orders_of(connection, &bookings),
        refunds::of_all(connection, &cancellations),
    )?;
    let mut state = BatchState {
        money: LockedWallets {
            used_keys,
            made,
            ..LockedWallets::default()
        },
        duplicates,
        planned,
        ..BatchState::default()
    };
    for (owner, locked) in locked {
        let (money, id) = (&mut state.money, locked.wallet.id);
        money.owners.insert(owner, id);
        money.low_balances.extend(locked.low_balance.map(|low| (id, low)));
        money.wallets.insert(id, locked.wallet);
    }
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
    Ok((state, quotes))
}

/// Finds the references of the bookings that use the quotes, now that these are locked. Most are used by none.
async fn find_users_of_quotes(
    batch: &mut Batch,
    commands: &[&Command],
    locked: &HashMap<QuoteId, Option<BookingId>>,
    state: &mut BatchState,
) -> Result<()> {
    for command in commands {
        let Command::Open(opening) = command else {
            continue;
        };
        let used = match locked.get(&opening.quote) {
            None => continue,
            Some(None) => None,
            Some(Some(booking)) => {
                let (connection, organization) = (batch.connection_mut()?, opening.caller.organization());
                let reference = bookings::by_id(connection, organization, *booking)
                    .await?
                    .reference;
                let booking = *booking;
                Some(UsedBy { booking, reference })
            }
        };
        state.quotes.insert(opening.quote, used);
    }
    Ok(())
}

/// Locks the wallets that get the money of deleted users.
async fn redirect_deleted_users(
    batch: &mut Batch,
    commands: &[&Command],
    state: &mut BatchState,
) -> Result<()> {
    let payers: Vec<_> = completions(commands)
        .iter()
        .filter(|completion| completion.is_of_cancellation())
        .filter_map(|completion| state.bookings.get(&completion.step.booking))
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
async fn find_originals(batch: &mut Batch, commands: &[&Command], state: &mut BatchState) -> Result<()> {
    let original = |command: &&Command| match command {
        Command::Open(opening) => opening.original,
        Command::Complete(_) | Command::Transfer(_) | Command::PayMarkup(_) => None,
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
            live_orders: orders.filter(is_live).map(|order| order.number).collect(),
        };
        state.originals.insert(id, original);
    }
    Ok(())
}

/// Looks whether the users who are to get money are deleted. Their wallets are locked by now, which a deletion locks
/// too: nobody is deleted between this look and the commit.
async fn find_deleted(batch: &mut Batch, commands: &[&Command], state: &mut BatchState) -> Result<()> {
    let credited = |command: &&Command| match command {
        Command::Transfer(wallet_transfer) => wallet_transfer.credited_user(),
        Command::Open(_) | Command::Complete(_) | Command::PayMarkup(_) => None,
    };
    let users: Vec<_> = commands.iter().filter_map(credited).collect();
    state.money.deleted = users::deleted_among(batch.connection_mut()?, &users).await?;
    Ok(())
}

/// Adds up what is to be settled. The organizations' wallets, which get it, are locked by now: of two settlements the
/// second sees what the first has paid.
async fn find_markups(batch: &mut Batch, commands: &[&Command], state: &mut BatchState) -> Result<()> {
    let settled = |command: &&Command| match command {
        Command::PayMarkup(payout) => Some(payout.organization),
        Command::Open(_) | Command::Complete(_) | Command::Transfer(_) => None,
    };
    let organizations: Vec<_> = commands.iter().filter_map(settled).collect();
    state.money.markups = entries::markups(batch.connection_mut()?, &organizations).await?;
    Ok(())
}
