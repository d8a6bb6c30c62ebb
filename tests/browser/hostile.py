"""HTML, scripts and texts that break layouts, in every text that can be entered, looked for on every page: nothing runs,
nothing is loaded from elsewhere, the policy has nothing to refuse, nothing sticks out."""
import base64
import json
import re
from pathlib import Path
from urllib.parse import quote

from browser import SPAR, Chrome, Server, done, note, ok, same

EVIL = "<script>ran('script')</script>\"'><img src=x onerror=\"ran('img')\"><svg/onload=ran('svg')>&lt;{{csrf}}{{&csrf}}"
LONG = "W" * 150
ZALGO = "Z" + "\u0301\u0334\u0353" * 40 + " zalgo"
ARABIC = "مرحبا <b onclick=ran('b')>"
BODY = EVIL + """

# <i onmouseover=ran('i')>head</i>

[j](javascript:ran('link')) [d](data:text/html,<script>ran('data')</script>) [v](vbscript:ran) ![p](http://127.0.0.1:9/x.png)

<iframe src=javascript:ran('frame')></iframe> <form action=//evil.example><button>x</button></form> <style>*{display:none}</style>

```
</code></pre><script>ran('code')</script>
```

| """ + "W" * 400 + "\n\n" + "> " * 30 + "deep\n\n" + "".join("  " * i + "* deep\n" for i in range(20))
SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" onload="ran('svg load')"><script>ran('svg script')</script>
<image href="http://127.0.0.1:9/x.png"/><foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="ran('foreign')"/></foreignObject>
<rect width="100" height="100"/></svg>"""

# What may be there: our script, no handlers, no styles of others, links that lead somewhere.
DANGERS = r"""
const found = [];
for (const e of document.querySelectorAll('*')) {
  if (['IFRAME', 'OBJECT', 'EMBED', 'STYLE', 'BASE'].includes(e.tagName)) found.push(e.tagName);
  if (e.tagName === 'SCRIPT' && !(e.getAttribute('src') || '').startsWith('/static/')) found.push(e.outerHTML);
  for (const a of e.attributes) {
    if (a.name.startsWith('on') || a.name === 'style') found.push(e.tagName + ' ' + a.name);
    if (['href', 'src', 'action', 'formaction'].includes(a.name) && !/^(\/|#|\?|https?:\/\/127)/.test(a.value)) found.push(a.value);
  }
}
if (document.forms.length && [...document.forms].some(f => new URL(f.action).host !== location.host)) found.push('a form to elsewhere');
for (const one of performance.getEntriesByType('resource')) if (new URL(one.name).host !== location.host) found.push('loaded ' + one.name);
return found;"""


def look(chrome, path, what, shows=True, allowed=()):
    """A page at the width of a phone and of a desk."""
    if path is not None:
        chrome.open(path)
    for width in (320, 1280):
        chrome.size(width)
        wide = chrome.run("return document.documentElement.scrollWidth")
        ok(wide <= width, f"{what}: nothing sticks out at {width}") or note(f"{wide}: {widest(chrome)}")
    same(chrome.run(DANGERS), [], f"{what}: nothing that could run")
    text = chrome.run("return document.body.innerText + [...document.querySelectorAll('textarea, input')].map(e => e.value).join(' ')")
    if shows:
        ok("ran('script')</script>" in text, f"{what}: the text is shown as it is") or note(text[:500])
    ok(not re.search(r"csrf\}\}", text.replace("{{csrf}}{{&csrf}}", "")), f"{what}: and is no template")
    chrome.quiet(f"{what}: nothing ran, nothing was refused, nothing logged", allowed)


def widest(chrome):
    return chrome.run("return [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)"
                      ".slice(0, 5).map(e => e.outerHTML.slice(0, 120))")


def make(server, chrome, folder):
    """By the forms of the pages."""
    file = folder / "<img src=x onerror=ran('file')>.svg"
    file.write_bytes(SVG)
    chrome.open("/new")
    chrome.run("document.getElementById('question').value = arguments[0]", EVIL)
    chrome.run("document.getElementById('lines').value = arguments[0]", "\n".join([EVIL, LONG, ZALGO, ARABIC]))
    chrome.one("#images").send_keys(str(file))
    chrome.one("#name").send_keys("evil")
    chrome.click("[name=results][value=public]")
    chrome.go("main form button.primary")
    ok(chrome.state == "dashboard", "made by the form") or note(chrome.text())
    chrome.open("/manage/evil/options?option=" + quote(EVIL))
    chrome.run("document.getElementById('body').value = arguments[0]", BODY)
    chrome.one("#image").send_keys(str(file))
    chrome.go("#change form button.primary")
    chrome.open("/manage/evil/invitations")
    chrome.run("document.getElementById('label').value = arguments[0]", EVIL[:80])
    chrome.go("form.invite button.primary")
    look(chrome, None, "new invitations")


def by_program(server, api):
    image = base64.b64encode(SVG).decode()
    options = [{"id": f"{i}{EVIL}", "title": f"{EVIL} {i}", "body": BODY, "image": image} for i in range(3)]
    for kind in ("ranking", "pairs"):
        reply = server.post("/v1/experiments", {"name": kind, "question": EVIL, "options": options, "m": 3, "answer": kind}, api)
        ok(reply[0] == 201, f"made by a program: {kind}") or note(reply[2])


def vote(server, chrome):
    for name in ("evil", "ranking", "pairs"):
        chrome.start(f"/e/{name}", server)
        look(chrome, None, f"{name}: a screen")
    chrome.open("/e/evil").settle()
    for _ in range(12):
        chrome.click(".comment summary")
        chrome.run("document.getElementById('comment').value = arguments[0]", EVIL)
        chrome.next(lambda: chrome.click("[data-key='1']"), "a hostile comment")
    chrome.run("document.querySelector('[data-key=s]').click()")
    for name, pick in (("ranking", ".choose"), ("pairs", ".pairs button, .pair button")):
        chrome.open(f"/e/{name}").settle()
        chrome.run("document.querySelector(arguments[0]).click()", pick)
        chrome.wait(lambda: chrome.there("[data-send]"), f"{name}: put together")
        look(chrome, None, f"{name}: put together")
    chrome.open("/e/evil?screen=1&order=" + quote(EVIL) + "&said=" + quote(EVIL) + "&lang=" + quote(EVIL))
    look(chrome, None, "a hostile address")
    # The answer is refused: the page says why and must not repeat it as HTML.
    chrome.open("/e/evil").settle()
    chrome.run("const b = document.querySelector('[data-key=\"1\"]'); b.value = arguments[0]; b.click()", EVIL)
    chrome.wait(lambda: chrome.state == "problem", "an answer that is none")
    look(chrome, None, "a refused answer", shows=False, allowed=("400", "404"))


def images(server, chrome, api):
    """An SVG with scripts as a page of its own: it has a sandbox."""
    chrome.open("/e/ranking")
    url = chrome.one(".frame img").get_attribute("src")
    ok(chrome.run("return document.querySelector('.frame img').naturalWidth") > 0, "an SVG is shown as an image")
    chrome.driver.get_log("browser")
    chrome.driver.get(url)
    same(chrome.run("return window.sparRan || []"), [], "opened by itself, its scripts do not run")
    chrome.open("/e/ranking").settle()
    chrome.run("document.querySelector('a.zoom').click()")
    ok(chrome.one("dialog.image").is_displayed(), "enlarged")
    chrome.driver.get_log("browser")


PAGES = {  # path: does it show the hostile text?
    "/": True, "/manage": True, "/manage/evil": True, "/manage/evil/options": True, "/manage/evil/settings": True,
    "/manage/evil/invitations": True, "/manage/evil/options?option=" + quote(EVIL): True, "/e/evil/results": True,
    "/manage/ranking": True, "/manage/ranking/options": True, "/e/evil": True,
    "/manage/evil?lang=de": True, "/login?next=" + quote("javascript:ran('next')//" + EVIL): False,
}

with Server(SPAR, "hostile.db", options=("a", "b"), args=("--limit", "address-streams=0")) as server, Chrome() as chrome:
    api = server.token()
    folder = Path(server.folder)
    chrome.login(server)
    make(server, chrome, folder)
    by_program(server, api)
    vote(server, chrome)
    for path, shows in PAGES.items():
        look(chrome, path, path[:40], shows)
    for path in ("/" + quote(EVIL), "/e/" + quote(EVIL), "/manage/" + quote(EVIL), "/i/" + quote(EVIL), "/e/evil/" + quote(EVIL)):
        look(chrome, path, "nothing at " + path[:12], shows=False, allowed=("404", "403", "400"))
    images(server, chrome, api)
    comments = [e["text"]["text"] for e in map(json.loads, server.shell("export", f"{server.file}#evil").splitlines())
                if e["kind"] == "answer" and "text" in e]
    same(set(comments), {EVIL}, "comments are kept as they were typed")
done()
