"""Pages over plain HTTP, as a browser without script uses them: every state, once only, nothing on GET, nothing run."""
import base64
import html.parser
import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import ROOT, SPAR, done, note, ok, same, until  # noqa: E402
from server import Server  # noqa: E402

CSP = ("default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
       "base-uri 'none'; frame-ancestors 'none'")
EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&"


class Page(html.parser.HTMLParser):
    """What is on a page: its forms with their fields and buttons, its text, and whatever could run."""

    VOID = {"meta", "link", "input", "img", "br", "hr"}

    def __init__(self, text):
        super().__init__()
        self.forms, self.text, self.state, self.dangers, self.open, self.faults = [], "", None, [], [], []
        self.attributes, self.lang = [], None
        self.feed(text)
        self.faults += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.attributes += [(tag, *pair) for pair in attributes]
        if tag == "html":
            self.lang = given["lang"]
        if tag == "main":
            self.state = given.get("data-state")
        if tag == "form":
            self.forms.append({"action": given.get("action"), "method": given.get("method"), "fields": {}, "buttons": []})
        if tag == "input" and given.get("type") == "hidden":
            self.forms[-1]["fields"][given["name"]] = given["value"]
        if tag == "button" and self.forms and "name" in given:
            self.forms[-1]["buttons"].append((given["name"], given["value"]))
        ours = tag == "script" and (given.get("src") or "").startswith("/static/")
        if (tag == "script" and not ours) or tag in ("iframe", "object", "embed", "style", "base"):
            self.dangers.append(tag)
        for name, value in attributes:
            link = name in ("href", "src", "action", "formaction")
            if name.startswith("on") or name == "style" or (link and not re.match(r"(/|#|https?:)", value or "")):
                self.dangers.append(f"{tag} {name}={value}")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.text += data


class Browser:
    """Cookies, redirections, forms; no script."""

    def __init__(self, server, **headers):
        self.server, self.cookies, self.headers, self.page, self.path = server, {}, headers, None, None

    def request(self, method, path, body=None, **more):
        headers = {"Accept": "text/html,*/*;q=0.8", **self.headers, **more}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            body = urlencode(body)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers.setdefault("Origin", f"http://127.0.0.1:{self.server.port}")
        status, got, data = self.server.request(method, path, body, headers)
        if cookie := got.get("set-cookie"):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return status, got, data.decode() if isinstance(data, bytes) else data

    def go(self, method, path, body=None):
        """Follows redirections; keeps the page; gives the status of the last reply."""
        status, got, data = self.request(method, path, body)
        for _ in range(5):
            if status != 303:
                break
            path = got["location"]
            status, got, data = self.request("GET", path)
        self.path, self.html, self.got, self.page = path, data, got, Page(data)
        return status

    def open(self, path):
        return self.go("GET", path)

    def form(self, end):
        return next(form for form in self.page.forms if form["action"].partition("?")[0].endswith(end))

    def send(self, end, **fields):
        form = self.form(end)
        return self.go("POST", form["action"], {**form["fields"], **fields})

    def start(self, name):
        self.open(f"/e/{name}")
        return self.send("/start")


def log(server, name="tea"):
    """The events of an experiment."""
    status, _, text = server.get(f"/v1/experiments/{name}/export?format=jsonl", {"Authorization": "Bearer " + server.tokens[0]})
    return [event for event in map(json.loads, text.splitlines()) if event["kind"] != "end"]


def kinds(server, name="tea"):
    return [event["kind"] for event in log(server, name)]


