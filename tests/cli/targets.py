"""Outputs to devices, FIFOs and links: what stands at the path stays, and gets what was written."""
import os
import stat
import subprocess
import threading

from harness import ARITH, SPAR, done, environment, folder, note, ok, same, skip, spar

GENERATE = ["rank", "--generate", "--queries", "4", "--docs", "3", "--features", "2", "--seed", "1"]
RUN = ["run", "--env", ARITH, "--policy", "random", "--rounds", "5", "--runs", "1"]


def kind(path):
    return stat.S_IFMT(os.lstat(path).st_mode)


def drain(path, into):
    with open(path, "rb") as file:
        into.append(file.read())


def through_fifo(cwd, path, *args):
    """What a reader of the FIFO gets."""
    os.mkfifo(f"{cwd}/{path}")
    got = []
    reader = threading.Thread(target=drain, args=(f"{cwd}/{path}", got))
    reader.start()
    process = spar(*args, cwd=cwd)
    reader.join(30)
    ok(process.returncode == 0, f"written into a FIFO: {' '.join(args)}") or note(process.stderr)
    same(kind(f"{cwd}/{path}"), stat.S_IFIFO, "which stays one")
    return got[0] if got else None


with folder() as cwd:
    spar(*GENERATE, "--out", "plain.txt", cwd=cwd)
    plain = open(f"{cwd}/plain.txt", "rb").read()
    ok(plain, "some data")
    same(through_fifo(cwd, "fifo", *GENERATE, "--out", "fifo"), plain, "and has the data")

    open(f"{cwd}/far.txt", "w").close()
    os.symlink("far.txt", f"{cwd}/link.txt")
    spar(*GENERATE, "--out", "link.txt", cwd=cwd)
    same((kind(f"{cwd}/link.txt"), open(f"{cwd}/far.txt", "rb").read()), (stat.S_IFLNK, plain), "a link stays")

    spar("rank", "plain.txt", "--cache", "far.cache", cwd=cwd)
    os.symlink("far.cache", f"{cwd}/link.cache")
    spar("rank", "plain.txt", "--cache", "link.cache", "--seed", "2", cwd=cwd)
    same(kind(f"{cwd}/link.cache"), stat.S_IFLNK, "a link to a cache stays")

    # The files in a folder of results.
    os.mkdir(f"{cwd}/out")
    os.symlink("../far.csv", f"{cwd}/out/curves.csv")
    rows = through_fifo(cwd, "out/runs.csv", *RUN, "--out", "out")
    ok(rows and b"random" in rows, "runs.csv as a FIFO has the rows")
    ok(kind(f"{cwd}/out/curves.csv") == stat.S_IFLNK and os.path.getsize(f"{cwd}/far.csv") > 0, "curves.csv as a link")

    # The name that temporaries once had, as a link to another file.
    open(f"{cwd}/victim", "w").write("mine")
    process = subprocess.Popen(["sh", "-c", 'ln -s victim "plain.txt.$$.tmp"; exec "$0" "$@"', SPAR, *GENERATE, "--out",
                                "plain.txt"], cwd=cwd, env=environment())
    same(process.wait(60), 0, "a trap for the temporary")
    same(open(f"{cwd}/victim").read(), "mine", "is not stepped into")

    device = f"{cwd}/null"
    try:
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        with open(device, "w") as file:
            file.write("x")
    except OSError:
        skip("no device can be made here")
    else:
        for args in [*GENERATE, "--out", "null"], ["rank", "plain.txt", "--cache", "null"]:
            spar(*args, cwd=cwd)
            same(kind(device), stat.S_IFCHR, f"a device stays one: {' '.join(args)}")
    left = [name for name in os.listdir(cwd) if name.startswith(".spar-")]
    same(left, [], "no temporary is left")
done()
