//! Settings under names that they had before: still accepted, with a hint in the log.

use std::env;
use std::sync::OnceLock;

use clap::Command;

/// One setting that has got another name. The old flag is an alias at the option itself.
struct Renamed {
    old_variable: &'static str,
    old_key: &'static str,
    /// The option's name, which is the file's key.
    key: &'static str,
    variable: &'static str,
}

const RENAMED: [Renamed; 1] = [Renamed {
    old_variable: "WAYFARE_ANSWER_VALIDITY_S",
    old_key: "answer_validity_s",
    key: "search_cache_ttl_s",
    variable: "WAYFARE_SEARCH_CACHE_TTL_S",
}];

/// What is to be logged once there is a log.
static HINTS: OnceLock<Vec<String>> = OnceLock::new();

/// The option that this key of the settings file names today, where it is an old name.
pub(crate) fn key_of_today(key: &str) -> Option<&'static str> {
    let renamed = RENAMED.iter().find(|renamed| renamed.old_key == key)?;
    Some(renamed.key)
}

/// The command, which reads a variable under its old name where it is not set under its new one.
pub(crate) fn with_old_variables(mut command: Command) -> Command {
    let mut hints = Vec::new();
    for renamed in &RENAMED {
        let is_here = command.get_arguments().any(|arg| arg.get_id() == renamed.key);
        let is_old = env::var_os(renamed.variable).is_none() && env::var_os(renamed.old_variable).is_some();
        if is_here && is_old {
            hints.push(format!("{} is called {} now", renamed.old_variable, renamed.variable));
            command = command.mut_arg(renamed.key, |arg| arg.env(renamed.old_variable));
        }
    }
    // Only the first command of a process is its program.
    let _ = HINTS.set(hints);
    command
}

/// Logs which settings were given under an old name.
pub(crate) fn log_hints() {
    for hint in HINTS.get().into_iter().flatten() {
        tracing::warn!("{hint}");
    }
}