def first_visit(server):
    browser = Browser(server)
    before = log(server)
    for path in ("/", "/e/tea", "/e/tea?said=saved", "/e/tea/answer", "/e/tea/start", "/e/tea/undo", "/e/tea?screen=1&order=A"):
        same(browser.open(path), 200, f"GET {path}")
    browser.request("HEAD", "/e/tea")
    same((log(server), browser.cookies), (before, {}), "looking adds no event and sets no cookie")
    ok(browser.page.state == "start" and "Saved" not in Page(browser.request("GET", "/e/tea?said=saved")[2]).text,
       "a first visit has a question and Start; an address cannot say that something was saved")
    same(browser.got["content-security-policy"], CSP, "the policy of pages")
    same({name: browser.got[name] for name in ("cache-control", "referrer-policy", "x-content-type-options", "content-type")},
         {"cache-control": "no-store", "referrer-policy": "same-origin", "x-content-type-options": "nosniff",
          "content-type": "text/html; charset=utf-8"}, "and its other headers")
    form = browser.form("/start")
    first, second = (browser.request("POST", form["action"], form["fields"]) for _ in range(2))
    browser.cookies.clear()
    third = browser.request("POST", form["action"], form["fields"])
    same([r[0] for r in (first, second, third)], [303] * 3, "Start, twice, and once more as if the first reply was lost")
    same(kinds(server)[len(before):], ["screen"], "is one voter with one screen")
    cookie = third[1]["set-cookie"]
    ok("HttpOnly" in cookie and "SameSite=Lax" in cookie, "who has a cookie that no script reads")


def answers(server):
    browser = Browser(server)
    same(browser.start("tea"), 200, "a screen")
    same((browser.page.state, len(browser.form("/answer")["buttons"])), ("screen", 5), "with two cards and three other answers")
    form = browser.form("/answer")
    before = len(log(server))
    for _ in range(3):
        status, got, _ = browser.request("POST", form["action"], {**form["fields"], "winner": "A", "comment": "c\r\nd"})
        same((status, got.get("location")), (303, "/e/tea?said=saved"), "an answer")
    same(kinds(server)[before:], ["answer", "screen"], "three times the same is one answer and one next screen")
    same(log(server)[before]["text"]["text"], "c\nd", "with its comment")
    status, _, text = browser.request("POST", form["action"], {**form["fields"], "winner": "B"})
    same((status, Page(text).state, "already" in text), (409, "problem", True), "another answer to the same screen is refused, in words")
    browser.open("/e/tea?said=saved")
    ok("Saved" in browser.page.text and browser.form("/undo"), "then the next screen says saved, and offers undo")
    undo = browser.form("/undo")
    for _ in range(2):
        same(browser.go("POST", undo["action"], undo["fields"]), 200, "undo")
    same((kinds(server)[before + 2:], "Taken back" in browser.page.text), (["undo"], True), "twice is once")
    same(browser.form("/answer")["fields"]["token"] == form["fields"]["token"], False, "the screen has a new token")
    same(browser.request("POST", form["action"], {**form["fields"], "winner": "A"})[0], 409, "a late copy of the undone answer is refused")
    before = len(log(server))
    browser.send("/answer", tie="true")
    same(kinds(server)[before:], ["answer"], "answered again: the screen that was open before is shown, none is asked")
    for fields, kind in (({"bad": "true"}, "bad"), ({"skip": "true"}, "skip"), ({"skip": "true", "comment": "why"}, "skip")):
        undo = browser.form("/undo")
        browser.send("/answer", **fields)
        answer = next(event for event in reversed(log(server)) if event["kind"] == "answer")
        same((answer["answer"]["kind"], answer.get("text", {}).get("text")), (kind, fields.get("comment")), f"{fields}")
    browser.send("/undo")
    offers = [form for form in browser.page.forms if (form["action"] or "").endswith("/undo")]
    same(("Taken back" in browser.page.text, offers), (True, []), "with two open screens no more is offered to be taken back")
    status, _, text = browser.request("POST", undo["action"] + "?lang=de", undo["fields"])
    ok(status == 409 and "zuerst die offene Frage" in Page(text).text, "nor is it, in German, too") or note((status, Page(text).text))
    browser.open("/e/tea")
    browser.send("/answer", tie="true")
    for fields in ({}, {"winner": "Z"}, {"winner": "A", "tie": "true"}, {"winner": "a"}, {"nonsense": "1"}, {"tie": "maybe"}):
        before = len(log(server))
        status = browser.request("POST", browser.form("/answer")["action"], {**browser.form("/answer")["fields"], **fields})[0]
        ok(status in (400, 404) and len(log(server)) == before, f"{fields} is no answer: {status}")
    return browser


