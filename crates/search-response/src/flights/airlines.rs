//! What an airline is called, and where its logo is, also where its supplier does not say it.

use wayfare_flights::Airline;
use wayfare_reference::airline;

/// Where logos of airlines are: an address with `{iata}` in the place of the code, if anywhere.
#[derive(Clone, Debug, Default)]
pub struct AirlineLogos(pub Option<String>);

impl AirlineLogos {
    /// The logo of the airline with this code.
    pub fn of(&self, iata: &str) -> Option<String> {
        let is_code = iata.len() == 2 && iata.bytes().all(|letter| letter.is_ascii_alphanumeric());
        let template = self.0.as_deref().filter(|_| is_code)?;
        Some(template.replace("{iata}", iata))
    }
}

/// What an airline is called: as its supplier does, else by its name in our table, else by its code.
pub fn airline_name<'a>(code: &'a str, told: Option<&'a Airline>) -> &'a str {
    let its_own = told.map(|airline| airline.name.as_str()).filter(|name| !name.is_empty());
    let ours = || airline(code).map(|airline| airline.name);
    its_own.or_else(ours).unwrap_or(code)
}

/// Where an airline's logo is: at its supplier, else where the operator says.
pub fn airline_logo(code: &str, told: Option<&Airline>, logos: &AirlineLogos) -> Option<String> {
    let its_own = told.and_then(|airline| airline.logo_url.clone());
    its_own.or_else(|| logos.of(code))
}
