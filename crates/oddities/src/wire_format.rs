//! The words of each supplier's wire format, by what they mean. They are written from suppliers' documents and recorded
//! answers, not from the adapters.

use std::sync::LazyLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wire {
    /// Duffel Flights API v2.
    Duffel,
    /// TripJack Air API v1.
    Tripjack,
    /// LiteAPI v3.0, hotels.
    Liteapi,
    /// Hotelbeds APItude 1.0, hotels.
    Hotelbeds,
}

impl Wire {
    pub const ALL: [Self; 4] = [Self::Duffel, Self::Tripjack, Self::Liteapi, Self::Hotelbeds];

    pub fn code(self) -> &'static str {
        match self {
            Self::Duffel => "duffel",
            Self::Tripjack => "tripjack",
            Self::Liteapi => "liteapi",
            Self::Hotelbeds => "hotelbeds",
        }
    }

    /// The wire format of the supplier of this code.
    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|wire| wire.code() == code)
    }

    pub(crate) fn words(self) -> &'static Words {
        match self {
            Self::Duffel => &DUFFEL,
            Self::Tripjack => &TRIPJACK,
            Self::Liteapi => &LITEAPI,
            Self::Hotelbeds => &HOTELBEDS,
        }
    }
}

/// What is where in a wire format. Places are ends of paths ([`crate::walk::ends_as`]).
pub(crate) struct Words {
    pub amounts: Vec<&'static str>,
    /// Objects of people, and the members of their given and family names.
    pub people: &'static [(&'static str, &'static str, &'static str)],
    /// Times of a place that is known otherwise: `2027-02-10T06:30`.
    pub local_times: Vec<&'static str>,
    pub instants: Vec<&'static str>,
    pub flight_numbers: Vec<&'static str>,
    /// Codes of airports, airlines, countries and currencies.
    pub codes: Vec<&'static str>,
    /// Words of a list that the supplier has: states, kinds, classes.
    pub words: Vec<&'static str>,
    pub texts: Vec<&'static str>,
    /// What goes back to the supplier: the text, or each of a list.
    pub keys: Vec<&'static str>,
    /// Of these what goes back in a path, where the supplier's own are of letters, digits, `_` and `-`.
    pub path_keys: Vec<&'static str>,
    /// Objects whose members' names go back to the supplier.
    pub keyed: Vec<&'static str>,
    /// Objects whose members' names are values: no unknown member can be among them.
    pub maps: Vec<&'static str>,
    pub unordered: Vec<&'static str>,
    /// Members that are null, absent or empty in some answers.
    pub optional: Vec<&'static str>,
    /// Members that stand under a second name, so many objects further out.
    pub doubled: &'static [(&'static str, usize, &'static str)],
}

