"""Whether the searches that the page of the documentation proposes find something at the demo."""

import json
import os

import httpx

with open(os.environ["WAYFARE_DEMO"], encoding="utf-8") as file:
    demo = json.load(file)
agent = next(user for user in demo["users"] if user["role"] == "agent")
credentials = {"agent_id": demo["agent_id"], "username": agent["username"], "password": agent["password"]}

with httpx.Client(base_url=demo["base_url"], timeout=60) as client:
    document = client.get("/openapi.json").json()
    tokens = client.post("/api/v1/auth/login", json=credentials).json()["data"]["tokens"]
    client.headers["Authorization"] = f"Bearer {tokens['access_token']}"
    for path, found in [("/api/v1/flights/search", "offers"), ("/api/v1/hotels/search", "hotels")]:
        body = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]
        for name, example in body["examples"].items():
            answer = client.post(path, json=example["value"])
            if not answer.is_success or not answer.json()["data"][found]:
                raise SystemExit(f"{path}, {name}: nothing is found: {answer.status_code} {answer.text[:500]}")
            print(f"{path}, {name}: {len(answer.json()['data'][found])}")
