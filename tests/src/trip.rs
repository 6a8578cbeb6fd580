//! Journeys to search for and people who travel, as request bodies.

use chrono::{DateTime, Duration, NaiveDate, Utc};
use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub struct Trip {
    /// From, to, and how many days from now.
    pub slices: Vec<(&'static str, &'static str, i64)>,
    pub party: (u8, u8, u8),
    pub airline: &'static str,
    /// The fares' currency; none is the wallet's.
    pub currency: Option<&'static str>,
}

/// One adult, one way, 30 days from now.
pub fn one_way(origin: &'static str, destination: &'static str) -> Trip {
    Trip { slices: vec![(origin, destination, 30)], party: (1, 0, 0), airline: "", currency: None }
}

/// One adult, there 30 days from now and back a week later.
pub fn round_trip(origin: &'static str, destination: &'static str) -> Trip {
    Trip {
        slices: vec![(origin, destination, 30), (destination, origin, 37)],
        ..one_way(origin, destination)
    }
}

/// One adult, these journeys: from, to, and how many days from now.
pub fn journeys(slices: &[(&'static str, &'static str, i64)]) -> Trip {
    Trip { slices: slices.to_vec(), ..one_way("", "") }
}

impl Trip {
    /// The same journey for these people.
    #[must_use]
    pub fn party(mut self, adults: u8, children: u8, infants: u8) -> Self {
        self.party = (adults, children, infants);
        self
    }

    /// The same journey by this airline.
    #[must_use]
    pub fn by(mut self, airline: &'static str) -> Self {
        self.airline = airline;
        self
    }

    fn trip_type(&self) -> &'static str {
        match self.slices.as_slice() {
            [_] => "ONE_WAY",
            [(from, to, _), (back_from, back_to, _)] if (from, to) == (back_to, back_from) => "RETURN",
            _ => "MULTI_CITY",
        }
    }

    pub fn body(&self, now: DateTime<Utc>) -> Value {
        let slices: Vec<Value> = self
            .slices
            .iter()
            .map(|(origin, destination, days)| {
                let day = (now + Duration::days(*days)).date_naive();
                json!({ "origin": origin, "destination": destination, "departure_date": day })
            })
            .collect();
        let (adults, children, infants) = self.party;
        json!({
            "search_params": {
                "trip_type": self.trip_type(),
                "passengers": { "adults": adults, "children": children, "infants": infants },
                "cabin_class": "ECONOMY",
                "airline_id": self.airline,
                "preferred_currency": self.currency,
            },
            "slices": slices,
        })
    }
}

/// Gives a booking the papers that are demanded for what was priced.
pub fn give_papers(order: &mut Value, requires: &Value) {
    let demanded = requires.as_array().into_iter().flatten();
    let demanded: Vec<&str> =
        demanded.filter(|one| one["mandatory"] == true).filter_map(|one| one["what"].as_str()).collect();
    for passenger in order["passengers"].as_array_mut().into_iter().flatten() {
        if demanded.contains(&"passport") {
            passenger["document"] = json!({
                "number": "Z1234567", "issuing_country": "IN", "nationality": "IN", "expires_on": "2045-05-31",
            });
        }
        if demanded.contains(&"pan") {
            passenger["pan"] = json!("ABCDE1234F");
        }
        if demanded.contains(&"fare_document") {
            passenger["fare_document"] = json!({ "type": "student", "number": "DU/117" });
        }
    }
    if demanded.contains(&"gst") {
        order["gst"] = json!({
            "number": "27AAPFU0939F1ZV", "company_name": "Sunrise", "address": "1 Hill Road",
            "email": "tax@sunrise.example", "phone": "912212345678",
        });
    }
}

/// This party, all of one family name, as `passengers` of a booking.
pub fn travellers(family: &str, (adults, children, infants): (u8, u8, u8), now: DateTime<Utc>) -> Vec<Value> {
    let born = |days: i64| -> NaiveDate { (now - Duration::days(days)).date_naive() };
    let types = std::iter::repeat_n(("ADT", "Mr", "M", born(12_000)), adults.into())
        .chain(std::iter::repeat_n(("CHD", "Miss", "F", born(2_500)), children.into()))
        .chain(std::iter::repeat_n(("INF", "Mstr", "M", born(300)), infants.into()));
    (1..)
        .zip("Asha Bina Chetan Dev Esha Farid Gita Hari Indu".split(' ').cycle().zip(types))
        .map(|(index, (first_name, (kind, title, gender, dob)))| {
            json!({
                "pax_index": index, "type": kind, "title": title, "first_name": first_name,
                "last_name": family, "gender": gender, "dob": dob,
            })
        })
        .collect()
}
