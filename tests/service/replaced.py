"""The file is replaced while it is served: nothing goes into either, by any way, until the old one is back."""
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, same  # noqa: E402
from server import Server  # noqa: E402


def tries(server, manager):
    return [server.post(server.base + "/import?format=lines&add_options=true", "a > b\n", manager)[0],
            server.post("/v1/experiments", {"name": "new"}, manager)[0],
            server.post(server.base + "/options", {"id": "d"}, manager)[0],
            server.post(server.base + "/screens", {"voter": "ann"}, manager)[0]]


with Server(SPAR, options=["a", "b", "c"]) as server:
    manager = server.token()
    other, old = server.folder / "other.db", server.folder / "old.db"
    server.shell("init", other, "x", "y")
    os.rename(server.file, old)
    same(tries(server, manager), [503] * 4, "no file: imports, experiments, options and screens are refused")
    os.rename(other, server.file)
    same(tries(server, manager), [503] * 4, "another file: they are, too")
    os.rename(server.file, other)
    os.rename(old, server.file)
    same(tries(server, manager), [200, 201, 201, 201], "the old one is back: all goes on")
    server.stop()
    same(server.shell("verify", f"{server.file}#", check=False).returncode, 0, "it verifies")
    same(len(server.shell("export", other).splitlines()), 6, "and nothing went into the other one")
done()
