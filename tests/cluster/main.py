"""Breaks a cluster round after round while agents book, prints how long bookings stood still, and ends with 1 where anything
that was acknowledged is lost or books don't agree."""

import argparse
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import books
from faults import FAULTS, SHORT
from machines import SERVERS, Cluster
from processes import until
from sellers import PASSWORD, Caller, Sellers, search

# So many are made, and so many of them sell at each server.
USERS = 16
AT_EACH = 4
MONEY = "900000000.00"


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", required=True)
    # Of the folder that this is started in: its processes run in folders of their own.
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("operator", type=os.path.abspath)
    parser.add_argument("rounds", type=int, nargs="?", default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=int, default=60, help="no round begins after so many")
    parser.add_argument("--keep", action="store_true", help="leave the folder with all logs")
    return parser.parse_args()


def people(cluster):
    """Agents with wallets of their own, and admins who pay from the agency's: as many of them at one server as at the other."""
    agency = cluster.operate(
        "agency", "create", "--name", "Blue Travels", "--email", "office@blue.example", "--country", "IN",
        "--admin-username", "admin", "--admin-email", "admin@blue.example", "--admin-password", PASSWORD,
    )["agent_id"]
    cluster.operate("agency", "topup", agency, MONEY)
    names = []
    for number in range(USERS):
        role = "org_admin" if number % 4 == 3 else "agent"
        name = f"{role.replace('_', '')}{number}"
        cluster.operate(
            "user", "create", agency, "--username", name, "--email", f"{name}@blue.example", "--name", name, "--role",
            role, "--password", PASSWORD,
        )
        if role == "agent":
            cluster.operate("agency", "topup", agency, MONEY, "--user", name)
        names.append(name)
    callers = [Caller(cluster.api_port, agency, name) for name in names]
    for caller in callers:
        caller.log_in()
    chosen = [[caller for caller in callers if caller.server == server][:AT_EACH] for server in SERVERS]
    if not all(chosen):
        raise RuntimeError("HAProxy has sent everybody to one server")
    return [caller for group in chosen for caller in group]


def coded_stream(caller):
    """What is wrong with a search stream that curl asks for in a coding through HAProxy."""
    said = subprocess.run(
        ["curl", "--silent", "--no-buffer", "--compressed", "--include", "--max-time", "60",
         "--header", "Content-Type: application/json", "--header", f"Authorization: Bearer {caller.token}",
         "--data", json.dumps(search()), f"http://127.0.0.1:{caller.port}/api/v1/flights/search/stream"],
        capture_output=True, check=True,
    ).stdout.decode()
    features = subprocess.run(["curl", "--version"], capture_output=True, check=True).stdout.decode().split()
    best = next((coding for feature, coding in [("zstd", "zstd"), ("brotli", "br")] if feature in features), None)
    head, _, events = said.partition("\r\n\r\n")
    coding = next((line.split(": ")[1] for line in head.lower().splitlines() if line.startswith("content-encoding: ")), None)
    names = [line.removeprefix("event: ") for line in events.splitlines() if line.startswith("event: ")]
    print(f"a search through HAProxy is streamed as {coding}: {names}", flush=True)
    return [] if coding == best and names[-1:] == ["done"] else [f"a coded stream: {coding}, {names}"]


def plan(rounds, seed):
    """The faults in the order of the rounds: all of them as often as each other."""
    names = list(FAULTS)
    if rounds <= len(SHORT):
        return [names[number] for number in SHORT][:rounds]
    chance, planned = random.Random(seed), []
    while len(planned) < rounds:
        some = names[:]
        chance.shuffle(some)
        planned += some
    return planned[:rounds]


def play(cluster, sellers, name):
    """One round: how long the users of each server could not book."""
    fault, of_server = FAULTS[name]
    groups = {server: sellers.at(server) for server in SERVERS if of_server in (None, server)}
    began = time.monotonic()
    fault(cluster)
    cluster.until_whole()
    for server in SERVERS:
        cluster.until_ready(server)
    mended = time.monotonic()
    until("everybody sells again", lambda: sellers.have_sold_since(sellers.all, mended), 150)
    ended = time.monotonic()
    return {server: sellers.stand_still(group, began, ended) for server, group in groups.items() if group}


def table(found):
    print("\n| what happens | rounds | by hosts: p50 | max | through HAProxy: p50 | max |\n| --- | --- | --- | --- | --- | --- |")
    for name in FAULTS:
        rounds = found.get(name, [])
        if not rounds:
            continue
        cells = [name, str(len(rounds))]
        for server in SERVERS:
            times = [one[server] for one in rounds if server in one]
            cells += [f"{statistics.median(times):.1f} s", f"{max(times):.1f} s"] if times else ["", ""]
        print(f"| {' | '.join(cells)} |")


def run(cluster, options):
    begun = time.monotonic()
    cluster.start()
    callers = people(cluster)
    sellers = Sellers(callers)
    wrongs = coded_stream(callers[0])
    print(f"the cluster sells after {time.monotonic() - begun:.0f} s:",
          {server: len(sellers.at(server)) for server in SERVERS}, flush=True)
    sellers.start()
    until("everybody sells", lambda: sellers.have_sold_since(sellers.all, 0))
    found, unmended = {}, []
    for number, name in enumerate(plan(options.rounds, options.seed), 1):
        if time.monotonic() - begun > options.minutes * 60:
            print(f"no time for round {number}")
            break
        try:
            stood = play(cluster, sellers, name)
        except TimeoutError as error:
            # What was acknowledged until then must be there all the same.
            unmended.append(f"{name}: {error}")
            break
        found.setdefault(name, []).append(stood)
        times = ", ".join(f"{server} {seconds:.1f} s" for server, seconds in stood.items())
        print(f"{number}. {name}: {times}; {len(sellers.sales())} sales", flush=True)
    sellers.stop()
    found_in_books, bookings = books.wrongs(cluster, sellers.sales())
    wrongs += found_in_books + sellers.wrongs() + unmended
    table(found)
    print(f"\n{len(sellers.sales())} sales were acknowledged, {bookings} bookings made; {len(wrongs)} things are wrong")
    for wrong in wrongs:
        print(f"WRONG: {wrong}")
    return 1 if wrongs else 0


def main():
    options = arguments()
    # Whoever ends this ends all that it has started.
    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, lambda *_: sys.exit(1))
    place = tempfile.mkdtemp(prefix="wayfare-cluster-")
    cluster = Cluster(place, options.tools, options.program, options.operator)
    code = 1
    try:
        code = run(cluster, options)
    finally:
        cluster.end()
        if options.keep or code:
            print(f"logs are in {place}")
        else:
            shutil.rmtree(place)
    sys.exit(code)


if __name__ == "__main__":
    main()
