//! Which parts of LiteAPI's answers may be left out where they can't be read, and which never are.

use wayfare_supply::lenient::Parts;

/// Of what is sold. What can't be read of a price, a tax, who it is for or how it is paid costs the offer: it is not sold. Terms of
/// which anything can't be read are not known at all: nothing comes back then.
pub(super) const OFFERED: Parts = Parts {
    vital: &[
        "data",
        "rates",
        "error",
        "amount",
        "currency",
        "included",
        "total",
        "commission",
        "retailRate",
        "offerRetailRate",
        "suggestedSellingPrice",
        "taxesAndFees",
        "paymentTypes",
        "loyaltyMembershipIdRequired",
        "occupancyNumber",
        "adultCount",
        "childCount",
        // Within the terms.
        "cancelPolicyInfos",
        "refundableTag",
        "timezone",
    ],
    lists: &["hotelRemarks"],
};

/// Of a booking. It stands whatever is strange about it: all goes but what tells which one it is, whose, and how it stands.
pub(super) const ORDERED: Parts = Parts {
    vital: &[
        "data",
        "bookingId",
        "booking_Id",
        "clientReference",
        "client_reference",
        "status",
        // Within the terms.
        "cancelPolicyInfos",
        "refundableTag",
        "timezone",
    ],
    lists: &["hotelRemarks"],
};

/// Of what hotels are: all of it can be done without.
pub(super) const DESCRIBED: Parts = Parts {
    vital: &["data", "id"],
    lists: &["hotelImages", "hotelFacilities", "rooms", "roomAmenities", "facilityIds"],
};
