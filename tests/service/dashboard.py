"""The dashboard and the pages of managers, without a browser: every state says what is known and no more, nobody gets
in who does not belong, nothing that is typed runs, and a vote goes from the first form to the verdict."""
import json
import math
import os
import random
import re
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import ROOT, SPAR, done, note, ok, same  # noqa: E402
from page_reader import SVG, Browser, Page, manager  # noqa: E402
from server import Server  # noqa: E402

HOSTILE = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>&amp;{{csrf}}'
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000a49444154789c6300010000"
                    "0500010d0a2db40000000049454e44ae426082")


# --- experiments in every state ---

def arena(names, strengths, n, seed=1):
    """n choices between two of the options, each by a voter of its own."""
    rng, rows = random.Random(seed), ["model_a,model_b,winner,judge"]
    for i in range(n):
        a, b = rng.sample(range(len(names)), 2)
        first = rng.random() < 1 / (1 + math.exp(strengths[b] - strengths[a]))
        rows.append(f'"{names[a]}","{names[b]}",{"model_a" if first else "model_b"},v{i}')
    return "\n".join(rows) + "\n"


def circle(names, n, seed=1):
    rng, rows = random.Random(seed), ["model_a,model_b,winner,judge"]
    for i in range(n):
        a = rng.randrange(len(names))
        b = (a + 1) % len(names)
        rows.append(f'{names[a]},{names[b]},{"model_a" if rng.random() < 0.85 else "model_b"},v{i}')
    return "\n".join(rows) + "\n"


def make(server, name, options, votes=None):
    server.shell("init", f"{server.file}#{name}", *options, "--m", "2", "--question", f"Which, {name}?")
    if votes:
        server.shell("import", f"{server.file}#{name}", "-", text=votes)


STATES = {  # name: options, strengths, answers
    "none": (["a", "b"], None, 0),
    "one": (["a", "b"], [0, 0], 1),
    "early": (["a", "b", "c"], [0, 0, 0], 9),
    "open": (["a", "b", "c", "d", "e", "f", "g", "h"], [0.3, 0.2, 0.2, 0.1, 0.1, 0, -0.1, -0.2], 100),
    "best": (["a", "b", "c"], [1.5, 0, -0.3], 300),
    "equal": (["a", "b"], [0, 0], 4000),
    "level": ([f"o{i}" for i in range(16)], [0] * 16, 1000),
}
VERDICT = {"none": "none", "one": "early", "early": "early", "open": "open", "best": "best", "equal": "equal",
           "level": "open", "no_scale": "no_scale"}


LOOKED = {}  # when each page was looked at last


def settle(browser, path, wait=120):
    """The page once it has all answers, and strengths."""
    until = time.time() + wait
    while True:
        status, page = browser.page(path)
        known = page.root.one(id="known")
        LOOKED[path] = time.time()
        if status != 200 or not {"data-pending", "data-newer"} & set(known.attrs) or time.time() > until:
            return status, page
        time.sleep(0.2)


def sentence(page):
    return page.root.one(class_="sentence").text


def rows(page):
    return [row for body in page.root.one("table", class_="standings").all("tbody")
            for row in body.all("tr") if row.attrs.get("class") != "caption"]


def suggests_ranks(page):
    """Texts that give an option a place in an order."""
    table = page.root.one("table", class_="standings")
    cells = [cell.text for cell in table.all() if cell.tag in ("td", "th")]
    found = [text for text in cells if re.fullmatch(r"(#\s*)?\d+(\.|st|nd|rd|th)?", text)]
    found += [text for text in cells if re.search(r"\b(rank|first place|winner|1st|2nd|Platz 1)\b", text)]
    return found + [node.tag for node in page.root.one(id="known").all("ol")]


