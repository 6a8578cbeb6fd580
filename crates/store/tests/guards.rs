//! What the database itself refuses, whatever the code does: each statement goes past the store, as SQL.

use diesel::result::Error;
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use wayfare_tests::TestDatabase;

/// An agency with one user, one wallet with 100.00 in it from one top-up, and one pending booking.
/// Short ids: `id(n)` is the UUID that ends in n. Agency 1, user 2, wallet 3, top-up 4, hold 5, quote 6,
/// booking 7, step 8, refund 9.
const SEED: &str = "
    create function id(n int) returns uuid language sql immutable as
        $$ select lpad(n::text, 32, '0')::uuid $$;
    create function seal() returns bytea language sql immutable as $$ select decode(repeat('ab', 32), 'hex') $$;

    insert into organizations (id, agent_id, name, slug, email, phone, address, country, subscription_type,
        status, currency, timezone, created_at, updated_at)
    values (id(1), 'WF000001', 'Agency', 'agency', 'a@example.com', '', '', 'IN', 'full',
        'active', 'INR', 'Asia/Kolkata', now(), now());
    insert into users (org_id, id, username, email, name, phone, role, status, sub_agent_id, password_hash,
        created_at, updated_at)
    values (id(1), id(2), 'Asha', 'asha@example.com', 'Asha', '', 'agent', 'active', 'WF000001-A0001', 'x',
        now(), now());
    insert into wallets (org_id, id, owner_type, owner_id, currency, balance, held, credit_limit, is_active,
        sequence, head)
    values (id(1), id(3), 'org', id(1), 'INR', 100, 0, 0, true, 1, seal());
    insert into transfers (org_id, id, key, reason, description, currency, at)
    values (id(1), id(4), 'topup:1', 'topup', '', 'INR', now());
    insert into entries (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence,
        balance_before, balance_after, previous, seal, at, reason)
    values
        (id(1), id(4), 0, 'funding', 'debit', 100, null, null, null, null, null, null, null, null),
        (id(1), id(4), 1, 'wallet:' || id(3), 'credit', 100, id(3), 1, 0, 100, seal(), seal(), now(), 'topup');
    insert into holds (org_id, id, wallet_id, amount, placed_at) values (id(1), id(5), id(3), 0, now());
    insert into quotes (org_id, id, user_id, product, content, created_at, expires_at)
    values (id(1), id(6), id(2), 'flight', '{}', now(), now());
    insert into bookings (org_id, id, booking_ref, product, user_id, user_name, wallet_id, hold_id, quote_id,
        status, provider, pnr, origin, destination, passenger_count, currency, base_fare, public_fare, amount,
        product_content, pricing, created_at)
    values (id(1), id(7), 'FA1', 'flight', id(2), 'Asha', id(3), id(5), id(6),
        'pending', 'duffel', '', 'DEL', 'BOM', 1, 'INR', 0, 0, 0, '{}', '{}', now());
    insert into supplier_orders (org_id, booking_id, number, reference, supplier, status, updated_at)
    values (id(1), id(7), 1, 'FA1-1', 'duffel', 'pending', now()),
        (id(1), id(7), 2, 'FA1-2', 'duffel', 'pending', now());
    insert into effects (org_id, id, booking_id, number, kind, supplier, request, state, sent_at, due_at, saga, step,
        steps)
    values (id(1), id(8), id(7), 1, 'book', 'duffel', '{}', 'open', now(), now(), id(8), 1, 1);
    insert into refunds (org_id, id, booking_id, number, wallet_id, status, currency, cancellation_charge,
        provider_refund_amount, platform_charges, refund_to_wallet, requested_at)
    values (id(1), id(9), id(7), 1, id(3), 'pending', 'INR', 0, 0, 0, 0, now());";

struct Guarded {
    _test: TestDatabase,
    /// Of the owner: what is refused to a superuser is refused to everybody.
    connection: AsyncPgConnection,
}

