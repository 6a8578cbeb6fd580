//! What each fault comes to, at each supplier and for each effect.

use wayfare_tests::Wire::{self, Duffel, Hotelbeds, LiteApi, TripJack};

use crate::play::{
    Effect::{self, *},
    Known::{self, *},
};

/// A fault and what comes of it.
#[derive(Clone, Copy)]
pub struct Fault {
    /// As the sandbox knows it; nothing goes wrong when it is empty.
    pub fault: &'static str,
    /// What the caller is told when nobody is killed: 200 of what is done at once, whatever it is.
    pub told: &'static [u16],
    /// Whether the supplier has done what it was asked for, in the end.
    pub done: bool,
    /// How that becomes known when nobody is killed.
    pub known: Known,
    /// And when somebody is, so that nobody may have read the supplier's answer.
    pub after_kill: Known,
}

/// What may go wrong with an effect at a supplier.
pub fn faults(at: Wire, effect: Effect) -> Vec<Fault> {
    match (at, effect) {
        (Duffel, Book) => BOOK.to_vec(),
        (TripJack, Book) => [BOOK, BOOK_AT_TRIPJACK].concat(),
        (Duffel, Cancel | Release) => CANCEL_AT_DUFFEL.to_vec(),
        (TripJack, Cancel) => CANCEL_AT_TRIPJACK.to_vec(),
        (TripJack, Release) => RELEASE_AT_TRIPJACK.to_vec(),
        (Duffel, Ticket) => TICKET.to_vec(),
        (TripJack, Ticket) => [TICKET, TICKET_AT_TRIPJACK].concat(),
        (TripJack, Second) | (Duffel | TripJack, Replacement) => SECOND.to_vec(),
        (Duffel, Add) => ADD.to_vec(),
        (Duffel, Original) => ORIGINAL_AT_DUFFEL.to_vec(),
        (TripJack, Original) => ORIGINAL_AT_TRIPJACK.to_vec(),
        // Duffel sells no halves, and TripJack nothing for an order that stands.
        (Duffel, Second) | (TripJack, Add) => Vec::new(),
        (LiteApi, Book) => BOOK_AT_LITEAPI.to_vec(),
        (Hotelbeds, Book) => [BOOK, BOOK_AT_HOTELBEDS].concat(),
        (LiteApi, Cancel) => CANCEL_AT_LITEAPI.to_vec(),
        (Hotelbeds, Cancel) => CANCEL_AT_HOTELBEDS.to_vec(),
        // A stay is one order, and it is neither held, nor added to, nor replaced.
        (LiteApi | Hotelbeds, Release | Ticket | Second | Add | Replacement | Original) => Vec::new(),
    }
}

/// How it becomes known that a cancellation that may have been sent was not carried out. Duffel carries out what it has
/// quoted, and its quote lapses. LiteAPI carries it out in the call or never. What TripJack and Hotelbeds say of the cost
/// is no quote that lapses: an amendment or a cancellation may turn up at any time.
pub fn silence_about_cancellation(at: Wire) -> Known {
    match at {
        Duffel => AsQuoteLapses,
        LiteApi => ByItself,
        TripJack | Hotelbeds => FromOperator,
    }
}

/// Orders are found, or not, after the longest processing time at the latest.
#[rustfmt::skip]
const BOOK: &[Fault] = &[
    //    fault                 told    done
    fault("",                   &[200], true),
    fault("status:422",         &[409], false),
    fault("rate_limited",       &[503], false),
    fault("status:500",         &[202], false),
    fault("broken_json",        &[202], false),
    fault("drop_before",        &[202], false),
    fault("drop_after",         &[202], true),
    // Not found until then at Duffel; at TripJack found, and pending.
    fault("appears_after:1500", &[202], true),
];

/// An order on which others hang: one that is there before it, or one that is given back after it.
#[rustfmt::skip]
const SECOND: &[Fault] = &[
    //    fault           told    done
    fault("",             &[200], true),
    fault("status:422",   &[409], false),
    fault("rate_limited", &[503], false),
    fault("status:500",   &[202], false),
    fault("drop_before",  &[202], false),
    fault("drop_after",   &[202], true),
];

