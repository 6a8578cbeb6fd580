//! Look-to-book: how many supplier searches each agency caused, beside how many orders it made there. Suppliers charge for
//! searches that come to nothing.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, PoisonError},
};

use chrono::NaiveDate;
use rust_decimal::{Decimal, RoundingStrategy};
use wayfare_boxed::boxed;
use wayfare_domain::OrganizationId;
use wayfare_store::suppliers::look_to_book::{self, SearchCounts};

pub use wayfare_store::suppliers::look_to_book::LookToBook;

use crate::{Core, Result, Suppliers, tools::search_memory::answer_cache::SupplierSearch};

/// What was counted and is not in the database yet: at most the searches of a few seconds, which a crash loses. Nothing is
/// charged by them.
#[derive(Default)]
pub(crate) struct LookToBookCounters {
    unwritten: Mutex<HashMap<(OrganizationId, String), SearchCounts>>,
    since_start: Mutex<BTreeMap<String, SupplierCounts>>,
}

/// What this process has counted at one supplier since its start, for metrics.
#[derive(Clone, Copy, Default)]
pub(crate) struct SupplierCounts {
    pub asked: u64,
    /// Searches that cost none.
    pub shared: u64,
    pub booked: u64,
}

impl LookToBookCounters {
    /// Counts one search of this agency at this supplier, which takes so many calls where it is asked.
    pub(crate) fn count(
        &self,
        organization: OrganizationId,
        supplier: &str,
        search: SupplierSearch,
        calls: usize,
    ) {
        let mut counted = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = counted.entry((organization, supplier.to_owned())).or_default();
        match search {
            SupplierSearch::Asked => counts.asked += i64::try_from(calls).unwrap_or(i64::MAX),
            SupplierSearch::Shared => counts.shared += 1,
        }
        drop(counted);
        self.count_since_start(supplier, |counts| match search {
            SupplierSearch::Asked => counts.asked += u64::try_from(calls).unwrap_or(u64::MAX),
            SupplierSearch::Shared => counts.shared += 1,
        });
    }

    /// Counts one order that was made at this supplier. The database knows orders by themselves.
    pub(crate) fn count_order(&self, supplier: &str) {
        self.count_since_start(supplier, |counts| counts.booked += 1);
    }

    fn count_since_start(&self, supplier: &str, count: impl FnOnce(&mut SupplierCounts)) {
        let mut all = self.since_start.lock().unwrap_or_else(PoisonError::into_inner);
        match all.get_mut(supplier) {
            Some(counts) => count(counts),
            None => count(all.entry(supplier.to_owned()).or_default()),
        }
    }

    /// What was counted since the start, by supplier.
    pub(crate) fn since_start(&self) -> BTreeMap<String, SupplierCounts> {
        self.since_start.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn take(&self) -> HashMap<(OrganizationId, String), SearchCounts> {
        std::mem::take(&mut *self.unwritten.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn put_back(&self, taken: HashMap<(OrganizationId, String), SearchCounts>) {
        let mut counted = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, counts) in taken {
            let sum = counted.entry(key).or_default();
            sum.asked += counts.asked;
            sum.shared += counts.shared;
        }
    }
}

/// Writes what was counted since the last time, as of today (UTC).
///
/// # Errors
/// When the database can't be asked; what was counted is written the next time.
#[boxed]
pub async fn write(suppliers: &Suppliers) -> Result<()> {
    let taken = suppliers.look_to_book.take();
    if taken.is_empty() {
        return Ok(());
    }
    let day = suppliers.core.clock.now().date_naive();
    let written = async {
        let mut connection = suppliers.core.database.connection().await?;
        look_to_book::add(&mut connection, day, &taken).await
    };
    if let Err(error) = written.await {
        suppliers.look_to_book.put_back(taken);
        return Err(error.into());
    }
    Ok(())
}

/// Searches and orders of each agency at each supplier in these days (UTC, both included), most searches first.
#[boxed]
pub async fn between(core: &Core, from: NaiveDate, to: NaiveDate) -> Result<Vec<LookToBook>> {
    let mut connection = core.database.connection().await?;
    Ok(look_to_book::between(&mut connection, from, to).await?)
}

/// How many searches were put to the supplier for each order, with one decimal, also where that is a zero; none while nothing is
/// booked.
pub fn for_each_order(counted: &LookToBook) -> Option<Decimal> {
    let ratio = Decimal::from(counted.asked).checked_div(counted.booked.into())?;
    let mut rounded = ratio.round_dp_with_strategy(1, RoundingStrategy::MidpointAwayFromZero);
    rounded.rescale(1);
    Some(rounded)
}
