//! Packages of both products as the pages show them: read from the API, and written as they were typed.

use rust_decimal::Decimal;
use uuid::Uuid;
use wayfare_client::{
    Amount, Error, FlightPackage, FlightPackageDraft, HotelPackage, HotelPackageDraft, PriceRangeDraft,
    Session,
    enums::{ApplyOn, MarkupType},
};

use super::amount;
use crate::{
    form::{Fields, Wrongs},
    money::money,
    side::Area,
};

/// So many bands a form can have.
pub const MOST_BANDS: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    Flights,
    Hotels,
}

impl Product {
    pub fn area(self) -> Area {
        match self {
            Self::Flights => Area::FlightPackages,
            Self::Hotels => Area::HotelPackages,
        }
    }

    /// Its place within the agency's pages.
    pub fn place(self) -> &'static str {
        match self {
            Self::Flights => "packages",
            Self::Hotels => "hotel-packages",
        }
    }

    /// What kind of thing the audit log says it is.
    pub fn entity(self) -> &'static str {
        match self {
            Self::Flights => "package",
            Self::Hotels => "hotel_package",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::Flights => "Flight packages",
            Self::Hotels => "Hotel packages",
        }
    }

    /// Whether a markup depends on what a booking comes to.
    pub fn has_bands(self) -> bool {
        self == Self::Hotels
    }
}

pub struct Package {
    pub id: Uuid,
    pub name: String,
    pub description: String,
    pub markup: (MarkupType, Amount),
    /// What a percentage is taken of.
    pub apply_on: ApplyOn,
    pub priority: i32,
    pub is_active: bool,
    pub is_applied: bool,
    pub bands: Vec<PriceRangeDraft>,
}

impl From<FlightPackage> for Package {
    fn from(package: FlightPackage) -> Self {
        Self {
            id: package.id,
            name: package.name,
            description: package.description,
            markup: (package.markup_type, package.markup_value),
            apply_on: package.markup_apply_on,
            priority: package.priority,
            is_active: package.is_active,
            is_applied: package.is_applied == Some(true),
            bands: Vec::new(),
        }
    }
}

impl From<HotelPackage> for Package {
    fn from(package: HotelPackage) -> Self {
        let bands = package.price_ranges.into_iter().map(|range| PriceRangeDraft {
            min_amount: range.min_amount,
            max_amount: range.max_amount,
            markup_type: range.markup_type,
            markup_value: range.markup_value,
        });
        Self {
            id: package.id,
            name: package.name,
            description: package.description,
            markup: (package.markup_type, package.markup_value),
            apply_on: package.markup_apply_on,
            priority: package.priority,
            is_active: package.is_active,
            is_applied: package.is_applied == Some(true),
            bands: bands.collect(),
        }
    }
}

/// A markup in words: `₹150.00`, `2.5 % of the fare`.
pub fn words(markup: &(MarkupType, Amount), apply_on: &ApplyOn, currency: &str) -> String {
    match markup {
        (MarkupType::Percent, value) => {
            format!("{} % of the {}", value.0.normalize(), apply_on.as_str())
        }
        (_, value) => money(*value, currency),
    }
}

impl Product {
    /// All packages of it, newest first.
    pub async fn list(self, session: &Session) -> Result<Vec<Package>, Error> {
        Ok(match self {
            Self::Flights => session.flight_packages().list().await?.into_iter().map(Package::from).collect(),
            Self::Hotels => session.hotel_packages().list().await?.into_iter().map(Package::from).collect(),
        })
    }

    pub async fn assignments(self, session: &Session) -> Result<Vec<(Uuid, Uuid)>, Error> {
        let pairs: Vec<(Option<Uuid>, Uuid)> = match self {
            Self::Flights => {
                let all = session.flight_packages().agent_assignments().await?;
                all.iter().map(|one| (one.agent_id, one.package_id)).collect()
            }
            Self::Hotels => {
                let all = session.hotel_packages().agent_assignments().await?;
                all.iter().map(|one| (one.agent_id, one.package_id)).collect()
            }
        };
        Ok(pairs.into_iter().filter_map(|(agent, package)| Some((agent?, package))).collect())
    }

