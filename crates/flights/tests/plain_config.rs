//! How tests reach a supplier, whatever it sells: the tests of `hotels` have this file, too.

use std::time::Duration;

use wayfare_stub_server::patience;
use wayfare_supply::{CityCodes, Limits, SupplierConfig};

/// A supplier at this URL, with what suits most tests.
pub fn plain_config(code: &str, base_url: &str, token: &str) -> SupplierConfig {
    SupplierConfig {
        code: code.to_owned(),
        base_url: base_url.to_owned(),
        booking_url: None,
        currency: None,
        token: token.to_owned().into(),
        read_deadline: patience(base_url),
        effect_deadline: patience(base_url),
        processing_time: Duration::from_secs(120),
        limits: Limits::default(),
        city_codes: CityCodes::AsIs,
        parts: true,
        reissue: false,
        watch_per_hour: 600,
        content_per_hour: 60,
        hook_secret: None,
    }
}
