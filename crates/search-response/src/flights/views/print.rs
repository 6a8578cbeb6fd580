//! How flights, journeys and offers are printed: letter by letter as their derived serializers would, which the tests compare.
//! A search prints a thousand offers, and their members' names are most of the text (D-440).

use super::{
    AgentPrice, FareDetailsView, HoldTerms, LegView, Name, Names, OfferView, PriceView, SegmentView, Share,
    SupplierRef,
};
use crate::flights::json_text::JsonText;

/// What is printed often.
pub trait Print {
    /// Adds it to the JSON.
    ///
    /// # Errors
    /// When something can't be printed, which is a defect.
    fn print(&self, json: &mut JsonText<'_>) -> serde_json::Result<()>;
}

impl Print for SegmentView<'_> {
    fn print(&self, json: &mut JsonText<'_>) -> serde_json::Result<()> {
        let Self {
            segment_id: Name(kind, number),
            airline,
            flight_number,
            origin,
            destination,
            departure,
            arrival,
            duration_minutes,
            aircraft_type,
            cabin,
            operating_carrier,
            seats_available,
        } = self;
        json.raw("{\"segment_id\":").name(*kind, *number);
        json.raw(",\"airline\":").text(airline)?;
        json.raw(",\"flight_number\":").text(flight_number)?;
        json.raw(",\"origin\":").text(origin)?;
        json.raw(",\"destination\":").text(destination)?;
        json.raw(",\"departure\":").local(departure.0);
        json.raw(",\"arrival\":").local(arrival.0);
        json.raw(",\"duration_minutes\":").optional_count(*duration_minutes);
        json.raw(",\"aircraft_type\":").optional(*aircraft_type)?;
        json.raw(",\"cabin\":").any(cabin)?;
        json.raw(",\"operating_carrier\":").optional(*operating_carrier)?;
        json.raw(",\"seats_available\":").optional_count(*seats_available).raw("}");
        Ok(())
    }
}

impl Print for LegView<'_> {
    fn print(&self, json: &mut JsonText<'_>) -> serde_json::Result<()> {
        let Self {
            leg_id: Name(kind, number),
            route_index,
            origin,
            destination,
            departure,
            arrival,
            duration_minutes,
            stops,
            stops_detail,
            segments: Names(of_segments, segments),
            operating_carrier,
        } = self;
        json.raw("{\"leg_id\":").name(*kind, *number);
        json.raw(",\"route_index\":").count((*route_index).into());
        json.raw(",\"origin\":").text(origin)?;
        json.raw(",\"destination\":").text(destination)?;
        json.raw(",\"departure\":");
        match departure {
            Some(departure) => json.local(departure.0),
            None => json.raw("null"),
        };
        json.raw(",\"arrival\":");
        match arrival {
            Some(arrival) => json.local(arrival.0),
            None => json.raw("null"),
        };
        json.raw(",\"duration_minutes\":").optional_count(*duration_minutes);
        json.raw(",\"stops\":").any(stops)?;
        json.raw(",\"stops_detail\":").any(stops_detail)?;
        json.raw(",\"segments\":").names(*of_segments, segments);
        json.raw(",\"operating_carrier\":").optional(*operating_carrier)?.raw("}");
        Ok(())
    }
}

impl Print for OfferView<'_> {
    fn print(&self, json: &mut JsonText<'_>) -> serde_json::Result<()> {
        let Self {
            offer_id,
            kind,
            route_index,
            combination_group_id,
            combinable_with,
            legs: Names(of_legs, legs),
            supplier,
            price,
            fare_details,
            requires,
            supplier_ref,
            hold,
        } = self;
        json.raw("{\"offer_id\":").text(offer_id)?;
        json.raw(",\"type\":").text(kind.as_ref())?;
        json.raw(",\"route_index\":").count((*route_index).into());
        json.raw(",\"combination_group_id\":").optional(*combination_group_id)?;
        json.raw(",\"combinable_with\":[");
        for (place, group) in combinable_with.iter().enumerate() {
            json.comma(place).text(group)?;
        }
        json.raw("],\"legs\":").names(*of_legs, legs);
        json.raw(",\"supplier\":").text(supplier)?;
        json.raw(",\"price\":");
        price.print(json)?;
        json.raw(",\"fare_details\":");
        fare_details.print(json)?;
        json.raw(",\"requires\":").raw(requires.get());
        json.raw(",\"supplier_ref\":");
        supplier_ref.print(json)?;
        json.raw(",\"hold\":");
        hold.print(json)?;
        json.raw("}");
        Ok(())
    }
}

