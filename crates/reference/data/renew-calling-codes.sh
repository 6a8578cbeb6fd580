#!/bin/sh
# Renews calling_codes.csv, and the numbers that the tests try, from the Python package `phonenumbers`, whose metadata are those of
# libphonenumber (Apache License 2.0). Run it in this folder; needs python3 with pip. Move VERSION to take newer data, then run
# the tests of this crate.
set -eu
VERSION=9.0.43

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m pip install --quiet --no-deps --target "$work" "phonenumbers==$VERSION"

PYTHONPATH=$work HERE=$here VERSION=$VERSION python3 - <<'PYTHON'
import csv, os, re
import phonenumbers as numbers
from phonenumbers import PhoneMetadata, PhoneNumberFormat, PhoneNumberType

here = os.environ["HERE"]

def of_code(code, regions):
    # The first region of a code is the one whose rules count where several share it.
    plans = [PhoneMetadata.metadata_for_nongeo_region(code) if region == "001" else PhoneMetadata.metadata_for_region(region)
             for region in regions]
    # What is dialled within one town only is not among them: no stranger could call it.
    lengths = {n for plan in plans for n in plan.general_desc.possible_length if n > 0}
    main = plans[0]
    template = re.sub(r"\\(\d)", r"${\1}", main.national_prefix_transform_rule or "")
    return [code, "|".join(regions), main.international_prefix or "", main.national_prefix_for_parsing or "", template,
            "|".join(map(str, sorted(lengths))), main.general_desc.national_number_pattern]

codes = {}
for region in numbers.SUPPORTED_REGIONS:
    codes.setdefault(PhoneMetadata.metadata_for_region(region).country_code, set()).add(region)
for code in numbers.COUNTRY_CODES_FOR_NON_GEO_REGIONS:
    codes.setdefault(code, set()).add("001")

with open(here + "/calling_codes.csv", "w", encoding="utf-8", newline="") as out:
    write = csv.writer(out, lineterminator="\n")
    write.writerow(["code", "regions", "international_prefix", "national_prefix", "rewritten", "lengths", "pattern"])
    for code in sorted(codes):
        regions = list(numbers.COUNTRY_CODE_TO_REGION_CODE[code])
        write.writerow(of_code(code, regions))

KINDS = [PhoneNumberType.FIXED_LINE, PhoneNumberType.MOBILE, PhoneNumberType.TOLL_FREE, PhoneNumberType.VOIP]
with open(here + "/../tests/telephones.csv", "w", encoding="utf-8", newline="") as out:
    write = csv.writer(out, lineterminator="\n")
    write.writerow(["region", "code", "e164", "national", "international"])
    for region in sorted(numbers.SUPPORTED_REGIONS):
        for number in {numbers.format_number(n, PhoneNumberFormat.E164): n for n in
                       (numbers.example_number_for_type(region, kind) for kind in KINDS) if n}.values():
            written = [numbers.format_number(number, form) for form in
                       (PhoneNumberFormat.E164, PhoneNumberFormat.NATIONAL, PhoneNumberFormat.INTERNATIONAL)]
            write.writerow([region, number.country_code, *written])
print(len(codes), "calling codes of phonenumbers", os.environ["VERSION"])
PYTHON
