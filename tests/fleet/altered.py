"""spar verify on a database that somebody else has changed: what was changed is found, and said."""
import json

import fleet
import postgres
from harness import accepts, done, folder, note, ok, same, spar

fleet.begin()


def fill(url):
    accepts("init", url, "Assam", "Sencha", "Oolong", "--question", "Which?", "--seed", 3, what="an experiment")
    for number in range(1, 9):
        screen = json.loads(accepts("ask", url, "--voter", f"voter {number}", "--json", what=f"screen {number}"))
        accepts("tell", url, screen["screen"], "--winner", "A", "--voter", f"voter {number}", what="its answer")


def finds(server, sql, words, *more):
    """After that SQL, which is taken back, verify finds something that has these words."""
    tables = ["experiment", "event", "text", "snapshot"]
    server.psql(";".join(f"CREATE TABLE saved_{t} AS TABLE spar.{t}" for t in tables))
    server.psql(sql)
    got = spar("verify", server.url, *more)
    said = got.stdout + got.stderr
    if not ok(got.returncode == 1 and words in said, f"{sql}: {said.splitlines()[0] if said else ''}"):
        note(said)
    server.psql(";".join(f"TRUNCATE spar.{t}; INSERT INTO spar.{t} TABLE saved_{t}; DROP TABLE saved_{t}" for t in tables))


with folder(), postgres.Server(settings=fleet.FAST) as server:
    fill(server.url)
    head = json.loads(accepts("verify", server.url, "--json", what="it holds"))["head"]
    answer = "(SELECT min(sequence) FROM spar.event WHERE once = 2)"
    finds(server, "UPDATE spar.event SET body = set_byte(body, octet_length(body) - 4, (get_byte(body, octet_length(body) - "
          f"4) + 1) % 3) WHERE sequence = {answer}", "chain")
    finds(server, f"UPDATE spar.event SET body = set_byte(body, 14, 1) WHERE sequence = {answer}", "chain")
    finds(server, "UPDATE spar.event SET hash = sha256(hash) WHERE sequence = 9", "chain")
    finds(server, f"DELETE FROM spar.event WHERE sequence = {answer}", "is missing")
    finds(server, "DELETE FROM spar.event WHERE sequence > 15", "is missing")
    finds(server, "UPDATE spar.experiment SET sequence = 15", "head")
    finds(server, "DELETE FROM spar.event WHERE sequence > 15; UPDATE spar.experiment SET sequence = 15, hash = (SELECT "
          "hash FROM spar.event WHERE sequence = 15)", "rewritten, or cut off", "--head", head)
    finds(server, "UPDATE spar.text SET bytes = 'Earl Grey' WHERE kind = 2 AND owner = 0", "text")
    finds(server, "UPDATE spar.text SET salt = sha256(salt) WHERE kind = 1", "text")
    finds(server, "DELETE FROM spar.text WHERE kind = 2 AND owner = 0", "text")
    finds(server, "CREATE TABLE spar.more (x int)", "more")
    server.psql("DROP TABLE spar.more")
    same(json.loads(accepts("verify", server.url, "--json", "--head", head, what="and all is as it was"))["head"], head,
         "the same head")

done()
