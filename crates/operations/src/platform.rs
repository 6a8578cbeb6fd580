//! What every operation works with: the database, the clock, the secrets, the suppliers.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Weak},
    time::Duration,
};

use wayfare_domain::{Clock, KeptDays, ProductKind, ReasonCode};
use wayfare_flights::FlightSupplier;
use wayfare_hotels::HotelSupplier;
use wayfare_pricing::RateSource;
use wayfare_store::Database;
use wayfare_supply::{AfterSales, PermitUse, SupplierMetrics};
use wayfare_webhooks::Sender;

use crate::{
    Caller, Durations, Error, Reason, Redis, Result, Secrets,
    access::{
        authentication::{self, Identities},
        idempotency::InFlightKeys,
        password_pool::PasswordPool,
    },
    core::{erasure_log::ErasureLog, shared_time::SharedTime},
    engine::{
        commit::GroupCommit,
        order_supplier::OrderSupplier,
        quotes::{self, StoredQuotes},
        step_lease::StepLeases,
        unsettled::FailingOrders,
    },
    flights::search::{
        offer_cache::OfferCache, session_cache::SearchSessions as FlightSessions, session_redis::SessionRedis,
    },
    hotels::{
        content::ContentMemory,
        search::{hotel_cache::HotelCache, session_cache::SearchSessions as HotelSessions},
    },
    operator::metrics::Gathered,
    reports::ReportFiles,
    suppliers::{
        accounts::{self, SupplierAccounts},
        look_to_book::LookToBookCounters,
    },
    tools::{
        broadcast::Broadcast,
        commit_metrics::CommitMetrics,
        retention_metrics::RetentionMetrics,
        search_memory::{SearchMemoryBounds, SearchMemoryUse},
    },
};

/// How long a supplier that is no longer configured may have taken: then nobody asks it anything.
const LONGEST_STEP: Duration = Duration::from_secs(130);

pub struct PlatformParts {
    pub database: Database,
    pub clock: Clock,
    pub secrets: Secrets,
    pub rates: Arc<dyn RateSource>,
    pub flights: Vec<Arc<dyn FlightSupplier>>,
    /// Every hotel supplier; no code is a flight supplier's too.
    pub hotels: Vec<Arc<dyn HotelSupplier>>,
    /// How long promises last and callers wait.
    pub durations: Durations,
    /// What is kept of searches at most.
    pub search_memory: SearchMemoryBounds,
    /// Where other processes find this one's searches.
    pub redis: Option<Arc<Redis>>,
    /// What sends events to servers of agencies.
    pub webhooks: Sender,
    /// Where the files of reports are kept.
    pub report_files: ReportFiles,
    /// How long it is kept whom bookings are for, where their agency has not said so.
    pub kept_days: KeptDays,
    /// Where erasures are noted beside the database, where that is ours.
    pub erasure_log: Option<PathBuf>,
    pub commit: &'static str,
}

/// The service without its doors.
pub struct Platform {
    pub database: Database,
    pub clock: Clock,
    pub(crate) shared_time: SharedTime,
    /// How long promises last and callers wait.
    pub durations: Durations,
    /// Steps run here: not on the runtime of the request that wanted them, which may end before they do.
    pub(crate) runtime: tokio::runtime::Handle,
    pub(crate) group_commit: GroupCommit,
    pub(crate) identities: Identities,
    pub(crate) stored_quotes: StoredQuotes,
    pub(crate) commit_metrics: CommitMetrics,
    /// What waits in the database, as metrics print it.
    pub(crate) gathered: Gathered,
    pub(crate) secrets: Secrets,
    pub(crate) rates: Arc<dyn RateSource>,
    pub(crate) flights: BTreeMap<String, Arc<dyn FlightSupplier>>,
    pub(crate) hotels: BTreeMap<String, Arc<dyn HotelSupplier>>,
    pub(crate) offer_cache: OfferCache,
    pub(crate) hotel_cache: HotelCache,
    pub(crate) hotel_content: ContentMemory,
    pub(crate) look_to_book: LookToBookCounters,
    pub(crate) retention_metrics: RetentionMetrics,
    /// The Redis through which servers share searches.
    pub(crate) redis: Option<Arc<Redis>>,
    /// What servers tell each other through it.
    pub(crate) broadcast: Arc<Broadcast>,
    pub(crate) supplier_accounts: SupplierAccounts,
    pub(crate) failing_orders: FailingOrders,
    pub(crate) flight_sessions: FlightSessions,
    pub(crate) hotel_sessions: HotelSessions,
    pub(crate) report_files: ReportFiles,
    pub(crate) kept_days: KeptDays,
    pub(crate) erasure_log: Option<Arc<ErasureLog>>,
    pub(crate) commit: &'static str,
    pub(crate) in_flight_keys: InFlightKeys,
    pub(crate) step_leases: StepLeases,
    pub(crate) webhooks: Sender,
    pub(crate) password_pool: PasswordPool,
    /// Verified against when there is no such user, so that both take the same time.
    pub(crate) dummy_hash: tokio::sync::OnceCell<String>,
}

