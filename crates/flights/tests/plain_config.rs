//! How tests reach a supplier, whatever it sells: the tests of `hotels` have this file, too.

use std::time::Duration;

use wayfare_stub_server::patience;
use wayfare_supply::SupplierConfig;

/// A supplier at this URL, with what suits most tests.
pub fn plain_config(code: &str, base_url: &str, token: &str) -> SupplierConfig {
    SupplierConfig::new(code, base_url, token).with(|config| {
        (config.read_deadline, config.effect_deadline) = (patience(base_url), patience(base_url));
        config.processing_time = Duration::from_secs(120);
        config.parts = true;
    })
}
