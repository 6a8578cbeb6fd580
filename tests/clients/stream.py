"""Reads the search stream with httpx, which asks for the content codings that it has extras for: `stream.py CODING...`.

The first one named is what it has to get by itself; each other is asked for by its name."""

import json
import os
import sys

import httpx

with open(os.environ["WAYFARE_DEMO"], encoding="utf-8") as file:
    demo = json.load(file)
agent = next(user for user in demo["users"] if user["role"] == "agent")
credentials = {"agent_id": demo["agent_id"], "username": agent["username"], "password": agent["password"]}
search = "/api/v1/flights/search"

with httpx.Client(base_url=demo["base_url"], timeout=60) as client:
    document = client.get("/openapi.json").json()
    examples = document["paths"][search]["post"]["requestBody"]["content"]["application/json"]["examples"]
    body = next(iter(examples.values()))["value"]
    tokens = client.post("/api/v1/auth/login", json=credentials).json()["data"]["tokens"]
    client.headers["Authorization"] = f"Bearer {tokens['access_token']}"
    for number, coding in enumerate(sys.argv[1:]):
        asked = {"Accept-Encoding": coding} if number else {}
        with client.stream("POST", f"{search}/stream", json=body, headers=asked) as answer:
            sent = answer.headers.get("content-encoding", "identity")
            lines = list(answer.iter_lines())
            wire = answer.num_bytes_downloaded
        if sent != coding:
            raise SystemExit(f"it came in {sent} in the place of {coding}")
        names = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
        data = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
        if names[-1:] != ["done"] or len(data) != len(names) or not all(one["success"] for one in data):
            raise SystemExit(f"{coding}: the events are {names}")
        print(f"httpx, {coding}: {len(names)} events, {sum(map(len, lines))} characters in {wire} bytes")
