# What a recipe is given it passes on as it was typed, quotes and all.
set positional-arguments

# Where the keys and the private PostgreSQL are when nobody says otherwise, as `usual` of crates/launch/src/data_dir.rs has it. The shell
# reads it, inside of double quotes.
data_dir := '${WAYFARE_DATA_DIR:-$(if [ "$(id -u)" = 0 ]; then echo /var/lib/wayfare; else echo "${XDG_DATA_HOME:-$HOME/.local/share}/wayfare"; fi)}'

# Where cargo builds; what is made of its programs lies there, too.
target := absolute_path(env('CARGO_TARGET_DIR', 'target'))

# What `quick` looks at: crates below those that know PostgreSQL or HTTP.
low_crates := '-p wayfare-digits -p wayfare-domain -p wayfare-contract -p wayfare-ledger -p wayfare-pricing -p wayfare-supply -p wayfare-reference -p wayfare-trace -p wayfare-webhooks -p wayfare-oddities'

# `just` lists the recipes.
[group('start')]
default:
    @just --list --unsorted

# Start everything with nothing configured: API, private PostgreSQL, sandbox suppliers, demo agency.
[group('start')]
run *options:
    cargo run --release -- "$@"

# Every test; starts what it needs itself.
[group('test')]
test *options:
    cargo test --workspace "$@"

# A year of two servers, played by a clock that jumps to what is due next; `just simulate-year 60 100` is what the tests play.
[group('prove')]
simulate-year days="365" bookings="2000" report="target/SIMULATED_YEAR.md":
    WAYFARE_SIMULATED_DAYS={{days}} WAYFARE_SIMULATED_BOOKINGS={{bookings}} WAYFARE_SIMULATED_REPORT={{justfile_directory()}}/{{report}} cargo test --release -p wayfare-tests --test survival -- --nocapture simulated_year

# The survival suite, longer: every row of its tables, and so many rounds of the crowd.
[group('prove')]
survive rounds="20":
    WAYFARE_SURVIVAL_LONG=1 WAYFARE_SURVIVAL_ROUNDS={{rounds}} cargo test -p wayfare-tests --test survival -- --nocapture

# Recorded answers with faults in them, ten times as many, through the readers of all suppliers.
[group('prove')]
spoil:
    WAYFARE_SPOILED_LONG=1 cargo test -p wayfare-flights -p wayfare-hotels spoil -- --nocapture

# The whole odd world: each row of oddities on each recorded answer, and at each call of whole journeys at each supplier; it ends
# each part with how many hold.
[doc('The whole odd world, each part with how many hold: oddities on recorded answers, and at each call of whole journeys.')]
[group('prove')]
odd-world:
    WAYFARE_ODD_WORLD=1 cargo test -p wayfare-flights -p wayfare-hotels --test it -- odd_recordings --nocapture
    WAYFARE_ODD_WORLD=1 cargo test -p wayfare-tests --test api -- odd_world --nocapture
    WAYFARE_ODD_WORLD=1 cargo test -p wayfare-tests --test survival -- of_two_hundred_bookings a_year_of_two_servers --nocapture

# A cluster on this machine (etcd, Patroni, HAProxy, Redis, two servers) that is broken so many times while agents book; as root it
# installs what it needs. Five rounds take about four minutes, fifty about 25.
[doc('A cluster on this machine (etcd, Patroni, HAProxy, Redis, two servers) that is broken so many times while agents book.')]
[group('prove')]
prove-cluster rounds="5" *options:
    cargo build -p wayfare-api -p wayfare-ctl
    tests/cluster/run "{{target}}/debug/wayfare" "{{target}}/debug/wayfarectl" "$@"

# An upgrade from an old revision to this one while agents book: `just prove-upgrade v0.2.0`. It builds the revision, which takes minutes
# the first time; with --release as it ran.
[doc('An upgrade from an old revision to this one while agents book: `just prove-upgrade v0.2.0`.')]
[group('prove')]
prove-upgrade revision *options:
    cargo build -p wayfare-api -p wayfare-ctl
    cargo run --quiet -p wayfare-tests --bin prove_upgrade -- "$@"

