//! What is passed on of an order in TripJack's own words.

use crate::passed_on::Allowed::{self, Members, Named, Numbers};

const AIRLINE: Allowed = Members("code isLcc name", &[]);
const AIRPORT: Allowed = Members("city cityCode code country countryCode name terminal", &[]);
const SEGMENT: Allowed = Members(
    "id at cT dt duration iand isRs sN stops",
    &[
        ("aa", AIRPORT),
        ("da", AIRPORT),
        ("fD", Members("eT fN", &[("aI", AIRLINE)])),
        ("oB", AIRLINE),
        ("so", AIRPORT),
    ],
);
const TRAVELLER: Allowed = Members(
    "pt",
    &[("gdsPnrs", Named), ("pnrDetails", Named), ("statusMap", Named), ("ticketNumberDetails", Named)],
);
const FARE: Allowed = Members("", &[("afC", Numbers), ("fC", Numbers)]);
const AIR: Allowed = Members(
    "",
    &[
        ("totalPriceInfo", Members("", &[("totalFareDetail", FARE)])),
        ("travellerInfos", TRAVELLER),
        ("tripInfos", Members("", &[("sI", SEGMENT)])),
    ],
);

/// Of a booking's details. Of travellers their age group, and what airlines have issued.
pub(crate) const ORDER: Allowed = Members(
    "",
    &[
        ("order", Members("amount bookingId createdOn status", &[])),
        ("itemInfos", Members("", &[("AIR", AIR)])),
    ],
);
