"""The dashboard says what is known and no more: 0, 1, 9, 100 answers and more, 2, 16 and 1,000 options, all equal, a
circle. The words are those of the shell, in both languages; nothing ranks what is not separated."""
import math
import random

from browser import SPAR, Chrome, Server, done, note, ok, same


def duels(names, chance, n, seed=5):
    """n choices between two of the options, each by a voter of its own; chance(a, b) that a is chosen."""
    rng, lines = random.Random(seed), ["model_a,model_b,winner,judge"]
    for i in range(n):
        a, b = rng.sample(range(len(names)), 2)
        p = chance(a, b)
        if p is not None:
            lines.append(f"{names[a]},{names[b]},{'model_a' if rng.random() < p else 'model_b'},v{i}")
    return "\n".join(lines) + "\n"


def steps(size):
    return lambda a, b: 1 / (1 + math.exp(size * (a - b)))


def level(a, b):
    return 0.5


def circle(a, b):
    return {1: 0.85, 2: 0.15}[(b - a) % 3]


two, three, sixteen, thousand = (list("ab"), list("abc"), [f"o{i}" for i in range(16)], [f"option {i}" for i in range(1000)])
CASES = {  # name: options, chances, answers, verdicts that may be given
    "none2": (two, level, 0, {"none"}),
    "none16": (sixteen, level, 0, {"none"}),
    "one2": (two, level, 1, {"early"}),
    "one16": (sixteen, level, 1, {"early"}),
    "nine2": (two, level, 9, {"early"}),
    "nine16": (sixteen, steps(0.5), 9, {"early"}),
    "hundred2": (two, steps(0.1), 100, {"open"}),
    "hundred16": (sixteen, steps(0.1), 100, {"open"}),
    "level2": (two, level, 4000, {"equal"}),
    "level16": (sixteen, level, 1000, {"open"}),
    "best3": (three, steps(1.5), 300, {"best"}),
    "circle3": (three, circle, 600, {"no_scale"}),
    "large": (thousand, steps(1 / 300), 100000, {"open"}),
}

# Whatever gives an option a place in an order, in the text or by the style.
RANKS = r"""
const found = [], known = document.getElementById('known');
for (const cell of known.querySelectorAll('.standings th, .standings td')) {
  const text = cell.innerText.trim();
  if (/^(#\s*)?\d+(\.|st|nd|rd|th)?$/.test(text) || /\b(rank|first place|winner|1st|2nd|Platz \d)\b/i.test(text)) found.push(text);
  for (const part of ['::before', '::after'])
    if (!['none', 'normal', '""'].includes(getComputedStyle(cell, part).content)) found.push(part + ' of ' + text);
}
if (known.querySelector('ol')) found.push('a numbered list');
return found;"""

# In a group that is not separated every option looks the same.
LOOKS = """
return [...document.querySelectorAll('.standings tbody.together')].map(body => {
  const looks = [...body.querySelectorAll('tr:not(.caption):not(.out) th')].map(cell => {
    const style = getComputedStyle(cell);
    return [style.color, style.fontWeight, style.fontSize, style.backgroundColor].join();
  });
  return new Set(looks).size;
}).filter(n => n > 1).length;"""

CHARTS = """
return [...document.querySelectorAll('#known svg')].filter(svg =>
  svg.getAttribute('role') !== 'img' || !svg.querySelector('title') || !svg.querySelector('title').textContent.trim()
  || svg.getBoundingClientRect().width < 20 || !svg.closest('table') && !svg.closest('figure').nextElementSibling.querySelector('table')
).length;"""


def settle(chrome, name, language="en"):
    chrome.open(f"/manage/{name}?lang={language}")
    chrome.wait(lambda: chrome.run("return !('pending' in document.getElementById('known').dataset)"), f"{name}: strengths", 60)


def sentence_of(chrome):
    """As it was sent: without the capital letter of the style."""
    return " ".join(chrome.run("return document.querySelector('.sentence').textContent").split())


def first_byte(chrome, name):
    """Milliseconds of the server, the best of three."""
    best = 1e9
    for _ in range(3):
        chrome.open(f"/manage/{name}")
        best = min(best, chrome.run("const n = performance.getEntriesByType('navigation')[0]; return n.responseEnd - n.requestStart"))
    return best


def test_case(server, chrome, api, name, verdicts):
    time = first_byte(chrome, name)
    ok(time < 200, f"{name}: {time:.0f} ms of the server")
    settle(chrome, name)
    known = server.get(f"/v1/experiments/{name}/status", api)[2]
    verdict = chrome.run("return document.getElementById('known').dataset.verdict")
    ok(verdict == known["verdict"] and verdict in verdicts, f"{name}: {verdict}, as the log says") or note((known["verdict"], verdicts))
    sentence = sentence_of(chrome)
    same(sentence, known["sentence"], f"{name}: {sentence[:70]}")
    same((chrome.run(RANKS), chrome.run(LOOKS)), ([], 0), f"{name}: no ranks, by number or by look")
    same(chrome.run(CHARTS), 0, f"{name}: every chart has a name and a table")
    shown = chrome.text("#known")
    if verdict in ("none", "early", "equal", "no_scale"):
        ok(" is best" not in shown and "leads" not in shown and "Probability of being best" not in shown,
           f"{name}: no winner is suggested")
    settle(chrome, name, "de")
    german = sentence_of(chrome)
    ok(german != sentence and chrome.run("return document.documentElement.lang") == "de", f"{name}: {german[:70]}")
    ok(chrome.run("return document.documentElement.scrollWidth <= innerWidth"), f"{name}: nothing sticks out")


def test_equal(server, chrome):
    settle(chrome, "level16")
    groups = chrome.all(".standings tbody.together")
    ok(groups and "not separated" in groups[0].text, "16 equal options: not separated, it says")
    ok("It decides nothing" in chrome.text("#known"), "and what the probability of being best is not")
    sentence = chrome.text(".sentence")
    ok(" is best" not in sentence and "more answers" in sentence, f"no winner: {sentence}")
    settle(chrome, "nine2")
    same([e.text for e in chrome.all(".standings tbody th")], ["a", "b"], "early: in the order in which they were added")


def test_records(server, chrome, api):
    settle(chrome, "hundred16")
    options = server.get("/v1/experiments/hundred16/status", api)[2]["options"]
    rows = {row.text.split("\n")[0].split(" ")[0]: row.text for row in chrome.all(".standings tbody tr:not(.caption)")}
    wrong = [o["name"] for o in options if o["shown"] and f"chosen {o['chosen']} of {o['shown']} times shown" not in rows.get(o["name"], "")]
    same((wrong, len(rows)), ([], 16), "records as counted, of every option")
    for fold in ("pairs", "pace"):
        if chrome.there(f"#{fold} summary"):
            chrome.click(f"#{fold} summary")
            ok(chrome.one(f"#{fold} table").is_displayed(), f"the table of {fold} unfolds")


with Server(SPAR, "states.db", options=("a", "b"), args=("--limit", "address-streams=0")) as server, Chrome() as chrome:
    for name, (options, chance, n, _) in CASES.items():
        server.shell("init", f"{server.file}#{name}", *options, "--m", "2", "--question", f"Which, {name}?")
        if n:
            server.shell("import", f"{server.file}#{name}", "-", text=duels(options, chance, n))
    api = server.token()
    chrome.login(server)
    for name, (_, _, _, verdicts) in CASES.items():
        test_case(server, chrome, api, name, verdicts)
    test_equal(server, chrome)
    test_records(server, chrome, api)
    chrome.quiet("nothing in the log of the browser")
done()
