"""Experiments and options over HTTP: made, changed, closed; who sees what of them; images; the limits of each."""
import base64
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, note, ok, same  # noqa: E402
from server import Server  # noqa: E402

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def refused(reply, status, what, says=""):
    good = reply[0] == status and isinstance(reply[2], dict) and says in reply[2].get("detail", "")
    if not ok(good, what):
        note(reply)


def picture(content):
    return base64.b64encode(content).decode()


def announced(server, path, headers, length):
    """The status of a POST of whose body nothing is sent."""
    connection = server.connect()
    connection.putrequest("POST", path)
    for name, value in {**headers, "Content-Type": "application/json", "Content-Length": length}.items():
        connection.putheader(name, value)
    connection.endheaders()
    status = connection.getresponse().status
    connection.close()
    return status


def making(server, manager):
    new = {"name": "two", "question": "Which?", "answer": "ranking", "m": 3, "seed": 2**63 + 5, "access": "invited",
           "results": "after_vote", "options": [{"id": x, "title": x.upper()} for x in "xyz"]}
    status, headers, made = server.post("/v1/experiments", new, manager)
    same((status, headers.get("location")), (201, "/v1/experiments/two"), "an experiment is made, and where it is")
    same({k: made[k] for k in ("question", "answer", "m", "access", "results", "seed")},
         {**{k: new[k] for k in ("question", "answer", "m", "access", "results")}, "seed": str(2**63 + 5)},
         "as it was described")
    same([o["title"] for o in made["options"]], ["X", "Y", "Z"], "with its options")
    same(server.get("/v1/experiments/two", manager)[2], made, "and can be read")
    refused(server.post("/v1/experiments", new, manager), 409, "not a second one of that name")
    refused(server.post("/v1/experiments", {**new, "name": server.name}, manager), 409, "nor one by the name of the file")
    for name in ("", ".", "..", "a/b", "a#b", "a b", "-x", "ä", "x" * 101):
        refused(server.post("/v1/experiments", {"name": name}, manager), 400, f"no experiment named {name[:10]!r}", "name")
    bad = {"m": 13, "answer": "best", "seed": -1, "results": "all", "access": 1, "policy": "nosuch", "options": {},
           "question": "x" * 2001, "options ": []}
    for member, value in bad.items():
        refused(server.post("/v1/experiments", {"name": "three", member: value}, manager), 400, f"no {member} {value!r:.20}")
    refused(server.post("/v1/experiments", {"name": "three", "options": [{"id": "a"}, {"id": "a"}]}, manager), 400,
            "no two options with one id")
    refused(server.post("/v1/experiments", {"name": "three", "options": [{"id": "a", "title": 5}]}, manager), 400,
            "what is wrong inside is named", "options[0].title")
    refused(server.post("/v1/experiments", {"question": "?"}, manager), 400, "a name is needed", "'name' is missing")
    same(len(server.get("/v1/experiments", manager)[2]["experiments"]), 2, "nothing else was made")


def seeing(server, manager):
    names = [e["name"] for e in server.get("/v1/experiments")[2]["experiments"]]
    same(names, [server.name], "others see open experiments only")
    stranger = server.get("/v1/experiments/two")[2]
    same(sorted(stranger), ["access", "answer", "closed", "m", "name", "question", "results"],
         "a stranger sees no options of an experiment for the invited")
    voter = server.voter()
    status, _, seen = server.get(server.base, voter)
    same(sorted(seen), ["access", "answer", "closed", "m", "name", "options", "question", "results"],
         "a voter sees the options, and not policy, seed and counts")
    refused(server.post("/v1/experiments/two/screens", {}, voter), 403, "nor can a voter of another experiment ask")
    for route in (("POST", "/v1/experiments"), ("PATCH", server.base), ("POST", server.base + "/close"),
                  ("POST", server.base + "/options"), ("DELETE", server.base + "/options/a")):
        same(server.request(*route, {"name": "x", "id": "x"} if route[0] != "PATCH" else {}, voter)[0], 401,
             f"{' '.join(route)} is not for voters")


