//! What is passed on of an order in Duffel's own words.

use crate::passed_on::Allowed::{self, Members};

const CONDITION: Allowed = Members("allowed penalty_amount penalty_currency", &[]);
const CONDITIONS: Allowed =
    Members("", &[("change_before_departure", CONDITION), ("refund_before_departure", CONDITION)]);
/// Of a carrier, an aircraft or a city.
const CODED: Allowed = Members("iata_code name", &[]);
const PLACE: Allowed =
    Members("iata_code name type city_name iata_country_code time_zone", &[("city", CODED)]);
const STOP: Allowed = Members("id arriving_at departing_at duration", &[("airport", PLACE)]);
const SEGMENT: Allowed = Members(
    "id arriving_at departing_at destination_terminal distance duration marketing_carrier_flight_number \
     operating_carrier_flight_number origin_terminal",
    &[
        ("aircraft", CODED),
        ("destination", PLACE),
        ("marketing_carrier", CODED),
        ("operating_carrier", CODED),
        ("origin", PLACE),
        ("stops", STOP),
    ],
);
const SLICE: Allowed = Members(
    "id changeable destination_type duration fare_brand_name origin_type",
    &[("conditions", CONDITIONS), ("destination", PLACE), ("origin", PLACE), ("segments", SEGMENT)],
);
const METADATA: Allowed = Members(
    "designator disclosures name type maximum_depth_cm maximum_height_cm maximum_length_cm maximum_weight_kg",
    &[],
);
const SERVICE: Allowed =
    Members("id type quantity segment_ids total_amount total_currency", &[("metadata", METADATA)]);
const PAYMENT: Allowed =
    Members("awaiting_payment paid_at payment_required_by price_guarantee_expires_at", &[]);

/// Of an order. Passengers are not among it, nor whatever is named by them.
pub(crate) const ORDER: Allowed = Members(
    "id type booking_reference created_at synced_at cancelled_at void_window_ends_at base_amount base_currency \
     tax_amount tax_currency total_amount total_currency available_actions",
    &[
        ("booking_references", Members("booking_reference", &[("carrier", CODED)])),
        ("payment_status", PAYMENT),
        ("conditions", CONDITIONS),
        ("documents", Members("type unique_identifier", &[])),
        ("services", SERVICE),
        ("slices", SLICE),
        ("airline_initiated_changes", Members("id action_taken available_actions created_at", &[])),
    ],
);
