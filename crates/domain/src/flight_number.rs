//! When two names of a flight are one flight.

/// A flight's airline and number as all who name it mean them: in capitals, without blanks, leading zeros, or the airline's code
/// before the number. Suppliers write `AI 0101`, `ai101` and `101` for one flight.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlightKey {
    airline: String,
    number: String,
}

impl FlightKey {
    /// Of a flight as somebody names it.
    pub fn of(airline: &str, number: &str) -> Self {
        let capitals = |text: &str| -> String {
            let letters = text.chars().filter(|c| !c.is_whitespace());
            letters.flat_map(char::to_uppercase).collect()
        };
        let (airline, number) = (capitals(airline), capitals(number));
        let own = number.strip_prefix(&airline).filter(|rest| !rest.is_empty() && !airline.is_empty());
        let number = match own.unwrap_or(&number).trim_start_matches('0') {
            "" => number.clone(),
            number => number.to_owned(),
        };
        Self { airline, number }
    }
}

impl std::fmt::Display for FlightKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.airline, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_flight_has_one_key() {
        for (airline, number) in [
            ("AI", "101"),
            ("ai", "101"),
            ("AI", "0101"),
            ("AI", " 101 "),
            ("AI", "AI101"),
            ("AI", "AI 0101"),
        ] {
            assert_eq!(FlightKey::of(airline, number).to_string(), "AI101", "{airline} {number}");
        }
        for (airline, number) in [("6E", "101"), ("AI", "1010"), ("AI", "101A"), ("AI", "0")] {
            assert_ne!(FlightKey::of(airline, number), FlightKey::of("AI", "101"), "{airline} {number}");
        }
        assert_eq!(FlightKey::of("6E", "6E").to_string(), "6E6E");
    }
}