def test_states(server, browser):
    api = {"Authorization": "Bearer " + server.tokens[0]}
    for name, wanted in VERDICT.items():
        status, page = settle(browser, f"/manage/{name}")
        _, _, known = server.get(f"/v1/experiments/{name}/status", api)
        same((status, known["verdict"], page.root.one(id="known").attrs["data-verdict"]), (200, wanted, wanted),
             f"{name}: the state")
        same(sentence(page), known["sentence"], f"{name}: '{known['sentence'][:60]}', as everywhere")
        same((page.faults, suggests_ranks(page)), ([], []), f"{name}: whole, and no ranks")
        shown = {row.one("th").text.split(" out of")[0]: row.text for row in rows(page)}
        wrong = [o["name"] for o in known["options"] if o["name"] in shown and o["shown"]
                 and f"chosen {o['chosen']} of {o['shown']} times shown" not in shown[o["name"]]]
        same(wrong, [], f"{name}: records as counted")
        german = settle(speaking(browser, "de"), f"/manage/{name}")[1]
        ok(sentence(german) != sentence(page) and german.root.one("html").attrs["lang"] == "de", f"{name}: in German")


def speaking(browser, language):
    other = Browser(browser.port, language)
    other.cookies = browser.cookies
    return other


def test_never_too_much(server, browser):
    """With everything equal nothing is called best, by the sentence or by a number."""
    for name in ("equal", "no_scale", "none", "one", "early"):
        text = settle(browser, f"/manage/{name}")[1].root.one(id="known").text
        ok(" is best" not in text and "leads" not in text, f"{name}: no winner is suggested")
        ok("Probability of being best" not in text, f"{name}: and no probability of one")
    page = settle(browser, "/manage/level")[1]
    groups = [body for body in page.root.one("table", class_="standings").all("tbody") if body.one("tr", class_="caption")]
    ok(groups and "not separated" in groups[0].text, "16 equal options: they are not separated")
    ok("It decides nothing" in page.root.text, "and the probability of being best says what it is not")
    page = settle(browser, "/manage/early")[1]
    same([row.one("th").text for row in rows(page)], ["a", "b", "c"], "early: in the order in which they were added")
    ok("No single scale" in settle(browser, "/manage/no_scale")[1].root.one(class_="warnings").text, "no scale: a warning")
    page = settle(browser, "/manage/sides")[1]
    ok("33 answers on 3 options · 2 bad · 1 skipped" in page.root.text, "bad and skipped ones are counted") or note(page.root.one(id="known").text)
    warned = page.root.one(class_="warnings").text
    ok("Place effect: place B has" in warned and "--swap" in warned, "the left side always wins: a place effect") or note(warned)
    more = sentence(settle(browser, "/manage/open")[1])
    ok(re.search(r"more answers \(\d+ to|more than \d+ more answers", more), f"open: how many more: {more[-50:]}")


def test_charts(server, browser):
    page = settle(browser, "/manage/open")[1]
    charts = list(page.root.all("svg"))
    ok(charts and all(c.attrs.get("role") == "img" and c.one("title").inside for c in charts),
       f"{len(charts)} charts have a name")
    strips = [row for row in rows(page) if row.one("svg")]
    ok(len(strips) == 8 and all(re.search(r"\d+ % \(\d+ to \d+ %\)", row.text) for row in strips),
       "every bar has its numbers in the table")
    ok(not [node for node in page.root.all() if "style" in node.attrs], "no style inside the page")
    same({node.tag for chart in charts for node in chart.all()} - SVG - {"title"}, set(), "charts are lines and dots")


# --- who may do what ---

def page_routes():
    text = (ROOT / "src/service/routes.def").read_text()
    for found in re.finditer(r'^\w+\((page_\w+), (\w+), "([^"]+)", (\w+),', text, re.M):
        yield found.groups()


