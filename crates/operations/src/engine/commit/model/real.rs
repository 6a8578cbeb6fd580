//! The real ledger: the committers on PostgreSQL, asked what the model is asked.

use std::{collections::HashMap, sync::Arc, time::Duration};

use chrono::NaiveDate;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use rust_decimal::Decimal;
use secrecy::{ExposeSecret, SecretSlice};
use serde::{Deserialize, Serialize};
use wayfare_domain::{
    Actor, BookingPapers, BookingRef, Clock, Currency, EventKind, FeesRuling, KeptDays, Money, OrderFacts,
    OrderReference, OrderStatus, Origin, Product, ProductKind, ProductParts, QuoteId, RawAnswer, Role,
    RulingKind, Tier, Travel,
};
use wayfare_flights::{Itinerary, SupplierOrder};
use wayfare_ledger::{Account, Reason};
use wayfare_local_postgres::test_server::TestServer;
use wayfare_pricing::{Asked, RateTable, Rules, Sale};
use wayfare_store::{
    Database,
    booking::{
        bookings::Summary,
        quotes::{self, Quote},
        steps::Step,
    },
    money::wallets::Owner,
};
use wayfare_webhooks::{Networks, Sender};

use super::{
    after_sale::BegunStep,
    simple::{Ask, Outcome},
};
use crate::{
    Caller, Durations, Error, Platform, PlatformParts, Result, Secrets, SigningKeys,
    access::{authentication, login, operators::By, users::NewUser},
    engine::{
        complete::CompleteStep,
        purchase,
        ruling::{NewRuling, Rule, What},
        step::{OrderMade, StepOutcome},
    },
    money::wallet_transfer::{AccountRef, Moved, SpendLimit, WalletTransfer},
    operator,
    people::PeopleKeys,
};

/// The agents' wallets, beside the organization's, which is the first of all.
pub(super) const AGENTS: usize = 3;

/// What is sold: an order and nothing more.
#[derive(Clone, Serialize, Deserialize)]
struct Thing {}

impl Product for Thing {
    const KIND: ProductKind = ProductKind::Flight;
    type Order = SupplierOrder;
    type Stored = Self;
    type People = ();
    type Request = &'static str;

    fn set_reference(_: &mut &'static str, _: OrderReference) {}

    fn parts(self) -> ProductParts<Self, ()> {
        ProductParts { stored: self, people: Some(()), papers: BookingPapers::default() }
    }

    fn of_parts(parts: ProductParts<Self, ()>) -> Self {
        parts.stored
    }

    fn ends_on(&self) -> NaiveDate {
        NaiveDate::default()
    }

    fn names((): &()) -> Vec<(&str, &str)> {
        Vec::new()
    }

    fn email((): &()) -> &str {
        ""
    }

    fn take_raw(order: &mut SupplierOrder) -> RawAnswer {
        Itinerary::take_raw(order)
    }

    fn facts(order: &SupplierOrder) -> OrderFacts<'_> {
        Itinerary::facts(order)
    }

    fn give_back(order: &mut SupplierOrder) {
        Itinerary::give_back(order);
    }

    fn travel(&self, _: u16, _: Option<&SupplierOrder>) -> Option<Travel> {
        None
    }
}

/// What a supplier charges so much for, without a markup.
pub(in crate::engine) fn sold(paise: i64) -> Sale {
    let asked = Asked::of("duffel", rupees(paise), rupees(0));
    Sale::new(&Rules::none(Currency::INR), &asked, Decimal::ONE).unwrap()
}

/// What the supplier shows of an order that it charges so much for.
pub(in crate::engine) fn made(id: &str, paise: i64) -> Result<OrderMade> {
    OrderMade::of::<Thing>(SupplierOrder::new(id, OrderStatus::Confirmed, rupees(paise)))
}

pub(super) fn rupees(paise: i64) -> Money {
    Money::exact(Decimal::new(paise, 2), Currency::INR).unwrap()
}

