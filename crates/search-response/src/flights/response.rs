//! A search result that grows with each supplier's answer: offers that point to legs, legs that point to segments. What
//! was printed once is not printed again; an answer only puts the printed parts together.

use std::{
    collections::{BTreeMap, HashMap},
    mem,
    sync::Arc,
};

use chrono::NaiveDateTime;
use foldhash::fast::RandomState;
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use wayfare_contract::flights::SearchMeta;
use wayfare_flights::{
    Airline, FareDetails, Journey, Offer, OfferKind, Requirements, Segment, SharedText, UnknownPlace,
};
use wayfare_operations::{
    SupplierReport,
    flights::{DisplayedPrice, PricedSupplierResult, Search, SearchContext},
};
use wayfare_reference::airport;

use super::{
    airlines::AirlineLogos,
    answer::{Answer, Kind, Part, Printed},
    json_interner::{JsonInterner, Numbers},
    json_text::JsonText,
    requirements::requirements,
    views::{
        AirlineView, AirportView, BaggageView, LegView, Name, OfferView, PartsOfOffer, RefundPolicyView,
        SegmentView, searched_place, supplier_status,
    },
};
use crate::{code, milliseconds, problems};

/// What was found until now, ready to be written.
pub struct SearchResponseBuilder {
    context: SearchContext,
    max_results: Option<usize>,
    suppliers: Vec<SupplierReport>,
    airlines: BTreeMap<SharedText, Option<Airline>>,
    /// The local time at which each airport is first seen: of that day is its offset.
    airports: BTreeMap<SharedText, NaiveDateTime>,
    /// What suppliers say of airports that our tables don't know.
    unknown_places: BTreeMap<String, UnknownPlace>,
    segments: JsonInterner,
    /// What each segment names in the dictionaries.
    named: Vec<Named>,
    legs: JsonInterner,
    /// The segments of each leg.
    flown: Vec<Box<[u32]>>,
    baggage: JsonInterner,
    refunds: JsonInterner,
    offers: JsonInterner,
    /// What offers want of the travellers, as it is printed.
    requires: Vec<(Requirements, Box<RawValue>)>,
    /// The cheapest first.
    ranked: Vec<RankedOffer>,
    scratch: Vec<u8>,
    leg_segments: Vec<u32>,
    logos: AirlineLogos,
}

/// Of the kinds of fares of one answer, which its offers share: the rate at which they are shown, and the numbers of what
/// may be carried and of the refund policy.
type PrintedFares = HashMap<*const FareDetails, (Decimal, (u32, u32)), RandomState>;

struct Named {
    airports: Vec<SharedText>,
    airlines: Vec<SharedText>,
}

/// A printed offer and its place among the others.
struct RankedOffer {
    agent_fare: Decimal,
    supplier: usize,
    /// The journey that it is a half for; none for what is bought as it is.
    half_round_trip_of: Option<u8>,
    /// Its number among the printed offers.
    number: u32,
    legs: Vec<u32>,
    baggage: u32,
    refund: u32,
}

impl SearchResponseBuilder {
    /// What is known before any supplier has answered.
    pub fn of(search: &Search, logos: &AirlineLogos) -> Self {
        let (context, skipped) = (search.context().clone(), search.skipped().to_vec());
        Self { logos: logos.clone(), ..Self::new(context, search.max_results(), skipped) }
    }

    /// A snapshot of nothing but the suppliers that were not asked.
    pub fn new(context: SearchContext, max_results: Option<usize>, skipped: Vec<SupplierReport>) -> Self {
        Self {
            context,
            max_results,
            suppliers: skipped,
            airlines: BTreeMap::new(),
            airports: BTreeMap::new(),
            unknown_places: BTreeMap::new(),
            segments: JsonInterner::default(),
            named: Vec::new(),
            legs: JsonInterner::default(),
            flown: Vec::new(),
            baggage: JsonInterner::default(),
            refunds: JsonInterner::default(),
            offers: JsonInterner::default(),
            requires: Vec::new(),
            ranked: Vec::new(),
            scratch: Vec::new(),
            leg_segments: Vec::new(),
            logos: AirlineLogos::default(),
        }
    }

