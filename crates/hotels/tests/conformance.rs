//! Each adapter and the example's supplier run the port's conformance tests.

use crate::own_supplier;
use crate::sandbox_world::{Adapter, SandboxWorld, holds};
use wayfare_hotels::hotelbeds::Hotelbeds;
use wayfare_hotels::liteapi::{LiteApi, Payment};
use wayfare_hotels::{HotelSupplier, Query, RoomGuests, SearchArea, conformance};

#[tokio::test]
async fn each_adapter_does_what_the_port_promises() {
    let liteapi: Adapter<dyn HotelSupplier> = |http| Box::new(LiteApi::new(http, Payment::Wallet));
    let hotelbeds: Adapter<dyn HotelSupplier> = |http| Box::new(Hotelbeds::new(http).unwrap());
    for (code, path, token, adapter) in [
        ("liteapi", "liteapi/v3.0", "liteapi_test_key", liteapi),
        ("hotelbeds", "hotelbeds", "hotelbeds_test_key:sandbox", hotelbeds),
    ] {
        let query = Query {
            check_in: "2026-05-01".parse().unwrap(),
            check_out: "2026-05-04".parse().unwrap(),
            rooms: vec![RoomGuests { adults: 2, children_ages: vec![7] }; 2],
            // A part of Paris: every row searches, and the whole of it has some 300 hotels.
            area: SearchArea::Around {
                latitude: "48.85341".parse().unwrap(),
                longitude: "2.3488".parse().unwrap(),
                radius_m: 1_000,
            },
            nationality: "IN".to_owned(),
            language: "en".to_owned(),
        };
        let world = SandboxWorld::open(code, path, token, adapter, query).await;
        holds(code, &conformance::run(&world).await);
    }
}

#[test]
fn a_supplier_that_does_no_more_than_it_must_conforms() {
    own_supplier::main().unwrap();
}
