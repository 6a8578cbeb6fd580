//! The tables of the settings file, which no flag could hold.

use wayfare_pricing::RateTable;

use crate::suppliers::SupplierSettings;

/// What only the file can say.
#[derive(Clone, Debug, Default)]
pub struct FileTables {
    /// `[[suppliers]]`: the real ones.
    pub suppliers: Vec<SupplierSettings>,
    /// `[exchange_rates]`: `"GBP/INR" = "105.25"`.
    pub exchange_rates: RateTable,
}
