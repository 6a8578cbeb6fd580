//! Bugs that the survival suite switches on to see that they are found: the debit is posted in a transaction of its own; what
//! a part of an order gives back is paid twice.

use diesel_async::AsyncConnection;
use wayfare_domain::StepKind;
use wayfare_store::{batch::writes::Writes, booking::bookings, money::wallets};

use super::{CompleteStep, Completion};
use crate::{
    Engine, Error, Result,
    engine::{booking_state::BookingState, step::StepOutcome},
    tools::failpoints::{moment, seeded_bug},
};

/// Whether the debit of a confirmed booking was posted before.
pub(super) fn is_posted_before_store() -> bool {
    seeded_bug("bug:post-before-store")
}

/// Whether what comes back for a part of an order is paid twice.
pub(super) fn is_part_paid_back_twice() -> bool {
    seeded_bug("bug:part-paid-twice")
}

/// What confirmed bookings cost is paid in a transaction of its own, before they are confirmed.
pub(crate) async fn post_before_store(engine: &Engine, commands: &[&CompleteStep]) -> Result<()> {
    if !is_posted_before_store() || commands.is_empty() {
        return Ok(());
    }
    let mut connection = engine.core.database.connection().await?;
    let posted = connection.transaction(async |connection| {
        for &command in commands {
            let step = &command.step;
            let wallets = wallets::lock_for(connection, &[], &[step]).await?;
            let locked = bookings::lock_for(connection, &[step]).await?;
            for (locked, paid) in locked.into_iter().zip(wallets.into_values()) {
                let mut wallet = paid.wallet;
                let mut completion = Completion {
                    engine,
                    command,
                    now: engine.core.clock.now(),
                    after: BookingState {
                        booking: locked.booking,
                        orders: Vec::new(),
                        refunds: Vec::new(),
                        begun: Vec::new(),
                    },
                    planned: Vec::new(),
                    writes: Writes::default(),
                    raised: Vec::new(),
                };
                let is_booked =
                    step.kind == StepKind::Book && matches!(command.outcome, StepOutcome::OrderMade(_));
                if locked.open && is_booked {
                    completion.pay(&mut wallet)?;
                }
                completion.writes.send(connection).await?;
            }
        }
        Ok::<_, Error>(())
    });
    posted.await?;
    moment("close:posted");
    Ok(())
}
