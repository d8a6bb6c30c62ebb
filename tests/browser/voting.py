"""Voting in a browser: by key, click, finger and without JavaScript; every kind of answer; nothing lost, nothing doubled."""
import os
import statistics
import sys
import time

from browser import SPAR, Chrome, Server, done, note, ok, same

PLACE = {"A": "[data-key='1']", "B": "[data-key='2']"}


def answers(server):
    """What was answered, in order: kind and comment; and the screens that have more than one answer that counts."""
    log = server.log()
    per_screen = {}
    for event in log:
        if event["kind"] in ("answer", "undo"):
            per_screen[event["screen"]] = per_screen.get(event["screen"], 0) + (1 if event["kind"] == "answer" else -1)
    return ([event["answer"]["kind"] for event in log if event["kind"] == "answer"],
            [screen for screen, n in per_screen.items() if n > 1])


def n_answers(server):
    given, twice = answers(server)
    assert not twice, twice
    return len(given)


def last(server):
    return [event for event in server.log() if event["kind"] == "answer"][-1]


def chosen_place(server):
    """The letter of the place that the last answer chose."""
    answer = last(server)
    screen = [e for e in server.log() if e["kind"] == "screen" and e["screen"] == answer["screen"]][-1]
    return "ABCDEFGH"[screen["slots"][answer["answer"]["slot"]]["place"]]


def saved(chrome, what):
    chrome.wait(lambda: "Saved" in chrome.text("#said"), what)


# --- the first look ---

def test_first_visit(server, chrome):
    before = server.log()
    for _ in range(2):
        chrome.open("/e/tea", server)
    same((chrome.state, chrome.driver.get_cookies(), server.log()), ("start", [], before), "looking: no event, no cookie")
    same(chrome.text("h1"), "Which tea?", "the question")
    ok("Saved" not in chrome.text(), "nothing is called saved")
    chrome.start("/e/tea")
    same([e["kind"] for e in server.log()[len(before) - 1:] if e["kind"] != "end"], ["screen"], "Start asks one screen")
    cookie = chrome.driver.get_cookies()[0]
    ok(cookie["httpOnly"] and cookie["sameSite"] == "Lax", "the cookie is kept from scripts")
    same(chrome.run("return document.activeElement.tagName"), "H1", "focus is at the question")


# --- ways to answer ---

def test_keys(server, chrome):
    for key, kind in (("1", "winner"), ("2", "winner"), ("0", "tie"), ("b", "bad"), ("s", "skip")):
        chrome.next(lambda: chrome.press(key), f"key {key}")
        same(last(server)["answer"]["kind"], kind, f"key {key}: {kind}")
        said = "Skipped" if kind == "skip" else "Saved"
        ok(said in chrome.text("#said"), f"the page says {said.lower()}")
        ok(said in chrome.run("return document.getElementById('live').textContent"), "and so does a screen reader")
    chrome.press("?")
    ok(chrome.one("#help").is_displayed(), "? shows the keys")
    n = n_answers(server)
    chrome.press("1")
    chrome.click("#keys-on")
    chrome.click("#help form button")
    chrome.press("1")
    chrome.open("/e/tea").settle()
    chrome.press("1")
    time.sleep(0.3)
    same(n_answers(server), n, "switched off, keys answer nothing, nor after a reload")
    chrome.press("?")
    chrome.click("#keys-on")
    chrome.click("#help form button")
    chrome.click(".comment summary")
    chrome.one("#comment").send_keys("10 bus?")
    time.sleep(0.2)
    same(n_answers(server), n, "keys typed into a comment are its text")
    chrome.next(lambda: chrome.click(PLACE["A"]), "with a comment")
    same((n_answers(server), last(server)["text"]["text"]), (n + 1, "10 bus?"), "which goes with the answer")
    same(chrome.one("#comment").get_attribute("value"), "", "and is gone from the next screen")


def test_click(server, chrome):
    for place, selector in PLACE.items():
        chrome.next(lambda: chrome.click(selector), f"a click on {place}")
        same((last(server)["answer"]["kind"], chosen_place(server)), ("winner", place), f"is place {place}")
    chrome.next(lambda: chrome.mouse(*chrome.middle(".card h2")), "a click anywhere on a card")
    same(chosen_place(server), "A", "is its place")
    for selector, kind in (("tie", "tie"), ("bad", "bad"), ("skip", "skip")):
        chrome.next(lambda: chrome.click(f".others [name={selector}]"), selector)
        same(last(server)["answer"]["kind"], kind, f"{kind}, by click")