def names(server):
    """An option may be called A and stand in place B: a click on place A means place A."""
    browser = Browser(server)
    browser.start("letters")
    wrong = 0
    for _ in range(12):
        shown = dict(re.findall(r'<span class="place">(\w)</span> <bdi class="name" dir="auto">(\w)</bdi>', browser.html))
        browser.send("/answer", winner="A")
        answer = log(server, "letters")[-2]
        screen = next(e for e in log(server, "letters") if e["kind"] == "screen" and e["screen"] == answer["screen"])
        arm = next(slot["arm"] for slot in screen["slots"] if slot["place"] == 0)
        wrong += "AB"[arm] != shown["A"] or screen["slots"][answer["answer"]["slot"]]["arm"] != arm
    same(wrong, 0, "places are places, whatever options are called")


def ranking(server):
    browser = Browser(server)
    browser.start("rank")
    before = len(log(server, "rank"))
    get = next(form for form in browser.page.forms if form["method"] == "get")
    same([value for name, value in get["buttons"] if name == "order"], ["A", "B", "C", "D"], "a ranking begins with any place")
    for order, next_ones in (("C", ["A=C", "C,A", "B=C", "C,B", "", "C=D", "C,D"]), ("C,A=D", ["C,D", "C,A=B=D", "C,A=D,B", "A=D", "C,A"])):
        browser.open("/e/rank?" + urlencode({**get["fields"], "order": order}))
        form = next(form for form in browser.page.forms if form["method"] == "get")
        same([value for _, value in form["buttons"]], next_ones, f"what may follow {order}")
    same(("ranking", "C,A=D,B") in browser.form("/answer")["buttons"], True, "with one left the ranking is whole")
    browser.open("/e/rank?" + urlencode({**get["fields"], "order": "Z,,C,==C,<b>"}))
    same(("ranking", "C") in browser.form("/answer")["buttons"], True, "what makes no sense is passed over")
    browser.open("/e/rank?" + urlencode({"screen": "999", "order": "C"}))
    same([b for b in browser.form("/answer")["buttons"] if b[0] == "ranking"], [], "an order of another screen is none")
    same(len(log(server, "rank")), before, "all this adds no event")
    same(browser.send("/answer", ranking="C,A=D"), 200, "it is sent")
    ok("Saved" in browser.page.text, "and saved")
    browser = Browser(server)
    browser.start("pairs")
    form = next(form for form in browser.page.forms if form["method"] == "get")
    same(len(form["buttons"]), 9, "three pairs, three buttons each")
    browser.open("/e/pairs?" + urlencode({**form["fields"], "pairs": "A>B,A=C,B<C"}))
    same(("pairs", "A>B,A=C,C>B") in browser.form("/answer")["buttons"], True, "pairs are put together in the address")
    ok(browser.html.count('aria-pressed="true"') == 3, "and shown as pressed")
    same(browser.send("/answer", pairs="A>B,C>B"), 200, "and sent")
    ok("Saved" in browser.page.text, "and saved")


