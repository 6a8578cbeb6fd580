"""The crates that both programs are built of."""

import json
import pathlib
import subprocess
import tomllib

PROGRAMS = ("wayfare-api", "wayfare-ctl")
PROJECT = pathlib.Path(__file__).resolve().parents[2]


def cargo(*arguments):
    return subprocess.run(["cargo", "--quiet", *arguments], check=True, stdout=subprocess.PIPE, cwd=PROJECT, text=True).stdout


def named(edges):
    """Name and version of each crate that the programs reach by these edges: `cargo metadata` alone knows more features than
    the programs are built with."""
    packages = [argument for program in PROGRAMS for argument in ("-p", program)]
    lines = cargo("tree", "--locked", *packages, "-e", edges, "--prefix", "none", "--format", "{p}").splitlines()
    return {tuple(line.split()[:2]) for line in lines if line}


def of_programs():
    """Each crate as `cargo metadata` has it, by name and version, with `linked` (in a program, not only in its build), `checksum`
    and `needs`."""
    host = next(line.split()[1] for line in subprocess.run(
        ["rustc", "-vV"], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines() if line.startswith("host:"))
    metadata = json.loads(cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", host))
    lock = tomllib.loads((PROJECT / "Cargo.lock").read_text())
    checksums = {(one["name"], one["version"]): one.get("checksum") for one in lock["package"]}
    built, linked = named("normal,build"), named("normal,no-proc-macro")
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    crates = {one["id"]: one for one in metadata["packages"] if (one["name"], f"v{one['version']}") in built}
    if len(crates) != len(built):
        raise SystemExit(f"cargo tree knows {len(built)} crates and cargo metadata {len(crates)} of them")
    for identity, crate in crates.items():
        crate["linked"] = (crate["name"], f"v{crate['version']}") in linked
        crate["checksum"] = checksums[crate["name"], crate["version"]]
        crate["needs"] = sorted({need["pkg"] for need in nodes[identity]["deps"]
                                 if need["pkg"] in crates and any(kind["kind"] != "dev" for kind in need["dep_kinds"])})
        # Before 2021 crates wrote a slash where they let one choose.
        crate["license"] = (crate["license"] or "NOASSERTION").replace(" / ", "/").replace("/", " OR ")
    return dict(sorted(crates.items(), key=lambda pair: (pair[1]["name"], pair[1]["version"])))
