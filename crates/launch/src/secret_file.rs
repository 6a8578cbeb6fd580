//! Secrets in files of their own, as systemd's credentials and Kubernetes' secrets are: each option that is a secret can
//! be given by the name of a file instead. The flag, the variable and the key end with `file` then.

use std::cmp::Ordering;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::builder::PathBufValueParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

/// No secret is longer.
const LONGEST: u64 = 64 * 1024;

/// The secret in this file: its only line. What is wrong is said without showing any of it.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes));
    let of = path.display();
    match read {
        Err(error) => return Err(format!("the file {of} can't be read: {error}")),
        Ok(length) if u64::try_from(length).is_ok_and(|length| length > LONGEST) => {
            return Err(format!("the file {of} has more than {LONGEST} bytes"));
        }
        Ok(_) => {}
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("the file {of} is not UTF-8"))?;
    match text.trim() {
        "" => Err(format!("the file {of} is empty")),
        secret if secret.contains(['\n', '\r']) => Err(format!("the file {of} has more than one line")),
        secret => Ok(secret.to_owned()),
    }
}

/// The names of the option that names the file: its flag, variable and key.
struct Names {
    flag: String,
    variable: String,
    key: String,
}

/// Those of an option that is a secret; none of others.
fn names(arg: &Arg) -> Option<Names> {
    let (flag, variable) = (arg.get_long()?, arg.get_env()?.to_str()?);
    arg.is_hide_env_values_set().then(|| Names {
        flag: format!("{flag}-file"),
        variable: format!("{variable}_FILE"),
        key: format!("{}_file", arg.get_id()),
    })
}

/// The keys of the settings file that name files with secrets.
pub(crate) fn keys(command: &Command) -> Vec<String> {
    let names = command.get_arguments().filter_map(names);
    names.map(|names| names.key).collect()
}

/// The command with an option that names a file beside each that is a secret.
pub(crate) fn with_options(command: Command) -> Command {
    let secrets: Vec<Arg> = command.get_arguments().cloned().collect();
    let files = secrets.iter().filter_map(|secret| {
        let Names { flag, variable, key } = names(secret)?;
        let instead = secret.get_long()?;
        let file = Arg::new(key)
            .long(flag)
            .env(variable)
            .value_name("FILE")
            .value_parser(PathBufValueParser::new())
            .global(secret.is_global_set())
            .help(format!("The file with the value of --{instead}"));
        Some(match secret.get_help_heading() {
            Some(heading) => file.help_heading(heading.to_owned()),
            None => file,
        })
    });
    command.args(files.collect::<Vec<_>>())
}

/// A secret that a file holds: of which option, and where.
pub(crate) struct Given {
    pub option: String,
    pub path: PathBuf,
    pub secret: String,
}

/// The secrets that files hold, as far as the options name such files.
///
/// # Errors
/// When a file can't be used, or its secret is given beside it; nothing of either is shown.
pub(crate) fn given(command: &Command, matches: &ArgMatches) -> Result<Vec<Given>, String> {
    let secrets = command.get_arguments().filter_map(|arg| Some((arg, names(arg)?)));
    let mut all = Vec::new();
    for (arg, file) in secrets {
        let option = arg.get_id().as_str();
        let Some(path) = matches.get_one::<PathBuf>(&file.key) else { continue };
        let Names { flag, variable, key } = &file;
        let named = format!("--{flag} ({variable}, key `{key}` of the settings file)");
        // As elsewhere a flag beats a variable, and a variable the settings file.
        let (beside, place) = (matches.value_source(option), matches.value_source(key));
        match beside.map(|beside| rank(Some(beside)).cmp(&rank(place))) {
            Some(Ordering::Greater) => continue,
            Some(Ordering::Equal) => {
                let secret = arg.get_long().unwrap_or_default();
                return Err(format!("{named} and --{secret} are both given: which one counts?"));
            }
            Some(Ordering::Less) | None => {}
        }
        let secret = read(path).map_err(|reason| format!("{named}: {reason}"))?;
        all.push(Given { option: option.to_owned(), path: path.clone(), secret });
    }
    Ok(all)
}

fn rank(source: Option<ValueSource>) -> u8 {
    match source {
        Some(ValueSource::CommandLine) => 2,
        Some(ValueSource::EnvVariable) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_secret_is_the_only_line_of_its_file() {
        let folder = std::env::temp_dir().join(format!("wayfare-secret-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("secret");
        for (text, expected) in [
            (&b"hush"[..], Ok("hush")),
            (b"hush\n", Ok("hush")),
            (b"hush\r\n", Ok("hush")),
            (b"  hush hush \n\n", Ok("hush hush")),
            (b"", Err("is empty")),
            (b" \n", Err("is empty")),
            (b"hush\nhush\n", Err("has more than one line")),
            (b"\xff\xfe", Err("is not UTF-8")),
            (&[b'x'; 70_000], Err("has more than 65536 bytes")),
        ] {
            fs::write(&path, text).unwrap();
            let expected =
                expected.map(str::to_owned).map_err(|end| format!("the file {} {end}", path.display()));
            assert_eq!(read(&path), expected);
        }
        let refused = read(&folder).unwrap_err();
        assert!(refused.contains("can't be read: "), "{refused}");
        fs::remove_dir_all(&folder).unwrap();
        let refused = read(&path).unwrap_err();
        assert!(refused.contains("No such file"), "{refused}");
    }
}
