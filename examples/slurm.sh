#!/bin/sh
# slurm.sh - a sweep as a job array. The same two commands serve every batch system: one that plays part I of N, for each
# I, and one that reports when all have ended.
#
#     sbatch --array=1-8 --cpus-per-task=4 slurm.sh
#     sbatch --dependency=afterok:JOBID slurm.sh report
#     PARTS=8 sbatch --array=3,5 slurm.sh        # tasks 3 and 5 of the 8 again
#
# A task that was killed is started again as it was; PARTS says of how many, because Slurm counts the new array only. Cells
# that are complete are kept in $OUT/cells, one file for each writer, and are not played twice. OUT is a directory that all
# tasks see. Without one, give each task an OUT of its own and all of them to 'spar merge'.
#SBATCH --job-name=spar
#SBATCH --time=04:00:00
set -eu

SPAR=${SPAR:-spar}
OUT=${OUT:-out/sweep}
SWEEP=${SWEEP:-sweep.yaml}
PARTS=${PARTS:-${SLURM_ARRAY_TASK_COUNT-}}

if [ "${1-}" = report ]; then
    exec "$SPAR" merge "$OUT" --json >"$OUT/report.json"
fi
exec "$SPAR" run "$SWEEP" --out "$OUT" --threads "${SLURM_CPUS_PER_TASK:-0}" \
    --part "${SLURM_ARRAY_TASK_ID:?not a task of a job array}/$PARTS"
