"""Barriers, looked for by axe-core on every page and state, in light, dark and forced colours."""
from axe import look
from browser import SPAR, Chrome, done, note, ok, same
from places import make, managing, voting


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
    chrome.driver.set_script_timeout(240)
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
