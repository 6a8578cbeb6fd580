//! The people who travel, and how to reach them.

use std::fmt;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use strum::{AsRefStr, EnumString, VariantNames};

use crate::Loyalty;

crate::word_enum! { closed
    /// The age group that a fare is sold for; the age at the last flight decides (P-57).
    #[derive(PartialOrd, Ord, Hash)]
    pub enum PassengerType in "UPPERCASE" {
        /// 12 years or older.
        #[serde(rename = "ADT")]
        #[strum(serialize = "ADT")]
        Adult,
        /// 2 to 11 years.
        #[serde(rename = "CHD")]
        #[strum(serialize = "CHD")]
        Child,
        /// Under 2, on an adult's lap.
        #[serde(rename = "INF")]
        #[strum(serialize = "INF")]
        Infant,
    }
}

impl PassengerType {
    /// The type of a person of this age on that day.
    pub fn on(born: NaiveDate, day: NaiveDate) -> Option<Self> {
        Some(match day.years_since(born)? {
            0..=1 => Self::Infant,
            2..=11 => Self::Child,
            _ => Self::Adult,
        })
    }
}

/// How a person is addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, EnumString, VariantNames, Serialize, Deserialize)]
#[strum(ascii_case_insensitive)]
pub enum Title {
    /// Mister.
    Mr,
    /// Married woman.
    Mrs,
    /// Woman.
    Ms,
    /// Unmarried woman or girl.
    Miss,
    /// Boy.
    #[strum(to_string = "Mstr", serialize = "Master")]
    Mstr,
    /// Doctor.
    Dr,
}

impl Title {
    /// What it is read from, small or capital.
    pub const SPELLINGS: [&str; 7] = ["Mr", "Mrs", "Ms", "Miss", "Mstr", "Master", "Dr"];

    /// The gender of whom this title is, where it tells.
    pub fn gender(self) -> Option<Gender> {
        match self {
            Self::Mr | Self::Mstr => Some(Gender::Male),
            Self::Mrs | Self::Ms | Self::Miss => Some(Gender::Female),
            Self::Dr => None,
        }
    }
}

/// As in a passport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, EnumString, VariantNames, Serialize, Deserialize)]
#[strum(ascii_case_insensitive)]
pub enum Gender {
    /// Male.
    #[strum(to_string = "M", serialize = "male")]
    #[serde(rename = "M")]
    Male,
    /// Female.
    #[strum(to_string = "F", serialize = "female")]
    #[serde(rename = "F")]
    Female,
}

impl Gender {
    /// What it is read from, small or capital.
    pub const SPELLINGS: [&str; 4] = ["M", "F", "male", "female"];
}

/// How many of each travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Party {
    /// 1 to 9.
    pub adults: u8,
    /// 0 to 9.
    pub children: u8,
    /// 0 to 9, at most one for each adult.
    pub infants: u8,
}

impl Party {
    /// The type of each traveller: adults first, then children, then infants.
    pub fn types(self) -> impl Iterator<Item = PassengerType> {
        let of = |kind, count: u8| std::iter::repeat_n(kind, count.into());
        of(PassengerType::Adult, self.adults)
            .chain(of(PassengerType::Child, self.children))
            .chain(of(PassengerType::Infant, self.infants))
    }

    /// Everybody, infants included.
    pub fn size(self) -> usize {
        usize::from(self.adults) + usize::from(self.children) + usize::from(self.infants)
    }
}

/// What everybody may know of a traveller: not who it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartyMember {
    /// Counted from 1 in the booking.
    pub index: u32,
    /// The age group.
    pub kind: PassengerType,
    /// For an infant: the index of the adult who holds it.
    pub held_by: Option<u32>,
}

/// One person on a booking. Its `Debug` tells the index and nothing else.
///
/// Stored as it is, sealed: a new field may be missing, and is left out while it is empty.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traveller {
    /// Counted from 1 in the booking.
    pub index: u32,
    /// The age group.
    pub kind: PassengerType,
    /// How they are addressed.
    pub title: Title,
    /// Given names as in the passport.
    pub first_name: String,
    /// Family name as in the passport; empty of who has one name only.
    pub last_name: String,
    /// As in the passport.
    pub gender: Gender,
    /// Date of birth; none of an adult of whom nobody wants it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub born_on: Option<NaiveDate>,
    /// For an infant: the index of the adult who holds it.
    pub held_by: Option<u32>,
    /// The airlines' programmes that they are members of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loyalty: Vec<Loyalty>,
}

impl Traveller {
    /// What everybody may know of them.
    pub fn member(&self) -> PartyMember {
        PartyMember { index: self.index, kind: self.kind, held_by: self.held_by }
    }

    /// The name where a family name is wanted: who has one name only has it as both.
    pub fn family_name(&self) -> &str {
        match self.last_name.as_str() {
            "" => &self.first_name,
            name => name,
        }
    }
}

impl fmt::Debug for Traveller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Traveller({})", self.index)
    }
}

/// How the travellers are reached. Its `Debug` tells nothing of it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// E-mail address.
    pub email: String,
    /// The country's telephone code, digits only, as the client gave it; empty when the number was E.164.
    pub country_code: String,
    /// The number as the client gave it.
    pub phone: String,
}

impl fmt::Debug for Contact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Contact")
    }
}

impl Contact {
    /// The telephone number as E.164: `+919812345678`.
    pub fn e164(&self) -> String {
        if self.phone.starts_with('+') {
            return self.phone.clone();
        }
        format!("+{}{}", self.country_code, self.phone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_age_on_the_day_decides_the_type() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        for (born, on, kind) in [
            ("2024-03-02", "2026-03-01", Some(PassengerType::Infant)),
            ("2024-03-01", "2026-03-01", Some(PassengerType::Child)),
            ("2014-03-02", "2026-03-01", Some(PassengerType::Child)),
            ("2014-03-01", "2026-03-01", Some(PassengerType::Adult)),
            ("2026-03-02", "2026-03-01", None),
        ] {
            assert_eq!(PassengerType::on(day(born), day(on)), kind, "{born}");
        }
    }

    #[test]
    fn words_are_read_as_clients_write_them() {
        assert_eq!("male".parse(), Ok(Gender::Male));
        assert_eq!("f".parse(), Ok(Gender::Female));
        for spelling in Gender::SPELLINGS {
            assert!(spelling.parse::<Gender>().is_ok(), "{spelling}");
        }
        assert_eq!(Gender::Female.as_ref(), "F");
        assert_eq!("MR".parse(), Ok(Title::Mr));
        assert_eq!("master".parse(), Ok(Title::Mstr));
        assert_eq!(Title::Mstr.as_ref(), "Mstr");
        for spelling in Title::SPELLINGS {
            assert!(spelling.parse::<Title>().is_ok(), "{spelling}");
        }
        assert_eq!("ADT".parse(), Ok(PassengerType::Adult));
        assert_eq!(PassengerType::Infant.as_ref(), "INF");
    }
}
