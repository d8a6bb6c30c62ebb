"""browser.py - a real browser for the tests of the pages: Chromium without a window, by Selenium.

    with Chrome() as chrome:
        chrome.open(server, "/e/tea")

One browser plays many: `fresh` forgets who it was; `show` sets width, touch, colours, language; `script` switches
JavaScript off. Whatever a page logs, refuses by its policy or runs that it should not is collected; `quiet` looks."""
import os
import sys
import time
from pathlib import Path

PLACE = Path(__file__).resolve().parent
sys.path += [str(PLACE.parent / "cli"), str(PLACE.parent / "service")]


def _skip_all(why):
    print(f"1..0 # SKIP {why}")
    sys.exit(0)


try:
    import selenium  # noqa: F401
except ImportError:  # the python3 found first may not be the one that has the package
    system = "/usr/bin/python3"
    if os.environ.get("SPAR_TEST_AGAIN") or not os.path.exists(system):
        _skip_all("python3-selenium is not there: sh scripts/deps browser")
    os.environ["SPAR_TEST_AGAIN"] = "1"
    os.execv(system, [system, *sys.argv])

import shutil  # noqa: E402

from selenium import webdriver  # noqa: E402
from selenium.common.exceptions import (JavascriptException, NoSuchElementException,  # noqa: E402
                                        StaleElementReferenceException, WebDriverException)
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402

from harness import SPAR, done, note, ok, same, skip  # noqa: E402,F401
from server import Server  # noqa: E402,F401

DRIVER = shutil.which("chromedriver") or "/usr/lib/chromium/chromedriver"
BINARY = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if not os.path.exists(DRIVER) or not BINARY:
    _skip_all("chromium or chromedriver is not there: sh scripts/deps browser")

PATIENCE = 60
# Runs in every page before anything else: hostile texts call ran().
WATCH = """
window.sparRan = []; window.sparRefused = []; window.sparShift = 0;
window.ran = what => window.sparRan.push(what || 'ran');
window.alert = window.confirm = window.prompt = what => { window.sparRan.push('alert ' + what); };
document.addEventListener('securitypolicyviolation',
  event => window.sparRefused.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));
new PerformanceObserver(list => { for (const one of list.getEntries()) window.sparShift += one.value; })
  .observe({type: 'layout-shift', buffered: true});
"""


