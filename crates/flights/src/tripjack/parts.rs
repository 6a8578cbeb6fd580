//! Which parts of TripJack's answers may be left out where they can't be read, and which never are.

use wayfare_supply::lenient::Parts;

/// Of what is offered. What can't be read of a price, of what comes back, of what belongs together or of what a booking must have
/// costs the fare: it is not sold.
pub(super) const OFFERED: Parts = Parts {
    vital: &[
        // Whether the call succeeded.
        "status",
        "fC",
        "fd",
        "ADULT",
        "CHILD",
        "INFANT",
        "BF",
        "TF",
        "NCM",
        "AFS",
        "rT",
        // Which fares are sold together, which flights are a journey.
        "sri",
        "msri",
        "sI",
        "sN",
        "isRs",
        "routeInfos",
        // What a booking must have, and all that says so.
        "conditions",
        "iecr",
        "ipa",
        "gst",
        "gstappl",
        "igm",
        "pcs",
        "pm",
        "pped",
        "dc",
        "ida",
        "idm",
        "dob",
        "adobr",
        "cdobr",
        "idobr",
        // Of what is sold beside the fare: its price, and whether it is free.
        "amount",
        "isBooked",
    ],
    lists: &["tripInfos", "ssrInfo", "tbi", "sInfo", "ffas"],
};

/// The same of what is reviewed to be sold, of which no trip may be missing.
pub(super) const REVIEWED: Parts = Parts { lists: &["ssrInfo", "tbi", "ffas"], ..OFFERED };

/// Of rules: a rule whose amount can't be read stands without it, as one whose amount is not told.
pub(super) const RULES: Parts =
    Parts { vital: &["status", "policyInfo", "st", "et", "pp"], lists: &["farerule", "fareRule", "tfr"] };

/// Of an order. It stands whatever is strange about it: all goes but what tells which one it is and how it stands.
pub(super) const ORDERED: Parts = Parts {
    vital: &["status", "order", "bookingId"],
    lists: &["travellerInfos", "pnrDetails", "gdsPnrs", "ticketNumberDetails"],
};
