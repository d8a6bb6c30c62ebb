"""Items over HTTP: added by a manager, screens with outputs as JSON and as pages, everything seen, hostile texts,
standings by group, preferences for training."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, note, ok, same  # noqa: E402
from page_reader import Browser, Page, manager  # noqa: E402
from server import Server  # noqa: E402

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>"
LONG = "Here is code:\n\n```\n" + "\n".join(f"line {i} <b>" for i in range(200)) + "\n```\n"


def item(i):
    return {"id": f"q{i}", "prompt": f"Question *{i}* {EVIL}", "group": ["x", "<y>"][i % 2],
            "outputs": {"small": f"short {i} {EVIL}", "large": LONG, "odd": "" if i % 2 else "[link](javascript:alert(1))"}}


def lines(items):
    return "".join(json.dumps(one) + "\n" for one in items)


def adding(server, manage):
    path = server.base + "/items"
    same(server.post(path, lines(map(item, range(6))), manage)[::2], (200, {"added": 6, "changed": 0, "items": 6}), "added")
    same(server.post(path, lines(map(item, range(7))), manage)[::2], (200, {"added": 1, "changed": 0, "items": 7}),
         "once only")
    for body, code, says in ((lines([item(1), {**item(2), "prompt": "other"}]), 409, "body:2"), ("nonsense", 400, "body:1"),
                             (lines([{**item(9), "outputs": {"huge": "x"}}]), 400, "'huge'"),
                             (lines([{**item(9), "outputs": {"small": "\x1b]0;x"}}]), 400, "control character"),
                             (lines([{**item(9), "outputs": {"small": "x" * 70000}}]), 400, "65536")):
        status, _, got = server.post(path, body, manage)
        ok(status == code and says in got["detail"], f"refused: {got['detail'][:100]}")
    same(server.post(path, lines([item(8)]), server.voter())[0], 401, "only managers add items")


def programs(server):
    voter, seen = server.voter(), []
    status, _, screen = server.post(server.base + "/screens", {}, voter)
    while status in (200, 201) and screen:
        number = int(screen["item"]["id"][1:])
        seen.append(number)
        good = screen["item"]["prompt"] == item(number)["prompt"] and all(
            option["body"] == item(number)["outputs"][option["id"]] for option in screen["options"])
        if not good:
            ok(False, f"a screen: {screen}")
        status, _, told = server.post(server.base + "/answers", {"token": screen["token"], "winner": "A", "next": True}, voter)
        screen = told["next"]
    same((sorted(seen), status), (list(range(7)), 200), "each item once, then no next screen")
    status, _, problem = server.post(server.base + "/screens", {}, voter)
    same((status, problem["type"]), (409, "urn:spar:problem:all_seen"), "everything was seen")


def form(page):
    return next(f for f in page.root.all("form") if f.attrs["action"].split("?")[0].endswith(("/start", "/answer")))


def pages(server):
    browser = Browser(server.port)
    path, shown = f"/e/{server.name}", []
    page = browser.page(path)[1]
    fields = {n.attrs["name"]: n.attrs["value"] for n in form(page).all("input")}
    text = browser.post(path + "/start", fields)[2]
    for i in range(8):
        page = Page(text)
        same(page.faults, [], f"page {i + 1} is well-formed")
        if page.root.one("main").attrs["data-state"] != "screen":
            break
        dangers = [n.tag for n in page.root.all() if n.tag in ("img", "iframe") or any(a.startswith("on") for a in n.attrs) or
                   (n.attrs.get("href") or "").startswith("javascript") or (n.tag == "script" and not n.attrs.get("src"))]
        same(dangers, [], "nothing runs")
        cards = list(page.root.all("section", class_="card"))
        prompt = page.root.one("section", class_="prompt").text
        shown.append(prompt)
        if i == 0:
            ok(prompt.startswith("Prompt Question ") and EVIL in prompt, "the prompt is shown as text")
            ok(not any(name in page.root.text for name in ("small", "large", "odd ")), "not whose outputs they are")
            same([card.one("h2").text for card in cards], ["A", "B"], "places have letters")
        folds = [card.one("details", class_="whole") for card in cards if "line 1 <b>" in card.text]
        ok(all(fold and "line 199 <b>" in fold.text and fold.one("pre") for fold in folds), "long outputs are folded")
        same({(fold.one("span", class_="more").text, fold.one("span", class_="less").text) for fold in folds} - {("Show all of it", "Show less")},
             set(), "and say how they are unfolded and folded")
        fields = {n.attrs["name"]: n.attrs["value"] for n in form(page).all("input", type="hidden")}
        text = browser.post(path + "/answer", {**fields, "winner": "A"})[2]
    same((len(shown), len(set(shown))), (7, 7), "every item once")
    same(page.root.one("main").attrs["data-state"], "all_seen", "then a page that says so")
    ok("seen everything" in page.root.text, page.root.one(id="said").text)
    same(Page(browser.get(path)[2]).root.one("main").attrs["data-state"], "all_seen", "also when it is opened again")


def results(server, manage):
    status, _, got = server.get(server.base + "/status", manage)
    groups = {g["group"]: g["answers"] for g in got["by_group"]}
    same((status, groups, got["items"], got["answers"]), (200, {"x": 8, "<y>": 6}, 7, 14), "standings by group")
    text = server.get(server.base + "/export?format=dpo", manage)[2].decode()
    rows = [json.loads(line) for line in text.splitlines()]
    ok(len(rows) == 14 and all(sorted(row) == ["chosen", "prompt", "rejected"] for row in rows), "preferences")
    page = manager(server).page(f"/manage/{server.name}")[1]
    same(page.faults, [], "the dashboard is well-formed")
    ok("By group" in page.root.text and "<y> · 3 items, 6 answers" in page.root.text, "and has the groups")
    ok(any("format=dpo" in (a.attrs.get("href") or "") for a in page.root.all("a")), "and the export")


with Server(SPAR, options=["small", "large", "odd"], init=["--m", 2]) as server:
    manage = server.token()
    adding(server, manage)
    programs(server)
    pages(server)
    results(server, manage)
    note(server.stderr()[:500])
done()