impl Guarded {
    async fn new() -> Self {
        let test = TestDatabase::fresh().await;
        let mut connection = test.owner().await;
        connection.batch_execute(SEED).await.unwrap();
        Self { _test: test, connection }
    }

    /// The statement is refused, and it is this constraint or message that refuses it.
    async fn refuses(&mut self, statement: &str, by: &str) {
        let refusal = match diesel::sql_query(statement).execute(&mut self.connection).await {
            Err(Error::DatabaseError(_, info)) => {
                let constraint = info.constraint_name().unwrap_or_default();
                format!("{constraint}: {}", info.message())
            }
            Err(other) => other.to_string(),
            Ok(rows) => format!("nobody: {rows} rows were written"),
        };
        assert!(refusal.contains(by), "{statement}\nis refused by {refusal}, not {by}");
    }

    async fn takes(&mut self, statement: &str) {
        let rows = diesel::sql_query(statement).execute(&mut self.connection).await;
        assert_eq!(rows, Ok(1), "{statement}");
    }
}

/// An entry on transfer `id(4)` with these columns, and when and why it was if it is one of the wallet.
fn entry(leg: u8, columns: &str) -> String {
    let of_wallet = columns.contains(", id(3),");
    let listed = if of_wallet { "now(), 'topup'" } else { "null, null" };
    listed_entry(leg, &format!("{columns}, {listed}"))
}

/// The same with all of its columns.
fn listed_entry(leg: u8, columns: &str) -> String {
    format!(
        "insert into entries (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence,
            balance_before, balance_after, previous, seal, at, reason)
         values (id(1), id(4), {leg}, {columns})"
    )
}

#[tokio::test]
async fn a_wallet_is_never_overspent() {
    let mut books = Guarded::new().await;
    let guard = "wallet_is_never_overspent";
    books.refuses("update wallets set balance = -0.01", guard).await;
    books.refuses("update wallets set held = 100.01", guard).await;
    books.takes("update wallets set held = 100").await;
    books.refuses("update wallets set balance = 99.99", guard).await;
    books.takes("update wallets set credit_limit = 50, held = 150").await;
    books.refuses("update wallets set credit_limit = 49.99", guard).await;
}

#[tokio::test]
async fn holds_and_credit_lines_are_never_negative() {
    let mut books = Guarded::new().await;
    books.refuses("update wallets set held = -0.01", "wallets_held_check").await;
    books.refuses("update wallets set credit_limit = -0.01", "wallets_credit_limit_check").await;
    books.refuses("update holds set amount = -0.01", "holds_amount_check").await;
    books.refuses("update holds set closed_at = now()", "holds_check").await;
}

#[tokio::test]
async fn an_owner_has_one_wallet() {
    let mut books = Guarded::new().await;
    books
        .refuses(
            "insert into wallets select (w).* from (select w from wallets w) x
             where false
             union all
             select org_id, id(33), owner_type, owner_id, currency, 0, 0, 0, true, 0, head from wallets",
            "wallets_owner_id_owner_type_org_id_key",
        )
        .await;
}

#[tokio::test]
async fn what_was_written_in_the_ledger_is_never_changed_or_deleted() {
    let mut books = Guarded::new().await;
    for table in ["entries", "transfers"] {
        let guard = format!("rows of {table} are never updated or deleted");
        for statement in [
            format!("update {table} set org_id = org_id"),
            // Even where it would touch no row.
            format!("update {table} set org_id = org_id where false"),
            format!("delete from {table}"),
            format!("truncate {table} cascade"),
        ] {
            // Truncating transfers takes the entries along, whose guard may speak first.
            let guard =
                if statement.starts_with("truncate") { "are never updated or deleted" } else { &guard };
            books.refuses(&statement, guard).await;
        }
    }
    books
        .refuses(
            "insert into transfers select * from transfers
             on conflict (org_id, key) do update set description = 'other'",
            "rows of transfers are never updated or deleted",
        )
        .await;
}