def states(server, manager):
    browser = Browser(server)
    browser.start("tea")
    form = browser.form("/answer")
    stranger = Browser(server)
    same(stranger.request("POST", form["action"], {**form["fields"], "winner": "A"})[0], 401, "an answer without a cookie")
    stranger.start("tea")
    status, _, text = stranger.request("POST", form["action"], {**form["fields"], "winner": "A"})
    same((status, "out of date" in text), (403, True), "an answer with the token of another voter")
    token = form["fields"]["token"]
    status = browser.request("POST", form["action"], {"token": token[:-1] + ("0" if token[-1] != "0" else "1"), "winner": "A"})[0]
    same(status, 403, "a token with one digit changed")
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        same(browser.request("POST", form["action"], {**form["fields"], "winner": "A"}, **headers)[0], 403, f"a form of another site: {headers}")
    secret = {"Authorization": "Voter " + browser.cookies["spar_voter"]}
    same(Browser(server).request("POST", form["action"], {**form["fields"], "winner": "A"}, **secret)[0], 401, "pages take cookies alone")
    status, headers, body = browser.request("GET", "/nowhere")
    same((status, headers["content-type"], Page(body).state), (404, "text/html; charset=utf-8", "problem"), "a path that is not there, for browsers")
    same(server.get("/nowhere")[1]["content-type"], "application/problem+json", "and for programs")
    same(browser.open("/e/none"), 404, "an experiment that is not there")
    links = [value for tag, name, value in browser.page.attributes if (tag, name) == ("a", "href") and "?lang" not in value]
    same((links, "check the address" in browser.page.text), (["#main", "/"], True), "leads to the first page, not to itself")
    server.post("/v1/experiments/tea/close", {}, manager)
    same((browser.open("/e/tea"), browser.page.state), (200, "screen"), "closed: an open screen is still shown")
    browser.send("/answer", winner="A")
    same((browser.page.state, "closed" in browser.page.text, "Thank you" in browser.page.text), ("closed", True, True), "then it is closed")
    same((Browser(server).open("/e/tea"), stranger.request("POST", "/e/tea/start", {})[0]), (200, 303), "and Start asks nothing")
    visitor = Browser(server)
    visitor.open("/e/tea?said=saved")
    ok("Saved" not in visitor.page.text, "nobody is told that something was saved who has sent nothing")
    same(visitor.go("POST", "/e/tea/start", {}) and visitor.page.state, "closed", "but says why")
    server.post("/v1/experiments/tea/reopen", {}, manager)
    same(visitor.open("/e/few") and visitor.page.state, "few", "fewer than two options")
    same(visitor.go("POST", "/e/few/start", {}) and visitor.page.state, "few", "Start says so, too")
    same(visitor.open("/e/club") and visitor.page.state, "not_invited", "not invited")
    same(visitor.go("POST", "/e/club/start", {}), 403, "and Start refuses")


def invitations(server):
    code = re.search(r"/i/([0-9a-f]{32})", server.shell("invite", f"{server.file}#club", "--voters", "2"))[1]
    server.becomes(303, "/i/" + code)
    browser = Browser(server)
    before = log(server, "club")
    status, got, _ = browser.request("GET", "/i/" + code)
    same((status, got["location"], "Max-Age=3600" in got["set-cookie"] and "HttpOnly" in got["set-cookie"]), (303, "/e/club", True),
         "an invitation leads to an address without the code, with a cookie for an hour")
    for _ in range(3):
        Browser(server).open("/i/" + code)
    same((browser.open("/e/club"), browser.page.state, log(server, "club") == before), (200, "start", True), "opening uses nothing up")
    form = browser.form("/start")
    cookies = dict(browser.cookies)
    for _ in range(3):
        browser.cookies = dict(cookies)
        browser.request("POST", form["action"], form["fields"])
    same(len(log(server, "club")) - len(before), 1, "three clicks on Start are one voter")
    browser.open("/e/club")
    same(browser.send("/answer", winner="A") and browser.page.state, "screen", "who votes")
    second, third = Browser(server), Browser(server)
    second.open("/i/" + code)
    same(second.send("/start") and second.page.state, "screen", "a second voter")
    same(third.open("/i/" + code) and third.page.state, "full", "a third one is told that it is for two")
    same(third.go("POST", "/e/club/start", {}), 403, "and cannot start")
    other = re.search(r"/i/([0-9a-f]{32})", server.shell("invite", f"{server.file}#circle"))[1]
    server.becomes(303, "/i/" + other)
    second.open("/i/" + other)
    same(second.send("/start") and second.page.state, "screen", "who was invited to two votes")
    same(second.open("/e/club") and second.page.state, "screen", "is a voter in both")
    same(second.send("/answer", winner="A"), 200, "who can answer")
    second.open("/e/tea")
    same(second.send("/start") and second.page.state, "screen", "and in open ones")
    same(second.open("/e/circle") and second.page.state, "screen", "as well")
    same(third.open("/i/" + "0" * 32), 403, "a code that was made up")
    same(third.page.state, "problem", "in words")


