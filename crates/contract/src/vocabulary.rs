//! The API's words: each set is an enumeration that also holds words that are newer than this crate.

#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::word_list::words;

words! {
    /// What a user may do.
    Role {
        /// Sees and manages the whole organization, and pays from its wallet.
        OrgAdmin = "org_admin",
        /// Own bookings, own wallet, own profile.
        Agent = "agent",
    }
    /// What an operator may do; each may read all.
    OperatorRole {
        /// Reads.
        Viewer = "viewer",
        /// Decides incidents, and corrects and rules on bookings.
        Desk = "desk",
        /// Moves money; sets terms, contracts and rates.
        Finance = "finance",
        /// Does all of it, and looks after operators and agencies.
        Admin = "admin",
    }
    /// Whether a supplier's circuit breaker lets calls through.
    BreakerState {
        /// All of them.
        Closed = "closed",
        /// None for a while: the supplier fails again and again, or the probe that finds out whether it is back is on its way.
        Open = "open",
        /// The next one, as the probe.
        HalfOpen = "half_open",
    }
    /// What kind of thing was bought.
    ProductKind {
        /// An itinerary.
        Flight = "flight",
        /// A stay.
        Hotel = "hotel",
    }
    /// What is out of order.
    IncidentKind {
        /// A step is open past the deadline: nobody knows what became of it at its supplier.
        OutcomeUnknown = "outcome_unknown",
        /// An order was made at the supplier although its booking had failed: the supplier charges us, no wallet pays.
        OrderWithoutBooking = "order_without_booking",
        /// The supplier charged another total than it had quoted.
        OtherTotal = "other_total",
        /// A supplier keeps a part of an order that was given back because its booking had failed: nobody is charged for it.
        PenaltyKept = "penalty_kept",
        /// The supplier has cancelled an order that stood, and nobody had asked for it.
        CancelledBySupplier = "cancelled_by_supplier",
        /// The supplier gave another amount back than it had quoted.
        OtherRefund = "other_refund",
        /// The supplier names the travellers of an order so that nobody can tell surely who is who: it stands, and what it has for
        /// one of them, such as a ticket, is nobody's.
        TravellersUnclear = "travellers_unclear",
        /// Nobody can tell what comes back of an order that its agency wants to give back.
        RefundUnclear = "refund_unclear",
        /// An order that stands here is neither confirmed, held nor gone at its supplier, which has had its time.
        OrderUnsettled = "order_unsettled",
        /// An agency refuses what an airline changed so much that all should come back, and the supplier would keep a part.
        InvoluntaryRefund = "involuntary_refund",
    }
    /// What the operator has decided: the outcome of a resolution.
    IncidentOutcome {
        /// The supplier did it.
        Done = "done",
        /// Nothing happened at the supplier.
        Refused = "refused",
        /// It was handled outside of the service.
        Acknowledged = "noted",
        /// A ruling moved the money.
        Ruled = "ruled",
    }
    /// Who closed an incident, or an alarm.
    ClosedBy {
        /// Nobody: the outcome became known after all.
        Itself = "itself",
        /// The operator's resolution.
        Operator = "operator",
    }
    /// What the operator rules about an order of a booking.
    RulingKind {
        /// Its supplier cancelled it by itself and gives so much back, in its own currency.
        SupplierCancelled = "supplier_cancelled",
        /// So much more comes back to the wallet.
        Refund = "refund",
        /// The supplier has charged so much after the sale (ADM), and the wallet pays.
        DebitNote = "debit_note",
        /// The supplier has charged so much, and the operator bears it.
        WriteOff = "write_off",
    }
    /// Whether the operator's own fees come back, of an order that its supplier has cancelled.
    FeesRuling {
        /// They do.
        Return = "return",
        /// The operator keeps them.
        Keep = "keep",
    }
    /// How far a ruling is.
    RulingState {
        /// It is carried out.
        Done = "done",
        /// A debit note that the wallet did not cover: it waits, and nothing has moved.
        Due = "due",
        /// A debit note that was due, and waits no more: nothing has moved.
        Withdrawn = "withdrawn",
    }
    /// What is corrected of an order.
    CorrectedField {
        /// Its locator.
        Pnr = "pnr",
        /// The number of a traveller's ticket.
        Ticket = "ticket",
        /// The hotel's own number of a room.
        HotelNumber = "hotel_number",
    }
    /// How far a proof of the ledger is.
    VerificationState {
        /// A server is at it.
        Running = "running",
        /// It came to its end, whatever it found.
        Done = "done",
        /// It broke off.
        Failed = "failed",
        /// Its server died or was stopped.
        Lost = "lost",
    }
    /// Whether a user or an organization may act.
    Standing {
        /// They may.
        Active = "active",
        /// They may not: no log-in, and tokens are dead.
        Suspended = "suspended",
    }
    /// What an organization has subscribed to (P-120).
    Subscription as "Tier" {
        /// API and portal.
        Full = "full",
        /// API and self-service; the portal's endpoints answer 403.
        ApiOnly = "api_only",
    }
    /// Whose a wallet is.
    OwnerType {
        Organization = "org", User = "user",
    }
    /// Whose number the confirmation of a stay is.
    ConfirmationSource {
        Hotel = "hotel", Supplier = "supplier",
    }
    /// Whether somebody on a flight booking travels.
    PassengerStatus {
        /// On something of the booking that stands, or is still to be confirmed.
        Travelling = "travelling",
        /// On nothing of it any more.
        Cancelled = "cancelled",
    }
    /// Which way money moved.
    TransactionType {
        Credit = "credit", Debit = "debit",
    }
    /// Why money moved.
    RefType {
        /// Paid in, or allocated to or from an agent.
        Topup = "topup",
        /// For a booking.
        Booking = "booking",
        /// Back from a booking.
        Refund = "refund",
        /// Taken by the operator.
        Deduction = "deduction",
    }
    /// What became of the hold of a booking.
    HoldState {
        /// It is held, and not paid at the supplier.
        Held = "held",
        /// The supplier took the payment.
        Paid = "paid",
        /// The supplier let it go, unpaid.
        Lapsed = "lapsed",
        /// It was given back, unpaid.
        Released = "released",
    }
    /// How a markup is stated.
    MarkupType as "MarkupKind" {
        /// An amount.
        Flat = "flat",
        /// Per cent, 0 to 100.
        Percent = "percent",
    }
    /// What a percentage is taken of, and who pays for the markup.
    ApplyOn {
        /// The commission, which it lessens.
        Commission = "commission",
        /// The base fare.
        Fare = "fare",
        /// The whole price.
        Total = "total",
    }
    /// The calendar period of a fare ledger, in the organization's time zone.
    Period {
        /// Since Monday.
        Weekly = "weekly",
        /// Since the first of the month.
        Monthly = "monthly",
    }
    /// What a report tells.
    ReportType as "ReportKind" {
        /// Each movement of money for a booking.
        Sales = "sales",
        /// What each agent booked, paid and earned.
        AgentActivity = "agent_activity",
        /// Each booking.
        Booking = "booking",
        /// Each transaction of a wallet.
        Wallet = "wallet",
    }
    /// How far a report is.
    ReportStatus {
        /// Nobody has begun it.
        Queued = "queued",
        /// Somebody is at it, or was and will be again.
        Processing = "processing",
        /// Its file is there, or has been.
        Ready = "ready",
        /// It was given up.
        Failed = "failed",
    }
    /// What a row of the fare ledger stands for.
    FareKind {
        /// An order was sold.
        Sale = "sale",
        /// It was given back, by whomever.
        Refund = "refund",
        /// More came back of it, by the operator's ruling.
        Adjustment = "adjustment",
        /// The agency had its flights changed at its supplier.
        Change = "change",
        /// Its supplier charged for it after the sale, and the agency paid.
        DebitNote = "debit_note",
        /// Its supplier charged for it, and the operator bears that: agencies never see it.
        WriteOff = "write_off",
    }
    /// How far an event is on its way to a webhook.
    DeliveryStatus {
        /// It is tried, or will be again.
        Pending = "pending",
        /// It was taken.
        Delivered = "delivered",
        /// It was given up.
        Failed = "failed",
    }
    /// What kind of trip a search is for.
    TripType {
        /// One slice.
        OneWay = "ONE_WAY",
        /// Two slices: there and back.
        Return = "RETURN",
        /// Two to six slices.
        MultiCity = "MULTI_CITY",
    }
    /// The class of travel.
    Cabin {
        Economy = "ECONOMY", PremiumEconomy = "PREMIUM_ECONOMY", Business = "BUSINESS", First = "FIRST",
    }
    /// How an offer may be bought (docs/API.md, Searches).
    OfferType as "OfferKind" {
        /// With other combinable offers of the same airline and route.
        Combinable = "combinable",
        /// As it is.
        Bundled = "bundled",
        /// One leg; the way back is another offer.
        OneWay = "one_way",
        /// As it is, native to its supplier.
        Offer = "offer",
    }
    /// What became of asking a supplier.
    SupplierState {
        /// It answered.
        Success = "success",
        /// It did not; why stands in the result's `debug`.
        Error = "error",
        /// It was not asked.
        Skipped = "skipped",
    }
    /// Whether every supplier that was asked has answered.
    SearchStatus {
        /// Every one.
        Complete = "complete",
        /// Some have failed.
        Partial = "partial",
    }
    /// A traveller's age group on the last day of travel.
    PassengerType {
        /// 12 years or older.
        Adult = "ADT",
        /// 2 to 11 years.
        Child = "CHD",
        /// Under 2 years, on an adult's lap.
        Infant = "INF",
    }
    /// How a person is addressed.
    Title {
        Mr = "Mr", Mrs = "Mrs", Ms = "Ms", Miss = "Miss", Mstr = "Mstr", Dr = "Dr",
    }
    /// As in a passport.
    Gender {
        Male = "M", Female = "F",
    }
    /// What a supplier wants to know of travellers.
    RequirementKind {
        /// `passengers[].document`.
        Passport = "passport",
        /// `passengers[].dob`.
        DateOfBirth = "date_of_birth",
        /// `gst`.
        Gst = "gst",
        /// `passengers[].tax_id`.
        TaxId = "tax_id",
        /// `passengers[].pan`.
        Pan = "pan",
        /// `passengers[].fare_document`.
        FareDocument = "fare_document",
        /// The booking's own contact, which it always has.
        EmergencyContact = "emergency_contact",
        /// `passengers[].loyalty`.
        Loyalty = "loyalty",
    }
    /// Of whom it is wanted.
    RequiredOf {
        /// Everybody.
        EachTraveller = "each_traveller",
        /// Each ADT.
        EachAdult = "each_adult",
        /// Each CHD.
        EachChild = "each_child",
        /// Each INF.
        EachInfant = "each_infant",
        /// Once, whoever travels.
        Booking = "booking",
    }
    /// The kind of a document.
    DocumentType {
        Passport = "passport",
    }
    /// Where a booking stands.
    BookingStatus {
        /// The money is held, and what the supplier made of it is not known yet.
        Pending = "pending",
        /// It stands and is paid for.
        Confirmed = "confirmed",
        /// It stood and was given back.
        Cancelled = "cancelled",
        /// It was refused; nothing was charged.
        Failed = "failed",
    }
    /// Where one supplier order of a booking stands.
    OrderStatus {
        /// Call for.
        Pending = "pending",
        /// Space is held, not paid at the supplier.
        Held = "held",
        /// Bought.
        Confirmed = "confirmed",
        /// Given back.
        Cancelled = "cancelled",
        /// Refused.
        Failed = "failed",
    }
    /// Where a ticket stands.
    TicketStatus {
        /// Not issued yet.
        Pending = "PENDING",
        /// Good for travel.
        Issued = "ISSUED",
        /// Taken back on the day of issue.
        Voided = "VOIDED",
        /// Taken back later.
        Refunded = "REFUNDED",
    }
    /// What an airline has changed of flights by itself.
    ChangeKind {
        /// They are not flown.
        FlightCancelled = "flight_cancelled",
        /// They go by other airports.
        Route = "route",
        /// They have other numbers.
        FlightNumber = "flight_number",
        /// They leave or land at another time.
        Time = "time",
        /// They are flown in another class.
        Cabin = "cabin",
        /// They leave from or land at another terminal.
        Terminal = "terminal",
    }
    /// Where a change of an airline's stands.
    ChangeState {
        /// There is nothing to decide.
        Informed = "informed",
        /// It waits for a decision.
        Open = "open",
        /// It was accepted.
        Accepted = "accepted",
        /// The agency itself has had it made.
        Chosen = "chosen",
        /// It was refused.
        Refused = "refused",
        /// A newer one has taken its place.
        Superseded = "superseded",
        /// It can't be decided on any more.
        Ended = "closed",
    }
    /// What is wanted in the place of what an airline changed.
    ChangeWish {
        /// The money.
        Refund = "refund",
        /// Other flights.
        Rebook = "rebook",
    }
    /// How other flights are had.
    RescheduleWay {
        /// The supplier changes the journey: the booking stays.
        Change = "change",
        /// They are booked, and what they take the place of is given back.
        Rebook = "rebook",
    }
    /// What became of a booking that was rescheduled.
    OriginalStatus {
        /// It, or what was named of it, was given back.
        Cancelled = "cancelled",
        /// That is not known yet.
        Pending = "pending",
        /// It stands beside the new booking.
        Failed = "failed",
        /// Its supplier has changed its flights.
        NotNeeded = "not_needed",
    }
    /// What is under way on a booking.
    PendingWhat {
        /// It is given back.
        Cancel = "cancel",
        /// Its tickets are issued.
        Ticket = "ticket",
        /// A change of its flights is accepted, or made.
        Change = "change",
        /// Something is added to it.
        Service = "service",
    }
    /// What somebody looks for in a list of bookings.
    BookingGroup {
        /// What waits for somebody.
        NeedsAttention = "needs_attention",
        /// Confirmed, and its travel is not over.
        Upcoming = "upcoming",
        /// Something of it is held.
        OnHold = "on_hold",
        /// Confirmed, and its travel is over.
        Past = "past",
        /// Cancelled or failed.
        Ended = "ended",
    }
    /// What an entry of a booking's timeline is of.
    TimelineKind as "TimelineEntryKind" {
        /// The booking was priced.
        Priced = "priced",
        /// Something became of it, or somebody wanted something.
        Event = "event",
        /// A supplier was asked for something.
        Asked = "asked",
        /// It became known what the supplier did.
        Answered = "answered",
        /// Money was asked back.
        Refund = "refund",
    }
    /// What became of what a supplier was asked for.
    TimelineOutcome {
        /// The supplier did it.
        Done = "done",
        /// Nothing happened there.
        Refused = "refused",
    }
    /// What a supplier is asked to change.
    StepKind {
        /// To make an order.
        Book = "book",
        /// To take an order back.
        Cancel = "cancel",
        /// To take the payment of a held order, and to issue its tickets.
        Ticket = "ticket",
        /// To take an order back whose booking failed.
        Compensate = "undo",
        /// To add something to an order.
        AddService = "add_service",
        /// To accept what an airline has changed.
        AcceptChange = "accept_change",
        /// To have journeys flown otherwise.
        Change = "change",
    }
    /// Where one flight of a booking stands.
    SegmentStatus {
        /// Nothing is known yet.
        Pending = "pending",
        /// It is held and not paid.
        Held = "held",
        /// It is bought.
        Confirmed = "confirmed",
        /// It came in the place of one that was sold.
        Changed = "changed",
        /// It is given back, or not flown.
        Cancelled = "cancelled",
        /// It was refused.
        Failed = "failed",
    }
    /// Where a refund stands.
    RefundStatus {
        /// Its turn at the supplier has not come.
        Pending = "pending",
        /// The supplier is asked.
        Processing = "processing",
        /// It is in the wallet.
        Refunded = "refunded",
        /// The supplier refused; nothing came back.
        Failed = "failed",
    }
    /// What is bought beside a fare.
    AncillaryType as "AncillaryKind" {
        Meal = "MEAL", Baggage = "BAGGAGE", Seat = "SEAT", Other = "OTHER",
    }
    /// For what a fare's rules take a fee.
    FeeType as "FeeKind" {
        Cancellation = "cancellation", DateChange = "date_change", NoShow = "no_show",
    }
    /// What is served in a hotel.
    MealPlan {
        RoomOnly = "room_only", Breakfast = "breakfast", HalfBoard = "half_board", FullBoard = "full_board",
        AllInclusive = "all_inclusive", Other = "other",
    }
    /// Where a stay is paid.
    PaymentType as "PaymentPlace" {
        /// From the wallet, when it is booked.
        Prepaid = "prepaid",
        /// At the hotel; such a rate is shown and not sold.
        PayAtHotel = "pay_at_hotel",
    }
    /// How a hotel booking is paid.
    PaymentStatus {
        /// It was just booked.
        Pending = "pending",
        /// From the wallet.
        Paid = "paid",
        /// Money was given back, or nothing was charged.
        Refunded = "refunded",
    }
    /// Whether a guest is grown up.
    GuestType as "GuestKind" {
        Adult = "adult", Child = "child",
    }
    /// What hotels are sorted by.
    SortField {
        Price = "price", StarRating = "star_rating", Name = "name",
    }
    /// In which direction.
    SortOrder {
        Ascending = "asc", Descending = "desc",
    }
}

impl Role {
    /// Whether its users manage their agency, and see all of it.
    pub fn is_admin(&self) -> bool {
        match self {
            Self::OrgAdmin => true,
            Self::Agent | Self::Unknown(_) => false,
        }
    }
}
