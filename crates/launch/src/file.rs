//! Reads the settings file: options by their names, and the tables that no flag could hold.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use clap::{Args, Command};
use rust_decimal::Decimal;
use toml::{Table, Value};
use wayfare_domain::{Currency, parse_currency};
use wayfare_pricing::RateTable;

use crate::renamed::key_of_today;
use crate::secret_file;
use crate::settings::{Common, ServerSettings};
use crate::suppliers;
use crate::tables::FileTables;

/// A file that was read.
#[derive(Debug, Default)]
pub(crate) struct SettingsFile {
    /// Option keys and their values as text, as a flag would have them.
    pub options: BTreeMap<String, String>,
    pub tables: FileTables,
}

impl SettingsFile {
    /// Reads it. The message of an error names the file, the key where it is one, and no value.
    pub fn read(path: &Path) -> Result<SettingsFile, String> {
        let text = fs::read_to_string(path).map_err(|error| {
            format!("cannot read the settings file {} (--config, WAYFARE_CONFIG): {error}", path.display())
        })?;
        SettingsFile::of(&text).map_err(|reason| format!("the settings file {}: {reason}", path.display()))
    }

    fn of(text: &str) -> Result<SettingsFile, String> {
        let known = option_keys();
        let mut file = SettingsFile::default();
        for (key, value) in text.parse::<Table>().map_err(|error| in_line(text, &error))? {
            match key.as_str() {
                "suppliers" => file.tables.suppliers = suppliers::of(value)?,
                "exchange_rates" => file.tables.exchange_rates = rates(value)?,
                _ => {
                    let today = key_of_today(&key).map_or_else(|| key.clone(), str::to_owned);
                    if !known.contains(&today) {
                        return Err(format!("unknown key `{key}`"));
                    }
                    let value = option_value(&key, value)?;
                    if file.options.insert(today.clone(), value).is_some() {
                        return Err(format!("key `{today}` is given under its old name as well"));
                    }
                }
            }
        }
        Ok(file)
    }
}

/// The keys of both programs: one file serves both.
fn option_keys() -> Vec<String> {
    let all = ServerSettings::augment_args(Common::augment_args(Command::new("wayfare")));
    let ids = all.get_arguments().map(|arg| arg.get_id().to_string());
    ids.filter(|id| id != "config").chain(secret_file::keys(&all)).collect()
}

/// The value as a flag would have it.
fn option_value(key: &str, value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Boolean(on) => Ok(if on { "on" } else { "off" }.to_owned()),
        other => Err(format!("key `{key}` must be text or a whole number, and is {}", kind(&other))),
    }
}

fn rates(value: Value) -> Result<RateTable, String> {
    let Value::Table(rates) = value else { return Err("key `exchange_rates` must be a table".to_owned()) };
    rates.into_iter().try_fold(RateTable::default(), |table, (pair, rate)| {
        let wrong = |reason: &str| format!("key `exchange_rates.\"{pair}\"`: {reason}");
        let (from, to) =
            currencies(&pair).ok_or_else(|| wrong("it must be two currencies, like \"GBP/INR\""))?;
        let rate = match rate {
            Value::String(text) => {
                Decimal::from_str_exact(&text).map_err(|error| wrong(&error.to_string()))?
            }
            Value::Integer(number) => Decimal::from(number),
            other => {
                return Err(wrong(&format!(
                    "write the rate in quotes, which keep it exact; it is {}",
                    kind(&other)
                )));
            }
        };
        table
            .with(from, to, rate)
            .map_err(|_| wrong("the rate must be above zero and of a size that money has"))
    })
}

fn currencies(pair: &str) -> Option<(Currency, Currency)> {
    let (from, to) = pair.split_once('/')?;
    let (from, to) = (parse_currency(from)?, parse_currency(to)?);
    (from != to).then_some((from, to))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "text",
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a fraction",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "a table",
    }
}

/// What is wrong and in which line; the line itself may hold a secret.
pub(crate) fn in_line(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.map_or(1, |before| before.matches('\n').count() + 1);
    format!("line {line}: {}", error.message())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_decimal::dec;
    use wayfare_pricing::RateSource;

    fn refusal(text: &str) -> String {
        SettingsFile::of(text).unwrap_err()
    }

    #[test]
    fn an_unknown_key_is_refused_by_name() {
        assert_eq!(refusal("data_dri = '/x'"), "unknown key `data_dri`");
        assert_eq!(refusal("config = '/x'"), "unknown key `config`");
    }

    #[test]
    fn every_option_of_both_programs_is_a_key() {
        let file =
            SettingsFile::of("data_dir = '/x'\nbind = '127.0.0.1:1'\npatience_s = 5\nrate_limits = true")
                .unwrap();
        let options: Vec<_> = file.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(options, ["bind=127.0.0.1:1", "data_dir=/x", "patience_s=5", "rate_limits=on"]);
    }

    #[test]
    fn a_key_that_was_renamed_is_read_under_its_old_name_too() {
        for key in ["answer_validity_s", "search_cache_ttl_s"] {
            let file = SettingsFile::of(&format!("{key} = 5")).unwrap();
            assert_eq!(file.options["search_cache_ttl_s"], "5", "{key}");
        }
        assert_eq!(
            refusal("answer_validity_s = 5\nsearch_cache_ttl_s = 6"),
            "key `search_cache_ttl_s` is given under its old name as well"
        );
    }

    #[test]
    fn a_value_of_the_wrong_kind_is_refused_with_its_key() {
        assert_eq!(refusal("bind = ['a']"), "key `bind` must be text or a whole number, and is a list");
    }

    #[test]
    fn a_syntax_error_names_the_line_and_does_not_show_it() {
        let message = refusal("bind = '127.0.0.1:1'\nsigning_key = 'very secret\n");
        assert!(message.starts_with("line 2: "), "{message}");
        assert!(!message.contains("very secret"), "{message}");
    }

    #[test]
    fn exchange_rates_are_exact() {
        let file = SettingsFile::of("[exchange_rates]\n\"GBP/INR\" = \"105.250000000001\"\n\"USD/INR\" = 84")
            .unwrap();
        let rates = file.tables.exchange_rates;
        assert_eq!(rates.quoted(Currency::GBP, Currency::INR), Some(dec!(105.250000000001)));
        assert_eq!(rates.quoted(Currency::USD, Currency::INR), Some(dec!(84)));
        assert_eq!(rates.quoted(Currency::INR, Currency::GBP), None);
    }

    #[test]
    fn a_rate_that_is_none_is_refused_with_its_pair() {
        for (line, why) in [
            ("\"GBP/INR\" = 105.25", "in quotes"),
            ("\"GBP/INR\" = \"0\"", "above zero"),
            ("\"GBP/INR\" = \"a lot\"", "nvalid"),
            ("\"GBPINR\" = \"1\"", "two currencies"),
            ("\"GBP/XAU\" = \"1\"", "two currencies"),
            ("\"GBP/GBP\" = \"1\"", "two currencies"),
        ] {
            let message = refusal(&format!("[exchange_rates]\n{line}"));
            assert!(message.contains("exchange_rates.\"GBP"), "{message}");
            assert!(message.contains(why), "{message}");
        }
    }
}