# Record the statements that this version prepares, tests/compat/statements.sql; `just release` does it, and commits it before it tags.
[group('release')]
record-statements:
    rm -f "{{target}}/statements.jsonl"
    WAYFARE_RECORD_STATEMENTS="{{target}}/statements.jsonl" cargo test --workspace --test api
    WAYFARE_RECORDED_STATEMENTS="{{target}}/statements.jsonl" WAYFARE_COMMIT=$(git describe --always) \
        cargo test --workspace --test it -- compat::the_release_before_works

# The ledger beside a simple model of it, longer: `WAYFARE_MODEL_SEED=7 just model-ledger` replays a run.
[group('prove')]
model-ledger steps="5000":
    WAYFARE_MODEL_STEPS={{steps}} cargo test -p wayfare-operations --lib -- commit::model --nocapture

# The search stream read by Chromium's and Node's own readers for server-sent events, as far as the machine has them.
[group('test')]
stream-in-browser:
    cargo run --quiet -p wayfare-tests --features browser --bin stream_in_browser

# Write the OpenAPI documents, docs/openapi.json and docs/openapi-operator.json, anew.
[group('document')]
openapi:
    WAYFARE_RENEW_OPENAPI=1 cargo test -p wayfare-api --lib -- openapi::tests::the_repository_has_the_documents

# The page of the documentation in Chromium: log-in and a search there, with a picture in target/docs.png.
[group('test')]
docs-in-browser:
    cargo run --quiet -p wayfare-tests --features browser --bin docs_in_browser

# Fetch axe-core, which looks for violations of WCAG, at the version and checksum of tests/axe; without it that check is skipped.
[group('test')]
axe:
    #!/usr/bin/env bash
    if ! cmp -s tests/axe/package-lock.json target/axe/installed.json; then
        mkdir -p target/axe
        cp tests/axe/package*.json target/axe
        (cd target/axe && npm ci --no-audit --no-fund --loglevel error) && cp tests/axe/package-lock.json target/axe/installed.json \
            || echo "axe-core can't be fetched here: nobody looks for violations of WCAG"
    fi

# The console in Chromium without a window, as agents use it, each check a line: `just console-in-browser --only A1,A5`.
[group('test')]
console-in-browser *options: axe
    #!/usr/bin/env bash
    set -euo pipefail
    cargo build --workspace --features wayfare-tests/browser --bin wayfare --bin console_in_browser
    axe=target/axe/node_modules/axe-core/axe.min.js
    [ -e "$axe" ] && set -- --axe "$axe" "$@"
    "{{target}}/debug/console_in_browser" "$@"

