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


def making_by_page(server, manage):
    """The form has axes in lines or with commas; what was typed is there again after a mistake."""
    browser = manager(server)
    page = browser.page("/new")[1]
    form = page.root.one("form", action="/new")
    same([(n.attrs["value"], "checked" in n.attrs) for n in form.all("input", name="compare")],
         [("options", True), ("space", False)], "options are compared, unless a space is chosen")
    same((page.faults, form.one("label", **{"for": "space"}).text), ([], "Axes"), "the form has axes")
    csrf, last = browser.csrf(), ("against_last", "true")

    def send(name, compare, space, *more):
        fields = [("csrf", csrf), ("name", name), ("compare", compare), ("space", space), ("m", "2"), *more]
        status, _, text = browser.post_files("/new", fields, [("images", "", b"")])
        return status, Page(text)
    status, page = send("oven", "space", "heat 100..250 °C,\r\n\r\n  time 5..60 min log \r\nmode {a,\r\nb}\r\n", last,
                        ("lines", "not\r\nused"))
    got = server.get("/v1/experiments/oven", manage)[2]
    same((status, got["space"], got["against_last"], got["options"], got["m"]),
         (200, "heat 100..250 °C,   time 5..60 min log, mode {a, b}", True, [], 2), "a space is made, of lines and commas")
    same(server.get("/v1/experiments/oven/status", manage)[2]["axes"][1]["name"], "time", "with its axes")
    typed = "speed 0.1..2, gain 1-10"
    status, page = send("bad", "space", typed, last, ("lines", "a\r\nb"))
    form = page.root.one("form", action="/new")
    ok(status == 400 and "the axis 'gain' has '1-10' in place of values" in page.root.one("p", role="alert").text,
       "a mistake names the axis") or note(page.root.text)
    same((form.one("textarea", id="space").text, form.one("textarea", id="lines").text,
          ["checked" in form.one("input", name=n, value=v).attrs for n, v in (("compare", "space"), last)]),
         (typed, "a b", [True, True]), "what was typed is there again")
    for what, says, given in (("no axes", "no axes", [("compare", "space"), ("space", " ")]),
                              ("axes, but options are chosen", "options", [("compare", "options"), ("space", "x 1..2")]),
                              ("three beside the last", "m is 2", [("compare", "space"), ("space", "x 1..2"), last, ("m", "3")])):
        status, _, text = browser.post_files("/new", [("csrf", csrf), ("name", "bad"), *given], [])
        alert = Page(text).root.one("p", role="alert")
        ok(status == 400 and alert and says in alert.text, f"refused: {what}") or note((status, text[:500]))
    same(server.get("/v1/experiments/bad", manage)[0], 404, "nothing was made")
    status, page = send("spoons", "options", "x 1..2", ("lines", "tea\r\nsoup"))
    got = server.get("/v1/experiments/spoons", manage)[2]
    same((status, [o["id"] for o in got["options"]], got.get("space")), (200, ["tea", "soup"], None),
         "options are made, whatever was typed for a space")
    ok("Was verglichen wird" in browser.page("/new?lang=de")[1].root.text, "in German, too")


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


