//! Packages of both products as the pages show them: read from the API, and written as they were typed.

use uuid::Uuid;
use wayfare_client::{
    Amount, Error, FlightPackageDraft, FlightPackageRow, HotelPackageDraft, HotelPackageRow, PackageHead,
    PriceExample, PricePreview, PriceRange, PriceRangeDraft, Session,
    enums::{ApplyOn, MarkupType},
};

use crate::prelude::*;

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
}

pub struct Package {
    pub id: Uuid,
    /// Whether the agency has it.
    pub is_applied: bool,
    /// As it would be written again.
    pub draft: FlightPackageDraft,
    pub bands: Vec<PriceRangeDraft>,
}

impl Package {
    fn of(head: PackageHead, is_applied: bool, bands: Vec<PriceRange>) -> Self {
        let bands = bands.into_iter().map(|range| PriceRangeDraft {
            min_amount: range.min_amount,
            max_amount: range.max_amount,
            markup_type: range.markup_type,
            markup_value: range.markup_value,
        });
        Self {
            id: head.id,
            is_applied,
            draft: FlightPackageDraft {
                name: head.name,
                description: head.description,
                markup_type: head.markup_type,
                markup_value: head.markup_value,
                markup_apply_on: head.markup_apply_on,
                priority: head.priority,
                is_active: Some(head.is_active),
            },
            bands: bands.collect(),
        }
    }
}

impl From<FlightPackageRow> for Package {
    fn from(row: FlightPackageRow) -> Self {
        Self::of(row.package.head, row.is_applied, Vec::new())
    }
}

impl From<HotelPackageRow> for Package {
    fn from(row: HotelPackageRow) -> Self {
        Self::of(row.package.head, row.is_applied, row.package.price_ranges)
    }
}

impl Package {
    /// Whether it counts where it is given.
    pub fn is_active(&self) -> bool {
        self.draft.is_active == Some(true)
    }

    /// Its markup in words: `₹150.00`, `2.5 % of the fare`.
    pub fn markup(&self, currency: &str) -> String {
        let value = self.draft.markup_value;
        match self.draft.markup_type {
            MarkupType::Percent => {
                format!("{} % of the {}", value.0.normalize(), self.draft.markup_apply_on.as_str())
            }
            _ => money(value, currency),
        }
    }

    /// What stands in its form.
    pub fn typed(&self) -> Fields {
        let draft = &self.draft;
        let mut fields = Fields::of([
            ("name", draft.name.clone()),
            ("description", draft.description.clone()),
            ("markup_type", draft.markup_type.to_string()),
            ("markup_value", plain(draft.markup_value)),
            ("markup_apply_on", draft.markup_apply_on.to_string()),
            ("priority", draft.priority.to_string()),
        ]);
        if self.is_active() {
            fields.0.push(("is_active".to_owned(), "yes".to_owned()));
        }
        for (number, band) in self.bands.iter().enumerate() {
            let pairs = [
                ("min_amount", plain(band.min_amount)),
                ("max_amount", band.max_amount.map(plain).unwrap_or_default()),
                ("markup_type", band.markup_type.to_string()),
                ("markup_value", plain(band.markup_value)),
            ];
            fields.0.extend(pairs.map(|(name, value)| (band_field(number, name), value)));
        }
        fields
    }
}

fn plain(amount: Amount) -> String {
    amount.0.normalize().to_string()
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
                all.iter().map(|one| (one.head.agent_id, one.head.package_id)).collect()
            }
            Self::Hotels => {
                let all = session.hotel_packages().agent_assignments().await?;
                all.iter().map(|one| (one.head.agent_id, one.head.package_id)).collect()
            }
        };
        Ok(pairs.into_iter().filter_map(|(agent, package)| Some((agent?, package))).collect())
    }

    pub async fn create(self, session: &Session, draft: &Draft) -> Result<Uuid, Error> {
        Ok(match self {
            Self::Flights => session.flight_packages().create(&draft.body.package).await?.answer.head.id,
            Self::Hotels => session.hotel_packages().create(&draft.body).await?.answer.head.id,
        })
    }

    pub async fn replace(self, session: &Session, id: Uuid, draft: &Draft) -> Result<(), Error> {
        match self {
            Self::Flights => session.flight_packages().replace(id, &draft.body.package).await.map(drop),
            Self::Hotels => session.hotel_packages().replace(id, &draft.body).await.map(drop),
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

    /// What it would make of a price.
    pub async fn preview(
        self,
        session: &Session,
        draft: &Draft,
        example: &PriceExample,
    ) -> Result<PricePreview, Error> {
        match self {
            Self::Flights => session.flight_packages().preview(&draft.body.package, example).await,
            Self::Hotels => session.hotel_packages().preview(&draft.body, example).await,
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

/// A package as it was typed.
pub struct Draft {
    pub body: HotelPackageDraft,
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
        let markup_value = fields.needed_amount("markup_value", wrongs);
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
                min_amount: fields.needed_amount(&min, wrongs).unwrap_or_default(),
                max_amount: fields.amount(&max, wrongs),
                markup_type: MarkupType::from(fields.get(&at("markup_type"))),
                markup_value: fields.needed_amount(&value, wrongs).unwrap_or_default(),
            };
            ranges.push(range);
            numbers.push(number);
        }
        if !wrongs.is_empty() {
            return None;
        }
        let package = FlightPackageDraft {
            name: fields.get("name").to_owned(),
            description: fields.get("description").to_owned(),
            markup_type: MarkupType::from(fields.get("markup_type")),
            markup_value: markup_value?,
            markup_apply_on: ApplyOn::from(fields.get("markup_apply_on")),
            priority: priority?,
            is_active: Some(fields.is_ticked("is_active")),
        };
        Some(Self { body: HotelPackageDraft { package, price_ranges: ranges }, numbers })
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_bands_are_none_and_what_is_wrong_stands_at_its_own() {
        let typed = Fields::of([
            ("markup_value", "2"),
            ("price_ranges[2].min_amount", "10"),
            ("price_ranges[2].markup_value", "1"),
        ]);
        let mut wrongs = Wrongs::default();
        let draft = Draft::typed(&typed, 4, &mut wrongs).unwrap();
        assert_eq!(draft.body.price_ranges.len(), 1);
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
        let typed = Fields::of([("price_ranges[0].max_amount", "10"), ("priority", "high")]);
        let mut wrongs = Wrongs::default();
        assert!(Draft::typed(&typed, 1, &mut wrongs).is_none());
        let at: Vec<&str> = wrongs.iter().map(|wrong| wrong.field.as_str()).collect();
        assert_eq!(
            at,
            ["markup_value", "priority", "price_ranges[0].min_amount", "price_ranges[0].markup_value"]
        );
    }
}
