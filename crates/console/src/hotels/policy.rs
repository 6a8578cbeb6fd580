//! What giving a stay back costs, as it is shown: by the hotel's clocks, and as the instant until which it is free.

use chrono::{DateTime, FixedOffset};
use wayfare_client::{
    Amount,
    hotels::{CancellationPolicy, Deadline},
};

use crate::{day::Moment, money::money};

pub struct PolicyView {
    /// In one sentence, where nothing is free.
    pub text: &'static str,
    pub free_until: Option<Moment>,
    /// The same by the hotel's clocks.
    pub free_local: Option<String>,
    /// Where the hotel's clocks are.
    pub time_zone: String,
    /// From when it costs what.
    pub deadlines: Vec<DeadlineView>,
    /// Whether what it costs the customer stands beside what it costs the agency.
    pub is_agencys: bool,
    pub remarks: Vec<String>,
}

/// From when giving back costs how much.
pub struct DeadlineView {
    /// By the hotel's clocks.
    pub local: String,
    pub from: Moment,
    /// What is charged: of an agency's page, what does not come back to the wallet.
    pub fee: String,
    /// What the customer bears of their price.
    pub guest_fee: String,
}

enum Reader<'a> {
    /// An agency's, in whose wallet's currency its fees are.
    Agency(&'a str),
    Guest,
}

fn local(deadline: &Deadline) -> String {
    let text = deadline.local.as_deref();
    let read = text.and_then(|text| DateTime::<FixedOffset>::parse_from_rfc3339(text).ok());
    match read {
        Some(at) => at.format("%a %-d %b %Y, %H:%M").to_string(),
        None => text.unwrap_or(&deadline.text).to_owned(),
    }
}

/// What nobody knows before the supplier says so is told as such.
fn line(deadline: &Deadline, reader: &Reader<'_>) -> DeadlineView {
    let known = |fee: Option<Amount>, currency: &str| {
        fee.map_or_else(|| "Not known".to_owned(), |fee| money(fee, currency))
    };
    let (fee, guest_fee) = match reader {
        Reader::Agency(currency) => {
            (known(deadline.agent_fee, currency), known(deadline.guest_fee, currency))
        }
        Reader::Guest => (money(deadline.fee, &deadline.currency), String::new()),
    };
    DeadlineView { local: local(deadline), from: Moment::of(deadline.from), fee, guest_fee }
}

impl PolicyView {
    /// Of a policy as the agency reads it, with a wallet in this currency.
    pub fn for_agency(policy: &CancellationPolicy, currency: &str) -> Self {
        Self::of(policy, &Reader::Agency(currency))
    }

    /// The same for guests, of a voucher: its fees are of what they pay.
    pub fn for_guests(policy: &CancellationPolicy) -> Self {
        Self::of(policy, &Reader::Guest)
    }

    fn of(policy: &CancellationPolicy, reader: &Reader<'_>) -> Self {
        let (deadlines, free_until) = (&policy.deadlines, policy.free_until);
        let of_free = deadlines.iter().find(|deadline| Some(deadline.from) == free_until);
        let text = match policy.refundable {
            Some(true) if free_until.is_none() => "Part of it comes back.",
            Some(true) => "",
            Some(false) => "Nothing comes back.",
            None => "What comes back is not known.",
        };
        Self {
            text,
            free_until: free_until.map(Moment::of),
            free_local: of_free.map(local),
            time_zone: policy.time_zone.clone().unwrap_or_default(),
            deadlines: deadlines.iter().map(|deadline| line(deadline, reader)).collect(),
            is_agencys: matches!(reader, Reader::Agency(_)),
            remarks: policy.remarks.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_are_told_by_the_hotels_clocks_and_as_instants() {
        let policy = serde_json::json!({
            "refundable": true,
            "free_until": "2027-02-11T12:30:00Z",
            "time_zone": "Asia/Kolkata",
            "deadlines": [
                { "from": "2027-02-11T12:30:00Z", "local": "2027-02-11T18:00:00+05:30", "text": "x", "fee": 7086.72, "currency": "INR" },
                { "from": "2027-02-14T06:30:00Z", "local": null, "text": "noon", "fee": 100, "currency": "INR" },
            ],
            "remarks": [],
        });
        let mut policy: CancellationPolicy = serde_json::from_value(policy).unwrap();
        let shown = PolicyView::for_guests(&policy);
        assert_eq!(shown.free_local.as_deref(), Some("Thu 11 Feb 2027, 18:00"));
        assert_eq!(shown.free_until.unwrap().iso, "2027-02-11T12:30:00Z");
        let told: Vec<_> = shown.deadlines.iter().map(|one| (one.local.as_str(), one.fee.as_str())).collect();
        assert_eq!(told, [("Thu 11 Feb 2027, 18:00", "₹7,086.72"), ("noon", "₹100.00")]);
        policy.refundable = None;
        assert_eq!(PolicyView::for_guests(&policy).text, "What comes back is not known.");
    }
}