def hostile(server, manager):
    """HTML, scripts and quotes in every text that can be entered; control and bidi characters are refused there."""
    body = EVIL + "\n\n# Head\n\n[x](javascript:alert(1)) ![y](http://evil.example/x.png) <b onclick=alert(1)>z</b>\n\n    <i>\n\n```\n</code></pre><script>\n```\n[v](vbscript:x) [d](data:text/html,<script>)"
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    options = [{"id": EVIL + str(i), "title": EVIL + str(i), "body": body, "image": base64.b64encode(svg).decode()} for i in range(3)]
    status, _, reply = server.post("/v1/experiments", {"name": "evil", "question": EVIL, "options": options, "m": 3, "answer": "ranking"}, manager)
    same((status, reply.get("detail")), (201, None), "an experiment with hostile texts")
    browser = Browser(server)
    browser.start("evil")
    pages = [browser.html]
    for path in ("/", "/e/evil", "/e/evil?lang=%3Cscript%3E&said=%3Cscript%3E&order=%3Cscript%3E", "/e/%3Cscript%3E", "/e/evil?screen=1&order=%22%3E%3Cscript%3E"):
        browser.open(path)
        pages.append(browser.html)
    browser.open("/e/evil")
    pages.append(browser.request("POST", "/e/evil/answer", {**browser.form("/answer")["fields"], "ranking": EVIL, "comment": EVIL + "\u202e"})[2])
    pages.append(browser.request("POST", "/e/evil/answer", {EVIL: EVIL})[2])
    for text in pages:
        page = Page(text)
        if page.dangers or page.faults or "\u202e" in text or "\u2066" in text:
            ok(False, "nothing runs")
            note([page.dangers, page.faults])
    screen = Page(pages[0])
    ok("<script>alert(1)</script>" in screen.text and "onclick=alert(1)" in screen.text, "hostile texts are shown")
    ok(not any(tag == "img" and name == "src" and "evil.example" in value for tag, name, value in screen.attributes), "no image from elsewhere")
    ok(not re.search(r'href="(?:javascript|vbscript|data):', pages[0]), "no link that runs")
    image = next(value for tag, name, value in screen.attributes if tag == "img" and name == "src")
    status, headers, _ = browser.request("GET", image)
    ok(status == 200 and "sandbox" in headers["content-security-policy"] and "image/svg+xml" == headers["content-type"],
       "an SVG image has a sandbox of its own")


def limits(spar):
    with Server(spar, limits=True, args=["--limit", "voter-rate=60", "--limit", "voter-burst=3"]) as server:
        browser = Browser(server)
        browser.start("tea")
        for _ in range(50):  # a permit a second comes back
            form = browser.form("/answer")
            status = browser.send("/answer", winner="A", comment="<b>&kept")
            if status == 429:
                break
        same((status, browser.page.state, "too fast" in browser.page.text), (429, "problem", True), "too fast, in words")
        ok(int(browser.got["retry-after"]) >= 1, "with when to try again")
        again = browser.form("/answer")
        same(again["fields"], {**form["fields"], "winner": "A", "comment": "<b>&kept"}, "and a button that sends the same again")
        before = len(server.log())
        same((until(lambda: browser.send("/answer") == 200, every=0.3), len(server.log()) - before), (True, 2), "which then saves it")
    with Server(spar, limits=True, args=["--limit", "address-rate=3"]) as server:
        browser = Browser(server)
        browser.start("tea")
        form = browser.form("/answer")
        for _ in range(5):
            status, _, text = browser.request("POST", form["action"], {**form["fields"], "winner": "A"})
        page = Page(text)
        same((status, page.forms[0]["fields"] if page.forms else None), (429, {**form["fields"], "winner": "A"}),
             "also if it was refused before it was read")


def slashes(server):
    """A / behind the path of a page leads to the page; nothing else does, and nowhere else."""
    before = len(log(server))
    accept = {"Accept": "text/html"}

    def leads(path, method="GET"):
        status, headers, _ = server.request(method, path, None, accept)
        return status, headers.get("location")
    for path, to in (("/e/tea/", "/e/tea"), ("/e/tea/?lang=de", "/e/tea?lang=de"), ("/login/?next=%2Fmanage%26", "/login?next=%2Fmanage%26"),
                     ("/e/tea/?order=A%20B&lang=de&screen=1", "/e/tea?order=A%20B&screen=1&lang=de"), ("/manage/", "/manage"),
                     ("/manage/tea/settings/", "/manage/tea/settings"), ("/e/tea/start/", "/e/tea/start"), ("/new/", "/new"),
                     ("/i/ab%2Fc/", "/i/ab%2Fc"), ("/e/a%2F%2Fb/", "/e/a%2F%2Fb"), ("//", "/")):
        same(leads(path), (303, to), f"{path} leads to {to}")
    same(leads("/e/tea/", "HEAD"), (303, "/e/tea"), "HEAD, too")
    same(server.request("POST", "/e/tea/start/", "", {**accept, "Content-Type": "application/x-www-form-urlencoded"})[0], 404,
         "a form does not")
    for path in ("//evil.example/", "/\\evil.example/", "/%2Fevil.example/", "//evil.example//", "/e/tea//", "/e//", "///",
                 "/logout/", "/v1/experiments/", "/static/0/spar.css/", "/healthz/", "/nowhere/", "/e/%00/"):
        same(leads(path), (404, None), f"{path} is nothing")
    same(leads("/e/tea/?nosuch=1")[0], 400, "a query that the page does not take is refused as there")
    same(server.request("GET", "/e/tea/", None, {**accept, "Host": "evil.example"})[0], 421, "and a foreign host")
    same(len(log(server)), before, "no event")


