"""places.py - every page and state, made once: a walk that the tests of barriers and of looks share.

    for name in walk(server, chrome):
        ...                             # the browser is there

A place is reached in the language, width and colours that the browser has at that moment."""
import math
import random
import re
import struct
import zlib

from browser import Server

TEXTS = [("Green tea", "Fresh, a little **bitter**.\n\n* from Shizuoka\n* 70 °C, two minutes"),
         ("Black tea with a name that is much longer than the others, as names of teas may be", "Strong."),
         ("Earl Grey", "With *bergamot*.\n\n> Some like it, some do not.\n\n```\n95 °C  3 min  -- a line of code that is long\n```"),
         ("Rooibos", "No caffeine. [More](https://example.org/rooibos)")]


def png(width, height, colour):
    """A plain image with a frame."""
    rows = b"".join(b"\0" + bytes(v for x in range(width) for v in
                                  ((20, 20, 20) if min(x, y, width - 1 - x, height - 1 - y) < 8 else colour)) for y in range(height))
    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b""))


def votes(names, size, n):
    rng, lines = random.Random(3), ["model_a,model_b,winner,judge"]
    for i in range(n):
        a, b = rng.sample(range(len(names)), 2)
        first = rng.random() < 1 / (1 + math.exp(size * (a - b)))
        lines.append(f'"{names[a]}","{names[b]}",{"model_a" if first else "model_b"},v{i}')
    return "\n".join(lines) + "\n"


def make(spar):
    """A server with an experiment for every state; not started."""
    import json
    server = Server(spar, "all.db", options=("a", "b"), args=("--limit", "address-streams=0", "--limit", "login-rate=0"))
    options = server.folder / "tea.json"
    options.write_text(json.dumps([{"id": f"t{i}", "title": title, "body": body} for i, (title, body) in enumerate(TEXTS)]))
    pictures = server.folder / "pictures"
    pictures.mkdir()
    for name, shape in {"wide": (640, 200), "tall": (200, 500), "small": (60, 60), "square": (400, 400)}.items():
        (pictures / f"{name}.png").write_bytes(png(*shape, (90, 150, 220)))

    def init(name, *more):
        server.shell("init", f"{server.file}#{name}", *more)

    question = ("--question", "Which tea would you rather drink on a rainy afternoon?")
    init("text", "--options", options, "--m", "2", *question)
    init("rank", "--options", options, "--m", "4", "--answer", "ranking", *question)
    init("pairs", "--options", options, "--m", "3", "--answer", "pairs", *question)
    init("images", "--options", pictures, "--m", "4", "--question", "Which picture?")
    init("two", "--options", pictures, "--m", "2", "--question", "Which picture?")
    init("twelve", *[f"Number {i}" for i in range(1, 13)], "--m", "12", "--question", "Which number?")
    init("few", "alone", "--question", "Which one?")
    init("rtl", "תה ירוק", "תה שחור עם שם ארוך", "شاي بالنعناع", "--m", "3", "--question", "איזה תה טוב יותר?")
    for name, n, size in (("early", 4, 0.2), ("open", 100, 0.2), ("best", 300, 1.5)):
        names = [title for title, _ in TEXTS]
        init(name, *names, "--m", "2", *question)
        server.shell("import", f"{server.file}#{name}", "-", text=votes(names, size, n))
    server.shell("set", f"{server.file}#open", "--results", "public")
    init("closed", "a", "b", *question)
    server.shell("close", f"{server.file}#closed")
    init("club", "a", "b", *question)
    server.shell("set", f"{server.file}#club", "--access", "invited")
    server.invitation = re.search(r"/i/[0-9a-f]{32}", server.shell("invite", f"{server.file}#club", "--voters", "1"))[0]
    server.token()
    return server


def _start(chrome, name, language):
    chrome.open(f"/e/{name}?lang={language}")
    if chrome.state == "start":
        chrome.click("main form button")
        chrome.wait(lambda: chrome.state == "screen", f"{name}: a screen")
        chrome.settle()


def voting(chrome, language="en"):
    """Names of places; the browser is at each while its name is in use. Nobody is logged in."""
    lang = f"?lang={language}"
    for name, path in {"home": "/", "start": "/e/text", "closed": "/e/closed", "few": "/e/few", "not_invited": "/e/club",
                       "nothing": "/nowhere", "login": "/login", "results": "/e/open/results", "no_results": "/e/text/results"}.items():
        chrome.open(path + lang)
        yield name
    for name in ("text", "images", "two", "rank", "pairs", "twelve", "rtl"):
        _start(chrome, name, language)
        yield f"screen_{name}"
    _start(chrome, "rank", language)
    chrome.run("document.querySelector('.choose').click()")
    chrome.wait(lambda: chrome.there("[data-send]"), "a ranking begins")
    chrome.settle()
    yield "ranked"
    _start(chrome, "text", language)
    chrome.next(lambda: chrome.run("document.querySelector('.choose').click()"), "an answer")
    yield "saved"
    chrome.run("document.querySelector('.comment summary').click()")
    yield "comment"
    chrome.run("document.getElementById('keys').click()")
    yield "help"
    _start(chrome, "two", language)
    chrome.run("document.querySelector('a.zoom').click()")
    chrome.wait(lambda: chrome.there("dialog.image"), "enlarged")
    yield "enlarged"
    _start(chrome, "text", language)
    chrome.run("const real = fetch; window.fetch = () => { window.fetch = real; return Promise.reject(new TypeError('gone')) };"
               "document.querySelector('.choose').click()")
    chrome.wait(lambda: chrome.there("#remark button"), "an answer that failed")
    yield "failed"
    _start(chrome, "text", language)
    chrome.run("document.querySelector('form.vote [name=token]').value = 'x'; document.querySelector('.choose').click()")
    chrome.wait(lambda: chrome.state == "problem", "an answer that is refused")
    yield "problem"


def managing(chrome, language="en"):
    """The same for managers, who have logged in."""
    lang = f"?lang={language}"
    for name, path in {"manage": "/manage", "new": "/new", "options": "/manage/text/options", "options_images": "/manage/images/options",
                       "settings": "/manage/text/settings", "invitations": "/manage/club/invitations",
                       "dashboard_none": "/manage/text", "dashboard_early": "/manage/early", "dashboard_open": "/manage/open",
                       "dashboard_best": "/manage/best", "dashboard_closed": "/manage/closed"}.items():
        chrome.open(path + lang)
        if chrome.there("#known"):
            chrome.wait(lambda: chrome.run("return !('pending' in document.getElementById('known').dataset)"), f"{name}: strengths", 60)
            chrome.run("for (const fold of document.querySelectorAll('details')) fold.open = true")
        yield name
    chrome.open("/manage/text/options" + lang + "&option=t0")
    yield "change"
    chrome.open("/manage/club/invitations" + lang)
    chrome.go("form.invite button.primary")
    yield "invited"
    chrome.open("/manage/open" + lang)
    chrome.run("document.querySelector('.lost').hidden = false")
    yield "lost"
