//! What an oddity changes by right, as the API shows it.

use wayfare_stub_server::odd_world::{Legitimate, NotYet};

pub const ROWS: &[Legitimate] = &[
    Legitimate {
        oddity: "times_",
        members: &["text"],
        reason: "a deadline in the supplier's own words; its instant is the same",
    },
    Legitimate {
        oddity: "instants_",
        members: &["text"],
        reason: "a deadline in the supplier's own words; its instant is the same",
    },
    Legitimate {
        oddity: "codes_in_other_case",
        members: &["text"],
        reason: "the zone is named in the supplier's own words",
    },
    Legitimate {
        oddity: "flight_numbers_with_zeros",
        members: &["flight_number"],
        reason: "shown as the airline writes it; what compares them goes by their meaning",
    },
    Legitimate {
        oddity: "lists_reordered",
        members: &["dictionaries", "baggage_ref", "refund_ref", "legs", "route_index", "segments"],
        reason: "what offers share is numbered in the order of the answer",
    },
    Legitimate {
        oddity: "optional_",
        members: &[
            "dictionaries",
            "logo_url",
            "rooms_left",
            "airline_name",
            "aircraft_type",
            "baggage",
            "baggage_allowance",
            "cabin_baggage",
            "operating_carrier",
            "booking_class",
            "rbd",
            "fare_basis",
            "fare_class",
            "fare_type",
            "stops",
            "duration_minutes",
            "terminal",
            "departure_terminal",
            "arrival_terminal",
            "fare_family",
            "fare_name",
            "meals",
            "max_occupancy",
            "address",
            "images",
            "main_image",
            "baggage_ref",
            "confirmation_source",
            "confirmations",
            "confirmation_number",
            "name",
        ],
        reason: "shown as far as it is told: names, pictures, terminals, bags, boards, how many are left, hotels' numbers",
    },
    Legitimate {
        oddity: "optional_",
        members: &["remarks", "mandatory_texts"],
        reason: "what a hotel says in words is shown where it says it; amounts are read from their own members",
    },
    Legitimate {
        oddity: "optional_",
        members: &["requires"],
        reason: "whose programmes count is told by `supported_loyalty_programmes`; no number of one is asked for without it",
    },
    Legitimate {
        oddity: "emails_in_capitals",
        members: &["email", "contact_email"],
        reason: "an address is kept as it was given",
    },
];

/// What does not hold yet.
pub const NOT_YET: &[NotYet] = &[];
