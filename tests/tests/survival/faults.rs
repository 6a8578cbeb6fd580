//! What each fault comes to, at each supplier and for each effect.

use wayfare_launch::SupplierKind::{self, Duffel, Hotelbeds, LiteApi, TripJack};

use crate::play::{
    Effect::{self, *},
    Known::{self, *},
};

#[derive(Clone, Copy)]
pub struct Fault {
    /// As the sandbox knows it; nothing goes wrong when it is empty. Of two the second strikes the next call of the kind.
    pub fault: &'static str,
    /// What the caller is answered when nobody is killed: 200 of what is done at once, whatever it is.
    pub expected_statuses: &'static [u16],
    /// Whether the supplier has done what it was asked for, in the end, when nobody is killed.
    pub done: bool,
    pub done_after_kill: bool,
    /// How that becomes known when nobody is killed.
    pub known: Known,
    /// And when somebody is, so that nobody may have read the supplier's answer.
    pub after_kill: Known,
}

/// What may go wrong with an effect at a supplier.
pub fn faults(at: SupplierKind, effect: Effect) -> Vec<Fault> {
    let lists: &[&[Fault]] = match (at, effect) {
        (Duffel, Book) => &[ORDER, &[BROKEN_JSON, APPEARS_LATER, PAPERS_REFUSED]],
        (TripJack, Book) => &[ORDER, &[BROKEN_JSON, APPEARS_LATER, PAPERS_REFUSED], BOOK_AT_TRIPJACK],
        (LiteApi, Book) => &[CALL_AT_LITEAPI, &[APPEARS_LATER], BOOK_AT_LITEAPI],
        (Hotelbeds, Book) => &[ORDER, &[BROKEN_JSON, APPEARS_LATER, SOLD_OUT]],
        (TripJack, Ticket) => &[ORDER, &[PENDING]],
        (Duffel, Ticket) | (TripJack, Second | Moved) | (Duffel | TripJack, Replacement) => &[ORDER],
        (Duffel, Add) => &[ORDER, &[BROKEN_JSON]],
        (Duffel, Accept) => &[ORDER, &[BROKEN_JSON, CHANGE_STALE]],
        (Duffel | TripJack, Ready) => &[READY],
        (Duffel, Change) => &[CHANGE],
        (TripJack, Change) => &[CHANGE, &[PENDING]],
        (Duffel, Cancel | Release) => &[CANCEL_AT_DUFFEL],
        (TripJack, Cancel | Part) => &[CANCEL_BY_DESK, CANCEL_AT_TRIPJACK],
        // Nobody else takes a part of an order back.
        (Duffel | LiteApi | Hotelbeds, Part) => &[],
        (TripJack, Release) => &[ORDER, RELEASE_AT_TRIPJACK],
        (LiteApi, Cancel) => &[CALL_AT_LITEAPI],
        (Hotelbeds, Cancel) => &[ORDER, &[BROKEN_JSON]],
        (Duffel, Original) => &[ORIGINAL_AT_DUFFEL],
        (TripJack, Original | Journey) => &[ORIGINAL_AT_TRIPJACK],
        // Duffel sells no halves and gives back no journey alone, and TripJack sells nothing for an order that stands.
        (Duffel, Second | Moved | Journey) | (TripJack, Add) => &[],
        // TripJack asks nobody whether its airlines may change flights.
        (TripJack, Accept) => &[],
        // A stay is one order, and it is neither held, nor added to, nor replaced.
        (
            LiteApi | Hotelbeds,
            Release | Ticket | Second | Add | Accept | Ready | Change | Replacement | Original | Moved
            | Journey,
        ) => &[],
    };
    lists.concat()
}

/// What becomes of a cancellation that may have been sent and was not, and how that is known. Duffel is asked once more for
/// what it has quoted. LiteAPI and Hotelbeds carry it out in the call or never, and so does TripJack with a hold; an
/// amendment there may turn up at any time.
pub fn unsent_cancellation(at: SupplierKind, effect: Effect) -> (bool, Known) {
    match (at, effect) {
        (Duffel, _) => (true, ByItself),
        (TripJack, Cancel | Part) => (false, FromOperator),
        (LiteApi | Hotelbeds | TripJack, _) => (false, ByItself),
    }
}

