//! A trial of a supplier of flights: one adult, one way.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use wayfare_domain::{
    BookingPapers, Clock, Contact, Document, DocumentNumber, Gender, Money, OrderReference, Papers, Party,
    PassengerType, ProductKind, Title, Traveller,
};
use wayfare_flights::{
    Cabin, FareFee, FareRules, FeeKind, FlightSupplier, HoldTerms, Lookup, Offer, OrderMode, OrderRequest,
    Query, RequirementKind, Slice, SupplierOrder, TripType,
};
use wayfare_supply::{AfterSales, Answer, done_or_return};

use super::port::{
    COUNTRY, ComesBack, EMAIL, FIRST_NAMES, Found, LAST_NAME, Order, PHONE, Priced, TrialPort,
};

const PARTY: Party = Party { adults: 1, children: 0, infants: 0 };
/// A local time is so much earlier at most than the same reading of UTC, and so much later.
const FIRST_ZONE_HOURS: i64 = 14;
const LAST_ZONE_HOURS: i64 = 12;

pub struct FlightTrial {
    supplier: Arc<dyn FlightSupplier>,
    clock: Clock,
    query: Query,
}

impl FlightTrial {
    /// Of flights on this route, `DEL-BOM`, on that day.
    ///
    /// # Errors
    /// Why there is no such trip.
    pub fn new(
        supplier: Arc<dyn FlightSupplier>,
        clock: Clock,
        route: &str,
        date: NaiveDate,
    ) -> Result<Self, String> {
        let route = route.to_ascii_uppercase();
        let (from, to) = route.split_once('-').ok_or("must be a route between airports, like DEL-BOM")?;
        let query = Query {
            trip_type: TripType::OneWay,
            party: PARTY,
            cabin: Cabin::Economy,
            slices: vec![Slice::between((from, None), (to, None), date)],
            direct_only: false,
            airline: None,
        };
        query.check(clock.now()).map_err(|faults| faults.to_string())?;
        Ok(Self { supplier, clock, query })
    }
}

fn traveller() -> Traveller {
    let [first_name, _] = FIRST_NAMES;
    Traveller {
        index: 1,
        kind: PassengerType::Adult,
        title: Title::Ms,
        first_name: first_name.to_owned(),
        last_name: LAST_NAME.to_owned(),
        gender: Gender::Female,
        born_on: NaiveDate::from_ymd_opt(1988, 4, 12),
        held_by: None,
        loyalty: Vec::new(),
    }
}

/// A passport, where there is no order without one.
fn papers(offer: &Offer, now: DateTime<Utc>) -> BookingPapers {
    let passport = offer.requires.iter().find(|one| one.what == RequirementKind::Passport);
    let number =
        passport.filter(|one| one.mandatory == Some(true)).and_then(|_| DocumentNumber::read("X7310542"));
    let papers = number.map(|number| {
        let document = Document {
            number,
            issuing_country: COUNTRY.to_owned(),
            nationality: COUNTRY.to_owned(),
            issued_on: None,
            expires_on: now.date_naive() + TimeDelta::days(5 * 365),
        };
        (1, Papers { document: Some(document), ..Papers::default() })
    });
    BookingPapers { travellers: papers.into_iter().collect(), gst: None }
}

/// What comes back if it is given back at once: all only where rules say of what holds now that it costs nothing.
fn comes_back(offer: &Offer, rules: Option<&FareRules>, now: DateTime<Utc>) -> ComesBack {
    let terms = &offer.fare.refund;
    if terms.refundable != Some(true) {
        return ComesBack::Nothing;
    }
    let departure = offer.segments().map(|flight| flight.departure.and_utc()).min();
    let hours_left = departure.map_or(0, |at| (at - now).num_hours());
    // Where the offer itself names a fee, both have to say so.
    let of_offer = terms.cancel_fee.is_none_or(Money::is_zero) && terms.incomparable_fees.is_empty();
    match of_offer && rules.is_some_and(|rules| costs_nothing(&rules.fees, hours_left)) {
        true => ComesBack::All,
        false => ComesBack::Part,
    }
}

/// Whether a cancellation so many hours before departure, by a local time that was read as that of UTC, costs nothing: some fee surely
/// counts then, and each that may is none.
fn costs_nothing(fees: &[FareFee], hours_left: i64) -> bool {
    let (least, most) = (hours_left - FIRST_ZONE_HOURS, hours_left + LAST_ZONE_HOURS);
    // Whether it has begun when so many hours are left, and lasts until so many are.
    let counts = |fee: &FareFee, begun: i64, lasts: i64| {
        let begins = fee.from_hours.is_none_or(|hours| i64::from(hours) >= begun);
        begins && fee.until_hours.is_none_or(|hours| i64::from(hours) <= lasts)
    };
    let is_free = |fee: &FareFee| {
        let theirs = fee.supplier_fee.is_none_or(Money::is_zero);
        fee.allowed != Some(false) && fee.amount.is_some_and(Money::is_zero) && theirs
    };
    let mut may_count = fees
        .iter()
        .filter(|fee| fee.kind == FeeKind::Cancellation && !fee.after_departure && counts(fee, least, most));
    least > 0 && may_count.clone().any(|fee| counts(fee, most, least)) && may_count.all(is_free)
}

