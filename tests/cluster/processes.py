"""Programs that are started, frozen, killed and ended, each with a log of its own."""

import os
import pwd
import signal
import socket
import subprocess
import time

import psutil

PATIENCE = 120


def until(what, look, patience=PATIENCE):
    """Waits for something that comes by itself, and returns it."""
    deadline = time.monotonic() + patience
    while True:
        seen = look()
        if seen:
            return seen
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {patience} s: {what}")
        time.sleep(0.1)


def free_ports(count):
    """So many ports that nobody listens on."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def database_user():
    """As whom PostgreSQL runs, which refuses to run as root: `postgres` then, else whoever runs this."""
    return pwd.getpwnam("postgres") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())


class Program:
    """One program. It is started again with the same words."""

    def __init__(self, words, log, environment=None, as_database_user=False):
        self.words = [str(word) for word in words]
        self.log = log
        self.environment = {"PATH": os.environ["PATH"], "HOME": "/tmp", **(environment or {})}
        self.other = database_user() if as_database_user and os.geteuid() == 0 else None
        self.process = None

    def start(self):
        other = {}
        if self.other:
            other = {"user": self.other.pw_uid, "group": self.other.pw_gid, "extra_groups": []}
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", env=self.environment,
                start_new_session=True, **other,
            )
        return self

    @property
    def runs(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        if self.runs:
            self.process.kill()
            self.process.wait()

    def stop(self, patience=30):
        if not self.runs:
            return
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()

    def said(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read()


def family(pid):
    """A process and all that it has started, as far as they are there."""
    try:
        first = psutil.Process(pid)
        return [first, *first.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def send(processes, what):
    for one in processes:
        try:
            one.send_signal(what)
        except psutil.NoSuchProcess:
            pass
