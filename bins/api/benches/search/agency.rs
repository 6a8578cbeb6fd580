//! Somebody who searches: the rules, the keys and the search by which answers are priced.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::{Decimal, dec};
use secrecy::SecretSlice;
use uuid::Uuid;
use wayfare_domain::{AnswerId, Currency, Money, OrganizationId, PackageId, Party, SearchId, UserId};
use wayfare_flights::{Cabin, Offers, Query, Slice, TripType};
use wayfare_operations::{
    Secrets, SigningKey, SigningKeys, Tariff,
    flights::{CachedOffers, PricedSupplierResult, SearchContext, SessionPart},
    people::PeopleKeys,
};
use wayfare_pricing::{ApplyOn, Contract, Fee, Level, Markup, MarkupKind, Package, RateTable, Rules, Terms};
use wayfare_search_response::flights::SearchResponseBuilder;
use wayfare_supply::Answer;

/// One agency that searches in one currency.
pub struct Agency {
    secrets: Secrets,
    tariff: Arc<Tariff>,
    currency: Currency,
}

impl Agency {
    /// Who pays in this currency.
    pub fn paying_in(currency: Currency) -> Self {
        let key = SecretSlice::from(vec![7; 32]);
        let signing = SigningKey::new(key.clone(), None).unwrap();
        let signing = SigningKeys::new(vec![signing], Box::new(|| None)).unwrap();
        let money = |amount: Decimal| Money::rounded(amount, currency);
        let rules = Rules {
            package: Some(Package {
                id: PackageId::from_uuid(Uuid::from_u128(4)),
                name: "Monsoon".to_owned(),
                level: Level::Agency,
                markup: Markup { kind: MarkupKind::Percent, value: dec!(4.5), apply_on: ApplyOn::Fare },
                price_ranges: Vec::new(),
            }),
            terms: Terms {
                service_fee: Fee::Percent(dec!(1.25)),
                gst_percent: dec!(18),
                platform_charge: money(dec!(10)),
                min_commission: money(dec!(1)),
                max_commission: money(dec!(5000)),
            },
            contracts: vec![Contract {
                supplier: "duffel".to_owned(),
                airline: None,
                cabin: None,
                kind: MarkupKind::Percent,
                value: dec!(3),
            }],
        };
        let rates = RateTable::default().with(Currency::GBP, Currency::INR, dec!(112.4375));
        Self {
            secrets: Secrets::new(signing, &key, PeopleKeys::only(key.clone()).unwrap()).unwrap(),
            tariff: Arc::new(Tariff { rules, rates: Box::new(rates.unwrap()) }),
            currency,
        }
    }

    /// The offers at the agency's prices.
    pub fn price(&self, cached: Arc<CachedOffers>) -> (PricedSupplierResult, SessionPart) {
        let (code, duration) = (cached.supplier.clone(), Duration::from_millis(900));
        let (arrival, part) =
            self.context().price_supplier_result(&self.secrets, 0, code, duration, Answer::Done(cached));
        (arrival, part.unwrap())
    }

    /// All of it, printed.
    pub fn arrange(&self, arrival: PricedSupplierResult) -> SearchResponseBuilder {
        let mut snapshot = SearchResponseBuilder::new(self.context(), None, Vec::new());
        snapshot.add(arrival).unwrap();
        snapshot
    }

    /// The search.
    pub fn context(&self) -> SearchContext {
        let created_at: DateTime<Utc> = "2026-05-02T11:40:15Z".parse().unwrap();
        SearchContext {
            id: SearchId::from_uuid(Uuid::from_u128(1)),
            organization: OrganizationId::from_uuid(Uuid::from_u128(2)),
            user: UserId::from_uuid(Uuid::from_u128(3)),
            query: Arc::new(Query {
                trip_type: TripType::OneWay,
                party: Party { adults: 1, children: 0, infants: 0 },
                cabin: Cabin::Economy,
                slices: vec![Slice::between(
                    ("SYD", None),
                    ("MEL", None),
                    NaiveDate::from_ymd_opt(2026, 6, 16).unwrap(),
                )],
                direct_only: false,
                airline: None,
            }),
            created_at,
            expires_at: created_at + Duration::from_secs(20 * 60),
            currency: self.currency,
            tariff: self.tariff.clone(),
        }
    }
}

/// A supplier's answer as searches share it.
pub fn cached(found: Offers) -> Arc<CachedOffers> {
    let id = AnswerId::from_uuid(Uuid::from_u128(5));
    Arc::new(CachedOffers::new(id, "duffel".to_owned(), found))
}
