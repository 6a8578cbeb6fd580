//! The fields of the API, by hand, and whether an object has exactly those.

use std::collections::BTreeSet;

use serde_json::Value;

/// That the object has exactly these fields: `-name` may be missing.
#[track_caller]
pub fn has(object: &Value, fields: &str) {
    let there: BTreeSet<&str> = object
        .as_object()
        .unwrap_or_else(|| panic!("{object} is no object"))
        .keys()
        .map(String::as_str)
        .collect();
    let named: BTreeSet<&str> = fields.split_whitespace().collect();
    let required: BTreeSet<&str> = named
        .iter()
        .copied()
        .filter(|name| !name.starts_with('-'))
        .collect();
    let missing: Vec<_> = required.difference(&there).collect();
    let known: BTreeSet<&str> = named.iter().map(|name| name.trim_start_matches('-')).collect();
    let unknown: Vec<_> = there.difference(&known).collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "missing {missing:?}, not in the contract {unknown:?}: {object}"
    );
}

/// That it is an array, not empty, whose every object has exactly these fields.
#[track_caller]
pub fn each_has(array: &Value, fields: &str) {
    let items = array.as_array().unwrap_or_else(|| panic!("{array} is no array"));
    assert!(!items.is_empty());
    items.iter().for_each(|item| has(item, fields));
}

/// That it is a dictionary, not empty, whose every value has exactly these fields.
#[track_caller]
pub fn each_value_has(map: &Value, fields: &str) {
    let map = map.as_object().unwrap_or_else(|| panic!("{map} is no object"));
    assert!(!map.is_empty());
    map.values().for_each(|item| has(item, fields));
}

pub fn search(found: &Value) {
    has(
        found,
        "search_id search_meta dictionaries segments legs offers debug",
    );
    let meta = &found["search_meta"];
    has(
        meta,
        "currency created_at expires_at total_results duration_ms provider_status",
    );
    each_value_has(&meta["provider_status"], "status duration_ms results");
    let words = &found["dictionaries"];
    has(words, "airlines airports baggage refund_policies");
    each_value_has(&words["airlines"], "name logo_url");
    each_value_has(
        &words["airports"],
        "name city country iso_country timezone utc_offset",
    );
    each_value_has(&words["baggage"], "check_in cabin fare_family desc");
    each_value_has(
        &words["refund_policies"],
        "is_refundable cancel_fee change_fee no_show_fee",
    );
    each_has(
        &found["segments"],
        "segment_id airline flight_number origin destination departure arrival duration_minutes aircraft_type \
         cabin operating_carrier seats_available",
    );
    each_has(
        &found["legs"],
        "leg_id route_index origin destination departure arrival duration_minutes stops stops_detail segments \
         operating_carrier",
    );
    each_has(
        &found["offers"],
        "offer_id type route_index combination_group_id combinable_with legs supplier price fare_details \
         supplier_ref",
    );
    for offer in found["offers"].as_array().unwrap() {
        let price = &offer["price"];
        has(price, "total public_fare agent_price currency breakdown");
        has(
            &price["agent_price"],
            "service_fee gst_on_service_fee platform_charge agent_fare",
        );
        each_has(
            &price["breakdown"],
            "passenger_type count unit_base unit_tax subtotal",
        );
        has(
            &offer["fare_details"],
            "fare_class fare_family fare_name seats_left baggage_ref refund_ref",
        );
        has(&offer["supplier_ref"], "offer_token integrity_hash expires_at");
    }
    has(&found["debug"], "provider_errors");
}

pub fn price(priced: &Value) {
    has(
        priced,
        "booking_keys status currency expires_at price_summary passenger_breakdown itinerary_snapshot fare_rules \
         ancillaries -price_change",
    );
    let summary = &priced["price_summary"];
    has(
        summary,
        "total_payable public_fare currency exchange_rate base_fare_total tax_total agent_details",
    );
    has(
        &summary["agent_details"],
        "agent_fare service_fee gst_on_service_fee platform_charge -agent_commission",
    );
    each_has(
        &priced["passenger_breakdown"],
        "pax_type count base_per_pax tax_per_pax total_per_pax tax_breakdown",
    );
    for row in priced["passenger_breakdown"].as_array().unwrap() {
        each_has(&row["tax_breakdown"], "code amount description");
    }
    each_has(
        &priced["itinerary_snapshot"]["segments"],
        "segment_id airline operating_carrier flight_number origin destination dep_terminal arr_terminal departure \
         arrival cabin_class rbd fare_basis fare_type baggage cabin_baggage refundable avail_seats duration_minutes",
    );
    has(
        &priced["fare_rules"],
        "is_refundable cancellation_fee change_fee rule_text",
    );
    each_has(
        &priced["ancillaries"],
        "type code name price segment_id segment_ids max_quantity",
    );
}

pub fn booked(booked: &Value) {
    has(booked, "booking_ref provider status total_amount currency legs");
    each_has(
        &booked["legs"],
        "booking_track_id provider_pnr airline_pnr ticket_number origin destination gross_amount currency issued_date",
    );
}

pub fn detail(detail: &Value) {
    has(
        detail,
        "booking_id booking_ref provider provider_ref pnr status created_at currency pnr_details passengers itinerary \
         pricing tickets baggage_allowance contact_details can_issue_ticket",
    );
    each_has(
        &detail["pnr_details"],
        "pnr airline_pnr airline supplier supplier_ref status segment_refs ancillaries",
    );
    each_has(
        &detail["passengers"],
        "pax_id type title first_name last_name dob gender seat_onward seat_return",
    );
    has(&detail["itinerary"], "legs segments");
    each_has(
        &detail["itinerary"]["legs"],
        "leg_index origin destination segment_refs",
    );
    each_has(
        &detail["itinerary"]["segments"],
        "segment_id airline flight_number origin destination departure arrival duration_minutes cabin rbd baggage \
         cabin_baggage operating_carrier status",
    );
    has(
        &detail["pricing"],
        "currency total_payable supplier_currency supplier_total exchange_rate public_fare agent_fare ancillary \
         pax_breakdown",
    );
    each_has(&detail["pricing"]["pax_breakdown"], "pax_id type base tax total");
    for ticket in detail["tickets"].as_array().unwrap() {
        has(ticket, "tkt_number pax_id pnr_ref status segment_refs");
    }
    has(&detail["contact_details"], "country_code phone email");
}

pub fn list_item(item: &Value) {
    has(
        item,
        "id booking_ref pnr provider origin destination passenger_count base_fare public_fare currency status \
         booked_at passengers",
    );
    each_has(&item["passengers"], "title first_name last_name type");
}

pub fn report(report: &Value) {
    has(
        report,
        "id type status period_start period_end requested_by requester_type org_id created_at file_url generated_at \
         expires_at",
    );
}

pub fn wallet(wallet: &Value) {
    let fields = "id owner_id owner_type balance currency credit_limit is_active";
    if wallet["owner_type"] == "user" {
        has(wallet, &format!("{fields} allocated_balance"));
    } else {
        has(wallet, fields);
    }
}

/// A transaction as admins see it; allocations name the agent.
pub fn ledger_entry(entry: &Value) {
    let fields = "id created_at updated_at wallet_id type amount balance_before balance_after ref_type ref_id \
                  description performed_by";
    if entry["description"].as_str().unwrap().contains("allocated") {
        has(entry, &format!("{fields} agent_id agent_name"));
    } else {
        has(entry, fields);
    }
}
