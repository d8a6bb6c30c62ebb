"""libraries.py COMPILER ... - the shared libraries that the extension needs and a machine with Python may lack, with
all that they need in turn: a line 'SONAME PATH' for each."""
import re
import subprocess
import sys

LINKED = ["yaml", "sqlite3", "sodium"]
# Part of every glibc system: a copy of these would not work with the loader that is there.
SYSTEM = re.compile(r"(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|nsl|anl))\.so\b.*")


def needed(path):
    """Names and places of what a library loads."""
    for line in subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout.splitlines():
        match = re.match(r"\s*(\S+) => (/\S+)", line)
        if match and not SYSTEM.match(match[1]):
            yield match[1], match[2]


def soname(path):
    text = subprocess.run(["objdump", "-p", path], capture_output=True, text=True, check=True).stdout
    return re.search(r"SONAME\s+(\S+)", text)[1]


found = {}
for name in LINKED:
    path = subprocess.run([*sys.argv[1:], f"-print-file-name=lib{name}.so"], capture_output=True, text=True,
                          check=True).stdout.strip()
    if not path.startswith("/"):
        sys.exit(f"libraries: there is no lib{name}.so")
    found[soname(path)] = path
    found.update(needed(path))
for name, path in sorted(found.items()):
    print(name, path)