#[tokio::test]
async fn a_wallets_entry_has_all_columns_of_its_chain() {
    let mut books = Guarded::new().await;
    for columns in [
        "'wallet:' || id(3), 'credit', 1, id(3), null, 100, 101, seal(), seal()",
        "'wallet:' || id(3), 'credit', 1, id(3), 2, null, 101, seal(), seal()",
        "'wallet:' || id(3), 'credit', 1, id(3), 2, 100, null, seal(), seal()",
        "'wallet:' || id(3), 'credit', 1, id(3), 2, 100, 101, null, seal()",
        "'wallet:' || id(3), 'credit', 1, id(3), 2, 100, 101, seal(), null",
    ] {
        books.refuses(&entry(2, columns), "wallet_rows_are_whole").await;
    }
    for listed in ["null, 'topup'", "now(), null"] {
        let columns = "'wallet:' || id(3), 'credit', 1, id(3), 2, 100, 101, seal(), seal()";
        let entry = listed_entry(2, &format!("{columns}, {listed}"));
        books.refuses(&entry, "wallet_rows_are_whole").await;
    }
    for columns in [
        "'wallet:' || id(3), 'credit', 1, null, 2, 100, 101, seal(), seal()",
        "'wallet:' || id(3), 'credit', 1, null, null, null, null, null, null",
        "'funding', 'credit', 1, id(3), 2, 100, 101, seal(), seal()",
    ] {
        books.refuses(&entry(2, columns), "wallet_legs_are_entries").await;
    }
    books.takes(&entry(2, "'wallet:' || id(3), 'credit', 1, id(3), 2, 100, 101, seal(), seal()")).await;
}

#[tokio::test]
async fn an_entrys_balances_follow_from_its_amount_and_side() {
    let mut books = Guarded::new().await;
    for columns in [
        "'wallet:' || id(3), 'credit', 1, id(3), 2, 100, 101.01, seal(), seal()",
        "'wallet:' || id(3), 'credit', 1, id(3), 2, 100, 99, seal(), seal()",
        "'wallet:' || id(3), 'debit', 1, id(3), 2, 100, 101, seal(), seal()",
    ] {
        books.refuses(&entry(2, columns), "balances_follow").await;
    }
    for amount in ["0", "-1"] {
        let columns = format!("'funding', 'debit', {amount}, null, null, null, null, null, null");
        books.refuses(&entry(2, &columns), "entries_amount_check").await;
    }
}

#[tokio::test]
async fn a_wallets_entries_are_numbered_once() {
    let mut books = Guarded::new().await;
    books
        .refuses(
            &entry(2, "'wallet:' || id(3), 'credit', 1, id(3), 1, 100, 101, seal(), seal()"),
            "entries_by_wallet",
        )
        .await;
}

#[tokio::test]
async fn an_agency_has_one_transfer_of_a_key() {
    let mut books = Guarded::new().await;
    let again = "insert into transfers (org_id, id, key, reason, description, currency, at)
         values (id(1), id(44), 'topup:1', 'topup', '', 'INR', now())";
    books.refuses(again, "transfers_key").await;
    books.takes(&again.replace("topup:1", "topup:2")).await;
}

#[tokio::test]
async fn an_order_has_one_effect_under_way() {
    let mut books = Guarded::new().await;
    let second = "insert into effects (org_id, id, booking_id, number, kind, supplier, request, state, sent_at, due_at,
            saga, step, steps)
         values (id(1), id(88), id(7), 1, 'cancel', 'duffel', '{}', 'open', now(), now(), id(88), 1, 1)";
    books.refuses(&second.replace("'open'", "'planned'"), "one_effect_under_way_per_order").await;
    books.refuses(second, "one_effect_under_way_per_order").await;
    // Another order of the same booking is another matter.
    books.takes(&second.replace("id(88), id(7), 1", "id(89), id(7), 2")).await;
    books.refuses("update effects set state = 'done' where id = id(8)", "effects_closed_at").await;
    books.takes("update effects set state = 'done', closed_at = now() where id = id(8)").await;
    books.takes(second).await;
}

