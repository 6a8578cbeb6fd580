//! What has to be known of a kind of supplier to try one out: how a key of its test environment is told from one that buys, and
//! where something is sold there.

use secrecy::ExposeSecret;
use url::Url;

use crate::suppliers::{SupplierKind, SupplierSettings};

impl SupplierKind {
    /// How keys of its test environment and of the sandbox begin, and the hosts of that environment.
    const fn test_keys(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            Self::Duffel => (&["duffel_test_"], &[]),
            Self::TripJack => (&["tripjack_test_"], &["apitest.tripjack.com"]),
            Self::LiteApi => (&["sand_", "liteapi_test_"], &[]),
            Self::Hotelbeds => {
                (&["hotelbeds_test_"], &["api.test.hotelbeds.com", "api-secure.test.hotelbeds.com"])
            }
        }
    }

    /// A route between airports, or latitude and longitude, at which its test environment sells something.
    pub fn place_of_trial(self) -> &'static str {
        match self {
            Self::Duffel => "LHR-JFK",
            Self::TripJack => "DEL-BOM",
            Self::LiteApi | Self::Hotelbeds => "39.5696,2.6502",
        }
    }
}

impl SupplierSettings {
    /// Whether nothing is bought for real with its key. A key of which that can't be told is none of a test environment.
    pub fn has_test_key(&self) -> bool {
        let (begins, hosts) = self.kind.test_keys();
        let key = self.config.token.expose_secret();
        let is_there = |url: &String| {
            let url = Url::parse(url).ok();
            url.is_some_and(|url| url.host_str().is_some_and(|host| hosts.contains(&host)))
        };
        begins.iter().any(|begin| key.starts_with(begin))
            || is_there(&self.config.base_url) && self.config.booking_url.as_ref().is_none_or(is_there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_counts_as_one_that_buys_unless_its_form_or_its_address_is_of_a_test() {
        for (kind, key, url, booking_url, expected) in [
            (SupplierKind::Duffel, "duffel_test_x", "https://api.duffel.com", None, true),
            (SupplierKind::Duffel, "duffel_live_x", "https://api.duffel.com", None, false),
            (SupplierKind::LiteApi, "sand_x", "https://api.liteapi.travel", None, true),
            (SupplierKind::LiteApi, "prod_x", "https://api.liteapi.travel", None, false),
            (SupplierKind::TripJack, "9f", "https://apitest.tripjack.com", None, true),
            (SupplierKind::TripJack, "9f", "https://apitest.tripjack.com@tripjack.com", None, false),
            (SupplierKind::TripJack, "9f", "http://127.0.0.1:8080", None, false),
            (SupplierKind::Hotelbeds, "a:b", "https://api.test.hotelbeds.com", None, true),
            (
                SupplierKind::Hotelbeds,
                "a:b",
                "https://api.test.hotelbeds.com",
                Some("https://api.hotelbeds.com"),
                false,
            ),
        ] {
            let mut config = kind.config("code", url, key.to_owned().into());
            config.booking_url = booking_url.map(str::to_owned);
            let settings = SupplierSettings { kind, config, payment: None };
            assert_eq!(settings.has_test_key(), expected, "{kind:?} {key} {url} {booking_url:?}");
        }
    }
}
