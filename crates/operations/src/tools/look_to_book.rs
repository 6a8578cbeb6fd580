//! Looks: how often each agency made us ask each supplier, beside how often it booked there. Suppliers charge for looks
//! that come to nothing.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use chrono::NaiveDate;
use wayfare_domain::OrganizationId;
use wayfare_store::look_to_book as rows;

pub use wayfare_store::look_to_book::LookToBook;

use crate::{Platform, Result};

/// Whether somebody's question cost a call to the supplier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// The supplier is asked because of it.
    Asked,
    /// An answer was there, or on its way to somebody else.
    Shared,
}

/// What was counted and is not in the database yet: at most the looks of a few seconds, which a crash loses. Nothing is
/// charged by them.
#[derive(Default)]
pub(crate) struct Looks(Mutex<HashMap<(OrganizationId, String), rows::Looks>>);

impl Looks {
    /// One question of this agency to this supplier.
    pub(crate) fn note(&self, organization: OrganizationId, supplier: &str, look: Look) {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let looks = counted.entry((organization, supplier.to_owned())).or_default();
        match look {
            Look::Asked => looks.asked += 1,
            Look::Shared => looks.shared += 1,
        }
    }

    fn take(&self) -> HashMap<(OrganizationId, String), rows::Looks> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn give_back(&self, taken: HashMap<(OrganizationId, String), rows::Looks>) {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, looks) in taken {
            let sum = counted.entry(key).or_default();
            sum.asked += looks.asked;
            sum.shared += looks.shared;
        }
    }
}

/// Writes what was counted since the last time, as of today (UTC).
///
/// # Errors
/// When the database can't be asked; what was counted is written the next time.
pub async fn write(platform: &Platform) -> Result<()> {
    let taken = platform.looks.take();
    if taken.is_empty() {
        return Ok(());
    }
    let day = platform.clock.now().date_naive();
    let written = async {
        let mut connection = platform.database.connection().await?;
        rows::add(&mut connection, day, &taken).await
    };
    if let Err(error) = written.await {
        platform.looks.give_back(taken);
        return Err(error.into());
    }
    Ok(())
}

/// What each agency looked and booked in these days (UTC, both included), the one with the most looks first.
///
/// # Errors
/// When the database can't be asked.
pub async fn between(platform: &Platform, from: NaiveDate, to: NaiveDate) -> Result<Vec<LookToBook>> {
    let mut connection = platform.database.connection().await?;
    Ok(rows::between(&mut connection, from, to).await?)
}
