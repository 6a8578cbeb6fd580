//! An answer of LiteAPI to a search, as it is streamed: hotels that sell ten rates each.

use serde_json::{Value, json};

const RATES: usize = 10;

/// The stream.
pub fn of(rates: usize) -> Vec<u8> {
    let hotels: Vec<Value> = (0..rates / RATES).map(hotel).collect();
    let facts: Vec<Value> = (0..rates / RATES).map(facts).collect();
    format!(
        "data: {}\n\ndata: {}\n\ndata: [DONE]\n\n",
        json!({ "rates": hotels }),
        json!({ "hotels": facts })
    )
    .into_bytes()
}

fn facts(number: usize) -> Value {
    json!({
        "id": format!("lp{number:05}"), "name": format!("Orchid Resort {number}"), "address": "116 Market Street",
        "main_photo": format!("https://images.hotels.example/{number}/0.jpg"), "rating": 7.4,
    })
}

fn hotel(number: usize) -> Value {
    json!({
        "hotelId": format!("lp{number:05}"),
        "roomTypes": (0..RATES).map(|rate| offer(number, rate)).collect::<Vec<_>>(),
    })
}

fn price(amount: usize) -> Value {
    json!({ "amount": amount, "currency": "INR" })
}

fn offer(hotel: usize, number: usize) -> Value {
    let total = 9_000 + 13 * hotel + 700 * number;
    let is_free = number.is_multiple_of(2);
    json!({
        "offerId": format!("{hotel:08}{number:04}{}", "GE5ESNBVGI2TMMJXGYZDAMRWFUYDKLJQGF6DCMRSGU".repeat(4)),
        "roomTypeId": format!("RT{hotel}{number}"), "supplier": "nuitee", "supplierId": 2, "rateType": "standard",
        "priceType": "commission", "offerRetailRate": price(total), "suggestedSellingPrice": price(total + 900),
        "rates": [{
            "rateId": format!("{hotel:08}{number:08}"), "occupancyNumber": 1, "name": "Standard Double Room",
            "maxOccupancy": 3, "adultCount": 2, "childCount": 0, "childrenAges": [],
            "boardType": "BB", "boardName": "Bed and Breakfast", "priceType": "commission",
            "remarks": "<p>City tax to be paid at the hotel.</p>", "commission": [price(total / 25)],
            "paymentTypes": ["NUITEE_PAY"],
            "perks": [{ "perkId": 5, "name": "Late check-out if available", "amount": 0, "currency": "INR", "level": "HOTEL" }],
            "retailRate": {
                "total": [price(total)], "suggestedSellingPrice": [price(total + 900)], "initialPrice": [price(total)],
                "taxesAndFees": [
                    { "included": true, "description": "VAT/GST", "amount": 600, "currency": "INR" },
                    { "included": false, "description": "City tax", "amount": 150, "currency": "INR" },
                ],
            },
            "cancellationPolicies": {
                "refundableTag": if is_free { "RFN" } else { "NRFN" }, "hotelRemarks": [],
                "cancelPolicyInfos": [{
                    "cancelTime": "2026-06-10 00:00:00", "timezone": "GMT", "amount": total, "currency": "INR",
                    "type": "amount",
                }],
            },
        }],
    })
}
