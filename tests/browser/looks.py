"""How every page and state looks at 320, 390, 768 and 1280 px, light and dark, in English and German; at 400 %, from right
to left, in forced colours. Pictures are left in screenshots/ to be looked at; what a program can see is checked: nothing
sticks out or is cut, targets are 44 px, pages are light, cards stay where they are."""
import base64
import shutil
from pathlib import Path

from browser import SPAR, Chrome, done, note, ok, same
from places import make, managing, voting

OUT = Path("screenshots").resolve()
shutil.rmtree(OUT, ignore_errors=True)
OUT.mkdir()

# Everything that is wrong with the layout, in words.
FAULTS = r"""
const found = [], wide = innerWidth, name = e => e.outerHTML.replace(/\s+/g, ' ').slice(0, 110);
const inScroll = e => e.closest('.scroll, dialog, .visually-hidden, .skip-link');
if (document.documentElement.scrollWidth > wide) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
for (const e of document.querySelectorAll('body *')) {
  if (!e.checkVisibility() || e.closest('svg') || inScroll(e)) continue;
  const box = e.getBoundingClientRect(), style = getComputedStyle(e);
  if (!box.width || style.clipPath !== 'none') continue;
  if (box.right > wide + 1 || box.left < -1) found.push('sticks out: ' + name(e));
  const cuts = style.overflowX === 'hidden' || style.overflowX === 'clip' || ['BUTTON', 'A', 'SUMMARY', 'LABEL', 'H1', 'H2', 'TD', 'TH'].includes(e.tagName);
  if (cuts && e.scrollWidth > e.clientWidth + 1 && style.display !== 'inline' && style.textOverflow !== 'ellipsis') found.push('cut: ' + name(e));
}
const inText = e => e.tagName === 'A' && getComputedStyle(e).display === 'inline';
const top = document.querySelector('dialog[open]') || document;
for (const e of top.querySelectorAll('a[href], button, summary, select, textarea, input, label.choice, label.check')) {
  if (!e.checkVisibility() || e.type === 'hidden' || e.classList.contains('skip-link') || inText(e)) continue;
  if (['radio', 'checkbox'].includes(e.type) && e.closest('label')) continue;
  const box = e.getBoundingClientRect();
  if (box.height < 43.5 || box.width < 43.5) found.push(`${Math.round(box.width)} x ${Math.round(box.height)} px: ` + name(e));
}
const texts = [...top.querySelectorAll('h1, h2, p, button, a.button, label, summary')].filter(e => e.checkVisibility() && !e.closest('svg, .visually-hidden, .skip-link, #offline, #remark'));
for (let i = 0; i < texts.length; i++) for (let k = i + 1; k < texts.length; k++) {
  if (texts[i].contains(texts[k]) || texts[k].contains(texts[i])) continue;
  const a = texts[i].getBoundingClientRect(), b = texts[k].getBoundingClientRect();
  if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
      && !texts[i].closest('dialog') && !texts[k].closest('dialog'))
    found.push('overlap: ' + name(texts[i]) + ' AND ' + name(texts[k]));
}
return found;"""

WEIGHT = """
const all = [performance.getEntriesByType('navigation')[0], ...performance.getEntriesByType('resource')]
  .filter(e => e.initiatorType !== 'img' && e.initiatorType !== 'fetch' && !e.name.endsWith('icon.svg') && !e.name.includes('/news'));
return [all.reduce((sum, e) => sum + e.decodedBodySize, 0), all.length];"""


def picture(chrome, name):
    size = chrome.cdp("Page.getLayoutMetrics")["cssContentSize"]
    data = chrome.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip={
        "x": 0, "y": 0, "width": chrome.width, "height": min(max(size["height"], chrome.height), 4000), "scale": 1})["data"]
    (OUT / f"{name}.png").write_bytes(base64.b64decode(data))


def look(chrome, name, mood):
    """One place at every width."""
    faults = []
    for width, height in ((320, 640), (390, 844), (768, 1024), (1280, 800)):
        chrome.size(width, height, touch=width < 500)
        faults += [f"{width}: {fault}" for fault in chrome.run(FAULTS)]
        picture(chrome, f"{name}-{width}-{mood}")
    chrome.size(1280)
    ok(not faults, f"{name}, {mood}: nothing cut, nothing sticks out, 44 px") or note("\n".join(sorted(set(faults))[:8]))


