//! The suppliers of this server: who they are, whether they are sold, how they do, and what they answer to questions.

pub mod accounts;
pub(crate) mod answers;
pub mod health;
pub mod look_to_book;
pub(crate) mod read_losses;
pub(crate) mod report;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use serde::Serialize;
use wayfare_domain::{ProductKind, ReasonCode};
use wayfare_flights::FlightSupplier;
use wayfare_hotels::HotelSupplier;
use wayfare_supply::{AfterSales, PermitUse, SupplierConfig, SupplierMetrics, SupplierPauses};

use crate::{
    Caller, Core, Error, Reason, Result,
    tools::{
        broadcast::Broadcast,
        search_memory::query_hash::{Forgets, QueryHash},
    },
};
use accounts::SupplierAccounts;
use look_to_book::LookToBookCounters;

/// How long a supplier that is no longer configured may have taken: then nobody asks it anything.
const LONGEST_STEP: Duration = Duration::from_secs(130);

pub struct Suppliers {
    pub(crate) core: Arc<Core>,
    pub(crate) flights: BTreeMap<String, Arc<dyn FlightSupplier>>,
    pub(crate) hotels: BTreeMap<String, Arc<dyn HotelSupplier>>,
    pub(crate) accounts: SupplierAccounts,
    pub(crate) look_to_book: LookToBookCounters,
    /// What servers tell each other.
    pub(crate) broadcast: Arc<Broadcast>,
}

impl Suppliers {
    /// These suppliers; no code of a flight supplier is a hotel supplier's too. What is forgotten of their answers is forgotten
    /// in these caches.
    pub(crate) fn new(
        core: Arc<Core>,
        flights: Vec<Arc<dyn FlightSupplier>>,
        hotels: Vec<Arc<dyn HotelSupplier>>,
        caches: Vec<Arc<dyn Forgets>>,
    ) -> Self {
        let of_flights = flights.iter().map(|supplier| (supplier.config(), supplier.pauses()));
        let of_hotels = hotels.iter().map(|supplier| (supplier.config(), supplier.pauses()));
        let pauses = of_flights.chain(of_hotels).filter_map(|(config, pauses)| Some((config, pauses?)));
        let pauses: Vec<(&SupplierConfig, SupplierPauses)> = pauses.collect();
        let broadcast = Arc::new(Broadcast::start(&core, pauses, caches));
        let flights = flights.into_iter().map(|supplier| (supplier.config().code.clone(), supplier));
        let hotels = hotels.into_iter().map(|supplier| (supplier.config().code.clone(), supplier));
        Self {
            core,
            flights: flights.collect(),
            hotels: hotels.collect(),
            accounts: SupplierAccounts::default(),
            look_to_book: LookToBookCounters::default(),
            broadcast,
        }
    }

    pub(crate) fn codes(&self) -> impl Iterator<Item = &str> {
        self.all().map(|(code, _)| code)
    }

    /// The flight supplier of this code.
    ///
    /// # Errors
    /// [`Error::SupplierUnavailable`] when it is no longer configured.
    pub(crate) fn flight_supplier(&self, code: &str) -> Result<&Arc<dyn FlightSupplier>> {
        self.flights.get(code).ok_or(Error::SupplierUnavailable(None))
    }

    /// The hotel supplier of this code.
    ///
    /// # Errors
    /// [`Error::SupplierUnavailable`] when it is no longer configured.
    pub(crate) fn hotel_supplier(&self, code: &str) -> Result<&Arc<dyn HotelSupplier>> {
        self.hotels.get(code).ok_or(Error::SupplierUnavailable(None))
    }

    /// The supplier of this code, whatever it sells.
    ///
    /// # Errors
    /// [`Error::SupplierUnavailable`] when it is no longer configured.
    pub(crate) fn supplier(&self, code: &str) -> Result<&dyn AfterSales> {
        match self.flights.get(code) {
            Some(supplier) => Ok(&**supplier),
            None => Ok(&**self.hotel_supplier(code)?),
        }
    }

