"""The examples for the service do what they say: the curl session, the Python client, the load generator (which must also
see it when a server does not keep its word), the backup, and the files for systemd, nginx, Caddy and logrotate."""
import http.client
import http.server
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import ROOT, SPAR, done, note, ok, same, sanitized, skip, until  # noqa: E402
from server import Server, free_port  # noqa: E402

HTTP, DEPLOY = ROOT / "examples/http", ROOT / "examples/deploy"
INVITATION = "/i/" + 4 * "01234567"


def run(*args, env=None):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SPAR")}
    return subprocess.run(list(map(str, args)), capture_output=True, text=True, timeout=240, env={**clean, **(env or {})})


def url(server):
    return f"http://127.0.0.1:{server.port}"


def serve_at(server, port):
    """Starts it at a port that is known before."""
    server.errors = open(server.folder / "stderr.txt", "ab")
    server.process = subprocess.Popen([SPAR, "serve", str(server.file), "--listen", f"127.0.0.1:{port}", *server.args],
                                      stdout=subprocess.PIPE, stderr=server.errors, text=True)
    server.process.stdout.readline()
    server.port = port


def answers_of(server):
    return len([event for event in server.log() if event.get("kind") == "answer"])


def test_session(server, token):
    if not shutil.which("curl"):
        return skip("no curl")
    got = run("sh", HTTP / "session.sh", url(server), "tea", env={"SPAR_TOKEN": token})
    ok(got.returncode == 0 and not got.stderr, "session.sh") or note(got)
    words = ["the question:", "the first screen:", "saved, and the next:", "taken back", "so far:", "the log:", '"kind":"end"']
    ok(all(word in got.stdout for word in words), "tells what it does") or note(got.stdout)
    same(answers_of(server), 2, "two answers")
    got = run("sh", HTTP / "session.sh", url(server), "coffee")
    ok(got.returncode != 0, "an experiment that is not there is an error")


def test_client(server):
    before = answers_of(server)
    got = run(sys.executable, HTTP / "client.py", url(server), "tea", 7)
    same((got.returncode, got.stdout.count("answered:"), got.stderr), (0, 7, ""), "client.py")
    same(answers_of(server) - before, 7, "seven answers")
    same(len((HTTP / "client.py").read_text().splitlines()) <= 45, True, "in 40 lines or so")


def load(server, token, *args, start=url):
    return run(sys.executable, HTTP / "load.py", "--url", start(server) if server else start, *args,
               env={"SPAR_TOKEN": token})


def test_load(server, token):
    before = answers_of(server)
    got = load(server, token, "--answers", 400, "--connections", 16, "--repeat", 0.3)
    ok(got.returncode == 0 and "400 of them are in the log once" in got.stdout, "load.py") or note(got)
    same(answers_of(server) - before, 400, "400 answers, some sent twice")
    got = run(sys.executable, HTTP / "load.py")
    ok(got.returncode == 1 and "SPAR_TOKEN" in got.stderr, "a token is needed") or note(got)


def test_load_and_kill():
    """The server is killed and started again meanwhile."""
    server = Server(SPAR)
    token = server.shell("token", "new", server.file).strip()
    with server:
        server.stop()
        port, out = free_port(), []
        serve_at(server, port)
        thread = threading.Thread(target=lambda: out.append(load(server, token, "--answers", 600, "--connections", 8)))
        thread.start()
        for _ in range(3):
            time.sleep(0.25)
            server.stop(signal.SIGKILL)
            serve_at(server, port)
        thread.join()
        ok(out[0].returncode == 0 and "600 of them" in out[0].stdout, "load.py through three kills: nothing lost") \
            or note(out[0])


class Liar(http.server.BaseHTTPRequestHandler):
    """Passes requests on, but: 'drop' acknowledges some answers that it never passed on; 'twist' passes another answer."""
    upstream, lie, count = None, None, 0
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.pass_on(None)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/answers"):
            Liar.count += 1
            if Liar.lie == "twist" and Liar.count % 10 == 0:
                body["winner"] = "B" if body["winner"] != "B" else "A"
            if Liar.lie == "drop" and Liar.count == 50:
                return self.send(200, json.dumps({"screen": 0, "revision": 0, "saved": True, "next": None}).encode())
        self.pass_on(json.dumps(body).encode())

    def pass_on(self, body):
        headers = {k: v for k, v in self.headers.items() if k in ("Authorization", "Content-Type")}
        request = urllib.request.Request(Liar.upstream + self.path, body, headers)
        try:
            with urllib.request.urlopen(request) as reply:
                self.send(reply.status, reply.read())
        except urllib.error.HTTPError as error:
            self.send(error.code, error.read())

    def send(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def test_liar(server, token, lie, says):
    Liar.upstream, Liar.lie, Liar.count = url(server), lie, 0
    liar = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Liar)
    threading.Thread(target=liar.serve_forever, daemon=True).start()
    got = load(None, token, "--answers", 100, "--connections", 4, "--repeat", 0,
               start=f"http://127.0.0.1:{liar.server_address[1]}")
    liar.shutdown()
    liar.server_close()
    ok(got.returncode == 1 and says in got.stderr, f"load.py sees a server that lies: {lie}") or note(got)