/// A process of the service, without suppliers.
pub(in crate::engine) fn platform(database: Database) -> Arc<Platform> {
    let secret = || SecretSlice::from(vec![7; 32]);
    Platform::new(PlatformParts {
        database,
        clock: Clock::system(),
        secrets: Secrets::new(
            SigningKeys::only(secret()).unwrap(),
            &secret(),
            PeopleKeys::only(secret()).unwrap(),
        )
        .unwrap(),
        rates: Arc::new(RateTable::default()),
        flights: Vec::new(),
        hotels: Vec::new(),
        search_memory: crate::SearchMemoryBounds::of(0),
        redis: None,
        webhooks: Sender::new(Networks::default()),
        report_files: crate::reports::ReportFiles::in_memory(),
        kept_days: KeptDays::default(),
        erasure_log: None,
        password_cost: crate::access::PasswordCost::default(),
        commit: "unknown",
        durations: Durations {
            search_cache_ttl: Duration::ZERO,
            offer_validity: Duration::from_secs(1200),
            quote_validity: Duration::from_secs(900),
            patience: Duration::from_secs(60),
            incident_after: Duration::from_secs(3600),
        },
    })
}

pub(super) struct Real {
    pub(super) platform: Arc<Platform>,
    pub(super) url: String,
    pub(super) callers: Vec<Caller>,
    /// Of purchases that are about to be opened.
    pub(super) quotes: HashMap<String, QuoteId>,
    pub(super) costs: HashMap<String, i64>,
    pub(super) steps: HashMap<String, Step>,
    /// Of what was begun after their sale.
    pub(super) begun: HashMap<String, BegunStep>,
}

impl Real {
    pub(super) async fn new(seed: u64) -> Self {
        let admin_url = TestServer::shared().url("postgres");
        let name = format!("model_{seed}_{}", std::process::id());
        let mut admin = AsyncPgConnection::establish(&admin_url).await.unwrap();
        admin.batch_execute(&format!("create database {name}")).await.unwrap();
        let url = TestServer::shared().url(&name);
        let database = Database::connect(&url, 6).unwrap();
        database.migrate().await.unwrap();
        let platform = platform(database);
        let user = |name: &str, role| NewUser {
            username: name.to_owned(),
            email: format!("{name}@example.com"),
            name: name.to_owned(),
            phone: String::new(),
            password: "correct horse".into(),
            role,
        };
        let (agency, _) = operator::create_agency(
            &platform,
            By::command_line(),
            operator::NewAgency {
                name: "Model Travel".to_owned(),
                email: "office@example.com".to_owned(),
                country: "IN".to_owned(),
                tier: Tier::Full,
                currency: Currency::INR,
                time_zone: wayfare_domain::Zone::KOLKATA,
                admin: user("admin", Role::OrgAdmin),
            },
        )
        .await
        .unwrap();
        let mut names = vec!["admin".to_owned()];
        for number in 1..=AGENTS {
            let name = format!("agent{number}");
            operator::create_user(&platform, By::command_line(), &agency.code, user(&name, Role::Agent))
                .await
                .unwrap();
            names.push(name);
        }
        let mut callers = Vec::new();
        for name in names {
            let code = agency.code.as_ref();
            let signed_in = login::log_in(&platform.access, code, &name, "correct horse", Origin::default())
                .await
                .unwrap();
            let token = signed_in.tokens.access_token.expose_secret();
            let person = authentication::authenticate(&platform.access, token, Origin::default()).await;
            callers.push(Caller::of(person.unwrap()).unwrap());
        }
        Self {
            platform,
            url,
            callers,
            quotes: HashMap::new(),
            costs: HashMap::new(),
            steps: HashMap::new(),
            begun: HashMap::new(),
        }
    }

    /// Another process on the same database.
    pub(super) fn beside(&self) -> Arc<Platform> {
        platform(Database::connect(&self.url, 6).unwrap())
    }

    pub(super) async fn run(&self, statement: &str) {
        let mut connection = AsyncPgConnection::establish(&self.url).await.unwrap();
        connection.batch_execute(statement).await.unwrap();
    }

    pub(super) fn owner(&self, wallet: usize) -> Owner {
        self.callers[wallet].payer()
    }

    pub(super) async fn set(&self, key: &str, value: &str) {
        let organization = self.callers[0].organization().uuid();
        self.run(&format!(
            "insert into settings values ('{organization}', gen_random_uuid(), '{key}', '{value}', now(), now()) \
             on conflict (org_id, key) do update set value = excluded.value"
        ))
        .await;
    }

    pub(super) async fn finds(&self, query: &str) -> bool {
        let mut connection = AsyncPgConnection::establish(&self.url).await.unwrap();
        diesel::sql_query(query).execute(&mut connection).await.unwrap() > 0
    }

