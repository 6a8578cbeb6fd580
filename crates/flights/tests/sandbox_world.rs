//! The sandbox as the world of a port's conformance tests: the tests of `hotels` have this file, too.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use wayfare_domain::{Clock, Currency};
use wayfare_sandbox::{Running, Sandbox, Settings};
use wayfare_supply::conformance::{Port, Report, Trouble, World};
use wayfare_supply::{Method, Purpose, SupplierConfig, SupplierHttp};

use crate::answers::done;

/// An adapter at the end of this way.
pub type Adapter<P> = fn(SupplierHttp) -> Box<P>;

pub struct SandboxWorld<P: Port + ?Sized> {
    config: SupplierConfig,
    clock: Clock,
    sandbox: Running,
    adapter: Adapter<P>,
    supplier: Box<P>,
    query: P::Query,
}

impl<P: Port + ?Sized> SandboxWorld<P> {
    /// The supplier of this code, which the sandbox plays at this path for this token.
    pub async fn open(code: &str, path: &str, token: &str, adapter: Adapter<P>, query: P::Query) -> Self {
        let clock = Clock::frozen_at("2026-03-01T12:00:00Z".parse().unwrap());
        let sandbox = Sandbox::start_at(Settings::of_seed(42), clock.clone()).await.unwrap();
        let url = format!("{}/{path}", sandbox.base_url());
        let config = SupplierConfig::new(code, url, token).with(|config| {
            config.currency = Some(Currency::INR);
            config.read_deadline = Duration::from_secs(120);
        });
        let supplier = adapter(SupplierHttp::new(config.clone(), clock.clone()).unwrap());
        Self { config, clock, sandbox, adapter, supplier, query }
    }
}

/// That no row failed, and each was tried but those of what a supplier can't do, of one that can do all.
pub fn holds(code: &str, report: &Report) {
    let can_all = |name: &&str| *name == "what it can't do it refuses";
    assert!(report.conforms() && report.left_out().iter().all(can_all), "{code}\n{report}");
}

#[async_trait]
impl<P: Port<Query: Clone> + ?Sized> World<P> for SandboxWorld<P> {
    fn supplier(&self) -> &P {
        &self.supplier
    }

    fn query(&self) -> P::Query {
        self.query.clone()
    }

    fn at(&self, base_url: &str) -> Option<Box<P>> {
        let config = self.config.clone().with(|config| {
            base_url.clone_into(&mut config.base_url);
            config.read_deadline = Duration::from_secs(3);
            config.effect_deadline = Duration::from_secs(3);
        });
        Some((self.adapter)(SupplierHttp::new(config, self.clock.clone()).unwrap()))
    }

    async fn next_order(&self, trouble: Trouble) -> bool {
        let fault = match trouble {
            Trouble::SoldOut => "sold_out",
            Trouble::AnswerLost => "drop_after",
            _ => return false,
        };
        let fault = json!({"supplier": self.config.code, "call": "book", "fault": fault, "times": 1});
        let config = SupplierConfig::new("sandbox", self.sandbox.base_url(), "");
        let http = SupplierHttp::new(config, self.clock.clone()).unwrap();
        let request = http.request(Method::POST, "/_sandbox/faults").json(&fault);
        done(http.send(request, Purpose::Effect).await).status.is_success()
    }
}
