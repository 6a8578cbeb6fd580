//! Everything that turns suppliers' amounts into one caller's prices, as it stands at this moment: the one place from
//! which search, price and book have it.

use futures_util::try_join;
use rust_decimal::Decimal;
use wayfare_domain::ProductKind;
use wayfare_flights::{Cabin, Offer};
use wayfare_pricing::{Asked, KnownRates, RateSource, Rules, Sale};
use wayfare_store::pricing::{contracts, exchange_rates, package_assignments, terms};

use crate::{Caller, Core, Result, pricing::exchange_rates::StoredRates};

/// The rules for one caller and the exchange rates.
pub struct Tariff {
    /// Package, terms and contracts, in the currency of the caller's wallet.
    pub rules: Rules,
    pub rates: Box<dyn RateSource>,
}

impl Tariff {
    /// What counts for this caller now: four statements in one round trip.
    pub(crate) async fn of(core: &Core, caller: &Caller, product: ProductKind) -> Result<Self> {
        let connection = core.database.connection().await?;
        let (organization, currency) = (caller.organization(), caller.currency());
        let (package, terms, contracts, stored) = try_join!(
            package_assignments::applied(&connection, organization, Some(caller.user()), product),
            terms::of(&connection, organization, currency),
            contracts::of(&connection, organization),
            exchange_rates::all(&connection),
        )?;
        let rules = Rules { package, terms, contracts };
        let rates = Box::new(KnownRates::of(StoredRates::new(&stored, core.rates.clone())));
        Ok(Self { rules, rates })
    }

    /// What the supplier of this code asks for an offer, converted once into the wallet's currency and priced, as a
    /// search shows it.
    ///
    /// # Errors
    /// [`crate::Error::NoRate`] for a pair that nobody quotes.
    pub(crate) fn sale(&self, supplier: &str, offer: &Offer) -> Result<Sale> {
        let (asked, rate) = self.asked(supplier, offer)?;
        Ok(Sale::new(&self.rules, &asked, rate)?)
    }

    /// The same with its trace, as it is promised.
    ///
    /// # Errors
    /// Those of [`Tariff::sale`].
    pub(crate) fn explained_sale(&self, supplier: &str, offer: &Offer) -> Result<Sale> {
        let (asked, rate) = self.asked(supplier, offer)?;
        Ok(Sale::explained(&self.rules, &asked, rate)?)
    }

    fn asked<'a>(&self, supplier: &'a str, offer: &'a Offer) -> Result<(Asked<'a>, Decimal)> {
        let charge = offer.charge;
        let rate = self.rates.rate(charge.total.currency(), self.rules.currency())?;
        // Contracts name the marketing carrier and the class of the first flight.
        let first = offer.segments().next();
        let asked = Asked {
            supplier,
            airline: first.map(|segment| segment.airline.as_str()),
            cabin: first.and_then(|segment| segment.cabin.as_ref()).map(Cabin::as_ref),
            together: None,
            base: charge.base,
            taxes: charge.taxes,
            commission: charge.commission,
        };
        Ok((asked, rate))
    }
}
