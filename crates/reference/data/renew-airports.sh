#!/bin/sh
# Renews airports.csv and city_codes.csv from the Python packages `airportsdata` (MIT) and `neobase`, which carries
# `optd_por_public.csv` of OpenTravelData (CC BY 4.0). Run it in this folder; needs python3 with pip.
# Move the versions to take newer data, then run `cargo test -p wayfare-reference`: it says what changed in number.
#
# Airports are those of airportsdata. The city that an airport serves and its rank are OpenTravelData's; of an airport
# that it does not have (as an airport) the city is airportsdata's, or the airport's own code.
set -eu
AIRPORTSDATA=20260905
NEOBASE=0.37

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m pip download --quiet --no-deps --dest "$work" "airportsdata==$AIRPORTSDATA" "neobase==$NEOBASE"

WORK=$work HERE=$here AIRPORTSDATA=$AIRPORTSDATA NEOBASE=$NEOBASE python3 - <<'PYTHON'
import csv, glob, io, os, re, zipfile
from collections import defaultdict
from decimal import Decimal

def package(name):
    return zipfile.ZipFile(glob.glob(f"{os.environ['WORK']}/{name}-*.whl")[0])

airportsdata = package("airportsdata")
def table(name):
    return csv.DictReader(io.StringIO(airportsdata.read("airportsdata/" + name).decode("utf-8")))

places = io.StringIO(package("neobase").read("neobase/optd_por_public.csv").decode("utf-8"))
places = csv.DictReader(places, delimiter="^", quoting=csv.QUOTE_NONE)
# Only what is in use: the envelope marks what a place was before. "A" and "CA" are airports, "C…" cities.
places = [p for p in places if not p["date_until"] and not p["envelope_id"]]
airport_places = {p["iata_code"]: p for p in places if "A" in p["location_type"]}
city_places = defaultdict(list)
for place in places:
    if "C" in place["location_type"]:
        city_places[place["iata_code"]].append(place)

def rank(place):
    # How important a place is among all, in millionths; the more, the sooner it is shown.
    return int((Decimal(place["page_rank"] or 0) * 1_000_000).to_integral_value())

# The code of the city an airport serves, where several airports share one (LON, NYC); else its own.
other_city_codes = {row["Airport Code"]: row["City Code"] for row in table("iata_macs.csv")}

def city_code(iata):
    place = airport_places.get(iata)
    # Of several cities the first is the one that travellers mean.
    first = place["city_code_list"].split(",")[0] if place else ""
    return first or other_city_codes.get(iata, iata)

def city(row):
    # A tenth of the rows name no city: those airports are named after the place they serve.
    return row["city"].strip() or re.sub(r"\s+(International|Domestic|Regional|Municipal)?\s*(Airport|Airfield|Airstrip|Air Base|Aerodrome)$", "", row["name"].strip())

def degrees(*texts):
    return [format(Decimal(text).quantize(Decimal("0.000001")), "f") for text in texts]

def write(name, header, rows):
    with open(f"{os.environ['HERE']}/{name}", "w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows([header, *rows])

rows = sorted((r for r in table("airports.csv") if r["iata"]), key=lambda r: r["iata"])
codes = {r["iata"] for r in rows}
members = defaultdict(list)
airports = []
for r in rows:
    iata, of_city = r["iata"], city_code(r["iata"])
    members[of_city].append(iata)
    its_rank = rank(airport_places[iata]) if iata in airport_places else 0
    airports.append([iata, r["icao"], of_city, r["name"].strip(), city(r), r["country"], r["tz"], *degrees(r["lat"], r["lon"]), its_rank])

# Cities that are more than the one airport of their code, as OpenTravelData describes them.
cities = []
for code in sorted(members):
    if members[code] == [code]:
        continue
    known = max(city_places[code], key=rank, default=None)
    if known is None:
        raise SystemExit(f"no city {code} for {members[code]}")
    its_rank = max([rank(known), *(rank(airport_places[m]) for m in members[code] if m in airport_places)])
    cities.append([code, known["name"], known["country_code"], known["timezone"], *degrees(known["latitude"], known["longitude"]), its_rank])

write("airports.csv", ["iata", "icao", "city_code", "name", "city", "country", "time_zone", "latitude", "longitude", "rank"], airports)
write("city_codes.csv", ["code", "name", "country", "time_zone", "latitude", "longitude", "rank"], cities)
print(len(airports), "airports of airportsdata", os.environ["AIRPORTSDATA"], "and", len(cities), "cities of neobase", os.environ["NEOBASE"])
PYTHON
