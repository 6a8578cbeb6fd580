//! What an airline changes of an order's flights by itself: the order shows it, and nothing says that anything was changed.

use chrono::TimeDelta;

use super::bookings::{Booking, OrderStatus};
use crate::airline_delay::AirlineChangeError;
use crate::world::World;

/// Lets all flights of a way leave so many minutes later.
pub(crate) fn delay(
    world: &World,
    order_id: &str,
    way: usize,
    minutes: u32,
) -> Result<(), AirlineChangeError> {
    let now = world.clock.now();
    let changed = world.orders.change(order_id, |booking: &mut Booking| {
        if booking.order_status(now) == OrderStatus::Cancelled {
            return Err(AirlineChangeError::Cancelled);
        }
        let fares = booking.fares.iter_mut();
        let mut ways = fares.flat_map(|sold| &mut sold.bundle.journeys);
        let journey = ways.nth(way).ok_or(AirlineChangeError::NoSlice(way))?;
        journey.put_off(TimeDelta::minutes(minutes.into()));
        Ok(())
    })?;
    let missing = || AirlineChangeError::NoOrder(order_id.to_owned());
    changed.map(drop).ok_or_else(missing)
}
