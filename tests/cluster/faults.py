"""What goes wrong in a round. Each fault breaks something, waits as long as it stays broken, and mends what does not mend
itself."""

import subprocess
import time

from processes import until

# How long somebody is away who comes back by himself.
AWAY = 10
# Longer than Patroni's `ttl`, after which another node may take over.
LONG_AWAY = 40


def nothing(cluster):
    """For comparison."""
    time.sleep(AWAY)


def kill_postmaster(cluster):
    cluster.leader().kill_postmaster()


def kill_patroni(cluster):
    """As systemd brings it back."""
    node = cluster.leader()
    node.patroni.kill()
    time.sleep(2)
    node.patroni.start()
    time.sleep(AWAY)


def lose_patroni(cluster):
    """PostgreSQL runs on as a primary that nobody looks after, beside the one that takes over."""
    node = cluster.leader()
    node.patroni.kill()
    time.sleep(LONG_AWAY)
    node.patroni.start()


def kill_both(cluster):
    """The whole machine, as far as others can see."""
    node = cluster.leader()
    node.patroni.kill()
    node.kill_postmaster()
    until("another leader", lambda: cluster.leader() not in (None, node))
    node.patroni.start()


def freeze(cluster):
    """The machine says nothing for as long as another takes over, and then goes on where it was."""
    node = cluster.leader()
    node.freeze()
    try:
        until("another leader", lambda: any(other.is_primary() for other in cluster.nodes if other is not node))
        time.sleep(LONG_AWAY / 2)
    finally:
        node.thaw()


def kill_etcd(cluster):
    cluster.etcd.kill()
    time.sleep(AWAY)
    cluster.etcd.start()
    time.sleep(AWAY)


def kill_redis(cluster):
    cluster.redis.kill()
    time.sleep(AWAY)
    cluster.redis.start()


def kill_server(cluster):
    server = cluster.servers["by_hosts"]
    server.kill()
    time.sleep(AWAY)
    server.start()


def stop_server(cluster):
    """As for an upgrade."""
    server = cluster.servers["by_hosts"]
    server.stop(patience=60)
    server.start()


def switch_over(cluster):
    node = cluster.leader()
    other = next(one for one in cluster.nodes if one is not node)
    subprocess.run(
        [f"{cluster.tools}/patronictl", "-c", f"{cluster.place}/{node.name}.yml", "switchover", "wayfare", "--leader",
         node.name, "--candidate", other.name, "--force"],
        check=True, capture_output=True, timeout=60,
    )


# In the order of the table. The users of the server that is named are the ones who are looked at; of both else.
FAULTS = {
    "nothing": (nothing, None),
    "SIGKILL to the leader's PostgreSQL": (kill_postmaster, None),
    "SIGKILL to the leader's Patroni, back after 2 s": (kill_patroni, None),
    f"SIGKILL to the leader's Patroni, back after {LONG_AWAY} s": (lose_patroni, None),
    "SIGKILL to both": (kill_both, None),
    "SIGSTOP of both": (freeze, None),
    "switchover": (switch_over, None),
    f"SIGKILL to etcd, back after {AWAY} s": (kill_etcd, None),
    f"SIGKILL to Redis, back after {AWAY} s": (kill_redis, None),
    f"SIGKILL to a server, back after {AWAY} s": (kill_server, "by_hosts"),
    "stop of a server, and its start": (stop_server, "by_hosts"),
}

# What a run of few rounds plays, in this order.
SHORT = [1, 4, 6, 9, 5]
