//! Money that moves: what is written can be read, once and in order.

use diesel::{QueryableByName, sql_query, sql_types::BigInt};
use diesel_async::{AsyncConnection, RunQueryDsl};
use rust_decimal::dec;
use wayfare_domain::{Currency, OrganizationId, PageRequest, WalletId};
use wayfare_ledger::{Account, Leg, Reason, Side};
use wayfare_store::{
    Batch, Database,
    batch::writes::Writes,
    money::{
        entries::{self, TransactionFilter},
        wallets::{self, Owner},
    },
};

use super::books::{Books, inr};

#[tokio::test]
async fn money_comes_in_is_held_and_is_spent_and_the_books_agree() {
    let mut books = Books::new().await;
    books.top_up("topup:1", dec!(1000.50)).await.unwrap();
    let first = books.hold(dec!(300)).await;
    let second = books.hold(dec!(200)).await;
    let wallet = books.stands(books.owner).await;
    assert_eq!((wallet.balance, wallet.held), (inr(dec!(1000.50)), inr(dec!(500))));
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
    assert_eq!((wallet.balance, wallet.held, wallet.sequence), (inr(dec!(720.50)), inr(dec!(0)), 2));
    let report = books.audit().await;
    assert_eq!((report.wallets, report.entries, report.problems), (2, 2, Vec::<String>::new()));
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
    books.apply(&[books.owner, books.agent], &allocation).await.unwrap();
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
    assert_eq!(refused.unwrap_err().unique_violation(), Some("wallets_owner_id_owner_type_org_id_key"));
}

#[tokio::test]
async fn transactions_are_listed_newest_first_with_what_stood_before_and_after() {
    let mut books = Books::with_history().await;
    let page = books.page(1, 3).await;
    assert_eq!((page.total, page.total_pages()), (4, 2));
    let seen: Vec<_> =
        page.items.iter().map(|item| (item.amount, item.balance_before, item.balance_after)).collect();
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
        (newest.wallet, newest.side, newest.reason, newest.description.as_str()),
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
    let request = PageRequest { page: 1, per_page: 20 };
    let wallet = books.stands(books.owner).await;
    let all = TransactionFilter::default();
    let listed = entries::transactions(&mut books.connection, stranger, &wallet, &all, request).await;
    assert!(listed.unwrap().items.is_empty());
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
async fn what_a_batch_writes_is_of_its_transaction_on_a_fresh_connection_too() {
    #[derive(QueryableByName)]
    struct Line {
        #[diesel(sql_type = BigInt)]
        transaction: i64,
    }
    let books = Books::with_history().await;
    // A statement is prepared where it is sent for the first time, which takes as long as a commit.
    let fresh = Database::connect(&books.test.url, 1).unwrap();
    let batch = Batch::on(fresh.connection_of_kept_plans().await.unwrap());
    batch.begin().await.unwrap();
    let own: Line = sql_query("select txid_current() as transaction")
        .get_result(&mut batch.connection().unwrap())
        .await
        .unwrap();
    let mut wallet = wallets::lock(batch.connection().unwrap(), books.owner).await.unwrap().unwrap();
    let transfer = books.top_up_of("late", dec!(1));
    let entry = wallet.apply(&transfer, &books.key).unwrap();
    let mut writes = Writes::default();
    writes.wallet(books.organization, &wallet);
    writes.transfer(books.organization, &transfer, &[entry]).unwrap();
    batch.commit(writes).await.unwrap();
    let written: Vec<Line> = sql_query(
        "select xmin::text::bigint as transaction from wallets where sequence = 5
         union select xmin::text::bigint from entries e where wallet_id is not null and sequence = 5",
    )
    .load(&mut fresh.connection().await.unwrap())
    .await
    .unwrap();
    let of: Vec<i64> = written.iter().map(|line| line.transaction).collect();
    assert_eq!(of, [own.transaction]);
}
