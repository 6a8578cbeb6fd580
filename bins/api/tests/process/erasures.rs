//! A server that owns its database notes beside it what was erased.

use std::{fs, os::unix::fs::PermissionsExt};

use rustix::process::Signal;
use tokio_postgres::NoTls;

use crate::{
    api::Api,
    place::{Place, until},
};

#[tokio::test]
async fn what_a_server_erases_in_its_own_database_is_noted_in_the_data_folder() {
    let (place, mut server) = Place::started().await;
    Api::agent(&place).await.book().await;
    let log = place.data().join("erasures.log");
    assert!(!log.exists());
    let (client, connection) = tokio_postgres::Config::new()
        .host_path(place.data().join("postgres/run"))
        .user("wayfare")
        .dbname("wayfare")
        .connect(NoTls)
        .await
        .unwrap();
    let connection = tokio::spawn(connection);
    let over = "update booking_people set erase_after = current_date - 1";
    let rows = client.execute(over, &[]).await.unwrap();
    assert_eq!(rows, 2);
    drop(client);
    connection.await.unwrap().unwrap();
    server.stop(Signal::TERM).await;

    let _server = place.start().await;
    let noted = until("what was erased is noted", async || {
        let text = fs::read_to_string(&log).ok()?;
        (text.lines().count() == 2).then_some(text)
    })
    .await;
    for kind in [" people ", " answers "] {
        assert!(noted.contains(kind), "{noted}");
    }
    let mode = fs::metadata(&log).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
