"""The file is replaced while it is served: every thread goes on with the new one, and nothing goes into the old one."""
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, ok, same  # noqa: E402
from server import Server  # noqa: E402


def seen(server, manager):
    """The options as the reader, the watcher and the porter see them."""
    status = server.get(server.base + "/status", manager)[2]
    return [sorted(option["id"] for option in server.get(server.base, manager)[2]["options"]),
            sorted(option["name"] for option in status["options"]),
            server.get(server.base + "/export", manager)[2].count(b'"kind":"option"')]


with Server(SPAR, options=["a", "b", "c"]) as server:
    manager = server.token()
    server.post(server.base + "/import?format=lines", "a > b\n", manager)
    same(seen(server, manager), [["a", "b", "c"], ["a", "b", "c"], 3], "a file")
    other = server.folder / "other.db"
    server.shell("init", other, "x", "y")
    token = server.shell("token", "new", other).split()[0]
    for ending in ("-wal", "-shm"):
        Path(str(server.file) + ending).unlink(missing_ok=True)
    os.rename(other, server.file)
    voter = server.voter()
    same(server.post(server.base + "/screens", {}, voter)[0], 201, "is replaced: votes go on")
    time.sleep(2.6)  # results are computed every 2 s
    manager = {"Authorization": "Bearer " + token}
    same(seen(server, manager), [["x", "y"], ["x", "y"], 2], "and all threads see the new one")
    same(server.post(server.base + "/import?format=lines", "x > y\n", manager)[2].get("added"), 1, "which takes imports")
    server.stop()
    ok(b'"imported"' in server.shell("export", server.file).encode(), "that are on disk")
    same(server.shell("verify", server.file, check=False).returncode, 0, "and verifies")
done()
