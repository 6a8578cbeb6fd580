//! An agency's books, and what tests do with them.

use diesel_async::{AsyncConnection, SimpleAsyncConnection};
use rust_decimal::{Decimal, dec};
use wayfare_domain::{
    AccountStatus, AgencyCode, Clock, Currency, HoldId, Money, Organization, OrganizationId, PageRequest,
    Tier, TransferId, UserId, WalletId,
};
use wayfare_ledger::{Account, ChainKey, Leg, Reason, Transfer, Wallet};
use wayfare_store::{
    Connection, StoreError,
    access::organizations,
    batch::writes::Writes,
    money::{
        audit::chain::{self, AuditReport},
        entries::{self, HoldOutcome, TransactionFilter},
        wallets::{self, Owner},
    },
};
use wayfare_tests::TestDatabase;

const TRIGGERS_OFF: &str = "set session_replication_role = replica;";

pub fn inr(amount: Decimal) -> Money {
    Money::rounded(amount, Currency::INR)
}

pub fn key(secret: &str) -> ChainKey {
    ChainKey::new(secret.repeat(32)).unwrap()
}

/// An agency with its own empty wallet and one of an agent.
pub struct Books {
    pub test: TestDatabase,
    pub connection: Connection,
    pub clock: Clock,
    pub key: ChainKey,
    pub organization: OrganizationId,
    pub owner: Owner,
    pub wallet: WalletId,
    pub agent: Owner,
    pub agents_wallet: WalletId,
}

impl Books {
    pub async fn new() -> Self {
        let test = TestDatabase::fresh().await;
        let mut connection = test.connection().await;
        let clock = Clock::frozen_at("2026-03-01T09:30:00.123456Z".parse().unwrap());
        let organization = OrganizationId::new(&clock);
        let agency = Organization {
            id: organization,
            code: AgencyCode::random(),
            name: "Agency".to_owned(),
            slug: "agency".to_owned(),
            email: "agency@example.com".to_owned(),
            phone: String::new(),
            address: String::new(),
            country: "IN".to_owned(),
            tier: Tier::Full,
            status: AccountStatus::Active,
            ip_whitelist_enabled: false,
            whitelist: Vec::new(),
            suppliers: None,
            currency: Currency::INR,
            time_zone: "Asia/Kolkata".parse().unwrap(),
            created_at: clock.now(),
        };
        organizations::insert(&mut connection, &agency).await.unwrap();
        let owner = Owner::Organization(organization);
        let agent = Owner::User(organization, UserId::new(&clock));
        let (wallet, agents_wallet) = (WalletId::new(&clock), WalletId::new(&clock));
        for (owner, id) in [(owner, wallet), (agent, agents_wallet)] {
            wallets::open(&mut connection, owner, id, Currency::INR).await.unwrap();
        }
        Self { test, connection, clock, key: key("k"), organization, owner, wallet, agent, agents_wallet }
    }

    pub fn transfer(&self, name: &str, reason: Reason, legs: Vec<Leg>) -> Transfer {
        self.clock.advance(chrono::Duration::microseconds(1));
        Transfer::new(
            TransferId::new(&self.clock),
            name.to_owned(),
            reason,
            Some(format!("about {name}")),
            format!("it is {name}"),
            Some(UserId::new(&self.clock)),
            legs,
            self.clock.now(),
        )
        .unwrap()
    }

    pub fn top_up_of(&self, name: &str, amount: Decimal) -> Transfer {
        self.transfer(
            name,
            Reason::Topup,
            vec![
                Leg::debit(Account::Funding, inr(amount)),
                Leg::credit(Account::Wallet(self.wallet), inr(amount)),
            ],
        )
    }

    /// Makes the transfer's movements on these wallets, in one transaction.
    pub async fn apply(&mut self, owners: &[Owner], transfer: &Transfer) -> Result<(), StoreError> {
        let (key, organization) = (&self.key, self.organization);
        self.connection
            .transaction(async |connection| {
                let mut writes = Writes::default();
                let mut written = Vec::new();
                for owner in owners {
                    let mut wallet = wallets::lock(connection, *owner).await?.unwrap();
                    written.push(wallet.apply(transfer, key).unwrap());
                    writes.wallet(organization, &wallet);
                }
                writes.transfer(organization, transfer, &written)?;
                writes.send(connection).await
            })
            .await
    }