def changing(server, manager):
    status, _, now = server.request("PATCH", server.base, {"question": "Tea?", "m": 2, "results": "public"}, manager)
    same((status, now["question"], now["m"], now["results"]), (200, "Tea?", 2, "public"), "settings change")
    before = server.get(server.base, manager)[2]["counts"]
    same(server.request("PATCH", server.base, {"question": "Tea?"}, manager)[0], 200, "what is so already is no error")
    same(server.get(server.base, manager)[2]["counts"], before, "and writes no event")
    same(server.request("PATCH", server.base, {"question": None}, manager)[2]["question"], None, "a question is removed")
    refused(server.request("PATCH", server.base, {"m": 3, "question": "x" * 2001}, manager), 400, "all or nothing")
    same(server.get(server.base)[2]["m"], 2, "nothing was changed")
    before = server.get(server.base)[2]
    for m in (2**32 - 1, 2**32, 2**64 - 1):
        refused(server.request("PATCH", server.base, {"m": m, "question": "No"}, manager), 400, f"an m of {m}")
        refused(server.post("/v1/experiments", {"name": "large", "m": m}, manager), 400, f"a new one with an m of {m}")
    same(server.get(server.base)[2], before, "nothing was changed by that")
    same(server.get("/v1/experiments/large")[0], 404, "nor made")
    refused(server.request("PATCH", server.base, {"policy": "x"}, manager), 400, "the policy cannot change")
    voter = server.voter()
    screen = server.post(server.base + "/screens", {}, voter)[2]
    refused(server.request("PATCH", server.base, {"m": 3}, manager), 409, "m cannot change after the first screen")
    same([server.post(server.base + "/close", {}, manager)[2]["closed"] for _ in range(2)], [True, True], "closed, twice")
    refused(server.post(server.base + "/screens", {}, server.voter()), 409, "then no more screens")
    same(server.post(server.base + "/answers", {"token": screen["token"], "winner": "A"}, voter)[0], 200,
         "answers to open ones are taken")
    same(server.post(server.base + "/reopen", None, manager)[2]["closed"], False, "and opened again")


def options(server, manager):
    path = server.base + "/options"
    status, _, made = server.post(path, {"id": "pu erh", "title": "Pu-erh", "body": "*dark*"}, manager)
    same((status, made), (201, {"id": "pu erh", "title": "Pu-erh", "body": "*dark*", "live": True}), "an option is added")
    same(server.post(path, {"id": "pu erh", "title": "Pu-erh", "body": "*dark*"}, manager)[0], 200, "the same again is there")
    same(server.post(path, {"id": "pu erh", "title": "Pu-Erh"}, manager)[2]["title"], "Pu-Erh", "a new version")
    refused(server.post(path, {"title": "x"}, manager), 400, "an id is needed")
    refused(server.post(path, {"id": "x" * 201}, manager), 400, "an id has at most 200 characters")
    refused(server.post(path, {"id": "x", "title": "ä" * 201}, manager), 400, "as has a title")
    same(server.post(path, {"id": "long", "title": "ä" * 200, "body": "b" * 65536}, manager)[0], 201, "200 and 64 KiB are good")
    refused(server.post(path, {"id": "x", "body": "b" * 65537}, manager), 400, "a body of more than 64 KiB is not")
    refused(server.post(path, {"id": "x", "features": [1, 2]}, manager), 400, "nor features that others do not have")
    refused(server.post(path, {"id": "x", "features": ["1"]}, manager), 400, "which are numbers", "features[0]")
    for _ in range(2):
        status, _, gone = server.request("DELETE", path + "/pu%20erh", None, manager)
        same((status, gone["live"]), (200, False), "an option retires, twice")
    same("pu erh" in [o["id"] for o in server.get(server.base)[2]["options"]], False, "voters do not see it any more")
    refused(server.request("DELETE", path + "/none", None, manager), 404, "one that is not there does not")