def test_backup(server):
    folder = server.folder / "backups"
    folder.mkdir()
    server.shell("init", f"{server.file}#second", "x", "y")
    old = folder / "tea-20200101T000000Z.db"
    for path in old, folder / "tea-20200101T000000Z.db.txt", folder / "other.db":
        path.write_text("old")
        os.utime(path, (0, 0))
    got = run("sh", DEPLOY / "spar-backup", server.file, folder, 30, env={"SPAR": SPAR})
    ok(got.returncode == 0 and not got.stderr, "spar-backup, while the file is served") or note(got)
    copies = sorted(path.name for path in folder.iterdir())
    ok(len(copies) == 3 and copies[0] == "other.db" and re.fullmatch(r"tea-\d{8}T\d{6}Z\.db", copies[1]) and
       copies[2] == copies[1] + ".txt", "old copies go, what is not ours stays") or note(copies)
    same(os.stat(folder / copies[1]).st_mode & 0o777, 0o600, "for its owner only")
    text = (folder / copies[2]).read_text()
    ok(text.count("holds:") == 2 and re.search(r"^head [0-9a-f]{64}$", text, re.M), "with the heads of both logs") or note(text)
    head = server.shell("export", f"{folder / copies[1]}#", "--format", "jsonl").splitlines()[-1]
    ok(json.loads(head)["head"] in text, "of what is in the copy")
    (server.folder / "bad.db").write_bytes(b"no database")
    old.write_text("old")
    os.utime(old, (0, 0))
    got = run("sh", DEPLOY / "spar-backup", server.folder / "bad.db", folder, 30, env={"SPAR": SPAR})
    ok(got.returncode != 0 and old.exists(), "where it fails nothing is removed") or note(got)


def test_units(server):
    if not shutil.which("systemd-analyze"):
        return skip("no systemd-analyze")
    folder = server.folder / "units"
    folder.mkdir()
    for path in DEPLOY.glob("spar*.*"):
        text = path.read_text().replace("/usr/local/bin/spar ", SPAR + " ") \
            .replace("/usr/local/lib/spar/spar-backup", str(DEPLOY / "spar-backup"))
        (folder / path.name).write_text(re.sub("^Documentation=.*\n", "", text, flags=re.M))
    units = sorted(folder.iterdir())
    same(len(units), 3, "three units")
    got = run("systemd-analyze", "verify", *units)
    ok(got.returncode == 0 and not got.stderr, "systemd finds nothing wrong") or note(got)
    for unit, most in (folder / "spar.service", 15), (folder / "spar-backup.service", 10):
        got = run("systemd-analyze", "security", "--offline=true", f"--threshold={most}", unit)
        ok(got.returncode == 0, f"{unit.name}: exposure at most {most / 10}") or note(got.stdout[-200:] + got.stderr)


def allowed_calls(unit):
    """The system calls that the unit allows."""
    text = run("systemd-analyze", "syscall-filter").stdout
    groups = {name: body.split() for name, body in
              re.findall(r"^(@[\w-]+)\n((?:    .*\n)*)", re.sub(r"^    #.*\n", "", text, flags=re.M), re.M)}

    def calls(name):
        return set().union(*map(calls, groups[name])) if name.startswith("@") else {name}
    allowed = set()
    for minus, names in re.findall(r"^SystemCallFilter=(~?)(.*)$", unit, re.M):
        for name in names.split():
            allowed = allowed - calls(name) if minus else allowed | calls(name)
    return allowed


def vote_until(server, token, done):
    """Votes about a space, whose state is large soon, until a snapshot of it is squeezed by a thread of its own."""
    manager = {"Authorization": "Bearer " + token}
    server.post("/v1/experiments", {"name": "space", "space": "a 0..1, b 0..1, c {x,y,z}"}, manager)
    path, voter, n = "/v1/experiments/space", {"voter": "one"}, 0
    while (n % 20 or not done()) and n < 3000:  # one is due after 4,096 events, or sooner where they are slow to fold
        screen = server.post(path + "/screens", voter, manager)[2]
        assert server.post(path + "/answers", {**voter, "screen": screen["screen"], "winner": "A"}, manager)[0] == 200
        n += 1
    return n


