//! What is wanted of travellers beside their names, and what of it was not given.

use std::sync::Arc;

use chrono::NaiveDate;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use wayfare_domain::{BookingPapers, Faults, Papers, PassengerType, Traveller};
use wayfare_supply::HeldBytes;

const REQUIRED: &str = "this field is required";

wayfare_domain::word_enum! {
    /// What a supplier wants to know.
    #[derive(PartialOrd, Ord)]
    pub enum RequirementKind {
        /// `passengers[].document`.
        Passport,
        /// `passengers[].dob`.
        DateOfBirth,
        /// `gst`.
        Gst,
        /// `passengers[].tax_id`.
        TaxId,
        /// `passengers[].pan`.
        Pan,
        /// `passengers[].fare_document`.
        FareDocument,
        /// The booking's own contact, which it always has.
        EmergencyContact,
        /// `passengers[].loyalty`.
        Loyalty,
    }

    /// Of whom it is wanted.
    #[derive(PartialOrd, Ord)]
    pub enum RequiredOf {
        /// Everybody.
        EachTraveller,
        /// Each ADT.
        EachAdult,
        /// Each CHD.
        EachChild,
        /// Each INF.
        EachInfant,
        /// Once, whoever travels.
        Booking,
    }
}

impl RequiredOf {
    fn includes(self, kind: PassengerType) -> bool {
        match self {
            Self::EachTraveller => true,
            Self::EachAdult => kind == PassengerType::Adult,
            Self::EachChild => kind == PassengerType::Child,
            Self::EachInfant => kind == PassengerType::Infant,
            Self::Booking => false,
        }
    }
}

/// One thing that a supplier wants or takes with the order. Offers store it: what is not said is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// A passport, a tax number, a birth date or the like.
    pub what: RequirementKind,
    /// Every traveller, those of one type, or the booking as a whole.
    pub whom: RequiredOf,
    /// Whether there is no order without it; none where only a price call knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mandatory: Option<bool>,
    /// Of a passport, the day on which it must be valid, where that is later than the last arrival.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<NaiveDate>,
    /// Of a passport, that the supplier does not ask for its last day.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_expiry: bool,
    /// Of a membership, the airlines whose programmes count, IATA codes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub airlines: Vec<String>,
}

impl Requirement {
    /// This of these, with nothing more said.
    pub fn new(what: RequirementKind, whom: RequiredOf, mandatory: Option<bool>) -> Self {
        Self { what, whom, mandatory, valid_until: None, without_expiry: false, airlines: Vec::new() }
    }

    /// The members of the request's object that are wanted; none where the field is no object.
    pub fn fields(&self) -> &'static [&'static str] {
        match self.what {
            RequirementKind::Passport if self.without_expiry => &["number", "issuing_country", "nationality"],
            RequirementKind::Passport => &["number", "issuing_country", "nationality", "expires_on"],
            RequirementKind::Gst => &["number", "company_name", "address", "email", "phone"],
            RequirementKind::TaxId => &["number", "country"],
            RequirementKind::FareDocument => &["type", "number"],
            RequirementKind::Loyalty => &["airline", "number"],
            RequirementKind::DateOfBirth | RequirementKind::Pan | RequirementKind::EmergencyContact => &[],
        }
    }

    /// The same for people, in English.
    pub fn text(&self) -> &'static str {
        match self.what {
            RequirementKind::Passport if self.valid_until.is_some() => {
                "Passport, valid six months beyond the last flight"
            }
            RequirementKind::Passport => "Passport, valid until the last flight has landed",
            RequirementKind::DateOfBirth => "Date of birth",
            RequirementKind::Gst => "GST registration of the company that the tax is invoiced to",
            RequirementKind::TaxId => "Tax number",
            RequirementKind::Pan => "PAN",
            RequirementKind::FareDocument => "The student's or senior's paper that the fare is for",
            RequirementKind::EmergencyContact => "Whom to call in an emergency: the booking's own contact",
            RequirementKind::Loyalty => "Membership in a programme of these airlines",
        }
    }

    /// The field of the request that this traveller did not give; none where it is there, or asked of the booking.
    fn missing(&self, traveller: &Traveller, papers: &Papers) -> Option<&'static str> {
        let (field, is_missing) = match self.what {
            RequirementKind::Passport => ("document", papers.document.is_none()),
            RequirementKind::DateOfBirth => ("dob", traveller.born_on.is_none()),
            RequirementKind::TaxId => ("tax_id", papers.tax_id.is_none()),
            RequirementKind::Pan => ("pan", papers.pan.is_none()),
            RequirementKind::FareDocument => ("fare_document", papers.fare_document.is_none()),
            RequirementKind::Loyalty => ("loyalty", traveller.loyalty.is_empty()),
            RequirementKind::Gst | RequirementKind::EmergencyContact => return None,
        };
        is_missing.then_some(field)
    }

    /// Takes in another one of the same: who has to fit both has to fit the stricter.
    fn add(&mut self, other: &Self) {
        self.mandatory = match (self.mandatory, other.mandatory) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (None, _) | (_, None) => None,
            (Some(false), Some(false)) => Some(false),
        };
        self.valid_until = self.valid_until.max(other.valid_until);
        self.without_expiry &= other.without_expiry;
        for airline in &other.airlines {
            if !self.airlines.contains(airline) {
                self.airlines.push(airline.clone());
            }
        }
    }
}