/// Whatever is ordered: a booking, which is found, or not, after the longest processing time at the latest; an order on
/// which others hang; the payment of a hold, a service, an accepted change, and what is given back in the call or never, which the order tells
/// of.
#[rustfmt::skip]
const ORDER: &[Fault] = &[
    //    fault           expected done
    fault("",             &[200],  true),
    fault("status:422",   &[409],  false),
    fault("rate_limited", &[503],  false),
    fault("status:500",   &[202],  false),
    fault("drop_before",  &[202],  false),
    fault("drop_after",   &[202],  true),
];

const BROKEN_JSON: Fault = fault("broken_json", &[202], false);
/// Not found until then at Duffel; at TripJack found, and pending.
const APPEARS_LATER: Fault = fault("appears_after:1500", &[202], true);
/// A refusal that names a field of a traveller's papers.
const PAPERS_REFUSED: Fault = fault("papers_refused", &[409], false);
/// A refusal that says that the airline has changed the flights once more.
const CHANGE_STALE: Fault = fault("change_stale", &[409], false);
/// TripJack takes a booking, or a payment, and decides on it later.
const PENDING: Fault = fault("pending:2", &[200], true);
const BOOK_AT_TRIPJACK: &[Fault] = &[PENDING, fault("aborted:2", &[409], false)];
/// A refusal that comes with HTTP 500 at Hotelbeds, whose words tell it from what nobody knows.
const SOLD_OUT: Fault = fault("sold_out", &[409], false);

/// LiteAPI books a reference of ours once, so that a look-up by it is sure. Of its codes only some say that nothing was
/// booked. A cancellation is carried out in the call or never, and the booking tells which.
#[rustfmt::skip]
const CALL_AT_LITEAPI: &[Fault] = &[
    //    fault           expected done
    fault("",             &[200],  true),
    fault("status:422",   &[202],  false),
    fault("rate_limited", &[503],  false),
    fault("status:500",   &[202],  false),
    BROKEN_JSON,
    fault("drop_before",  &[202],  false),
    fault("drop_after",   &[202],  true),
];

/// What it takes without confirming it is looked up.
const BOOK_AT_LITEAPI: &[Fault] =
    &[SOLD_OUT, fault("pending:2", &[202], true), fault("aborted:2", &[202], false)];

/// The cancellation of what was replaced: nobody gives it up but the supplier that refuses it. One that did not arrive is
/// confirmed once more.
#[rustfmt::skip]
const ORIGINAL_AT_DUFFEL: &[Fault] = &[
    //           fault             expected done   known          after a kill
    cancellation("",               &[200],  true,  ByItself,      ByItself),
    cancellation("status:422",     &[200],  false, ByItself,      ByItself),
    cancellation("rate_limited",   &[202],  true,  ByItself,      ByItself),
    cancellation("status:500",     &[202],  true,  ByItself,      ByItself),
    cancellation("drop_before",    &[202],  true,  ByItself,      ByItself),
    cancellation("drop_after",     &[202],  true,  ByItself,      ByItself),
    cancellation("refund_later:2", &[202],  true,  ByItself,      ByItself),
];

/// The same where nothing tells that an amendment did not arrive but the supplier's desk.
#[rustfmt::skip]
const ORIGINAL_AT_TRIPJACK: &[Fault] = &[
    //           fault             expected done   known         after a kill
    cancellation("",               &[200],  true,  ByItself,     ByItself),
    cancellation("status:422",     &[200],  false, ByItself,     ByItself),
    cancellation("rate_limited",   &[202],  true,  ByItself,     ByItself),
    cancellation("status:500",     &[202],  false, FromOperator, FromOperator),
    cancellation("drop_before",    &[202],  false, FromOperator, FromOperator),
    cancellation("drop_after",     &[202],  true,  ByItself,     ByItself),
    cancellation("rejected:2",     &[202],  false, ByItself,     ByItself),
];

/// An amendment: the order tells what was carried out; that nothing was, and won't be, only the refusal itself does, or the
/// supplier's desk.
#[rustfmt::skip]
const CANCEL_BY_DESK: &[Fault] = &[
    //           fault           expected done   known         after a kill
    cancellation("",             &[200],  true,  ByItself,     ByItself),
    cancellation("status:422",   &[409],  false, ByItself,     FromOperator),
    cancellation("rate_limited", &[503],  false, ByItself,     FromOperator),
    cancellation("status:500",   &[202],  false, FromOperator, FromOperator),
    cancellation("drop_before",  &[202],  false, FromOperator, FromOperator),
    cancellation("drop_after",   &[202],  true,  ByItself,     ByItself),
];