def against_last(server, manage):
    """The next screen has the setting that was new on the one that was just answered, and says so: by programs, by pages."""
    base = "/v1/experiments/seat"
    marked = "as on the screen before"
    others = {"Authorization": "Voter " + server.post(base + "/voters", {})[2]["secret"]}
    server.post(base + "/screens", {}, others)
    voter = {"Authorization": "Voter " + server.post(base + "/voters", {})[2]["secret"]}
    screen, seen, replies = server.post(base + "/screens", {}, voter)[2], [], []
    new = {option["title"] for option in screen["options"]}
    for i in range(6):
        told = {"token": screen["token"], "winner": "AB"[i % 2], "next": True}
        status, _, reply = server.post(base + "/answers", told, voter)
        again = server.post(base + "/answers", told, voter)[::2]
        screen = reply["next"]
        kept = [option["title"] for option in screen["options"] if option.get("body") == marked]
        seen.append((status, len(kept) == 1 and kept[0] in new, again == (status, reply)))
        replies.append((told, reply))
        new = {option["title"] for option in screen["options"]} - set(kept)
    same(seen, [(200, True, True)] * 6, "the new setting stays for one more screen; told again: the same reply")
    ok(all(server.post(base + "/answers", told, voter)[2] == reply for told, reply in replies), "also after later answers")
    told = {"token": screen["token"], "tie": True, "next": True}
    server.post(base + "/close", {}, manage)
    same(server.post(base + "/answers", told, voter)[2], {"screen": screen["screen"], "revision": 0, "saved": True, "next": None},
         "where nothing is asked any more the answer is saved")
    server.post(base + "/reopen", {}, manage)
    browser = Browser(server.port)
    start = next(f for f in browser.page("/e/seat")[1].root.all("form") if f.attrs["action"].endswith("/start"))
    page = Page(browser.post("/e/seat/start", {n.attrs["name"]: n.attrs["value"] for n in start.all("input")})[2])
    last, right = set(), []
    for i in range(4):
        cards = [(card.one("dd").text, card.one("p", class_="muted")) for card in page.root.all("section", class_="card")]
        kept = [value for value, mark in cards if mark and mark.text in ("As on the screen before", "Wie auf dem Bildschirm davor")]
        right.append((len(kept) == 1 and kept[0] in last if last else kept == []) and marked not in page.root.text)
        last = {value for value, _ in cards} - set(kept)
        form = next(f for f in page.root.all("form") if f.attrs["action"].split("?")[0].endswith("/answer"))
        fields = {n.attrs["name"]: n.attrs["value"] for n in form.all("input") if n.attrs.get("type") == "hidden"}
        page = Page(browser.post("/e/seat/answer", {**fields, "winner": "A"})[2])
        if i == 2:
            page = browser.page("/e/seat?lang=de")[1]
            ok("Wie auf dem Bildschirm davor" in page.root.text, "the mark is in German, too") or note(page.root.text)
    same(right, [True] * 4, "so it is on pages")


def a_map(server, manage):
    """Two axes that are no choices: a map before the curves, on a page that stays light."""
    new = {"name": "bread", "question": "Which?", "space": "heat 100..250 °C, time 5..60 min log", "results": "public", "seed": 3}
    server.post("/v1/experiments", new, manage)
    base = "/v1/experiments/bread"
    for _ in range(3):
        voter = {"Authorization": "Voter " + server.post(base + "/voters", {})[2]["secret"]}
        screen = server.post(base + "/screens", {}, voter)[2]
        for _ in range(8):
            loss = [abs(s[0]["value"] - 190) / 60 + abs(s[1]["value"] - 20) / 20 for s in screen["settings"]]
            told = {"token": screen["token"], "winner": "AB"[loss[1] < loss[0]], "next": True}
            screen = server.post(base + "/answers", told, voter)[2]["next"]
    browser = manager(server)
    for path in ("/manage/bread", "/e/bread/results", "/manage/bread?lang=de"):
        text = browser.get(path)[2]
        page = Page(text)
        pictures = list(page.root.one("figure", class_="belief").all("svg", role="img"))
        runs = [list(map(int, run)) for node in pictures[0].all("path")
                for run in re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-\d+z", node.attrs["d"])]
        area = sum(wide * high for _, _, wide, high in runs)
        sides = [max(run[i] + run[i + 2] for run in runs) for i in (0, 1)]
        ok(page.faults == [] and len(pictures) == 2 and area == sides[0] * sides[1] > 300 ** 2,
           f"{path}: a map without gaps, then the curves") or note((len(pictures), area, sides, page.faults))
        ok("recommended" in pictures[0].text or "empfohlen" in pictures[0].text, "which marks the recommended setting")
        files = [browser.get(node.attrs[a])[2] for node, a in ((page.root.one("link", rel="stylesheet"), "href"),
                                                              (page.root.one("script"), "src"))]
        size = sum(len(part.encode()) for part in (text, *files))
        ok(size <= 60 * 1024 - 5120, f"{size} bytes, with room for the votes over time") or note(len(text))


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
    making_by_page(server, manage)
    programs(server)
    pages(server)
    against_last(server, manage)
    results(server, manage)
    a_map(server, manage)
    note(server.stderr()[:500])
done()
