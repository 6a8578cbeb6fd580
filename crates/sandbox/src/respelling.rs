//! Names of people as airlines and hotels write them back.

use deunicode::deunicode;
use serde_json::{Map, Value};
use strum::{Display, EnumString, VariantNames};

#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, Display, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Respelling {
    /// In capitals without accents, apostrophes and hyphens, with a title behind: `ONEIL SMITH MR` for `O'Neil-Smith`.
    Airline,
    /// The same, without blanks and titles.
    Joined,
    /// In capitals, with at most eight characters.
    Cut,
    /// Given and family name in each other's place.
    Exchanged,
    /// With `FNU` as the given name.
    Fnu,
    /// With the first letter of the given name alone.
    Initials,
}

/// Members that are the given and the family name of one person, at any of the suppliers.
const NAMES: [(&str, &str); 4] =
    [("fN", "lN"), ("given_name", "family_name"), ("firstName", "lastName"), ("name", "surname")];

impl Respelling {
    pub(crate) fn respell(self, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.respell(item)),
            Value::Object(members) => {
                members.values_mut().for_each(|member| self.respell(member));
                for (first, last) in NAMES {
                    self.respell_person(members, first, last);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn respell_person(self, members: &mut Map<String, Value>, first: &str, last: &str) {
        let text = |member: &str| members.get(member).and_then(Value::as_str).map(str::to_owned);
        let (Some(given), Some(family)) = (text(first), text(last)) else { return };
        let (given, family) = self.names(&given, &family);
        members.insert(first.to_owned(), given.into());
        members.insert(last.to_owned(), family.into());
    }

    fn names(self, given: &str, family: &str) -> (String, String) {
        let (first, last) = (plain(given), plain(family));
        let cut = |name: String| name.chars().take(8).collect();
        match self {
            Self::Airline => (first, format!("{last} MR")),
            Self::Joined => (first.replace(' ', ""), last.replace(' ', "")),
            Self::Cut => (cut(first), cut(last)),
            Self::Exchanged => (last, first),
            Self::Fnu => ("FNU".to_owned(), last),
            Self::Initials => (first.chars().take(1).collect(), last),
        }
    }
}

fn plain(name: &str) -> String {
    let ascii = deunicode(name).to_uppercase().replace(['\'', '.'], "");
    ascii.replace('-', " ")
}
