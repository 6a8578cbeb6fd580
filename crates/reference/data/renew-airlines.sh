#!/bin/sh
# Renews airlines.csv from OpenTravelData's `optd_airlines.csv` (CC BY 4.0), which is no package: give the path of a copy
# of it, with its columns or those of airlines.csv. Run it in this folder; needs python3.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

SOURCE=$1 HERE=$here python3 - <<'PYTHON'
import csv, os, re

with open(os.environ["SOURCE"], encoding="utf-8", newline="") as source:
    delimiter = "^" if "^" in source.readline() else ","
    source.seek(0)
    rows = list(csv.DictReader(source, delimiter=delimiter))

def first(row, *names):
    return next((row[name].strip() for name in names if row.get(name)), "")

airlines = set()
for row in rows:
    iata, name = first(row, "2char_code", "iata"), first(row, "name")
    # Alliances have codes that begin with a star.
    if name and re.fullmatch("[A-Z0-9]{2}", iata):
        icao = first(row, "3char_code", "icao")
        airlines.add((iata, icao, name, first(row, "validity_from", "valid_from", "from"), first(row, "validity_to", "valid_to", "until")))

with open(os.environ["HERE"] + "/airlines.csv", "w", encoding="utf-8", newline="") as out:
    csv.writer(out, lineterminator="\n").writerows([("iata", "icao", "name", "from", "until"), *sorted(airlines)])
print(len(airlines), "airlines of OpenTravelData")
PYTHON
