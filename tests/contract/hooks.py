"""Who the requests are of and what they are about: an admin of the demo agency, and things that are really there."""

import datetime
import json
import os
import threading
from random import Random

import requests
import schemathesis
from schemathesis.generation import GenerationMode

with open(os.environ["WAYFARE_DEMO"], encoding="utf-8") as file:
    DEMO = json.load(file)
API = DEMO["base_url"] + "/api/v1"
PASSWORD = "contract horse 7"
SPARE_ADMINS = 40
RECORDS = 12
# Of its own: Hypothesis keeps its seed of the usual one.
CHANCE = Random(7)


class Person:
    def __init__(self, username, password):
        self.credentials = {"agent_id": DEMO["agent_id"], "username": username, "password": password}
        self.token = None

    def log_in(self):
        answer = requests.post(f"{API}/auth/login", json=self.credentials, timeout=60)
        self.token = answer.json()["data"]["tokens"]["access_token"] if answer.ok else None
        return self.token is not None

    def ask(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.token}"}
        return requests.request(method, f"{API}{path}", json=body, headers=headers, timeout=60)

    def data(self, method, path, body=None):
        answer = self.ask(method, path, body)
        if not answer.ok:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json().get("data")

    def add_user(self, name, role):
        user = {"username": name, "email": f"{name}@agency.example", "name": name}
        return self.data("POST", "/org/users", {**user, "password": PASSWORD, "role": role})["id"]


class Admins:
    """Requests may suspend or delete the very admin who sends them: then another goes on."""

    def __init__(self):
        first = next(user for user in DEMO["users"] if user["role"] == "org_admin")
        admin = Person(first["username"], first["password"])
        admin.log_in()
        self.spares = []
        for number in range(SPARE_ADMINS):
            name = f"contract{number}"
            admin.add_user(name, "org_admin")
            self.spares.append(Person(name, PASSWORD))
        self.present = admin
        self.lock = threading.Lock()

    def one(self):
        with self.lock:
            while self.present.ask("GET", "/me").status_code != 200:
                self.present = self.spares.pop(0)
                self.present.log_in()
            return self.present


ADMINS = Admins()


def days_ahead(days):
    return str(datetime.date.today() + datetime.timedelta(days=days))


def passenger():
    return {
        "pax_index": 1,
        "type": "ADT",
        "title": "Mr",
        "first_name": "Ravi",
        "last_name": "Sharma",
        "gender": "M",
        "dob": "1990-05-17",
    }


def flight_offers():
    search = {
        "search_params": {"trip_type": "ONE_WAY", "cabin_class": "ECONOMY", "passengers": {"adults": 1}},
        "slices": [{"origin": "DEL", "destination": "BOM", "departure_date": days_ahead(CHANCE.randint(20, 90))}],
    }
    return [offer["offer_id"] for offer in ADMINS.one().data("POST", "/flights/search", search)["offers"]]


def flight_order():
    priced = ADMINS.one().data("POST", "/flights/price", {"offer_ids": [CHANCE.choice(flight_offers())]})
    return {
        "booking_keys": priced["booking_keys"],
        "contact_email": "ravi@example.com",
        "contact_phone": "+919812345678",
        "allow_duplicate": True,
        "passengers": [passenger()],
    }


def room_choice():
    days = CHANCE.randint(20, 90)
    search = {
        "check_in": days_ahead(days),
        "check_out": days_ahead(days + 2),
        "rooms": [{"adults": 2}],
        "location": {"type": "city", "name": "Mumbai"},
    }
    found = ADMINS.one().data("POST", "/hotels/search", search)
    hotel = CHANCE.choice(found["hotels"])
    room = CHANCE.choice([room for room in hotel["rooms"] if room["pricing"]["sold_with"] is None])
    selection = {"room_id": room["room_id"], "rate_id": room["pricing"]["rate_id"], "quantity": 1}
    choice = {"search_id": found["search_id"], "hotel_id": hotel["hotel_id"], "room_selections": [selection]}
    return search, choice


def room_order():
    search, choice = room_choice()
    priced = ADMINS.one().data("POST", "/hotels/price", choice)
    names = {"first_name": "Ravi", "last_name": "Sharma"}
    guest = {"type": "adult", "title": "Mr", **names, "nationality": "IN"}
    room = {key: priced["rooms"][0][key] for key in ("room_id", "rate_id")}
    return {
        "price_id": priced["price_id"],
        "hotel_id": priced["hotel_id"],
        "check_in": search["check_in"],
        "check_out": search["check_out"],
        "rooms": [{**room, "guests": [guest, {**guest, "first_name": "Sita", "title": "Mrs"}]}],
        "contact": {**names, "email": "ravi@example.com", "phone": "+919812345678"},
        "allow_duplicate": True,
    }