    /// What the supplier of this code sells.
    ///
    /// # Errors
    /// [`Error::SupplierUnavailable`] when it is no longer configured.
    pub(crate) fn product_of(&self, code: &str) -> Result<ProductKind> {
        match self.flights.contains_key(code) {
            true => Ok(ProductKind::Flight),
            false => self.hotel_supplier(code).map(|_| ProductKind::Hotel),
        }
    }

    /// How long this supplier may take to carry a step out.
    pub(crate) fn step_deadline(&self, code: &str) -> Duration {
        self.supplier(code).map_or(LONGEST_STEP, |supplier| supplier.config().effect_deadline)
    }

    /// The flight supplier of this code, from which the caller wants to buy.
    ///
    /// # Errors
    /// [`Error::OfferGone`] when their agency may no longer do so, [`Error::SupplierUnavailable`] when nothing new is sold of
    /// it, or it is no longer configured.
    pub(crate) fn flight_seller(&self, caller: &Caller, code: &str) -> Result<&Arc<dyn FlightSupplier>> {
        not_barred(caller, code)?;
        self.not_closed(code)?;
        self.flight_supplier(code)
    }

    /// The hotel supplier of this code, from which the caller wants to buy.
    ///
    /// # Errors
    /// As [`Suppliers::flight_seller`].
    pub(crate) fn hotel_seller(&self, caller: &Caller, code: &str) -> Result<&Arc<dyn HotelSupplier>> {
        not_barred(caller, code)?;
        self.not_closed(code)?;
        self.hotel_supplier(code)
    }

    /// Why a search of this caller does not ask the supplier, if it does not.
    pub(crate) fn not_for_sale(&self, caller: &Caller, code: &str) -> Option<&'static str> {
        if !caller.may_buy_from(code) {
            Some("not available to this agency")
        } else if self.accounts.is_closed(code) {
            Some("not for sale now")
        } else {
            None
        }
    }

    /// What is under way at each supplier, by its code.
    pub fn permit_use(&self) -> BTreeMap<&str, PermitUse> {
        self.all().map(|(code, supplier)| (code, supplier.permit_use())).collect()
    }

    /// How each supplier is now, by its code.
    pub(crate) fn metrics(&self) -> BTreeMap<&str, SupplierMetrics> {
        self.all().map(|(code, supplier)| (code, supplier.metrics())).collect()
    }

    /// Every supplier, whatever it sells, with its code.
    fn all(&self) -> impl Iterator<Item = (&str, &dyn AfterSales)> {
        let flights =
            self.flights.iter().map(|(code, supplier)| (code.as_str(), &**supplier as &dyn AfterSales));
        let hotels =
            self.hotels.iter().map(|(code, supplier)| (code.as_str(), &**supplier as &dyn AfterSales));
        flights.chain(hotels)
    }

    /// That new sales of a supplier are refused for now.
    fn not_closed(&self, code: &str) -> Result<()> {
        match self.accounts.is_closed(code) {
            true => {
                let reason = Reason::at(ReasonCode::NotForSale, code);
                Err(Error::SupplierUnavailable(None).because(reason))
            }
            false => Ok(()),
        }
    }

    /// Forgets an answer of which something was sold or is gone, here and at all other servers, so that the next search asks the
    /// supplier again.
    pub(crate) fn forget_answer(&self, code: &str, query: &impl Serialize) {
        let Ok(known) = self.supplier(code) else { return };
        match QueryHash::of(&self.core.secrets, known.config(), query) {
            Ok(query) => self.broadcast.forget(query, self.core.durations.search_cache_ttl),
            Err(error) => tracing::error!(%error, supplier = code, "an answer can't be forgotten"),
        }
    }
}

/// That the caller's agency may buy from this supplier.
fn not_barred(caller: &Caller, code: &str) -> Result<()> {
    match caller.may_buy_from(code) {
        true => Ok(()),
        false => Err(Error::OfferGone.because(Reason::at(ReasonCode::NotForSale, code))),
    }
}