    pub async fn create(self, session: &Session, draft: &Draft) -> Result<Uuid, Error> {
        Ok(match self {
            Self::Flights => session.flight_packages().create(&draft.flights()).await?.answer.id,
            Self::Hotels => session.hotel_packages().create(&draft.hotels()).await?.answer.id,
        })
    }

    pub async fn replace(self, session: &Session, id: Uuid, draft: &Draft) -> Result<(), Error> {
        match self {
            Self::Flights => session.flight_packages().replace(id, &draft.flights()).await.map(drop),
            Self::Hotels => session.hotel_packages().replace(id, &draft.hotels()).await.map(drop),
        }
    }

    pub async fn delete(self, session: &Session, id: Uuid) -> Result<(), Error> {
        match self {
            Self::Flights => session.flight_packages().delete(id).await,
            Self::Hotels => session.hotel_packages().delete(id).await,
        }
    }

    /// Gives it to an agent, or to the agency where none is named.
    pub async fn assign(self, session: &Session, id: Uuid, agent: Option<Uuid>) -> Result<(), Error> {
        match (self, agent) {
            (Self::Flights, None) => session.flight_packages().assign(id).await.map(drop),
            (Self::Hotels, None) => session.hotel_packages().assign(id).await.map(drop),
            (Self::Flights, Some(agent)) => session.flight_packages().assign_agent(agent, id).await.map(drop),
            (Self::Hotels, Some(agent)) => session.hotel_packages().assign_agent(agent, id).await.map(drop),
        }
    }

    /// Takes what an agent has away, or what the agency has.
    pub async fn unassign(self, session: &Session, agent: Option<Uuid>) -> Result<(), Error> {
        match (self, agent) {
            (Self::Flights, None) => session.flight_packages().unassign().await,
            (Self::Hotels, None) => session.hotel_packages().unassign().await,
            (Self::Flights, Some(agent)) => session.flight_packages().unassign_agent(agent).await,
            (Self::Hotels, Some(agent)) => session.hotel_packages().unassign_agent(agent).await,
        }
    }
}

pub struct Draft {
    name: String,
    description: String,
    markup: (MarkupType, Amount),
    apply_on: ApplyOn,
    priority: i32,
    is_active: bool,
    bands: Vec<PriceRangeDraft>,
    /// Under which number each band stands on the page.
    numbers: Vec<usize>,
}

/// The name of a band's field on the page.
pub fn band_field(number: usize, name: &str) -> String {
    format!("price_ranges[{number}].{name}")
}

impl Draft {
    /// As it was typed: bands in which nothing stands are none.
    pub fn typed(fields: &Fields, bands: usize, wrongs: &mut Wrongs) -> Option<Self> {
        let markup_value = required(fields, "markup_value", wrongs);
        let priority = match fields.given("priority") {
            None => Some(0),
            Some(typed) => typed.parse().ok(),
        };
        if priority.is_none() {
            wrongs.add("priority", "Is not a whole number");
        }
        let (mut ranges, mut numbers) = (Vec::new(), Vec::new());
        for number in 0..bands {
            let at = |name: &str| band_field(number, name);
            let (min, max, value) = (at("min_amount"), at("max_amount"), at("markup_value"));
            if [&min, &max, &value].into_iter().all(|name| fields.given(name).is_none()) {
                continue;
            }
            let range = PriceRangeDraft {
                min_amount: required(fields, &min, wrongs).unwrap_or_default(),
                max_amount: amount(fields, &max, wrongs),
                markup_type: MarkupType::from(fields.get(&at("markup_type"))),
                markup_value: required(fields, &value, wrongs).unwrap_or_default(),
            };
            ranges.push(range);
            numbers.push(number);
        }
        if !wrongs.is_empty() {
            return None;
        }
        Some(Self {
            name: fields.get("name").to_owned(),
            description: fields.get("description").to_owned(),
            markup: (MarkupType::from(fields.get("markup_type")), markup_value?),
            apply_on: ApplyOn::from(fields.get("markup_apply_on")),
            priority: priority?,
            is_active: fields.is_ticked("is_active"),
            bands: ranges,
            numbers,
        })
    }