    /// Prints what came from one more supplier, as far as it is new.
    ///
    /// # Errors
    /// When something can't be printed, which is a defect.
    pub fn add(&mut self, arrival: PricedSupplierResult) -> serde_json::Result<()> {
        let supplier = self.suppliers.len();
        let mut fares = PrintedFares::default();
        let count = arrival.offers().count();
        self.ranked.reserve(count);
        for (place, (offer, price)) in arrival.offers().enumerate() {
            self.rank(supplier, offer, price, &mut fares)?;
            if place == 0 {
                self.offers.make_room(count);
            }
        }
        // Suppliers' names of airlines come before ours; the first one with a logo is kept.
        for (code, airline) in arrival.cached.iter().flat_map(|cached| &cached.found.airlines) {
            if let Some(known) = self.airlines.get_mut(code.as_str())
                && known.as_ref().is_none_or(|known| known.logo_url.is_none())
            {
                *known = Some(airline.clone());
            }
        }
        for (code, place) in arrival.cached.iter().flat_map(|cached| &cached.found.places) {
            let known = self.unknown_places.entry(code.clone());
            known.or_insert_with(|| place.clone());
        }
        self.suppliers.push(arrival.report);
        let codes: Vec<&str> = self.suppliers.iter().map(|report| report.code.as_str()).collect();
        let code = |shelved: &RankedOffer| codes.get(shelved.supplier).copied();
        // Two runs, of which one is sorted already.
        self.ranked.sort_by(|one, other| {
            let order = one.agent_fare.cmp(&other.agent_fare);
            let order = order.then_with(|| code(one).cmp(&code(other)));
            order.then(one.number.cmp(&other.number))
        });
        Ok(())
    }

    fn rank(
        &mut self,
        supplier: usize,
        offer: &Offer,
        price: &DisplayedPrice,
        fares: &mut PrintedFares,
    ) -> serde_json::Result<()> {
        let legs = (offer.route_index..)
            .zip(&offer.journeys)
            .map(|(index, leg)| self.leg(index, leg))
            .collect::<serde_json::Result<Vec<_>>>()?;
        let (baggage, refund) = self.fare(offer, price, fares)?;
        let number = self.offers.next();
        let requires = printed(&mut self.requires, &offer.requires)?;
        let parts = PartsOfOffer { legs: &legs, baggage, refund, requires };
        self.offers.add(&OfferView::of(offer, price, &parts))?;
        self.ranked.push(RankedOffer {
            agent_fare: price.sale.price.agent_fare().amount(),
            supplier,
            half_round_trip_of: matches!(offer.kind, OfferKind::Combinable | OfferKind::OneWay)
                .then_some(offer.route_index),
            number,
            legs,
            baggage,
            refund,
        });
        Ok(())
    }

    /// The numbers of what may be carried and of the refund policy, which are printed once for all offers of a kind.
    fn fare(
        &mut self,
        offer: &Offer,
        price: &DisplayedPrice,
        fares: &mut PrintedFares,
    ) -> serde_json::Result<(u32, u32)> {
        let kind = Arc::as_ptr(&offer.fare);
        if let Some((rate, numbers)) = fares.get(&kind)
            && *rate == price.shown_rate
        {
            return Ok(*numbers);
        }
        let baggage = self.baggage.number_of_text(&BaggageView::from(&*offer.fare))?;
        let refund = self.refunds.number_of_text(&RefundPolicyView::of(offer, price))?;
        fares.insert(kind, (price.shown_rate, (baggage, refund)));
        Ok((baggage, refund))
    }

    fn leg(&mut self, route_index: u8, leg: &Journey) -> serde_json::Result<u32> {
        // Nearly all offers fly what is known already: only what is new has a list of its own.
        let mut segments = mem::take(&mut self.leg_segments);
        segments.clear();
        for segment in &leg.segments {
            segments.push(self.segment(segment)?);
        }
        self.scratch.clear();
        self.scratch.push(route_index);
        for number in &segments {
            self.scratch.extend(number.to_be_bytes());
        }
        let number = self
            .legs
            .number(&self.scratch, |number| LegView::of(Name('l', number), route_index, leg, &segments))?;
        if number as usize > self.flown.len() {
            self.flown.push(segments.as_slice().into());
        }
        self.leg_segments = segments;
        Ok(number)
    }