impl Print for PriceView {
    fn print(&self, json: &mut JsonText<'_>) -> serde_json::Result<()> {
        let Self { total, public_fare, agent_price, currency, breakdown } = self;
        json.raw("{\"total\":").number(total.0);
        json.raw(",\"public_fare\":").number(public_fare.0);
        json.raw(",\"agent_price\":");
        agent_price.print(json)?;
        json.raw(",\"currency\":").text(currency.code())?;
        json.raw(",\"breakdown\":[");
        for (place, share) in breakdown.iter().enumerate() {
            json.comma(place);
            share.print(json)?;
        }
        json.raw("]}");
        Ok(())
    }
}

impl Print for AgentPrice {
    fn print(&self, json: &mut JsonText<'_>) -> serde_json::Result<()> {
        let Self { service_fee, gst_on_service_fee, platform_charge, agent_fare, agent_commission } = self;
        json.raw("{\"service_fee\":").number(service_fee.0);
        json.raw(",\"gst_on_service_fee\":").number(gst_on_service_fee.0);
        json.raw(",\"platform_charge\":").number(platform_charge.0);
        json.raw(",\"agent_fare\":").number(agent_fare.0);
        if let Some(agent_commission) = agent_commission {
            json.raw(",\"agent_commission\":").number(agent_commission.0);
        }
        json.raw("}");
        Ok(())
    }
}

impl Print for Share {
    fn print(&self, json: &mut JsonText<'_>) -> serde_json::Result<()> {
        let Self { passenger_type, count, unit_base, unit_tax, subtotal } = self;
        json.raw("{\"passenger_type\":").text(passenger_type)?;
        json.raw(",\"count\":").count(*count);
        json.raw(",\"unit_base\":").number(unit_base.0);
        json.raw(",\"unit_tax\":").number(unit_tax.0);
        json.raw(",\"subtotal\":").number(subtotal.0).raw("}");
        Ok(())
    }
}

impl Print for FareDetailsView<'_> {
    fn print(&self, json: &mut JsonText<'_>) -> serde_json::Result<()> {
        let Self {
            fare_class,
            fare_family,
            fare_name,
            seats_left,
            baggage_ref: Name(of_baggage, baggage),
            refund_ref: Name(of_refund, refund),
        } = self;
        json.raw("{\"fare_class\":").optional(*fare_class)?;
        json.raw(",\"fare_family\":").optional(*fare_family)?;
        json.raw(",\"fare_name\":").optional(*fare_name)?;
        json.raw(",\"seats_left\":").optional_count(*seats_left);
        json.raw(",\"baggage_ref\":").name(*of_baggage, *baggage);
        json.raw(",\"refund_ref\":").name(*of_refund, *refund).raw("}");
        Ok(())
    }
}

impl Print for SupplierRef<'_> {
    fn print(&self, json: &mut JsonText<'_>) -> serde_json::Result<()> {
        let Self { offer_token, integrity_hash, expires_at } = self;
        json.raw("{\"offer_token\":").text(offer_token)?;
        json.raw(",\"integrity_hash\":").text(integrity_hash)?;
        json.raw(",\"expires_at\":").instant(*expires_at)?.raw("}");
        Ok(())
    }
}