impl Platform {
    /// Puts the parts together. Call it in the runtime that lives as long as the process: steps run there.
    pub fn new(parts: PlatformParts) -> Arc<Self> {
        let runtime = tokio::runtime::Handle::current();
        Arc::new_cyclic(|platform| Self::around(platform, parts, runtime))
    }

    fn around(platform: &Weak<Self>, parts: PlatformParts, runtime: tokio::runtime::Handle) -> Self {
        let broadcast = Arc::new(Broadcast::start(platform, &parts, &runtime));
        let shared = parts.redis.clone().map(|redis| {
            let (validity, cached) = (parts.durations.offer_validity, parts.durations.search_cache_ttl);
            SessionRedis::new(redis, broadcast.clone(), validity, cached)
        });
        Self {
            broadcast,
            group_commit: GroupCommit::start(platform, &runtime),
            identities: authentication::identities(&parts.database, &runtime),
            stored_quotes: quotes::stored_quotes(&parts.database, &runtime),
            commit_metrics: CommitMetrics::default(),
            gathered: Gathered::default(),
            offer_cache: OfferCache::new(
                "offer cache",
                parts.durations.search_cache_ttl,
                parts.search_memory.offer_cache(),
                runtime.clone(),
            ),
            hotel_cache: HotelCache::new(
                "hotel cache",
                parts.durations.search_cache_ttl,
                parts.search_memory.hotel_cache(),
                runtime.clone(),
            ),
            hotel_content: ContentMemory::default(),
            look_to_book: LookToBookCounters::default(),
            retention_metrics: RetentionMetrics::default(),
            redis: parts.redis.clone(),
            supplier_accounts: SupplierAccounts::default(),
            failing_orders: FailingOrders::default(),
            flight_sessions: FlightSessions::new(
                parts.durations.offer_validity,
                parts.search_memory,
                runtime.clone(),
                shared,
            ),
            hotel_sessions: HotelSessions::new(
                parts.durations.offer_validity,
                parts.search_memory,
                runtime.clone(),
                parts.clock.clone(),
                parts.redis,
            ),
            report_files: parts.report_files,
            kept_days: parts.kept_days,
            erasure_log: parts.erasure_log.map(ErasureLog::at).map(Arc::new),
            commit: parts.commit,
            runtime,
            database: parts.database,
            shared_time: SharedTime::new(parts.clock.clone()),
            clock: parts.clock,
            durations: parts.durations,
            secrets: parts.secrets,
            rates: parts.rates,
            flights: parts
                .flights
                .into_iter()
                .map(|supplier| (supplier.config().code.clone(), supplier))
                .collect(),
            hotels: parts
                .hotels
                .into_iter()
                .map(|supplier| (supplier.config().code.clone(), supplier))
                .collect(),
            in_flight_keys: InFlightKeys::default(),
            step_leases: StepLeases::default(),
            webhooks: parts.webhooks,
            password_pool: PasswordPool::start(),
            dummy_hash: tokio::sync::OnceCell::new(),
        }
    }

    /// The flight supplier of this code.
    ///
    /// # Errors
    /// [`Error::SupplierUnavailable`] when it is no longer configured.
    pub(crate) fn flight_supplier(&self, code: &str) -> Result<&Arc<dyn FlightSupplier>> {
        self.flights.get(code).ok_or(Error::SupplierUnavailable(None))
    }

    /// The hotel supplier of this code.
    ///
    /// # Errors
    /// [`Error::SupplierUnavailable`] when it is no longer configured.
    pub(crate) fn hotel_supplier(&self, code: &str) -> Result<&Arc<dyn HotelSupplier>> {
        self.hotels.get(code).ok_or(Error::SupplierUnavailable(None))
    }

    /// The supplier of this code, whatever it sells.
    ///
    /// # Errors
    /// [`Error::SupplierUnavailable`] when it is no longer configured.
    pub(crate) fn supplier(&self, code: &str) -> Result<&dyn AfterSales> {
        match self.flights.get(code) {
            Some(supplier) => Ok(&**supplier),
            None => Ok(&**self.hotel_supplier(code)?),
        }
    }

