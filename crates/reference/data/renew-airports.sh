#!/bin/sh
# Renews airports.csv from the Python package `airportsdata` (MIT). Run it in this folder; needs python3 with pip.
# Move VERSION to take newer data, then run `cargo test -p wayfare-reference`: it says what changed in number.
set -eu
VERSION=20260905

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m pip download --quiet --no-deps --dest "$work" "airportsdata==$VERSION"

WORK=$work HERE=$here VERSION=$VERSION python3 - <<'PYTHON'
import csv, glob, io, os, re, zipfile
from decimal import Decimal

package = zipfile.ZipFile(glob.glob(os.environ["WORK"] + "/airportsdata-*.whl")[0])
def table(name):
    return csv.DictReader(io.StringIO(package.read("airportsdata/" + name).decode("utf-8")))

# The code of the city an airport serves, where several airports share one city (LON, NYC); else its own.
city_codes = {row["Airport Code"]: row["City Code"] for row in table("iata_macs.csv")}

def city(row):
    # A tenth of the rows name no city: those airports are named after the place they serve.
    return row["city"].strip() or re.sub(r"\s+(International|Domestic|Regional|Municipal)?\s*(Airport|Airfield|Airstrip|Air Base|Aerodrome)$", "", row["name"].strip())

rows = sorted((r for r in table("airports.csv") if r["iata"]), key=lambda r: r["iata"])
with open(os.environ["HERE"] + "/airports.csv", "w", encoding="utf-8", newline="") as out:
    write = csv.writer(out, lineterminator="\n")
    write.writerow(["iata", "icao", "city_code", "name", "city", "country", "time_zone", "latitude", "longitude"])
    for r in rows:
        degrees = [format(Decimal(r[k]).quantize(Decimal("0.000001")), "f") for k in ("lat", "lon")]
        write.writerow([r["iata"], r["icao"], city_codes.get(r["iata"], r["iata"]), r["name"].strip(), city(r), r["country"], r["tz"], *degrees])
print(len(rows), "airports of airportsdata", os.environ["VERSION"])
PYTHON
