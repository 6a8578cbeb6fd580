"""The machines of the cluster, all of them on loopback: etcd, three nodes of PostgreSQL under Patroni, Redis, the sandbox as
suppliers, two servers, and HAProxy in front of the servers and of PostgreSQL.

The first server knows the three nodes by their addresses, the second one reaches PostgreSQL through HAProxy.
"""

import glob
import json
import os
import signal
import urllib.error
import urllib.request

import psycopg
import yaml

from processes import Program, database_user, family, free_ports, send, until

NODES = ["one", "two", "three"]
SERVERS = ["by_hosts", "by_proxy"]
ETCD = "etcd"

SETTINGS = {
    "ttl": 20,
    "loop_wait": 1,
    "retry_timeout": 3,
    # Acknowledged commits are at a quorum whatever this is. At 0 a leader that dies right after its promotion has no heir: what
    # it has written by itself, and nobody has yet, counts as lag.
    "maximum_lag_on_failover": 1048576,
    "primary_start_timeout": 0,
    "synchronous_mode": "quorum",
    "synchronous_mode_strict": True,
    "failsafe_mode": True,
    "postgresql": {
        "use_pg_rewind": True,
        "use_slots": True,
        # A copy for a node that could not be rewound begins at once, not with the next checkpoint.
        "basebackup": [{"checkpoint": "fast"}],
        "parameters": {"max_connections": 100, "wal_keep_size": "256MB"},
    },
}

HAPROXY = """
global
    maxconn 2000
defaults
    timeout connect 3s
    timeout check 2s
    retries 3
    option redispatch

# A user stays at one server as long as that is ready: it has what it showed them.
frontend api
    mode http
    timeout client 150s
    bind 127.0.0.1:{api}
    default_backend servers
backend servers
    mode http
    timeout server 150s
    balance hash http_auth_bearer,jwt_payload_query('$.sub')
    hash-type consistent wt6 avalanche
    option httpchk GET /health/ready
    http-check expect status 200
    http-error status 503 content-type application/json string '{{"success":false,"error":"no server is ready, ask again"}}' hdr Retry-After 1
    http-response set-header X-Served-By %s
    default-server inter 1s fall 2 rise 1
{servers}

# Patroni says which node is the primary; connections to one that no longer is end at once.
listen postgresql
    mode tcp
    bind 127.0.0.1:{postgresql}
    timeout client 24h
    timeout server 24h
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
{nodes}
"""


def call(url, method="GET", patience=3):
    """Status and JSON of an answer; None where nobody answers."""
    request = urllib.request.Request(url, method=method)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=patience) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    except OSError:
        return None
    try:
        return status, json.loads(text or b"null")
    except ValueError:
        return status, None


class Node:
    """A node of PostgreSQL with its Patroni."""

    def __init__(self, cluster, name, port, rest):
        self.name, self.port, self.rest = name, port, rest
        self.data = f"{cluster.place}/{name}"
        settings = {
            "scope": "wayfare",
            "name": name,
            "restapi": {"listen": f"127.0.0.1:{rest}", "connect_address": f"127.0.0.1:{rest}"},
            "etcd3": {"host": f"127.0.0.1:{cluster.etcd_port}"},
            "bootstrap": {"dcs": SETTINGS, "initdb": [{"encoding": "UTF8"}, "data-checksums"]},
            "postgresql": {
                "listen": f"127.0.0.1:{port}",
                "connect_address": f"127.0.0.1:{port}",
                "data_dir": self.data,
                "bin_dir": sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1],
                "pgpass": f"{cluster.place}/{name}.pgpass",
                "authentication": {"superuser": {"username": "postgres"}, "replication": {"username": "replicator"}},
                "pg_hba": ["local all all trust", "host all all 127.0.0.1/32 trust",
                           "host replication all 127.0.0.1/32 trust"],
                "parameters": {"unix_socket_directories": cluster.place},
                "remove_data_directory_on_rewind_failure": True,
                "remove_data_directory_on_diverged_timelines": True,
            },
        }
        path = cluster.write(f"{name}.yml", yaml.safe_dump(settings))
        self.patroni = Program([f"{cluster.tools}/patroni", path], f"{cluster.place}/{name}.log", as_database_user=True)

    def postmaster(self):
        try:
            with open(f"{self.data}/postmaster.pid", encoding="utf-8") as file:
                return int(file.readline())
        except (FileNotFoundError, ValueError):
            return None

    def postgres(self):
        pid = self.postmaster()
        return family(pid) if pid else []

    def freeze(self):
        send([*family(self.patroni.process.pid), *self.postgres()], signal.SIGSTOP)

    def thaw(self):
        send([*family(self.patroni.process.pid), *self.postgres()], signal.SIGCONT)

    def kill_postmaster(self):
        send(self.postgres()[:1], signal.SIGKILL)

    def is_primary(self):
        answer = call(f"http://127.0.0.1:{self.rest}/primary")
        return answer is not None and answer[0] == 200

    def end(self):
        self.patroni.stop()
        send(self.postgres(), signal.SIGKILL)