def test_roles(server, browser):
    csrf, other = browser.csrf(), manager(server).csrf()
    walk = [(method, path.replace("{experiment}", "open")) for _, method, path, role in page_routes() if role == "MANAGER"]
    ok(len(walk) >= 14, f"{len(walk)} routes for managers")
    voter = Browser(server.port)
    server_voter = server.post("/v1/experiments/open/voters", {})[2]["secret"]
    voter.cookies["spar_voter"] = server_voter
    made_up = Browser(server.port)
    made_up.cookies["spar_session"] = len(browser.cookies["spar_session"]) * "0"
    before, faults = server.log_of("open"), []
    for who, method_faults in (("nobody", Browser(server.port)), ("a voter", voter), ("a made-up session", made_up)):
        for method, path in walk:
            if method == "GET":
                status, headers, _ = method_faults.get(path, follow=False)
                good = status == 303 and headers["location"].startswith("/login?next=%2F")
            else:
                status, _, _ = method_faults.post(path, {"csrf": csrf}, follow=False)
                good = status == 401
            faults += [] if good else [f"{who}: {method} {path}: {status}"]
    for what, fields, headers in (("no form token", {}, {}), ("a wrong one", {"csrf": csrf[:-1] + ("1" if csrf[-1] == "0" else "0")}, {}),
                                  ("that of another session", {"csrf": other}, {}),
                                  ("only a header", {}, {"X-CSRF-Token": csrf}),
                                  ("another site", {"csrf": csrf}, {"Origin": "http://evil.example"}),
                                  ("another site, as the browser says", {"csrf": csrf}, {"Sec-Fetch-Site": "cross-site"})):
        for method, path in walk:
            if method == "POST":
                status, _, _ = browser.post(path, fields, headers, follow=False)
                faults += [] if status == 403 else [f"{what}: {path}: {status}"]
    status, _, _ = Browser(server.port).get("/manage/open", headers={"Authorization": "Bearer " + server.tokens[0]},
                                            follow=False)
    faults += [] if status == 303 else ["a token as a header"]
    same(faults, [], "nobody gets in, and no form without its token")
    same(server.log_of("open"), before, "and nothing was written")


def test_results_for(server, browser):
    api = {"Authorization": "Bearer " + server.tokens[0]}
    nobody = Browser(server.port)
    same([nobody.get(path)[0] for path in ("/e/open/results", "/e/open/news")], [403, 403], "results are for managers at first")
    same(settle(browser, "/e/open/results")[0], 200, "who see them")
    server.request("PATCH", "/v1/experiments/open", {"results": "public"}, api)
    status, page = settle(nobody, "/e/open/results")
    ok(status == 200 and "still in the running" in sentence(page), "public: everybody does")
    ok(not list(page.root.one("main").all("form")) and "/manage" not in str([a.attrs for a in page.root.all("a")]),
       "without anything to manage")
    ok("many times" not in page.root.text, "and without what is for managers")
    server.request("PATCH", "/v1/experiments/open", {"results": "after_vote"}, api)
    same(nobody.get("/e/open/results")[0], 403, "after a vote: not before")
    server.request("PATCH", "/v1/experiments/open", {"results": "managers"}, api)


def test_login(server):
    browser = Browser(server.port)
    status, _, text = browser.post("/login", {"token": "spar_" + 64 * "0"})
    ok(status == 401 and "is wrong" in text and not browser.cookies, "a wrong token: said so, no session")
    for given, goes in (("/manage/open", "/manage/open"), ("//evil.example", "/manage"), ("https://evil.example", "/manage"),
                        ("/manage//evil.example", "/manage"), ("/manage/\r\nX: y", "/manage"), ("", "/manage")):
        _, headers, _ = browser.post("/login", {"token": server.tokens[0], "next": given}, follow=False)
        same(headers.get("location"), goes, f"after the login from {given!r}")
    cookie = browser.post("/login", {"token": server.tokens[0]}, follow=False)[1]["set-cookie"]
    ok("HttpOnly" in cookie and "SameSite=Strict" in cookie, "a cookie for this site alone")
    same(browser.get("/manage")[0], 200, "logged in")
    same(browser.post("/logout", {"csrf": browser.csrf()}, follow=False)[1].get("location"), "/login", "logged out")
    same(browser.get("/manage", follow=False)[0], 303, "and out it is")


def test_login_limit():
    with Server(SPAR, "limit.db", options=("a", "b"), limits=True) as server:
        browser = Browser(server.port)
        got = []
        while 429 not in got and len(got) < 100:  # on a slow machine some come back meanwhile
            got.append(browser.post("/login", {"token": "wrong"})[0])
        same((got[:10], got[-1]), (10 * [401], 429), "ten wrong tokens a minute")


# --- what is typed is shown, never run ---

