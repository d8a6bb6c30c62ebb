"""The OpenAPI document: every route of the table is in it, it hangs together, and what a live server replies fits it."""
import base64
import json
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import ROOT, SPAR, done, note, ok, same  # noqa: E402
from server import Server  # noqa: E402

API = json.loads(subprocess.run([SPAR, "serve", "--openapi"], capture_output=True, text=True, check=True).stdout)
OPERATIONS = {op["operationId"]: (method, path, op) for path, methods in API["paths"].items() for method, op in methods.items()}
TYPES = {"string": str, "boolean": bool, "integer": int, "number": (int, float), "array": list, "object": dict,
         "null": type(None)}


def resolve(schema):
    while "$ref" in schema:
        part = API
        for name in schema["$ref"].removeprefix("#/").split("/"):
            part = part[name]
        schema = part
    return schema


def is_a(value, kind):
    return isinstance(value, TYPES[kind]) and not (isinstance(value, bool) and kind in ("integer", "number"))


def faults(value, schema, where="reply"):
    """What of JSON Schema the document uses, and nothing else."""
    schema = resolve(schema)
    known = {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "minimum", "description",
             "contentEncoding"}
    if extra := set(schema) - known:
        yield f"{where}: the schema has {extra}"
    if "anyOf" in schema and all(any(faults(value, one, where)) for one in schema["anyOf"]):
        yield f"{where}: is none of {schema['anyOf']}"
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_a(value, kind) for kind in kinds):
        yield f"{where}: {value!r:.40} is no {kinds}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is not in {schema['enum']}"
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{where}: {value} is too small"
    for i, item in enumerate(value if isinstance(value, list) else ()):
        yield from faults(item, schema.get("items", {}), f"{where}[{i}]")
    if isinstance(value, dict) and "properties" in schema:
        for name in schema.get("required", ()):
            if name not in value:
                yield f"{where}: has no {name}"
        for name, inner in value.items():
            if name in schema["properties"]:
                yield from faults(inner, schema["properties"][name], f"{where}.{name}")
            elif schema.get("additionalProperties", True) is False:
                yield f"{where}: {name} is not in the document"


def fits(reply, operation):
    """Does (status, headers, body) fit what the document says of the operation?"""
    status, headers, body = reply
    replies = OPERATIONS[operation][2]["responses"]
    said = replies.get(str(status), replies["default"] if status >= 400 else None)
    if said is None:
        return [f"{operation}: {status} is not in the document"]
    kind = headers.get("content-type", "").partition(";")[0]
    if not said.get("content"):
        return []
    if kind not in said["content"]:
        return [f"{operation}: {status} {kind} is not in the document"]
    return list(faults(body, said["content"][kind]["schema"], operation)) if kind.endswith("json") else []


def hangs_together():
    table = (ROOT / "src/service/routes.def").read_text()
    routes = [row for row in re.findall(r'^(?:INLINE|READER|TRANSFER|WRITER|BATCHED)\((\w+), (\w+), "([^"]+)"', table, re.M)
              if not row[0].startswith("page_")]
    same(sorted((i, m.lower(), p) for i, m, p in routes), sorted((i, m, p) for i, (m, p, _) in OPERATIONS.items()),
         f"all {len(routes)} routes of the table are in the document, and no other")
    shapes = re.findall(r"^\w+\((\w+), .*, SHAPE(?:_OR_200)?\(", table, re.M)
    same(sorted(i for i in shapes if not i.startswith("page_")), sorted(i for i, _, _ in routes), "each has its shape")
    refs = set(re.findall(r'"\$ref": ?"([^"]+)"', json.dumps(API)))
    same([ref for ref in refs if not resolve({"$ref": ref})], [], "all references lead somewhere")
    names = {ref.rpartition("/")[2] for ref in refs}
    same(set(API["components"]["schemas"]) - names, set(), "and every schema is used")
    schemes = {name for _, _, op in OPERATIONS.values() for use in op["security"] for name in use}
    same(schemes, set(API["components"]["securitySchemes"]), "as is every security scheme")
    for operation, (method, path, op) in OPERATIONS.items():
        given = [p["name"] for p in op["parameters"] if p["in"] == "path"]
        if re.findall(r"\{(\w+)\}", path) != given:
            ok(False, f"{operation}: {path} has the parameters {given}")
    same(len(OPERATIONS), len(routes), "every operation has an id of its own")


