//! Amounts of as many digits as an amount may have, and sums of ten of them: what would not fit is refused before it is
//! written, and whatever was written is read.

use rust_decimal::{Decimal, dec};
use serde_json::json;
use wayfare_domain::{AgencyCode, Currency, ReportKind};
use wayfare_operations::{
    Error,
    access::operators::By,
    operator::{self, Covered, TermsChange, Transfer, WalletOf},
};
use wayfare_pricing::MarkupKind;
use wayfare_tests::{Person, Reply, World, amount, one_way, sum};

/// The most that a wallet holds, as JSON has it.
const MOST: &str = "99999999999999.99";

fn full(amount: &str, balance: &str) -> String {
    format!("{amount} can't be added: the wallet would hold {balance}, and a wallet holds at most {MOST}")
}

fn wallet(agency: &AgencyCode, user: Option<&str>) -> WalletOf {
    WalletOf { agency: agency.clone(), username: user.map(str::to_owned) }
}

/// Moves so much: the balance after it of the wallet that it came from.
async fn moves(world: &World, of: WalletOf, what: Transfer, sum: Decimal) -> Result<Option<Decimal>, Error> {
    let moved = operator::transfer(&world.platform, By::command_line(), &of, what, sum, None, None).await?;
    Ok(moved.from.map(|balance| balance.amount()))
}

