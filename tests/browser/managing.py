"""Managing in a browser: from the login to the verdict without the shell; the dashboard follows by itself."""
import json
import time
from pathlib import Path

from browser import SPAR, Chrome, Server, done, ok, same, wait_for

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000a49444154789c6300010000"
                    "0500010d0a2db40000000049454e44ae426082")


def test_login(server, chrome):
    chrome.open("/manage/tea", server)
    same((chrome.state, chrome.one("#token").get_attribute("type")), ("login", "password"), "managers log in first")
    chrome.one("#token").send_keys("spar_" + 64 * "0")
    chrome.go("main form button")
    ok("is wrong" in chrome.text("[role=alert]"), "a wrong token: said so")
    same([c["name"] for c in chrome.driver.get_cookies() if "session" in c["name"]], [], "and no session")
    server.token()
    chrome.one("#token").send_keys(server.tokens[0])
    chrome.go("main form button")
    same(chrome.state, "dashboard", "the right one leads to where one wanted to go")
    cookie = next(c for c in chrome.driver.get_cookies() if "session" in c["name"])
    ok(cookie["httpOnly"] and cookie["sameSite"] == "Strict", "by a cookie for this site alone")
    ok(server.tokens[0] not in chrome.driver.current_url, "the token stands in no address")
    chrome.quiet("login: nothing else in the log of the browser", allowed=("401",))


def test_create(server, chrome, folder):
    chrome.open("/manage")
    chrome.go("main a.primary")
    same(chrome.state, "new", "a form for a new vote")
    (folder / "third.png").write_bytes(PNG)
    chrome.one("#question").send_keys("Which shape?")
    chrome.one("#lines").send_keys("round\nsquare")
    chrome.one("#images").send_keys(str(folder / "third.png"))
    chrome.one("#name").send_keys("not a name!")
    chrome.click("main form button.primary")
    same(chrome.state, "new", "a name that cannot stand in an address is refused by the browser")
    chrome.one("#name").clear()
    chrome.one("#name").send_keys("shape")
    chrome.click("[name=m] [value='2']")
    chrome.click("[name=results][value=public]")
    chrome.go("main form button.primary")
    same(chrome.state, "dashboard", "made")
    same((chrome.text("h1"), chrome.text(".sentence").lower()), ("Which shape?", "no answers yet"), "nothing is known yet")
    chrome.quiet("create: nothing in the log of the browser")


def test_options(server, chrome):
    chrome.open("/manage/shape/options")
    same([e.text.split("\n")[0] for e in chrome.all("li[id^='option-'] bdi")], ["round", "square", "third"], "the options")
    chrome.one("#lines").send_keys("star")
    chrome.go("section:last-of-type form button.primary")
    same(len(chrome.all("li[id^='option-']")), 4, "one added")
    chrome.go("#option-1 a.button")
    chrome.one("#title").clear()
    chrome.one("#title").send_keys("Circle")
    chrome.one("#body").send_keys("**round**")
    chrome.go("#change form button.primary")
    ok("Circle" in chrome.text("#option-1"), "one changed")
    for name in ("third", "star"):
        chrome.go(f"button[aria-label='Retire {name}']")
    ok("retired" in chrome.text("#option-3") and "retired" in chrome.text("#option-4"), "two retired")
    same(chrome.all("#option-3 form"), [], "which cannot be changed any more")


def test_settings(server, chrome):
    chrome.open("/manage/shape/settings")
    chrome.one("#question").clear()
    chrome.one("#question").send_keys("Which form?")
    chrome.go("main form button.primary")
    same(chrome.text("main .notice[role=status]"), "Saved", "settings are saved")
    chrome.open("/manage/shape")
    same(chrome.text("h1"), "Which form?", "and hold")


def test_live(server, chrome, voter):
    """The dashboard stays open and is never loaded again."""
    chrome.open("/manage/shape")
    chrome.run("window.sparSame = true")
    chrome.click("#pairs summary") if chrome.there("#pairs") else None
    voter.start("/e/shape", server)
    seconds = 1e9
    for i in range(24):
        place = next(c.get_attribute("id")[-1] for c in voter.all(".card h2") if "Circle" in c.text)
        button = f".choose[value='{place}']"
        voter.next(lambda: voter.click(button), "a vote")
        if i < 3 and seconds > 12:  # again, where others use the machine
            start = time.time()
            chrome.wait(lambda: f"{i + 1} answer{'s' * (i > 0)} so far" in chrome.text(".sentence"), f"the dashboard tells of vote {i + 1}")
            seconds = min(seconds, time.time() - start)
    ok(seconds < 12, f"after {seconds:.1f} s, by itself")
    chrome.wait(lambda: chrome.text(".sentence") == "Circle is best (error at most 5 %)", "and of the verdict", 120)
    ok(chrome.run("return window.sparSame"), "without loading the page")
    same(chrome.run("return document.getElementById('known').dataset.verdict"), "best", "as the page is marked")
    same(chrome.text(".sentence"), "Circle is best (error at most 5 %)", "in the words of the shell")
    chrome.wait(lambda: "24 answers" in chrome.text("#known"), "with 24 answers in the end")
    voter.open("/e/shape/results")
    same(voter.text(".sentence"), "Circle is best (error at most 5 %)", "results are public")
    chrome.quiet("live: nothing in the log of the browser")
    voter.quiet("nor in the voter's")