# Pictures of the console's main screens, docs/console/*.png; made small by pngquant where it is (`apt-get install pngquant`).
[group('document')]
console-pictures:
    #!/usr/bin/env bash
    set -euo pipefail
    cargo build --workspace --features wayfare-tests/browser --bin console_in_browser
    "{{target}}/debug/console_in_browser" --pictures docs/console
    if command -v pngquant >/dev/null; then
        pngquant --force --ext .png --speed 1 --strip 64 docs/console/*.png
    fi

# Everything that the OpenAPI document promises, asked of the released program: more than 20,000 requests.
[group('test')]
contract *options="--max-examples 150":
    cargo build --release -p wayfare-api
    tests/contract/run "{{target}}/release/wayfare" {{options}}

# Clients that generators of others make of the OpenAPI document: their types, and a flight booked in Python and TypeScript.
[group('test')]
clients:
    cargo build -p wayfare-api
    tests/clients/run "{{target}}/debug/wayfare"

# Renew the examples of the OpenAPI document, out of the answers that the tests of the API are given.
[group('document')]
examples: openapi
    WAYFARE_RENEW_EXAMPLES=1 cargo test --workspace --test api
    just openapi

# What CI checks before it tests.
[group('check')]
check:
    cargo fmt --all -- --check
    cargo clippy --workspace --all-targets --features wayfare-tests/browser,wayfare-api/otlp -- -D warnings

# That no name stands in the code which the glossary has replaced.
[group('check')]
glossary-check:
    cargo test -p wayfare-tests --test architecture -- glossary

# What statements read, with plans made of empty tables, at so many bookings of one agency.
[group('test')]
plans bookings="100000":
    WAYFARE_PLANS_BOOKINGS={{bookings}} cargo test -p wayfare-tests --test api -- plans:: --nocapture

# Licences, bans and sources of the dependencies, as CI asks (`cargo install cargo-deny --locked`).
[group('check')]
deny:
    cargo deny --locked check --hide-inclusion-graph --allow duplicate bans licenses sources

# Known security advisories of the dependencies; fetches their database.
[group('check')]
advisories:
    cargo deny --locked check advisories

# All that CI does.
[group('check')]
ci:
    bash .ci/run

# Every benchmark, and at the end one table of all figures that have an aim.
[group('bench')]
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
[group('bench')]
bench-bookings *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin bookings -- "$@"

# Lists, summary and export of a wallet with a million transactions: `just bench-lists --rounds 30`.
[group('bench')]
bench-lists *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin lists -- "$@"

# A report over a year of a wallet with a million transactions, in time and memory: `just bench-reports --transactions 2000000`.
[group('bench')]
bench-reports *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin reports -- "$@"

# Debits per second from one wallet beside other ways to write them: `just bench-ledger --seconds 30`.
[group('bench')]
bench-ledger *options:
    cargo run --release --quiet -p wayfare-bench --bin ledger -- "$@"

# What a flood of wrong log-ins costs everybody else: `just bench-logins --clients 1000`.
[group('bench')]
bench-logins *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin logins -- "$@"

# What 1,000 prices cost beside a loop that only copies.
[group('bench')]
bench-pricing *options:
    cargo bench -p wayfare-pricing --bench pricing -- "$@"

# What a search costs us beside its supplier; the last lines compare it with its floor.
[group('bench')]
bench-search *options:
    cargo bench -p wayfare-api --bench search -- "$@"

# What the server adds to searches over ten slow suppliers, ten minutes; less: `just bench-search-load --searches 9 --seconds 3 --step-seconds 2`.
[group('bench')]
bench-search-load *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin searches -- "$@"

# What the server adds to a search of 2,000 hotels, what it keeps, and its pages: `just bench-hotels --searches 9`.
[group('bench')]
bench-hotels *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin hotels -- "$@"

# How long airports, airlines and cities take over HTTP while somebody types, beside calls that do nothing: `just bench-places --rounds 20`.
[group('bench')]
bench-places *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin places -- "$@"

# What the console's screens cost beside their calls, and 50 agents at them everybody else: `just bench-console --rounds 100`.
[group('bench')]
bench-console *options:
    cargo build --release -p wayfare-api -p wayfare-ctl -p wayfare-bench
    cargo run --release --quiet -p wayfare-bench --bin console -- "$@"

# How long it takes to find cities while somebody types.
[group('bench')]
bench-cities *options:
    cargo bench -p wayfare-reference --bench cities -- "$@"

# Both programs as they are deployed, in target/deploy: each stripped, and beside it `<program>.debug` with the names and lines
# that a backtrace shows as long as the two lie in one folder. Takes far longer than `cargo build --release`.
[doc('Both programs as they are deployed, in target/deploy, with their debug files.')]
[group('release')]
dist:
    deploy/release/build

# The operator's program: `just ctl agency create --help`.
[group('start')]
ctl *arguments:
    cargo run --release --quiet -p wayfare-ctl -- "$@"

# Bring the database's tables up to date.
[group('start')]
migrate:
    just ctl migrate

# Re-add every balance, check every seal.
[group('start')]
verify:
    just ctl ledger verify

# A ledger of a million entries is proven, and how far that is moves each second.
[group('prove')]
prove-million:
    cargo test --workspace --test api -- --ignored --nocapture operator_api::million

# A psql on the private database of a running server; of one that root started: `sudo just db /var/lib/wayfare`.
[group('start')]
db folder=data_dir:
    #!/usr/bin/env bash
    set -euo pipefail
    postgres=$(realpath "{{folder}}")/postgres
    say() { echo "$*" >&2; exit 1; }
    [ -d "$postgres" ] || say "there is no $postgres: start a server by \`just run\`, or name its data folder: \`just db FOLDER\`"
    [ ! -e "$postgres/run" ] || [ -x "$postgres/run" ] || say "$postgres/run is closed to you: ask as root or as PostgreSQL's user"
    [ -S "$postgres/run/.s.PGSQL.5432" ] || say "no server runs in $postgres: start one by \`just run\`"
    # One that was fetched is on nobody's PATH.
    psql=$(command -v psql || ls "$postgres"/binaries/*/bin/psql /usr/lib/postgresql/*/bin/psql 2>/dev/null | tail -n 1) || true
    [ -n "$psql" ] || say "there is no psql: apt-get install postgresql-client"
    exec "$psql" "host=$postgres/run user=wayfare dbname=wayfare"

# Install what a developer needs on Debian or Ubuntu; elsewhere say what that is.
[group('start')]
setup:
    #!/usr/bin/env bash
    set -euo pipefail
    command -v cargo >/dev/null || echo "Rust is missing: https://rustup.rs"
    if ! command -v apt-get >/dev/null; then
        echo "This is neither Debian nor Ubuntu. What is needed: a C compiler, git, PostgreSQL 15 or newer with psql (its own service need not"
        echo "run), Redis, curl, jq, openssl and Python 3. Fedora: dnf install gcc git postgresql-server redis curl jq openssl python3"
        echo "macOS: xcode-select --install; brew install postgresql redis jq openssl python"
        exit
    fi
    sudo=$([ "$(id -u)" = 0 ] || echo sudo)
    $sudo apt-get update
    $sudo apt-get install --yes build-essential git postgresql redis-server curl jq openssl python3-venv
    echo "What single recipes need beside these (Chromium, Node, Java, etcd), \`.ci/run\` installs."

# About a minute on a built tree: format, lints and unit tests of the low crates; not those that need PostgreSQL, no whole API, no survival.
[group('check')]
quick:
    cargo fmt --all -- --check
    cargo clippy --quiet {{low_crates}} -- -D warnings
    cargo test --quiet {{low_crates}} --lib

# Start on demo data, whatever the environment says of databases, and print the address and the log-in: `just demo --bind 127.0.0.1:0`.
[group('start')]
demo *options:
    env -u DATABASE_URL -u DATABASE_URL_FILE -u MIGRATION_DATABASE_URL -u MIGRATION_DATABASE_URL_FILE -u WAYFARE_CONFIG WAYFARE_LOG=warn \
        cargo run --release --quiet -- --sandbox on --demo on "$@"

# Remove the data folder of development with its database and keys, after asking; `just reset --yes` does not ask.
[group('start')]
reset option="":
    #!/usr/bin/env bash
    set -euo pipefail
    folder="{{data_dir}}"
    say() { echo "$*" >&2; exit 1; }
    case "$*" in '' | --yes) ;; *) say "just reset, or just reset --yes" ;; esac
    [ -d "$folder" ] || { echo "there is nothing in $folder"; exit; }
    # Only a start with a demo agency writes it: whose wallets hold money that counts has none.
    [ -f "$folder/demo.json" ] || say "$folder has no demo agency, so it may be somebody's: remove it yourself if it is not"
    # A server with the private PostgreSQL holds this lock. It is ours until the folder is gone: none starts meanwhile.
    if [ -e "$folder/server.lock" ]; then
        exec 9<"$folder/server.lock"
        python3 -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)' 2>/dev/null || say "a server works on $folder: stop it first"
    fi
    # One with DATABASE_URL holds none, but writes where it answers into the file of its demo agency.
    url=$(jq --raw-output .base_url "$folder/demo.json")
    ! curl --silent --fail --noproxy '*' --max-time 5 --output /dev/null "$url/health/live" ||
        say "a server answers at $url, which $folder/demo.json names: stop it first"
    # Of a server that was killed these two may go on.
    for process in "$(head -n 1 "$folder/postgres/data/postmaster.pid" 2>/dev/null)" "$(jq .pid "$folder/sandbox/sandbox.json" 2>/dev/null)"; do
        ! kill -0 "$process" 2>/dev/null || say "process $process works on $folder: stop it first"
    done
    if [ "$*" != --yes ]; then
        read -r -p "Remove $folder with its database and its keys? [y/N] " answer || true
        [ "${answer:-}" = y ] || say "nothing was removed"
    fi
    rm -rf -- "$folder"
    echo "$folder was removed"

# A folder for a new migration, with the next number, an up.sql and a down.sql: `just new-migration booking_notes`.
[group('start')]
new-migration name:
    #!/usr/bin/env bash
    set -euo pipefail
    [[ {{quote(name)}} =~ ^[a-z][a-z0-9_]*$ ]] || { echo "a name is small letters, digits and _: booking_notes" >&2; exit 1; }
    last=$(ls migrations | grep -E '^[0-9]{4}_' | sort | tail -n 1)
    folder=migrations/$(printf %04d $((10#${last%%_*} + 1)))_{{name}}
    mkdir "$folder"
    echo "-- Why, in a sentence. What the release before reads and writes stays: migrations/README.md." >"$folder/up.sql"
    echo "-- Takes up.sql back." >"$folder/down.sql"
    ls "$folder"/*

# The OCI image as an archive, in target/image, of the programs that `just dist` made or of others.
[group('release')]
image program=(target / "deploy/wayfare") operators=(target / "deploy/wayfarectl"):
    #!/usr/bin/env bash
    . deploy/release/common
    image="{{target}}/image"
    rm -rf "$image"
    mkdir -p "$image"
    # It has both in it.
    deploy/release/sbom >"$image/$name.cdx.json"
    deploy/release/licences >"$image/$name.licences.txt"
    deploy/release/image "$image" {{quote(program)}} {{quote(operators)}}
    ls -l "$image"

# The service with PostgreSQL, Redis, Prometheus and Grafana in containers of this machine; the first time it makes their secrets.
[group('start')]
up *options:
    [ -e deploy/compose/secrets/people_keys ] || $([ "$(id -u)" = 0 ] || echo sudo) deploy/compose/make-secrets
    docker compose --project-name wayfare --file deploy/compose/compose.yaml up --detach "$@"

# Stop these containers; what they keep stays, with `--volumes` it goes.
[group('start')]
down *options:
    docker compose --project-name wayfare --file deploy/compose/compose.yaml down "$@"

# Release a version: check that all is ready, commit the record of statements, make the artefacts, tag; it pushes nothing: `just release 0.2.0`.
[group('release')]
release version *options:
    deploy/release/release "$@"

# The sandbox suppliers alone, on a port of their own: `just sandbox --bind 127.0.0.1:9090`.
[group('start')]
sandbox *options:
    cargo run --release -- sandbox "$@"

# Duffel's official clients for JavaScript and Python at the sandbox: search, order, cancel.
[group('test')]
sandbox-clients:
    cargo build -p wayfare-api
    tests/sandbox_clients/run "{{target}}/debug/wayfare"

# What is under deploy/, checked as far as that goes here.
[group('test')]
packages:
    cargo build -p wayfare-api -p wayfare-ctl
    tests/packages/run "{{target}}/debug/wayfare"

# Fetch the places of the world anew; `renew-airlines.sh` and `renew-calling-codes.sh` beside it renew the rest.
[group('release')]
renew-places:
    cd crates/reference/data && sh renew-places.sh

# Read the documentation of every crate.
[group('document')]
doc:
    cargo doc --workspace --no-deps --open

# The crates that others link, packaged and linked in a workspace of somebody else; each is checked and documented alone, too: `just link alone`.
[group('check')]
link *options:
    tests/foreign/run "$@"

# What has changed for those who link the crates, since a revision from 0.2.0 on: `just semver v0.2.0`.
[group('check')]
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

# Both programs as they are deployed, built of two source folders in two target folders; says where they differ.
[group('release')]
dist-twice:
    deploy/release/build-twice

# All of a release in target/artefacts, of what `just dist` made of this very commit; WAYFARE_RELEASE_KEY names the private key that signs.
[group('release')]
artefacts:
    rm -rf "{{target}}/artefacts"
    deploy/release/artefacts "{{target}}/artefacts" "{{target}}/deploy/wayfare" "{{target}}/deploy/wayfarectl"

# A release of the debug programs, tried in a Debian without Rust, by systemd; as root.
[group('release')]
try-artefacts:
    cargo build -p wayfare-api -p wayfare-ctl
    tests/release/run "{{target}}/debug/wayfare" "{{target}}/debug/wayfarectl"
