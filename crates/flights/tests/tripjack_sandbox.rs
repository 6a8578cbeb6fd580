//! TripJack's searches and prices with the sandbox at the far end, which another hand wrote.

use std::collections::HashSet;

use crate::answers::ending;
use crate::tripjack_bodies::*;
use crate::tripjack_stage::Stage;
use wayfare_domain::Money;
use wayfare_flights::{AncillaryKind, FlightSupplier, Offer, OfferKind, SharedText, TripType};

#[tokio::test]
async fn a_search_of_cities_is_spread_to_their_airports() {
    let stage = Stage::open().await;
    let found = stage.search(TripType::OneWay, &[("LON", "NYC")], PARTY).await;
    let ends: HashSet<[&str; 2]> =
        found.offers.iter().filter_map(|offer| offer.journeys.first()?.ends()).collect();
    let pairs = [["LHR", "JFK"], ["LHR", "EWR"], ["LGW", "JFK"], ["LHR", "LGA"]];
    assert_eq!(ends, HashSet::from(pairs));
    let tokens: HashSet<&str> = found.offers.iter().map(|offer| offer.token.as_str()).collect();
    assert_eq!(tokens.len(), found.offers.len());
}

#[tokio::test]
async fn one_pair_of_airports_that_fails_costs_only_its_own_flights() {
    let stage = Stage::open().await;
    stage.next("search", "status:500").await;
    let mut query = query(TripType::OneWay, &[("LON", "NYC")]);
    query.party = PARTY;
    let found = done(stage.tripjack.search(&query).await);
    assert!(!found.offers.is_empty());
    assert_eq!(found.unusable.len(), 1, "{:?}", found.unusable);
}

#[tokio::test]
async fn each_kind_of_trip_is_found_and_reviewed_at_its_price() {
    let stage = Stage::open().await;
    let (there, home) = (("DEL", "BOM"), ("BOM", "DEL"));
    for (trip_type, route, kinds) in [
        (TripType::OneWay, &[there][..], &[OfferKind::OneWay][..]),
        (TripType::Return, &[there, home], &[OfferKind::OneWay, OfferKind::Combinable]),
        (TripType::Return, &[("DEL", "SIN"), ("SIN", "DEL")], &[OfferKind::Bundled]),
        (TripType::MultiCity, &[there, ("BOM", "BLR"), ("BLR", "DEL")], &[OfferKind::OneWay]),
        (TripType::MultiCity, &[("DEL", "SIN"), ("SIN", "BKK"), ("BKK", "DEL")], &[OfferKind::Bundled]),
    ] {
        let found = stage.search(trip_type, route, PARTY).await;
        for offer in &found.offers {
            assert!(kinds.contains(&offer.kind), "{route:?} {:?}", offer.kind);
            let journeys = if offer.kind == OfferKind::Bundled { route.len() } else { 1 };
            assert_eq!(offer.journeys.len(), journeys, "{route:?}");
            assert!(offer.journeys.iter().all(|journey| journey.duration_minutes.is_some()));
        }
        // A whole, or for each slice a half that pairs freely.
        let pieces = if kinds.contains(&OfferKind::Bundled) { 1 } else { route.len() };
        let of_slice = |slice: usize| {
            let mut fit = found.offers.iter().filter(|offer| usize::from(offer.route_index) == slice);
            fit.find(|offer| offer.kind != OfferKind::Combinable).unwrap()
        };
        let chosen: Vec<&Offer> = (0..pieces).map(of_slice).collect();
        let tokens: Vec<&str> = chosen.iter().map(|offer| offer.token.as_str()).collect();
        let priced = stage.price(&tokens).await;
        assert!(priced.expires_at.is_some());
        assert_eq!(priced.offers.len(), chosen.len());
        for (now, offer) in priced.offers.iter().zip(&chosen) {
            assert_eq!((now.charge.total, now.kind), (offer.charge.total, offer.kind), "{route:?}");
            assert_eq!((now.route_index, &now.journeys), (offer.route_index, &offer.journeys), "{route:?}");
            for share in now.shares.iter().flatten() {
                let parts = share.tax_parts.iter().map(|part| part.amount);
                assert_eq!(Money::sum(share.taxes.currency(), parts), Ok(share.taxes));
            }
        }
        let rules = done(stage.tripjack.fare_rules(chosen[0], None).await);
        assert!(!rules.fees.is_empty() || !rules.text.is_empty());
        let reviewed = done(stage.tripjack.fare_rules(chosen[0], Some(&priced)).await);
        assert!(rules.fees.iter().all(|fee| reviewed.fees.contains(fee)));
    }
}

#[tokio::test]
async fn two_halves_of_a_special_return_are_one_order() {
    let stage = Stage::open().await;
    let found = stage.search(TripType::Return, &[("DEL", "BOM"), ("BOM", "DEL")], PARTY).await;
    let special = found.offers.iter().filter_map(|offer| Some((offer, offer.combination.as_ref()?)));
    let (there, with) = special.clone().find(|(offer, _)| offer.route_index == 0).unwrap();
    let fits = |group: &SharedText| with.with.contains(group);
    let (home, _) =
        special.clone().find(|(offer, back)| offer.route_index == 1 && fits(&back.group)).unwrap();
    let priced = stage.price(&[&there.token, &home.token]).await;
    let totals: Vec<_> = priced.offers.iter().map(|offer| (offer.route_index, offer.charge.total)).collect();
    assert_eq!(totals, [(0, there.charge.total), (1, home.charge.total)]);
}

#[tokio::test]
async fn what_airlines_sell_besides_and_leave_to_us_comes_with_the_review() {
    let stage = Stage::open().await;
    let found = stage.search(TripType::OneWay, &[("DEL", "BOM")], PARTY).await;
    let (mut kinds, mut commissions) = (HashSet::new(), 0);
    for offer in &found.offers {
        let priced = stage.price(&[&offer.token]).await;
        commissions += usize::from(priced.offers[0].charge.commission.is_some());
        let places = 0..u16::try_from(offer.segments().count()).unwrap();
        for sold in priced.ancillaries {
            assert!(sold.segments.iter().all(|segment| places.contains(segment)));
            assert!(!sold.price.is_negative() && !sold.name.is_empty());
            kinds.insert(sold.kind);
        }
    }
    assert!(commissions > 0);
    let expected = [AncillaryKind::Baggage, AncillaryKind::Meal, AncillaryKind::Seat];
    assert!(expected.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
}

#[tokio::test]
async fn a_moved_price_is_the_new_one_and_what_is_sold_is_gone() {
    let stage = Stage::open().await;
    let found = stage.search(TripType::OneWay, &[("DEL", "BOM")], PARTY).await;
    let offer = &found.offers[0];
    stage.next("price", "price_changed:10").await;
    let moved = stage.price(&[&offer.token]).await;
    assert!(moved.offers[0].charge.total.amount() > offer.charge.total.amount());
    stage.next("price", "sold_out").await;
    let sold = stage.tripjack.price(&[&found.offers[1].token], PARTY).await;
    assert_eq!(ending(&sold), "gone", "{sold:?}");
    let strange = stage.tripjack.price(&["no such price"], PARTY).await;
    assert_eq!(ending(&strange), "expired", "{strange:?}");
    stage.next("price", "broken_json").await;
    is_unknown(stage.tripjack.price(&[&found.offers[2].token], PARTY).await, "");
}
