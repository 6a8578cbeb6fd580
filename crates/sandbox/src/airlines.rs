//! The airlines of the sandbox: real names and codes, plausible homes, and one that flies everywhere.

use serde::{Deserialize, Serialize};

use crate::json::by_code;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cabin {
    Economy,
    PremiumEconomy,
    Business,
    First,
}

impl Cabin {
    pub(crate) const ALL: [Self; 4] = [Self::Economy, Self::PremiumEconomy, Self::Business, Self::First];
}

/// How an airline sells and where it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Connects the world through its hubs.
    Network,
    /// Point to point within its region, economy only, little included.
    LowCost,
    /// Flies between any two airports: the airline of supplier test modes.
    Everywhere,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Airline {
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
    /// The first three digits of its tickets.
    pub(crate) ticket_prefix: &'static str,
    pub(crate) home: &'static [&'static str],
    pub(crate) hubs: &'static [&'static str],
    pub(crate) style: Style,
    /// The best class it has; it has all below, too.
    pub(crate) best_cabin: Cabin,
    /// Another airline that flies some of its short routes.
    pub(crate) partner: Option<&'static str>,
}

impl Airline {
    pub(crate) fn of(code: &str) -> Option<&'static Self> {
        AIRLINES.iter().find(|airline| airline.code == code)
    }

    /// Where the law of its home lets a ticket be given back within a day for the whole price.
    pub(crate) fn has_void_window(&self) -> bool {
        self.home.contains(&"US")
    }
}

const fn airline(
    code: &'static str,
    name: &'static str,
    ticket_prefix: &'static str,
    home: &'static [&'static str],
    hubs: &'static [&'static str],
    style: Style,
    best_cabin: Cabin,
) -> Airline {
    Airline { code, name, ticket_prefix, home, hubs, style, best_cabin, partner: None }
}

const fn with(partner: &'static str, airline: Airline) -> Airline {
    Airline { partner: Some(partner), ..airline }
}

use Cabin::{Business, Economy, First};
use Style::{Everywhere, LowCost, Network};

#[rustfmt::skip]
pub(crate) static AIRLINES: [Airline; 36] = [
    airline("6E", "IndiGo", "312", &["IN"], &["DEL", "BOM", "BLR"], LowCost, Economy),
    airline("AA", "American Airlines", "001", &["US"], &["DFW", "JFK", "MIA"], Network, Business),
    airline("AC", "Air Canada", "014", &["CA"], &["YYZ", "YVR"], Network, Business),
    airline("AF", "Air France", "057", &["FR"], &["CDG"], Network, First),
    with("IX", airline("AI", "Air India", "098", &["IN"], &["DEL", "BOM"], Network, First)),
    airline("B6", "JetBlue Airways", "279", &["US"], &["JFK", "BOS"], LowCost, Economy),
    with("IB", airline("BA", "British Airways", "125", &["GB"], &["LHR"], Network, First)),
    airline("CX", "Cathay Pacific", "160", &["HK"], &["HKG"], Network, First),
    airline("DL", "Delta Air Lines", "006", &["US"], &["ATL", "JFK", "SEA"], Network, Business),
    airline("EK", "Emirates", "176", &["AE"], &["DXB"], Network, First),
    airline("ET", "Ethiopian Airlines", "071", &["ET"], &["ADD"], Network, Business),
    airline("EY", "Etihad Airways", "607", &["AE"], &["AUH"], Network, First),
    airline("GF", "Gulf Air", "072", &["BH"], &["BAH"], Network, Business),
    airline("IB", "Iberia", "075", &["ES"], &["MAD"], Network, Business),
    airline("IX", "Air India Express", "141", &["IN"], &["DEL", "BLR", "COK"], LowCost, Economy),
    airline("JL", "Japan Airlines", "131", &["JP"], &["HND", "NRT"], Network, First),
    airline("KE", "Korean Air", "180", &["KR"], &["ICN"], Network, First),
    airline("KL", "KLM", "074", &["NL"], &["AMS"], Network, Business),
    airline("LA", "LATAM Airlines", "045", &["BR", "CL", "PE"], &["GRU", "SCL", "LIM"], Network, Business),
    airline("LH", "Lufthansa", "220", &["DE"], &["FRA", "MUC"], Network, First),
    airline("MH", "Malaysia Airlines", "232", &["MY"], &["KUL"], Network, Business),
    airline("NZ", "Air New Zealand", "086", &["NZ"], &["AKL"], Network, Business),
    airline("QF", "Qantas", "081", &["AU"], &["SYD", "MEL"], Network, First),
    airline("QP", "Akasa Air", "788", &["IN"], &["BOM", "BLR"], LowCost, Economy),
    airline("QR", "Qatar Airways", "157", &["QA"], &["DOH"], Network, First),
    airline("SA", "South African Airways", "083", &["ZA"], &["JNB"], Network, Business),
    airline("SG", "SpiceJet", "775", &["IN"], &["DEL", "HYD"], LowCost, Economy),
    airline("SQ", "Singapore Airlines", "618", &["SG"], &["SIN"], Network, First),
    airline("SV", "Saudia", "065", &["SA"], &["JED", "RUH"], Network, First),
    airline("TG", "Thai Airways", "217", &["TH"], &["BKK"], Network, First),
    airline("TK", "Turkish Airlines", "235", &["TR"], &["IST"], Network, Business),
    airline("U2", "easyJet", "888", &["GB", "FR", "IT"], &["LGW", "CDG"], LowCost, Economy),
    airline("UA", "United Airlines", "016", &["US"], &["EWR", "ORD", "SFO"], Network, Business),
    airline("UL", "SriLankan Airlines", "603", &["LK"], &["CMB"], Network, Business),
    airline("VS", "Virgin Atlantic", "932", &["GB"], &["LHR"], Network, Business),
    airline("ZZ", "Duffel Airways", "999", &[], &["LHR", "IST", "DXB", "SIN", "HKG", "JFK", "GRU"], Everywhere, First),
];

by_code!(Airline, &'static Airline, code, Airline::of);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hub_and_partner_exists_and_codes_are_unique() {
        for airline in &AIRLINES {
            assert!(airline.hubs.iter().all(|hub| wayfare_reference::airport(hub).is_some()), "{airline:?}");
            assert!(airline.partner.is_none_or(|code| Airline::of(code).is_some()), "{airline:?}");
            assert_eq!(airline.ticket_prefix.len(), 3);
        }
        assert!(AIRLINES.is_sorted_by(|one, next| one.code < next.code));
    }
}
