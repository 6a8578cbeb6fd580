//! The kinds of suppliers: how each is configured, in the settings file and as the sandbox plays it, and made.

use std::collections::HashSet;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use strum::{IntoStaticStr, VariantArray};
use toml::Value;
use wayfare_domain::{Clock, Currency, ProductKind, parse_currency};
use wayfare_flights::{FlightSupplier, PassedOn, duffel::Duffel, tripjack::TripJack};
use wayfare_hotels::{
    HotelSupplier,
    hotelbeds::Hotelbeds,
    liteapi::{LiteApi, Payment},
};
use wayfare_supply::{CityCodes, Limits, SupplierConfig, SupplierHttp};

use crate::supplier_secrets::{HookProof, Place, hook_secret, token};
use crate::value::web_address;

/// One `[[suppliers]]` table.
#[derive(Clone, Debug)]
pub struct SupplierSettings {
    /// Which API it speaks.
    pub kind: SupplierKind,
    /// How it is reached.
    pub config: SupplierConfig,
    /// How LiteAPI is paid; none of others.
    pub payment: Option<Payment>,
}

/// Which API a supplier speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SupplierKind {
    /// Duffel Flights, version 2.
    Duffel,
    /// TripJack Air API, version 1.
    TripJack,
    /// LiteAPI hotels, version 3.
    LiteApi,
    /// Hotelbeds hotels (APItude), version 1; its token is `key:secret`.
    Hotelbeds,
}

/// What a kind has of its own.
struct Profile {
    sells: ProductKind,
    hook_proof: HookProof,
    effect_deadline_s: u64,
    processing_time_s: u64,
    city_codes: CityCodes,
    watch_per_hour: u32,
    /// Where the sandbox plays it, and the key that it takes.
    sandbox: (&'static str, &'static str),
    /// Keys of the settings file that few kinds take, this one among them.
    keys: &'static [&'static str],
    /// What of an order may be shown; none where there is no list.
    passed_on: Option<fn(serde_json::Value) -> PassedOn>,
}

impl SupplierKind {
    const fn profile(self) -> Profile {
        match self {
            // Its field takes cities. It takes 4,000 calls a minute.
            Self::Duffel => Profile {
                sells: ProductKind::Flight,
                hook_proof: HookProof::Signature,
                effect_deadline_s: 130,
                processing_time_s: 130,
                city_codes: CityCodes::AsIs,
                watch_per_hour: 1_000,
                sandbox: ("duffel", "duffel_test_sandbox"),
                keys: &[],
                passed_on: Some(wayfare_flights::duffel::order_passed_on),
            },
            // Its field is said to take cities, but nobody has shown an answer.
            Self::TripJack => Profile {
                sells: ProductKind::Flight,
                hook_proof: HookProof::None,
                effect_deadline_s: 130,
                processing_time_s: 300,
                city_codes: CityCodes::Spread,
                watch_per_hour: 600,
                sandbox: ("tripjack", "tripjack_test_sandbox"),
                keys: &["parts", "reissue"],
                passed_on: Some(wayfare_flights::tripjack::order_passed_on),
            },
            Self::LiteApi => Profile {
                sells: ProductKind::Hotel,
                hook_proof: HookProof::Address,
                effect_deadline_s: 100,
                processing_time_s: 120,
                city_codes: CityCodes::AsIs,
                watch_per_hour: 600,
                sandbox: ("liteapi/v3.0", "liteapi_test_sandbox"),
                keys: &["payment"],
                passed_on: None,
            },
            // A key has so many calls a day.
            Self::Hotelbeds => Profile {
                sells: ProductKind::Hotel,
                hook_proof: HookProof::Address,
                effect_deadline_s: 100,
                processing_time_s: 120,
                city_codes: CityCodes::AsIs,
                watch_per_hour: 20,
                sandbox: ("hotelbeds", "hotelbeds_test_sandbox:sandbox"),
                keys: &["content_per_hour"],
                passed_on: None,
            },
        }
    }

    pub fn sells(self) -> ProductKind {
        self.profile().sells
    }

    /// Refuses a key of the settings file that is not for this kind.
    fn takes(self, key: &str) -> Result<(), String> {
        let takers = || Self::VARIANTS.iter().copied().filter(|kind| kind.profile().keys.contains(&key));
        if takers().any(|kind| kind == self) {
            return Ok(());
        }
        let names: Vec<&str> = takers().map(Into::into).collect();
        Err(format!("key `{key}` is for the kind `{}` alone", names.join("`, `")))
    }

