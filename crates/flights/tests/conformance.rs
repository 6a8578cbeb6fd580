//! Each adapter and the example's supplier run the port's conformance tests.

use crate::duffel_bodies::query;
use crate::own_supplier;
use crate::sandbox_world::{Adapter, SandboxWorld, holds};
use wayfare_flights::{FlightSupplier, conformance, duffel::Duffel, tripjack::TripJack};

#[tokio::test]
async fn each_adapter_does_what_the_port_promises() {
    let duffel: Adapter<dyn FlightSupplier> = |http| Box::new(Duffel::new(http));
    let tripjack: Adapter<dyn FlightSupplier> = |http| Box::new(TripJack::new(http));
    for (code, token, adapter) in
        [("duffel", "duffel_test_key", duffel), ("tripjack", "tripjack_test_key", tripjack)]
    {
        let mut query = query(&[("DEL", "BOM")]);
        query.cabin = wayfare_flights::Cabin::Economy;
        let world = SandboxWorld::open(code, code, token, adapter, query).await;
        holds(code, &conformance::run(&world).await);
    }
}

#[test]
fn a_supplier_that_does_no_more_than_it_must_conforms() {
    own_supplier::main().unwrap();
}
