//! What servers say of themselves.

use std::collections::BTreeMap;

use wayfare_store::service::servers::{self, Announcement};
use wayfare_tests::TestDatabase;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_listens_everywhere_is_named_by_where_it_comes_from() {
    let test = TestDatabase::fresh().await;
    let mut connection = test.connection().await;
    for (address, named) in [
        ("127.0.0.1:8080", "127.0.0.1:8080"),
        ("0.0.0.0:8081", "localhost:8081"),
        ("[::]:8082", "localhost:8082"),
        ("[2001:db8::1]:8083", "[2001:db8::1]:8083"),
    ] {
        let own = Announcement {
            name: address.to_owned(),
            address: address.to_owned(),
            version: "1".to_owned(),
            settings: BTreeMap::new(),
            clock_ahead_ms: 0,
        };
        servers::announce(&mut connection, &own).await.unwrap();
        let known = servers::known(&mut connection).await.unwrap();
        let known = known.into_iter().find(|known| known.announced.name == address);
        // Tests reach PostgreSQL by a socket.
        assert_eq!(known.unwrap().announced.address, named);
        servers::leave(&mut connection, address).await.unwrap();
    }
}