    /// What of a stored answer may be shown without whom it is for, and how much is left out; none where there is no list.
    pub fn passed_on(self, raw: serde_json::Value) -> Option<(serde_json::Value, usize)> {
        let shown = self.profile().passed_on?(raw);
        Some((shown.order, shown.omitted))
    }

    /// How to reach a supplier of this kind, with the deadlines and limits that suit it.
    pub fn config(
        self,
        code: impl Into<String>,
        base_url: impl Into<String>,
        token: SecretString,
    ) -> SupplierConfig {
        let profile = self.profile();
        SupplierConfig::new(code, base_url, token).with(|config| {
            config.effect_deadline = Duration::from_secs(profile.effect_deadline_s);
            config.processing_time = Duration::from_secs(profile.processing_time_s);
            config.city_codes = profile.city_codes;
            config.watch_per_hour = profile.watch_per_hour;
        })
    }

    /// How the sandbox is reached that plays this supplier at this URL, configured as the real one would be.
    fn in_sandbox(self, base_url: &str) -> SupplierSettings {
        let code: &str = self.into();
        let (path, token) = self.profile().sandbox;
        let mut config = self.config(code, format!("{base_url}/{path}"), token.into());
        // What the sandbox sells in unless it is told otherwise, which nobody does here.
        config.currency = Some(Currency::INR);
        // It answers at once unless it was told to misbehave: nobody should wait minutes to see how that ends.
        config.effect_deadline = Duration::from_secs(20);
        config.processing_time = Duration::from_secs(30);
        // Nor minutes until hotels have pictures.
        config.content_per_hour = 3_600;
        // Its amendments of parts and its reissues are tried and known.
        let takes = |key| self.takes(key).is_ok();
        (config.parts, config.reissue) = (takes("parts"), takes("reissue"));
        let payment = takes("payment").then_some(Payment::Wallet);
        SupplierSettings { kind: self, config, payment }
    }
}

impl SupplierSettings {
    /// The sandbox at this URL as each supplier that it plays.
    pub fn of_sandbox(base_url: &str) -> impl Iterator<Item = Self> {
        SupplierKind::VARIANTS.iter().map(move |kind| kind.in_sandbox(base_url))
    }
}

/// Every supplier that is configured, by what it sells.
#[derive(Default)]
pub struct Suppliers {
    pub flights: Vec<Arc<dyn FlightSupplier>>,
    pub hotels: Vec<Arc<dyn HotelSupplier>>,
}

impl Suppliers {
    /// The adapter of each.
    ///
    /// # Errors
    /// Names the supplier that can't be used as it is configured.
    pub fn of(settings: Vec<SupplierSettings>, clock: &Clock) -> Result<Self, String> {
        let mut suppliers = Self::default();
        for SupplierSettings { kind, config, payment } in settings {
            let code = config.code.clone();
            let http = SupplierHttp::new(config, clock.clone()).map_err(|error| error.to_string())?;
            match kind {
                SupplierKind::Duffel => suppliers.flights.push(Arc::new(Duffel::new(http))),
                SupplierKind::TripJack => suppliers.flights.push(Arc::new(TripJack::new(http))),
                SupplierKind::LiteApi => {
                    let payment = payment.ok_or_else(|| format!("supplier {code}: {NO_PAYMENT}"))?;
                    suppliers.hotels.push(Arc::new(LiteApi::new(http, payment)));
                }
                SupplierKind::Hotelbeds => {
                    let hotelbeds =
                        Hotelbeds::new(http).map_err(|error| format!("supplier {code}: {error}"))?;
                    suppliers.hotels.push(Arc::new(hotelbeds));
                }
            }
        }
        Ok(suppliers)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    code: String,
    kind: SupplierKind,
    base_url: String,
    booking_url: Option<String>,
    currency: Option<String>,
    token: Option<String>,
    token_env: Option<String>,
    token_file: Option<PathBuf>,
    read_deadline_s: Option<NonZeroU64>,
    effect_deadline_s: Option<NonZeroU64>,
    processing_time_s: Option<NonZeroU64>,
    calls_at_once: Option<u32>,
    agency_share: Option<u8>,
    failures_to_open: Option<NonZeroU32>,
    open_for_s: Option<NonZeroU64>,
    city_codes: Option<CityCodes>,
    parts: Option<bool>,
    reissue: Option<bool>,
    watch_per_hour: Option<NonZeroU32>,
    content_per_hour: Option<NonZeroU32>,
    webhook_secret_env: Option<String>,
    webhook_secret_file: Option<PathBuf>,
    webhook_token_env: Option<String>,
    webhook_token_file: Option<PathBuf>,
    payment: Option<String>,
}

impl Written {
    /// What we prove ourselves by, taken out.
    fn token(&mut self) -> Result<SecretString, String> {
        let elsewhere = Place { key: "token", variable: self.token_env.take(), file: self.token_file.take() };
        token(self.token.take(), elsewhere)
    }

