"""The roles and rights of doc/operating.md are enough for a server and for a reader, and not for more."""
import json
import re

import fleet
import postgres
from harness import ROOT, accepts, done, folder, note, ok, refuses, same, spar

fleet.begin()
text = (ROOT / "doc/operating.md").read_text().partition("### Roles and rights")[2].partition("###")[0]
sql = [line.strip() for line in text.splitlines() if re.match(r"    (CREATE|GRANT|REVOKE)", line)]
roles = [line for line in sql if line.startswith("CREATE ROLE")]
rights = [line for line in sql if not line.startswith("CREATE")]
ok(len(roles) == 1 and len(rights) > 8, "the document has them")

with folder() as work, postgres.Server(settings=fleet.FAST) as server:
    owner, serves, reads = (server.url_of(role=role) for role in ("spar_owner", "spar_server", "spar_reader"))
    server.psql(roles[0])
    server.psql("ALTER DATABASE spar OWNER TO spar_owner")
    accepts("init", owner + "#tea", "Assam", "Sencha", "Oolong", "--question", "Which?")
    for line in rights:
        server.psql(line)
    with fleet.Fleet(serves, work, 1) as servers:
        member, token = servers.member[0], servers.token()
        with fleet.Voters(servers, "tea", 2) as voters:
            voters.wait(30)
        voters.check(reads + "#tea", "a server without rights on tables")
        same(member.request("POST", "/v1/experiments", {"name": "new", "options": [{"id": "x"}, {"id": "y"}]}, token)[0],
             201, "it makes experiments")
        same(member.request("DELETE", "/v1/experiments/tea/options/Assam", {}, token)[0] // 100, 2, "retires options")
    screen = json.loads(accepts("ask", serves + "#tea", "--voter", "ann", "--json"))
    accepts("tell", serves + "#tea", screen["screen"], "--tie", "--voter", "ann")
    accepts("redact", serves + "#tea", "Assam")
    accepts("forget", serves + "#tea", "ann")
    accepts("status", reads + "#tea")
    accepts("export", reads + "#tea", "--format", "jsonl")
    refuses(1, "ask", reads + "#tea", says=["lacks a right"])
    refuses(1, "token", "list", reads, says=["lacks a right"])
    for statement in ("UPDATE spar.event SET hash = hash", "DELETE FROM spar.event", "UPDATE spar.text SET bytes = bytes",
                      "CREATE TABLE spar.more (x int)", "UPDATE spar.version SET number = 2", "DROP TABLE spar.event"):
        got = server.run("psql", "-X", "-h", server.folder, "-p", server.port, "-U", "spar_server", "spar", "-c", statement,
                         check=False)
        ok(got.returncode != 0 and ("denied" in got.stdout or "owner" in got.stdout), f"a server cannot {statement}") or \
            note(got.stdout)
done()
