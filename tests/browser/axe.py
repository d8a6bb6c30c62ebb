"""axe.py - barriers in a page, found by axe-core. Without it the test that imports this is skipped."""
import os
import subprocess
import sys
from pathlib import Path

from browser import note, ok

ROOT = Path(__file__).resolve().parents[2]
_fetched = subprocess.run(["sh", str(ROOT / "scripts/fetch-axe"), os.getcwd()], capture_output=True, text=True)
if _fetched.returncode == 77:
    print(f"1..0 # SKIP axe-core: {_fetched.stdout.strip()}")
    sys.exit(0)
_AXE = Path(_fetched.stdout.strip()).read_text()
_RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ['violations'], ...arguments[0]}).then(found => done(found.violations.map(one =>
  [one.id, one.help, one.nodes.slice(0, 3).map(node => node.html.slice(0, 160) + ' :: ' + node.failureSummary.slice(0, 200))])));"""


def look(chrome, what, only=None):
    chrome.cdp("Runtime.evaluate", expression=_AXE)  # not by the page: its policy refuses scripts of others
    found = chrome.driver.execute_async_script(_RUN, {"runOnly": only} if only else {})
    if not ok(not found, f"{what}: no barrier"):
        for name, help_, nodes in found:
            note(f"{name}: {help_}\n  " + "\n  ".join(nodes))
