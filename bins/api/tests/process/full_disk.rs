//! A disk that is full under PostgreSQL: who books is told to come again, and nothing is lost.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::api::{Api, order};
use crate::place::{Place, operators_program, until};

/// As much as a new cluster needs, and some bookings.
const SIZE: &str = "size=192m";

/// A disk of its own; gone with the test.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// None where this user may not mount one.
    fn mount(folder: &Path) -> Option<Self> {
        fs::create_dir_all(folder).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", SIZE, "tmpfs"]).arg(folder);
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        mounted.then(|| Self(folder.to_owned()))
    }

    fn filler(&self) -> PathBuf {
        self.0.join("filler")
    }

    /// Leaves no room.
    fn fill(&self) {
        let mut filler = File::create(self.filler()).unwrap();
        let block = vec![0; 4096];
        while filler.write_all(&block).is_ok() {}
    }

    fn make_room(&self) {
        fs::remove_file(self.filler()).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_refuses_bookings_and_loses_none() {
    let place = Place::new().await;
    let Some(disk) = SmallDisk::mount(&place.data().join("postgres")) else {
        eprintln!("a_full_disk_refuses_bookings_and_loses_none does not run: this user may mount no disk");
        return;
    };
    let mut server = place.start_with([("WAYFARE_RATE_LIMITS", "off")]).await;
    let api = Api::agent(&place).await;
    let mut orders = Vec::new();
    for _ in 0..60 {
        orders.push(order(&api.price("duffel").await.0));
    }

    disk.fill();
    let mut booked = 0;
    let mut refused = None;
    for (number, order) in orders.iter().enumerate() {
        let key = format!("full disk {number}");
        let (status, told) = api.once(&key, "/flights/book", order.clone()).await;
        if status == 200 {
            booked += 1;
            continue;
        }
        refused = Some((key, order, status, told));
        break;
    }
    let (key, order, status, told) = refused.expect("the disk is full");
    assert_eq!(status, 503, "{told}");
    let text = "temporarily unavailable, please try again with the same Idempotency-Key";
    assert_eq!(told["error"], text);
    let said = server.said();
    assert!(said.contains("No space left on device"), "{said}");

    disk.make_room();
    let booking = until("the booking that was refused", async || {
        let (status, booking) = api.once(&key, "/flights/book", order.clone()).await;
        assert!([200, 503].contains(&status), "{status} {booking}");
        (status == 200).then_some(booking)
    });
    assert_eq!(booking.await["data"]["status"], "CONFIRMED");
    let made = api.sandbox("/orders").await.as_array().unwrap().len();
    assert_eq!(made, booked + 1, "each was bought once");

    let mut verify = Command::new(operators_program());
    verify.args(["ledger", "verify"]).env("WAYFARE_DATA_DIR", place.data());
    let verified = verify.output().unwrap();
    assert!(verified.status.success(), "{verified:?}");
    server.stop(rustix::process::Signal::TERM).await;
}
