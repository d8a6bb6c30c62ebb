"""Items in a browser: prompt and outputs side by side, stacked on a phone, folded where long, hostile texts as text, keys,
and the end. Screenshots are left in the working directory."""
import json

from browser import SPAR, Chrome, Server, done, ok, same
from selenium.webdriver.common.keys import Keys

EVIL = "<script>ran()</script><img src=x onerror=ran()> [x](javascript:ran())"
CODE = "Use a loop:\n\n```python\n" + "\n".join(f"print({i})  # {'long ' * 20}" for i in range(80)) + "\n```\n"


def item(i):
    return json.dumps({"id": f"q{i}", "prompt": f"Write **program** {i}. {EVIL}", "group": "code",
                       "outputs": {"small": f"It is {i}. {EVIL}\n\n1. one\n2. two", "large": CODE}}) + "\n"


def layout(chrome):
    """Left edges and widths of the cards; how much wider than the window the page is."""
    return chrome.run("return [...document.querySelectorAll('.card')].map(c => { const r = c.getBoundingClientRect();"
                      " return [Math.round(r.left), Math.round(r.width)] })"), \
        chrome.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")


def test_widths(chrome):
    for width in (320, 390, 768, 1280):
        chrome.size(width)
        chrome.settle()
        cards, wider = layout(chrome)
        same((len({left for left, _ in cards}), wider), (1 if width < 600 else 2, 0),
             f"{width} px: {'stacked' if width < 600 else 'side by side'}, and no wider than the window")
        chrome.driver.save_screenshot(f"items-{width}.png")
    chrome.size(1280)


def test_code(chrome):
    """Lines of code stay whole; those that are wide scroll in their box, by keys, too."""
    chrome.size(390)
    wide = "return [...document.querySelectorAll('.outputs pre')].filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth)"
    same(chrome.run(wide + ".map(e => [e.tabIndex, getComputedStyle(e).whiteSpace, e.scrollLeft])"), [[0, "pre", 0]], "390 px: code scrolls")
    chrome.run(wide + "[0].focus()")
    chrome.press(Keys.ARROW_RIGHT)
    chrome.wait(lambda: chrome.run(wide + "[0].scrollLeft") > 0, "by keys, too")
    same(chrome.screen is not None and layout(chrome)[1], 0, "in its box: the page stays as wide as the window")
    chrome.driver.save_screenshot("items-code.png")
    chrome.size(1280)


def test_fold(chrome):
    ok("print(79)" not in chrome.text() and chrome.text(".whole summary") == "Show all of it", "a long output is folded")
    chrome.run("document.querySelector('.whole summary').click()")
    ok("print(79)" in chrome.text() and not chrome.one(".begins").is_displayed(), "and unfolded by a click")
    same(chrome.text(".whole summary"), "Show less", "which says how it is folded again")
    chrome.driver.save_screenshot("items-whole.png")


with Server(SPAR, file="models.db", options=["small", "large"], init=["--question", "Which answer is better?"]) as server, \
        Chrome() as chrome:
    server.shell("add", server.file, "--items", "-", text="".join(item(i) for i in range(3)))
    chrome.start("/e/models", server)
    test_widths(chrome)
    before = chrome.screen
    chrome.click(".outputs .card > .body p")
    same(chrome.screen, before, "a click on a text chooses nothing: it is there to be read")
    test_code(chrome)
    test_fold(chrome)
    chrome.next(lambda: chrome.press("1"), "key 1")
    chrome.next(lambda: chrome.click("[data-key='2']"), "a click")
    chrome.press("1")
    chrome.wait(lambda: chrome.state == "all_seen", "everything was seen")
    chrome.driver.save_screenshot("items-all-seen.png")
    same([e["answer"]["kind"] for e in server.log() if e["kind"] == "answer"], ["winner"] * 3, "three answers")
    chrome.quiet("nothing ran")
done()