    pub async fn top_up(&mut self, name: &str, amount: Decimal) -> Result<(), StoreError> {
        let transfer = self.top_up_of(name, amount);
        self.apply(&[self.owner], &transfer).await
    }

    pub async fn hold(&mut self, amount: Decimal) -> HoldId {
        let id = HoldId::new(&self.clock);
        let (organization, owner, at) = (self.organization, self.owner, self.clock.now());
        self.connection
            .transaction(async |connection| {
                let mut wallet = wallets::lock(connection, owner).await?.unwrap();
                wallet.hold(inr(amount)).unwrap();
                let mut writes = Writes::default();
                writes.wallet(organization, &wallet);
                writes.place_hold(organization, id, wallet.id, inr(amount), at);
                writes.send(connection).await
            })
            .await
            .unwrap();
        id
    }

    /// Ends the hold of `held`: with this transfer, or with nothing. False when it had ended before.
    pub async fn end(&mut self, id: HoldId, held: Decimal, transfer: Option<&Transfer>) -> bool {
        let (key, organization, at) = (&self.key, self.organization, self.clock.now());
        let owner = self.owner;
        let ended = self
            .connection
            .transaction(async |connection| {
                let mut wallet = wallets::lock(connection, owner).await?.unwrap();
                let mut writes = Writes::default();
                let outcome = match transfer {
                    Some(transfer) => {
                        let entry = wallet.post(inr(held), transfer, key).unwrap();
                        writes.transfer(organization, transfer, &[entry])?;
                        HoldOutcome::Posted
                    }
                    None => {
                        // That nothing is held any more is not what is asked here.
                        wallet.void(inr(held)).ok();
                        HoldOutcome::Voided
                    }
                };
                writes.close_hold(organization, id, outcome, at);
                writes.wallet(organization, &wallet);
                writes.send(connection).await
            })
            .await;
        match ended {
            Err(StoreError::Overtaken) => false,
            ended => {
                ended.unwrap();
                true
            }
        }
    }

    pub async fn stands(&mut self, owner: Owner) -> Wallet {
        wallets::of(&mut self.connection, owner).await.unwrap().unwrap()
    }

    pub async fn page(
        &mut self,
        page: u32,
        per_page: u32,
    ) -> wayfare_domain::Page<entries::WalletTransaction> {
        let request = PageRequest { page, per_page };
        let wallet = self.stands(self.owner).await;
        let all = TransactionFilter::default();
        entries::transactions(&mut self.connection, self.organization, &wallet, &all, request).await.unwrap()
    }

    pub async fn audit(&mut self) -> AuditReport {
        chain::audit(&mut self.connection, &self.key, |_| {}).await.unwrap()
    }

    /// Four top-ups: 10, 20, 30 and 40.
    pub async fn with_history() -> Self {
        let mut books = Self::new().await;
        for (number, amount) in [dec!(10), dec!(20), dec!(30), dec!(40)].into_iter().enumerate() {
            books.top_up(&format!("topup:{number}"), amount).await.unwrap();
        }
        assert_eq!(books.audit().await.problems, Vec::<String>::new());
        books
    }

    /// A superuser goes past triggers and foreign keys.
    pub async fn tamper(&mut self, statements: &str) {
        let mut owner = self.test.owner().await;
        owner.batch_execute(&format!("{TRIGGERS_OFF} {statements}")).await.unwrap();
    }

    /// After these statements of a superuser, the audit's first problem says this; the rest, if there are any,
    /// are the transfers whose legs no longer balance.
    pub async fn shows(statements: &str, problem: &str) {
        let mut books = Self::with_history().await;
        books.tamper(statements).await;
        let report = books.audit().await;
        let (first, rest) = report.problems.split_first().unwrap();
        assert_eq!(*first, format!("wallet {}: {problem}", books.wallet), "{statements}");
        assert!(
            rest.iter().all(|line| line.starts_with("transfer ") && line.ends_with("its legs don't balance")),
            "{rest:?}"
        );
    }
}
