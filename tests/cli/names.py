"""Names and paths with control characters, overrides of direction and bad UTF-8: never raw in what people read."""
import json
import re
import subprocess
import unicodedata

from harness import SPAR, done, environment, folder, note, ok, same

HOSTILE = [b"\x1b[2Jgone", b"b\xc3\xa4ll\x07", b"del\x7f", b"c1\xc2\x9b31m", b"over\xe2\x80\xaeride", b"iso\xe2\x81\xa6late",
           b"bad\xff\xfe", b"cut\xe2\x80", b"long\xc0\xaf", b"=1+1", b"@cmd", b"+x", b"-y"]


def run(*args, cwd, **more):
    return subprocess.run([SPAR.encode(), *args], capture_output=True, cwd=cwd, env=environment(**more), timeout=240,
                          stdin=subprocess.DEVNULL)


def is_shown(data, what):
    """Valid UTF-8, and apart from ends of lines nothing that acts on a terminal."""
    try:
        text = data.decode()
        bad = [c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")]
    except UnicodeDecodeError as error:
        bad = [error]
    if not ok(not bad, what):
        note(f"{bad} in {data!r}")


def matrix(names):
    n = len(names)
    rows = [[0.5 if i == j else 0.7 if i < j else 0.3 for j in range(n)] for i in range(n)]
    return b",".join(names) + b"\n" + b"\n".join(",".join(map(str, row)).encode() for row in rows) + b"\n"


with folder() as cwd:
    with open(f"{cwd}/m.txt", "wb") as file:
        file.write(matrix(HOSTILE))
    got = run(b"describe", b"m.txt", cwd=cwd)
    ok(got.returncode == 0, "describe takes the names") or note(got.stderr)
    is_shown(got.stdout, "describe shows them")
    ok(b"\\x1b[2Jgone" in got.stdout and b"over\\u202eride" in got.stdout and b"bad\\xff" in got.stdout, "as escapes")
    ok("b\u00e4ll\\x07".encode() in got.stdout, "letters stay")
    got = run(b"describe", b"m.txt", b"--json", cwd=cwd)
    is_shown(got.stdout, "describe --json")
    names = json.loads(got.stdout.decode())["names"]
    same(names[0], "\x1b[2Jgone", "JSON keeps control characters, as escapes")
    same(names[4], "over\u202eride", "and overrides")
    same(names[6], "bad\ufffd\ufffd", "bad UTF-8 becomes U+FFFD")
    same(names[9], "=1+1", "formulas are text in JSON")

    # A path is a name too, in tables, in notes and in errors.
    evil = b"\x1b]0;owned\x07\xe2\x80\xae.txt"
    with open(cwd.encode() + b"/" + evil, "wb") as file:
        file.write(matrix([b"a", b"b", b"c"]))
    env = b"matrix(file=" + evil + b")"
    play = [b"run", b"--env", env, b"--policy", b"random", b"--policy", b"dts", b"--rounds", b"20", b"--runs", b"2"]
    got = run(*play, cwd=cwd)
    ok(got.returncode == 0, "such a path can be played") or note(got.stderr)
    is_shown(got.stdout + got.stderr, "and is shown with escapes")
    got = run(*play, b"--json", b"--out", b"out", cwd=cwd)
    is_shown(got.stdout, "in JSON too")
    same(json.loads(got.stdout.decode())["environments"][0]["env"].encode(), env, "which has it whole")
    got = run(b"describe", evil, cwd=cwd)
    is_shown(got.stdout, "describe shows such a path")
    for args in [b"describe", b"no" + evil], [b"run", b"no" + evil], [b"describe", b"m.txt", evil], [evil], \
            [b"run", b"--" + evil], [b"run", b"--policy", evil], [b"run", b"--policy", b"bad\xff"], \
            [b"run", b"--env", b"matrix(file=no" + evil + b")", b"--policy", b"random"]:
        got = run(*args, cwd=cwd)
        ok(got.returncode in (1, 2) and not got.stdout, f"refused: {args}")
        is_shown(got.stderr, "in one printable sentence")
        ok(re.fullmatch(rb"spar: [^\n]+\n", got.stderr), "of one line")
    with open(f"{cwd}/r.yaml", "wb") as file:
        file.write(b'policies: [random]\nenv: "matrix(file=\\e[31m)"\n')
    got = run(b"run", b"r.yaml", cwd=cwd)
    is_shown(got.stderr, "a run file with an escape")

    # Rankers: a matrix file is read by people and by programs, so it cannot have such names.
    with open(f"{cwd}/l.txt", "w") as file:
        file.write("".join(f"{r} qid:{q} 1:{r} 2:{q} 3:{r * q % 3}\n" for q in range(1, 5) for r in (0, 1, 2)))
    for name in HOSTILE[:9]:
        with open(f"{cwd}/n.txt", "wb") as file:
            file.write(b"first\n" + name + b"\nthird\n")
        got = run(b"rank", b"l.txt", b"--names", b"n.txt", b"--cache", b"none", cwd=cwd)
        ok(got.returncode == 2 and not got.stdout, f"rank refuses {name!r}") or note(got)
        is_shown(got.stderr, "with a printable sentence")
    with open(f"{cwd}/n.txt", "wb") as file:
        file.write(b"\xc3\xa4\n=1\xc3\xb6+1\n@third\n")
    got = run(b"rank", b"l.txt", b"--names", b"n.txt", b"--cache", b"none", b"--json", cwd=cwd)
    same(json.loads(got.stdout.decode())["names"], ["\u00e4", "=1\u00f6+1", "@third"], "others it takes")
done()
