"""Duffel's official client for Python: search, order, cancel."""

import os
from datetime import date, timedelta

from duffel_api import Duffel
from duffel_api.http_client import ApiError

duffel = Duffel(access_token="duffel_test_official", api_url=os.environ["DUFFEL_URL"], api_version="v2")

day = (date.today() + timedelta(days=30)).isoformat()
search = (
    duffel.offer_requests.create()
    .slices([{"origin": "LHR", "destination": "JFK", "departure_date": day}])
    .passengers([{"type": "adult"}])
    .cabin_class("economy")
    .return_offers()
    .execute()
)
assert search.client_key
offer = next(each for each in search.offers if each.payment_requirements.requires_instant_payment)
assert duffel.offers.get(offer.id).total_amount == offer.total_amount
passenger = {
    "id": offer.passengers[0].id,
    "title": "mr",
    "gender": "m",
    "given_name": "Ravi",
    "family_name": "Sharma",
    "born_on": "1990-05-17",
    "email": "ravi@example.com",
    "phone_number": "+442080160509",
}
payment = {"type": "balance", "amount": offer.total_amount, "currency": offer.total_currency}
order = (
    duffel.orders.create()
    .payments([payment])
    .passengers([passenger])
    .selected_offers([offer.id])
    .execute()
)
assert len(order.booking_reference) == 6
assert duffel.orders.get(order.id).id == order.id
quote = duffel.order_cancellations.create(order.id)
cancelled = duffel.order_cancellations.confirm(quote.id)
assert cancelled.confirmed_at
try:
    next(iter(duffel.airlines.list(1)))
except ApiError as error:
    assert error.message.startswith("The sandbox does not play GET /air/airlines;"), error.message
else:
    raise AssertionError("airlines are not played")
print(f"duffel-api: {len(search.offers)} offers, {order.booking_reference} booked and cancelled")