def weigh(chrome, name):
    size, requests = chrome.run(WEIGHT)
    ok(size <= 60 * 1024 and requests <= 3, f"{name}: {size / 1024:.0f} KiB in {requests} requests")


def still(chrome, server):
    """Cards stay where they are while one votes; nothing moves under the finger."""
    for width in (390, 1280):
        chrome.size(width, 844, touch=width < 500)
        chrome.fresh(server)
        chrome.start("/e/two")
        where = "return [...document.querySelectorAll('.card')].map(e => { const r = e.getBoundingClientRect();" \
                "return [r.x, r.y + scrollY, r.width, r.height].map(Math.round).join() }).join(' ')"
        first, seen = chrome.run(where), set()
        for _ in range(4):
            chrome.next(lambda: chrome.run("document.querySelector('.choose').click()"), "an answer")
            seen.add(chrome.run(where))
        same(seen, {first}, f"{width}: cards with images stay where they are from screen to screen")
        chrome.open("/e/text")
        if chrome.state == "start":
            chrome.start("/e/text")
        before = chrome.run("return document.querySelector('.cards').getBoundingClientRect().y + scrollY")
        chrome.next(lambda: chrome.run("document.querySelector('.choose').click()"), "an answer")
        same(chrome.run("return document.querySelector('.cards').getBoundingClientRect().y + scrollY"), before, f"{width}: so do those with text")
        chrome.run("const real = fetch; window.fetch = () => { window.fetch = real; return Promise.reject(new TypeError('gone')) };"
                   "document.querySelector('.choose').click()")
        chrome.wait(lambda: chrome.there("#remark button"), "an answer that failed")
        same(chrome.run("return document.querySelector('.cards').getBoundingClientRect().y + scrollY"), before, f"{width}: and if one fails")
        chrome.driver.refresh()
        chrome.settle()
        ok(chrome.run("return window.sparShift") < 0.01, f"{width}: nothing moves while a page loads")
    chrome.size(1280)


def special(chrome, server):
    """400 %, from right to left, forced colours."""
    chrome.media()
    for name, path in (("vote", "/e/rank"), ("dashboard", "/manage/open"), ("new", "/new")):
        chrome.size(320, 256, scale=4)
        chrome.open(path)
        if chrome.state == "start":
            chrome.start(path)
        same(chrome.run(FAULTS), [], f"{name}: at 400 %")
        picture(chrome, f"zoom-{name}")
        for width in (320, 1280):
            chrome.size(width)
            chrome.run("document.documentElement.dir = 'rtl'")
            same(chrome.run(FAULTS), [], f"{name}: from right to left at {width}")
            picture(chrome, f"rtl-{name}-{width}")
        chrome.media(forced=True)
        chrome.open(path)
        same(chrome.run(FAULTS), [], f"{name}: forced colours")
        picture(chrome, f"forced-{name}")
        chrome.media()
    chrome.start("/e/rtl")
    same(chrome.run("return getComputedStyle(document.querySelector('h1')).direction"), "rtl", "a question in Hebrew is read from the right")
    chrome.size(390, 844)
    picture(chrome, "rtl-texts")


with make(SPAR) as server, Chrome() as chrome:
    for mood, language in (("light-en", "en"), ("dark-de", "de")):
        chrome.media(dark=mood.startswith("dark"))
        chrome.fresh(server)
        for name in voting(chrome, language):
            if name in ("home", "start", "screen_text", "results"):
                weigh(chrome, name)
            look(chrome, name, mood)
        chrome.fresh(server)
        chrome.login(server)
        for name in managing(chrome, language):
            if name.startswith("dashboard"):
                weigh(chrome, name)
            look(chrome, name, mood)
    special(chrome, server)
    still(chrome, server)
    chrome.quiet("nothing in the log of the browser", allowed=("404", "403", "401", "400"))
note(f"{len(list(OUT.iterdir()))} pictures in {OUT}")
done()
