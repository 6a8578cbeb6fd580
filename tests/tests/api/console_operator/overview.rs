//! The operator's first page: suppliers of which something is wrong, and how old rates are.

use rust_decimal::dec;
use wayfare_domain::{Currency, OperatorRole};
use wayfare_operations::{access::operators::By, operator};
use wayfare_tests::World;

use super::desk::Desk;

#[tokio::test(flavor = "multi_thread")]
async fn suppliers_that_are_closed_or_low_and_the_age_of_rates_are_seen() {
    let (world, _, _) = World::start().await.and_admin("5000").await;
    let desk = Desk::of(&world);
    let viewer = desk.signed("vera", OperatorRole::Viewer).await;
    let shown = viewer.get("/operator").await;
    shown.shows(200, &["Nothing waits for a person.", "All of them sell", "None are stored"]);
    let platform = &world.platform;
    operator::close_supplier(platform, By::command_line(), "duffel", "strike <at> their desk").await.unwrap();
    operator::set_supplier_limits(platform, By::command_line(), "tripjack", Some(dec!(5000)), None)
        .await
        .unwrap();
    operator::state_balance(platform, By::command_line(), "tripjack", dec!(1200), Currency::INR)
        .await
        .unwrap();
    operator::set_rate(platform, By::command_line(), Currency::GBP, Currency::INR, dec!(105)).await.unwrap();
    let statement = "insert into exchange_rates (from_currency, to_currency, rate, source, day, updated_at)
         values ('EUR', 'INR', 90, 'ecb', (now() at time zone 'UTC')::date - 9, now())";
    world.sql(statement).await;
    viewer
        .get("/operator")
        .await
        .has(200, "Strike &#60;at&#62; their desk")
        .has(200, "Account is low")
        .has(200, "href=\"/operator/suppliers/tripjack\"")
        .has(200, "₹1,200.00 of at least ₹5,000.00")
        .has(200, "1 of the European Central Bank")
        .has(200, "1 set by hand")
        .has(200, "9 days old");
    operator::open_supplier(platform, By::command_line(), "duffel", None).await.unwrap();
    let page = viewer.get("/operator").await;
    assert!(!page.text.contains("Strike"), "{}", page.text);
}