async fn allocate(admin: &Person, agent: &Person, amount: &str) -> Reply {
    admin.post_text(&format!("/org/wallet/topup/{}", agent.id), &format!(r#"{{"amount": {amount}}}"#)).await
}

/// All that the operator reads over all agencies.
async fn operators_lists_are_whole(world: &World) {
    for agency in operator::agencies(&world.platform).await.unwrap() {
        assert!(agency.problem.is_none());
    }
    assert_eq!(operator::trial_balance(&world.platform, None).await.unwrap().problems, Vec::<String>::new());
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_top_up_that_would_not_fit_is_refused_and_the_wallet_stays_as_it_was() {
    let (world, agency, admin) = World::start().await.and_admin(MOST).await;
    for (more, all) in [(dec!(0.01), "100000000000000.00"), (dec!(99999999999999.99), "199999999999999.98")] {
        let refused = moves(&world, wallet(&agency.code, None), Transfer::TopUp, more).await;
        assert_eq!(refused.unwrap_err().to_string(), full(&more.to_string(), all));
    }
    assert_eq!(admin.balance().await.to_string(), MOST);
    assert_eq!(admin.get("/wallet/transactions").await.ok().as_array().unwrap().len(), 1);
    operators_lists_are_whole(&world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_allocation_that_would_not_fit_moves_nothing() {
    let (world, _, admin, agent) = World::start().await.and_people("1000", MOST).await;
    allocate(&admin, &agent, "0.01").await.is(400, &full("0.01", "100000000000000.00"));
    assert_eq!(admin.balance().await, dec!(1000));
    assert_eq!(agent.balance().await.to_string(), MOST);
    operators_lists_are_whole(&world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_whose_money_would_not_fit_is_not_deleted() {
    let (world, agency, admin, agent) = World::start().await.and_people(MOST, "2.50").await;
    admin.delete(&format!("/org/users/{}", agent.id)).await.is(400, &full("2.50", "100000000000002.49"));
    assert_eq!(agent.balance().await, dec!(2.50), "they are still here");
    let taken = moves(&world, wallet(&agency.code, Some("arjun")), Transfer::Deallocate, dec!(1)).await;
    assert_eq!(taken.unwrap_err().to_string(), full("1.00", "100000000000000.99"));
    operators_lists_are_whole(&world).await;
    // Room is made, and they go.
    moves(&world, wallet(&agency.code, None), Transfer::Deduct, dec!(2.50)).await.unwrap();
    admin.delete_user(&agent).await;
    assert_eq!(admin.balance().await.to_string(), MOST);
    operators_lists_are_whole(&world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_fits_into_a_full_wallet() {
    let (world, agency, admin, agent) = World::start().await.and_people("10", "10000000").await;
    let booked = agent.buy_dearest(&one_way("DEL", "BOM")).await;
    let room = MOST.parse::<Decimal>().unwrap() - agent.balance().await;
    let of = || wallet(&agency.code, Some("arjun"));
    moves(&world, of(), Transfer::TopUp, room).await.unwrap();
    agent.cancels(&booked.reference).await;

    let most: Decimal = MOST.parse().unwrap();
    let balance = agent.balance().await;
    assert!(balance > most, "{balance}");
    let rows = agent.get("/wallet/transactions").await.ok();
    assert_eq!(amount(&rows[0]["amount"]), balance - most, "above what a wallet takes otherwise");
    allocate(&admin, &agent, "1").await.is(400, &full("1.00", &(balance + dec!(1)).to_string()));
    // What is in it can be spent and taken out.
    assert_eq!(moves(&world, of(), Transfer::Deduct, dec!(1)).await.unwrap(), Some(balance - dec!(1)));
    world.is_settled().await;
    operators_lists_are_whole(&world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_full_wallets_add_up() {
    let (world, agency, admin) = World::start().await.and_admin(MOST).await;
    for number in 0..10 {
        agency.agent(&format!("agent{number}"), MOST).await;
    }
    world.agency().await.admin(MOST).await;
    let summary = admin.get("/org/wallet/summary").await.ok();
    assert_eq!(summary["current_balance"].to_string(), MOST);
    assert_eq!(summary["total_allocated_to_agents"].to_string(), "999999999999999.90");
    let agents = admin.get("/org/wallet/agents").await.ok();
    assert_eq!(sum(&agents, "allocated_balance"), dec!(999999999999999.90));
    let wallets = operator::trial_balance(&world.platform, None).await.unwrap();
    let wallets = wallets.accounts.iter().find(|sums| sums.account == "wallets").unwrap();
    assert_eq!(wallets.credits.to_string(), "1199999999999999.88");
    assert_eq!(wallets.balance.to_string(), "1199999999999999.88");
    operators_lists_are_whole(&world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn markups_of_more_than_an_amount_stay_where_they_are() {
    let (world, agency, admin) = World::start().await.and_admin("10").await;
    for _ in 0..10 {
        let earned = "with made as (
                insert into transfers (org_id, id, key, reason, description, currency, at)
                select id, gen_random_uuid(), gen_random_uuid()::text, 'booking', 'earned', currency, now()
                from organizations returning org_id, id)
            insert into entries (org_id, transfer_id, leg, account, side, amount)
            select org_id, id, 0, 'supplier:duffel', 'debit', 99999999999999.99 from made
            union all select org_id, id, 1, 'markup', 'credit', 99999999999999.99 from made";
        world.sql(earned).await;
    }
    let refused = operator::settle_markup(&world.platform, By::command_line(), &agency.code, None).await;
    assert_eq!(refused.unwrap_err().to_string(), full("999999999999999.90", "1000000000000009.90"));
    assert_eq!(admin.balance().await, dec!(10));
    operators_lists_are_whole(&world).await;
}

/// Every column with an amount of the tables that lists, sums and reports are made of. Sealed people open for their own
/// booking alone: those of the copies are erased.
const LARGEST: &str = "
    update bookings set base_fare = 99999999999999.99, public_fare = 99999999999999.99, amount = 99999999999999.99;
    update refunds set cancellation_charge = 99999999999999.99, provider_refund_amount = 99999999999999.99,
        platform_charges = 99999999999999.99, refund_to_wallet = 99999999999999.99;
    update fare_transactions set public_fare = 99999999999999.99, agent_fare = 99999999999999.99,
        agent_commission = 99999999999999.99, markup = 99999999999999.99;
    insert into bookings select (b).* from (select jsonb_populate_record(b, jsonb_build_object(
            'id', gen_random_uuid(), 'booking_ref', 'FA-0000000' || n, 'likeness', null)) as b
        from bookings b, generate_series(1, 9) as n) as copies;
    insert into booking_people select (p).* from (select jsonb_populate_record(p, jsonb_build_object(
            'booking_id', b.id, 'wrapped_key', null, 'sealed', null, 'erased_at', now())) as p
        from booking_people p, bookings b where b.id <> p.booking_id) as copies;
    insert into refunds select (r).* from (select jsonb_populate_record(r, jsonb_build_object(
            'id', gen_random_uuid(), 'booking_id', b.id)) as r
        from refunds r, bookings b where b.id <> r.booking_id) as copies;
    insert into fare_transactions select (f).* from (select jsonb_populate_record(f, jsonb_build_object(
            'id', gen_random_uuid(), 'transfer_id', null)) as f
        from fare_transactions f, generate_series(1, 9) as n where f.public_fare > 0) as copies;";

#[tokio::test(flavor = "multi_thread")]
async fn ten_of_the_largest_bookings_are_listed_and_added_up() {
    let (world, _, admin, agent) = World::frozen().await.and_people("10", "10000000").await;
    agent.cancels(&agent.buy_dearest(&one_way("DEL", "BOM")).await.reference).await;
    world.sql(&format!("set session_replication_role = replica; {LARGEST}")).await;

    let sums = admin.get("/org/fare-transactions").await.ok();
    let total = amount(&sums["summary"]["total_public_fare"]);
    assert!(total >= dec!(999999999999999.90), "{total}");
    assert_eq!(total, sum(&sums["transactions"], "public_fare"));
    agent.get("/me/fare-transactions").await.ok();
    let spent = admin.get("/org/finance-summary").await.ok();
    assert!(spent.to_string().contains("99999999999999"), "{spent}");
    agent.get("/me/stats").await.ok();
    for path in ["/flights/bookings", "/flights/refunds", "/wallet/transactions"] {
        agent.get(path).await.ok();
    }
    for kind in ReportKind::WORDS {
        let body = json!({ "type": kind, "period_start": "2027-01-01", "period_end": "2027-01-31" });
        let report = admin.post("/org/reports", &body).await.says(201, "report queued for generation");
        world.make_reports().await;
        let file = admin.get(&format!("/org/reports/{}/download", report["id"].as_str().unwrap())).await;
        assert_eq!(file.status, 200, "{kind}: {}", file.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn prices_by_the_largest_rules_drop_offers_and_break_nothing() {
    let (world, agency, admin, agent) = World::start().await.and_people("10", MOST).await;
    let most: Decimal = MOST.parse().unwrap();
    let (platform, code) = (&world.platform, &agency.code);
    let of = wallet(code, Some("arjun"));
    let limited = operator::set_credit_limit(platform, By::command_line(), &of, most).await.unwrap();
    assert_eq!(limited.spendable.to_string(), "199999999999999.98");
    agent.get("/wallet").await.ok();

    let terms = TermsChange {
        service_fee: Some((MarkupKind::Flat, most)),
        gst: Some(dec!(100)),
        platform_charge: Some(most),
        min_commission: Some(most),
        max_commission: Some(most),
    };
    operator::set_terms(platform, By::command_line(), code, terms).await.unwrap();
    assert_eq!(operator::terms(platform, code).await.unwrap().min_commission.0, most);
    let covered = Covered { supplier: "duffel".to_owned(), airline: None, cabin: None };
    let set = operator::set_contract(platform, By::command_line(), code, covered, MarkupKind::Flat, most);
    set.await.unwrap();
    assert_eq!(operator::contracts(platform, None).await.unwrap().len(), 1);
    let package = format!(r#"{{"name": "most", "markup_type": "flat", "markup_value": {MOST}}}"#);
    let made = admin.post_text("/org/packages", &package).await.succeeds(201);
    assert_eq!(made["markup_value"].to_string(), MOST);
    let rate = dec!(9999999999.9999);
    let (from, to) = (Currency::GBP, Currency::INR);
    operator::set_rate(platform, By::command_line(), from, to, rate).await.unwrap();
    assert_eq!(operator::rate(platform, from, to).await.unwrap().unwrap().rate.0, rate);

    let found = agent.search(&one_way("DEL", "BOM")).await;
    assert_eq!(found["offers"].as_array().unwrap().len(), 0, "{found}");
}