def package():
    return {"name": f"package {CHANCE.randrange(10**6)}", "markup_type": "flat", "markup_value": 100}


def several(make):
    """What can be made; a sandbox may have sold out."""
    made = []
    for _ in range(RECORDS):
        try:
            made.append(make())
        except (RuntimeError, IndexError) as problem:
            print(f"not made: {problem}")
    if not made:
        raise RuntimeError("nothing of it could be made")
    return made


FLIGHTS = several(lambda: ADMINS.one().data("POST", "/flights/book", flight_order())["booking_ref"])
STAYS = several(lambda: ADMINS.one().data("POST", "/hotels/book", room_order())["booking_ref"])
AGENTS = several(lambda: ADMINS.one().add_user(f"agent{CHANCE.randint(0, 10**9)}", "agent"))
PACKAGES = several(lambda: ADMINS.one().data("POST", "/org/packages", package())["id"])
HOTEL_PACKAGES = several(lambda: ADMINS.one().data("POST", "/org/hotel-packages", package())["id"])

BODIES = {
    "POST /api/v1/auth/login": lambda: Person("contract39", PASSWORD).credentials,
    "POST /api/v1/flights/price": lambda: {"offer_ids": [CHANCE.choice(flight_offers())]},
    "POST /api/v1/flights/fare-rules": lambda: {"offer_ids": [CHANCE.choice(flight_offers())]},
    "POST /api/v1/flights/book": flight_order,
    "POST /api/v1/hotels/price": lambda: room_choice()[1],
    "POST /api/v1/hotels/details": lambda: {"hotel_ids": [room_choice()[1]["hotel_id"]]},
    "POST /api/v1/hotels/book": room_order,
    "POST /api/v1/org/packages/assign": lambda: {"package_id": CHANCE.choice(PACKAGES)},
    "POST /api/v1/org/packages/assign-agent/{id}": lambda: {"package_id": CHANCE.choice(PACKAGES)},
    "POST /api/v1/org/hotel-packages/assign": lambda: {"package_id": CHANCE.choice(HOTEL_PACKAGES)},
    "POST /api/v1/org/hotel-packages/assign-agent/{id}": lambda: {"package_id": CHANCE.choice(HOTEL_PACKAGES)},
    "POST /api/v1/org/wallet/topup/{id}": lambda: {"amount": 1},
}


def record(path):
    if "/flights/" in path:
        return FLIGHTS
    if "/hotels/" in path:
        return STAYS
    if path.endswith("/hotel-packages/{id}"):
        return HOTEL_PACKAGES
    return PACKAGES if path.endswith("/packages/{id}") else AGENTS


@schemathesis.hook
def before_load_schema(context, document):
    """Generators of clients read the stream as a text. Here each event is asked to hold what the plain search answers."""
    search, stream = (
        document["paths"][f"/api/v1/flights/search{path}"]["post"]["responses"]["200"]["content"]
        for path in ["", "/stream"]
    )
    answer = search["application/json"]["schema"]
    payload = {"type": "string", "contentMediaType": "application/json", "contentSchema": answer}
    stream["text/event-stream"]["schema"] = {
        "type": "object",
        "properties": {"event": {"enum": ["results", "done"]}, "data": payload},
        "required": ["event", "data"],
    }


@schemathesis.hook
def before_call(context, case, kwargs):
    """Of the requests that are to be accepted, half are about what is there."""
    if case.meta is not None and case.meta.generation.mode == GenerationMode.NEGATIVE:
        # A parameter without a value counts as not given: it is no wrong one. Only the text `q` must be there.
        for name, value in (case.query or {}).items():
            if value == "" and name != "q":
                case.query[name] = "-"
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE or CHANCE.random() < 0.5:
        return
    for name in case.path_parameters or {}:
        case.path_parameters[name] = CHANCE.choice(record(case.operation.path))
    # Each of these asks suppliers first: a few are enough.
    make = BODIES.get(case.operation.label)
    if make is not None and CHANCE.random() < 0.3:
        try:
            case.body = make()
        except (RuntimeError, IndexError) as problem:
            print(f"not made: {problem}")


@schemathesis.hook
def filter_query(context, query):
    """A parameter without a value counts as not given, which no schema says: it is not sent as one that is wrong."""
    return all(value != "" for value in (query or {}).values())


@schemathesis.hook
def filter_headers(context, headers):
    """Blanks at the ends of a value are no part of it on the wire: what is refused for them can't be sent."""
    return all(str(value) == str(value).strip() for value in (headers or {}).values())


@schemathesis.auth(refresh_interval=2)
class BearerToken:
    def get(self, case, context):
        return ADMINS.one().token

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"