/// A service for an order that stands: the order tells whether it is on it.
#[rustfmt::skip]
const ADD: &[Fault] = &[
    //    fault           told    done
    fault("",             &[200], true),
    fault("status:422",   &[409], false),
    fault("rate_limited", &[503], false),
    fault("status:500",   &[202], false),
    fault("broken_json",  &[202], false),
    fault("drop_before",  &[202], false),
    fault("drop_after",   &[202], true),
];

/// The cancellation of what was replaced: nobody gives it up but the supplier that refuses it, so that one that did not
/// arrive is asked for anew.
#[rustfmt::skip]
const ORIGINAL_AT_DUFFEL: &[Fault] = &[
    //           fault             told    done   known          after a kill
    cancellation("",               &[200], true,  ByItself,      ByItself),
    cancellation("status:422",     &[200], false, ByItself,      ByItself),
    cancellation("rate_limited",   &[202], true,  ByItself,      ByItself),
    cancellation("status:500",     &[202], true,  AsQuoteLapses, AsQuoteLapses),
    cancellation("drop_before",    &[202], true,  AsQuoteLapses, AsQuoteLapses),
    cancellation("drop_after",     &[202], true,  ByItself,      ByItself),
    cancellation("refund_later:2", &[202], true,  ByItself,      ByItself),
];

/// The same where nothing tells that an amendment did not arrive but the supplier's desk.
#[rustfmt::skip]
const ORIGINAL_AT_TRIPJACK: &[Fault] = &[
    //           fault             told    done   known         after a kill
    cancellation("",               &[200], true,  ByItself,     ByItself),
    cancellation("status:422",     &[200], false, ByItself,     ByItself),
    cancellation("rate_limited",   &[202], true,  ByItself,     ByItself),
    cancellation("status:500",     &[202], false, FromOperator, FromOperator),
    cancellation("drop_before",    &[202], false, FromOperator, FromOperator),
    cancellation("drop_after",     &[202], true,  ByItself,     ByItself),
    cancellation("rejected:2",     &[202], false, ByItself,     ByItself),
];

/// TripJack takes a booking and decides on it later.
#[rustfmt::skip]
const BOOK_AT_TRIPJACK: &[Fault] = &[
    //    fault        told    done
    fault("pending:2", &[200], true),
    fault("aborted:2", &[409], false),
];

/// LiteAPI books a reference of ours once, so that a look-up by it is sure. Of its codes only some say that nothing was
/// booked; what it takes without confirming it is looked up.
#[rustfmt::skip]
const BOOK_AT_LITEAPI: &[Fault] = &[
    //    fault                 told    done
    fault("",                   &[200], true),
    fault("sold_out",           &[409], false),
    fault("status:422",         &[202], false),
    fault("rate_limited",       &[503], false),
    fault("status:500",         &[202], false),
    fault("broken_json",        &[202], false),
    fault("drop_before",        &[202], false),
    fault("drop_after",         &[202], true),
    fault("appears_after:1500", &[202], true),
    fault("pending:2",          &[202], true),
    fault("aborted:2",          &[202], false),
];

/// A refusal that comes with HTTP 500, whose words tell it from what nobody knows.
const BOOK_AT_HOTELBEDS: &[Fault] = &[fault("sold_out", &[409], false)];

/// Carried out in the call or never, and the booking tells which.
#[rustfmt::skip]
const CANCEL_AT_LITEAPI: &[Fault] = &[
    //    fault           told    done
    fault("",             &[200], true),
    fault("status:422",   &[202], false),
    fault("rate_limited", &[503], false),
    fault("status:500",   &[202], false),
    fault("broken_json",  &[202], false),
    fault("drop_before",  &[202], false),
    fault("drop_after",   &[202], true),
];