/// What is wanted for an offer. Nearly all offers of an answer want the same: they share one list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements(Arc<[Requirement]>);

impl Requirements {
    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Requirement> {
        self.0.iter()
    }

    /// Whether nothing is wanted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What all of these want together, each thing of the same people once.
    pub fn together<'a>(lists: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut all: Vec<Requirement> = Vec::new();
        for one in lists.into_iter().flat_map(Self::iter) {
            match all.iter_mut().find(|known| (known.what, known.whom) == (one.what, one.whom)) {
                Some(known) => known.add(one),
                None => all.push(one.clone()),
            }
        }
        Self(all.into())
    }

    /// What of this was not given, or does not fit a journey that ends on `last_day`. Fields are named by the places of
    /// the travellers: `passengers[0].document`.
    pub fn check(
        &self,
        travellers: &[Traveller],
        papers: &BookingPapers,
        last_day: Option<NaiveDate>,
    ) -> Faults {
        let mut faults = Faults::default();
        let mandatory = || self.iter().filter(|one| one.mandatory == Some(true));
        for (place, traveller) in travellers.iter().enumerate() {
            let theirs = papers.of(traveller.index);
            for one in mandatory().filter(|one| one.whom.includes(traveller.kind)) {
                let Some(field) = one.missing(traveller, theirs) else { continue };
                let field = format!("passengers[{place}].{field}");
                if !faults.names(&field) {
                    faults.add(field, REQUIRED);
                }
            }
            let passports = self.iter().filter(|one| one.what == RequirementKind::Passport);
            let needed = passports.map(|one| one.valid_until).max().flatten().max(last_day);
            if let (Some(document), Some(needed)) = (&theirs.document, needed)
                && document.expires_on < needed
            {
                let field = format!("passengers[{place}].document.expires_on");
                faults.add(field, format!("must not be before {needed}"));
            }
        }
        let wants_gst = mandatory().any(|one| one.what == RequirementKind::Gst);
        if wants_gst && papers.gst.is_none() {
            faults.add("gst", REQUIRED);
        }
        faults
    }
}

impl From<Vec<Requirement>> for Requirements {
    fn from(list: Vec<Requirement>) -> Self {
        Self(list.into())
    }
}

impl Serialize for Requirements {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Requirements {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Requirement>::deserialize(deserializer).map(Self::from)
    }
}

impl HeldBytes for Requirements {
    /// Of a list that many share, the part of one.
    fn held_bytes(&self) -> usize {
        let airlines: usize = self.iter().map(|one| one.airlines.held_bytes()).sum();
        (size_of_val(&*self.0) + airlines) / Arc::strong_count(&self.0).max(1)
    }
}

/// The lists of one answer, each kept once.
#[derive(Debug, Default)]
pub(crate) struct RequirementLists(Vec<Requirements>);