/// Two steps, of tickets and holds alike. A refusal that nobody could write down is as good as silence, and after silence
/// the same cancellation is confirmed once more: what that one's answer is decides nothing.
#[rustfmt::skip]
const CANCEL_AT_DUFFEL: &[Fault] = &[
    //           fault                    expected done   known          after a kill
    cancellation("",                       &[200], true,  ByItself,      ByItself),
    cancellation("status:422",             &[409], false, ByItself,      ByItself).done_after_kill(),
    cancellation("rate_limited",           &[503], false, ByItself,      ByItself).done_after_kill(),
    cancellation("status:500",             &[202], true,  ByItself,      ByItself),
    cancellation("drop_before",            &[202], true,  ByItself,      ByItself),
    cancellation("drop_after",             &[202], true,  ByItself,      ByItself),
    cancellation("refund_later:2",         &[202], true,  ByItself,      ByItself),
    cancellation("drop_before drop_after", &[202], true,  ByItself,      ByItself),
    cancellation("drop_before slow:2600",  &[202], true,  ByItself,      ByItself),
    // The first is carried out after the second was refused.
    cancellation(REFUSED_REPEAT,           &[202], true,  ByItself,      ByItself),
    // Neither is.
    cancellation("drop_before status:422", &[202], false, AsQuoteLapses, AsQuoteLapses),
];

/// A change that was made ready, or not, is nothing until it is confirmed: whatever the answer, it was not done.
#[rustfmt::skip]
const READY: &[Fault] = &[
    //    fault               expected done
    fault("status:422",       &[409],  false),
    fault("rate_limited",     &[503],  false),
    fault("status:500",       &[503],  false),
    fault("broken_json",      &[503],  false),
    fault("drop_before",      &[503],  false),
    fault("drop_after",       &[503],  false),
    fault("price_changed:20", &[400],  false),
];

/// The confirmation of a change. It is never sent again, and one that did not arrive may be carried out until it expires: only
/// then is it sure that it was not.
#[rustfmt::skip]
const CHANGE: &[Fault] = &[
    //           fault          expected done   known          after a kill
    cancellation("",             &[200], true,  ByItself,      ByItself),
    cancellation("status:422",   &[409], false, ByItself,      AsQuoteLapses),
    cancellation("rate_limited", &[503], false, ByItself,      AsQuoteLapses),
    cancellation("status:500",   &[202], false, AsQuoteLapses, AsQuoteLapses),
    cancellation("broken_json",  &[202], false, AsQuoteLapses, AsQuoteLapses),
    cancellation("drop_before",  &[202], false, AsQuoteLapses, AsQuoteLapses),
    cancellation("drop_after",   &[202], true,  ByItself,      ByItself),
];

/// A confirmation that Duffel takes its time for, and a second one, which it refuses.
pub const REFUSED_REPEAT: &str = "slow:9000 status:422";

/// An amendment is requested and decided later, also long after the processing time. Its answer brings the id under which
/// a rejection is told: who has lost that has only the order, which tells what was carried out.
const CANCEL_AT_TRIPJACK: &[Fault] = &[
    fault("refund_later:2", &[202], true),
    fault("refund_later:15", &[202], true),
    cancellation("rejected:2", &[202], false, ByItself, FromOperator),
];

/// A hold is let go at once, and the order tells it. One that was said to be let go and is not is never taken for held
/// again without the supplier's desk, unless nobody could read that it was said.
const RELEASE_AT_TRIPJACK: &[Fault] = &[
    fault("refund_later:2", &[202], true),
    cancellation("rejected:2", &[202], false, FromOperator, ByItself),
];

const fn fault(fault: &'static str, expected_statuses: &'static [u16], done: bool) -> Fault {
    cancellation(fault, expected_statuses, done, ByItself, ByItself)
}

const fn cancellation(
    fault: &'static str,
    expected_statuses: &'static [u16],
    done: bool,
    known: Known,
    after_kill: Known,
) -> Fault {
    Fault { fault, expected_statuses, done, done_after_kill: done, known, after_kill }
}

impl Fault {
    /// It is done when the supplier's answer was lost with whoever was killed.
    const fn done_after_kill(self) -> Self {
        Self { done_after_kill: true, ..self }
    }
}