def test_undo(server, chrome):
    screen = chrome.screen
    chrome.next(lambda: chrome.press("1"), "an answer")
    first = last(server)
    chrome.next(lambda: chrome.press("u"), "undo by key")
    same((chrome.screen, "Taken back" in chrome.text("#said")), (screen, True), "the screen is back")
    chrome.next(lambda: chrome.press("2"), "another answer")
    again = last(server)
    same((again["screen"], again["revision"], again["answer"] == first["answer"]), (first["screen"], 1, False), "takes its place")
    chrome.next(lambda: chrome.click("button[data-key=u]"), "undo by click")
    chrome.next(lambda: chrome.click(PLACE["A"]), "and answered once more")
    same(answers(server)[1], [], "each screen has one answer")


def test_touch(server, chrome):
    chrome.size(390, 844, scale=3, touch=True)
    chrome.fresh()
    chrome.open("/e/tea", server)
    chrome.tap("main form button")
    chrome.wait(lambda: chrome.state == "screen", "Start, by finger")
    chrome.settle()
    for selector, kind in ((PLACE["B"], "winner"), (".others [name=tie]", "tie"), (".others [name=skip]", "skip")):
        chrome.next(lambda: chrome.tap(selector), f"{kind}, by finger")
        same(last(server)["answer"]["kind"], kind, f"{kind}, by finger")
    ok(not chrome.one("#keys").is_displayed(), "on a phone nobody is told of keys")
    chrome.size(1280)


def test_without_script(server, chrome):
    chrome.fresh()
    chrome.script(False)
    chrome.open("/e/tea", server)
    chrome.go("main form button")
    same(chrome.state, "screen", "without JavaScript: Start")
    for selector, kind in ((PLACE["A"], "winner"), ("[name=tie]", "tie"), ("[name=bad]", "bad"), ("[name=skip]", "skip")):
        chrome.settle()
        n, screen = n_answers(server), chrome.screen
        chrome.go(selector)
        chrome.wait(lambda: chrome.there("main") and chrome.screen != screen, f"the screen after {kind}")
        same((n_answers(server), last(server)["answer"]["kind"]), (n + 1, kind), f"{kind}, without")
    chrome.settle()
    chrome.go(PLACE["A"])
    chrome.settle()
    ok("Saved" in chrome.text("#said"), "saved")
    chrome.go("button[data-key=u]")
    ok("Taken back" in chrome.text("#said"), "undo, without")
    chrome.settle()
    chrome.click(".comment summary")
    chrome.one("#comment").send_keys("plain")
    chrome.go(PLACE["B"])
    same(last(server)["text"]["text"], "plain", "a comment, without")
    n = n_answers(server)
    chrome.driver.back()
    chrome.driver.back()
    chrome.settle()
    if chrome.there(PLACE["A"]):
        chrome.go(PLACE["A"])
    same((answers(server)[1], n_answers(server) - n <= 1), ([], True), "Back and another click, without: nothing doubled")
    chrome.driver.refresh()
    same(answers(server)[1], [], "nor by a reload")
    chrome.script(True)


def test_ranking(spar, chrome):
    with Server(spar, "rank.db", init=("--m", "4", "--answer", "ranking")) as server:
        for script in (True, False):
            chrome.fresh(server)
            chrome.script(script)
            chrome.open("/e/rank", server)
            chrome.click("main form button")
            chrome.wait(lambda: chrome.state == "screen", "a screen to rank")
            for key in "312":
                chrome.settle()
                shown = chrome.text(".send")
                (chrome.press if script else lambda k: chrome.click(f"[data-key='{k}']"))(key)
                chrome.wait(lambda: chrome.text(".send") != shown, f"place {key} ranked")
            same(chrome.text(".ranking").replace(" ", ""), "C,A,B,D", "with three ranked the fourth is clear")
            chrome.settle()
            chrome.click("[data-id='B'].choose")
            chrome.wait(lambda: chrome.text(".ranking").replace(" ", "") == "C,A", "one taken back")
            chrome.settle()
            chrome.click("[data-id='D'].same")
            chrome.wait(lambda: "A=D" in chrome.text(".ranking").replace(" ", ""), "two are equal")
            before = n_answers(server)
            chrome.settle()
            chrome.click("[data-send]")
            saved(chrome, "the ranking is sent")
            same((n_answers(server) - before, last(server)["answer"]["kind"]), (1, "ranking"), "one ranking is stored")
        chrome.script(True)
        chrome.quiet("ranking: nothing in the log of the browser")