impl RequirementLists {
    /// This list, as it was kept before where it was.
    pub fn shared(&mut self, list: Vec<Requirement>) -> Requirements {
        if let Some(known) = self.0.iter().find(|known| *known.0 == *list) {
            return known.clone();
        }
        let new = Requirements::from(list);
        self.0.push(new.clone());
        new
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use wayfare_domain::{Document, DocumentNumber, Gender, Pan, Title};

    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn traveller(index: u32, kind: PassengerType, born_on: Option<NaiveDate>) -> Traveller {
        Traveller {
            index,
            kind,
            title: Title::Ms,
            first_name: "Mira".to_owned(),
            last_name: "Sharma".to_owned(),
            gender: Gender::Female,
            born_on,
            held_by: None,
            loyalty: Vec::new(),
        }
    }

    fn passport(expires_on: &str) -> Papers {
        Papers {
            document: Some(Document {
                number: DocumentNumber::read("Z1234567").unwrap(),
                issuing_country: "IN".to_owned(),
                nationality: "IN".to_owned(),
                issued_on: None,
                expires_on: day(expires_on),
            }),
            ..Papers::default()
        }
    }

    #[test]
    fn all_that_is_missing_is_named_at_once() {
        use RequirementKind::{DateOfBirth, EmergencyContact, Gst, Loyalty, Pan as PanKind, Passport};
        let wanted = |what, whom| Requirement::new(what, whom, Some(true));
        let requires = Requirements::from(vec![
            wanted(Passport, RequiredOf::EachTraveller),
            wanted(DateOfBirth, RequiredOf::EachAdult),
            wanted(PanKind, RequiredOf::EachAdult),
            wanted(Gst, RequiredOf::Booking),
            wanted(EmergencyContact, RequiredOf::Booking),
            Requirement::new(Loyalty, RequiredOf::EachTraveller, Some(false)),
        ]);
        let travellers = [traveller(4, PassengerType::Adult, None), traveller(1, PassengerType::Child, None)];
        let nothing = requires.check(&travellers, &BookingPapers::default(), None);
        assert_eq!(
            nothing.to_string(),
            "{passengers[0].document this field is required} {passengers[0].dob this field is required} \
             {passengers[0].pan this field is required} {passengers[1].document this field is required} \
             {gst this field is required}"
        );
        let papers = BookingPapers {
            travellers: BTreeMap::from([(
                4,
                Papers { pan: Pan::read("ABCDE1234F"), ..passport("2030-01-01") },
            )]),
            gst: None,
        };
        let some = requires.check(&travellers, &papers, Some(day("2030-01-02")));
        assert_eq!(
            some.to_string(),
            "{passengers[0].dob this field is required} \
             {passengers[0].document.expires_on must not be before 2030-01-02} \
             {passengers[1].document this field is required} {gst this field is required}"
        );
    }

    #[test]
    fn a_passport_outlives_the_journey_and_what_the_supplier_wants() {
        let passport_until = |valid_until| Requirement {
            valid_until,
            ..Requirement::new(RequirementKind::Passport, RequiredOf::EachTraveller, Some(false))
        };
        let travellers = [traveller(1, PassengerType::Adult, None)];
        for (wanted, expires_on, reason) in [
            (None, "2027-03-14", None),
            (None, "2027-03-13", Some("2027-03-14")),
            (Some("2027-09-14"), "2027-09-14", None),
            (Some("2027-09-14"), "2027-09-13", Some("2027-09-14")),
            (Some("2027-01-01"), "2027-03-13", Some("2027-03-14")),
        ] {
            let requires = Requirements::from(vec![passport_until(wanted.map(day))]);
            let papers = BookingPapers { travellers: BTreeMap::from([(1, passport(expires_on))]), gst: None };
            let faults = requires.check(&travellers, &papers, Some(day("2027-03-14")));
            let told = reason.map_or(String::new(), |day| {
                format!("{{passengers[0].document.expires_on must not be before {day}}}")
            });
            assert_eq!(faults.to_string(), told, "{wanted:?} {expires_on}");
        }
    }

    #[test]
    fn the_stricter_of_two_orders_counts_for_both() {
        let loyalty = |airline: &str| Requirement {
            airlines: vec![airline.to_owned()],
            ..Requirement::new(RequirementKind::Loyalty, RequiredOf::EachTraveller, Some(false))
        };
        let gst = |mandatory| Requirement::new(RequirementKind::Gst, RequiredOf::Booking, mandatory);
        let one = Requirements::from(vec![gst(Some(false)), loyalty("AI")]);
        let other = Requirements::from(vec![gst(Some(true)), loyalty("ZZ"), loyalty("AI")]);
        let all = Requirements::together([&one, &other]);
        let expected = Requirement { airlines: vec!["AI".to_owned(), "ZZ".to_owned()], ..loyalty("") };
        assert_eq!(all, Requirements::from(vec![gst(Some(true)), expected]));
    }

    #[test]
    fn equal_lists_of_one_answer_are_one_in_memory() {
        let list = || vec![Requirement::new(RequirementKind::Gst, RequiredOf::Booking, None)];
        let mut lists = RequirementLists::default();
        let (one, other, empty) = (lists.shared(list()), lists.shared(list()), lists.shared(Vec::new()));
        assert!(Arc::ptr_eq(&one.0, &other.0) && !Arc::ptr_eq(&one.0, &empty.0));
        let stored = serde_json::to_string(&one).unwrap();
        assert_eq!(stored, r#"[{"what":"gst","whom":"booking"}]"#);
        assert_eq!(serde_json::from_str::<Requirements>(&stored).unwrap(), one);
    }
}
