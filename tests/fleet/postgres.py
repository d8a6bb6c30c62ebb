"""A PostgreSQL server of its own for a test: in a temporary directory, as an unprivileged user, gone with the test.

    python3 tests/fleet/postgres.py [--tap] [--tcp] [--pool] [-c NAME=VALUE ...] -- COMMAND...

runs COMMAND with SPAR_POSTGRES=postgresql://... (a database `spar` and its owner, the role `spar`, who is no
superuser) and SPAR_POSTGRES_ADMIN (the superuser, same database), and gives its status. Without PostgreSQL it says why
and ends with status 77; --tap says it as TAP does, with status 0.

From Python: `with postgres.Server() as server:` has server.url, server.admin, server.psql(SQL), server.stop("immediate"),
server.start(), server.restart(); postgres.absent() is None or the reason why there is none.

Nobody can reach it but through a Unix socket in its directory, and with tcp=True (--tcp) also by 127.0.0.1: then the URLs
have a password, which is asked for there, and `server.port` is the port. With pool=True (--pool) the URL leads through
PgBouncer, which gives each transaction another connection (server.pooled is that URL).
"""

import ctypes
import glob
import os
import pathlib
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from urllib.parse import quote

PASSWORD = "drowssap"
SIGNALS = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}
PDEATHSIG = 1
USERS = ["postgres", "nobody"]  # who runs it where the test is root


def binaries():
    """The newest version that is installed, or None."""
    found = shutil.which("initdb")
    folders = glob.glob("/usr/lib/postgresql/*/bin") + glob.glob("/usr/pgsql-*/bin")
    folders = [pathlib.Path(f) for f in folders if (pathlib.Path(f) / "initdb").exists()]
    folders.sort(key=lambda f: [int(n) for n in "".join(c if c.isdigit() else " " for c in str(f)).split()])
    return folders[-1] if folders else pathlib.Path(found).resolve().parent if found else None


def user():
    """Whom to run it as: initdb refuses root."""
    for name in USERS if os.geteuid() == 0 else []:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            pass
    return pwd.getpwuid(os.geteuid())


def absent(pool=False):
    """Why there is no server, or no pooler; None: there is one."""
    if not binaries():
        return "PostgreSQL is not installed (postgresql)"
    if user().pw_uid == 0:
        return "PostgreSQL does not run as root, and there is no other user"
    return "PgBouncer is not installed (pgbouncer)" if pool and not pooler() else None


def pooler():
    return shutil.which("pgbouncer", path=os.environ.get("PATH", "") + ":/usr/sbin")


def free_port():
    """One that no program gets by chance while ours is not listening: below those that the system hands out."""
    while True:
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", random.randrange(20000, 32000)))
                return one.getsockname()[1]
            except OSError:
                continue