def test_hostile(server, browser):
    csrf = browser.csrf()
    fields = [("csrf", csrf), ("name", "hostile"), ("question", HOSTILE), ("lines", f"{HOSTILE}\nplain\n"), ("m", "2")]
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(3)"><script>alert(4)</script></svg>'
    status, _, text = browser.post_files("/new", fields, [("images", '<img src=x onerror=alert(5)>.svg', svg)])
    ok(status == 200, "an experiment of hostile texts") or note(Page(text).root.text)
    browser.post("/manage/hostile/invitations", {"csrf": csrf, "count": 1, "label": HOSTILE[:60]})
    api = {"Authorization": "Bearer " + server.tokens[0]}
    rows = "".join(json.dumps({"model_a": HOSTILE, "model_b": "plain", "winner": "model_a", "judge": f"v{i}"}) + "\n"
                   for i in range(12))
    same(server.post("/v1/experiments/hostile/import?format=arena", rows, api)[0], 200, "with answers")
    settle(browser, "/manage/hostile")
    ok("<title>&lt;script&gt;" in browser.get("/manage/hostile")[2], "its chart has a hostile name")
    for path in ("/manage", "/manage/hostile", "/manage/hostile/options", "/manage/hostile/options?option=plain",
                 "/manage/hostile/settings", "/manage/hostile/invitations", "/e/hostile/results", "/login?next=" + "%3Cscript%3E",
                 "/manage/%3Cscript%3Ealert(6)%3C%2Fscript%3E", "/new"):
        status, headers, text = browser.get(path)
        page = Page(text)
        scripts = [node.attrs.get("src", "inline") for node in page.root.all("script")]
        events = [name for node in page.root.all() for name in node.attrs if name.startswith("on")]
        links = [node.attrs[a] for node in page.root.all() for a in ("href", "src", "action") if a in node.attrs]
        ok(not page.faults and events == [] and len(scripts) == 1 and scripts[0].startswith("/static/") and
           all(link.startswith(("/", "#")) for link in links), f"{path}: nothing runs") or note((page.faults, scripts, events, links))
        policy = headers["content-security-policy"]
        ok("unsafe" not in policy and "default-src 'none'" in policy and "frame-ancestors 'none'" in policy,
           f"{path}: by policy, too")
    refused = browser.post_files("/new", [("csrf", csrf), ("name", "turned"), ("question", "\u202egnp.exe")], [])
    ok(refused[0] == 400 and "\\u202e" in refused[2] and "\u202e" not in refused[2], "what turns text around is shown as an escape")
    wrong = browser.post_files("/new", [("csrf", csrf), ("name", HOSTILE), ("question", HOSTILE), ("lines", HOSTILE)], [])
    page = Page(wrong[2])
    ok(wrong[0] == 400 and not page.faults and page.root.one("textarea", id="question").text.startswith("<script>"),
       "a form that was refused shows what was typed")


# --- create to verdict ---

def answer_once(voter, path, prefer):
    page = voter.page(path)[1]
    form = page.root.one("form", class_="vote")
    if not form:
        start = next(f for f in page.root.all("form") if f.attrs["action"].startswith(path + "/start"))
        voter.post(path + "/start", {i.attrs["name"]: i.attrs.get("value", "") for i in start.all("input")})
        page = voter.page(path)[1]
        form = page.root.one("form", class_="vote")
    cards = list(form.all("section", class_="card"))
    chosen = next((c for c in cards if prefer in c.text), cards[0])
    token = form.one("input", name="token").attrs["value"]
    return voter.post(path + "/answer", {"token": token, "winner": chosen.one("button", name="winner").attrs["value"]})[0]


