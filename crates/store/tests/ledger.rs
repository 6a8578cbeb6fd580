//! Money through the store: what is written can be read, and an edit behind the ledger's back shows.
#![allow(clippy::unwrap_used, reason = "a test may panic, and so may its helpers")]

use diesel_async::{AsyncConnection, SimpleAsyncConnection};
use rust_decimal::{Decimal, dec};
use wayfare_domain::{
    AgencyCode, Clock, Currency, HoldId, Money, Organization, OrganizationId, PageRequest, Standing, Tier,
    TransferId, UserId, WalletId,
};
use wayfare_ledger::{Account, ChainKey, Leg, Reason, Side, Transfer, Wallet};
use wayfare_store::{
    Connection, StoreError,
    ledger::{self, HoldOutcome},
    ledger_audit::{self, AuditReport},
    organizations,
    wallets::{self, Owner},
    writes::Writes,
};
use wayfare_tests::TestDatabase;

const TRIGGERS_OFF: &str = "set session_replication_role = replica;";

fn inr(amount: Decimal) -> Money {
    Money::rounded(amount, Currency::INR)
}

fn key(secret: &str) -> ChainKey {
    ChainKey::new(secret.repeat(32)).unwrap()
}

/// An agency with its own empty wallet and one of an agent.
struct Books {
    test: TestDatabase,
    connection: Connection,
    clock: Clock,
    key: ChainKey,
    organization: OrganizationId,
    owner: Owner,
    wallet: WalletId,
    agent: Owner,
    agents_wallet: WalletId,
}

