"""Who the requests are of: an admin of the demo agency, and the next one when a request has shut the last one out."""

import json
import os

import requests
import schemathesis

with open(os.environ["WAYFARE_DEMO"], encoding="utf-8") as file:
    DEMO = json.load(file)
API = DEMO["base_url"] + "/api/v1"
PASSWORD = "contract horse 7"
SPARES = 40


def log_in(username, password):
    body = {"agent_id": DEMO["agent_id"], "username": username, "password": password}
    return requests.post(f"{API}/auth/login", json=body, timeout=30)


def token_of(answer):
    return answer.json()["data"]["tokens"]["access_token"]


class Admins:
    """Requests may suspend or delete the very admin who sends them: then another goes on."""

    def __init__(self):
        admin = next(user for user in DEMO["users"] if user["role"] == "org_admin")
        token = token_of(log_in(admin["username"], admin["password"]))
        self.spares = []
        for number in range(SPARES):
            name = f"contract{number}"
            user = {
                "username": name,
                "email": f"{name}@agency.example",
                "name": name,
                "password": PASSWORD,
                "role": "org_admin",
            }
            headers = {"Authorization": f"Bearer {token}"}
            requests.post(f"{API}/org/users", json=user, headers=headers, timeout=30).raise_for_status()
            self.spares.append(name)
        self.token = None

    def is_good(self):
        headers = {"Authorization": f"Bearer {self.token}"}
        return self.token and requests.get(f"{API}/me", headers=headers, timeout=30).status_code == 200

    def good_token(self):
        while not self.is_good():
            answer = log_in(self.spares.pop(0), PASSWORD)
            if answer.status_code == 200:
                self.token = token_of(answer)
        return self.token


ADMINS = Admins()


@schemathesis.auth(refresh_interval=2)
class BearerToken:
    def get(self, case, context):
        return ADMINS.good_token()

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"