    /// Two flights are one when number, route, time, class and seats left are the same.
    fn segment(&mut self, segment: &Segment) -> serde_json::Result<u32> {
        self.scratch.clear();
        for text in [&segment.airline, &segment.flight_number, &segment.origin, &segment.destination] {
            self.scratch.extend(text.as_bytes());
            self.scratch.push(0);
        }
        let departure = segment.departure.and_utc().timestamp();
        self.scratch.extend(departure.to_be_bytes());
        self.scratch.push(segment.cabin.map_or(0, |cabin| cabin as u8 + 1));
        let seats = segment.seats_available.map_or(u64::MAX, u64::from);
        self.scratch.extend(seats.to_be_bytes());
        let number =
            self.segments.number(&self.scratch, |number| SegmentView::of(Name('s', number), segment))?;
        if number as usize > self.named.len() {
            self.note(segment);
        }
        Ok(number)
    }

    /// Notes what a new segment names in the dictionaries.
    fn note(&mut self, segment: &Segment) {
        let ends = [(&segment.origin, segment.departure), (&segment.destination, segment.arrival)];
        let stops = segment.stops.iter().map(|stop| (stop, segment.arrival));
        let seen: Vec<_> = ends.into_iter().chain(stops).collect();
        for (code, time) in &seen {
            self.airports.entry((*code).clone()).or_insert(*time);
        }
        let airlines: Vec<SharedText> = [Some(&segment.airline), segment.operating_carrier.as_ref()]
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        for code in &airlines {
            self.airlines.entry(code.clone()).or_default();
        }
        self.named
            .push(Named { airports: seen.into_iter().map(|(code, _)| code.clone()).collect(), airlines });
    }

    /// How many offers it shows.
    pub fn count(&self) -> usize {
        self.ranked.len().min(self.max_results.unwrap_or(usize::MAX))
    }

    /// The cheapest, as many as are wanted. Where there are fewer wanted than there are, whole trips and the halves of
    /// each journey take turns: halves of one journey alone would be no use.
    fn shown(&self) -> Vec<&RankedOffer> {
        if self.count() == self.ranked.len() {
            return self.ranked.iter().collect();
        }
        let mut turns: BTreeMap<Option<u8>, usize> = BTreeMap::new();
        let mut ranked: Vec<(usize, usize, &RankedOffer)> = Vec::new();
        for (place, shelved) in self.ranked.iter().enumerate() {
            let turn = turns.entry(shelved.half_round_trip_of).or_default();
            ranked.push((*turn, place, shelved));
            *turn += 1;
        }
        ranked.sort_by_key(|(turn, place, _)| (*turn, *place));
        ranked.truncate(self.count());
        ranked.sort_by_key(|(_, place, _)| *place);
        ranked.into_iter().map(|(_, _, shelved)| shelved).collect()
    }

    /// Writes all of it, as `data` of the answer, with how long the search has been under way.
    ///
    /// # Errors
    /// When something can't be printed, which is a defect.
    pub fn write(&self, duration: std::time::Duration, out: &mut Vec<u8>) -> serde_json::Result<()> {
        let answer = self.answer(duration)?;
        out.reserve(answer.size(self));
        answer.write(self, out);
        Ok(())
    }

    /// What the answer consists of now, as `data` of it, with how long the search has been under way.
    ///
    /// # Errors
    /// When something can't be printed, which is a defect.
    pub fn answer(&self, duration: std::time::Duration) -> serde_json::Result<Answer> {
        let shown = self.shown();
        let mut used = Used::default();
        for offer in &shown {
            self.mark(offer, &mut used);
        }
        let head = self.head(duration, shown.len(), &used)?;
        let offers = shown.iter().map(|offer| offer.number).collect();
        Ok(Answer {
            parts: vec![
                Part::Text(head),
                Part::List(Kind::Segment, used.segments.iter().collect()),
                Part::Text(b"],\"legs\":[".to_vec()),
                Part::List(Kind::Leg, used.legs.iter().collect()),
                Part::Text(b"],\"offers\":[".to_vec()),
                Part::List(Kind::Offer, offers),
                Part::Text(self.tail()?),
            ],
        })
    }