class Server:
    def __init__(self, tcp=False, settings=None, pool=False):
        why = absent(pool)
        if why:
            raise RuntimeError(why)
        self.bin, self.user = binaries(), user()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spar-pg-", dir="/tmp"))  # a socket's path must be short
        self.data = self.folder / "data"
        self.port = free_port() if tcp else 5432
        self.tcp = tcp
        self.settings = dict(settings or {})
        self.process = self.pool = None
        if os.geteuid() == 0:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        try:
            self._init()
            self.start()
            self._prepare()
            if pool:
                self._start_pool()
        except BaseException:
            self.close()
            raise

    def _options(self, more):
        options = dict(cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if os.geteuid() == 0:
            options.update(user=self.user.pw_uid, group=self.user.pw_gid, extra_groups=[])
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PG")}
        options["env"] = {**environment, "HOME": str(self.folder), "LC_ALL": "C"}
        options.update(more)
        return options

    def run(self, *words, check=True, **more):
        """A program of PostgreSQL, as the user of the server."""
        done = subprocess.run([str(self.bin / words[0]), *map(str, words[1:])], **self._options(dict(more, text=True)))
        if check and done.returncode != 0:
            raise RuntimeError(f"{words[0]}: {done.stdout}")
        return done

    def _init(self):
        secret = self.folder / "password"
        secret.write_text(PASSWORD + "\n")
        os.chmod(secret, 0o600)
        if os.geteuid() == 0:
            os.chown(secret, self.user.pw_uid, self.user.pw_gid)
        self.run("initdb", "--pgdata", self.data, "--username", "postgres", "--auth-local", "trust", "--auth-host",
                 "scram-sha-256", "--pwfile", secret, "--encoding", "UTF8", "--locale", "C", "--no-sync",
                 "--no-instructions")
        settings = {"listen_addresses": "127.0.0.1" if self.tcp else "", "port": self.port,
                    "unix_socket_directories": self.folder, "unix_socket_permissions": "0777",
                    "shared_buffers": "32MB", "max_connections": 60, "logging_collector": "off",
                    "log_line_prefix": "%m %p %q%u ", "password_encryption": "scram-sha-256", **self.settings}
        with open(self.data / "postgresql.conf", "a", encoding="utf-8") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def start(self):
        """Also after a stop; waits until it answers. It ends with this process, however that ends."""
        prctl = ctypes.CDLL(None).prctl
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen([str(self.bin / "postgres"), "-D", str(self.data)],
                                            preexec_fn=lambda: prctl(PDEATHSIG, SIGNALS["immediate"], 0, 0, 0),
                                            **self._options(dict(stdout=log, stderr=log, start_new_session=True)))
        for _ in range(2400):
            ready = self.run("pg_isready", "--quiet", "--host", self.folder, "--port", self.port, check=False)
            if ready.returncode == 0:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError(f"PostgreSQL does not start: {self.log()[-2000:]}")

    def stop(self, mode="fast"):
        """smart, fast or immediate: the last is what a crash is."""
        self.process.send_signal(SIGNALS[mode])
        self.process.wait(240)

    def _start_pool(self):
        folder = self.folder / "pool"
        folder.mkdir()
        users, settings = folder / "users", folder / "settings"
        users.write_text('"spar" ""\n"postgres" ""\n')
        settings.write_text(f"""[databases]
spar = host={self.folder} port={self.port} dbname=spar
[pgbouncer]
listen_port = 6432
unix_socket_dir = {folder}
unix_socket_mode = 0777
auth_type = trust
auth_file = {users}
pool_mode = transaction
default_pool_size = 12
max_client_conn = 100
""")
        if os.geteuid() == 0:
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)
        with open(folder / "log", "wb") as log:
            prctl = ctypes.CDLL(None).prctl
            self.pool = subprocess.Popen([pooler(), str(settings)],
                                         preexec_fn=lambda: prctl(PDEATHSIG, signal.SIGTERM, 0, 0, 0),
                                         **self._options(dict(stdout=log, stderr=log)))
        for _ in range(2400):
            if (folder / ".s.PGSQL.6432").exists():
                return
            time.sleep(0.05)
        raise RuntimeError(f"PgBouncer does not start: {(folder / 'log').read_text()}")

    @property
    def pooled(self):
        return self.url_of(host=self.folder / "pool", port=6432)

    def restart(self, mode="fast"):
        self.stop(mode)
        self.start()

    def pid(self):
        """Of the server's first process, to stop (SIGSTOP) or kill it."""
        return self.process.pid

    def _prepare(self):
        self.psql(f"CREATE ROLE spar LOGIN PASSWORD '{PASSWORD}'", database="postgres")
        self.psql("CREATE DATABASE spar OWNER spar", database="postgres")

    def url_of(self, role="spar", database="spar", host=None, port=None):
        """host: a folder with a socket or, with tcp, an address; the server's own if it is not given."""
        host = str(host or ("127.0.0.1" if self.tcp else self.folder))
        port = port or self.port
        if host.startswith("/"):
            return f"postgresql:///{database}?host={quote(host, safe='')}&port={port}&user={role}"
        return f"postgresql://{role}:{PASSWORD}@{host}:{port}/{database}"

    @property
    def url(self):
        return self.url_of()

    @property
    def admin(self):
        return self.url_of("postgres")

    def psql(self, sql, role="postgres", database="spar"):
        """Rows as lines, columns apart by '|'."""
        return self.run("psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--set", "ON_ERROR_STOP=1",
                        "--host", self.folder, "--port", self.port, "--username", role, "--dbname", database,
                        "--command", sql).stdout.strip()

    def log(self):
        file = self.folder / "log"
        return file.read_text(errors="replace") if file.exists() else ""

    def close(self):
        if self.pool and self.pool.poll() is None:
            self.pool.terminate()
            self.pool.wait(60)
        if self.process and self.process.poll() is None:
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def main(words):
    tap = tcp = pool = False
    settings = {}
    while words and words[0] != "--":
        word = words.pop(0)
        if word == "--tap":
            tap = True
        elif word == "--tcp":
            tcp = True
        elif word == "--pool":
            pool = True
        elif word == "-c" and words:
            settings.update([words.pop(0).split("=", 1)])
        else:
            sys.exit(f"postgres.py: unknown: {word}\n{__doc__}")
    if len(words) < 2:
        sys.exit(__doc__)
    why = absent(pool)
    if why:
        print(f"1..0 # SKIP {why}" if tap else f"skipped: {why}")
        return 0 if tap else 77
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server ends, too
    with Server(tcp, settings, pool) as server:
        environment = {**os.environ, "SPAR_POSTGRES": server.pooled if pool else server.url, "SPAR_POSTGRES_ADMIN": server.admin,
                       "SPAR_POSTGRES_DATA": str(server.data), "SPAR_POSTGRES_BIN": str(server.bin)}
        return subprocess.run(words[1:], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
