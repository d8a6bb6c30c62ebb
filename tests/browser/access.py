"""Barriers, looked for by axe-core on every page and state, in light, dark and forced colours."""
import os
import subprocess
import sys
from pathlib import Path

from browser import SPAR, Chrome, done, note, ok, same
from places import make, managing, voting

ROOT = Path(__file__).resolve().parents[2]
fetched = subprocess.run(["sh", str(ROOT / "scripts/fetch-axe"), os.getcwd()], capture_output=True, text=True)
if fetched.returncode == 77:
    print(f"1..0 # SKIP axe-core: {fetched.stdout.strip()}")
    sys.exit(0)
AXE = Path(fetched.stdout.strip()).read_text()

RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ['violations'], ...arguments[0]}).then(found => done(found.violations.map(one =>
  [one.id, one.help, one.nodes.slice(0, 3).map(node => node.html.slice(0, 160) + ' :: ' + node.failureSummary.slice(0, 200))])));"""


def look(chrome, what, only=None):
    chrome.cdp("Runtime.evaluate", expression=AXE)  # not by the page: its policy refuses scripts of others
    found = chrome.driver.execute_async_script(RUN, {"runOnly": only} if only else {})
    if not ok(not found, f"{what}: no barrier"):
        for name, help_, nodes in found:
            note(f"{name}: {help_}\n  " + "\n  ".join(nodes))


def keyboard(chrome, server):
    """All that can be clicked can be reached by Tab, and shows that it is."""
    chrome.media()
    chrome.fresh(server)
    chrome.start("/e/text")
    wanted = chrome.run("""return [...document.querySelectorAll('a[href], button, summary, input, textarea')]
        .filter(e => e.checkVisibility() && e.type !== 'hidden').length""")
    seen, unseen = set(), []
    for _ in range(wanted + 3):
        chrome.press("\ue004")
        here = chrome.run("""const e = document.activeElement, s = getComputedStyle(e), card = e.closest('.card');
            const marked = s.outlineStyle !== 'none' || card && getComputedStyle(card).outlineStyle !== 'none';
            e.dataset.seen = e.dataset.seen || String(Math.random()); return [e.dataset.seen, e.tagName, marked]""")
        if here[1] != "BODY":
            seen.add(here[0])
            unseen += [] if here[2] else [here[1]]
    ok(len(seen) >= wanted, f"Tab reaches all {wanted} of what can be clicked") or note(len(seen))
    same(unseen, [], "and shows where it is")


with make(SPAR) as server, Chrome() as chrome:
    chrome.driver.set_script_timeout(60)
    for mood, only in (("light", None), ("dark", ["cat.color"])):
        chrome.media(dark=mood == "dark")
        chrome.fresh(server)
        for name in voting(chrome):
            look(chrome, f"{name}, {mood}", only)
        chrome.fresh(server)
        chrome.login(server)
        for name in managing(chrome):
            look(chrome, f"{name}, {mood}", only)
    chrome.media(forced=True)
    for path in ("/manage/open", "/e/rank"):
        chrome.open(path)
        look(chrome, f"{path}, forced colours")
    keyboard(chrome, server)
    chrome.quiet("nothing in the log of the browser", allowed=("404", "403", "401", "400"))
done()