def test_calls(server, token):
    """Start, votes, a snapshot, a shell command, reload and stop make no system call that spar.service forbids."""
    strace = shutil.which("strace")
    if not strace or not shutil.which("systemd-analyze") or run(strace, "-qq", "-o", "/dev/null", "true").returncode:
        return skip("no strace or no systemd-analyze")
    trace = server.folder / "trace.txt"
    server.stop()
    server.wrap, args = [strace, "-f", "-qq", "-o", str(trace)], server.args
    server.args = [*args, "--log", str(server.folder / "access.log")]
    server.start()
    load(server, token, "--answers", 50, "--connections", 4)
    if not sanitized():  # it would take minutes
        note(f"{vote_until(server, token, lambda: 'setpriority' in trace.read_text())} votes about a space")
    server.shell("token", "list", server.file)
    server.shell("add", f"{server.file}#", "more")
    child = int(run("pgrep", "-P", server.process.pid).stdout.split()[0])
    os.kill(child, signal.SIGHUP)
    time.sleep(0.3)
    os.kill(child, signal.SIGTERM)
    server.process.wait(120)
    server.wrap, server.args = [], args
    used = set(re.findall(r"^\d+ +(?:<\.\.\. )?(\w+)", trace.read_text(), re.M)) - {"exit_group"}
    allowed = allowed_calls((DEPLOY / "spar.service").read_text())
    ok(len(used) > 30 and len(allowed) > 200, f"{len(used)} kinds of system calls") or note((used, len(allowed)))
    ok("setpriority" in used or sanitized(), "with that of a snapshot")
    # Raising its own limit may fail: the unit sets it. SQLite calls fchown for root only.
    same(sorted(used - allowed - {"prlimit64", "fchown"}), [], "all are allowed")
    server.start()


def await_port(port):
    until = time.time() + 60
    while time.time() < until:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)


def certificate(folder):
    return run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=vote.example.org",
               "-addext", "subjectAltName=DNS:vote.example.org", "-keyout", folder / "key.pem", "-out",
               folder / "cert.pem").returncode == 0


def fetch(port, folder, method, path, body=None, headers=None):
    """Through TLS, by the name that the certificate has."""
    context = ssl.create_default_context(cafile=str(folder / "cert.pem"))
    raw = socket.create_connection(("127.0.0.1", port), timeout=120)
    data = json.dumps(body).encode() if body is not None else b""
    lines = [f"{method} {path} HTTP/1.1", "Host: vote.example.org", "Connection: close", f"Content-Length: {len(data)}"]
    lines += ["Content-Type: application/json"] * (body is not None) + [f"{k}: {v}" for k, v in (headers or {}).items()]
    with context.wrap_socket(raw, server_hostname="vote.example.org") as one:
        one.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + data)
        got = b""
        while part := one.recv(65536):
            got += part
    head, _, rest = got.partition(b"\r\n\r\n")
    return int(head.split()[1]), head.decode(), rest


def test_nginx(server):
    nginx = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    folder = server.folder / "nginx"
    folder.mkdir()
    if not nginx or not shutil.which("openssl") or not certificate(folder):
        return skip("no nginx or no openssl")
    server.stop()
    port, plain, args = free_port(), free_port(), server.args
    server.args = [*args, "--base-url", "https://vote.example.org", "--trust-proxy", "127.0.0.1", "--limit", "address-rate=40",
                   "--limit", "address-connections=1"]
    back = free_port()
    serve_at(server, back)
    site = (DEPLOY / "nginx.conf").read_text().replace("127.0.0.1:8080", f"127.0.0.1:{back}")
    site = site.replace("listen 80;", f"listen 127.0.0.1:{plain};").replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    site = re.sub(r"    listen \[::\].*\n", "", site)
    site = site.replace("/etc/letsencrypt/live/vote.example.org/fullchain.pem", str(folder / "cert.pem"))
    site = site.replace("/etc/letsencrypt/live/vote.example.org/privkey.pem", str(folder / "key.pem"))
    site = site.replace("/var/log/nginx", str(folder))
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "main.conf").write_text(f"pid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\nhttp {{\naccess_log {folder}/all.log;\n{paths}{site}\n}}\n")
    os.chmod(server.folder, 0o755)
    got = run(nginx, "-t", "-c", folder / "main.conf")
    ok(got.returncode == 0 and "[warn]" not in got.stderr, "nginx takes nginx.conf") or note(got.stderr)
    proxy = subprocess.Popen([nginx, "-c", str(folder / "main.conf"), "-g", "daemon off;"], stderr=subprocess.DEVNULL)
    try:
        await_port(port)
        check_proxy(server, folder, port)
        server.stop()
        same((fetch(port, folder, "GET", INVITATION)[0], plain_status(plain, INVITATION)), (502, 301), "while no server runs")
    finally:
        proxy.terminate()
        proxy.wait()
        server.stop()
        server.args = args
        server.start()
    said = "".join((folder / name).read_text() for name in ("all.log", "error.log", "spar-error.log"))
    ok("client:" not in said and INVITATION not in said, "no log has who asked for what") or note(said)
    log = (folder / "spar.log").read_text()
    ok("POST 201" in log and "127.0.0.1" not in log and "/v1" not in log, "its log has no addresses and no paths") or note(log)