def test_create_to_verdict(server):
    browser = manager(server)
    csrf = browser.csrf("/new")
    fields = [("csrf", csrf), ("name", "logo"), ("question", "Which logo?"), ("lines", "round\r\n\r\n  square  \r\n"),
              ("m", "2"), ("answer", "winner"), ("access", "open"), ("results", "public")]
    status, _, text = browser.post_files("/new", fields, [("images", "C:\\pictures\\third.png", PNG), ("images", "", b"")])
    page = Page(text)
    same((status, sentence(page), [row.one("th").text for row in rows(page)]),
         (200, "no answers yet", ["round", "square", "third"]), "made: lines and an image")
    ok("/e/logo" in page.root.one("code", class_="url").text, "with a link to send around")
    ok("one person can vote many times" in page.root.text, "and what an open poll is")
    browser.post("/manage/logo/retire", {"csrf": csrf, "option": "third"})
    options = browser.page("/manage/logo/options")[1]
    ok("retired" in options.root.one("li", id="option-3").text, "one retired")
    codes = [answer_once(Browser(server.port), "/e/logo", "round") for _ in range(24)]
    same(set(codes), {200}, "voters answer by forms alone")
    _, page = settle(browser, "/manage/logo")
    same(sentence(page), "round is best (error at most 5 %)", "the verdict")
    counts = [int(cell.text) for cell in page.root.one("details", id="pace").all("td")]
    ok(page.root.one(class_="pace").one("svg") and sum(counts) == 24, f"answers over time, as a table, too: {counts}")
    ok("chosen" in page.root.one("table", class_="standings").text, "with records")
    _, page = settle(Browser(server.port), "/e/logo/results")
    same(sentence(page), "round is best (error at most 5 %)", "as everybody can see")
    status, _, text = browser.post("/manage/logo/close", {"csrf": csrf})
    ok("This vote is closed" in text and "Open it again" in text, "closed")
    ok("This vote is closed" not in browser.post("/manage/logo/reopen", {"csrf": csrf})[2], "and open again")
    for form in ("jsonl", "csv"):
        ok(browser.get(f"/v1/experiments/logo/export?format={form}")[0] == 200, f"exported as {form} by the session")


def test_forms(server, browser):
    csrf = browser.csrf()
    path = "/manage/best"
    for fields, says in ((dict(lines=""), "no option to add"), (dict(lines="d\na"), "'a' already"),
                         (dict(lines="x" * 201), "200")):
        status, _, text = browser.post(path + "/options", {"csrf": csrf, **fields})
        ok(status in (400, 409) and says in Page(text).root.one(role="alert").text, f"{says}: said so") or note(text[:600])
    same([o["id"] for o in server.get("/v1/experiments/best")[2]["options"]], ["a", "b", "c"], "all or none are added")
    same(browser.post_files(path + "/change", [("csrf", csrf), ("id", "a"), ("title", "Assam"), ("body", "**strong**")],
                            [("images", "a.png", PNG)])[0], 200, "an option is changed")
    got = server.get("/v1/experiments/best")[2]["options"][0]
    same((got["title"], got["body"], got["image"]), ("Assam", "**strong**", "image/png"), "with an image")
    browser.post_files(path + "/change", [("csrf", csrf), ("id", "a"), ("title", "Ceylon"), ("keep_image", "true")], [])
    got = server.get("/v1/experiments/best")[2]["options"][0]
    same((got["title"], "body" in got, got.get("image")), ("Ceylon", False, "image/png"), "and again, the image stays")
    _, headers, _ = browser.post(path + "/settings", {"csrf": csrf, "question": "New?", "results": "public",
                                                      "access": "invited"}, follow=False)
    same(headers.get("location"), path + "/settings?saved=true", "settings are saved")
    got = server.get("/v1/experiments/best", {"Authorization": "Bearer " + server.tokens[0]})[2]
    same((got["question"], got["results"], got["access"]), ("New?", "public", "invited"), "as they were entered")
    for fields in ({"results": "everyone"}, {"m": "13"}, {"m": "x"}, {"unknown": "1"}):
        same(browser.post(path + "/settings", {"csrf": csrf, **fields})[0], 400, f"{fields} is refused")
    status, _, text = browser.post_files("/new", [("csrf", csrf), ("name", "best"), ("lines", "a\nb")], [])
    ok(status == 409 and "already" in text, "a name that is taken")


def test_invitations(server, browser):
    csrf = browser.csrf()
    status, _, text = browser.post("/manage/best/invitations", {"csrf": csrf, "count": 3, "voters": 2, "days": 7,
                                                                "label": "team"})
    links = re.findall(r"http://[^<\s]*/i/([0-9a-f]{32})", text)
    same((status, len(links)), (200, 3), "links are made")
    page = browser.page("/manage/best/invitations")[1]
    ok(not any(code in page.root.text for code in links), "and shown once")
    table = page.root.one("table")
    same(len(list(table.one("tbody").all("tr"))), 3, "then they are listed")
    voter = {"invitation": links[0]}
    same(server.post("/v1/experiments/best/voters", voter)[0], 201, "they let people in")
    number = table.one("input", name="number").attrs["value"]
    other = browser.post("/manage/open/revoke", {"csrf": csrf, "number": number}, follow=False)[0]
    same((other, len(list(browser.page("/manage/best/invitations")[1].root.one("tbody").all("tr")))), (303, 3),
         "from the page of another experiment nothing is revoked")
    browser.post("/manage/best/revoke", {"csrf": csrf, "number": number})
    same(len(list(browser.page("/manage/best/invitations")[1].root.one("tbody").all("tr"))), 2, "one is revoked")
    same(server.post("/v1/experiments/best/voters", {"invitation": links[2]})[0], 403, "the newest, by its number")
    for fields in ({"count": 0}, {"count": 100001}, {"days": 99999}, {"label": "x" * 81}):
        same(browser.post("/manage/best/invitations", {"csrf": csrf, **fields})[0], 400, f"{fields}: refused")


