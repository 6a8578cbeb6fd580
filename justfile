# What a recipe is given it passes on as it was typed, quotes and all.
set positional-arguments

# `just` lists the recipes.
default:
    @just --list

# Start everything with nothing configured: API, private PostgreSQL, sandbox suppliers, demo agency.
run *options:
    cargo run --release -- "$@"

# Every test; starts what it needs itself.
test *options:
    cargo test --workspace "$@"

# A year of two servers, played by a clock that jumps to what is due next; `just simulate-year 60 100` is what the tests play.
simulate-year days="365" bookings="2000" report="target/SIMULATED_YEAR.md":
    WAYFARE_SIMULATED_DAYS={{days}} WAYFARE_SIMULATED_BOOKINGS={{bookings}} WAYFARE_SIMULATED_REPORT={{justfile_directory()}}/{{report}} cargo test --release -p wayfare-tests --test survival -- --nocapture simulated_year

# The survival suite, longer: every row of its tables, and so many rounds of the crowd.
survive rounds="20":
    WAYFARE_SURVIVAL_LONG=1 WAYFARE_SURVIVAL_ROUNDS={{rounds}} cargo test -p wayfare-tests --test survival -- --nocapture

# Recorded answers with faults in them, ten times as many, through the readers of all suppliers.
spoil:
    WAYFARE_SPOILED_LONG=1 cargo test -p wayfare-flights -p wayfare-hotels spoil -- --nocapture

# The whole odd world: each row of oddities on each recorded answer, and at each call of whole journeys at each supplier; it ends
# each part with how many hold.
odd-world:
    WAYFARE_ODD_WORLD=1 cargo test -p wayfare-flights -p wayfare-hotels --test it -- odd_recordings --nocapture
    WAYFARE_ODD_WORLD=1 cargo test -p wayfare-tests --test api -- odd_world --nocapture
    WAYFARE_ODD_WORLD=1 cargo test -p wayfare-tests --test survival -- of_two_hundred_bookings a_year_of_two_servers --nocapture

# A cluster on this machine (etcd, Patroni, HAProxy, Redis, two servers) that is broken so many times while agents book; as root it
# installs what it needs. Five rounds take about four minutes, fifty about 25.
prove-cluster rounds="5" *options:
    cargo build -p wayfare-api -p wayfare-ctl
    tests/cluster/run target/debug/wayfare target/debug/wayfarectl "$@"

# An upgrade from an old revision to this one while agents book: `just prove-upgrade v0.1.0`. It builds the revision, which takes minutes
# the first time; with --release as it ran.
prove-upgrade revision *options:
    cargo build -p wayfare-api -p wayfare-ctl
    cargo run --quiet -p wayfare-tests --bin prove_upgrade -- "$@"

# Record the statements that this version prepares, tests/compat/statements.sql: the first thing after a release, of what was released.
record-statements:
    rm -f target/statements.jsonl
    WAYFARE_RECORD_STATEMENTS={{justfile_directory()}}/target/statements.jsonl cargo test --workspace --test api
    WAYFARE_RECORDED_STATEMENTS={{justfile_directory()}}/target/statements.jsonl WAYFARE_COMMIT=$(git describe --always) \
        cargo test --workspace --test it -- compat::the_release_before_works

# The ledger beside a simple model of it, longer: `WAYFARE_MODEL_SEED=7 just model-ledger` replays a run.
model-ledger steps="5000":
    WAYFARE_MODEL_STEPS={{steps}} cargo test -p wayfare-operations --lib -- commit::model --nocapture

# The search stream read by Chromium's and Node's own readers for server-sent events, as far as the machine has them.
stream-in-browser:
    cargo run --quiet -p wayfare-tests --features browser --bin stream_in_browser

# Write the OpenAPI documents, docs/openapi.json and docs/openapi-operator.json, anew.
openapi:
    WAYFARE_RENEW_OPENAPI=1 cargo test -p wayfare-api --lib -- openapi::tests::the_repository_has_the_documents

# The page of the documentation in Chromium: log-in and a search there, with a picture in target/docs.png.
docs-in-browser:
    cargo run --quiet -p wayfare-tests --features browser --bin docs_in_browser

