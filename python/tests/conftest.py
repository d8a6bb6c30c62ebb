"""What the tests share. SPAR_EXE names the command to compare with; without it those tests are skipped."""
import os
import subprocess
import sys

import pytest


@pytest.fixture(scope="session")
def command():
    """Runs the command and gives its standard output."""
    exe = os.environ.get("SPAR_EXE")
    if not exe:
        pytest.skip("SPAR_EXE does not name the command spar")

    def run(*args):
        return subprocess.run([exe, *map(str, args)], check=True, capture_output=True, text=True).stdout
    return run


@pytest.fixture
def python():
    """Runs a program in a process of its own; gives (status, output, errors)."""
    def run(program, *args, **more):
        done = subprocess.run([sys.executable, "-c", program, *map(str, args)], capture_output=True, text=True, timeout=300,
                              **more)
        return done.returncode, done.stdout, done.stderr
    return run
