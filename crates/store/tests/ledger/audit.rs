//! The audit: an edit behind the ledger's back shows where it was made.

use rust_decimal::dec;
use wayfare_ledger::{Account, Leg, Reason};
use wayfare_store::money::audit::chain::{self, AuditProgress};

use super::books::{Books, inr, key};

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
    Books::shows("delete from entries where sequence = 3", "entry 3 is missing: entry 4 stands in its place")
        .await;
    // The first and the last have a neighbour on one side only.
    Books::shows("delete from entries where sequence = 1", "entry 1 is missing: entry 2 stands in its place")
        .await;
    Books::shows("delete from entries where sequence = 4", "the wallet says 100.00, its 3 entries say 60.00")
        .await;
    Books::shows("delete from transfers where key = 'topup:1'", "entry 2 has no transfer").await;
    // The platform's leg has no number, but its transfer has.
    Books::shows(
        "delete from entries where account = 'funding'
         and transfer_id in (select id from transfers where key = 'topup:1')",
        "entry 2: debits of 0.00 and credits of 20.00 differ",
    )
    .await;
}

#[tokio::test]
async fn an_inserted_row_shows_where_it_stands() {
    let forged = "insert into transfers select org_id, '00000000-0000-7000-8000-000000000001', 'forged', reason,
             reference, description, performed_by, currency, at from transfers where key = 'topup:3';
         insert into entries select org_id, '00000000-0000-7000-8000-000000000001', leg, account, side, amount,
             wallet_id, sequence + 1, balance_before + 40, balance_after + 40, seal, seal, at, reason
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
async fn a_row_that_lists_would_show_elsewhere_shows() {
    for change in ["at = at - interval '1 day'", "reason = 'refund'"] {
        Books::shows(
            &format!("update entries set {change} where sequence = 2"),
            "entry 2 has another time or reason than its transfer",
        )
        .await;
    }
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
    books.tamper("update wallets set held = 20 where sequence = 4").await;
    let says =
        |held: &str, open: &str| [format!("wallet {}: holds {held} but open holds are {open}", books.wallet)];
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
    books.apply(&[books.owner, books.agent], &allocation).await.unwrap();
    books.tamper("update entries set amount = 20.001, balance_after = 30.001 where sequence = 2").await;
    books.tamper("update transfers set description = 'other' where key = 'allocation:1'").await;
    let mut expected = vec![
        format!("wallet {}: entry 2: the database holds \"20.001\" for entries.amount", books.wallet),
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
    assert!(report.problems[0].starts_with("transfer "), "{:?}", report.problems);
}

#[tokio::test]
async fn an_audit_tells_how_far_it_is_up_to_the_end() {
    let mut books = Books::with_history().await;
    books.tamper("update entries set amount = 21, balance_after = 31 where sequence = 2").await;
    let mut told = Vec::new();
    let tell = |progress: AuditProgress| told.push((progress.done, progress.total));
    let report = chain::audit(&mut books.connection, &books.key, tell).await.unwrap();
    // What comes after the wrong entry need not be looked at.
    assert_eq!((report.entries, report.wallets), (1, 2));
    assert!(told.is_sorted(), "{told:?}");
    assert_eq!((told.first(), told.last()), (Some(&(0, 4)), Some(&(4, 4))));
}
