"""spar invite: links for mail merges, caps, ends, revocation; while the file is served and while it is not."""
import csv
import io
import json
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, note, ok, same, until  # noqa: E402
from leaks import Secrets  # noqa: E402
from server import Server  # noqa: E402

URL = "https://vote.example.org"
secrets = Secrets()


def run(server, *args, text=None):
    got = server.shell("invite", *args, check=False, text=text)
    return got.returncode, got.stdout, got.stderr


def codes(text):
    found = re.findall(r"/i/([0-9a-f]{32})\b", text)
    for code in found:
        secrets.add(code)
    return found


def new(server, *args):
    status, out, err = run(server, server.file, "--base-url", URL, *args)
    ok(status == 0 and re.fullmatch(rf"({URL}/i/[0-9a-f]{{32}}\n)+", out) and not err, f"new {' '.join(args)}") \
        or note((status, out, err))
    return codes(out)


def come(server, code):
    """Status of becoming a voter, and the voter's name and header."""
    status, _, body = server.post(server.base + "/voters", {"invitation": code})
    if status != 201:
        return status, body["type"].rpartition(":")[2], None
    secrets.add(body["secret"])
    return status, body["voter"], {"Authorization": "Voter " + body["secret"]}


def comes(server, code, wanted, what):
    """The server follows soon."""
    got = until(lambda: (status := come(server, code))[0] == wanted and status) or come(server, code)
    ok(got[0] == wanted, what) or note(got)
    return got


def listed(server):
    return json.loads(run(server, "list", server.file, "--json")[1])


def test_shell(server):
    """Nobody serves the file."""
    same(run(server, "list", server.file)[1], "no invitations\n", "none yet")
    status, out, err = run(server, server.file)
    ok(status == 0 and re.fullmatch(r"/i/[0-9a-f]{32}\n", out) and "--base-url" in err and "--access invited" in err,
       "without an address: a note; an open experiment: another") or note((status, out, err))
    codes(out)
    server.shell("set", server.file, "--access", "invited")
    same(len(set(new(server, "--count", "3"))), 3, "three links")
    _, out, _ = run(server, server.file, "--labels", "-", "--csv", "--base-url", URL, "--voters", 2, "--expires", "30d",
                    text="=ann@example.org\n\n\"bob\", the second\r\ncarol")
    rows = list(csv.DictReader(io.StringIO(out)))
    codes(out)
    same([row["label"] for row in rows], ["'=ann@example.org", '"bob", the second', "carol"],
         "CSV: a label a line, formulas are disarmed")
    ok(all(re.fullmatch(URL + "/i/[0-9a-f]{32}", row["link"]) and row["most_voters"] == "2" and row["expires"]
           for row in rows), "with links") or note(rows)
    made = json.loads(run(server, "new", server.file, "--json", "--base-url", URL, "--label", "Zoë")[1])
    codes(made[0]["link"])
    same((made[0]["label"], made[0]["number"], made[0]["expires"]), ("Zoë", 8, None), "JSON")
    same([one["number"] for one in listed(server)], list(range(1, 9)), "list")
    ok("link" not in listed(server)[0], "without the links")
    same(run(server, "revoke", server.file, 8, 2)[1], "invitation 8 is revoked\ninvitation 2 is revoked\n", "revoke")
    new(server)
    same([one["number"] for one in listed(server)], [1, 3, 4, 5, 6, 7, 9], "numbers are not used again")
    _, out, _ = run(server, server.file, "--count", 5000, "--base-url", URL)
    codes(out)
    same(len(set(out.split())), 5000, "5,000 links")


def test_caps(server):
    one, two, many = new(server)[0], new(server, "--voters", "2")[0], new(server, "--voters", "0")[0]
    _, name, voter = comes(server, one, 201, "a link for one voter")
    same([come(server, one)[1] for _ in range(3)], [name] * 3, "lets the same voter in again")
    comes(server, two, 201, "a link for two: the first")
    ok(come(server, two)[1] not in (name, "invitation_used"), "the second")
    same(come(server, two)[:2], (403, "invitation_used"), "no third")
    comes(server, many, 201, "a link for any number")
    same(len({come(server, many)[1] for _ in range(20)}), 20, "20 voters")
    used = {entry["number"]: (entry["voters"], entry["most_voters"]) for entry in listed(server)}
    same([used[n] for n in sorted(used)[-3:]], [(1, 1), (2, 2), (21, 0)], "the list counts them")
    return voter


