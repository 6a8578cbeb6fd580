//! What systemd is told by a server that it has started.

use std::os::unix::net::UnixDatagram;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::place::Place;

/// The next thing that is told.
fn told(socket: &UnixDatagram) -> String {
    let mut told = [0; 256];
    let length = socket.recv(&mut told).expect("nothing is told");
    String::from_utf8(told[..length].to_vec()).unwrap()
}

/// Waits until this is told, whatever else is told before.
fn is_told(socket: &UnixDatagram, expected: &str) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut before = Vec::new();
    loop {
        let next = told(socket);
        if next.lines().any(|line| line == expected) {
            return;
        }
        before.push(next);
        assert!(Instant::now() < deadline, "{expected} is not told: {before:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn systemd_is_told_that_it_is_ready_alive_and_stopping() {
    let place = Place::new().await;
    let path = place.write("notify", "").with_file_name("notify.sock");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut server =
        place.start_with([("NOTIFY_SOCKET", path.to_str().unwrap()), ("WATCHDOG_USEC", "600000")]).await;
    assert_eq!(told(&socket).trim(), "READY=1");
    for _ in 0..2 {
        is_told(&socket, "WATCHDOG=1");
    }
    assert!(server.stop(Signal::TERM).await.success());
    is_told(&socket, "STOPPING=1");
}

#[tokio::test]
async fn a_server_that_fails_to_start_is_never_ready() {
    let place = Place::new().await;
    let path = place.write("notify", "").with_file_name("notify.sock");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_nonblocking(true).unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let variables = [("NOTIFY_SOCKET", path.to_str().unwrap()), ("WAYFARE_METRICS_BIND", address.as_str())];
    let (code, said) = place.refused(variables).await;
    assert_eq!(code, Some(1), "{said}");
    let reason = format!("wayfare: --metrics-bind {address}: Address already in use");
    assert!(said.contains(&reason), "{said}");
    assert!(socket.recv(&mut [0; 256]).is_err(), "something was told");
}
