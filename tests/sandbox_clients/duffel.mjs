// Duffel's official client for JavaScript: search, order, cancel.
import assert from "node:assert/strict";
import { Duffel } from "@duffel/api";

const duffel = new Duffel({ token: "duffel_test_official", basePath: process.env.DUFFEL_URL });
const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);

const search = await duffel.offerRequests.create({
  slices: [{ origin: "LHR", destination: "JFK", departure_date: day }],
  passengers: [{ type: "adult" }],
  cabin_class: "economy",
  return_offers: true,
});
const offer = search.data.offers.find((each) => each.payment_requirements.requires_instant_payment);
assert.ok(offer, "an offer that is paid at once");
const read = await duffel.offers.get(offer.id, { return_available_services: true });
assert.equal(read.data.total_amount, offer.total_amount);
const order = await duffel.orders.create({
  type: "instant",
  selected_offers: [offer.id],
  payments: [{ type: "balance", amount: offer.total_amount, currency: offer.total_currency }],
  passengers: [
    {
      id: offer.passengers[0].id,
      title: "mr",
      gender: "m",
      given_name: "Ravi",
      family_name: "Sharma",
      born_on: "1990-05-17",
      email: "ravi@example.com",
      phone_number: "+442080160509",
    },
  ],
});
assert.match(order.data.booking_reference, /^[A-Z0-9]{6}$/);
const found = await duffel.orders.get(order.data.id);
assert.equal(found.data.id, order.data.id);
const quote = await duffel.orderCancellations.create({ order_id: order.data.id });
const cancelled = await duffel.orderCancellations.confirm(quote.data.id);
assert.ok(cancelled.data.confirmed_at);
await assert.rejects(duffel.airlines.list({ limit: 1 }), (error) => {
  assert.match(error.errors[0].message, /^The sandbox does not play GET \/air\/airlines;/);
  return true;
});
console.log(`@duffel/api: ${search.data.offers.length} offers, ${order.data.booking_reference} booked and cancelled`);