    /// The supplier of this code, as the booking engine asks it.
    ///
    /// # Errors
    /// [`Error::SupplierUnavailable`] when it is no longer configured.
    pub(crate) fn order_supplier(&self, code: &str) -> Result<&dyn OrderSupplier> {
        match self.flights.get(code) {
            Some(supplier) => Ok(supplier),
            None => Ok(self.hotel_supplier(code)?),
        }
    }

    /// What the supplier of this code sells.
    ///
    /// # Errors
    /// [`Error::SupplierUnavailable`] when it is no longer configured.
    pub(crate) fn product_of(&self, code: &str) -> Result<ProductKind> {
        match self.flights.contains_key(code) {
            true => Ok(ProductKind::Flight),
            false => self.hotel_supplier(code).map(|_| ProductKind::Hotel),
        }
    }

    /// How long this supplier may take to carry a step out.
    pub(crate) fn step_deadline(&self, code: &str) -> Duration {
        self.supplier(code).map_or(LONGEST_STEP, |supplier| supplier.config().effect_deadline)
    }

    /// The flight supplier of this code, from which the caller wants to buy.
    ///
    /// # Errors
    /// [`Error::OfferGone`] when their agency may no longer do so, [`Error::SupplierUnavailable`] when nothing new is sold of
    /// it, or it is no longer configured.
    pub(crate) fn flight_seller(&self, caller: &Caller, code: &str) -> Result<&Arc<dyn FlightSupplier>> {
        not_barred(caller, code)?;
        accounts::not_closed(self, code)?;
        self.flight_supplier(code)
    }

    /// The hotel supplier of this code, from which the caller wants to buy.
    ///
    /// # Errors
    /// As [`Platform::flight_seller`].
    pub(crate) fn hotel_seller(&self, caller: &Caller, code: &str) -> Result<&Arc<dyn HotelSupplier>> {
        not_barred(caller, code)?;
        accounts::not_closed(self, code)?;
        self.hotel_supplier(code)
    }

    /// Why a search of this caller does not ask the supplier, if it does not.
    pub(crate) fn not_for_sale(&self, caller: &Caller, code: &str) -> Option<&'static str> {
        if !caller.may_buy_from(code) {
            Some("not available to this agency")
        } else if self.supplier_accounts.is_closed(code) {
            Some("not for sale now")
        } else {
            None
        }
    }

    /// Forgets the searches that have expired, and returns what is kept of the others.
    pub fn sweep_searches(&self) -> [SearchMemoryUse; 6] {
        self.offer_cache.sweep();
        self.hotel_cache.sweep();
        self.flight_sessions.sweep();
        self.hotel_sessions.sweep();
        let [flights, spent] = self.flight_sessions.used();
        let [hotels, names] = self.hotel_sessions.used();
        let (offers, answers) = (self.offer_cache.used(), self.hotel_cache.used());
        [offers, flights, spent, answers, hotels, names]
    }

    /// What is under way at each supplier, by its code.
    pub fn permit_use(&self) -> BTreeMap<&str, PermitUse> {
        let flights = self.flights.iter();
        let flights = flights.map(|(code, supplier)| (code.as_str(), supplier.permit_use()));
        let hotels = self.hotels.iter();
        let hotels = hotels.map(|(code, supplier)| (code.as_str(), supplier.permit_use()));
        flights.chain(hotels).collect()
    }

    /// How each supplier is now, by its code.
    pub(crate) fn supplier_metrics(&self) -> BTreeMap<&str, SupplierMetrics> {
        let flights = self.flights.iter();
        let flights = flights.map(|(code, supplier)| (code.as_str(), supplier.metrics()));
        let hotels = self.hotels.iter();
        let hotels = hotels.map(|(code, supplier)| (code.as_str(), supplier.metrics()));
        flights.chain(hotels).collect()
    }

    /// How many commands of the group commit are not answered yet.
    pub fn commands_under_way(&self) -> usize {
        self.group_commit.unanswered()
    }

    /// Whether the database answers and is up to date, and this machine's clock is as good as its.
    ///
    /// # Errors
    /// Why it is not ready.
    pub async fn ready(&self) -> Result<()> {
        self.database.ready().await?;
        self.shared_time.check_own_clock()
    }
}

/// That the caller's agency may buy from this supplier.
fn not_barred(caller: &Caller, code: &str) -> Result<()> {
    match caller.may_buy_from(code) {
        true => Ok(()),
        false => Err(Error::OfferGone.because(Reason::at(ReasonCode::NotForSale, code))),
    }
}
