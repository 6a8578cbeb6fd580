//! A booking that was refused because of its price, once more at the price of now (P-16, D-113).

use std::time::Duration;

use rust_decimal::Decimal;
use tokio::time::{Instant, timeout};
use wayfare_domain::Money;
use wayfare_supply::{Answer, Refusal, RefusalKind};

use crate::{HotelSupplier, PricedStay, RoomRate, StayRequest};

/// A fall in price is followed so soon after the stay was asked for, or never: who asked counts the supplier's longest
/// processing time from then on, and takes the booking for not made when it is over.
const FOLLOWED_WITHIN: Duration = Duration::from_secs(10);

/// The stay to be asked for instead of one that was refused, which surely made none: where its rates, read again, cost no
/// more and are sold on no worse terms. `asked_at` is when it was asked for.
///
/// # Errors
/// Why it is not asked for again: its price rose, or the supplier's own refusal where that can't be told.
pub(crate) async fn at_the_price_of_now(
    supplier: &impl HotelSupplier,
    request: &StayRequest,
    asked_at: Instant,
    refusal: Refusal,
) -> Result<StayRequest, Refusal> {
    let Some(before) = &request.priced else { return Err(refusal) };
    let rates: Vec<&RoomRate> = before.rates.iter().collect();
    let reading = supplier.price(&before.query, &request.hotel_id, &rates);
    let left = FOLLOWED_WITHIN.saturating_sub(asked_at.elapsed());
    let Ok(Answer::Done(now)) = timeout(left, reading).await else { return Err(refusal) };
    let totals = now.rates.iter().map(|rate| rate.parts.total());
    let total =
        totals.into_iter().try_fold(Money::zero(request.total.currency()), |sum, total| sum.plus(total?));
    match total {
        Ok(total) if total.amount() > request.total.amount() => {
            Err(Refusal::of(RefusalKind::PriceChanged, refusal.text))
        }
        Ok(total) if is_no_worse(&now.rates, &before.rates) => {
            Ok(asked_for(request, &before.rates, now, total))
        }
        _ => Err(refusal),
    }
}

/// Whether these are the rooms that were priced, with the same meals and the same to pay at the hotel, to be given back for
/// no more, and for no more of ours: where the commission falls, the supplier charges more at the same price.
fn is_no_worse(now: &[RoomRate], before: &[RoomRate]) -> bool {
    // Each field is named: a new one has to be decided on here.
    let is_no_worse = |(now, before): (&RoomRate, &RoomRate)| {
        let RoomRate {
            kind,
            rooms,
            meal_plan,
            payment,
            fees_at_hotel,
            parts,
            policy,
            commission: _, // in `charged`
            token: _,
            bundle: _,
            room_id: _,
            room_name: _,
            bed_type: _,
            max_occupancy: _,
            rooms_left: _,
            rate_name: _,
            meals: _,
            minimum_price: _,
            remarks: _,
            expires_at: _,
        } = now;
        (*kind, *rooms, *meal_plan, *payment) == (before.kind, before.rooms, before.meal_plan, before.payment)
            && *fees_at_hotel == before.fees_at_hotel
            && matches!((charged(now), charged(before)), (Some(now), Some(before)) if now <= before)
            && parts.total().is_ok_and(|ours| {
                let theirs = before.parts.total();
                theirs.is_ok_and(|theirs| policy.costs_no_more_than(ours, &before.policy, theirs))
            })
    };
    now.len() == before.len() && now.iter().zip(before).all(is_no_worse)
}

/// What the supplier charges us for it, in a currency that is the same before and now.
fn charged(rate: &RoomRate) -> Option<Decimal> {
    let commission = rate.commission.map_or(Decimal::ZERO, Money::amount);
    rate.parts.total().ok()?.amount().checked_sub(commission)
}

fn asked_for(request: &StayRequest, before: &[RoomRate], now: PricedStay, total: Money) -> StayRequest {
    let mut request = StayRequest { supplier_context: now.supplier_context, total, ..request.clone() };
    for room in &mut request.rooms {
        let renewed = before.iter().zip(&now.rates).find(|(one, _)| one.token == room.token);
        if let Some((_, rate)) = renewed {
            room.token.clone_from(&rate.token);
        }
    }
    request
}
