//! What people see while a command waits: drawn on standard error, and only where that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use wayfare_operations::AuditProgress;

use crate::output::Output;

const REDRAWN_EVERY: Duration = Duration::from_millis(100);
const BAR: &str = "{msg} [{bar:30}] {percent:>3}%  {human_pos}/{human_len} entries";

/// Where waiting is shown.
#[derive(Clone, Copy)]
pub struct Progress {
    json: bool,
}

impl Progress {
    /// For people; programs are not kept company.
    pub fn of(output: Output) -> Self {
        Self { json: output.json }
    }

    fn draw(self, bar: ProgressBar, message: &'static str) -> Drawn {
        // This one draws nothing by itself when standard error is no terminal.
        let target = match self.json {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr(),
        };
        bar.set_draw_target(target);
        Drawn(bar.with_message(message))
    }

    /// Shows that this is waited for, nobody knows how long; gone with the future.
    pub async fn waiting<T>(self, message: &'static str, work: impl Future<Output = T>) -> T {
        let spinner = self.draw(ProgressBar::new_spinner(), message);
        spinner.0.enable_steady_tick(REDRAWN_EVERY);
        work.await
    }

    /// Shows how far the proof of the books is; gone with the closure.
    pub fn of_audit(self) -> impl FnMut(AuditProgress) + Send {
        let bar = self.draw(ProgressBar::new(0), "proving the books");
        if let Ok(style) = ProgressStyle::with_template(BAR) {
            bar.0.set_style(style);
        }
        move |AuditProgress { done, total }| {
            bar.0.set_length(total.unsigned_abs());
            bar.0.set_position(done.unsigned_abs());
            // Most steps are too quick to be seen, but the last one always is.
            if done == total {
                bar.0.force_draw();
            }
        }
    }
}

/// What is drawn, until it is dropped.
struct Drawn(ProgressBar);

impl Drop for Drawn {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