impl Print for HoldTerms {
    fn print(&self, json: &mut JsonText<'_>) -> serde_json::Result<()> {
        let Self { can_hold, pay_by, price_guaranteed_until } = self;
        json.raw("{\"can_hold\":").flag(*can_hold);
        json.raw(",\"pay_by\":").optional_instant(*pay_by)?;
        json.raw(",\"price_guaranteed_until\":").optional_instant(*price_guaranteed_until)?.raw("}");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal::dec;
    use serde::Serialize;
    use serde_json::value::RawValue;
    use wayfare_domain::{Amount, Currency};
    use wayfare_flights::{Cabin, OfferKind};

    use super::{super::Local, *};

    fn is_printed_as_it_serializes(thing: &(impl Print + Serialize)) {
        let mut out = Vec::new();
        thing.print(&mut JsonText(&mut out)).unwrap();
        let printed = String::from_utf8(out).unwrap();
        assert_eq!(printed, serde_json::to_string(thing).unwrap());
    }

    #[test]
    fn an_offer_is_printed_as_it_serializes() {
        let instant = "2026-05-02T11:40:15Z".parse().unwrap();
        let requires = RawValue::from_string(r#"[{"what":"date_of_birth"}]"#.to_owned()).unwrap();
        let group = ["left \"1\"".into(), "left 2".into()];
        for is_full in [true, false] {
            let some = |text: &'static str| is_full.then_some(text);
            is_printed_as_it_serializes(&OfferView {
                offer_id: "of_1",
                kind: OfferKind::OneWay,
                route_index: 1,
                combination_group_id: some("gr\\oup"),
                combinable_with: if is_full { &group } else { &[] },
                legs: Names('l', if is_full { &[3, 12] } else { &[] }),
                supplier: "duffel",
                price: PriceView {
                    total: Amount(dec!(4810.50)),
                    public_fare: Amount(dec!(-0.05)),
                    agent_price: AgentPrice {
                        service_fee: Amount(dec!(1)),
                        gst_on_service_fee: Amount(dec!(0.00)),
                        platform_charge: Amount(dec!(10.000)),
                        agent_fare: Amount(dec!(79228162514264337593543950.335)),
                        agent_commission: is_full.then_some(Amount(dec!(3.10))),
                    },
                    currency: Currency::KWD,
                    breakdown: (0..if is_full { 2 } else { 0 })
                        .map(|count| Share {
                            passenger_type: "ADT",
                            count,
                            unit_base: Amount(dec!(1.23)),
                            unit_tax: Amount(dec!(0.77)),
                            subtotal: Amount(dec!(2.00)),
                        })
                        .collect(),
                },
                fare_details: FareDetailsView {
                    fare_class: some("Y"),
                    fare_family: some("Saver\n"),
                    fare_name: some("Économie"),
                    seats_left: is_full.then_some(9),
                    baggage_ref: Name('b', 4),
                    refund_ref: Name('r', 50),
                },
                requires: &requires,
                supplier_ref: SupplierRef {
                    offer_token: "off_00009htYpSCXrwaB9DnUm0",
                    integrity_hash: "00ff",
                    expires_at: instant,
                },
                hold: HoldTerms {
                    can_hold: is_full.then_some(false),
                    pay_by: is_full.then_some(instant),
                    price_guaranteed_until: None,
                },
            });
        }
    }

    #[test]
    fn flights_and_journeys_are_printed_as_they_serialize() {
        let local = |text: &str| Local(text.parse().unwrap());
        let (departure, arrival) = (local("2026-06-16T09:05:00"), local("2026-06-16T23:59:59.5"));
        for is_full in [true, false] {
            let some = |text: &'static str| is_full.then_some(text);
            is_printed_as_it_serializes(&SegmentView {
                segment_id: Name('s', 7),
                airline: "6E",
                flight_number: "401",
                origin: "DEL",
                destination: "BOM",
                departure,
                arrival,
                duration_minutes: is_full.then_some(130),
                aircraft_type: some("Airbus \"320\""),
                cabin: is_full.then_some(Cabin::PremiumEconomy),
                operating_carrier: some("AI"),
                seats_available: is_full.then_some(2),
            });
            is_printed_as_it_serializes(&LegView {
                leg_id: Name('l', 1),
                route_index: 255,
                origin: "DEL",
                destination: "BOM",
                departure: is_full.then_some(departure),
                arrival: is_full.then_some(arrival),
                duration_minutes: is_full.then_some(130),
                stops: 2,
                stops_detail: if is_full { vec!["AMD", "X\"Y"] } else { Vec::new() },
                segments: Names('s', if is_full { &[1, 2, 30] } else { &[] }),
                operating_carrier: some("AI"),
            });
        }
    }
}
