"""Agents who book all the time through HAProxy, each with one connection and one sale after the other. Whoever is told that
nobody knows asks again under the same key, as the API says, until there is an answer."""

import datetime
import http.client
import json
import threading
import time
from dataclasses import dataclass

PASSWORD = "as long as passwords must be 1"
# Between two sales of a seller: what is measured is how long none can be made, not how many.
REST = 0.3
# What says that nothing is known, or that the first one is under way still.
AGAIN = {408, 409, 429, 502, 503, 504}
PAUSE = 0.1


@dataclass
class Sale:
    """A booking that was acknowledged."""

    key: str
    reference: str
    user: str
    server: str
    asked_at: float
    answered_at: float
    status: str


def search():
    day = datetime.date.today() + datetime.timedelta(days=30)
    return {
        "search_params": {"trip_type": "ONE_WAY", "passengers": {"adults": 1}, "cabin_class": "ECONOMY"},
        "slices": [{"origin": "DEL", "destination": "BOM", "departure_date": day.isoformat()}],
    }


def order(booking_key):
    return {
        "booking_keys": [booking_key],
        "contact_email": "traveller@agency.example",
        "contact_phone": "9812345678",
        "contact_country_code": "91",
        "allow_duplicate": True,
        "passengers": [{
            "pax_index": 1, "type": "ADT", "title": "Ms", "first_name": "Meera", "last_name": "Shah", "gender": "F",
            "dob": "1990-04-12",
        }],
    }


class Caller:
    """A user at the API, whichever server answers."""

    def __init__(self, port, agency, username):
        self.port, self.agency, self.username = port, agency, username
        self.connection = None
        self.token = None
        self.server = ""

    def ask(self, method, path, body=None, key=None):
        """Status and body; 0 where the connection broke."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if key:
            headers["Idempotency-Key"] = key
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=100)
            text = None if body is None else json.dumps(body)
            self.connection.request(method, f"/api/v1{path}", text, headers)
            answer = self.connection.getresponse()
            said = answer.read()
            self.server = answer.getheader("X-Served-By", self.server)
            return answer.status, json.loads(said)
        except (OSError, http.client.HTTPException, ValueError):
            self.connection.close()
            self.connection = None
            return 0, None

    def log_in(self):
        body = {"agent_id": self.agency, "username": self.username, "password": PASSWORD}
        status, answer = self.ask("POST", "/auth/login", body)
        if status != 200:
            raise RuntimeError(f"{self.username} can't log in: {status} {answer}")
        self.token = answer["data"]["tokens"]["access_token"]
        self.ask("GET", "/me")


class Seller(threading.Thread):
    """Sells until it is told to stop."""

    def __init__(self, caller):
        super().__init__(daemon=True)
        self.caller = caller
        self.sales = []
        self.wrongs = []
        self.is_over = threading.Event()

    def run(self):
        while not self.is_over.is_set():
            try:
                self.sell(f"{self.caller.username}-{len(self.sales)}-{len(self.wrongs)}")
                time.sleep(REST)
            except Exception as error:  # noqa: BLE001: a seller that dies must be seen
                self.wrongs.append(f"{self.caller.username}: {error!r}")
                time.sleep(1)

    def price(self):
        """The key of a promised price."""
        status, found = self.caller.ask("POST", "/flights/search", search())
        if status != 200:
            return None
        offers = [offer for offer in found["data"]["offers"] if offer["supplier"] == "tripjack"]
        if not offers:
            return None
        body = {"offer_ids": [offers[0]["offer_id"]], "adults": 1}
        status, priced = self.caller.ask("POST", "/flights/price", body)
        return priced["data"]["booking_keys"][0] if status == 200 else None

    def sell(self, key):
        booking_key = self.price()
        if booking_key is None:
            time.sleep(PAUSE)
            return
        asked_at = time.monotonic()
        while True:
            status, body = self.caller.ask("POST", "/flights/book", order(booking_key), key)
            if status in (200, 202):
                data = body["data"]
                self.sales.append(Sale(
                    key, data["booking_ref"], self.caller.username, self.caller.server, asked_at, time.monotonic(),
                    data["status"],
                ))
                return
            if status != 0 and status not in AGAIN:
                self.wrongs.append(f"{key}: {status} {body}")
                return
            time.sleep(PAUSE)


class Sellers:
    """All of them, and how long none of their bookings came to an end."""

    def __init__(self, callers):
        self.all = [Seller(caller) for caller in callers]

    def start(self):
        for seller in self.all:
            seller.start()

    def stop(self):
        for seller in self.all:
            seller.is_over.set()
        for seller in self.all:
            seller.join(150)

    def at(self, server):
        """Who is at this server just now."""
        return [seller for seller in self.all if seller.caller.server == server]

    def sales(self):
        return [sale for seller in self.all for sale in list(seller.sales)]

    def wrongs(self):
        return [wrong for seller in self.all for wrong in seller.wrongs]

    @staticmethod
    def have_sold_since(sellers, moment):
        """Whether each of them has sold what it was asked for after this moment."""
        return all(seller.sales and seller.sales[-1].asked_at > moment for seller in sellers)

    @staticmethod
    def stand_still(sellers, begin, end):
        """The longest time between these moments in which none of these sellers' bookings was acknowledged."""
        inside = [sale.answered_at for seller in sellers for sale in list(seller.sales)
                  if begin < sale.answered_at < end]
        moments = sorted([begin, *inside, end])
        return max(later - earlier for earlier, later in zip(moments, moments[1:]))