    /// What proves its hooks, taken out.
    fn hook_secret(&mut self) -> Result<Option<SecretString>, String> {
        let secret = Place {
            key: "webhook_secret",
            variable: self.webhook_secret_env.take(),
            file: self.webhook_secret_file.take(),
        };
        let token = Place {
            key: "webhook_token",
            variable: self.webhook_token_env.take(),
            file: self.webhook_token_file.take(),
        };
        hook_secret(self.kind.into(), self.kind.profile().hook_proof, secret, token)
    }
}

/// What each LiteAPI has to say.
const NO_PAYMENT: &str = "key `payment` must be CREDIT, WALLET or ACC_CREDIT_CARD: how its bookings are paid";

/// How bookings are paid there, where that has to be said.
fn payment(
    kind: SupplierKind,
    written: Option<&str>,
    token: &SecretString,
) -> Result<Option<Payment>, String> {
    use SupplierKind::{Duffel, Hotelbeds, LiteApi, TripJack};
    match (kind, written) {
        (LiteApi, None) => Err(NO_PAYMENT.to_owned()),
        (LiteApi, Some(method @ ("TRANSACTION_ID" | "CREDIT_CARD"))) => Err(format!(
            "key `payment`: {method} needs guests' cards, and no card passes through this service; {NO_PAYMENT}"
        )),
        (LiteApi, Some(method)) => {
            let payment: Payment = method.parse().map_err(|_| NO_PAYMENT.to_owned())?;
            let usable = payment.check(token.expose_secret());
            usable.map_err(|reason| format!("key `payment`: {reason}"))?;
            Ok(Some(payment))
        }
        (Duffel | TripJack | Hotelbeds, Some(_)) => kind.takes("payment").map(|()| None),
        (Duffel | TripJack | Hotelbeds, None) => Ok(None),
    }
}

/// The suppliers of the value of the key `suppliers`.
pub(crate) fn of(value: Value) -> Result<Vec<SupplierSettings>, String> {
    let Value::Array(list) = value else {
        return Err("key `suppliers` must be tables, each headed [[suppliers]]".to_owned());
    };
    let mut codes = HashSet::new();
    let numbered = list.into_iter().enumerate();
    numbered
        .map(|(index, table)| {
            let name = format!("[[suppliers]] number {}", index + 1);
            let supplier = one(table).map_err(|reason| format!("{name}: {reason}"))?;
            match codes.insert(supplier.config.code.clone()) {
                true => Ok(supplier),
                false => Err(format!("{name}: code `{}` is taken", supplier.config.code)),
            }
        })
        .collect()
}

fn one(table: Value) -> Result<SupplierSettings, String> {
    let mut written: Written =
        table.try_into().map_err(|error: toml::de::Error| error.message().to_owned())?;
    let (token, hook_proof) = (written.token()?, written.hook_secret()?);
    if !is_code(&written.code) {
        return Err("key `code` must be small letters, digits and `_`, a letter first, at most 32".to_owned());
    }
    let payment = payment(written.kind, written.payment.as_deref(), &token)?;
    let base_url = web_address(&written.base_url).map_err(|reason| format!("key `base_url`: {reason}"))?;
    let mut config = written.kind.config(written.code, base_url, token);
    config.hook_secret = hook_proof;
    config.booking_url = written
        .booking_url
        .map(|url| web_address(&url).map_err(|reason| format!("key `booking_url`: {reason}")))
        .transpose()?;
    config.currency = written
        .currency
        .map(|code| parse_currency(&code).ok_or(format!("key `currency`: `{code}` is no currency")))
        .transpose()?;
    for (duration, seconds) in [
        (&mut config.read_deadline, written.read_deadline_s),
        (&mut config.effect_deadline, written.effect_deadline_s),
        (&mut config.processing_time, written.processing_time_s),
        (&mut config.limits.open_for, written.open_for_s),
    ] {
        if let Some(seconds) = seconds {
            *duration = Duration::from_secs(seconds.get());
        }
    }
    if let Some(failures) = written.failures_to_open {
        config.limits.failures_to_open = failures.get();
    }
    if let Some(looks) = written.watch_per_hour {
        config.watch_per_hour = looks.get();
    }
    if let Some(pages) = written.content_per_hour {
        written.kind.takes("content_per_hour")?;
        config.content_per_hour = pages.get();
    }
    match (written.city_codes, written.kind.sells()) {
        (Some(_), ProductKind::Hotel) => {
            return Err("key `city_codes` is for suppliers of flights".to_owned());
        }
        (Some(city_codes), ProductKind::Flight) => config.city_codes = city_codes,
        (None, _) => {}
    }
    if let Some(parts) = written.parts {
        written.kind.takes("parts")?;
        config.parts = parts;
    }
    if let Some(reissue) = written.reissue {
        written.kind.takes("reissue")?;
        config.reissue = reissue;
    }
    share_calls(&mut config.limits, written.calls_at_once, written.agency_share)?;
    Ok(SupplierSettings { kind: written.kind, config, payment })
}

/// How many calls there are at once, and which hundredth of them is an agency's at most.
fn share_calls(
    limits: &mut Limits,
    calls_at_once: Option<u32>,
    agency_share: Option<u8>,
) -> Result<(), String> {
    match calls_at_once {
        // One seat for questions, and one that they leave free.
        Some(calls @ 0..2) => return Err(format!("key `calls_at_once` must be 2 or more, and is {calls}")),
        Some(calls) => limits.calls_at_once = calls,
        None => {}
    }
    match agency_share {
        Some(share @ 1..=100) => limits.agency_share = share,
        Some(share) => {
            return Err(format!("key `agency_share` must be from 1 to 100, and is {share}"));
        }
        None => {}
    }
    Ok(())
}

fn is_code(code: &str) -> bool {
    code.len() <= 32
        && code.starts_with(|first: char| first.is_ascii_lowercase())
        && code.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    const DUFFEL: &str =
        "[[suppliers]]\ncode = 'duffel'\nkind = 'duffel'\nbase_url = 'https://api.duffel.com/'\n";

    fn suppliers(text: &str) -> Result<Vec<SupplierSettings>, String> {
        of(text.parse::<toml::Table>().unwrap().remove("suppliers").unwrap())
    }

    #[test]
    fn a_supplier_has_the_deadlines_and_limits_of_its_kind_unless_told_otherwise() {
        let all = suppliers(&format!(
            "{DUFFEL}token = 'duffel_test_x'\neffect_deadline_s = 40\nfailures_to_open = 9\nagency_share = 100\nwatch_per_hour = 7\ncity_codes = 'off'"
        ))
        .unwrap();
        let [SupplierSettings { kind, config, .. }] = all.as_slice() else {
            panic!("{all:?}");
        };
        assert_eq!(*kind, SupplierKind::Duffel);
        assert_eq!(config.base_url, "https://api.duffel.com");
        assert_eq!(config.token.expose_secret(), "duffel_test_x");
        assert_eq!(config.read_deadline.as_secs(), 20);
        assert_eq!(config.effect_deadline.as_secs(), 40);
        assert_eq!(config.processing_time.as_secs(), 130);
        let limits = Limits::default().with(|limits| {
            (limits.failures_to_open, limits.agency_share) = (9, 100);
        });
        assert_eq!(config.limits, limits);
        assert_eq!(config.city_codes, CityCodes::Off);
        assert_eq!(config.watch_per_hour, 7);
        assert!(!format!("{all:?}").contains("duffel_test_x"));
    }

    #[test]
    fn tickets_are_reissued_where_that_is_set_and_at_tripjack_alone() {
        let tripjack = DUFFEL.replace("'duffel'", "'tripjack'");
        let reissues = |line: &str| {
            let all = suppliers(&format!("{tripjack}token = 'x'\n{line}")).unwrap();
            all.iter().map(|one| one.config.reissue).collect::<Vec<_>>()
        };
        assert_eq!(reissues(""), [false]);
        assert_eq!(reissues("reissue = false"), [false]);
        assert_eq!(reissues("reissue = true"), [true]);
        let refused = suppliers(&format!("{DUFFEL}token = 'x'\nreissue = true")).unwrap_err();
        assert!(refused.contains("key `reissue` is for the kind `tripjack` alone"), "{refused}");
    }

    #[test]
    fn tripjack_may_be_at_a_booking_for_five_minutes() {
        let all = suppliers(&format!("{}token = 'x'", DUFFEL.replace("'duffel'", "'tripjack'"))).unwrap();
        assert_eq!(all[0].kind, SupplierKind::TripJack);
        assert_eq!(all[0].config.code, "tripjack");
        assert_eq!(all[0].config.processing_time.as_secs(), 300);
        assert_eq!(all[0].config.city_codes, CityCodes::Spread);
        assert_eq!(all[0].config.watch_per_hour, 600);
    }

    #[test]
    fn only_who_tells_apart_what_hotels_are_has_a_budget_for_it() {
        let of_kind = |kind: &str| {
            let supplier = DUFFEL.replace("'duffel'", &format!("'{kind}'"));
            suppliers(&format!("{supplier}token = 'x:y'\ncontent_per_hour = 2"))
        };
        assert_eq!(of_kind("hotelbeds").unwrap()[0].config.content_per_hour, 2);
        let refused = of_kind("duffel").unwrap_err();
        assert!(refused.ends_with("key `content_per_hour` is for the kind `hotelbeds` alone"), "{refused}");
    }

    #[test]
    fn liteapi_starts_with_each_way_to_pay_that_needs_no_card_of_a_guest() {
        let start = |payment: &str, token: &str| {
            let text = DUFFEL.replace("'duffel'", "'liteapi'");
            suppliers(&format!("{text}token = '{token}'\n{payment}")).map(|all| all[0].payment)
        };
        for (payment, key, expected) in [
            ("payment = 'CREDIT'", "prod_1", Payment::Credit),
            ("payment = 'WALLET'", "prod_1", Payment::Wallet),
            ("payment = 'WALLET'", "sand_1", Payment::Wallet),
            ("payment = 'ACC_CREDIT_CARD'", "sand_1", Payment::AccountCard),
        ] {
            assert_eq!(start(payment, key).unwrap(), Some(expected), "{payment} {key}");
        }
        for (payment, key, why) in [
            ("", "prod_1", "key `payment` must be"),
            ("payment = 'CASH'", "prod_1", "key `payment` must be"),
            ("payment = 'TRANSACTION_ID'", "prod_1", "no card passes through this service"),
            ("payment = 'CREDIT_CARD'", "prod_1", "no card passes through this service"),
            ("payment = 'CREDIT'", "sand_1", "CREDIT needs a contract and always books for real"),
        ] {
            let refused = start(payment, key).unwrap_err();
            assert!(refused.contains(why), "{refused}");
        }
        let duffel = suppliers(&format!("{DUFFEL}token = 'x'\npayment = 'WALLET'")).unwrap_err();
        assert!(duffel.contains("for the kind `liteapi` alone"), "{duffel}");
    }

    #[test]
    fn a_token_can_come_from_a_variable() {
        // Any variable that every process has.
        let all = suppliers(&format!("{DUFFEL}token_env = 'PATH'")).unwrap();
        assert_eq!(all[0].config.token.expose_secret(), env::var("PATH").unwrap());
        let refused = suppliers(&format!("{DUFFEL}token_env = 'NO_SUCH_TOKEN'")).unwrap_err();
        assert!(refused.contains("the variable NO_SUCH_TOKEN, which is not set"), "{refused}");
    }

    #[test]
    fn a_supplier_that_is_not_whole_is_refused_with_its_place_and_key() {
        let twice = format!("{DUFFEL}token = 'a'\n{DUFFEL}token = 'b'");
        for (text, why) in [
            (DUFFEL, "number 1: it needs one of `token`, `token_env` and `token_file`"),
            (&twice, "number 2: code `duffel` is taken"),
            (&format!("{DUFFEL}token = 'a'\ntokn = 'b'"), "unknown field `tokn`"),
            (&format!("{DUFFEL}token = 'a'\nread_deadline_s = 0"), "number 1: "),
            (&format!("{DUFFEL}token = 'a'\ncalls_at_once = 1"), "key `calls_at_once` must be 2 or more"),
            (&format!("{DUFFEL}token = 'a'\nagency_share = 0"), "key `agency_share` must be from 1 to 100"),
            (&format!("{DUFFEL}token = 'a'\ncity_codes = 'both'"), "unknown variant `both`"),
            (
                &format!(
                    "{}token = 'a'\npayment = 'WALLET'\ncity_codes = 'off'",
                    DUFFEL.replace("kind = 'duffel'", "kind = 'liteapi'")
                ),
                "key `city_codes` is for suppliers of flights",
            ),
            (&format!("{DUFFEL}token = 'a'\nfailures_to_open = 0"), "number 1: "),
            (&DUFFEL.replace("kind = 'duffel'", "kind = 'sabre'"), "unknown variant `sabre`"),
            (&format!("{}token = 'a'", DUFFEL.replace("https://", "")), "key `base_url`: it must begin"),
            (
                &format!(
                    "{}token = 'a'",
                    DUFFEL.replace("= 'duffel'", "= 'Duffel'").replace("kind = 'D", "kind = 'd")
                ),
                "key `code`",
            ),
            ("suppliers = 5", "must be tables"),
        ] {
            let refused = suppliers(text).unwrap_err();
            assert!(refused.contains(why), "{refused}");
        }
    }
}