def test_pairs(spar, chrome):
    with Server(spar, "pairs.db", options="abc", init=("--m", "3", "--answer", "pairs")) as server:
        chrome.fresh(server)
        chrome.start("/e/pairs", server)
        for i, which in enumerate("AB1 AC2 BC3".split()):
            chrome.click(f"[data-id='{which}']")
            chrome.wait(lambda: len(chrome.all("[aria-pressed=true]")) == i + 1, f"pair {which}")
            chrome.settle()
        chrome.click("[data-send]")
        saved(chrome, "pairs are sent")
        same(last(server)["answer"]["kind"], "pairs", "pairs are stored")


# --- once only ---

def test_two_voters(server, chrome):
    chrome.fresh()
    chrome.start("/e/tea", server)
    with Chrome() as other:
        other.start("/e/tea", server)
        before = n_answers(server)
        for _ in range(3):
            shown = chrome.screen, other.screen
            chrome.press("1")
            other.press("2")
            for one, old in zip((chrome, other), shown):
                one.wait(lambda: one.screen != old, "two at once")
            other.settle()
        given = [event for event in server.log() if event["kind"] == "answer"][before:]
        same((len(given), len({e["voter"] for e in given}), len({e["screen"] for e in given})), (6, 2, 6), "two voters at once: six answers")
        other.quiet("the second browser is quiet")


def test_reload_and_back(server, chrome):
    chrome.open("/", server)
    chrome.go("main a")
    screen, log = chrome.screen, server.log()
    chrome.driver.refresh()
    same((chrome.screen, server.log()), (screen, log), "reload shows the open screen again")
    chrome.settle()
    chrome.next(lambda: chrome.press("1"), "an answer")
    screen, log = chrome.screen, server.log()
    chrome.driver.refresh()
    same((chrome.screen, server.log()), (screen, log), "reload after an answer sends nothing again")
    ok("?" not in chrome.driver.current_url, "the address is that of the vote")
    chrome.driver.back()
    chrome.driver.forward()
    chrome.wait(lambda: chrome.screen == screen, "Back and forward lead to the open screen")
    chrome.driver.back()
    same(server.log(), log, "Back sends nothing")
    chrome.open("/e/tea")


def test_double_click(server, chrome):
    """The second click of a pair comes before or after the next screen is there: it must not answer that one. On a slow
    machine most of ours come too late to be one: it is tried until some are not."""
    chrome.settle()
    n = n_answers(server)
    x, y = chrome.middle(PLACE["A"])
    early = tries = 0
    while tries < 12 or (early == 0 and tries < 60):
        tries += 1
        chrome.run("window.shownAt = null; window.clickedAt = null;"
                   "document.addEventListener('spar:shown', () => { window.shownAt = performance.now() }, {once: true});")
        screen = chrome.screen
        chrome.mouse(x, y)
        if tries % 2 == 0:
            chrome.wait(lambda: chrome.run("return window.shownAt"), "a click answers")
        chrome.run("document.addEventListener('pointerdown', () => { window.clickedAt = performance.now() }, {once: true})")
        chrome.mouse(x, y)
        chrome.wait(lambda: chrome.screen != screen, "a double click answers")
        time.sleep(0.1)
        gap = chrome.run("return window.clickedAt && window.shownAt ? window.clickedAt - window.shownAt : null")
        early += gap is not None and 0 < gap < 250
        n += 1 + (gap is not None and gap >= 290 and n_answers(server) == n + 2)  # too slow to be a double click
        chrome.settle()
    note(f"{early} of {tries} second clicks met the next screen while it was new")
    ok(early >= 1, "some second clicks met the next screen")
    same(n_answers(server), n, "a double click is one answer")
    screen = chrome.screen
    chrome.press("11")
    chrome.wait(lambda: chrome.screen != screen, "a key twice")
    chrome.settle()
    same(n_answers(server), n + 1, "a key twice in a row is one answer")


