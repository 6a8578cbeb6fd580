//! Markups that the operator settles: paid once however many settle at once, beside everything else that moves, and a
//! top-up in the organization's list.

use diesel_async::SimpleAsyncConnection;
use futures_util::future::join_all;
use rust_decimal::dec;
use wayfare_operations::{
    access::operators::By,
    operator::{self, WalletOf},
};
use wayfare_tests::World;

/// What a booking leaves on the markup account, for each agency that there is.
const EARNED: &str = "
    with made as (
        insert into transfers (org_id, id, key, reason, description, currency, at)
        select id, gen_random_uuid(), gen_random_uuid()::text, 'booking', 'earned', currency, now()
        from organizations returning org_id, id)
    insert into entries (org_id, transfer_id, leg, account, side, amount)
    select org_id, id, 0, 'supplier:duffel', 'debit', 120.50 from made
    union all select org_id, id, 1, 'markup', 'credit', 120.50 from made";

#[tokio::test(flavor = "multi_thread")]
async fn markups_are_settled_once_and_shown_as_a_top_up() {
    let world = World::start().await;
    let (agency, other) = (world.agency().await, world.agency().await);
    let admin = agency.admin("1000").await;
    let bystander = other.admin("1000").await;
    let mut owner = world.database.owner().await;
    owner.batch_execute(EARNED).await.unwrap();

    // In one process they share batches, with top-ups in between.
    let settlements = join_all((0..16).map(|number| {
        let (platform, agency) = (&world.platform, &agency);
        async move {
            if number % 4 == 0 {
                agency.top_up(None, "1").await;
            }
            operator::settle_markup(platform, By::command_line(), &agency.code, None).await.unwrap()
        }
    }))
    .await;
    let paid: Vec<_> = settlements.into_iter().flatten().collect();
    assert_eq!(paid.len(), 1, "{paid:?}");
    assert_eq!(paid[0].amount.to_string(), "120.50");
    assert_eq!(admin.balance().await, dec!(1124.50));
    assert_eq!(bystander.balance().await, dec!(1000));

    let rows = admin.get("/org/wallet/transactions?ref_type=topup").await.json();
    let rows = rows["data"].as_array().unwrap().iter();
    let settled: Vec<_> = rows.clone().filter(|row| row["description"] == "markup settled").collect();
    assert_eq!(settled.len(), 1, "{rows:?}");
    assert_eq!(
        (settled[0]["ref_type"].as_str(), settled[0]["type"].as_str(), settled[0]["amount"].to_string()),
        (Some("topup"), Some("credit"), "120.50".to_owned())
    );
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_agency_and_a_frozen_wallet_get_what_is_theirs() {
    let (world, agency, admin) = World::start().await.and_admin("10").await;
    world.database.owner().await.batch_execute(EARNED).await.unwrap();
    let wallet = WalletOf { agency: agency.code.clone(), username: None };
    let stand =
        |status| operator::set_agency_status(&world.platform, By::command_line(), &agency.code, status);
    operator::set_active(&world.platform, By::command_line(), &wallet, false).await.unwrap();
    stand(wayfare_domain::AccountStatus::Suspended).await.unwrap();
    let settled =
        operator::settle_markup(&world.platform, By::command_line(), &agency.code, Some("k")).await.unwrap();
    assert_eq!(settled.unwrap().moved.to.unwrap().to_string(), "130.50");
    stand(wayfare_domain::AccountStatus::Active).await.unwrap();
    assert_eq!(admin.balance().await, dec!(130.50));
}
