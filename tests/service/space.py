"""A space over HTTP: made by a manager, settings with units as JSON and on pages, the dashboard with what is believed,
pages that fit a space, hostile names of axes."""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, note, ok, same  # noqa: E402
from page_reader import Browser, Page, manager  # noqa: E402
from server import Server  # noqa: E402

SPACE = "speed 0.1..2 m/s, gain 1..100 log, <b>mode {gentle,<i>rough}"
BASE = "/v1/experiments/drill"


def making(server, manage):
    new = {"name": "drill", "question": "Which feels better?", "space": SPACE, "seed": 7}
    status, _, made = server.post("/v1/experiments", new, manage)
    same((status, made["space"], made["m"], made["options"]), (201, SPACE, 2, []), "a space is made")
    same(server.post("/v1/experiments", {"name": "seat", "space": "height 40..60 cm", "against_last": True}, manage)[0], 201,
         "one that compares with the last setting")
    for change, says in (({"space": "speed 0.1-2"}, "'0.1-2' in place of values"), ({"space": "x 1..2 \x1b[31m"}, "plain text"),
                         ({"space": "x 1..2", "options": [{"id": "a"}]}, "space"), ({"against_last": True}, "space")):
        status, _, got = server.post("/v1/experiments", {"name": "bad", **change}, manage)
        ok(status == 400 and says in got["detail"], f"refused: {got['detail'][:100]}") or note((status, got))
    status, _, got = server.post(BASE + "/options", {"id": "a"}, manage)
    ok(status == 409 and "fixed" in got["detail"], f"no options are added: {got['detail'][:100]}") or note((status, got))
    status, _, got = server.request("PATCH", BASE, {"question": "Else?", "space": "speed 0.1..3 m/s"}, manage)
    ok(status == 409 and "axes are fixed" in got["detail"], f"no axis is changed: {got['detail'][:100]}") or note((status, got))
    same(server.get(BASE, manage)[2]["question"], new["question"], "and nothing else")


def better(settings):
    """The place that a person who wants 0.7 m/s prefers."""
    loss = [abs(s[0]["value"] - 0.7) for s in settings]
    return "AB"[loss[1] < loss[0]]


def programs(server):
    voter = {"Authorization": "Voter " + server.post(BASE + "/voters", {})[2]["secret"]}
    screen = server.post(BASE + "/screens", {}, voter)[2]
    names, units = set(), set()
    for _ in range(12):
        for setting in screen["settings"]:
            names.add(tuple(part["name"] for part in setting))
            units.add((setting[0].get("unit"), setting[1].get("unit")))
        told = {"token": screen["token"], "winner": better(screen["settings"]), "next": True}
        screen = server.post(BASE + "/answers", told, voter)[2]["next"]
    same((names, units), ({("speed", "gain", "<b>mode")}, {("m/s", None)}), "settings have names, values and units")


def pages(server):
    browser = Browser(server.port)
    start = next(f for f in browser.page("/e/drill")[1].root.all("form") if f.attrs["action"].endswith("/start"))
    fields = {n.attrs["name"]: n.attrs["value"] for n in start.all("input")}
    page = Page(browser.post("/e/drill/start", fields)[2])
    cards = list(page.root.all("section", class_="card"))
    shown = [[(row.one("dt").text, row.one("dd").text) for row in card.one("dl").all("div")] for card in cards]
    same([[name for name, _ in card] for card in shown], [["speed", "gain", "<b>mode"]] * 2, "each card has the axes")
    ok(all(re.fullmatch(r"[\d.]+ m/s", card[0][1]) and card[2][1] in ("gentle", "<i>rough") for card in shown),
       f"with units: {shown[0]}") or note(shown)
    same((page.faults, [n.tag for n in page.root.all() if n.tag in ("b", "i")]), ([], []), "names are text")


def results(server, manage):
    status, _, got = server.get(BASE + "/status", manage)
    best = got["recommendation"]
    ok(status == 200 and got["answers"] == 12 and best["settings"][0]["unit"] == "m/s", f"recommended: {best['text']}")
    browser = manager(server)
    page = browser.page("/manage/drill")[1]
    text = browser.get("/manage/drill")[2]
    same(page.faults, [], "the dashboard is well-formed")
    ok("Recommended setting" in page.root.text and best["settings"][0]["text"] in page.root.text, "it recommends")
    svg = re.search(r"<figure class=\"belief.*?</figure>", text, re.S)[0]
    ok(all(f">{label}<" in svg for label in ("speed (m/s)", "0.5", "gain", "&lt;b&gt;mode", "gentle", "&lt;i&gt;rough")),
       "and draws curves over the values of the axes") or note(svg[:2000])
    same(len(list(page.root.one("details", id="curves").all("table"))), 3,
         "with a table each")
    ok("/manage/drill/options" not in text, "nothing leads to options that there are none of")
    page = browser.page("/manage/drill/options")[1]
    ok(SPACE in page.root.text and not page.root.one("textarea"), "whoever goes there is told the axes, and adds nothing")
    ok(SPACE in browser.page("/manage/drill/settings")[1].root.text, "the axes are among the settings")
    status, _, text = browser.get("/manage/drill?lang=de")
    ok(status == 200 and all(f">{label}<" in text for label in ("Stärke", "empfohlen")) and ">recommended<" not in text,
       "in German, too, the picture as well")
    rows = [json.loads(line) for line in server.get(BASE + "/export", manage)[2].decode().splitlines()]
    same(sum(row["kind"] == "answer" for row in rows), 12, "the log has every answer")


with Server(SPAR) as server:
    manage = server.token()
    making(server, manage)
    programs(server)
    pages(server)
    results(server, manage)
    note(server.stderr()[:500])
done()
