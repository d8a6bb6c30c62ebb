"""The site of the documents, as `make doc` makes it: no barriers, nothing wider than the screen, contents on a phone.
Pictures are left in documents/ to be looked at."""
import base64
import shutil
import subprocess
import sys
from pathlib import Path

from axe import ROOT, look
from browser import Chrome, done, note, ok, same

if not shutil.which("cmark-gfm") or not shutil.which("mandoc"):
    print("1..0 # SKIP cmark-gfm or mandoc is not there: sh scripts/deps doc")
    sys.exit(0)
PAGES = ["index", "doc/choosing", "doc/faq", "doc/tutorials/evaluator", "doc/paper/index", "doc/http", "api/index", "api/session",
         "man/spar.1"]
OUT = Path("documents").resolve()
# Code and tables scroll by themselves; what else sticks out of the screen?
WIDE = r"""
const found = [];
if (document.documentElement.scrollWidth > innerWidth) found.push('the page');
for (const e of document.querySelectorAll('main *'))
  if (!e.closest('pre, .scroll') && e.getBoundingClientRect().right > innerWidth + 1) found.push(e.outerHTML.slice(0, 120));
return found.slice(0, 5);"""


def picture(chrome, name):
    data = chrome.cdp("Page.captureScreenshot", format="png")["data"]
    (OUT / f"{name.replace('/', '-')}.png").write_bytes(base64.b64decode(data))


def contents(chrome):
    """On a phone the contents open by a tap or by the space bar, without a script."""
    chrome.script(False)
    chrome.driver.get((OUT / "site/index.html").as_uri())
    chrome.script(True)
    ok(not chrome.one(".side nav").is_displayed(), "the contents are closed")
    chrome.click("label.menu")
    ok(chrome.one(".side nav").is_displayed(), "a tap opens them")
    chrome.one("#menu").send_keys(" ")
    ok(not chrome.one(".side nav").is_displayed(), "the space bar closes them")


shutil.rmtree(OUT, ignore_errors=True)
OUT.mkdir()
made = subprocess.run([ROOT / "scripts/doc-site", ROOT, OUT / "site"], capture_output=True, text=True)
ok(made.returncode == 0, "the site is made") or note(made.stderr)
with Chrome() as chrome:
    chrome.driver.set_script_timeout(240)
    for page in PAGES:
        for width, dark in (1280, False), (1280, True), (390, False), (390, True):
            what = f"{page}, {width}, {'dark' if dark else 'light'}"
            chrome.size(width, 900, touch=width < 500)
            chrome.media(dark=dark)
            chrome.driver.get((OUT / f"site/{page}.html").as_uri())
            picture(chrome, what.replace(", ", "-"))
            same(chrome.run(WIDE), [], f"{what}: nothing is wider than the screen")
            if dark == (width == 390):  # each width once, each colour once
                look(chrome, what, ["cat.color"] if dark else None)
    contents(chrome)
done()
