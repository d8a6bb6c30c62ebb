"""Imports and exports over HTTP: the same bytes as the shell, once only, and no vote waits for them."""
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, in_time, note, ok, same, sanitized  # noqa: E402
from server import Server  # noqa: E402

FORMATS = "jsonl", "csv", "arena", "preflib"


def exports(server, manager):
    voter = server.voter()
    for comment in ("=1+1", "ü"):
        screen = server.post(server.base + "/screens", {}, voter)[2]
        server.post(server.base + "/answers", {"token": screen["token"], "ranking": "B,A", "comment": comment}, voter)
    for form in FORMATS:
        status, headers, body = server.get(f"{server.base}/export?format={form}", manager)
        same(body.decode(), server.shell("export", server.file, "--format", form), f"{form} is what the shell exports")
        ok(headers.get("content-disposition", "").startswith("attachment"), f"{form} is a file to save")
    name = server.get(server.base + "/export?names=true", manager)[2]
    same(name.decode(), server.shell("export", server.file, "--with-names"), "with names")
    same(server.get(server.base + "/export", manager)[2], server.get(server.base + "/export?format=jsonl", manager)[2],
         "jsonl by default")
    same(server.get(server.base + "/export", voter)[0], 401, "it is for managers")


def imports(server, manager):
    path = server.base + "/import"
    texts = {"lines": "a > b\nb = c\nc > a > d\n", "arena": "model_a,model_b,winner,id\na,b,model_a,1\nb,c,tie,2\n",
             "csv": server.get(server.base + "/export?format=csv", manager)[2]}
    for form, text in texts.items():
        status, _, first = server.post(f"{path}?format={form}", text, manager)
        _, _, again = server.post(f"{path}?format={form}", text, manager)
        rows = len(text.splitlines()) - (form != "lines")
        same((status, first["rows"], again["added"], again["known"]), (200, rows, 0, rows), f"{form}: once only")
    same(server.post(path, texts["lines"], manager)[2]["known"], 3, "the form is guessed")
    status, _, body = server.post(path + "?format=lines", "a > b\na > nosuch\n", manager)
    same(status, 400, "an option that is not there: refused")
    same(server.post(path + "?format=lines&add_options=true", "a > new\n", manager)[2]["options_added"], 1, "or added")
    same(server.post(path + "?format=lines", "a >> b\n", manager)[0], 400, "a fault in it: refused")
    same(server.post(path, "", manager)[2]["rows"], 0, "nothing at all: nothing done")
    log = server.get(server.base + "/export", manager)[2]
    status, _, body = server.post(path, log, manager)
    same((status, body["added"]), (200, 0), "its own log is known")
    same(server.post(path, "x", server.voter())[0], 401, "it is for managers")
    most = 16 << 20
    same(server.post(path + "?format=lines", b"\n" * (most - 6) + b"a > b\n", manager)[0], 200, "16 MiB are good")
    connection = server.connect()
    connection.putrequest("POST", path)
    for name, value in {**manager, "Content-Length": most + 1}.items():
        connection.putheader(name, value)
    connection.endheaders()
    same(connection.getresponse().status, 413, "and a byte more is not")
    connection.close()
    same(server.shell("verify", server.file, check=False).returncode, 0, "the log verifies")


def longest_wait(server, manager, name):
    """A long import, and votes meanwhile: how long the slowest took."""
    n = 10000 if sanitized() else 100000
    rows = b"model_a,model_b,winner,id\n" + b"".join(b"a,b,model_a,%s%d\n" % (name.encode(), i) for i in range(n))
    out = []
    thread = threading.Thread(target=lambda: out.append(server.post(server.base + "/import?format=arena", rows, manager)))
    voter, connection, waits = server.voter(), server.connect(), []
    thread.start()
    while thread.is_alive():
        start = time.time()
        screen = server.post(server.base + "/screens", {}, voter, connection=connection)[2]
        status = server.post(server.base + "/answers", {"token": screen["token"], "winner": "A"}, voter,
                             connection=connection)[0]
        waits.append(time.time() - start)
        assert status == 200
    thread.join()
    waits.sort()
    same((out[0][0], out[0][2]["added"]), (200, n), f"a long import of {len(rows) >> 10} KiB")
    note(f"{len(waits)} votes meanwhile, the slowest in {waits[-1]:.2f} s, half in {waits[len(waits) // 2]:.3f} s")
    return waits[-1]


def does_not_block(server, manager):
    names, most = iter("uvwx"), 20 if sanitized() else 1.5
    took = in_time(lambda: longest_wait(server, manager, next(names)), most, 4)
    ok(took < most, f"no vote waits for it: {took:.2f} s at most")


with Server(SPAR, init=["--answer", "ranking"]) as server:
    manager = server.token()
    exports(server, manager)
    imports(server, manager)
    does_not_block(server, manager)
    same(server.stop(), 0, "the server ends well")
    same(server.stderr(), "", "and has nothing to say")
done()