    /// Where what the API says of a field stands on the page: it counts only the bands that it was sent.
    pub fn at(&self, field: &str) -> String {
        let numbered = field.strip_prefix("price_ranges[").and_then(|rest| rest.split_once(']'));
        let found = numbered.and_then(|(number, rest)| {
            let number = self.numbers.get(number.parse::<usize>().ok()?)?;
            let name = rest.strip_prefix('.').unwrap_or("min_amount");
            Some(band_field(*number, name))
        });
        found.unwrap_or_else(|| field.to_owned())
    }

    pub fn flights(&self) -> FlightPackageDraft {
        FlightPackageDraft {
            name: self.name.clone(),
            description: self.description.clone(),
            markup_type: self.markup.0.clone(),
            markup_value: self.markup.1,
            markup_apply_on: self.apply_on.clone(),
            priority: self.priority,
            is_active: Some(self.is_active),
        }
    }

    pub fn hotels(&self) -> HotelPackageDraft {
        HotelPackageDraft {
            name: self.name.clone(),
            description: self.description.clone(),
            markup_type: self.markup.0.clone(),
            markup_value: self.markup.1,
            markup_apply_on: self.apply_on.clone(),
            priority: self.priority,
            is_active: Some(self.is_active),
            price_ranges: self.bands.clone(),
        }
    }
}

fn required(fields: &Fields, name: &str, wrongs: &mut Wrongs) -> Option<Amount> {
    if fields.given(name).is_none() {
        wrongs.add(name, "How much?");
        return None;
    }
    amount(fields, name, wrongs)
}

/// What stands in the form of a package that there is.
pub fn typed(package: &Package) -> Fields {
    let plain = |amount: Amount| plain(amount.0);
    let mut fields = vec![
        ("name".to_owned(), package.name.clone()),
        ("description".to_owned(), package.description.clone()),
        ("markup_type".to_owned(), package.markup.0.to_string()),
        ("markup_value".to_owned(), plain(package.markup.1)),
        ("markup_apply_on".to_owned(), package.apply_on.to_string()),
        ("priority".to_owned(), package.priority.to_string()),
    ];
    if package.is_active {
        fields.push(("is_active".to_owned(), "yes".to_owned()));
    }
    for (number, band) in package.bands.iter().enumerate() {
        let mut add = |name: &str, value: String| fields.push((band_field(number, name), value));
        add("min_amount", plain(band.min_amount));
        add("max_amount", band.max_amount.map(plain).unwrap_or_default());
        add("markup_type", band.markup_type.to_string());
        add("markup_value", plain(band.markup_value));
    }
    Fields(fields)
}

fn plain(number: Decimal) -> String {
    number.normalize().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Fields {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Fields(pairs.collect())
    }

    #[test]
    fn empty_bands_are_none_and_what_is_wrong_stands_at_its_own() {
        let typed = fields(&[
            ("markup_value", "2"),
            ("price_ranges[2].min_amount", "10"),
            ("price_ranges[2].markup_value", "1"),
        ]);
        let mut wrongs = Wrongs::default();
        let draft = Draft::typed(&typed, 4, &mut wrongs).unwrap();
        assert_eq!(draft.bands.len(), 1);
        for (field, expected) in [
            ("price_ranges[0].max_amount", "price_ranges[2].max_amount"),
            ("price_ranges[0]", "price_ranges[2].min_amount"),
            ("price_ranges[7].x", "price_ranges[7].x"),
            ("name", "name"),
        ] {
            assert_eq!(draft.at(field), expected);
        }
    }

    #[test]
    fn what_is_missing_is_told() {
        let typed = fields(&[("price_ranges[0].max_amount", "10"), ("priority", "high")]);
        let mut wrongs = Wrongs::default();
        assert!(Draft::typed(&typed, 1, &mut wrongs).is_none());
        let at: Vec<&str> = wrongs.iter().map(|wrong| wrong.field.as_str()).collect();
        assert_eq!(
            at,
            ["markup_value", "priority", "price_ranges[0].min_amount", "price_ranges[0].markup_value"]
        );
    }
}