def walk(server, manager):
    """One reply of success of every operation that has a body in JSON, and problems."""
    seen, wrong = set(), []

    def call(operation, body=None, headers=None, query="", **params):
        method, path, op = OPERATIONS[operation]
        for name, value in {"experiment": server.name, **params}.items():
            path = path.replace("{" + name + "}", value)
        if isinstance(body, dict):
            wrong.extend(faults(body, op["requestBody"]["content"]["application/json"]["schema"], operation + " request"))
        reply = server.request(method.upper(), path + query, body, headers)
        wrong.extend(fits(reply, operation))
        if reply[0] < 300:
            seen.add(operation)
        return reply

    session = call("login", {"token": server.tokens[-1]})
    cookie = {"Cookie": session[1]["set-cookie"].partition(";")[0], "X-CSRF-Token": session[2]["csrf"]}
    voter = {"Authorization": "Voter " + call("new_voter", {})[2]["secret"]}
    call("new_experiment", {"name": "two", "options": [{"id": "x", "features": [0.5]}, {"id": "y", "features": [1]}]}, manager)
    call("read_experiment", None, manager, experiment="two")
    svg = base64.b64encode(b'<svg xmlns="http://www.w3.org/2000/svg"></svg>').decode()
    call("add_option", {"id": "pic", "image": svg, "body": "b"}, manager)
    call("add_option", {"id": "pic", "image": svg, "body": "b"}, cookie)
    call("option_image", None, option="pic")
    call("set_experiment", {"question": "Which?", "results": "public"}, manager)
    for _ in range(12):
        screen = call("ask", {}, voter)[2]
        told = call("tell", {"token": screen["token"], "winner": "A", "next": True, "comment": "c"}, voter)[2]
        call("open_screens", None, voter)
    call("undo", {"token": screen["token"]}, voter)
    call("undo", {"token": told["next"]["token"]}, voter)
    call("tell", {"token": told["next"]["token"], "tie": True}, voter)
    call("undo", {"token": told["next"]["token"]}, voter)
    call("import", "a > b\n", manager, "?format=lines")
    call("import", call("export", None, manager)[2], manager)
    call("add_items", '{"id": "q", "prompt": "P", "group": "g", "outputs": {"a": "A", "b": "B", "c": "C", "d": "D"}}', manager)
    call("tell", {"token": call("ask", {}, voter)[2].get("token", ""), "winner": "A", "next": True}, voter)
    call("new_experiment", {"name": "drill", "space": "speed 0.1..2 m/s, mode {a,b}", "against_last": True}, manager)
    person = {"Authorization": "Voter " + call("new_voter", {}, experiment="drill")[2]["secret"]}
    screen = call("ask", {}, person, experiment="drill")[2]
    call("tell", {"token": screen["token"], "winner": "A", "next": True}, person, experiment="drill")
    for operation in ("open_screens", "read_experiment"):
        call(operation, None, person, experiment="drill")
    call("status", None, manager, experiment="drill")
    same("settings" in call("undo", {"token": screen["token"]}, person, experiment="drill")[2], True, "settings of a screen that is open again")
    call("retire_option", None, manager, option="d")
    call("status", None, voter)
    call("events", None, manager, "?from=2")
    call("close_experiment", {}, manager)
    call("tell", {"token": call("ask", {}, voter)[2].get("token", ""), "winner": "A", "next": True}, voter)
    call("reopen_experiment", None, manager)
    for operation in ("health", "ready", "openapi", "list_experiments", "read_experiment"):
        call(operation)
    call("list_experiments", None, manager)
    call("metrics", None, manager)
    call("logout", {}, cookie)
    for operation, (method, _, op) in OPERATIONS.items():  # each refuses a stranger or a query in a way that fits
        call(operation, None, None, "?nosuch=1", option="a")
    same(wrong, [], "every reply fits the document")
    same(set(OPERATIONS) - seen, set(), "and every operation was tried with success")


hangs_together()
written = subprocess.run([sys.executable, ROOT / "scripts/doc-http", SPAR, ROOT / "doc/http.md", "--check"], capture_output=True, text=True)
same((written.returncode, written.stdout), (0, ""), "doc/http.md is up to date")
with Server(SPAR) as server:
    manager = server.token()
    same(server.get("/openapi.json")[2], API, "the server gives the same document")
    walk(server, manager)
    same(server.stop(), 0, "the server ends well")
done()