    pub(super) async fn carry_out(&self, ask: &Ask) -> (Outcome, Option<Step>) {
        let outcome = match ask {
            Ask::Open { by, amount, reference } => match self.open(*by, *amount, reference).await {
                Ok(step) => return (Outcome::Opened, Some(step)),
                Err(error) => outcome_of(error),
            },
            Ask::Rule { reference, kind, amount, key } => self.rule(reference, *kind, *amount, key).await,
            Ask::Begin { reference, what, .. } => match self.begin(reference, *what).await {
                Ok(step) => return (Outcome::Begun, Some(step)),
                Err(error) => not_begun(error),
            },
            Ask::End { name, done } => match self.end(name, *done).await {
                Ok(status) => Outcome::Completed(status),
                Err(error) => outcome_of(error),
            },
            Ask::Close { reference, booked } => match self.close(reference, *booked).await {
                Ok(status) => Outcome::Completed(status),
                Err(error) => outcome_of(error),
            },
            Ask::TopUp { .. } | Ask::Allocate { .. } | Ask::Spend { .. } | Ask::Deduct { .. } => {
                let wallet_transfer = self.transfer_of(ask).unwrap();
                outcome_of_move(self.platform.engine.group_commit.carry_out(wallet_transfer).await)
            }
        };
        (outcome, None)
    }

    /// What moves money without a booking.
    pub(super) fn transfer_of(&self, ask: &Ask) -> Option<WalletTransfer> {
        let outside = || AccountRef::Platform(Account::Funding);
        let purse = |wallet: usize| AccountRef::WalletOf(self.owner(wallet));
        let (from, to, amount, spends, key) = match ask {
            Ask::TopUp { to, amount, key } => (outside(), purse(*to), amount, SpendLimit::Balance, key),
            Ask::Allocate { from, to, amount, key } => {
                (purse(*from), purse(*to), amount, SpendLimit::Balance, key)
            }
            Ask::Spend { from, amount, key } => (purse(*from), outside(), amount, SpendLimit::Credit, key),
            Ask::Deduct { from, amount, key } => (purse(*from), outside(), amount, SpendLimit::Frozen, key),
            Ask::Open { .. } | Ask::Rule { .. } | Ask::Close { .. } | Ask::Begin { .. } | Ask::End { .. } => {
                return None;
            }
        };
        Some(WalletTransfer {
            organization: self.callers[0].organization(),
            from,
            to,
            amount: rupees(*amount),
            spends,
            key: key.clone(),
            reason: Reason::Topup,
            description: "model".to_owned(),
            performed_by: None,
            audited: Some((EventKind::WalletAllocated, Actor::operator())),
            asked_under: None,
        })
    }

    pub(super) async fn rule(&self, reference: &str, kind: RulingKind, amount: i64, key: &str) -> Outcome {
        let step = &self.steps[reference];
        let payers = self.callers.iter().map(Caller::payer);
        let mut payers = payers.filter(|payer| match payer {
            Owner::Organization(_) => step.requested_by == Some(self.callers[0].user()),
            Owner::User(_, user) => step.requested_by == Some(*user),
        });
        let rule = Rule {
            organization: step.organization,
            booking: step.booking,
            payer: payers.next().unwrap(),
            what: What::New(NewRuling {
                number: 1,
                kind,
                amount: rupees(amount),
                fees: FeesRuling::Return,
                from_loss: false,
                beyond_cost: true,
                note: "model".to_owned(),
                incident: None,
                passes_claims: true,
                key: key.to_owned(),
            }),
            by: Actor::operator(),
        };
        match self.platform.engine.group_commit.carry_out(rule).await {
            Ok(made) => Outcome::Ruled { moved: made.ruling.transfer.is_some(), repeated: made.repeated },
            Err(error) => outcome_of(error),
        }
    }

    pub(super) async fn open(&self, by: usize, amount: i64, reference: &str) -> Result<Step> {
        self.open_as(by, amount, reference, |_| reference.to_owned()).await
    }

    /// Opens a purchase of this quote under references that are drawn otherwise.
    pub(super) async fn open_as(
        &self,
        by: usize,
        amount: i64,
        quote: &str,
        draw: impl Fn(BookingRef) -> String,
    ) -> Result<Step> {
        let caller = &self.callers[by];
        let draw = || BookingRef::from(draw(BookingRef::random(Thing::KIND)));
        let request = purchase::PurchaseRequest {
            quote: self.quotes[quote],
            reference: draw(),
            summary: Summary::default(),
            product: Thing {},
            sales: vec![sold(amount)],
            orders: vec![purchase::NewOrder { supplier: "duffel".to_owned(), request: "order" }],
            fingerprints: None,
            allow_duplicate: false,
            auto_ticket: false,
            note: None,
            replaces: None,
        };
        let opened = purchase::open_as(&self.platform.engine, caller, request, None, draw).await?;
        Ok(opened.steps.into_iter().next().unwrap())
    }