def test_lost(server, chrome):
    chrome.open("/manage/shape")
    same(chrome.one(".lost").is_displayed(), False, "the connection is there")
    port = server.port
    server.stop()
    chrome.wait(lambda: chrome.one(".lost").is_displayed(), "it is lost: the page says so")
    ok("Circle is best" in chrome.text(), "what was known stays on the page")
    server.start(port=port)
    chrome.wait(lambda: not chrome.one(".lost").is_displayed(), "it comes back by itself", 120)
    chrome.quiet("lost: nothing else in the log of the browser",
                 allowed=("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE",
                          "ERR_CONNECTION_RESET"))


def test_close(server, chrome):
    chrome.login(server, "/manage/shape") if chrome.open("/manage/shape").state == "login" else None
    chrome.go("form[action*='/close'] button")
    ok("This vote is closed" in chrome.text("#known"), "closed")
    chrome.go("form[action*='/reopen'] button")
    ok("This vote is closed" not in chrome.text("#known"), "and open again")


def test_export(server, chrome, folder):
    chrome.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    links = {link.text: link for link in chrome.all(".links a")}
    ok({"jsonl", "csv"} <= set(links), f"formats: {sorted(links)}")
    links["jsonl"].click()
    ok(wait_for(lambda: list(folder.glob("*.jsonl"))), "a file is downloaded")
    file = next(folder.glob("*.jsonl"))
    ok(wait_for(lambda: '"kind":"end"' in file.read_text()), "whole")
    events = [json.loads(line) for line in file.read_text().splitlines()]
    same(len([e for e in events if e["kind"] == "answer"]), 24, f"with all answers: {file.name}")


def test_invite(server, chrome, guest):
    chrome.open("/manage/shape/settings")
    chrome.click("[name=access][value=invited]")
    chrome.go("main form button.primary")
    guest.fresh(server)
    guest.open("/e/shape", server)
    same(guest.state, "not_invited", "only with an invitation")
    chrome.open("/manage/shape/invitations")
    chrome.one("#label").send_keys("grandmother")
    chrome.go("form.invite button.primary")
    link = chrome.text(".codes code")
    ok("/i/" in link and "only now" in chrome.text(), "a link, shown once")
    before = len(server.log_of("shape"))
    guest.driver.get(link)
    same((guest.state, "/i/" in guest.driver.current_url), ("start", False), "it leads to the vote, to an address without the code")
    same(len(server.log_of("shape")), before, "opening it changes nothing")
    guest.click("main form button")
    guest.wait(lambda: guest.state == "screen", "and lets one in")
    guest.settle()
    guest.next(lambda: guest.press("1"), "who votes")
    chrome.open("/manage/shape/invitations")
    ok(link not in chrome.text() and "1 of 1" in chrome.text("tbody"), "the list counts, and shows no code")
    screen = guest.screen
    guest.fresh()
    guest.driver.get(link)
    guest.click("main form button")
    guest.wait(lambda: guest.screen == screen, "on another device the link is the same voter, with the same open screen")
    chrome.go("button[aria-label='Revoke link 1']")
    ok("None yet" in chrome.text(), "revoked")
    guest.fresh()
    guest.driver.get(link)
    ok(guest.state == "problem" and "not valid" in guest.text(), "and gone")
    guest.quiet("invitations: nothing else in the log of the browser", allowed=("403",))


def test_logout(server, chrome):
    chrome.open("/manage")
    chrome.go("header button")
    chrome.open("/manage/shape")
    same(chrome.state, "login", "logged out")
    chrome.driver.back()
    chrome.driver.back()
    chrome.wait(lambda: chrome.state == "login" or not chrome.there(".sentence"), "Back shows nothing from before")


with Server(SPAR, init=("--question", "Which tea?")) as server, Chrome() as chrome, Chrome() as other:
    server.log_of = lambda name: server.shell("export", f"{server.file}#{name}").splitlines()
    folder = Path(server.folder)
    test_login(server, chrome)
    test_create(server, chrome, folder)
    test_options(server, chrome)
    test_settings(server, chrome)
    test_live(server, chrome, other)
    test_lost(server, chrome)
    test_close(server, chrome)
    test_export(server, chrome, folder)
    test_invite(server, chrome, other)
    test_logout(server, chrome)
    same([line for line in server.stderr().splitlines() if line.strip()], [], "the server found nothing wrong with its pages")
done()