class Cluster:
    def __init__(self, place, tools, program, operator):
        self.place, self.tools, self.program, self.operator_program = place, tools, program, operator
        owner = database_user()
        os.chown(place, owner.pw_uid, owner.pw_gid)
        os.chmod(place, 0o755)
        ports = iter(free_ports(14))
        self.etcd_port, etcd_peers = next(ports), next(ports)
        self.api_port, self.postgresql_port, self.redis_port, self.sandbox_port = (next(ports) for _ in range(4))
        self.server_ports = {name: next(ports) for name in SERVERS}
        self.nodes = [Node(self, name, next(ports), next(ports)) for name in NODES]
        self.etcd = self.etcd_at(etcd_peers)
        self.redis = Program(
            ["redis-server", "--port", self.redis_port, "--bind", "127.0.0.1", "--save", "", "--dir", place],
            f"{place}/redis.log",
        )
        self.haproxy = Program(["haproxy", "-db", "-f", self.haproxy_settings()], f"{place}/haproxy.log")
        self.variables = self.shared_variables()
        self.sandbox = Program(
            [program, "sandbox", "--data-dir", f"{place}/sandbox", "--bind", f"127.0.0.1:{self.sandbox_port}"],
            f"{place}/sandbox.log",
        )
        self.servers = {name: self.server(name) for name in SERVERS}

    def write(self, name, text):
        path = f"{self.place}/{name}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o644)
        return path

    def etcd_at(self, peers):
        client, peer = f"http://127.0.0.1:{self.etcd_port}", f"http://127.0.0.1:{peers}"
        return Program(
            ["etcd", "--name", ETCD, "--data-dir", f"{self.place}/etcd", "--listen-client-urls", client,
             "--advertise-client-urls", client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
             "--initial-cluster", f"{ETCD}={peer}"],
            f"{self.place}/etcd.log",
        )

    def haproxy_settings(self):
        servers = [f"    server {name} 127.0.0.1:{port} weight 100 check" for name, port in self.server_ports.items()]
        nodes = [f"    server {node.name} 127.0.0.1:{node.port} check port {node.rest}" for node in self.nodes]
        text = HAPROXY.format(
            api=self.api_port, postgresql=self.postgresql_port, servers="\n".join(servers), nodes="\n".join(nodes)
        )
        return self.write("haproxy.cfg", text)

    def shared_variables(self):
        suppliers = "".join(
            f"[[suppliers]]\ncode = '{code}'\nkind = '{code}'\ntoken = '{code}_test_cluster'\n"
            f"base_url = 'http://127.0.0.1:{self.sandbox_port}/{code}'\n"
            for code in ["duffel", "tripjack"]
        )
        keys = self.write("people_keys.toml", f"[people_keys]\n1 = '{'08' * 32}'\n")
        os.chmod(keys, 0o600)
        return {
            "DATABASE_URL": f"postgres://postgres@127.0.0.1:{self.postgresql_port}/wayfare",
            "REDIS_URL": f"redis://127.0.0.1:{self.redis_port}",
            "WAYFARE_SIGNING_KEY": "a signing key for tests, 32 bytes at least",
            "WAYFARE_LEDGER_KEY": "a ledger key for tests, of 32 bytes at least",
            "WAYFARE_PEOPLE_KEY_FILE": keys,
            "WAYFARE_CONFIG": self.write("wayfare.toml", suppliers + "[exchange_rates]\n'GBP/INR' = '105.25'\n"),
        }

    def server(self, name):
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        own = {
            "WAYFARE_DATA_DIR": f"{self.place}/{name}",
            "WAYFARE_BIND": f"127.0.0.1:{self.server_ports[name]}",
            "WAYFARE_REPORTS_URL": f"file://{self.place}/reports",
            "WAYFARE_RATE_LIMITS": "off",
            "WAYFARE_DRAIN_S": "3",
        }
        if name == "by_hosts":
            own["DATABASE_URL"] = f"postgres://postgres@{hosts}/wayfare"
        return Program([self.program], f"{self.place}/{name}.log", {**self.variables, **own})

    def start(self):
        self.etcd.start()
        until("etcd", lambda: call(f"http://127.0.0.1:{self.etcd_port}/health"))
        for node in self.nodes:
            node.patroni.start()
        self.redis.start()
        self.haproxy.start()
        self.sandbox.start()
        self.until_whole()
        with psycopg.connect(self.superuser_url("postgres"), autocommit=True) as connection:
            connection.execute("create database wayfare")
        for name in SERVERS:
            self.servers[name].start()
            self.until_ready(name)

    def superuser_url(self, database="wayfare"):
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgres://postgres@{hosts}/{database}?target_session_attrs=read-write&connect_timeout=3"

    def members(self):
        """What Patroni says of its nodes, by any of them that answers."""
        for node in self.nodes:
            answer = call(f"http://127.0.0.1:{node.rest}/cluster")
            if answer and answer[0] == 200:
                return answer[1]["members"]
        return []

    def leader(self):
        for node in self.nodes:
            if node.is_primary():
                return node
        return None

    def is_whole(self):
        roles = sorted((member["role"], member["state"]) for member in self.members())
        whole = [("leader", "running"), ("quorum_standby", "streaming"), ("quorum_standby", "streaming")]
        return roles == whole and self.leader() is not None

    def until_whole(self):
        try:
            until("a leader with two quorum standbys", self.is_whole)
        except TimeoutError as error:
            raise TimeoutError(f"{error}: {self.members()}") from error

    def is_ready(self, name):
        answer = call(f"http://127.0.0.1:{self.server_ports[name]}/health/ready")
        return answer is not None and answer[0] == 200

    def until_ready(self, name):
        def look():
            if not self.servers[name].runs:
                raise RuntimeError(f"server {name} ended: {self.servers[name].said()[-3000:]}")
            return self.is_ready(name)

        until(f"server {name}", look)

    def operate(self, *words, patience=300):
        """What `wayfarectl` prints as JSON."""
        program = Program(
            [self.operator_program, "--json", *words], f"{self.place}/operator.log",
            {**self.variables, "WAYFARE_DATA_DIR": f"{self.place}/operator"},
        )
        if os.path.exists(program.log):
            os.remove(program.log)
        code = program.start().process.wait(patience)
        if code != 0:
            raise RuntimeError(f"wayfarectl {' '.join(words)} ended with {code}: {program.said()}")
        return json.loads(program.said())

    def orders(self):
        return call(f"http://127.0.0.1:{self.sandbox_port}/_sandbox/orders", patience=30)[1]

    def end(self):
        for program in [*self.servers.values(), self.haproxy, self.sandbox, self.redis]:
            program.stop()
        for node in self.nodes:
            if node.patroni.process is not None:
                node.thaw()
                node.end()
        self.etcd.stop()
