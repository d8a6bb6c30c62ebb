"""spar list: every registered class, in every form."""
import json
import re
import shlex

from harness import ROOT, accepts, done, in_terminal, note, ok, same, terminals

FAMILIES = ["policies", "aliases", "bandits", "beliefs", "envs", "feedback"]
everything = json.loads(accepts("list", "--json"))
same(list(everything), FAMILIES, "JSON has a list for each family")

# The registries are the .def files; whatever stands there must be listed.
DEFS = {"policies": ("policy/policies.def", "SPAR_POLICY"), "aliases": ("policy/policies.def", "SPAR_ALIAS"),
        "bandits": ("mab/mabs.def", "SPAR_MAB"), "beliefs": ("posterior/posteriors.def", "SPAR_POSTERIOR"),
        "envs": ("env/envs.def", "SPAR_ENV"), "feedback": ("env/feedbacks.def", "SPAR_FEEDBACK")}
for family, (path, macro) in DEFS.items():
    lines = re.findall(rf"^{macro}\((.*)\)", (ROOT / "src" / path).read_text(), re.M)
    if macro in ("SPAR_POLICY", "SPAR_POSTERIOR"):  # with their folder
        lines = [line.split(",", 1)[1] for line in lines]
    wanted = [line.split(",")[0].strip() for line in lines]
    got = [entry["name"] for entry in everything[family]]
    ok(wanted and sorted(wanted) == sorted(got), f"{family}: all that is registered") or note((wanted, got))

for family in FAMILIES:
    entries = everything[family]
    alone = json.loads(accepts("list", family, "--json"))
    same(alone, {f: everything[f] for f in (["policies", "aliases"] if family == "policies" else [family])},
         f"{family} alone is the same")
    names = accepts("list", family, "--names").split("\n")
    ok(set(e["name"] for e in entries) <= set(names) and names[-1] == "", f"{family}: names, one a line")
    text, markdown = accepts("list", family), accepts("list", family, "--markdown")
    for entry in entries:
        said = [entry["name"], entry.get("brief") or entry["path"], entry["paper"] or ""]
        for param in entry["params"]:
            said += [f"{param['name']}={param['default'] or ''}", param["help"]]
        plain = markdown.replace("\\|", "|")
        said += ["its arms are fixed"] * (entry.get("live_arms") is False)
        missing = [s for s in said if s not in text or s not in plain]
        ok(not missing, f"{family}: {entry['name']} is told in full, as text and as Markdown") or note(missing)
    rows = [line for line in markdown.splitlines() if line.startswith("| `")]
    ok(all(len(re.findall(r"(?<!\\)\|", row)) == 5 for row in rows), f"{family}: Markdown rows have four cells")

# One entry, with a command line that works.
for family in FAMILIES:
    for entry in everything[family]:
        name = entry["name"]
        same(json.loads(accepts("list", name, "--json")), {family: [entry]}, f"{name} alone")
        text = accepts("list", name)
        ok(all(f"{p['name']}={p['default'] or ''}" in text for p in entry["params"]) and (entry["paper"] or "") in text,
           "with its parameters and its paper")
        words = shlex.split(text.partition("\nexample:\n")[2])
        ok(words[:2] == ["spar", "run"] and any(name in word for word in words[2:]), "and an example") or note(text)
        if "file=" not in text.partition("\nexample:\n")[2] and "data=" not in text.partition("\nexample:\n")[2]:
            ok(accepts(*words[1:], "--rounds", "40", "--runs", "1"), "that works")

for family in FAMILIES:
    for entry in everything[family]:
        same(list(entry), ["name", "path" if family == "aliases" else "brief", "paper"]
             + ["live_arms"] * (family == "policies") + ["params"],
             f"{family}: {entry['name']} has its keys")
        for param in entry["params"]:
            where = f"{entry['name']}: {param['name']}"
            if param["kind"] == "choice":
                ok(param["default"] is None or param["default"] in param["choices"], f"{where} defaults to a choice")
            elif param["kind"] in ("number", "integer") and param["default"] is not None:
                low, high = param["low"], param["high"]
                value = float(param["default"])
                ok((low is None or low <= value) and (high is None or value <= high), f"{where}: default is in range")
same([e["name"] for e in everything["policies"] if not e["live_arms"]],
     ["interleaved_filter", "beat_the_mean", "savage"], "policies whose arms are fixed")
told = accepts("run", "--help").partition("\npolicies ")
listed = (told[1] + told[2].partition("\n\n")[0]).split()
names = [e["name"] for family in FAMILIES for e in everything[family]]
same(sorted(listed), sorted(FAMILIES + names), "spar run --help names all")
for width in (80, 60) if terminals("lists that fit") else ():
    narrow = in_terminal(width, "list", env={"NO_COLOR": "1"})
    ok(max(map(len, narrow.splitlines())) <= width, f"fits {width} columns") or note(narrow)
    ok("".join(narrow.split()) == "".join(accepts("list").split()), "and says the same")
done()