# --- live ---

def test_news(server, browser):
    import http.client
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    connection.request("GET", "/e/none/news", headers={"Cookie": "spar_session=" + browser.cookies["spar_session"],
                                                       "Accept": "text/event-stream"})
    stream = connection.getresponse()
    same((stream.status, stream.getheader("Content-Type")), (200, "text/event-stream"), "a stream of news")
    first = [stream.fp.readline() for _ in range(8)]
    ok(b"event: news\n" in first, "the present result")
    voter = {"Authorization": "Voter " + server.post("/v1/experiments/none/voters", {})[2]["secret"]}
    screen = server.post("/v1/experiments/none/screens", {}, voter)[2]
    server.post("/v1/experiments/none/answers", {"token": screen["token"], "winner": "A", "taken": 100}, voter)
    start, seen = time.time(), b""
    while b"event: news" not in seen and time.time() - start < 60:
        seen = stream.fp.readline()
    ok(b"event: news" in seen, f"an answer is told of after {time.time() - start:.1f} s")
    connection.close()
    page = settle(browser, "/manage/none")[1]
    same(sentence(page), "1 answer so far; a verdict needs at least 10", "and the page says so")
    ok("flagged" in page.root.one(class_="warnings").text, "an answer of 100 ms is flagged")


def test_after_a_while(server, browser):
    """A result that nobody has looked at for a while is not shown for the present."""
    path = "/manage/one"
    settle(browser, path)
    time.sleep(max(0, LOOKED[path] + 13 - time.time()))
    server.shell("import", f"{server.file}#one", "-", text="model_a,model_b,winner,id\na,b,model_a,another\n")
    same(sentence(browser.page(path)[1]), "2 answers so far; a verdict needs at least 10", "after a while: what is so now")


# --- how fast ---

BINARY = Path(SPAR).read_bytes()
FIRST_PAINT = 0.2 * (20 if b"__tsan_init" in BINARY or b"__asan_init" in BINARY else 1)  # seconds

def fastest(browser, path, n=5):
    best, status = 1e9, 0
    while n > 0 or (best > FIRST_PAINT and n > -20):  # more, where others use the machine
        n -= 1
        start = time.perf_counter()
        status, _, text = browser.get(path)
        best = min(best, time.perf_counter() - start)
    return status, best, text


def weight(browser, text):
    page = Page(text)
    files = [node.attrs[a] for node in page.root.one("head").all() for a in ("href", "src")
             if a in node.attrs and node.attrs.get("rel") != "icon"]
    return len(text.encode()) + sum(len(browser.get(name)[2].encode()) for name in files), 1 + len(files)


def test_first_paint(server, browser):
    for name in ("none", "one", "early", "open", "level", "large"):
        before = time.perf_counter()
        status, _, text = browser.get(f"/manage/{name}")
        cold = time.perf_counter() - before
        status, best, text = fastest(browser, f"/manage/{name}")
        ok(status == 200 and best < FIRST_PAINT, f"{name}: {1000 * best:.1f} ms, {1000 * cold:.0f} ms the first time")
        status, page = settle(browser, f"/manage/{name}")
        status, best, text = fastest(browser, f"/manage/{name}")
        ok(best < FIRST_PAINT, f"{name}: {1000 * best:.1f} ms with strengths")
        size, requests = weight(browser, text)
        ok(size <= 60 * 1024 and requests <= 3, f"{name}: {size / 1024:.1f} KiB in {requests} requests")
        ok(page.root.one(id="known") and sentence(page), f"{name}: {sentence(page)[:70]}")
    status, best, text = fastest(browser, "/manage/large/options")
    size, requests = weight(browser, text)
    ok(best < FIRST_PAINT and size <= 60 * 1024, f"a page of 1,000 options: {1000 * best:.1f} ms, {size / 1024:.1f} KiB")
    last = browser.page("/manage/large/options?from=951")[1]
    ok(last.root.one(id="option-1000") and not last.root.one("a", href="/manage/large/options?from=1001"), "and the last one")


