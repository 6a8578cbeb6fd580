//! What suppliers ask for rooms, made one caller's prices.

use wayfare_domain::{Money, MoneyError};
use wayfare_hotels::{RateParts, RoomRate, Stay};
use wayfare_pricing::{Asked, Sale};
use wayfare_store::booking::bookings::Booking;

use crate::{Error, Result, pricing::tariff::Tariff};

/// The sale of each room of a rate. The price of a room is worked out by itself, and the rate's is their sum (P-25,
/// D-79): a supplier that tells a price for all of them is told in equal parts, of which the last may be more by a
/// minor unit.
///
/// # Errors
/// [`Error::NoRate`] for a pair that nobody quotes; amounts that are no price.
pub(crate) fn sales(tariff: &Tariff, supplier: &str, rate: &RoomRate, explained: bool) -> Result<Vec<Sale>> {
    let count = usize::from(rate.rooms.max(1));
    let total = rate.parts.total()?;
    let exchange = tariff.rates.rate(total.currency(), tariff.rules.currency())?;
    let base = rate.parts.rooms.minus(rate.parts.discounts)?.split(count);
    let taxes = rate.parts.taxes_and_fees()?.split(count);
    let mut commissions = rate.commission.map(|commission| commission.split(count));
    let mut sales: Vec<Sale> = Vec::with_capacity(count);
    let mut before = None;
    for (base, taxes) in base.zip(taxes) {
        let commission = commissions.as_mut().and_then(Iterator::next);
        // Nearly always all rooms cost the same.
        if let Some(last) = sales.last().filter(|_| before == Some((base, taxes, commission))) {
            sales.push(last.clone());
            continue;
        }
        before = Some((base, taxes, commission));
        let asked =
            Asked { supplier, airline: None, cabin: None, together: Some(total), base, taxes, commission };
        sales.push(match explained {
            true => Sale::explained(&tariff.rules, &asked, exchange)?,
            false => Sale::new(&tariff.rules, &asked, exchange)?,
        });
    }
    Ok(sales)
}

/// What a price is made of, in the wallet's currency: the parts add up to T exactly (P-82).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breakdown {
    /// The rooms for all nights, before discounts.
    pub rooms: Money,
    pub taxes: Money,
    pub service_charge: Money,
    pub resort_fee: Money,
    pub fees: Money,
    /// What was taken off, not negative.
    pub discounts: Money,
    pub total: Money,
}

impl Breakdown {
    /// What these rates are made of that come to `sale`; what rounding leaves over is of the rooms.
    pub(crate) fn of<'a>(
        rates: impl Iterator<Item = &'a RateParts>,
        sale: &Sale,
    ) -> Result<Self, MoneyError> {
        let total = sale.price.total();
        let zero = Money::zero(total.currency());
        let (mut taxes, mut service_charge, mut resort_fee, mut other) = (zero, zero, zero, zero);
        let mut discounts = zero;
        for parts in rates {
            let ours = |theirs: Money| theirs.converted(sale.exchange_rate, total.currency());
            taxes = taxes.plus(ours(parts.taxes)?)?;
            service_charge = service_charge.plus(ours(parts.service_charge)?)?;
            resort_fee = resort_fee.plus(ours(parts.resort_fee)?)?;
            other = other.plus(ours(parts.other_fees)?)?;
            discounts = discounts.plus(ours(parts.discounts)?)?;
        }
        let fees = service_charge.plus(resort_fee)?.plus(other)?;
        let rooms = total.plus(discounts)?.minus(taxes)?.minus(fees)?;
        Ok(Self { rooms, taxes, service_charge, resort_fee, fees, discounts, total })
    }

    /// What a booking's T is made of.
    pub fn of_booking(booking: &Booking<Stay>) -> Result<Self> {
        let sale = booking
            .sales
            .first()
            .ok_or_else(|| Error::Internal(format!("{} has no price", booking.reference)))?;
        Ok(Self::of(booking.product.rates.iter().map(|rate| &rate.parts), sale)?)
    }

    /// Before discounts.
    pub fn before_discounts(&self) -> Result<Money, MoneyError> {
        self.total.plus(self.discounts)
    }
}

/// Several sales of one supplier as one.
///
/// # Errors
/// [`Error::OfferGone`] for none, and for sales in different currencies, which no supplier's order has.
pub(crate) fn together(sales: Vec<Sale>) -> Result<Sale> {
    Sale::together(sales).ok().flatten().ok_or(Error::OfferGone)
}