fn order(of: SupplierOrder) -> Order {
    Order { id: of.id, status: of.status, total: of.total }
}

impl TrialPort for FlightTrial {
    type Offer = Offer;
    type Request = OrderRequest;
    const KIND: ProductKind = ProductKind::Flight;

    fn supplier(&self) -> &dyn AfterSales {
        &*self.supplier
    }

    async fn search(&self, wanted: ComesBack) -> Answer<Found<Offer>> {
        let found = done_or_return!(self.supplier.search(&self.query).await);
        let (count, unusable) = (found.offers.len(), found.unusable.len());
        let refundable = found.offers.into_iter().filter(|offer| {
            let terms = &offer.fare.refund;
            // Some suppliers tell only of what is priced what it costs.
            let may_be_free = terms.cancel_fee.is_none_or(Money::is_zero);
            let is_sold = !offer.needs_partner() && self.query.wants(offer);
            is_sold && terms.refundable == Some(true) && (wanted < ComesBack::All || may_be_free)
        });
        let refundable = refundable.map(|offer| (offer.charge.total, offer)).collect();
        Answer::Done(Found { count, unusable, refundable })
    }

    async fn price(&self, offer: &Offer, reference: &OrderReference) -> Answer<Priced<OrderRequest>> {
        let priced = done_or_return!(self.supplier.price(&[&offer.token], PARTY).await);
        let Some(offer) = priced.offers.first() else {
            return Answer::Unknown("it was priced without an offer".to_owned());
        };
        let rules = match self.supplier.fare_rules(offer, Some(&priced)).await {
            Answer::Done(rules) => Some(rules),
            Answer::Refused(_) | Answer::Unavailable(_) | Answer::Unknown(_) => None,
        };
        let (total, now) = (offer.charge.total, self.clock.now());
        let is_held = HoldTerms::from(offer).can_hold == Some(true);
        let (travellers, papers) = (vec![traveller()], papers(offer, now));
        let last_day = offer.segments().last().map(|flight| flight.arrival.date());
        let faults = [
            self.supplier.check_travellers(&travellers),
            offer.requires.check(&travellers, &papers, last_day),
        ];
        let fault = faults.iter().find(|faults| !faults.is_empty()).map(ToString::to_string);
        let departure = offer.segments().next().map(|flight| flight.departure);
        Answer::Done(Priced {
            total,
            comes_back: comes_back(offer, rules.as_ref(), now),
            until: departure.map_or(String::new(), |at| format!("until its departure at {at} there")),
            is_held,
            lacks: fault.or_else(|| (!is_held && !offer.instant).then(|| "a way to buy it".to_owned())),
            request: OrderRequest {
                reference: reference.clone(),
                offer_token: offer.token.clone(),
                supplier_context: priced.supplier_context.clone(),
                mode: if is_held { OrderMode::Hold } else { OrderMode::Instant },
                total,
                travellers,
                contact: Contact {
                    email: EMAIL.to_owned(),
                    country_code: String::new(),
                    phone: PHONE.to_owned(),
                },
                papers,
                ancillaries: Vec::new(),
            },
        })
    }

    fn renamed(&self, request: &OrderRequest, reference: OrderReference) -> OrderRequest {
        OrderRequest { reference, ..request.clone() }
    }

    async fn book(&self, request: &OrderRequest) -> Answer<Order> {
        self.supplier.book(request).await.map(order)
    }

    async fn find(&self, order_id: Option<&str>, request: &OrderRequest) -> Answer<Option<Order>> {
        let found = self.supplier.find(Lookup { order_id, is_named_by_operator: false, request }).await;
        found.map(|found| found.map(order))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare_domain::Currency;

    #[test]
    fn nothing_is_paid_only_where_a_fee_of_nothing_surely_counts_and_no_other_may() {
        // A hundred hours are left by UTC, so 86 to 112 in truth.
        let free = |from_hours, until_hours| {
            let fee = FareFee::of(FeeKind::Cancellation, true, Some(Money::zero(Currency::INR)));
            FareFee { from_hours, until_hours, ..fee }
        };
        let dear = |from_hours, until_hours| {
            let amount = Some(Money::rounded(1.into(), Currency::INR));
            FareFee { amount, ..free(from_hours, until_hours) }
        };
        for (fees, is_free) in [
            (vec![], false),
            (vec![free(None, None)], true),
            (vec![free(Some(112), Some(86))], true),
            (vec![free(Some(111), None)], false),
            (vec![free(None, Some(87))], false),
            (vec![free(None, Some(200))], false),
            (vec![free(None, Some(72)), dear(Some(72), None)], true),
            (vec![free(None, Some(86)), dear(Some(86), None)], false),
            (vec![dear(None, Some(113)), free(Some(113), None)], true),
            (vec![FareFee { allowed: Some(false), ..free(None, None) }], false),
            (vec![FareFee { amount: None, ..free(None, None) }], false),
            (vec![FareFee { after_departure: true, ..free(None, None) }], false),
            (vec![FareFee { kind: FeeKind::DateChange, ..free(None, None) }], false),
        ] {
            assert_eq!(costs_nothing(&fees, 100), is_free, "{fees:?}");
        }
        assert!(!costs_nothing(&[free(None, None)], 14));
    }
}