# --- a file that is not there ---

def fresh_server(folder):
    server = Server.__new__(Server)
    server.spar, server.args, server.wrap, server.env, server.kept = SPAR, [], [], dict(os.environ), None
    server.folder, server.file, server.process, server.tokens = folder, folder / "fresh.db", None, []
    return server


def token_said(server, wait=60):
    until = time.time() + wait
    while time.time() < until:
        found = re.search(r"works once: (spar_[0-9a-f]{64})", "".join(server.said))
        if found:
            return found[1]
        time.sleep(0.02)
    return None


def test_missing_file():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        with fresh_server(folder) as server:
            token, browser = token_said(server), Browser(server.port)
            ok(token and "/new" in "".join(server.said), "no file: serve says where to make the first experiment")
            same(server.get("/v1/experiments", {"Authorization": "Bearer " + token})[0], 401, "its token only logs in")
            _, headers, _ = browser.get("/new", follow=False)
            same(headers["location"], "/login?next=%2Fnew", "the form needs it")
            same(browser.post("/login", {"token": token[:-1] + ("1" if token[-1] == "0" else "0"), "next": "/new"})[0], 401, "and no other one")
            _, headers, _ = browser.post("/login", {"token": token, "next": "/new"}, follow=False)
            same(headers.get("location"), "/new", "with it one comes in")
            same(Browser(server.port).post("/login", {"token": token})[0], 401, "once")
            server.stop()
        ok(not server.file.exists(), "nothing was made: no file is left")
        with fresh_server(folder) as server:
            browser = Browser(server.port)
            browser.post("/login", {"token": token_said(server)})
            status, _, text = browser.post_files("/new", [("csrf", browser.csrf()), ("name", "first"), ("lines", "a\nb")], [])
            same((status, sentence(Page(text))), (200, "no answers yet"), "the first experiment is made")
            same(answer_once(Browser(server.port), "/e/first", "a"), 200, "and voted in")
            server.stop()
        same(server.file.stat().st_mode & 0o777, 0o600, "the file is for its owner alone")
        with fresh_server(folder) as server:
            ok(not token_said(server, 0.5), "next time there is no such token")
            ok(any("/e/first" in line for line in server.said), "but the address of the vote")
            same(browser.__class__(server.port).get("/e/first")[0], 200, "and all is there")


def main():
    with Server(SPAR, "dash.db", options=("a", "b")) as server:
        server.log_of = lambda name: json.dumps(server.shell("export", f"{server.file}#{name}"))
        for name, (options, strengths, n) in STATES.items():
            make(server, name, options, n and arena(options, strengths, n, seed=5))
        make(server, "no_scale", ["a", "b", "c"], circle(["a", "b", "c"], 600))
        make(server, "sides", ["a", "b", "c"])
        server.shell("vote", f"{server.file}#sides", text="1\n" * 30 + "b\nb\ns\nq\n")
        many = [f"option {i}" for i in range(1000)]
        n = 100000 if FIRST_PAINT == 0.2 else 10000
        make(server, "large", many, arena(many, [-i / 300 for i in range(1000)], n))
        browser = manager(server)
        test_first_paint(server, browser)
        test_states(server, browser)
        test_never_too_much(server, browser)
        test_charts(server, browser)
        test_roles(server, browser)
        test_results_for(server, browser)
        test_login(server)
        test_hostile(server, browser)
        test_news(server, browser)
        test_after_a_while(server, browser)
        test_forms(server, browser)
        test_invitations(server, browser)
        test_create_to_verdict(server)
        same([line for line in server.stderr().splitlines() if line.strip()], [], "no mistake in a template was told of")
    test_login_limit()
    test_missing_file()
    done()


main()