def many_options(server, manager):
    most = [{"id": str(i)} for i in range(10000)]
    refused(server.post("/v1/experiments", {"name": "most", "options": [*most, {"id": "x"}]}, manager), 400,
            "an experiment has at most 10,000 options", "at most 10000")
    same(server.post("/v1/experiments", {"name": "most", "options": most}, manager)[0], 201, "so many are good")
    refused(server.post("/v1/experiments/most/options", {"id": "x"}, manager), 409, "and none can be added", "10000")
    same(server.post("/v1/experiments/most/options", {"id": "1", "title": "one"}, manager)[0], 200, "but one can be changed")


def images(server, manager):
    path = server.base + "/options"
    url = server.post(path, {"id": "a/ä", "image": picture(PNG), "image_type": "image/png"}, manager)[2]["image_url"]
    status, headers, body = server.get(url)
    same((status, body, headers["content-type"]), (200, PNG, "image/png"), "an image comes back as it was")
    same((headers["x-content-type-options"], "sandbox" in headers["content-security-policy"],
          "default-src 'none'" in headers["content-security-policy"]), ("nosniff", True, True), "and does nothing else")
    same("immutable" in headers["cache-control"], True, "its URL names its content: kept for ever")
    same(server.get(url, {"If-None-Match": headers["etag"]})[0], 304, "and by its ETag not sent again")
    plain = url.partition("?")[0]
    same("max-age" in server.get(plain)[1]["cache-control"], False, "without the content in the URL it is not")
    same(server.get(url[:-1] + ("0" if url[-1] != "0" else "1"))[0], 404, "another content is not there")
    server.post(path, {"id": "a/ä", "image": picture(SVG)}, manager)
    same(server.get(url)[0], 404, "nor the old one, after a new version")
    status, headers, body = server.get(plain)
    same((headers["content-type"], "sandbox" in headers["content-security-policy"]), ("image/svg+xml", True), "SVG in a sandbox")
    refused(server.post(path, {"id": "b", "image": picture(PNG), "image_type": "image/gif"}, manager), 400,
            "the type must be true", "image/png")
    refused(server.post(path, {"id": "b", "image": picture(b"<html><script>")}, manager), 400, "a page is no image")
    refused(server.post(path, {"id": "b", "image": "***"}, manager), 400, "nor is what is not base64")
    most = PNG + bytes(8 * 2**20 - len(PNG))
    same(server.post(path, {"id": "big", "image": picture(most)}, manager)[0], 201, "8 MiB are good")
    refused(server.post(path, {"id": "c", "image": picture(most + b"0")}, manager), 400, "and a byte more is not")
    same(announced(server, path, manager, 16 * 2**20 + 1), 413, "as is a body of more than 16 MiB")
    same(announced(server, path, {}, 2**20), 401, "a stranger's is not even read")
    server.request("PATCH", server.base, {"access": "invited"}, manager)
    refused(server.get(plain), 403, "where people are invited, images are for them")
    same("private" in server.get(plain + "?content=" + server.get(plain, manager)[1]["etag"].strip('"'), manager)[1]["cache-control"],
         True, "and not kept by others")


with Server(SPAR, args=["--limit", "image-rate=5"]) as server:
    codes = [server.get(server.base + "/options/a/image")[0] for _ in range(6)]
    same(codes, [404] * 5 + [429], "images have a rate of their own")
    same(server.get(server.base)[0], 200, "which stops nothing else")
with Server(SPAR) as server:
    manager = server.token()
    making(server, manager)
    seeing(server, manager)
    changing(server, manager)
    options(server, manager)
    many_options(server, manager)
    images(server, manager)
    same(server.stop(), 0, "the server ends well")
    same(server.stderr(), "", "and has nothing to say")
done()
