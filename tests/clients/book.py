"""Logs in, searches, prices, books and cancels a flight, with the client of openapi-python-client."""

import datetime
import json
import os
import time
from typing import TypeVar

import httpx
from wayfare_python import AuthenticatedClient, Client
from wayfare_python.api.authentication import log_in
from wayfare_python.api.flight_bookings import cancel_flight_booking, get_flight_booking
from wayfare_python.api.flights import book_flight, price_flight, search_flights
from wayfare_python.models import (
    ApiError,
    BookFlightPassenger,
    BookFlightRequest,
    BookingStatus,
    Cabin,
    LogInRequest,
    OfferKind,
    PassengerType,
    PriceFlightRequest,
    SearchFlightsPassengers,
    SearchFlightsRequest,
    SearchFlightsSearchParams,
    SearchFlightsSlice,
    TripType,
)

Answer = TypeVar("Answer")


def answered(what: str, answer: Answer | ApiError | None) -> Answer:
    """What was answered, or an end."""
    if answer is None or isinstance(answer, ApiError):
        raise SystemExit(f"{what}: {answer}")
    return answer


with open(os.environ["WAYFARE_DEMO"], encoding="utf-8") as file:
    demo = json.load(file)
agent = next(user for user in demo["users"] if user["role"] == "agent")

credentials = LogInRequest(agent_id=demo["agent_id"], username=agent["username"], password=agent["password"])
with Client(base_url=demo["base_url"]) as anybody:
    session = answered("log-in", log_in.sync(client=anybody, body=credentials))
client = AuthenticatedClient(base_url=demo["base_url"], token=session.data.tokens.access_token, timeout=httpx.Timeout(60))

day = datetime.date.today() + datetime.timedelta(days=46)
search = SearchFlightsRequest(
    search_params=SearchFlightsSearchParams(
        trip_type=TripType.ONE_WAY,
        cabin_class=Cabin.ECONOMY,
        passengers=SearchFlightsPassengers(adults=1),
    ),
    slices=[SearchFlightsSlice(origin="DEL", destination="BOM", departure_date=day)],
)
found = answered("search", search_flights.sync(client=client, body=search))
offer = next(offer for offer in found.data.offers if offer.type_ != OfferKind.COMBINABLE)

price = PriceFlightRequest(offer_ids=[offer.offer_id])
priced = answered("price", price_flight.sync(client=client, body=price)).data

order = BookFlightRequest(
    booking_keys=priced.booking_keys,
    contact_email="ravi@example.com",
    contact_phone="+919812345678",
    allow_duplicate=True,
    passengers=[
        BookFlightPassenger(
            pax_index=1,
            type_=PassengerType.ADT,
            title="Mr",
            first_name="Ravi",
            last_name="Sharma",
            gender="M",
            dob=datetime.date(1990, 5, 17),
        )
    ],
)
made = book_flight.sync(client=client, body=order)
if made is None or isinstance(made, ApiError):
    raise SystemExit(f"book: {made}")
booked = made.data

# A supplier that is slow is still at it.
for turn in range(60):
    status = answered("booking", get_flight_booking.sync(booked.booking_ref, client=client)).data.status
    if status != BookingStatus.PENDING:
        break
    time.sleep(1)
if status != BookingStatus.CONFIRMED:
    raise SystemExit(f"the booking is {status}")

cancelled = cancel_flight_booking.sync(booked.booking_ref, client=client)
if cancelled is None or isinstance(cancelled, ApiError):
    raise SystemExit(f"cancel: {cancelled}")
print(f"Python: {booked.booking_ref} {priced.price_summary.total_payable}: {cancelled.message}")
