//! Keeps one server process: starts it from a thread that lives as long as it does, and reaps it.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::thread;

use rustix::process::{Pid, Signal};
use tokio::sync::{oneshot, watch};

use crate::command::end_with_thread;

/// A server process we started.
#[derive(Debug, Clone)]
pub(crate) struct Keeper {
    pub pid: Pid,
    /// How it ended, once it has.
    ended: watch::Receiver<Option<String>>,
}

impl Keeper {
    /// Starts the program so that it gets the signal for a fast shutdown when this process ends.
    ///
    /// The signal is tied to the thread that starts the program. A thread of an async runtime or of a
    /// test would end too early; this one waits for the program, which also means that no zombie stays.
    pub async fn start(mut command: Command) -> io::Result<Keeper> {
        // An interrupt from the keyboard goes to us, who then stop the server in order.
        command.process_group(0);
        end_with_thread(&mut command, Signal::INT);
        let (tell_started, started) = oneshot::channel();
        let (tell_ended, ended) = watch::channel(None);
        let keep = move || match command.spawn() {
            Ok(mut child) => {
                let _ = tell_started.send(Ok(Pid::from_child(&child)));
                let how = child
                    .wait()
                    .map_or_else(|error| error.to_string(), |status| status.to_string());
                tell_ended.send_replace(Some(how));
            }
            Err(error) => {
                let _ = tell_started.send(Err(error));
            }
        };
        thread::Builder::new()
            .name("postgres-keeper".to_owned())
            .spawn(keep)?;
        let pid = started.await.map_err(io::Error::other)??;
        Ok(Keeper { pid, ended })
    }

    /// How the program ended, if it has.
    pub fn ended(&self) -> Option<String> {
        self.ended.borrow().clone()
    }

    /// Waits for the program's end and says how it ended.
    pub async fn wait(&self) -> String {
        let mut ended = self.ended.clone();
        let how = ended.wait_for(Option::is_some).await.map(|how| how.clone());
        how.ok().flatten().unwrap_or_default()
    }
}
