//! Which parts of Duffel's answers may be left out where they can't be read, and which never are.

use wayfare_supply::lenient::Parts;

/// Of what is offered. What can't be read of a price, of what comes back, of who it is for or which papers it wants costs the
/// offer: it is not sold.
pub(super) const OFFERED: Parts = Parts {
    vital: &[
        "base_amount",
        "base_currency",
        "total_amount",
        "total_currency",
        "conditions",
        "refund_before_departure",
        "change_before_departure",
        "allowed",
        "penalty_amount",
        "penalty_currency",
        "passenger_identity_documents_required",
        "supported_passenger_identity_document_types",
        "allowed_passenger_identity_document_types",
        "slices",
        "segments",
        // Of a bag, which would be none without it; and who a passenger is.
        "type",
        "quantity",
        // What was done about a change of an airline's.
        "action_taken",
        // Of a service: which bag it is, how many may be had, and for whom.
        "metadata",
        "maximum_quantity",
        "passenger_ids",
        "segment_ids",
    ],
    lists: &[
        "supported_loyalty_programmes",
        "disclosures",
        "cabins",
        "rows",
        "sections",
        "elements",
        "available_services",
    ],
};

/// Of an order. It stands whatever is strange about it: all goes but what tells which one it is, whether it stands and whether it
/// is paid.
pub(super) const ORDERED: Parts = Parts {
    vital: &["id", "cancelled_at", "payment_status", "awaiting_payment", "paid_at", "payment_required_by"],
    lists: &["documents", "booking_references"],
};

/// Of what gives money back or changes an order: nothing of it goes but until when it may be confirmed.
pub(super) const GIVEN_BACK: Parts =
    Parts { vital: &["id", "confirmed_at", "refund_amount", "refund_currency", "refund_to"], lists: &[] };