class Chrome:
    def __init__(self, width=1280, height=900):
        options = webdriver.ChromeOptions()
        options.binary_location = BINARY
        for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
                     "--disable-extensions", "--disable-background-networking", "--hide-scrollbars", "--lang=en",
                     "--enable-precise-memory-info", f"--window-size={width},{height}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.set_page_load_timeout(240)
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        self.cdp("Network.enable")
        self.width, self.height, self.server = width, height, None
        self.size(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def cdp(self, method, **parameters):
        return self.driver.execute_cdp_cmd(method, parameters)

    # --- how it looks to the page ---

    def size(self, width, height=900, scale=1, touch=False):
        """CSS pixels; scale 4 with 320 is a window of 1,280 at 400 %."""
        self.width, self.height = width, height
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=touch)
        self.cdp("Emulation.setTouchEmulationEnabled", enabled=touch, maxTouchPoints=5 if touch else 1)

    def media(self, dark=False, forced=False, still=True):
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "forced-colors", "value": "active" if forced else "none"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}])

    def language(self, language):
        self.cdp("Network.setExtraHTTPHeaders", headers={"Accept-Language": language})

    def script(self, on):
        self.cdp("Emulation.setScriptExecutionDisabled", value=not on)

    def offline(self, on):
        self.cdp("Network.emulateNetworkConditions", offline=on, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    def fresh(self, server=None):
        """Another person: no cookies, nothing stored."""
        self.cdp("Network.clearBrowserCookies")
        self.server = server or self.server
        if self.server:
            self.cdp("Storage.clearDataForOrigin", origin=self.url(""), storageTypes="local_storage")

    # --- where it is ---

    def url(self, path):
        return f"http://127.0.0.1:{self.server.port}{path}"

    def open(self, path, server=None):
        self.server = server or self.server
        self.driver.get(self.url(path))
        return self

    def run(self, script, *args):
        return self.driver.execute_script(script, *args)

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def one(self, selector):
        return self.driver.find_element("css selector", selector)

    def there(self, selector):
        return bool(self.all(selector))

    def text(self, selector="main"):
        """What can be read there; nothing if it is not there."""
        for _ in range(5):
            try:
                return self.one(selector).text
            except NoSuchElementException:
                return ""
            except StaleElementReferenceException:
                pass
        return ""

    def _main(self, name):
        """An attribute of <main>, in one step: it may be replaced at any moment."""
        return self.run("const main = document.querySelector('main'); return main && main.getAttribute(arguments[0])", name)

    @property
    def state(self):
        return self._main("data-state")

    @property
    def screen(self):
        return self._main("data-screen")

    def wait(self, wanted, what, seconds=PATIENCE):
        """Until wanted() is true; says what was waited for if it never is."""
        until, last = time.time() + seconds, None
        while time.time() < until:
            try:
                last = wanted()
                if last:
                    return last
            except (StaleElementReferenceException, NoSuchElementException, JavascriptException):
                pass
            time.sleep(0.02)
        ok(False, f"{what} (waited {seconds} s)")
        note(f"at {self.driver.current_url}: {self.text('body')[:600]}")
        return last

    # --- what it does ---

    def click(self, selector):
        self.one(selector).click()

    def go(self, selector):
        """A click that leads to another page: until that one is there."""
        self.run("window.sparOld = true")
        self.click(selector)
        self.wait(lambda: self.run("return !window.sparOld && document.readyState === 'complete'"), f"{selector} leads on")

    def middle(self, selector):
        return self.run("const e = document.querySelector(arguments[0]); e.scrollIntoView({block: 'nearest'});"
                        "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]", selector)

    def mouse(self, x, y):
        """Whatever lies there: also what a click on an element would refuse to hit."""
        for kind in ("mousePressed", "mouseReleased"):
            self.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def tap(self, selector):
        """A finger: down and up in the middle of it."""
        x, y = self.middle(selector)
        self.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def press(self, key):
        ActionChains(self.driver, duration=0).send_keys(key).perform()

    def settle(self):
        """Until cards take clicks and keys again: they rest for 0.3 s, so that nobody answers what was not seen."""
        time.sleep(0.35)

    def start(self, path, server=None):
        """From the first page of a vote to its first screen."""
        self.open(path, server)
        self.click("main form button")
        self.wait(lambda: self.state == "screen", f"{path}: the first screen")
        self.settle()
        return self

    def next(self, act, what):
        """act() leads to another screen, or to the end of them."""
        before = self.screen
        act()
        self.wait(lambda: self.screen != before, what)
        self.settle()

    def login(self, server, to="/manage"):
        self.open(to, server)
        if not server.tokens:
            server.token()
        self.one("#token").send_keys(server.tokens[0])
        self.go("main form button")
        return self

    # --- what it must not have done ---

    def quiet(self, what, allowed=()):
        """Nothing ran that should not, nothing was refused by the policy, nothing logged but what is allowed."""
        found = [entry["message"] for entry in self.driver.get_log("browser")
                 if entry["level"] in ("WARNING", "SEVERE") and not any(word in entry["message"] for word in allowed)]
        try:
            found += self.run("return (window.sparRan || []).concat(window.sparRefused || [])")
        except WebDriverException as error:
            found.append(str(error))
        same(found, [], what)


def wait_for(wanted, seconds=PATIENCE):
    until = time.time() + seconds
    while not wanted() and time.time() < until:
        time.sleep(0.05)
    return wanted()
