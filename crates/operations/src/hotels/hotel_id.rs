//! Hotel ids: the supplier's code, a colon, and the supplier's own id (P-37).

use std::fmt;

use serde::{Deserialize, Serialize};

use wayfare_domain::Faults;

use crate::Engine;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HotelId {
    pub supplier: String,
    pub hotel: String,
}

impl HotelId {
    /// The id that this text is. `field` is where the request names it.
    ///
    /// # Errors
    /// For a text without the code of a hotel supplier: it can't be routed to anybody.
    pub fn read(engine: &Engine, field: &str, text: &str) -> Result<Self, Faults> {
        let parts = text.split_once(':').filter(|(_, hotel)| !hotel.is_empty());
        let known = parts.filter(|(supplier, _)| engine.suppliers.hotels.contains_key(*supplier));
        let codes: Vec<String> = engine.suppliers.hotels.keys().map(|code| format!("{code}:")).collect();
        let (supplier, hotel) = known.ok_or_else(|| {
            let reason = format!(
                "must be as the search returned it, with its provider's prefix: one of {}",
                codes.join(", ")
            );
            Faults::of(field, reason)
        })?;
        Ok(Self { supplier: supplier.to_owned(), hotel: hotel.to_owned() })
    }
}

impl fmt::Display for HotelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.supplier, self.hotel)
    }
}