#[tokio::test]
async fn an_effect_has_one_open_exception_of_a_kind() {
    let mut books = Guarded::new().await;
    let first =
        "insert into exceptions (org_id, id, booking_id, effect_id, kind, problem, details, raised_at)
         values (id(1), id(10), id(7), id(8), 'outcome_unknown', 'silence', '{}', now())";
    books.takes(first).await;
    let second = first.replace("id(10)", "id(11)");
    let guard = "one_open_exception_per_effect_and_kind";
    books.refuses(&second, guard).await;
    books.takes(&first.replace("id(10)", "id(12)").replace("outcome_unknown", "other_total")).await;
    let close = "update exceptions set closed_at = now() where id = id(10)";
    books.refuses(close, "closed_by_somebody").await;
    let ruled = "update exceptions set outcome = 'noted' where id = id(10)";
    books.refuses(ruled, "a_ruling_has_its_note").await;
    books.takes(&close.replace("where", ", closed_by = 'itself' where")).await;
    books.takes(&second).await;
}

#[tokio::test]
async fn an_order_has_one_refund_under_way_and_one_of_all_of_it() {
    let mut books = Guarded::new().await;
    let second =
        "insert into refunds (org_id, id, booking_id, number, wallet_id, status, currency, cancellation_charge,
            provider_refund_amount, platform_charges, refund_to_wallet, requested_at)
         values (id(1), id(99), id(7), 1, id(3), 'processing', 'INR', 0, 0, 0, 0, now())";
    // Another order of the same booking is another matter.
    books.takes(&second.replace("id(99), id(7), 1", "id(98), id(7), 2")).await;
    for under_way in ["pending", "processing"] {
        books.takes(&format!("update refunds set status = '{under_way}' where number = 1")).await;
        books.refuses(second, "one_refund_under_way").await;
    }
    // Of parts each comes back by itself, the last one once.
    books
        .takes("update refunds set status = 'refunded', part = '{\"is_last\": false}' where number = 1")
        .await;
    books.takes(second).await;
    let end = "update refunds set status = 'refunded' where id = id(99)";
    books.takes(end).await;
    books.refuses("update refunds set part = null where id = id(9)", "one_refund_per_order").await;
    books
        .refuses("update refunds set part = '{\"is_last\": true}' where id = id(9)", "one_refund_per_order")
        .await;
    books.takes("update refunds set status = 'failed', part = null where id = id(9)").await;
    books.refuses("update refunds set status = 'refunded' where id = id(9)", "one_refund_per_order").await;
}

#[tokio::test]
async fn a_username_and_an_address_are_there_once_without_regard_to_case() {
    let mut books = Guarded::new().await;
    let other = |name: &str, email: &str| {
        format!(
            "insert into users (org_id, id, username, email, name, phone, role, status, sub_agent_id,
                password_hash, created_at, updated_at)
             values (id(1), id(22), '{name}', '{email}', '', '', 'agent', 'active', 'WF000001-A0002', 'x',
                now(), now())"
        )
    };
    books.refuses(&other("aSHA", "other@example.com"), "users_username_key").await;
    books.refuses(&other("other", "ASHA@Example.com"), "users_email_key").await;
    // Of a deleted user, both are free again.
    books.takes("update users set deleted_at = now()").await;
    books.takes(&other("aSHA", "ASHA@Example.com")).await;
}

#[tokio::test]
async fn a_key_is_tied_to_one_thing() {
    let mut books = Guarded::new().await;
    let key = |made: &str| {
        format!(
            "insert into idempotency_keys (org_id, user_id, key, fingerprint, created_at, booking_ref, effect_id,
                made_user_id, made_transfer_id, made_package_id, made_webhook_id)
             values (id(1), id(2), gen_random_uuid()::text, seal(), now(), {made})"
        )
    };
    books.takes(&key("'FA1', id(8), null, null, null, null")).await;
    books.takes(&key("null, null, id(2), null, null, null")).await;
    books.takes(&key("null, null, null, id(4), null, null")).await;
    // A package that is not there any more, say.
    books.takes(&key("null, null, null, null, id(90), null")).await;
    books.takes(&key("null, null, null, null, null, id(90)")).await;
    for made in [
        "null, null, null, null, null, null",
        "'FA1', id(8), id(2), null, null, null",
        "null, null, id(2), id(4), null, null",
        "null, null, null, id(4), id(90), null",
        "null, null, null, null, id(90), id(90)",
        "'FA1', null, null, null, id(90), null",
        "'FA1', null, null, null, null, null",
        "'FA1', null, id(2), null, null, null",
        "null, id(8), null, null, null, null",
    ] {
        books.refuses(&key(made), "idempotency_keys_made_one_thing").await;
    }
}

