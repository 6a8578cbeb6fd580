//! What systemd is told where it started the program as `Type=notify`: that it is ready, that it stops, and that it is alive.
//! Elsewhere nothing is told, and nothing fails.

use std::time::Duration;

use sd_notify::NotifyState;

/// Tells that the start has ended.
pub fn ready() {
    tell(&[NotifyState::Ready]);
}

/// Tells that the stop has begun.
pub fn stopping() {
    tell(&[NotifyState::Stopping]);
}

/// Tells that the program is alive, thrice in the time after which systemd would start it anew, for as long as this runs. A
/// program whose tasks don't get on any more tells nothing.
pub async fn alive() {
    let Some(longest) = sd_notify::watchdog_enabled() else { return };
    let pause = (longest / 3).max(Duration::from_millis(100));
    loop {
        tell(&[NotifyState::Watchdog]);
        tokio::time::sleep(pause).await;
    }
}

fn tell(state: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(state) {
        tracing::warn!(%error, "systemd could not be told");
    }
}