/// The names in this text, with blanks between.
fn names(text: &'static str) -> Vec<&'static str> {
    text.split_whitespace().collect()
}

static DUFFEL: LazyLock<Words> = LazyLock::new(|| Words {
    amounts: names(
        "total_amount base_amount tax_amount penalty_amount refund_amount change_total_amount
         penalty_total_amount new_total_amount",
    ),
    people: &[("passengers", "given_name", "family_name")],
    local_times: names("departing_at arriving_at"),
    instants: names(
        "created_at expires_at payment_required_by price_guarantee_expires_at cancelled_at confirmed_at
         void_window_ends_at paid_at synced_at",
    ),
    flight_numbers: names("marketing_carrier_flight_number operating_carrier_flight_number"),
    codes: names(
        "iata_code iata_country_code iata_city_code total_currency base_currency tax_currency
         penalty_currency refund_currency change_total_currency penalty_total_currency new_total_currency",
    ),
    words: names("type cabin_class refund_to available_actions action_taken"),
    texts: names("name fare_brand_name city_name cabin_class_marketing_name disclosures"),
    keys: names(
        "data.id offers.id passengers.id slices.id segments.id available_services.id services.id
         order_change_offers.id airline_initiated_changes.id passenger_id passenger_ids segment_id
         segment_ids order_id offer_id infant_passenger_id passengers.passenger_id meta.after meta.before
         object.id added.id removed.id add.id remove.id",
    ),
    path_keys: names(
        "data.id offers.id order_change_offers.id airline_initiated_changes.id order_id offer_id object.id",
    ),
    keyed: Vec::new(),
    maps: names("metadata"),
    unordered: names(
        "offers data.passengers documents available_services booking_references passenger_ids baggages
         order_change_offers",
    ),
    optional: names(
        "origin_terminal destination_terminal aircraft operating_carrier operating_carrier_flight_number
         stops fare_brand_name segments.duration slices.duration cabin_class_marketing_name logo_symbol_url
         logo_lockup_url conditions_of_carriage_url fare_basis_code private_fares
         supported_loyalty_programmes total_emissions_kg disclosures void_window_ends_at synced_at
         booking_references",
    ),
    doubled: &[
        ("departing_at", 0, "departure_datetime"),
        ("arriving_at", 0, "arrival_datetime"),
        ("origin_terminal", 0, "departure_terminal"),
        ("total_currency", 0, "currency"),
    ],
});

static TRIPJACK: LazyLock<Words> = LazyLock::new(|| Words {
    amounts: names(
        "fC.* afC.TAF.* afC.NCM.* amount additionalFee fcs.* oldFare newFare amendmentCharges refundAmount
         refundableAmount totalFare",
    ),
    people: &[("travellerInfos", "fN", "lN"), ("travellers", "fN", "lN")],
    local_times: names("dt at sct timeLimit createdOn"),
    instants: Vec::new(),
    flight_numbers: names("fD.fN"),
    codes: names(
        "da.code aa.code so.code aI.code oB.code pc.code fromCityOrAirport.code cityCode countryCode",
    ),
    words: names("order.status amendmentStatus statusMap.* cc pt"),
    texts: names("name city country desc policyInfo miscInfo"),
    keys: names(
        "totalPriceList.id sI.id bookingId amendmentId requestId requestIds travellerInfos.id travellers.id
         ssrInfo.*.code sInfo.code",
    ),
    path_keys: Vec::new(),
    keyed: names("tripSeat tbi"),
    maps: names(
        "tripInfos fd fC TAF NCM ssrInfo tbi tbi.* farerule fareRule tfr tripSeatMap tripSeat pnrDetails
         gdsPnrs ticketNumberDetails statusMap ssrBaggageInfos ssrMealInfos ssrSeatInfos amendmentInfo
         paxInfo itemInfos",
    ),
    unordered: names(
        "tripInfos.ONWARD tripInfos.RETURN tripInfos.COMBO totalPriceList travellerInfos travellers
         ssrInfo.* sInfo msri",
    ),
    optional: names(
        "terminal stops cT eT msri messages tai bI icca mI isHB pc ac gdsPnrs da.city aa.city da.country
         aa.country aI.name createdOn desc ffas",
    ),
    doubled: &[
        ("refundableAmount", 0, "refundAmount"),
        ("order.bookingId", 1, "bookingId"),
        ("order.status", 1, "orderStatus"),
        ("order.amount", 1, "amount"),
    ],
});

static LITEAPI: LazyLock<Words> = LazyLock::new(|| Words {
    amounts: names("amount price refund_amount cancellation_fee commission amountRefunded remainingCredit"),
    people: &[
        ("holder", "firstName", "lastName"),
        ("guests", "firstName", "lastName"),
        ("bookedRooms", "firstName", "lastName"),
        ("data", "firstName", "lastName"),
    ],
    local_times: names("cancelTime createdAt updatedAt"),
    instants: names("created_at"),
    flight_numbers: Vec::new(),
    codes: names("currency boardType refundableTag timezone country countryCode"),
    words: names("data.status"),
    texts: names(
        "name boardName description hotelRemarks remarks address city termsAndConditions hotelDescription
         caption hotelFacilities facility",
    ),
    keys: names("offerId prebookId bookingId booking_Id hotelConfirmationCode"),
    // Until a hotel tells its own number, its code is the booking's id.
    path_keys: names("bookingId booking_Id hotelConfirmationCode"),
    keyed: Vec::new(),
    maps: Vec::new(),
    unordered: names("data hotels rates roomTypes cancelPolicyInfos taxesAndFees bookedRooms guests"),
    optional: names(
        "hotelRemarks remarks thumbnail rating perks promotions mappedRoomId priceType supplierId rateType
         termsAndConditions updatedAt voucherCode trackingId childrenAges main_photo address maxOccupancy
         boardName hotelConfirmationCode",
    ),
    doubled: &[
        ("bookedRooms.cancellationPolicies", 1, "cancellationPolicies"),
        ("booking_Id", 0, "bookingId"),
        ("client_reference", 0, "clientReference"),
        ("created_at", 0, "createdAt"),
        ("city", 0, "city_name"),
    ],
});

static HOTELBEDS: LazyLock<Words> = LazyLock::new(|| Words {
    amounts: names(
        "net sellingRate amount clientAmount minRate maxRate totalNet totalSellingRate pendingAmount
         cancellationAmount",
    ),
    people: &[("holder", "name", "surname"), ("paxes", "name", "surname")],
    local_times: Vec::new(),
    instants: names("cancellationPolicies.from"),
    flight_numbers: Vec::new(),
    codes: names(
        "currency clientCurrency boardCode rateClass rateType paymentType categoryCode destinationCode",
    ),
    words: names("booking.status bookings.status"),
    texts: names(
        "hotel.name hotels.name rooms.name boardName zoneName categoryName destinationName rateComments
         promotions.name promotions.remark offers.name content",
    ),
    // References of bookings are of digits, and nothing else goes into a path.
    keys: names("rateKey"),
    path_keys: Vec::new(),
    keyed: Vec::new(),
    maps: Vec::new(),
    unordered: names(
        "hotels rates cancellationPolicies taxes.taxes promotions offers paxes bookings phones facilities",
    ),
    optional: names(
        "promotions offers rateCommentsId categoryName zoneName minRate maxRate auditData
         modificationPolicies invoiceCompany pendingAmount remark creationUser destinationName zoneCode
         allotment boardName",
    ),
    doubled: &[
        ("hotel.totalNet", 1, "totalNet"),
        ("hotel.currency", 1, "currency"),
        ("hotel.cancellationAmount", 1, "cancellationAmount"),
    ],
});