def weight(server):
    browser = Browser(server)
    browser.start("tea")
    sizes = {"page": len(browser.html)}
    for kind in ("spar.css", "spar.js", "icon.svg"):
        url = re.search(rf'/static/[0-9a-f]+/{kind}', browser.html)[0]
        status, headers, data = browser.request("GET", url)
        sizes[kind] = int(headers["content-length"])
        same((status, headers["cache-control"]), (200, "public, max-age=31536000, immutable"), f"{kind} is kept for ever")
        same(browser.request("GET", url.replace("/static/", "/static/0"))[0], 404, "and has one address only")
    note(sizes)
    ok(sum(sizes.values()) <= 60 * 1024, f"{sum(sizes.values())} bytes before images, at most 60 KB")
    loads = re.findall(r'<(?:script|link rel="stylesheet")', browser.html)
    same(len(loads), 2, "in three requests")


def languages(server):
    for accept, asked, wanted in (("de", "", "de"), ("de-AT,en;q=0.5", "", "de"), ("en;q=0.3, de;q=0.8", "", "de"), ("fr", "", "en"),
                                  ("", "", "en"), ("de", "?lang=en", "en"), ("en", "?lang=de", "de"), ("de;q=0", "", "en"),
                                  ("deutsch", "", "en"), ("en", "?lang=xx", "en"), (",;q=,;;=", "", "en"), ("DE", "", "de")):
        browser = Browser(server, **{"Accept-Language": accept} if accept else {})
        browser.open("/e/tea" + asked)
        same(browser.page.lang, wanted, f"Accept-Language '{accept}' and '{asked}': {wanted}")
    browser = Browser(server)
    browser.open("/e/tea?lang=de")
    browser.send("/start")
    same((browser.path, browser.page.lang), ("/e/tea?lang=de", "de"), "the language that was asked for stays")
    browser.send("/answer", winner="A")
    same((browser.path, "Gespeichert" in browser.page.text), ("/e/tea?said=saved&lang=de", True), "after an answer, too")


def restart(server):
    browser = Browser(server)
    browser.start("tea")
    form = browser.form("/answer")
    server.stop()
    server.start()
    before = len(log(server))
    same((browser.go("POST", form["action"], {**form["fields"], "winner": "A"}), len(log(server)) - before), (200, 2),
         "after a restart of the server an open page goes on")


def phones(server):
    """Listening on all addresses: whoever comes by one is served, by a name is not."""
    said = "".join(server.said)
    ok(f"http://127.0.0.1:{server.port}/e/tea" in said and "/manage" in said and "--listen 0.0.0.0" in said, "serve says what to open")
    server.stop()
    process = subprocess.Popen([SPAR, "serve", str(server.file), "--listen", "0.0.0.0:0"], stdout=subprocess.PIPE, text=True)
    try:
        lines = [process.stdout.readline()]
        while "Ctrl-C" not in lines[-1] and lines[-1]:
            lines.append(process.stdout.readline())
        server.port = port = int(re.search(r"http://localhost:(\d+)", lines[0])[1])
        ok(any("warning" in line and "encrypted" in line for line in lines), "for all addresses with a warning")
        for host, status in ((f"192.0.2.7:{port}", 200), (f"[2001:db8::7]:{port}", 200), (f"evil.example:{port}", 421), ("192.0.2.7:1", 421),
                             ("192.0.2.7", 421), (f"192.0.2:{port}", 421), (f"192.0.2.7.evil:{port}", 421)):
            same(server.request("GET", "/e/tea", None, {"Host": host})[0], status, f"Host {host}: {status}")
        for origin, status in ((f"http://192.0.2.7:{port}", 303), (f"http://192.0.2.8:{port}", 403), ("http://192.0.2.7", 403),
                               (f"https://192.0.2.7:{port}", 403)):
            headers = {"Host": f"192.0.2.7:{port}", "Origin": origin, "Content-Type": "application/x-www-form-urlencoded"}
            same(server.request("POST", "/e/tea/start", "start=x", headers)[0], status, f"Origin {origin}: {status}")
    finally:
        process.terminate()
        same(process.wait(120), 0, "it ends well")


