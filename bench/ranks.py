"""ranks.py SPAR SPAR-MPI - what it costs to hand a cell to another rank: 1e5 tiny cells by two threads and by two ranks."""
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

spar, mpi = map(os.path.abspath, sys.argv[1:3])
if not shutil.which("mpirun"):
    sys.exit(77)  # skipped
environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def seconds(*command):
    """Least CPU time of three."""
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


with tempfile.TemporaryDirectory() as where:
    os.chdir(where)
    names = "".join(f'  - "utility(set=arith,k={k})"\n' for k in range(2, 102))
    Path("grid.yaml").write_text(f"environments:\n{names}policies: [ind_self_sparring]\nm: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]\n"
                                 f"parameters:\n  eta: [{', '.join(str(1 + i / 100) for i in range(100))}]\nrounds: 2\nruns: 1\n")
    threads = seconds(spar, "run", "grid.yaml", "--threads", "2")
    empty = seconds("mpirun", "-n", "2", mpi, "--version")
    ranks = seconds("mpirun", "-n", "2", mpi, "run", "grid.yaml", "--threads", "1")
print(f"1e5 tiny cells, CPU time: two threads {threads:.2f} s, two ranks {ranks:.2f} s of which {empty:.2f} s to start")
print(f"  a cell for another rank  {(ranks - empty - threads) / 5e4 * 1e6:.1f} us more than a cell for another thread")
