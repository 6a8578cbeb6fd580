//! Rulings: what the operator decides about money after the sale. Each is one transfer, one row of the fare ledger and its
//! events, in one transaction of the group commit.

mod decide;
mod given_back;

use serde_json::json;
use wayfare_boxed::boxed;
use wayfare_domain::{
    Actor, ActorKind, BookingId, EventKind, Faults, FeesRuling, IncidentId, Money, OrganizationId, RulingKind,
};
use wayfare_store::{
    Batch,
    booking::{
        bookings, incident_claims,
        refunds::{self, Refund},
        rulings::{self, Ruling},
        steps,
    },
    money::wallets::{self, Owner},
};

use crate::{
    Core, Engine, Error, Result,
    engine::{batch_state::BatchState, booking_state::BookingState, incidents, note},
    tools::{audit_event, failpoints::moment},
};

pub(crate) use decide::decide;

/// More characters than this are no note.
pub(crate) const LONGEST_NOTE: usize = 2000;

/// What is ruled about an order of a booking.
#[derive(Clone, Debug)]
pub struct NewRuling {
    pub number: u16,
    pub kind: RulingKind,
    /// How much: of an order that its supplier cancelled what this gives back, in the currency in which it charged; else in
    /// the wallet's.
    pub amount: Money,
    /// What becomes of the operator's own fees, of an order that its supplier cancelled.
    pub fees: FeesRuling,
    /// Whether the operator bears a refund, and not the supplier.
    pub from_loss: bool,
    /// Whether a debit note may be of more than the order cost: its amount was said twice.
    pub beyond_cost: bool,
    pub note: String,
    pub incident: Option<IncidentId>,
    /// Whether it is made though another operator works on an incident of the order.
    pub passes_claims: bool,
    /// Unique in the agency; asked again under it, the first answer is repeated.
    pub key: String,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    New(NewRuling),
    /// A debit note that is due, as it stands.
    Collect(Box<Ruling>),
}

/// A ruling that is to be carried out.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub organization: OrganizationId,
    pub booking: BookingId,
    pub payer: Owner,
    pub what: What,
    pub by: Actor,
}

#[derive(Clone, Debug)]
pub struct RulingMade {
    pub ruling: Ruling,
    /// Whether it had been made before under its key.
    pub repeated: bool,
}

/// What a batch writes of a ruling beside what all commands write.
pub(crate) struct Settled {
    ruling: Ruling,
    actor: Actor,
    is_new: bool,
    refund: Option<Refund>,
}

impl Rule {
    pub(crate) fn key(&self) -> &str {
        match &self.what {
            What::New(new) => &new.key,
            What::Collect(due) => &due.key,
        }
    }
}

/// Rules about an order of a booking.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] names what does not fit; [`Error::KeyMismatch`] when something else was ruled
/// under the key; that something is under way on the booking.
pub(crate) async fn rule(
    engine: &Engine,
    by: Actor,
    of: (OrganizationId, BookingId),
    new: NewRuling,
) -> Result<RulingMade> {
    check(&new).or(())?;
    let new = NewRuling { note: note::without_people(&engine.core, of, &new.note).await?, ..new };
    ask(engine, of, What::New(new), by).await
}

/// Rules by itself about an order that its supplier has cancelled and of which all comes back: nobody has to be asked. Once for
/// each order, whoever asks how often.
///
/// # Errors
/// As `rule`; when not all comes back.
#[boxed]
pub async fn by_itself(
    engine: &Engine,
    (organization, booking, number): (OrganizationId, BookingId, u16),
    back: Money,
    incident: Option<IncidentId>,
) -> Result<RulingMade> {
    let new = NewRuling {
        number,
        kind: RulingKind::SupplierCancelled,
        amount: back,
        fees: FeesRuling::Return,
        from_loss: false,
        beyond_cost: false,
        note: "the supplier cancelled the order and gives all of it back".to_owned(),
        incident,
        passes_claims: true,
        key: format!("itself:{booking}:{number}"),
    };
    ask(engine, (organization, booking), What::New(new), Actor::system()).await
}

