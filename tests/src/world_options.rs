//! What a test may want otherwise of its world, and the platform that comes of it.

use std::{path::PathBuf, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use secrecy::SecretSlice;
use wayfare_domain::{Clock, KeptDays, Network, parse_currency};
use wayfare_hotels::liteapi::Payment;
use wayfare_launch::{SupplierKind, SupplierSettings, Suppliers};
use wayfare_operations::{
    Database, Durations, Platform, PlatformParts, Redis, Renewal, SearchMemoryBounds, Secrets, SigningKey,
    SigningKeys, WebhookNetworks, WebhookSender,
    access::PasswordCost,
    people::{PeopleKey, PeopleKeys},
    reports::ReportFiles,
};
use wayfare_pricing::RateTable;
use wayfare_supply::Limits;

use crate::{PortBug, Seller, World, seeded_bugs::Buggy};

#[derive(Clone)]
pub struct WorldOptions {
    /// The time of platform, supplier client and sandbox.
    pub clock: Clock,
    /// How long callers wait for an effect.
    pub patience: Duration,
    /// How long an outcome may stay unknown before the operator is told.
    pub incident_after: Duration,
    pub offer_validity: Duration,
    pub quote_validity: Duration,
    /// For how long a supplier's answer serves others who search the same.
    pub search_cache_ttl: Duration,
    /// How long the supplier may take to answer a question.
    pub read_deadline: Duration,
    /// How long the supplier may take to carry something out.
    pub effect_deadline: Duration,
    /// Until when "not found" means "not yet".
    pub processing_time: Duration,
    /// How hard the supplier is pressed, and when it is left alone.
    pub limits: Limits,
    /// How many orders are polled in an hour at each supplier because their travel is not over; its kind's where none.
    pub watch_per_hour: Option<u32>,
    /// Whether suppliers post hooks, proven by [`World::hook_secret`].
    pub hooks: bool,
    pub rate_limits: bool,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// How long a request's head, and its body, may take to come.
    pub slowest_request: Duration,
    /// Who sells; Duffel unless told otherwise.
    pub sellers: Vec<Seller>,
    /// How many bytes are kept of searches at most.
    pub search_memory: usize,
    /// How many bytes the encoders of streams may take.
    pub stream_memory: usize,
    /// Where other processes find this one's searches.
    pub redis: Option<Arc<Redis>>,
    /// The currency that the supplier sells in.
    pub supplier_currency: &'static str,
    pub rates: RateTable,
    /// Where webhooks may be sent beside public addresses.
    pub webhook_networks: Vec<Network>,
    /// Where the files of reports are kept.
    pub report_files: ReportFiles,
    /// How long it is kept whom bookings are for.
    pub kept_days: KeptDays,
    pub erasure_log: Option<PathBuf>,
    /// The least unless told otherwise: each test logs several people in.
    pub password_cost: PasswordCost,
    /// Whether tickets are reissued at suppliers that can.
    pub reissue: bool,
    /// The bug that stands behind the ports of all suppliers.
    pub port_bug: Option<PortBug>,
    /// How many keys of people there are; the last one wraps.
    pub people_keys: u8,
    /// Signing keys that the platform is told of when it asks the next time.
    pub rotated: Rotated,
}

impl Default for WorldOptions {
    fn default() -> Self {
        Self {
            clock: Clock::system(),
            patience: Duration::from_secs(60),
            incident_after: Duration::from_secs(900),
            offer_validity: Duration::from_secs(1200),
            quote_validity: Duration::from_secs(900),
            search_cache_ttl: Duration::ZERO,
            read_deadline: Duration::from_secs(20),
            effect_deadline: Duration::from_secs(130),
            processing_time: Duration::from_secs(130),
            limits: Limits::default(),
            watch_per_hour: None,
            hooks: false,
            rate_limits: false,
            trusted_proxies: Vec::new(),
            slowest_request: Duration::from_secs(15),
            sellers: vec![Seller::duffel()],
            search_memory: 512 << 20,
            stream_memory: 256 << 20,
            redis: None,
            supplier_currency: "INR",
            rates: RateTable::default(),
            webhook_networks: vec!["127.0.0.0/8".parse().unwrap()],
            report_files: ReportFiles::in_memory(),
            kept_days: KeptDays::default(),
            erasure_log: None,
            password_cost: PasswordCost::new(PasswordCost::MIN_M_COST, 1, 1, None).unwrap(),
            port_bug: None,
            reissue: true,
            people_keys: 1,
            rotated: Rotated::default(),
        }
    }
}

/// Signing keys on their way to a platform.
pub type Rotated = Arc<std::sync::Mutex<Option<Vec<SigningKey>>>>;

pub(crate) fn signing_key(key: &[u8], accepted_until: Option<DateTime<Utc>>) -> SigningKey {
    SigningKey::new(SecretSlice::from(key.to_vec()), accepted_until).unwrap()
}

impl WorldOptions {
    fn settings(&self, seller: &Seller, sandbox_url: &str) -> SupplierSettings {
        let own = seller.config(sandbox_url).unwrap();
        let config = own.with(|config| {
            config.watch_per_hour = self.watch_per_hour.unwrap_or(config.watch_per_hour);
            config.hook_secret = self.hooks.then(|| World::hook_secret(seller.code).into());
            // Of those that let it be chosen.
            config.currency = parse_currency(self.supplier_currency);
            config.reissue &= self.reissue;
            config.read_deadline = self.read_deadline;
            config.effect_deadline = self.effect_deadline;
            config.processing_time = self.processing_time;
            config.limits = self.limits;
        });
        SupplierSettings {
            kind: seller.kind,
            config,
            payment: (seller.kind == SupplierKind::LiteApi).then_some(Payment::Wallet),
        }
    }

    /// A platform on this database whose suppliers are the sandbox at this URL. Tokens and seals of one are good for
    /// another.
    pub fn platform(&self, database: Database, sandbox_url: &str) -> Arc<Platform> {
        let settings = self.sellers.iter().map(|seller| self.settings(seller, sandbox_url));
        let Suppliers { mut flights, mut hotels } = Suppliers::of(settings.collect(), &self.clock).unwrap();
        if let Some(bug) = self.port_bug {
            flights = flights.into_iter().map(|supplier| Arc::new(Buggy::new(supplier, bug)) as _).collect();
            hotels = hotels.into_iter().map(|supplier| Arc::new(Buggy::new(supplier, bug)) as _).collect();
        }
        let rotated = self.rotated.clone();
        let renewal: Renewal = Box::new(move || rotated.lock().unwrap().take());
        let signing = SigningKeys::new(vec![signing_key(World::SIGNING_KEY, None)], renewal).unwrap();
        let ledger = SecretSlice::from(World::LEDGER_KEY.to_vec());
        let people_key =
            |id: u8| PeopleKey { id: id.into(), secret: vec![World::PEOPLE_KEY[0] - 1 + id; 32].into() };
        let people = (1..=self.people_keys).map(people_key).collect();
        Platform::new(PlatformParts {
            database,
            clock: self.clock.clone(),
            secrets: Secrets::new(signing, &ledger, PeopleKeys::new(people, Box::new(|| None)).unwrap())
                .unwrap(),
            rates: Arc::new(self.rates.clone()),
            flights,
            hotels,
            search_memory: SearchMemoryBounds::of(self.search_memory),
            redis: self.redis.clone(),
            webhooks: WebhookSender::new(WebhookNetworks::new(self.webhook_networks.clone())),
            report_files: self.report_files.clone(),
            kept_days: self.kept_days,
            erasure_log: self.erasure_log.clone(),
            password_cost: self.password_cost.clone(),
            commit: "the commit of a test",
            durations: Durations {
                offer_validity: self.offer_validity,
                quote_validity: self.quote_validity,
                search_cache_ttl: self.search_cache_ttl,
                patience: self.patience,
                incident_after: self.incident_after,
            },
        })
    }

    /// These suppliers and no others.
    pub fn of(sellers: impl Into<Vec<Seller>>) -> Self {
        Self { sellers: sellers.into(), ..Self::default() }
    }

    pub fn limited() -> Self {
        Self { rate_limits: true, ..Self::default() }
    }

    /// The sandbox as each hotel supplier.
    pub fn hotels() -> Self {
        Self::of(Seller::of_stays().collect::<Vec<_>>())
    }

    /// The sandbox as every supplier, and little time for everything: for those who wait by the machine's clock.
    pub fn hurried() -> Self {
        Self {
            sellers: Seller::all(),
            effect_deadline: Duration::from_secs(2),
            processing_time: Duration::from_secs(4),
            incident_after: Duration::from_secs(4),
            hooks: true,
            ..Self::default()
        }
    }

    /// The same, with time that stands still.
    #[must_use]
    pub fn frozen(self) -> Self {
        let noon = DateTime::<Utc>::from_timestamp(1_800_000_000, 0).unwrap();
        Self { clock: Clock::frozen_at(noon), ..self }
    }
}