# axe-core, which looks for violations of WCAG, in target/axe at the version and checksum of tests/axe; without it that check is skipped.
axe:
    #!/usr/bin/env bash
    if ! cmp -s tests/axe/package-lock.json target/axe/installed.json; then
        mkdir -p target/axe
        cp tests/axe/package*.json target/axe
        (cd target/axe && npm ci --no-audit --no-fund --loglevel error) && cp tests/axe/package-lock.json target/axe/installed.json \
            || echo "axe-core can't be fetched here: nobody looks for violations of WCAG"
    fi

# The console in Chromium without a window, as agents use it, each check a line: `just console-in-browser --only A1,A5`.
console-in-browser *options: axe
    #!/usr/bin/env bash
    set -euo pipefail
    cargo build --workspace --features wayfare-tests/browser --bin wayfare --bin console_in_browser
    axe=target/axe/node_modules/axe-core/axe.min.js
    [ -e "$axe" ] && set -- --axe "$axe" "$@"
    "${CARGO_TARGET_DIR:-target}/debug/console_in_browser" "$@"

# Pictures of the console's main screens, docs/console/*.png; made small by pngquant where it is (`apt-get install pngquant`).
console-pictures:
    #!/usr/bin/env bash
    set -euo pipefail
    cargo build --workspace --features wayfare-tests/browser --bin console_in_browser
    "${CARGO_TARGET_DIR:-target}/debug/console_in_browser" --pictures docs/console
    if command -v pngquant >/dev/null; then
        pngquant --force --ext .png --speed 1 --strip 64 docs/console/*.png
    fi

# Everything that the OpenAPI document promises, asked of the released program: more than 20,000 requests.
contract *options="--max-examples 150":
    cargo build --release -p wayfare-api
    tests/contract/run target/release/wayfare {{options}}

# Clients that generators of others make of the OpenAPI document: their types, and a flight booked in Python and TypeScript.
clients:
    cargo build -p wayfare-api
    tests/clients/run target/debug/wayfare

# Renew the examples of the OpenAPI document, out of the answers that the tests of the API are given.
examples: openapi
    WAYFARE_RENEW_EXAMPLES=1 cargo test --workspace --test api
    just openapi

# What CI checks before it tests.
check:
    cargo fmt --all -- --check
    cargo clippy --workspace --all-targets --features wayfare-tests/browser,wayfare-api/otlp -- -D warnings

# That no name stands in the code which the glossary has replaced.
glossary-check:
    cargo test -p wayfare-tests --test architecture -- glossary

# What statements read, with plans made of empty tables, at so many bookings of one agency.
plans bookings="100000":
    WAYFARE_PLANS_BOOKINGS={{bookings}} cargo test -p wayfare-tests --test api -- plans:: --nocapture

# Licences, bans and sources of the dependencies, as CI asks (`cargo install cargo-deny --locked`).
deny:
    cargo deny --locked check --hide-inclusion-graph --allow duplicate bans licenses sources

# Known security advisories of the dependencies; fetches their database.
advisories:
    cargo deny --locked check advisories

# All that CI does.
ci:
    bash .ci/run

# Every benchmark, and at the end one table of all figures that have an aim.
bench:
    #!/usr/bin/env bash
    set -euo pipefail
    mkdir -p target
    for one in bookings ledger lists reports pricing search search-load hotels places cities logins console; do
        just "bench-$one"
    done | tee target/bench.txt
    printf '\n| figure | measured | aim | |\n| --- | --- | --- | --- |\n'
    sed -n 's/^aim //p' target/bench.txt

# Bookings per second beside pgbench on the same PostgreSQL: `just bench-bookings --seconds 30`.
bench-bookings *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin bookings -- "$@"

# Lists, summary and export of a wallet with a million transactions: `just bench-lists --rounds 30`.
bench-lists *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin lists -- "$@"

# A report over a year of a wallet with a million transactions, in time and memory: `just bench-reports --transactions 2000000`.
bench-reports *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin reports -- "$@"

# Debits per second from one wallet beside other ways to write them: `just bench-ledger --seconds 30`.
bench-ledger *options:
    cargo run --release --quiet -p wayfare-bench --bin ledger -- "$@"

# What a flood of wrong log-ins costs everybody else: `just bench-logins --clients 1000`.
bench-logins *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin logins -- "$@"

# What 1,000 prices cost beside a loop that only copies.
bench-pricing *options:
    cargo bench -p wayfare-pricing --bench pricing -- "$@"

# What a search costs us beside its supplier; the last lines compare it with its floor.
bench-search *options:
    cargo bench -p wayfare-api --bench search -- "$@"

# What the server adds to searches over ten slow suppliers, ten minutes; less: `just bench-search-load --searches 9 --seconds 3 --step-seconds 2`.
bench-search-load *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin searches -- "$@"

# What the server adds to a search of 2,000 hotels, what it keeps, and its pages: `just bench-hotels --searches 9`.
bench-hotels *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin hotels -- "$@"

# How long airports, airlines and cities take over HTTP while somebody types, beside calls that do nothing: `just bench-places --rounds 20`.
bench-places *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin places -- "$@"

# What the console's screens cost beside their calls, and 50 agents at them everybody else: `just bench-console --rounds 100`.
bench-console *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin console -- "$@"

# How long it takes to find cities while somebody types.
bench-cities *options:
    cargo bench -p wayfare-reference --bench cities -- "$@"

# Both programs as they are deployed, in target/deploy: each stripped, and beside it `<program>.debug` with the names and lines
# that a backtrace shows as long as the two lie in one folder. Takes far longer than `cargo build --release`.
dist:
    WAYFARE_COMMIT=$(git rev-parse --short=12 HEAD) cargo build --profile dist -p wayfare-api -p wayfare-ctl
    mkdir -p target/deploy
    for program in wayfare wayfarectl; do \
        objcopy --only-keep-debug target/dist/$program target/deploy/$program.debug && \
        objcopy --strip-all --add-gnu-debuglink=target/deploy/$program.debug target/dist/$program target/deploy/$program || exit 1; \
    done

# The operator's program: `just ctl agency create --help`.
ctl *arguments:
    cargo run --release --quiet -p wayfare-ctl -- "$@"

# Bring the database's tables up to date.
migrate:
    just ctl migrate

# Re-add every balance, check every seal.
verify:
    just ctl ledger verify

# A ledger of a million entries is proven, and how far that is moves each second.
prove-million:
    cargo test --workspace --test api -- --ignored --nocapture operator_api::million

# A psql on the private database of a running server.
db data_dir="${WAYFARE_DATA_DIR:-/var/lib/wayfare}":
    psql "host={{data_dir}}/postgres/run user=wayfare dbname=wayfare"

# The sandbox suppliers alone, on a port of their own: `just sandbox --bind 127.0.0.1:9090`.
sandbox *options:
    cargo run --release -- sandbox "$@"

# Duffel's official clients for JavaScript and Python at the sandbox: search, order, cancel.
sandbox-clients:
    cargo build -p wayfare-api
    tests/sandbox_clients/run target/debug/wayfare

# What is under deploy/, checked as far as that goes here.
packages:
    cargo build -p wayfare-api -p wayfare-ctl
    tests/packages/run target/debug/wayfare

# Fetch the airports anew.
renew-airports:
    bash crates/reference/data/renew-airports.sh

# Read the documentation of every crate.
doc:
    cargo doc --workspace --no-deps --open

# The crates that others link: packaged, each checked and documented alone, and linked in a workspace of somebody else.
link *options:
    tests/foreign/run "$@"

# What has changed for those who link the crates, since a revision from 0.2.0 on: `just semver v0.2.0`.
semver revision:
    #!/usr/bin/env bash
    set -euo pipefail
    was=$(git show "$1:Cargo.toml" | sed -n '0,/^version = /s/^version = "\(.*\)"/\1/p')
    if [ "$(printf '%s\n' 0.2.0 "$was" | sort -V | sed q)" != 0.2.0 ]; then
        echo "$1 is version $was: the crates are compared from 0.2.0 on, which was the first to be released" >&2
        exit 1
    fi
    if ! command -v cargo-semver-checks >/dev/null; then
        echo "cargo-semver-checks is not installed: cargo install cargo-semver-checks --locked" >&2
        exit 1
    fi
    cargo semver-checks --baseline-rev "$1" $(grep -l '^publish = true' crates/*/Cargo.toml | sed 's|crates/\(.*\)/Cargo.toml|--package=wayfare-\1|')
