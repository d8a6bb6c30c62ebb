"""Databases that earlier versions filled still open: their dumps are restored by psql, and every experiment verifies with the
same head, exports the same log, comes to a file, and goes on."""
import os

import kept
import fleet
import postgres
from harness import accepts, done, folder, ok, spar

fleet.begin()


def restore(server, file):
    """As the role that owns the database: what pg_dump --no-owner wrote belongs to it then."""
    with open(file, encoding="utf-8") as sql:
        server.run("psql", "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--single-transaction", "--host", server.folder,
                   "--port", server.port, "--username", "spar", "--dbname", "spar", stdin=sql)


def check(given, server):
    for outputs in kept.folders(given):
        place, name = f"{server.url}#{outputs.name}", outputs.name
        kept.verifies(place, outputs, name)
        kept.exports(place, outputs, name, ["jsonl", "csv"])
    ok(spar("copy", f"{server.url}#native", "native.db").returncode == 0, "a copy of what was made in the database")
    kept.verifies("native.db#native", given / "native", "native in a file")
    place, head = f"{server.url}#native", spar("verify", f"{server.url}#native").stdout.partition("head ")[2].split()[0]
    accepts("ask", place, "--voter", "a new one")
    accepts("tell", place, "--voter", "a new one", "--winner", "A")
    accepts("tell", place, "--voter", "a new one", "--undo")
    accepts("forget", place, "voter 0", what="a voter is forgotten")
    accepts("verify", place, "--head", head, what="it holds, and begins as before")
    ok("bob" in accepts("token", "list", server.url, what="its tokens"), "the token is there")


for given in kept.SETS:
    if (given / "postgres.sql").exists():
        with folder() as work, postgres.Server(settings=fleet.FAST) as server:
            os.chdir(work)
            restore(server, given / "postgres.sql")
            check(given, server)
            os.chdir("/")
done()