def test_two_tabs(server, chrome):
    first = chrome.driver.current_window_handle
    chrome.driver.switch_to.new_window("tab")
    second = chrome.driver.current_window_handle
    chrome.open("/e/tea")
    screen = chrome.screen
    chrome.driver.switch_to.window(first)
    chrome.open("/e/tea")
    same(chrome.screen, screen, "two tabs show the same screen")
    n = n_answers(server)
    chrome.settle()
    chrome.next(lambda: chrome.press("1"), "answered in one")
    chrome.driver.switch_to.window(second)
    chrome.press("2")
    chrome.wait(lambda: chrome.state == "problem", "another answer in the other")
    ok("already" in chrome.text(), "says that it was answered already")
    same(n_answers(server), n + 1, "one answer")
    chrome.click("main a.button")
    chrome.wait(lambda: chrome.state == "screen", "and leads on")
    chrome.driver.close()
    chrome.driver.switch_to.window(first)
    chrome.quiet("two tabs: nothing in the log of the browser but the refusal", allowed=("409",))


# --- the server, the network ---

def test_saved_late(server, chrome):
    """While the server sleeps nothing is called saved."""
    chrome.open("/e/tea", server).settle()
    screen, n = chrome.screen, n_answers(server)
    os.kill(server.process.pid, 19)
    try:
        chrome.press("1")
        chrome.wait(lambda: "Sending" in chrome.text(), "on its way: the page says so")
        time.sleep(0.5)
        same((chrome.screen, "Saved" in chrome.text()), (screen, False), "and does not say saved")
        chrome.press("2")
    finally:
        os.kill(server.process.pid, 18)
    saved(chrome, "the server wakes up: saved")
    chrome.settle()
    same((n_answers(server), chosen_place(server)), (n + 1, "A"), "one answer, the first one")


def test_lost_reply(server, chrome):
    n = n_answers(server)
    chrome.run("const real = window.fetch; window.fetch = async (...all) => { await real(...all); window.fetch = real;"
               "throw new TypeError('the reply was lost'); }")
    chrome.press("1")
    chrome.wait(lambda: "Not saved yet" in chrome.text(), "the reply is lost: not called saved")
    same(n_answers(server), n + 1, "though it was")
    chrome.click("#remark button")
    saved(chrome, "sent again: saved")
    chrome.settle()
    same(n_answers(server), n + 1, "once")


def test_restart(server, chrome):
    screen, n, port = chrome.screen, n_answers(server), server.port
    server.stop()
    chrome.press("1")
    chrome.wait(lambda: "Not saved yet" in chrome.text(), "the server is gone: the page says so")
    chrome.click("#remark button")
    time.sleep(0.3)
    same((chrome.screen, "Saved" in chrome.text()), (screen, False), "trying again: still not saved")
    server.start(port=port)
    chrome.wait(lambda: chrome.there("#remark button"), "it can be tried again")
    chrome.click("#remark button")
    saved(chrome, "a server under an open page: the answer goes through")
    chrome.settle()
    same(n_answers(server), n + 1, "once")
    server.stop()
    server.start(port=port)
    chrome.next(lambda: chrome.press("2"), "a restart that nobody noticed")
    same(n_answers(server), n + 2, "loses nothing")


