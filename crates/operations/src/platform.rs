//! The service: all of its parts, put together.

use std::{path::PathBuf, sync::Arc};

use wayfare_domain::{Clock, KeptDays};
use wayfare_flights::FlightSupplier;
use wayfare_hotels::HotelSupplier;
use wayfare_pricing::RateSource;
use wayfare_store::Database;
use wayfare_webhooks::Sender;

use crate::{
    Access, Core, Durations, Engine, Flights, Hotels, Redis, Reports, Secrets, Suppliers, Webhooks,
    access::PasswordCost,
    core::{erasure_log::ErasureLog, shared_time::SharedTime},
    engine::OrderSuppliers,
    flights::search::offer_cache::OfferCache,
    hotels::search::hotel_cache::HotelCache,
    reports::ReportFiles,
    tools::{
        gathered_metrics::Gathered,
        retention_metrics::RetentionMetrics,
        search_memory::{SearchMemoryBounds, SearchMemoryUse},
    },
};

pub struct PlatformParts {
    pub database: Database,
    pub clock: Clock,
    pub secrets: Secrets,
    /// What a new hash of a password costs. The default is the one to run with: tests have no time for it.
    pub password_cost: PasswordCost,
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
    pub core: Arc<Core>,
    pub access: Arc<Access>,
    pub suppliers: Arc<Suppliers>,
    pub engine: Arc<Engine>,
    pub flights: Arc<Flights>,
    pub hotels: Arc<Hotels>,
    pub webhooks: Arc<Webhooks>,
    pub reports: Reports,
    /// What waits in the database, as metrics print it.
    pub(crate) gathered: Gathered,
    pub(crate) retention_metrics: RetentionMetrics,
    pub(crate) commit: &'static str,
}

impl Platform {
    /// Puts the parts together. Call it in the runtime that lives as long as the process: steps run there.
    pub fn new(parts: PlatformParts) -> Arc<Self> {
        let runtime = tokio::runtime::Handle::current();
        let (bounds, ttl) = (parts.search_memory, parts.durations.search_cache_ttl);
        let offer_cache =
            Arc::new(OfferCache::new("offer cache", ttl, bounds.offer_cache(), runtime.clone()));
        let hotel_cache =
            Arc::new(HotelCache::new("hotel cache", ttl, bounds.hotel_cache(), runtime.clone()));
        let core = Arc::new(Core {
            shared_time: SharedTime::new(parts.clock.clone()),
            database: parts.database,
            clock: parts.clock,
            durations: parts.durations,
            runtime,
            secrets: parts.secrets,
            rates: parts.rates,
            redis: parts.redis,
            kept_days: parts.kept_days,
            erasure_log: parts.erasure_log.map(ErasureLog::at).map(Arc::new),
        });
        let order_suppliers = order_suppliers(&parts.flights, &parts.hotels);
        let caches = vec![offer_cache.clone() as _, hotel_cache.clone() as _];
        let suppliers = Arc::new(Suppliers::new(core.clone(), parts.flights, parts.hotels, caches));
        let access = Arc::new(Access::new(core.clone(), parts.password_cost));
        let engine = Engine::start(suppliers.clone(), order_suppliers);
        Arc::new(Self {
            flights: Arc::new(Flights::new(engine.clone(), offer_cache, bounds)),
            hotels: Arc::new(Hotels::new(engine.clone(), hotel_cache, bounds)),
            webhooks: Arc::new(Webhooks { core: core.clone(), sender: parts.webhooks }),
            reports: Reports { core: core.clone(), files: parts.report_files },
            gathered: Gathered::default(),
            retention_metrics: RetentionMetrics::default(),
            commit: parts.commit,
            core,
            access,
            suppliers,
            engine,
        })
    }

    /// Forgets the searches that have expired, and returns what is kept of the others.
    pub fn remove_expired_searches(&self) -> [SearchMemoryUse; 6] {
        let [offers, flights, spent] = self.flights.remove_expired_searches();
        let [answers, hotels, names] = self.hotels.remove_expired_searches();
        [offers, flights, spent, answers, hotels, names]
    }
}

fn order_suppliers(flights: &[Arc<dyn FlightSupplier>], hotels: &[Arc<dyn HotelSupplier>]) -> OrderSuppliers {
    let flights =
        flights.iter().map(|supplier| (supplier.config().code.clone(), Box::new(supplier.clone()) as _));
    let hotels =
        hotels.iter().map(|supplier| (supplier.config().code.clone(), Box::new(supplier.clone()) as _));
    flights.chain(hotels).collect()
}
