//! Which parts of Hotelbeds' answers may be left out where they can't be read, and which never are.

use wayfare_supply::lenient::Parts;

/// Of a rate that is checked. What can't be read of a price, a tax, who it is for or how it is paid costs the rate: it is not sold.
/// Terms of which anything can't be read are not known at all: nothing comes back then.
pub(super) const CHECKED: Parts = Parts {
    vital: &[
        "rateKey",
        "rateClass",
        "net",
        "sellingRate",
        "hotelMandatory",
        "packaging",
        "paymentType",
        "paymentDataRequired",
        "rates",
        "rooms",
        "adults",
        "children",
        "childrenAges",
        "taxes",
        "included",
        "amount",
        "currency",
        "clientAmount",
        "clientCurrency",
        // Some say that nothing comes back.
        "promotions",
        "code",
    ],
    lists: &[],
};

/// The same of what is found, where a room that can't be read costs no other.
pub(super) const FOUND: Parts = Parts { lists: &["rooms"], ..CHECKED };

/// Of a booking. It stands whatever is strange about it: all goes but what tells which one it is, whose, and how it stands.
pub(super) const ORDERED: Parts = Parts {
    vital: &[
        "reference",
        "clientReference",
        "status",
        "hotel",
        "rates",
        "net",
        "sellingRate",
        "hotelMandatory",
        "rateClass",
        "promotions",
        "code",
        "amount",
    ],
    lists: &[],
};

/// Of what hotels are: all of it can be done without.
pub(super) const DESCRIBED: Parts = Parts {
    vital: &["code"],
    lists: &[
        "phones",
        "rooms",
        "roomFacilities",
        "roomStays",
        "roomStayFacilities",
        "facilities",
        "images",
        "accommodations",
        "imageTypes",
        "destinations",
    ],
};