def test_offline(server, chrome):
    n = n_answers(server)
    chrome.offline(True)
    chrome.wait(lambda: chrome.one("#offline").is_displayed(), "offline: a notice")
    chrome.press("1")
    time.sleep(0.4)
    ok("Saved" not in chrome.text() and n_answers(server) == n, "an answer waits")
    chrome.offline(False)
    chrome.wait(lambda: "Saved" in chrome.text("#said"), "back: it is sent by itself")
    ok(not chrome.one("#offline").is_displayed(), "the notice is gone")
    chrome.settle()
    same(n_answers(server), n + 1, "once")
    chrome.quiet("no connection: nothing else in the log of the browser",
                 allowed=("ERR_CONNECTION_REFUSED", "ERR_INTERNET_DISCONNECTED", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET"))


def test_rate(spar, chrome):
    with Server(spar, "rate.db", limits=True, args=("--limit", "voter-rate=15", "--limit", "voter-burst=2")) as server:
        chrome.fresh(server)
        chrome.start("/e/rate", server)
        for _ in range(30):
            chrome.press("1")
            time.sleep(0.35)
            if chrome.state == "problem":
                break
        same(chrome.state, "problem", "too fast")
        n = n_answers(server)
        ok("too fast" in chrome.text() and "Nothing was saved this time" in chrome.text(), "said in words")
        time.sleep(4.5)  # a permit comes every 4 s
        chrome.click("main form button.primary")
        chrome.wait(lambda: chrome.state == "screen" and "Saved" in chrome.text("#said"), "a little later it is taken")
        same(n_answers(server), n + 1, "once")
        chrome.quiet("too fast: nothing else in the log of the browser", allowed=("429",))


def test_expired(spar, chrome, shim):
    server = Server(spar, "old.db")
    clock = server.folder / "clock"
    clock.write_text("0 -1")
    server.env.update(LD_PRELOAD=shim, SPAR_TEST_MACHINE=str(clock))
    with server:
        chrome.fresh(server)
        chrome.start("/e/old", server)
        clock.write_text("90000 -1")
        chrome.press("1")
        chrome.wait(lambda: chrome.state == "problem", "a screen of yesterday")
        ok("expired" in chrome.text() and "safe" in chrome.text(), "is said to have expired")
        same(n_answers(server), 0, "and not taken")
        chrome.open("/e/old")
        ok(chrome.state == "start" and "expired" in chrome.text(), "the page says so, too")
        chrome.click("main form button")
        chrome.wait(lambda: chrome.state == "screen", "and goes on with a new one")
        chrome.settle()
        chrome.next(lambda: chrome.press("1"), "which can be answered")
        same(n_answers(server), 1, "and is taken")
        chrome.quiet("expired: nothing else in the log of the browser", allowed=("410",))


def test_closed(server, chrome):
    manager = server.token()
    chrome.fresh()
    chrome.start("/e/tea", server)
    n = n_answers(server)
    same(server.post(server.base + "/close", {}, manager)[0], 200, "closed")
    chrome.press("1")
    chrome.wait(lambda: chrome.state == "closed", "an open screen is still answered, then it is closed")
    ok("Saved" in chrome.text() and "Thank you" in chrome.text(), "with thanks")
    same(n_answers(server), n + 1, "and taken")
    chrome.fresh()
    chrome.open("/e/tea")
    same((chrome.state, chrome.there("main form")), ("closed", False), "a visitor sees that it is closed")
    server.post(server.base + "/reopen", {}, manager)


# --- how fast ---

def test_speed(server, chrome):
    chrome.start("/e/tea", server)
    measure = """
    const done = arguments[arguments.length - 1], times = [];
    function once() {
      const start = performance.now();
      document.addEventListener('spar:shown', () => requestAnimationFrame(() => {
        times.push(performance.now() - start);
        times.length < 15 ? setTimeout(once, 30) : done(times);
      }), {once: true});
      document.querySelector("[data-key='1']").click();
    }
    once();"""
    best = 1e9
    for _ in range(4):  # a busy machine is not what is measured
        median = statistics.median(chrome.driver.execute_async_script(measure))
        best = min(best, median)
        if best < 100:
            break
    ok(best < 100, f"from the vote to the next screen on the page: median {best:.0f} ms")


with Server(SPAR, init=("--m", "2", "--question", "Which tea?")) as server, Chrome() as chrome:
    chrome.media()
    chrome.driver.set_script_timeout(240)
    test_first_visit(server, chrome)
    test_keys(server, chrome)
    test_click(server, chrome)
    test_undo(server, chrome)
    test_touch(server, chrome)
    test_without_script(server, chrome)
    chrome.quiet("nothing in the log of the browser", allowed=("409",))
    test_two_voters(server, chrome)
    test_reload_and_back(server, chrome)
    test_double_click(server, chrome)
    test_two_tabs(server, chrome)
    test_saved_late(server, chrome)
    test_lost_reply(server, chrome)
    test_restart(server, chrome)
    test_offline(server, chrome)
    test_closed(server, chrome)
    test_speed(server, chrome)
    same(answers(server)[1], [], "each screen has one answer that counts")
    ok("holds" in server.shell("verify", server.file), "the log verifies")
    chrome.quiet("nothing in the log of the browser at the end", allowed=("409",))
    test_ranking(SPAR, chrome)
    test_pairs(SPAR, chrome)
    test_rate(SPAR, chrome)
    if len(sys.argv) > 2:
        test_expired(SPAR, chrome, os.path.abspath(sys.argv[2]))
done()
