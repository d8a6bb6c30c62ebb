"""server.py - a `spar serve` of a test's own, and a client for it: standard library only.

    with Server(spar, "tea.db", options=["a", "b", "c"]) as server:
        status, headers, body = server.post("/v1/experiments/tea/voters", {})

The file is made in a temporary directory. Whatever happens, the server ends with the test."""
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path


def free_port():
    """One that no program gets by chance while ours is not listening: below those that the system hands out."""
    while True:
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind(("127.0.0.1", random.randrange(20000, 32000)))
                return one.getsockname()[1]
            except OSError:
                continue


class Server:
    def __init__(self, spar, file="tea.db", options=("a", "b", "c", "d"), init=(), args=(), folder=None, env=None,
                 wrap=(), limits=False):
        """init: more arguments for spar init; args: for spar serve; limits: False switches the rates off."""
        self.spar, self.args, self.wrap = spar, list(args), list(wrap)
        self.env = {**os.environ, **(env or {})}
        self.kept = None if folder else tempfile.TemporaryDirectory(prefix="spar-serve-")
        self.folder = Path(folder or self.kept.name)
        self.file = self.folder / file
        self.name = self.file.name.partition(".")[0]
        self.base = f"/v1/experiments/{self.name}"
        self.process = None
        self.tokens = []
        if not limits:
            for name in ("voter-rate", "address-rate", "address-connections"):
                self.args += ["--limit", name + "=0"]
        if not self.file.exists():
            self.shell("init", self.file, *options, *init)

    def shell(self, *args, check=True, text=None):
        done = subprocess.run([self.spar, *map(str, args)], capture_output=True, text=True, input=text, env=self.env,
                              timeout=240)
        if check and done.returncode:
            raise AssertionError(f"spar {' '.join(map(str, args))}: {done.stderr}")
        return done if not check else done.stdout

    def start(self, wait=120, port=0):
        """port: the one that it had, to come back under an open page."""
        self.errors = open(self.folder / "stderr.txt", "ab")
        self.process = subprocess.Popen([*self.wrap, self.spar, "serve", str(self.file), "--listen",
                                         f"127.0.0.1:{port}", *self.args], stdout=subprocess.PIPE, stderr=self.errors, text=True,
                                        env=self.env)
        lines = []
        self.reader = reader = threading.Thread(target=self._read, args=(self.process.stdout, lines), daemon=True)
        reader.start()
        until = time.time() + wait
        while time.time() < until and not any("http://" in line for line in lines) and reader.is_alive():
            time.sleep(0.005)
        self.said = lines
        first = next((line for line in lines if "http://" in line), None)
        if not first:
            self.process.kill()
            self.process.wait()
            raise AssertionError("serve did not start: " + (self.folder / "stderr.txt").read_text())
        self.port = int(first.partition("http://")[2].split()[0].rstrip("/").rpartition(":")[2])
        return self

    @staticmethod
    def _read(stdout, lines):
        for line in stdout:
            lines.append(line)

    def stop(self, how=signal.SIGTERM, wait=120):
        """Its exit status; None if it was not running."""
        if not self.process:
            return None
        process, self.process = self.process, None
        if process.poll() is None:
            process.send_signal(how)
        try:
            return process.wait(wait)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"serve did not end within {wait} s")
        finally:
            self.reader.join(60)  # what it said last is in self.said
            process.stdout.close()
            self.errors.close()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        try:
            self.stop(signal.SIGKILL)
        finally:
            if self.kept:
                self.kept.cleanup()

    def stderr(self):
        return (self.folder / "stderr.txt").read_text(errors="replace")

    def connect(self, timeout=180):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def request(self, method, path, body=None, headers=None, connection=None):
        """status, headers (a dict, names in lower case), body: JSON if it is, else bytes."""
        own = connection or self.connect()
        headers = {**(headers or {})}
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        try:
            own.request(method, path, body=body, headers=headers)
            reply = own.getresponse()
            data = reply.read()
        finally:
            if not connection:
                own.close()
        kind = reply.getheader("Content-Type") or ""
        parsed = json.loads(data) if "json" in kind and data and "jsonl" not in kind else data
        return reply.status, {name.lower(): value for name, value in reply.getheaders()}, parsed

    def get(self, path, headers=None, **more):
        return self.request("GET", path, None, headers, **more)

    def post(self, path, body=None, headers=None, **more):
        return self.request("POST", path, {} if body is None else body, headers, **more)

    def token(self, *args):
        """A manage token, as a header."""
        self.tokens.append(self.shell("token", "new", self.file, *args).split()[0])
        header = {"Authorization": "Bearer " + self.tokens[-1]}
        if self.process and self.becomes(200, "/metrics", header) != 200:  # a running server reads them every second
            raise AssertionError("the server does not know its new token")
        return header

    def becomes(self, wanted, path, headers=None, seconds=60, every=0.25):
        """The status of a GET as soon as it is the wanted one; the last one if that never comes."""
        end = time.monotonic() + seconds
        while (status := self.get(path, headers)[0]) != wanted and time.monotonic() < end:
            time.sleep(every)
        return status

    def voter(self, invitation=None):
        """A new voter, as a header."""
        status, _, body = self.post(self.base + "/voters", {"invitation": invitation} if invitation else {})
        assert status == 201, body
        return {"Authorization": "Voter " + body["secret"]}

    def log(self):
        """The events, as spar export gives them."""
        return [json.loads(line) for line in self.shell("export", self.file, "--format", "jsonl").splitlines()]
