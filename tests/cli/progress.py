"""Work that takes long and has no terminal says every 10 s how far it is, on standard error."""
import re
import signal
import subprocess
import time

from harness import SPAR, done, environment, note, ok, same

process = subprocess.Popen([SPAR, "run", "--env", "utility", "--policy", "random", "--rounds", "1e12", "--runs", "1"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
time.sleep(24)
process.send_signal(signal.SIGINT)
out, err = process.communicate(timeout=60)
lines = err.splitlines()
ok(2 <= len(lines) <= 4 and all(re.fullmatch(r"spar: +\d+ %  \S+ rounds/s  \d+:\d\d left", line) for line in lines[:-1]),
   "a line every 10 s") or note(err)
ok(lines[-1].startswith("spar: interrupted"), "and what became of it")
ok("\033" not in err and "\r" not in err, "in plain text")
same(process.returncode, 1, "an interruption is a failure")
done()