def examples(spar):
    """The polls of examples/polls, made as their README says, can be voted in."""
    text = (ROOT / "examples/polls/README.md").read_text()
    lines = re.findall(r"^    (spar init .*)$", text, re.M)
    same(len(lines), 3, "three polls")
    with tempfile.TemporaryDirectory(prefix="spar-polls-") as folder:
        for line in lines:
            words = shlex.split(line)
            file = Path(folder, "all.db#" + words[2].removesuffix(".db"))
            done = subprocess.run([spar, "init", file, *words[3:]], cwd=ROOT / "examples/polls", capture_output=True, text=True)
            same((done.returncode, done.stderr), (0, ""), line)
        with Server(spar, "all.db", folder=folder) as server:
            for name, fields in (("tea", {"winner": "A"}), ("logos", {"winner": "B"}), ("desserts", {"ranking": "B,A"})):
                browser = Browser(server)
                same((browser.start(name), browser.send("/answer", **fields), "Saved" in browser.page.text), (200, 200, True), f"a vote on {name}")
            same(server.stderr(), "", "without a word")


def roles():
    """Pages for managers are closed to all others: from the table, whatever is in it."""
    table = (ROOT / "src/service/routes.def").read_text()
    pages = re.findall(r'^\w+\((page_\w+), (\w+), "([^"]+)", (\w+), (\w+)', table, re.M)
    shapes = re.findall(r"^\w+\((\w+), .*, PAGE\(", table, re.M)
    same(sorted(name for name, *_ in pages if name not in ("page_static", "page_news")), sorted(shapes), f"{len(pages)} pages, each with its shape")
    return pages


def closed_to_others(server, pages):
    wrong = []
    for name, method, path, role, _ in pages:
        if role != "MANAGER":
            continue
        path = re.sub(r"\{\w+\}", "tea", path)
        for headers in ({}, {"Authorization": "Bearer " + server.tokens[0]}):
            browser = Browser(server)
            status = browser.request(method, path, {} if method != "GET" else None, **headers)[0]
            if status not in (401, 403, 303):
                wrong.append(f"{name}: {status}")
    same(wrong, [], "nobody gets into the pages of managers, also not by a token that is no cookie")


pages = roles()
with Server(SPAR, options=("a", "b", "c", "d"), init=("--m", "2")) as server:
    manager = server.token()
    for name, options in (("letters", "AB"), ("rank", "abcd"), ("pairs", "abc"), ("few", "a"), ("club", "abc"), ("circle", "abc")):
        reply = server.post("/v1/experiments", {
            "name": name, "options": [{"id": o} for o in options], "m": len(options) if name in ("rank", "pairs") else 2,
            "answer": name if name == "pairs" else "ranking" if name == "rank" else "winner",
            "access": "invited" if name in ("club", "circle") else "open"}, manager)
        if reply[0] != 201:
            note(reply[2])
    first_visit(server)
    answers(server)
    names(server)
    ranking(server)
    states(server, manager)
    invitations(server)
    hostile(server, manager)
    slashes(server)
    weight(server)
    languages(server)
    closed_to_others(server, pages)
    restart(server)
    same(server.stop(), 0, "the server ends well")
    same(server.stderr(), "", "no template misses a name")
    server.start()
    phones(server)
limits(SPAR)
examples(SPAR)
done()
