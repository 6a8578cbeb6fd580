//! What suppliers list of their own beside what we have, at each supplier.

use wayfare_launch::{SupplierSettings, Suppliers};
use wayfare_operations::operator::{Disagreement, Reconciled, reconcile};
use wayfare_supply::AfterSales;
use wayfare_tests::{Pick, Seller, World, WorldOptions, one_way, stay_at};

/// What differs at each supplier, by its code: the disagreement and the supplier's id; none where there is no list.
type Found = Vec<(String, Option<Vec<(Disagreement, String)>>)>;

async fn compared(world: &World, since: chrono::DateTime<chrono::Utc>) -> Found {
    let settings = SupplierSettings::of_sandbox(world.sandbox_url()).collect();
    let suppliers = Suppliers::of(settings, &world.clock).unwrap();
    let mut found = Vec::new();
    for supplier in &suppliers.flights {
        found.push(at(world, &**supplier, since).await);
    }
    for supplier in &suppliers.hotels {
        found.push(at(world, &**supplier, since).await);
    }
    found
}

async fn at(
    world: &World,
    supplier: &(impl AfterSales + ?Sized),
    since: chrono::DateTime<chrono::Utc>,
) -> (String, Option<Vec<(Disagreement, String)>>) {
    let different = match reconcile(&world.platform, supplier, since).await.unwrap() {
        Reconciled::NoList => None,
        Reconciled::Read { listed, different } => {
            assert!(listed > 0, "{}", supplier.config().code);
            Some(different.into_iter().map(|order| (order.how, order.order_id.unwrap_or_default())).collect())
        }
        Reconciled::Unread(problem) => panic!("{problem}"),
    };
    (supplier.config().code.clone(), different)
}

fn of(
    code: &str,
    different: Option<&[(Disagreement, &str)]>,
) -> (String, Option<Vec<(Disagreement, String)>>) {
    let own = |different: &[(Disagreement, &str)]| {
        different.iter().map(|(how, id)| (*how, (*id).to_owned())).collect()
    };
    (code.to_owned(), different.map(own))
}

/// What differs at Duffel, LiteAPI and Hotelbeds; TripJack has no list.
fn expected(different: [&[(Disagreement, &str)]; 3]) -> Found {
    let [duffel, liteapi, hotelbeds] = different.map(Some);
    vec![of("duffel", duffel), of("tripjack", None), of("liteapi", liteapi), of("hotelbeds", hotelbeds)]
}

#[tokio::test]
async fn only_what_stands_otherwise_at_a_supplier_is_named() {
    let (world, _, admin) = World::with(WorldOptions::of(Seller::all())).await.and_admin("9000000").await;
    let since = world.now();
    let trip = one_way("DEL", "BOM");
    let priced = admin.price(&admin.dearest_of("duffel", &trip).await.unwrap()).await.ok();
    assert_eq!(admin.book(&admin.order(&priced, &trip)).await.ok()["status"], "CONFIRMED");
    for supplier in ["liteapi", "hotelbeds"] {
        admin.buy_stay(&stay_at(supplier), Pick::Free).await;
    }
    assert_eq!(compared(&world, since).await, expected([[].as_slice(); 3]));

    let orders = world.supplier_orders().await;
    let id = |supplier: &str| {
        let mut orders = orders.iter().filter(|order| order["supplier"] == supplier);
        orders.next().unwrap()["id"].as_str().unwrap()
    };
    let all = ["duffel", "liteapi", "hotelbeds"].map(id);
    for order in all {
        world.supplier_ends(order, None, true).await;
    }
    let cancelled = all.map(|id| [(Disagreement::CancelledThere, id)]);
    assert_eq!(compared(&world, since).await, expected(cancelled.each_ref().map(|one| one.as_slice())));

    // As if the database had been restored to before they were made.
    world
        .sql("update supplier_orders set supplier_order_id = null, reference = 'other-' || reference, status = 'failed'")
        .await;
    let unknown = all.map(|id| [(Disagreement::OnlyAtSupplier, id)]);
    assert_eq!(compared(&world, since).await, expected(unknown.each_ref().map(|one| one.as_slice())));
}
