"""Methods, queries, types and paths: what is not known is refused, in the right way."""
import http.client
import socket
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, note, ok, same  # noqa: E402
from server import Server  # noqa: E402


def raw(server, text):
    """The status of a request as bytes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as connection:
        connection.sendall(text)
        reply = http.client.HTTPResponse(connection)
        reply.begin()
        return reply.status


def methods(server):
    status, headers, body = server.request("PUT", server.base, {})
    same((status, headers["allow"]), (405, "GET, HEAD, PATCH"), "a method that the path has not: 405, and which it has")
    same(server.request("DELETE", "/v1/experiments")[1]["allow"], "GET, HEAD, POST", "for each path")
    same(server.request("OPTIONS", "/healthz")[0], 405, "OPTIONS too")
    get, head = server.get(server.base), server.request("HEAD", server.base)
    same((head[0], head[2], head[1]["content-length"], head[1]["content-type"]),
         (200, b"", get[1]["content-length"], get[1]["content-type"]), "HEAD is GET without the body")
    same(server.request("HEAD", "/v1/experiments/none")[0], 404, "also of what is not there")


def queries(server, manager):
    log = server.base + "/events"
    same(server.get(log + "?from=2", manager)[2].count(b"\n"), 5, "a parameter")
    same(server.get(log + "?fr%6fm=%32", manager)[2].count(b"\n"), 5, "decoded, name and value")
    for bad in ("from=%", "from=%2", "from=%zz", "from=%00", "from=%ff", "from=", "from", "from=x", "from=-1", "from=1&from=2",
                "From=1", "form=1", "from=1&x", "from=99999999999999999999", "&x=", "%3D=1"):
        same(server.get(f"{log}?{bad}", manager)[0], 400, f"?{bad} is refused")
    same(server.get(log + "?", manager)[0], 200, "nothing behind the ? is nothing")
    same(server.get(server.base + "?x=1")[0], 400, "a route without parameters takes none")
    same(server.get(log + "?from=" + "0" * 8192, manager)[0], 414, "a URL of more than 8 KiB is too long")
    same(server.get(server.base + "/export?names=yes", manager)[0], 400, "true or false, not yes")


def types(server):
    for accept, status in (("*/*", 200), ("application/json", 200), ("application/*;q=0.1", 200), ("text/html", 406),
                           ("text/html, */*;q=0.1", 200), ("application/json;q=0", 406), ("*/*, application/json;q=0", 406),
                           ("", 200), ("APPLICATION/JSON", 200), ("application/jsonl", 406), ("garbage;;,,", 406),
                           ("text/event-stream", 406)):
        same(server.get(server.base, {"Accept": accept})[0], status, f"Accept: {accept}: {status}")
    same(server.get(server.base, {"Accept": "text/html"})[1]["content-type"], "application/problem+json", "a problem anyway")
    same(server.request("POST", server.base + "/voters", "{}", {"Content-Type": "text/plain"})[0], 415, "JSON is said to be JSON")


def paths(server):
    for path, status in (("/v1/experiments/te%61", 200), ("/v1/experiments/tea/", 404), ("//v1/experiments/tea", 404),
                         ("/v1/experiments/%", 404), ("/v1/experiments/%00", 404), ("/v1/experiments/tea%2Fscreens", 404),
                         ("/v1/../v1/experiments/tea", 404), ("/v1/experiments/..%2ftea", 404), ("/%761/experiments", 404),
                         ("/v1/experiments/t\u00eda".encode().decode("latin-1"), 404), ("/v1/experiments/TEA", 404)):
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode("latin-1")
        same(raw(server, request), status, f"{path!r}: {status}")


def bodies(server):
    voters = server.base + "/voters"
    for body in ('{"invitation":5}', '{"invitations":"x"}', '[]', '1', '"x"', '{', '{}{}', '{"invitation":"a","invitation":"b"}',
                 '\u0000', '{"a":' * 20 + "1" + "}" * 20, "\ufeff{}"):
        same(server.request("POST", voters, body.encode(), {"Content-Type": "application/json"})[0], 400, f"{body[:30]!r} is refused")
    same(server.request("POST", voters, b'{"invitation":null}', {"Content-Type": "application/json"})[0], 201, "null is as missing")
    same(server.request("POST", voters)[0], 201, "no body is an empty one")
    same(server.request("POST", voters, b"\xff{}", {"Content-Type": "application/json"})[0], 400, "no UTF-8 is no JSON")


with Server(SPAR) as server:
    manager = server.token()
    methods(server)
    queries(server, manager)
    types(server)
    paths(server)
    bodies(server)
    same(server.stop(), 0, "the server ends well")
    same(server.stderr(), "", "and has nothing to say")
done()