def plain_status(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", path, headers={"Host": "vote.example.org"})
    status = connection.getresponse().status
    connection.close()
    return status


def check_proxy(server, folder, port):
    status, head, body = fetch(port, folder, "POST", "/v1/experiments/tea/voters", {})
    ok(status == 201 and "__Host-spar_voter=" in head and "Secure" in head and "Strict-Transport-Security" in head,
       "a voter through TLS: cookies for https only") or note((status, head))
    secret = json.loads(body[body.index(b"{"):body.rindex(b"}") + 1])["secret"]
    mine = {"Authorization": "Voter " + secret, "Origin": "https://vote.example.org"}
    status, _, body = fetch(port, folder, "POST", "/v1/experiments/tea/screens", {}, mine)
    same(status, 201, "a screen")
    same(fetch(port, folder, "POST", "/v1/experiments/tea/screens", {}, {**mine, "Origin": "https://evil.example"})[0], 403,
         "another origin is refused")
    statuses = []
    while statuses.count(429) < 10 and len(statuses) < 250:  # on a slow machine some permits come back meanwhile
        statuses.append(fetch(port, folder, "GET", "/v1/experiments", None, {"X-Forwarded-For": f"10.0.0.{len(statuses)}"})[0])
    ok(429 in statuses and 200 in statuses, "who invents addresses is limited by its own") or note(statuses)


def test_caddy(server):
    """Votes through it; and what it writes about a request while no server runs."""
    folder, port, plain = server.folder / "caddy", free_port(), free_port()
    folder.mkdir()
    text = (DEPLOY / "Caddyfile").read_text().replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
    ours = f"{{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttp_port {plain}\n\thttps_port {port}\n"
    (folder / "Caddyfile").write_text(text.replace("{\n", ours, 1))
    with open(folder / "log", "w") as log:
        proxy = subprocess.Popen(["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")],
                                 stderr=log, env={**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)})
    try:
        await_port(port)
        until(lambda: (folder / "caddy/pki/authorities/local/root.crt").exists())
        shutil.copy(folder / "caddy/pki/authorities/local/root.crt", folder / "cert.pem")
        until(lambda: "certificate obtained" in (folder / "log").read_text())
        same(fetch(port, folder, "GET", "/healthz")[0], 421, "Caddy passes the name of the host on")
        server.stop()
        same((fetch(port, folder, "GET", INVITATION)[0], plain_status(plain, INVITATION)), (502, 308), "while no server runs")
    finally:
        proxy.terminate()
        proxy.wait()
        server.start()
    said = (folder / "log").read_text()
    ok("remote_ip" not in said and INVITATION not in said, "no log has who asked for what") or note(said[-2000:])


def test_others(server):
    if shutil.which("caddy"):
        got = run("caddy", "validate", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile",
                  env={"HOME": str(server.folder), "XDG_DATA_HOME": str(server.folder)})
        ok(got.returncode == 0, "Caddy takes the Caddyfile") or note(got.stderr)
        test_caddy(server)
    else:
        skip("no caddy")
    logrotate = shutil.which("logrotate") or shutil.which("/usr/sbin/logrotate")
    if not logrotate:
        return skip("no logrotate")
    (server.folder / "log").mkdir(exist_ok=True)
    (server.folder / "log/access.log").write_text("one\n")
    text = (DEPLOY / "logrotate.conf").read_text().replace("/var/log/spar", str(server.folder / "log"))
    text = re.sub(r" +su .*\n", "", text).replace("create 0640 spar spar", "create 0640")
    text = text.replace("systemctl reload spar.service", f"touch {server.folder}/reloaded")
    (server.folder / "rotate.conf").write_text(text)
    os.chmod(server.folder / "rotate.conf", 0o644)
    got = run(logrotate, "--force", "--state", server.folder / "rotate.state", server.folder / "rotate.conf")
    ok(got.returncode == 0 and (server.folder / "log/access.log.1").read_text() == "one\n"
       and (server.folder / "reloaded").exists(), "logrotate renames the log and reloads") or note(got)


server = Server(SPAR)
token = server.shell("token", "new", server.file).strip()
with server:
    test_session(server, token)
    test_client(server)
    test_load(server, token)
    test_liar(server, token, "twist", "acknowledged")
    test_liar(server, token, "drop", "")
    test_load_and_kill()
    test_backup(server)
    test_units(server)
    test_calls(server, token)
    test_nginx(server)
    test_others(server)
done()
