//! What is passed on of an order in Duffel's own words.

use crate::passed_on::Allowed::{self, Members, Plain};

const CONDITION: Allowed =
    Members(&[("allowed", Plain), ("penalty_amount", Plain), ("penalty_currency", Plain)]);
const CONDITIONS: Allowed =
    Members(&[("change_before_departure", CONDITION), ("refund_before_departure", CONDITION)]);
const CARRIER: Allowed = Members(&[("iata_code", Plain), ("name", Plain)]);
const CITY: Allowed = Members(&[("iata_code", Plain), ("name", Plain)]);
const PLACE: Allowed = Members(&[
    ("iata_code", Plain),
    ("name", Plain),
    ("type", Plain),
    ("city", CITY),
    ("city_name", Plain),
    ("iata_country_code", Plain),
    ("time_zone", Plain),
]);
const SEGMENT: Allowed = Members(&[
    ("id", Plain),
    ("aircraft", CARRIER),
    ("arriving_at", Plain),
    ("departing_at", Plain),
    ("destination", PLACE),
    ("destination_terminal", Plain),
    ("distance", Plain),
    ("duration", Plain),
    ("marketing_carrier", CARRIER),
    ("marketing_carrier_flight_number", Plain),
    ("operating_carrier", CARRIER),
    ("operating_carrier_flight_number", Plain),
    ("origin", PLACE),
    ("origin_terminal", Plain),
    (
        "stops",
        Members(&[
            ("id", Plain),
            ("airport", PLACE),
            ("arriving_at", Plain),
            ("departing_at", Plain),
            ("duration", Plain),
        ]),
    ),
]);
const SERVICE: Allowed = Members(&[
    ("id", Plain),
    ("type", Plain),
    ("quantity", Plain),
    ("segment_ids", Plain),
    ("total_amount", Plain),
    ("total_currency", Plain),
    (
        "metadata",
        Members(&[
            ("designator", Plain),
            ("disclosures", Plain),
            ("name", Plain),
            ("type", Plain),
            ("maximum_depth_cm", Plain),
            ("maximum_height_cm", Plain),
            ("maximum_length_cm", Plain),
            ("maximum_weight_kg", Plain),
        ]),
    ),
]);

/// Of an order. Passengers are not among it, nor whatever is named by them.
pub(crate) const ORDER: Allowed = Members(&[
    ("id", Plain),
    ("type", Plain),
    ("booking_reference", Plain),
    ("booking_references", Members(&[("booking_reference", Plain), ("carrier", CARRIER)])),
    ("created_at", Plain),
    ("synced_at", Plain),
    ("cancelled_at", Plain),
    ("void_window_ends_at", Plain),
    ("base_amount", Plain),
    ("base_currency", Plain),
    ("tax_amount", Plain),
    ("tax_currency", Plain),
    ("total_amount", Plain),
    ("total_currency", Plain),
    (
        "payment_status",
        Members(&[
            ("awaiting_payment", Plain),
            ("paid_at", Plain),
            ("payment_required_by", Plain),
            ("price_guarantee_expires_at", Plain),
        ]),
    ),
    ("conditions", CONDITIONS),
    ("available_actions", Plain),
    ("documents", Members(&[("type", Plain), ("unique_identifier", Plain)])),
    ("services", SERVICE),
    (
        "slices",
        Members(&[
            ("id", Plain),
            ("changeable", Plain),
            ("conditions", CONDITIONS),
            ("destination", PLACE),
            ("destination_type", Plain),
            ("duration", Plain),
            ("fare_brand_name", Plain),
            ("origin", PLACE),
            ("origin_type", Plain),
            ("segments", SEGMENT),
        ]),
    ),
    (
        "airline_initiated_changes",
        Members(&[
            ("id", Plain),
            ("action_taken", Plain),
            ("available_actions", Plain),
            ("created_at", Plain),
        ]),
    ),
]);
