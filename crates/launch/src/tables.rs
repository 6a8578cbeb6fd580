//! The tables of the settings file, which no flag could hold.

use std::collections::BTreeMap;

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

impl FileTables {
    /// What all servers of a database should have alike, by name: `suppliers.duffel`, `exchange_rates`. Tokens are left out.
    pub fn shared_settings(&self) -> BTreeMap<String, String> {
        let suppliers = self.suppliers.iter().map(|supplier| {
            let name = format!("suppliers.{}", supplier.config.code);
            (name, format!("{supplier:?}"))
        });
        let rates = self.exchange_rates.lines().join("; ");
        suppliers.chain([("exchange_rates".to_owned(), rates)]).collect()
    }
}