    /// Quotes for these purchases: only what is asked for at once has a known order.
    pub(super) async fn promise(&mut self, asks: &[Ask]) {
        for ask in asks {
            if let Ask::Open { by, amount, reference } = ask {
                let quote = self.quote(&self.callers[*by]).await;
                self.quotes.insert(reference.clone(), quote);
                self.costs.insert(reference.clone(), *amount);
            }
        }
    }

    pub(super) async fn quote(&self, caller: &Caller) -> QuoteId {
        let now = self.platform.core.clock.now();
        let quote = Quote {
            id: QuoteId::new(&self.platform.core.clock),
            organization: caller.organization(),
            user: caller.user(),
            content: (),
            created_at: now,
            expires_at: now + chrono::Duration::hours(1),
            used_by: None,
        };
        let mut connection = AsyncPgConnection::establish(&self.url).await.unwrap();
        quotes::insert(&mut connection, ProductKind::Flight, &quote, None).await.unwrap();
        quote.id
    }

    pub(super) async fn close(&self, reference: &str, booked: bool) -> Result<&'static str> {
        let step = &self.steps[reference];
        let outcome = if booked {
            StepOutcome::OrderMade(made(reference, self.costs[reference])?)
        } else {
            StepOutcome::Refused("sold out".to_owned(), None)
        };
        let command = CompleteStep { step: step.clone(), actor: Actor::system(), outcome };
        let closed = self.platform.engine.group_commit.carry_out(command).await?;
        Ok(closed.booking.status.into())
    }

    /// Whether something that nobody was told of has happened.
    pub(super) async fn happened(&self, ask: &Ask) -> bool {
        match ask {
            Ask::TopUp { key, .. }
            | Ask::Allocate { key, .. }
            | Ask::Spend { key, .. }
            | Ask::Deduct { key, .. } => {
                self.finds(&format!("select 1 from transfers where key = '{key}'")).await
            }
            Ask::Rule { key, .. } => self.finds(&format!("select 1 from rulings where key = '{key}'")).await,
            Ask::Open { reference, .. } => {
                self.finds(&format!("select 1 from bookings where booking_ref = '{reference}'")).await
            }
            Ask::Close { reference, booked } => {
                let status = if *booked { "confirmed" } else { "failed" };
                self.finds(&format!(
                    "select 1 from bookings where booking_ref = '{reference}' and status = '{status}'"
                ))
                .await
            }
            Ask::End { name, done } => {
                let state = if *done { "done" } else { "refused" };
                let step = &self.begun[name].step;
                self.finds(&format!("select 1 from effects where id = '{}' and state = '{state}'", step.id))
                    .await
            }
            // Nothing is cut meanwhile.
            Ask::Begin { .. } => false,
        }
    }
}

pub(super) fn outcome_of_move(moved: Result<Moved>) -> Outcome {
    let paise = |money: Option<Money>| {
        money.map(|money| i64::try_from((money.amount() * Decimal::from(100)).normalize()).unwrap())
    };
    match moved {
        Ok(Moved { from, to, repeated, .. }) => Outcome::Moved { from: paise(from), to: paise(to), repeated },
        Err(error) => outcome_of(error),
    }
}

fn not_begun(error: Error) -> Outcome {
    match error {
        Error::BookingPending | Error::BookingFailed | Error::BookingCancelled | Error::StepPending(_) => {
            Outcome::NotBegun
        }
        other => outcome_of(other),
    }
}

fn outcome_of(error: Error) -> Outcome {
    let paise = |money: Money| i64::try_from((money.amount() * Decimal::from(100)).normalize()).unwrap();
    match error {
        Error::InsufficientFunds { available, required } => {
            Outcome::Refused(paise(available), paise(required))
        }
        Error::KeyMismatch => Outcome::OtherMovement,
        Error::Invalid(_) | Error::BookingPending | Error::BookingFailed | Error::StepPending(_) => {
            Outcome::NotRuled
        }
        Error::Store(_) | Error::Internal(_) => {
            println!("lost: {error}");
            Outcome::Lost
        }
        other => panic!("nobody expects {other:?}"),
    }
}
