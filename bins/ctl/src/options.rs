//! Faults of arguments as whoever typed them knows them: by the options of the command, not by the fields behind them.

use std::env;

use clap::{Arg, Command, CommandFactory};
use wayfare_domain::{Fault, Faults};

use crate::Program;

/// Fields that are called otherwise at the command line, with the arguments that may stand for them.
const RENAMED: [(&str, &str); 3] =
    [("credit_limit", "limit"), ("file", "place"), ("whitelist", "whitelist_remove")];

/// All of them, for one line.
pub fn named(faults: &Faults) -> String {
    let command = called(env::args().skip(1));
    let told: Vec<String> = faults.iter().map(|fault| told(&command, fault)).collect();
    told.join("; ")
}

/// The command of these arguments, the innermost one.
fn called(arguments: impl Iterator<Item = String>) -> Command {
    arguments.fold(Program::command(), |command, argument| {
        let inner = command.find_subcommand(&argument).cloned();
        inner.unwrap_or(command)
    })
}

fn told(command: &Command, fault: &Fault) -> String {
    let id = fault.field.replace('.', "_");
    let renamed = RENAMED.iter().find(|(field, _)| *field == id);
    let argument = argument(command, &id).or_else(|| renamed.and_then(|(_, id)| argument(command, id)));
    let name = argument.map_or_else(|| fault.field.clone(), shown);
    match fault.reason.as_str() {
        "this field is required" => format!("{name} is required"),
        reason => format!("{name} {}", with_options(command, reason)),
    }
}

fn argument<'a>(command: &'a Command, id: &str) -> Option<&'a Arg> {
    command.get_arguments().find(|argument| argument.get_id() == id)
}

/// `--key`, or `<AMOUNT>` where it is known by its place.
fn shown(argument: &Arg) -> String {
    match argument.get_long() {
        Some(long) => format!("--{long}"),
        None => argument.to_string(),
    }
}

/// The reason with the options that it names: words with an underscore, and the last word.
fn with_options(command: &Command, reason: &str) -> String {
    let words: Vec<&str> = reason.split(' ').collect();
    let last = words.len().saturating_sub(1);
    let word = |(index, word): (usize, &&str)| {
        let may_be_option = index == last || word.contains('_');
        let argument = argument(command, word).filter(|_| may_be_option);
        argument.map_or_else(|| (*word).to_owned(), shown)
    };
    words.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(arguments: &str, field: &str, reason: &str) -> String {
        let command = called(arguments.split(' ').map(str::to_owned));
        let faults = Faults::of(field, reason);
        faults.iter().map(|fault| told(&command, fault)).collect()
    }

    #[test]
    fn fields_are_told_as_options_of_the_command_that_was_called() {
        for (arguments, field, reason, told) in [
            ("wallet topup WF1 0", "amount", "must be greater than 0", "<AMOUNT> must be greater than 0"),
            ("wallet credit-limit WF1 0", "credit_limit", "must be at least 1", "<LIMIT> must be at least 1"),
            (
                "--json agency set WF1",
                "credit_limit",
                "must be at least 1",
                "--credit-limit must be at least 1",
            ),
            ("agency set", "whitelist", "does not have ::1", "--whitelist-remove does not have ::1"),
            ("agency create", "admin.password", "is bad", "--admin-password is bad"),
            ("wallet deallocate", "user", "this field is required", "--user is required"),
            ("wallet statement", "from", "must not be after to", "--from must not be after --to"),
            (
                "terms set",
                "max_commission",
                "at least the min_commission of 5",
                "--max-commission at least the --min-commission of 5",
            ),
            ("fx set", "to", "must be another currency", "<TO> must be another currency"),
            ("agency set", "unheard_of", "is bad", "unheard_of is bad"),
        ] {
            assert_eq!(line(arguments, field, reason), told);
        }
    }
}
