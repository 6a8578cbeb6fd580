//! What is passed on of an order in TripJack's own words.

use crate::passed_on::Allowed::{self, Members, Named, Numbers, Plain};

const AIRLINE: Allowed = Members(&[("code", Plain), ("isLcc", Plain), ("name", Plain)]);
const AIRPORT: Allowed = Members(&[
    ("city", Plain),
    ("cityCode", Plain),
    ("code", Plain),
    ("country", Plain),
    ("countryCode", Plain),
    ("name", Plain),
    ("terminal", Plain),
]);
const SEGMENT: Allowed = Members(&[
    ("id", Plain),
    ("aa", AIRPORT),
    ("at", Plain),
    ("cT", Plain),
    ("da", AIRPORT),
    ("dt", Plain),
    ("duration", Plain),
    ("fD", Members(&[("aI", AIRLINE), ("eT", Plain), ("fN", Plain)])),
    ("iand", Plain),
    ("isRs", Plain),
    ("oB", AIRLINE),
    ("sN", Plain),
    ("so", AIRPORT),
    ("stops", Plain),
]);
const TRAVELLER: Allowed = Members(&[
    ("pt", Plain),
    ("gdsPnrs", Named),
    ("pnrDetails", Named),
    ("statusMap", Named),
    ("ticketNumberDetails", Named),
]);

/// Of a booking's details. Of travellers their age group, and what airlines have issued.
pub(crate) const ORDER: Allowed = Members(&[
    ("order", Members(&[("amount", Plain), ("bookingId", Plain), ("createdOn", Plain), ("status", Plain)])),
    (
        "itemInfos",
        Members(&[(
            "AIR",
            Members(&[
                (
                    "totalPriceInfo",
                    Members(&[("totalFareDetail", Members(&[("afC", Numbers), ("fC", Numbers)]))]),
                ),
                ("travellerInfos", TRAVELLER),
                ("tripInfos", Members(&[("sI", SEGMENT)])),
            ]),
        )]),
    ),
]);
