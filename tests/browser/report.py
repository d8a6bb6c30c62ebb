"""The report of `spar paper` and the page of a figure of `spar run`, as a reader has them: no barriers, nothing hidden
without a cue at 390 px, values under the pointer, switches, the keyboard; and all of it in tables where scripts are off.
Pictures are left in report/ to be looked at."""
import base64
import shutil
import subprocess
from pathlib import Path

import axe
from browser import SPAR, Chrome, done, note, ok, same

OUT = Path("report").resolve()
shutil.rmtree(OUT, ignore_errors=True)
OUT.mkdir()
# What sticks out of the page, and boxes that hide something and do not say so.
HIDDEN = r"""
const found = [], name = e => e.outerHTML.replace(/\s+/g, ' ').slice(0, 120);
if (document.documentElement.scrollWidth > innerWidth) found.push('the page is wider than the screen');
for (const e of document.querySelectorAll('body *')) {
  if (!e.checkVisibility() || e.closest('svg')) continue;
  const box = e.getBoundingClientRect(), next = e.nextElementSibling;
  if (!e.closest('.scroll') && (box.right > innerWidth + 1 || box.left < -1)) found.push('sticks out: ' + name(e));
  if (e.classList.contains('scroll') && e.scrollWidth > e.clientWidth + 1 &&
      !(next && next.classList.contains('cue') && next.checkVisibility())) found.push('no cue: ' + name(e));
}
return found;"""


def make():
    subprocess.run([SPAR, "paper", "--quick", "--out", OUT / "paper"], check=True, capture_output=True)
    subprocess.run([SPAR, "run", "--env", "utility(set=arith,link=logit)", "--policy", "dts", "--policy", "rucb", "--policy",
                    "random", "--policy", "rmed1", "--policy", "ind_self_sparring", "--rounds", "500", "--runs", "5",
                    "--out", OUT / "run"], check=True, capture_output=True)


def picture(chrome, name):
    data = chrome.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip={
        "x": 0, "y": 0, "width": chrome.width, "height": 2400, "scale": 1})["data"]
    (OUT / f"{name}.png").write_bytes(base64.b64decode(data))


def look(chrome, page, name):
    """Every width and colour."""
    for width in (1280, 390):
        for mood in ("light", "dark"):
            chrome.size(width, 844 if width < 500 else 900, touch=width < 500)
            chrome.media(dark=mood == "dark")
            chrome.driver.get(page)
            picture(chrome, f"{name}-{width}-{mood}")
            same(chrome.run(HIDDEN), [], f"{name}, {width}, {mood}: nothing hidden without a cue")
            chrome.run("document.querySelectorAll('details').forEach(e => e.open = e.closest('#figure-multi, #claims, main > .plot'))")
            axe.look(chrome, f"{name}, {width}, {mood}", ["cat.color"] if mood == "dark" else None)
    chrome.size(1280)
    chrome.media()


def first_screen(chrome, page):
    chrome.driver.get(page)
    bottom, sentences, figure = chrome.run("""const part = document.getElementById('findings');
        return [part.getBoundingClientRect().bottom, [...part.querySelectorAll('li')].map(e => e.textContent),
                part.querySelectorAll('figure .scroll > svg').length]""")
    ok(bottom <= 900 and figure == 1, f"findings and main figure are on one screen: {bottom:.0f} px")
    same([s[:7] for s in sentences], ["We find"] * 5, "five sentences")
    same(chrome.run("""const to = new Set([...document.querySelectorAll('nav a')].map(e => e.hash.slice(1)));
        return [...document.querySelectorAll('section[id^=figure-], #claims, #sets, #about')].map(e => e.id).filter(id => !to.has(id))"""),
         [], "the contents are complete")


def play(chrome, plot):
    """With pointer, switch and keyboard, on the first plot of the page that `plot` selects."""
    x, y = chrome.run(f"""const plot = document.querySelector('{plot}');
        plot.scrollIntoView({{block: 'center'}});
        const [left, top, width, height] = plot.querySelector('[data-box]').dataset.box.split(' ').map(Number);
        const p = new DOMPoint(left + 0.9 * width, top + 0.5 * height).matrixTransform(plot.querySelector('svg').getScreenCTM());
        return [p.x, p.y]""")
    chrome.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    tip = f"const tip = document.querySelector('{plot} .tip'); return tip.hidden ? '' : tip.innerText"
    said = chrome.run(tip)
    marks = chrome.run(f"return document.querySelectorAll('{plot} .hover circle').length")
    lines = chrome.run(f"return document.querySelectorAll('{plot} .switches button').length")
    ok(said.startswith("round ") and said.count("\n") == lines == marks, f"{plot}: the values of {lines} lines under the pointer") or note(said)
    name = chrome.run(f"const b = document.querySelector('{plot} .switches button'); b.click(); return b.textContent")
    off = f"return [...document.querySelectorAll('{plot} svg [data-series].off:not(.key)')].filter(e => getComputedStyle(e).display === 'none').length"
    ok(chrome.run(off) >= 1 and chrome.run(f"return document.querySelector('{plot} .switches button').ariaPressed") == "false",
       f"{plot}: a switch hides {name}")
    chrome.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=x - 3, y=y)
    ok(name + ":" not in chrome.run(tip), f"{plot}: and its values")
    chrome.run(f"document.querySelector('{plot} .switches button').click(); document.querySelector('{plot} .scroll').focus()")
    same(chrome.run(off), 0, f"{plot}: and shows it again")
    first = [chrome.press("\ue014") or chrome.run(tip) for _ in range(2)]
    ok(all(first) and first[0] != first[1], f"{plot}: arrow keys go from value to value") or note(first)


def keyboard(chrome, page):
    chrome.driver.get(page)
    odd = chrome.run("return [...document.querySelectorAll('[tabindex]')].filter(e => e.tabIndex !== 0).length")
    seen = []
    for _ in range(40):
        chrome.press("\ue004")
        seen.append(chrome.run("""const all = [...document.querySelectorAll('*')], e = document.activeElement, s = getComputedStyle(e);
            return [all.indexOf(e), s.outlineStyle]"""))
    same((odd, [a for a, _ in seen]), (0, sorted(a for a, _ in seen)), "Tab goes through the page from top to bottom")
    same({style for _, style in seen} & {"none"}, set(), "and shows where it is")


def without_script(chrome, page):
    chrome.script(False)
    chrome.size(390, 844, touch=True)
    chrome.driver.get(page)
    chrome.script(True)  # for the questions below; the page has not run its own
    same(chrome.run("return [document.querySelectorAll('.switches').length, document.querySelectorAll('.tip').length]"), [0, 0],
         "without scripts: no switches")
    missing = chrome.run("""return [...document.querySelectorAll('.plot')].filter(e => !e.dataset.of && !e.querySelector('table.data td')).length""")
    same(missing, 0, "but a table for every figure")
    same(chrome.run(HIDDEN), [], "and cues at 390 px")
    chrome.size(1280)


make()
with Chrome() as chrome:
    chrome.driver.set_script_timeout(240)
    paper, run = (f"file://{OUT}/{name}" for name in ("paper/index.html", "run/regret.html"))
    look(chrome, paper, "paper")
    look(chrome, run, "run")
    first_screen(chrome, paper)
    play(chrome, "#figure-multi .plot")
    play(chrome, "#findings .plot")
    chrome.driver.get(run)
    play(chrome, ".plot")
    keyboard(chrome, paper)
    without_script(chrome, paper)
    chrome.quiet("nothing in the log of the browser")
done()