impl Books {
    async fn new() -> Self {
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
            standing: Standing::Active,
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
            wallets::open(&mut connection, owner, id, Currency::INR)
                .await
                .unwrap();
        }
        Self {
            test,
            connection,
            clock,
            key: key("k"),
            organization,
            owner,
            wallet,
            agent,
            agents_wallet,
        }
    }

    fn transfer(&self, name: &str, reason: Reason, legs: Vec<Leg>) -> Transfer {
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

    fn top_up_of(&self, name: &str, amount: Decimal) -> Transfer {
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
    async fn apply(&mut self, owners: &[Owner], transfer: &Transfer) -> Result<(), StoreError> {
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

    async fn top_up(&mut self, name: &str, amount: Decimal) -> Result<(), StoreError> {
        let transfer = self.top_up_of(name, amount);
        self.apply(&[self.owner], &transfer).await
    }

    async fn hold(&mut self, amount: Decimal) -> HoldId {
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
    async fn end(&mut self, id: HoldId, held: Decimal, transfer: Option<&Transfer>) -> bool {
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

    async fn stands(&mut self, owner: Owner) -> Wallet {
        wallets::of(&mut self.connection, owner).await.unwrap().unwrap()
    }

    async fn page(&mut self, page: u32, per_page: u32) -> wayfare_domain::Page<ledger::WalletTransaction> {
        let request = PageRequest { page, per_page };
        ledger::transactions(&mut self.connection, self.organization, self.wallet, request)
            .await
            .unwrap()
    }

    async fn audit(&mut self) -> AuditReport {
        ledger_audit::audit(&mut self.connection, &self.key)
            .await
            .unwrap()
    }

    /// Four top-ups: 10, 20, 30 and 40.
    async fn with_history() -> Self {
        let mut books = Self::new().await;
        for (number, amount) in [dec!(10), dec!(20), dec!(30), dec!(40)].into_iter().enumerate() {
            books.top_up(&format!("topup:{number}"), amount).await.unwrap();
        }
        assert_eq!(books.audit().await.problems, Vec::<String>::new());
        books
    }

    /// A superuser goes past triggers and foreign keys.
    async fn tamper(&mut self, statements: &str) {
        let statements = format!("{TRIGGERS_OFF} {statements}; reset session_replication_role");
        self.connection.batch_execute(&statements).await.unwrap();
    }

    /// After these statements of a superuser, the audit's first problem says this; the rest, if there are any,
    /// are the transfers whose legs no longer balance.
    async fn shows(statements: &str, problem: &str) {
        let mut books = Self::with_history().await;
        books.tamper(statements).await;
        let report = books.audit().await;
        let (first, rest) = report.problems.split_first().unwrap();
        assert_eq!(
            *first,
            format!("wallet {}: {problem}", books.wallet),
            "{statements}"
        );
        assert!(
            rest.iter()
                .all(|line| line.starts_with("transfer ") && line.ends_with("its legs don't balance")),
            "{rest:?}"
        );
    }
}

#[tokio::test]
async fn money_comes_in_is_held_and_is_spent_and_the_books_agree() {
    let mut books = Books::new().await;
    books.top_up("topup:1", dec!(1000.50)).await.unwrap();
    let first = books.hold(dec!(300)).await;
    let second = books.hold(dec!(200)).await;
    let wallet = books.stands(books.owner).await;
    assert_eq!(
        (wallet.balance, wallet.held),
        (inr(dec!(1000.50)), inr(dec!(500)))
    );
    assert_eq!(books.audit().await.problems, Vec::<String>::new());

    let paid = books.transfer(
        "booking:1",
        Reason::Booking,
        vec![
            Leg::debit(Account::Wallet(books.wallet), inr(dec!(280))),
            Leg::credit(Account::Supplier("duffel".to_owned()), inr(dec!(250))),
            Leg::credit(Account::Markup, inr(dec!(30))),
        ],
    );
    assert!(books.end(first, dec!(300), Some(&paid)).await);
    assert!(books.end(second, dec!(200), None).await);
    assert!(!books.end(second, dec!(200), None).await, "a hold ends once");
    assert!(!books.end(first, dec!(300), None).await, "a hold ends once");

    let wallet = books.stands(books.owner).await;
    assert_eq!(
        (wallet.balance, wallet.held, wallet.sequence),
        (inr(dec!(720.50)), inr(dec!(0)), 2)
    );
    let report = books.audit().await;
    assert_eq!(
        (report.wallets, report.entries, report.problems),
        (2, 2, Vec::<String>::new())
    );
}

#[tokio::test]
async fn one_transfer_moves_money_between_two_wallets() {
    let mut books = Books::new().await;
    books.top_up("topup:1", dec!(100)).await.unwrap();
    let allocation = books.transfer(
        "allocation:1",
        Reason::Topup,
        vec![
            Leg::debit(Account::Wallet(books.wallet), inr(dec!(40))),
            Leg::credit(Account::Wallet(books.agents_wallet), inr(dec!(40))),
        ],
    );
    books
        .apply(&[books.owner, books.agent], &allocation)
        .await
        .unwrap();
    assert_eq!(books.stands(books.owner).await.balance, inr(dec!(60)));
    assert_eq!(books.stands(books.agent).await.balance, inr(dec!(40)));
    let report = books.audit().await;
    assert_eq!((report.entries, report.problems), (3, Vec::<String>::new()));
}

#[tokio::test]
async fn an_owner_opens_one_wallet() {
    let mut books = Books::new().await;
    let again = WalletId::new(&books.clock);
    let refused = wallets::open(&mut books.connection, books.owner, again, Currency::INR).await;
    assert_eq!(
        refused.unwrap_err().unique_violation(),
        Some("wallets_org_id_owner_type_owner_id_key")
    );
}

#[tokio::test]
async fn transactions_are_listed_newest_first_with_what_stood_before_and_after() {
    let mut books = Books::with_history().await;
    let page = books.page(1, 3).await;
    assert_eq!((page.total, page.total_pages()), (4, 2));
    let seen: Vec<_> = page
        .items
        .iter()
        .map(|item| (item.amount, item.balance_before, item.balance_after))
        .collect();
    assert_eq!(
        seen,
        [
            (inr(dec!(40)), inr(dec!(60)), inr(dec!(100))),
            (inr(dec!(30)), inr(dec!(30)), inr(dec!(60))),
            (inr(dec!(20)), inr(dec!(10)), inr(dec!(30))),
        ]
    );
    let newest = &page.items[0];
    assert_eq!(
        (
            newest.wallet,
            newest.side,
            newest.reason,
            newest.description.as_str()
        ),
        (books.wallet, Side::Credit, Reason::Topup, "it is topup:3")
    );
    assert_eq!(newest.reference.as_deref(), Some("about topup:3"));
    assert!(newest.performed_by.is_some());
    assert_eq!(newest.at, books.clock.now());

    let last = books.page(2, 3).await;
    assert_eq!((last.items.len(), last.total), (1, 4));
    assert_eq!(last.items[0].amount, inr(dec!(10)));
}

#[tokio::test]
async fn a_page_past_the_end_is_empty_and_still_knows_the_total() {
    let mut books = Books::with_history().await;
    for page in [3, u32::MAX] {
        let page = books.page(page, 100).await;
        assert_eq!((page.items.len(), page.total), (0, 4));
    }
    let mut empty = Books::new().await;
    let page = empty.page(1, 20).await;
    assert_eq!((page.items.len(), page.total, page.total_pages()), (0, 0, 0));
}

#[tokio::test]
async fn another_agencys_wallet_is_not_found() {
    let mut books = Books::with_history().await;
    let stranger = OrganizationId::new(&books.clock);
    let request = PageRequest {
        page: 1,
        per_page: 20,
    };
    let listed = ledger::transactions(&mut books.connection, stranger, books.wallet, request).await;
    assert!(matches!(
        listed.unwrap_err(),
        StoreError::Database(diesel::result::Error::NotFound)
    ));
    let locked = wallets::lock(&books.connection, Owner::Organization(stranger)).await;
    assert_eq!(locked.unwrap(), None);
}

#[tokio::test]
async fn the_same_transfer_key_twice_is_refused_and_nothing_changes() {
    let mut books = Books::with_history().await;
    let before = books.stands(books.owner).await;
    let refused = books.top_up("topup:1", dec!(5)).await;
    assert_eq!(refused.unwrap_err().unique_violation(), Some("transfers_key"));
    assert_eq!(books.stands(books.owner).await, before);
    assert_eq!(books.page(1, 20).await.total, 4);
    assert_eq!(books.audit().await.problems, Vec::<String>::new());
}

#[tokio::test]
async fn top_ups_at_once_wait_for_each_other_and_none_is_lost() {
    let mut books = Books::new().await;
    let organization = books.organization;
    let tasks: Vec<_> = (0..20)
        .map(|number| {
            let transfer = books.top_up_of(&format!("topup:{number}"), dec!(1));
            let (database, key, owner) = (books.test.database.clone(), books.key.clone(), books.owner);
            tokio::spawn(async move {
                let mut connection = database.connection().await?;
                connection
                    .transaction(async |connection| {
                        let mut wallet = wallets::lock(connection, owner).await?.unwrap();
                        let entry = wallet.apply(&transfer, &key).unwrap();
                        let mut writes = Writes::default();
                        writes.wallet(organization, &wallet);
                        writes.transfer(organization, &transfer, &[entry])?;
                        writes.send(connection).await
                    })
                    .await
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    let wallet = books.stands(books.owner).await;
    assert_eq!((wallet.balance, wallet.sequence), (inr(dec!(20)), 20));
    assert_eq!(books.audit().await.problems, Vec::<String>::new());
}

#[tokio::test]
async fn a_movement_on_a_wallet_without_its_entry_is_not_written() {
    let books = Books::with_history().await;
    let transfer = books.top_up_of("topup:other", dec!(5));
    let recorded = Writes::default().transfer(books.organization, &transfer, &[]);
    assert!(recorded.is_err());
}

#[tokio::test]
async fn with_another_key_no_entry_is_what_was_sealed() {
    let mut books = Books::with_history().await;
    books.key = key("x");
    assert_eq!(
        books.audit().await.problems,
        [format!("wallet {}: entry 1 is not what was sealed", books.wallet)]
    );
}

#[tokio::test]
async fn a_changed_amount_shows_at_its_entry() {
    // One leg alone no longer balances.
    Books::shows(
        "update entries set amount = 21, balance_after = 31 where sequence = 2",
        "entry 2: debits of 20.00 and credits of 21.00 differ",
    )
    .await;
    // Both legs do, but the seal covers them.
    Books::shows(
        "update entries set amount = 21, balance_after = balance_before + 21
         where transfer_id in (select id from transfers where key = 'topup:1')",
        "entry 2 is not what was sealed",
    )
    .await;
    // Even when all that follows is made to agree, and the wallet too.
    Books::shows(
        "alter table entries drop constraint balances_follow;
         update entries set amount = 21 where transfer_id in (select id from transfers where key = 'topup:1');
         update entries set balance_after = balance_after + 1 where sequence >= 2;
         update entries set balance_before = balance_before + 1 where sequence >= 3;
         update wallets set balance = balance + 1 where sequence = 4",
        "entry 2 is not what was sealed",
    )
    .await;
    // An amount that no currency has.
    Books::shows(
        "update entries set amount = 20.001, balance_after = 30.001 where sequence = 2",
        "entry 2: the database holds \"20.001\" for entries.amount",
    )
    .await;
}

#[tokio::test]
async fn a_changed_word_of_a_transfer_shows_at_its_entry() {
    for change in [
        "description = 'other'",
        "reference = null",
        "key = 'other'",
        "reason = 'refund'",
        "performed_by = null",
        "at = at + interval '1 microsecond'",
        "currency = 'USD'",
    ] {
        Books::shows(
            &format!("update transfers set {change} where key = 'topup:2'"),
            "entry 3 is not what was sealed",
        )
        .await;
    }
    Books::shows(
        "update entries set account = 'markup' where account = 'funding'
         and transfer_id in (select id from transfers where key = 'topup:2')",
        "entry 3 is not what was sealed",
    )
    .await;
    Books::shows(
        "update entries set account = 'nonsense' where account = 'funding'
         and transfer_id in (select id from transfers where key = 'topup:2')",
        "entry 3: the database holds \"nonsense\" for entries.account",
    )
    .await;
}

#[tokio::test]
async fn a_deleted_row_shows_where_it_stood() {
    Books::shows(
        "delete from entries where sequence = 3",
        "entry 3 is missing: entry 4 stands in its place",
    )
    .await;
    // The first and the last have a neighbour on one side only.
    Books::shows(
        "delete from entries where sequence = 1",
        "entry 1 is missing: entry 2 stands in its place",
    )
    .await;
    Books::shows(
        "delete from entries where sequence = 4",
        "the wallet says 100.00, its 3 entries say 60.00",
    )
    .await;
    Books::shows(
        "delete from transfers where key = 'topup:1'",
        "entry 2 has no transfer",
    )
    .await;
    // The platform's leg has no number, but its transfer has.
    Books::shows(
        "delete from entries where account = 'funding'
         and transfer_id in (select id from transfers where key = 'topup:1')",
        "entry 2: debits of 0 and credits of 20.00 differ",
    )
    .await;
}

#[tokio::test]
async fn an_inserted_row_shows_where_it_stands() {
    let forged = "insert into transfers select org_id, '00000000-0000-7000-8000-000000000001', 'forged', reason,
             reference, description, performed_by, currency, at from transfers where key = 'topup:3';
         insert into entries select org_id, '00000000-0000-7000-8000-000000000001', leg, account, side, amount,
             wallet_id, sequence + 1, balance_before + 40, balance_after + 40, seal, seal
             from entries where transfer_id in (select id from transfers where key = 'topup:3')";
    Books::shows(forged, "entry 5 is not what was sealed").await;
    // Even when the wallet agrees.
    Books::shows(
        &format!("{forged}; update wallets set balance = 140, sequence = 5 where sequence = 4"),
        "entry 5 is not what was sealed",
    )
    .await;
    // A leg more, in a transfer that was sealed.
    Books::shows(
        "insert into entries select org_id, transfer_id, 2, 'markup', 'credit', 1 from entries where sequence = 2",
        "entry 2: debits of 20.00 and credits of 21.00 differ",
    )
    .await;
}

#[tokio::test]
async fn two_swapped_rows_show_at_the_first() {
    // Only their numbers.
    Books::shows(
        "update entries set sequence = 99 where sequence = 2;
         update entries set sequence = 2 where sequence = 3;
         update entries set sequence = 3 where sequence = 99",
        "the balances of entry 2 don't add up",
    )
    .await;
    // And their balances: 10, then 30, then 20 more.
    Books::shows(
        "update entries set sequence = 99 where sequence = 2;
         update entries set sequence = 2, balance_before = 10, balance_after = 40 where sequence = 3;
         update entries set sequence = 3, balance_before = 40, balance_after = 60 where sequence = 99",
        "entry 2 is not what was sealed",
    )
    .await;
}

#[tokio::test]
async fn a_wallet_that_disagrees_with_its_entries_shows() {
    Books::shows(
        "update wallets set balance = 100.01 where sequence = 4",
        "the wallet says 100.01, its 4 entries say 100.00",
    )
    .await;
    Books::shows(
        "update wallets set sequence = 3 where sequence = 4",
        "the wallet says 100.00, its 4 entries say 100.00",
    )
    .await;
}

#[tokio::test]
async fn a_hold_with_which_the_wallet_does_not_agree_shows() {
    let mut books = Books::with_history().await;
    books.hold(dec!(25)).await;
    assert_eq!(books.audit().await.problems, Vec::<String>::new());
    books
        .tamper("update wallets set held = 20 where sequence = 4")
        .await;
    let says = |held: &str, open: &str| {
        [format!(
            "wallet {}: holds {held} but open holds are {open}",
            books.wallet
        )]
    };
    let (less, more) = (says("20.00", "25.00"), says("25.00", "0"));
    assert_eq!(books.audit().await.problems, less);
    books
        .tamper("update wallets set held = 25 where sequence = 4; update holds set closed_at = now(), outcome = 'voided'")
        .await;
    assert_eq!(books.audit().await.problems, more);
}

#[tokio::test]
async fn one_wrong_wallet_does_not_hide_another() {
    let mut books = Books::with_history().await;
    let allocation = books.transfer(
        "allocation:1",
        Reason::Topup,
        vec![
            Leg::debit(Account::Wallet(books.wallet), inr(dec!(40))),
            Leg::credit(Account::Wallet(books.agents_wallet), inr(dec!(40))),
        ],
    );
    books
        .apply(&[books.owner, books.agent], &allocation)
        .await
        .unwrap();
    books
        .tamper("update entries set amount = 20.001, balance_after = 30.001 where sequence = 2")
        .await;
    books
        .tamper("update transfers set description = 'other' where key = 'allocation:1'")
        .await;
    let mut expected = vec![
        format!(
            "wallet {}: entry 2: the database holds \"20.001\" for entries.amount",
            books.wallet
        ),
        format!("wallet {}: entry 1 is not what was sealed", books.agents_wallet),
        "transfer topup:1: its legs don't balance".to_owned(),
    ];
    expected.sort();
    let mut problems = books.audit().await.problems;
    problems.sort();
    assert_eq!(problems, expected);
}

#[tokio::test]
async fn a_last_entry_that_was_rolled_back_leaves_a_transfer_that_does_not_balance() {
    let mut books = Books::with_history().await;
    let wallet = books.stands(books.owner).await;
    books
        .tamper(&format!(
            "update wallets set balance = e.balance_before, sequence = e.sequence - 1, head = e.previous
               from entries e where e.wallet_id = wallets.id and e.sequence = {last};
             delete from entries where wallet_id is not null and sequence = {last}",
            last = wallet.sequence
        ))
        .await;
    let report = books.audit().await;
    assert_eq!(report.problems.len(), 1, "{:?}", report.problems);
    assert!(
        report.problems[0].starts_with("transfer "),
        "{:?}",
        report.problems
    );
}