    /// What stands before the segments.
    fn head(
        &self,
        duration: std::time::Duration,
        total_results: usize,
        used: &Used,
    ) -> serde_json::Result<Vec<u8>> {
        let meta = SearchMeta {
            currency: code(self.context.currency),
            created_at: self.context.created_at,
            expires_at: self.context.expires_at,
            total_results,
            duration_ms: milliseconds(duration),
            provider_status: self
                .suppliers
                .iter()
                .map(|report| (report.code.clone(), supplier_status(report)))
                .collect(),
            places: self.context.query.places().into_iter().map(searched_place).collect(),
        };
        let mut out = b"{\"search_id\":".to_vec();
        serde_json::to_writer(&mut out, &self.context.id)?;
        out.extend(b",\"search_meta\":");
        serde_json::to_writer(&mut out, &meta)?;
        out.extend(b",\"dictionaries\":{\"airlines\":");
        serde_json::to_writer(&mut out, &self.airlines_of(&used.segments))?;
        out.extend(b",\"airports\":");
        serde_json::to_writer(&mut out, &self.airports_of(&used.segments))?;
        out.extend(b",\"baggage\":{");
        write_map(&mut out, 'b', &self.baggage, &used.baggage);
        out.extend(b"},\"refund_policies\":{");
        write_map(&mut out, 'r', &self.refunds, &used.refunds);
        out.extend(b"}},\"segments\":[");
        Ok(out)
    }

    /// What stands after the offers.
    fn tail(&self) -> serde_json::Result<Vec<u8>> {
        let mut out = b"],\"debug\":{\"provider_errors\":".to_vec();
        let failed = self.suppliers.iter().filter(|report| !report.errors.is_empty());
        let errors: BTreeMap<&str, String> =
            failed.map(|report| (report.code.as_str(), report.errors.join("; "))).collect();
        serde_json::to_writer(&mut out, &errors)?;
        out.extend(b",\"problems\":");
        serde_json::to_writer(&mut out, &problems(&self.suppliers))?;
        out.extend(b"}}");
        Ok(out)
    }

    fn mark(&self, offer: &RankedOffer, used: &mut Used) {
        used.baggage.insert(offer.baggage);
        used.refunds.insert(offer.refund);
        for leg in &offer.legs {
            if used.legs.insert(*leg) {
                for segment in of_number(&self.flown, *leg).into_iter().flat_map(|flown| flown.iter()) {
                    used.segments.insert(*segment);
                }
            }
        }
    }

    fn airlines_of(&self, segments: &Numbers) -> BTreeMap<&str, AirlineView<'_>> {
        let named = segments.iter().filter_map(|number| of_number(&self.named, number));
        named
            .flat_map(|named| &named.airlines)
            .filter_map(|code| {
                let (code, airline) = self.airlines.get_key_value(code)?;
                Some((code.as_str(), AirlineView::of(code, airline.as_ref(), &self.logos)))
            })
            .collect()
    }

    fn airports_of(&self, segments: &Numbers) -> BTreeMap<&str, AirportView<'_>> {
        let mut views = BTreeMap::new();
        let named = segments.iter().filter_map(|number| of_number(&self.named, number));
        for code in named.flat_map(|named| &named.airports) {
            if let Some(day) = self.airports.get(code) {
                views.entry(code.as_str()).or_insert_with(|| {
                    AirportView::on(airport(code), self.unknown_places.get(code.as_str()), *day)
                });
            }
        }
        views
    }
}

#[derive(Default)]
struct Used {
    legs: Numbers,
    segments: Numbers,
    baggage: Numbers,
    refunds: Numbers,
}

/// What is wanted, as JSON: printed once for all offers of an answer that share the list.
fn printed<'a>(
    known: &'a mut Vec<(Requirements, Box<RawValue>)>,
    requires: &Requirements,
) -> serde_json::Result<&'a RawValue> {
    let place = known.iter().position(|(list, _)| list == requires);
    let place = match place {
        Some(place) => place,
        None => {
            let text = serde_json::value::to_raw_value(&requirements(requires))?;
            known.push((requires.clone(), text));
            known.len() - 1
        }
    };
    let text = known.get(place).map(|(_, text)| &**text);
    text.ok_or_else(|| serde::ser::Error::custom("a list of requirements was not kept"))
}

/// What belongs to the piece of this number, from 1.
fn of_number<T>(list: &[T], number: u32) -> Option<&T> {
    list.get(usize::try_from(number).ok()?.checked_sub(1)?)
}

impl Printed for SearchResponseBuilder {
    fn pieces(&self, kind: Kind) -> &JsonInterner {
        match kind {
            Kind::Segment => &self.segments,
            Kind::Leg => &self.legs,
            Kind::Offer => &self.offers,
        }
    }
}

fn write_map(out: &mut Vec<u8>, prefix: char, pieces: &JsonInterner, numbers: &Numbers) {
    for (place, number) in numbers.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        JsonText(out).name(prefix, number).raw(":");
        out.extend(pieces.text(number));
    }
}