/// Collects a debit note that is due, where the wallet covers it by now; else it stays due.
#[boxed]
pub async fn collect(engine: &Engine, due: Ruling) -> Result<RulingMade> {
    let of = (due.organization, due.booking);
    ask(engine, of, What::Collect(Box::new(due)), Actor::operator()).await
}

async fn ask(
    engine: &Engine,
    (organization, booking): (OrganizationId, BookingId),
    what: What,
    by: Actor,
) -> Result<RulingMade> {
    let mut connection = engine.core.database.connection().await?;
    let wallet = bookings::by_id(&mut connection, organization, booking).await?.wallet;
    let payer = wallets::owner_by_id(&mut connection, organization, wallet).await?;
    drop(connection);
    let rule = Rule { organization, booking, payer: payer.ok_or(Error::NotFound)?, what, by };
    engine.group_commit.carry_out(rule).await
}

/// What is wrong with a ruling whatever it is about.
pub(crate) fn check(new: &NewRuling) -> Faults {
    let mut faults = note::check("note", &new.note, LONGEST_NOTE);
    let may_be_nothing = new.kind == RulingKind::SupplierCancelled;
    if new.amount.is_negative() || (new.amount.is_zero() && !may_be_nothing) {
        faults.add("amount", "must be above 0");
    }
    if new.from_loss && new.kind != RulingKind::Refund {
        faults.add("from", "loss is only for a refund");
    }
    if new.key.trim().is_empty() || new.key.len() > 200 {
        faults.add("key", "must be between 1 and 200 characters");
    }
    faults
}

/// Locks what a ruling is about and reads what was ruled before; the wallets are locked already.
pub(crate) async fn load(batch: &mut Batch, rule: &Rule, state: &mut BatchState) -> Result<()> {
    let connection = batch.connection_mut()?;
    let (organization, id) = (rule.organization, rule.booking);
    let booking = bookings::lock(connection, organization, id).await?;
    let mut orders = bookings::orders_of(connection, &[(organization, id)]).await?;
    let refunds = refunds::of(connection, organization, id).await?;
    let known = state.bookings.entry(id).or_insert_with(|| BookingState {
        booking,
        orders: orders.remove(&id).unwrap_or_default(),
        refunds: Vec::new(),
        begun: Vec::new(),
    });
    known.refunds = refunds;
    let open = incident_claims::lock_open_of(connection, (organization, id)).await?;
    let ruled = state.ruled.entry(id).or_default();
    for one in rulings::of(connection, organization, id, Some(rule.key())).await? {
        if !ruled.rulings.iter().any(|known| known.id == one.id) {
            ruled.rulings.push(one);
        }
    }
    ruled.incidents = open;
    ruled.under_way = steps::under_way_on(connection, organization, id).await?;
    Ok(())
}

/// Writes what the batch's statement does not: the ruling, its refund, and that its incident is closed.
///
/// # Errors
/// When the incident was closed meanwhile, or the database can't be asked.
pub(crate) async fn write(core: &Core, batch: &mut Batch, settled: &Settled) -> Result<()> {
    let connection = batch.connection_mut()?;
    let ruling = &settled.ruling;
    match settled.is_new {
        true => rulings::insert(connection, ruling).await?,
        false => rulings::collected(connection, ruling).await?,
    }
    if let Some(refund) = &settled.refund {
        refunds::put(connection, refund).await?;
    }
    if settled.is_new && !rulings::settle(connection, ruling).await? {
        return Err(Error::Internal("the incident was closed meanwhile".to_owned()));
    }
    if let (true, Some(incident)) = (settled.is_new, ruling.incident) {
        let value = json!({ "outcome": "ruled", "ruling_id": ruling.id, "note": ruling.note });
        let action = match ruling.by {
            ActorKind::Operator => EventKind::ExceptionResolved,
            ActorKind::System | ActorKind::OrgUser => EventKind::ExceptionClosed,
        };
        let event = incidents::event(core, &settled.actor, action, ruling.organization, incident, value);
        audit_event::write(connection, &event).await?;
    }
    moment("ruling:written");
    Ok(())
}