def test_end(server):
    for seconds in 2, 8, 32:  # enough for a screen, also where that takes long
        short, start = new(server, "--expires", f"{seconds}s")[0], time.monotonic()
        got = until(lambda: (status := come(server, short))[0] == 201 and status, seconds)
        status = server.post(server.base + "/screens", {}, got[2])[0] if got else None
        if status == 201 and time.monotonic() - start < seconds:
            break
    same((got and got[0], status), (201, 201), f"a link for {seconds} seconds: its voter may ask")
    voter = got[2]
    ok(until(lambda: come(server, short)[:2] == (403, "not_invited")), "then it is over")
    same(server.post(server.base + "/screens", {}, voter)[0], 403, "for its voters, too")
    good = new(server, "--voters", "0")[0]
    _, _, voter = comes(server, good, 201, "another link")
    number = listed(server)[-1]["number"]
    same(server.post(server.base + "/screens", {}, voter)[0], 201, "its voter may ask")
    same(run(server, "revoke", server.file, number)[0], 0, "revoked")
    comes(server, good, 403, "then nobody comes by it")
    ok(until(lambda: server.post(server.base + "/screens", {}, voter)[0] == 403), "and its voters may not vote")
    comes(server, new(server, "--voters", "0")[0], 201, "the next link")
    same(server.post(server.base + "/screens", {}, voter)[0], 403, "does not let them in again")


def test_wrong(server):
    same(come(server, "0" * 32)[:2], (403, "not_invited"), "a code that was never made")
    same(server.post(server.base + "/voters", {})[0], 403, "none at all")
    server.shell("init", f"{server.file}#coffee", "x", "y")
    status, _, err = run(server, server.file, "--base-url", URL)
    ok(status == 2 and "coffee" in err, "which experiment? The sentence lists them") or note(err)
    server.shell("set", f"{server.file}#coffee", "--access", "invited")
    status, out, _ = run(server, f"{server.file}#coffee", "--base-url", URL)
    foreign = codes(out)[0]
    ok(until(lambda: server.post("/v1/experiments/coffee/voters", {"invitation": foreign})[0] == 201), "a link of another experiment")
    same(come(server, foreign)[:2], (403, "not_invited"), "is good there alone")
    same(len(json.loads(run(server, "list", f"{server.file}#coffee", "--json")[1])), 1, "list of one experiment")
    for words, says in [((), "invite new: FILE is missing"), (("list", f"{server.file}#tee"), "coffee"),
                        (("revoke", f"{server.file}#coffee", 1), "all experiments"),
                        ((f"{server.file}#coffee", "--base-url", "vote.example.org"), "expected a base URL"),
                        ((f"{server.file}#coffee", "--base-url", URL + "/x"), "expected a base URL"),
                        ((f"{server.file}#coffee", "--labels", "/dev/null"), "0 labels"),
                        ((f"{server.file}#coffee", "--labels", "-", "--count", 2), "does not go with"),
                        ((f"{server.file}#coffee", "--label", "x" * 81), "at most 80 bytes"),
                        ((f"{server.file}#coffee", "--count", 0), "count"),
                        (("list", server.file, "--count", 2), "--count does not go with it"),
                        ((f"{server.file}.none",), "No such file")]:
        status, out, err = run(server, *words)
        good = status in (1, 2) and not out and says in err and re.fullmatch(r"spar: [^\n]+\n", err)
        ok(good, f"refused: invite {' '.join(map(str, words))[-40:]}") or note((status, out, err))


server = Server(SPAR)
test_shell(server)
with server:
    voter = test_caps(server)
    test_end(server)
    test_wrong(server)
    same(server.post(server.base + "/screens", {}, voter)[0], 201, "an invited voter asks")
    exported = server.shell("export", f"{server.file}#", "--format", "jsonl")
    same(secrets.found(exported), [], "no secret in the log")
    same(server.stop(), 0, "stopped")
    server.start()
    same(server.post(server.base + "/voters", {"invitation": "x"})[0], 403, "after a restart: still only the invited")
    same(server.post(server.base + "/screens", {}, voter)[0] in (200, 201), True, "who go on")
    same(server.stop(), 0, "stopped")
    same(secrets.found_in_files(server.folder), [], "no secret in a file: not in the database, not on stderr")
    ok(len(secrets.texts) > 5000, "of those that were made")
done()
