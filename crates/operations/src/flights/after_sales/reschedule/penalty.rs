//! What rescheduling would come to.

use wayfare_boxed::boxed;
use wayfare_domain::{BookingRef, Money};
use wayfare_pricing::{SoldChange, Totals};

use super::{
    chosen::{ChosenFlights, NewFlights},
    exchange, replaced_parts,
};
use crate::{
    Caller, Engine, Error, Flights, RefundTerms, Result,
    bookings::{cancel, load},
    flights::{Booked, book},
};

/// What rescheduling comes to, in the wallet's currency.
#[derive(Clone, Debug)]
pub struct ReschedulePenalty {
    /// The booking that would be given back, or a part of it.
    pub original: Booked,
    /// The places of the journeys that would be, among all of the booking, from 0.
    pub journeys: Vec<usize>,
    pub terms: RefundTerms,
    /// What they cost.
    pub original_totals: Totals,
    /// What the new itinerary costs.
    pub new_totals: Totals,
    /// What it comes to where nothing is given back, and journeys are changed at their supplier.
    pub change: Option<SoldChange>,
}

impl ReschedulePenalty {
    /// What the wallet loses: the new agent fare less what comes back (P-62).
    pub fn total_charge(&self) -> Result<Money> {
        if let Some(change) = self.change {
            return Ok(change.total()?);
        }
        Ok(self.new_totals.payable()?.minus(self.terms.refund_to_wallet)?)
    }
}

/// What rescheduling a booking to these flights would come to: both suppliers are asked. What [`super::reschedule`] would refuse
/// is refused.
///
/// # Errors
/// As [`cancel::penalty`] and as pricing an offer; [`Error::PartOfOrder`].
#[boxed]
pub async fn reschedule_penalty(
    flights: &Flights,
    caller: &Caller,
    reference: &BookingRef,
    new: &NewFlights,
) -> Result<ReschedulePenalty> {
    let original = load(&flights.core, caller, reference).await?;
    if let Some(keys) = exchange::keys(&flights.core, caller, &new.fare_keys)? {
        return penalty_of_change(&flights.engine, original, &keys, &new.journeys).await;
    }
    let chosen = ChosenFlights::of(flights, caller, &original, new).await?;
    let given_back = replaced_parts::given_back(&chosen.replaced.parts(&original));
    let returned = cancel::returned_of_orders(&flights.engine, &original, &given_back).await?;
    let priced = chosen.price(flights, caller).await?;
    book::check_sellable(&flights.engine, caller, &priced.quote.content, chosen.replaced.travellers.clone())?;
    Ok(ReschedulePenalty {
        original_totals: chosen.replaced.totals(&original, &returned.paid)?,
        journeys: chosen.replaced.places,
        original,
        terms: returned.terms,
        new_totals: priced.totals,
        change: None,
    })
}

/// What a change at the supplier comes to: the fare is that of the order, before and after it.
async fn penalty_of_change(
    engine: &Engine,
    original: Booked,
    keys: &[exchange::ChangeKey],
    journeys: &[usize],
) -> Result<ReschedulePenalty> {
    let chosen = exchange::choose(engine, &original, keys, journeys).await?;
    let (booking, cost) = (&original.booking, chosen.cost);
    let sale = booking.sale(chosen.order).cloned().ok_or(Error::NotFound)?;
    let old = Totals::of(&[sale], booking.amount.currency())?;
    let zero = Money::zero(booking.amount.currency());
    Ok(ReschedulePenalty {
        journeys: chosen.places(),
        terms: RefundTerms {
            cancellation_charge: cost.penalty,
            provider_refund_amount: zero,
            platform_charges: zero,
            refund_to_wallet: cost.total()?.negated().at_least(zero)?,
            surplus: zero,
        },
        new_totals: Totals {
            public_fare: old.public_fare.plus(cost.difference)?,
            agent_fare: old.agent_fare.plus(cost.difference)?,
            ..old
        },
        original_totals: old,
        change: Some(cost),
        original,
    })
}
