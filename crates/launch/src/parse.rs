//! From arguments, environment and file to settings.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgMatches, Command, FromArgMatches, Parser};

use crate::file::SettingsFile;
use crate::renamed;
use crate::secret_file;
use crate::settings::{Common, ServerSettings};
use crate::tables::FileTables;
use crate::zone_folder;

/// The settings of this process: a program `P` that flattens [`Common`](crate::Common), and what only the settings
/// file can say. Ends the process with exit code 2 and a message when something is wrong, with 0 after `--help`.
pub fn parse<P: Parser>() -> (P, FileTables) {
    parse_from(env::args_os()).unwrap_or_else(|error| error.exit())
}

/// As [`parse`], with these arguments, of which the first is the program's name.
///
/// # Errors
/// What clap would print: wrong settings, but also `--help`.
pub fn parse_from<P: Parser>(
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
) -> Result<(P, FileTables), clap::Error> {
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let path = early_path(&arguments, "--config", "WAYFARE_CONFIG");
    let file = path.as_deref().map_or(Ok(SettingsFile::default()), SettingsFile::read);
    // Options name time zones, and so does `--version`.
    let file = file.and_then(|file| {
        let zones = early_path(&arguments, "--zoneinfo", "WAYFARE_ZONEINFO");
        let zones = zones.or_else(|| file.options.get("zoneinfo").map(PathBuf::from));
        zones.as_deref().map_or(Ok(()), zone_folder::hold).map(|()| file)
    });
    let command = renamed::with_old_variables(P::command());
    let mut command = secret_file::with_options(command);
    let file = file.map_err(|message| command.error(ErrorKind::ValueValidation, message))?;
    let asked = with_defaults(command, &file);
    let mut command = asked.clone();
    let parsed = command.try_get_matches_from_mut(&arguments);
    let matches = parsed.map_err(|error| explained(error, &mut command, &arguments, &file, path))?;
    let matches = with_secrets(&mut command, asked, matches, &arguments)?;
    check(&command, &matches).map_err(|message| command.error(ErrorKind::ArgumentConflict, message))?;
    let program = P::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    Ok((program, file.tables))
}

/// What has to be known before clap can read the rest, such as the settings file: a flag, else its variable.
fn early_path(arguments: &[OsString], flag: &str, variable: &str) -> Option<PathBuf> {
    let options = || arguments.iter().skip(1).take_while(|argument| *argument != "--");
    let joined = options().find_map(|argument| {
        let value = argument.to_str()?.strip_prefix(flag)?.strip_prefix('=')?;
        Some(OsString::from(value))
    });
    let next = || options().skip_while(|argument| *argument != flag).nth(1).cloned();
    joined.or_else(next).or_else(|| env::var_os(variable)).map(PathBuf::from)
}

/// The command with the file's values as defaults, so that clap checks them as it checks the rest. Values for the
/// other program are not looked at.
fn with_defaults(mut command: Command, file: &SettingsFile) -> Command {
    for (key, value) in &file.options {
        if command.get_arguments().any(|arg| arg.get_id() == key) {
            command = command.mut_arg(key, |arg| {
                // What is secret in the environment is secret in the file.
                let secret = arg.is_hide_env_values_set();
                arg.default_value(value.clone()).hide_default_value(secret)
            });
        }
    }
    command
}

/// What is given once the secrets that files hold are, too. `asked` is the command as it was before it read anything.
fn with_secrets(
    command: &mut Command,
    mut asked: Command,
    mut matches: ArgMatches,
    arguments: &[OsString],
) -> Result<ArgMatches, clap::Error> {
    let given = secret_file::given(command, &matches);
    for secret_file::Given { option, path, secret } in
        given.map_err(|message| command.error(ErrorKind::ValueValidation, message))?
    {
        asked = asked.mut_arg(option, |arg| {
            let is_beaten = arg.get_env().is_some_and(|name| env::var_os(name).is_some());
            let arg = arg.default_value(secret).hide_default_value(true);
            // A variable that the file's flag beats.
            if is_beaten { arg.env(Resettable::Reset) } else { arg }
        });
        *command = asked.clone();
        let parsed = command.try_get_matches_from_mut(arguments);
        // It names the option, and shows nothing of the value.
        matches = parsed.map_err(|error| {
            let reason = error.to_string();
            let reason = reason.lines().next().unwrap_or_default().trim_start_matches("error: ");
            let message = format!("the file {}: {reason}", path.display());
            command.error(ErrorKind::ValueValidation, message)
        })?;
    }
    Ok(matches)
}

/// What no value alone can show: of both programs, and where this is the server's command of the server.
fn check(command: &Command, matches: &ArgMatches) -> Result<(), String> {
    Common::from_arg_matches(matches).map_err(|error| error.to_string())?.check()?;
    if command.get_arguments().all(|arg| arg.get_id() != "rate_limits") {
        return Ok(());
    }
    ServerSettings::from_arg_matches(matches).map_err(|error| error.to_string())?.check()
}

/// The error with the place where the wrong value was set; clap names the flag, whatever it was.
fn explained(
    error: clap::Error,
    command: &mut Command,
    arguments: &[OsString],
    file: &SettingsFile,
    path: Option<PathBuf>,
) -> clap::Error {
    let Some(arg) = culprit(&error, command) else { return error };
    let flag = format!("--{}", arg.get_long().unwrap_or_default());
    let given = |argument: &OsString| {
        argument.to_str().is_some_and(|argument| {
            argument.strip_prefix(&flag).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        })
    };
    let variable = arg.get_env().filter(|name| env::var_os(name).is_some()).map(OsStr::to_string_lossy);
    let place = match (variable, path) {
        _ if arguments.iter().any(given) => return error,
        (Some(variable), _) => format!("the variable {variable}"),
        (None, Some(path)) if file.options.contains_key(arg.get_id().as_str()) => {
            format!("key `{}` of {}", arg.get_id(), path.display())
        }
        _ => return error,
    };
    let mut message = match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(value)) => format!("invalid value '{value}' for {place}"),
        _ => format!("invalid value for {place}"),
    };
    if let Some(ContextValue::Strings(possible)) = error.get(ContextKind::ValidValue) {
        message += &format!(" [possible values: {}]", possible.join(", "));
    }
    if let Some(reason) = std::error::Error::source(&error) {
        message += &format!(": {reason}");
    }
    command.error(error.kind(), message)
}

/// The option whose value was refused.
fn culprit(error: &clap::Error, command: &Command) -> Option<Arg> {
    if !matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue) {
        return None;
    }
    let Some(ContextValue::String(usage)) = error.get(ContextKind::InvalidArg) else { return None };
    // `--bind <ADDRESS:PORT>`
    let long = usage.strip_prefix("--")?.split([' ', '=']).next()?;
    command.get_arguments().find(|arg| arg.get_long() == Some(long)).cloned()
}
