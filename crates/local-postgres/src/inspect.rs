//! Finds out who has a data folder at the moment: a server, a server on its way out, or nobody.

use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::database::{Answer, probe};
use crate::error::Error;
use crate::layout::Layout;
use crate::pid_file;

/// How long a server may take to become ready or to go away. It is long because a server that replays
/// its log after a crash, or writes everything out at its end, is doing what it should.
const PATIENCE: Duration = Duration::from_secs(60);

/// The server to adopt, once it is ready; `None` when the folder is free. Only the holder of the
/// folder's lock may act on this.
pub(crate) async fn running_server(layout: &Layout) -> Result<Option<Pid>, Error> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let live = pid_file::live_server(layout);
        let detail = match (probe(&layout.socket()).await, live) {
            (Answer::Ready, Some(pid)) => return Ok(Some(pid)),
            (Answer::Nobody, None) => return Ok(None),
            // Before it listens, after it stopped listening, or it listens somewhere else.
            (Answer::Nobody, Some(pid)) => format!("process {} has no socket here", pid.as_raw_nonzero()),
            // On its way out: a server whose lock file is gone ends by itself.
            (Answer::Ready, None) => "it has lost its postmaster.pid".to_owned(),
            (Answer::NotReady(reason), _) => reason,
        };
        if Instant::now() > deadline {
            return Err(Error::Unresponsive {
                path: layout.dir.clone(),
                detail,
            });
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