#[tokio::test]
async fn a_package_has_a_markup_that_can_be_and_bands_of_its_own() {
    let mut books = Guarded::new().await;
    let package = |id: u32, kind: &str, value: &str| {
        format!(
            "insert into packages values (id(1), id({id}), 'hotel', 'A', '', '{kind}', {value}, 'fare', 0, true, id(2),
                 now(), now())"
        )
    };
    books.takes(&package(20, "flat", "1000.50")).await;
    books.takes(&package(21, "percent", "100")).await;
    for (kind, value, by) in [
        ("percent", "100.1", "packages_check"),
        ("flat", "-0.01", "packages_markup_value_check"),
        ("half", "1", "packages_markup_type_check"),
    ] {
        books.refuses(&package(22, kind, value), by).await;
    }
    let band = |id: u32, bounds: &str, order: u32| {
        format!("insert into price_ranges values (id(1), id({id}), id(20), {bounds}, 'flat', 1, {order})")
    };
    books.takes(&band(30, "0, 10", 0)).await;
    books.takes(&band(31, "10, null", 1)).await;
    for (bounds, order, by) in [
        ("5, 5", 2, "price_ranges_check"),
        ("-1, 5", 2, "price_ranges_min_amount_check"),
        ("20, 30", 1, "price_ranges_package_id_org_id_sort_order_key"),
    ] {
        books.refuses(&band(32, bounds, order), by).await;
    }
}

#[tokio::test]
async fn nobody_has_two_packages_for_one_product() {
    let mut books = Guarded::new().await;
    for (id, product) in [(20, "flight"), (21, "flight"), (22, "hotel")] {
        let package = format!(
            "insert into packages values (id(1), id({id}), '{product}', 'A', '', 'flat', 1, 'fare', 0, true, id(2),
                 now(), now())"
        );
        books.takes(&package).await;
    }
    let assignment = |product: &str, package: u32, agent: &str| {
        format!(
            "insert into package_assignments values (id(1), gen_random_uuid(), '{product}', id({package}), {agent},
                 id(2), now())"
        )
    };
    books
        .refuses(&assignment("hotel", 21, "null"), "package_assignments_package_id_org_id_product_fkey")
        .await;
    for agent in ["null", "id(2)"] {
        books.takes(&assignment("flight", 20, agent)).await;
        books.takes(&assignment("hotel", 22, agent)).await;
    }
    books.refuses(&assignment("flight", 21, "null"), "package_of_agency").await;
    books.refuses(&assignment("flight", 21, "id(2)"), "package_of_agent").await;
}

#[tokio::test]
async fn rows_of_one_agency_never_point_into_another() {
    let mut books = Guarded::new().await;
    let other = "insert into organizations select id(10), 'WF000010', name, 'other', email, phone, address,
         country, subscription_type, status, ip_whitelist_enabled, currency, timezone, user_counter, created_at,
         updated_at from organizations";
    books.takes(other).await;
    books
        .refuses(
            "insert into holds (org_id, id, wallet_id, amount, placed_at)
             values (id(10), id(55), id(3), 1, now())",
            "holds_wallet_id_org_id_fkey",
        )
        .await;
    books
        .refuses(
            "insert into entries (org_id, transfer_id, leg, account, side, amount)
             values (id(10), id(4), 0, 'funding', 'debit', 1)",
            "entries_transfer_id_org_id_fkey",
        )
        .await;
}