/// The booking tells what was carried out; that nothing was, and won't be, only the refusal itself does.
#[rustfmt::skip]
const CANCEL_AT_HOTELBEDS: &[Fault] = &[
    //           fault           told    done   known         after a kill
    cancellation("",             &[200], true,  ByItself,     ByItself),
    cancellation("status:422",   &[409], false, ByItself,     FromOperator),
    cancellation("rate_limited", &[503], false, ByItself,     FromOperator),
    cancellation("status:500",   &[202], false, FromOperator, FromOperator),
    cancellation("broken_json",  &[202], false, FromOperator, FromOperator),
    cancellation("drop_before",  &[202], false, FromOperator, FromOperator),
    cancellation("drop_after",   &[202], true,  ByItself,     ByItself),
];

/// The payment of a hold: the order tells whether it was made.
#[rustfmt::skip]
const TICKET: &[Fault] = &[
    //    fault           told    done
    fault("",             &[200], true),
    fault("status:422",   &[409], false),
    fault("rate_limited", &[503], false),
    fault("status:500",   &[202], false),
    fault("drop_before",  &[202], false),
    fault("drop_after",   &[202], true),
];

const TICKET_AT_TRIPJACK: &[Fault] = &[fault("pending:2", &[200], true)];

/// Two steps, of tickets and holds alike: a refusal that nobody could write down is as good as silence.
#[rustfmt::skip]
const CANCEL_AT_DUFFEL: &[Fault] = &[
    //           fault             told    done   known           after a kill
    cancellation("",               &[200], true,  ByItself,      ByItself),
    cancellation("status:422",     &[409], false, ByItself,      AsQuoteLapses),
    cancellation("rate_limited",   &[503], false, ByItself,      AsQuoteLapses),
    cancellation("status:500",     &[202], false, AsQuoteLapses, AsQuoteLapses),
    cancellation("drop_before",    &[202], false, AsQuoteLapses, AsQuoteLapses),
    cancellation("drop_after",     &[202], true,  ByItself,      ByItself),
    cancellation("refund_later:2", &[202], true,  ByItself,      ByItself),
];

/// An amendment is requested and decided later. Its answer brings the id under which a rejection is told: who has lost
/// that has only the order, which tells what was carried out.
#[rustfmt::skip]
const CANCEL_AT_TRIPJACK: &[Fault] = &[
    //           fault             told    done   known         after a kill
    cancellation("",               &[200], true,  ByItself,     ByItself),
    cancellation("status:422",     &[409], false, ByItself,     FromOperator),
    cancellation("rate_limited",   &[503], false, ByItself,     FromOperator),
    cancellation("status:500",     &[202], false, FromOperator, FromOperator),
    cancellation("drop_before",    &[202], false, FromOperator, FromOperator),
    cancellation("drop_after",     &[202], true,  ByItself,     ByItself),
    cancellation("refund_later:2", &[202], true,  ByItself,     ByItself),
    cancellation("rejected:2",     &[202], false, ByItself,     FromOperator),
];

/// A hold is let go at once, and the order tells it. One that was said to be let go and is not is never taken for held
/// again without the supplier's desk.
#[rustfmt::skip]
const RELEASE_AT_TRIPJACK: &[Fault] = &[
    //           fault             told    done   known         after a kill
    cancellation("",               &[200], true,  ByItself,     ByItself),
    cancellation("status:422",     &[409], false, ByItself,     FromOperator),
    cancellation("rate_limited",   &[503], false, ByItself,     FromOperator),
    cancellation("status:500",     &[202], false, FromOperator, FromOperator),
    cancellation("drop_before",    &[202], false, FromOperator, FromOperator),
    cancellation("drop_after",     &[202], true,  ByItself,     ByItself),
    cancellation("refund_later:2", &[202], true,  ByItself,     ByItself),
    cancellation("rejected:2",     &[202], false, FromOperator, FromOperator),
];

const fn fault(fault: &'static str, told: &'static [u16], done: bool) -> Fault {
    cancellation(fault, told, done, ByItself, ByItself)
}

const fn cancellation(
    fault: &'static str,
    told: &'static [u16],
    done: bool,
    known: Known,
    after_kill: Known,
) -> Fault {
    Fault {
        fault,
        told,
        done,
        known,
        after_kill,
    }
}
