/* main.c - spar-mpi: the command, whose sweeps are played by all ranks of a job.
 *
 *     mpirun -n 64 spar-mpi run ...
 *
 * Every rank runs the same command with the same options. Rank 0 reads and writes files, prints and reports; the others
 * play cells for it. What they would print is not shown, unless they fail alone: then rank 0 says why. */
#include "base/alloc.h"
#include "base/clock.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/sweeping.h"
#include "mpi/mail.h"
#include "mpi/ranks.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double PATIENCE = 5e9; /* nanoseconds until a rank that does not answer is left alone */

static const spar__sweep_runner leads = {.helps = false, .run = spar__ranks_lead};
static const spar__sweep_runner helps = {.helps = true, .run = spar__ranks_help};

/* Ranks on this machine. */
static int ranks_here(void)
{
    MPI_Comm here;
    int n = 1;
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here) == MPI_SUCCESS) {
        (void)MPI_Comm_size(here, &n);
        (void)MPI_Comm_free(&here);
    }
    return n;
}

/* One thread per core that mpirun has given to this rank, or its share of all cores. */
static void choose_threads(void)
{
    cpu_set_t cores;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    int mine = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : (int)online;
    int n = mine < online ? mine : (int)online / ranks_here();
    char text[16];
    (void)snprintf(text, sizeof text, "%d", n < 1 ? 1 : n);
    (void)setenv("SPAR_THREADS", text, 0);
}

/* Is it a command whose cells are played by all? */
static bool is_sweep(int argc, char **argv)
{
    const spar__command *command = argc > 1 ? spar__command_find(argv[1]) : NULL;
    for (const spar__option *o = command ? command->options : NULL; o && o->name; o++)
        if (strcmp(o->name, "part") == 0)
            return true;
    return false;
}

/* Tells rank 0 why, in the words that would have been printed. */
static void send_failure(FILE *said)
{
    char line[600] = "";
    spar__buf text = {0};
    uint64_t status = (uint64_t)(int64_t)SPAR_INVALID;
    if (said)
        rewind(said);
    while (said && fgets(line, sizeof line, said))
        continue;
    line[strcspn(line, "\n")] = '\0';
    spar__buf_adds(&text, strncmp(line, "spar: ", 6) == 0 ? line + 6 : *line ? line : "it failed");
    spar__mail_send(0, SPAR__MAIL_FAIL, &status, 1, &text);
    spar__buf_free(&text);
}

/* What it would print goes nowhere, or to a file from which its last sentence can be read. */
static FILE *be_quiet(void)
{
    FILE *said = tmpfile();
    FILE *nowhere = fopen("/dev/null", "w");
    int errors = said ? fileno(said) : nowhere ? fileno(nowhere) : -1;
    (void)dup2(nowhere ? fileno(nowhere) : -1, STDOUT_FILENO);
    (void)dup2(errors, STDERR_FILENO);
    return said;
}

/* Runs the command quietly, then waits until rank 0 is through. */
static int help(int argc, char **argv)
{
    FILE *said = be_quiet();
    spar__sweeping_runner = &helps;
    bool failed = is_sweep(argc, argv) && spar__main(argc, argv) && !spar__ranks_quit() && !spar__stop_wanted();
    if (failed)
        send_failure(said);
    for (bool over = spar__ranks_quit(); !over;) {
        spar__mail mail;
        if (!spar__mail_next(&mail, true))
            continue;
        over = mail.kind == SPAR__MAIL_QUIT;
        spar__buf_free(&mail.bytes);
    }
    spar__mail_send(0, SPAR__MAIL_BYE, NULL, 0, NULL);
    while (!spar__mail_settled())
        continue;
    return 0;
}

/* Ends the job; false: a rank does not answer. */
static bool dismiss(void)
{
    int ranks = spar__mail_ranks(), left = ranks - 1;
    double start = spar__clock_wall(), patience = spar__stop_wanted() ? PATIENCE / 10 : PATIENCE;
    for (int r = 1; r < ranks; r++)
        spar__mail_send(r, SPAR__MAIL_QUIT, NULL, 0, NULL);
    while ((left || !spar__mail_settled()) && spar__clock_wall() - start < patience) {
        spar__mail mail;
        if (!spar__mail_next(&mail, true))
            continue;
        left -= mail.kind == SPAR__MAIL_BYE;
        spar__buf_free(&mail.bytes);
    }
    return !left;
}

/* mpirun gives its ranks a terminal as standard output, whatever its own is: a report would be fitted to its width. So
 * it is printed to a file first. */
static int report_apart(int argc, char **argv)
{
    char block[1 << 14];
    FILE *kept = tmpfile();
    int real = dup(STDOUT_FILENO);
    if (!kept || real < 0 || dup2(fileno(kept), STDOUT_FILENO) < 0)
        return spar__main(argc, argv);
    int status = spar__main(argc, argv);
    (void)fflush(stdout);
    (void)dup2(real, STDOUT_FILENO);
    (void)close(real);
    rewind(kept);
    for (size_t n; (n = fread(block, 1, sizeof block, kept)) > 0;)
        if (fwrite(block, 1, n, stdout) != n)
            status = 1;
    (void)fclose(kept);
    return status;
}

static int lead(int argc, char **argv)
{
    spar__sweeping_runner = &leads;
    spar__progress_soon();
    int status = is_sweep(argc, argv) ? report_apart(argc, argv) : spar__main(argc, argv);
    if (fflush(stdout) != 0)
        status = 1;
    if (!dismiss())
        (void)MPI_Abort(MPI_COMM_WORLD, status ? status : 1);
    return status;
}

int main(int argc, char **argv)
{
    int got;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &got) || got < MPI_THREAD_FUNNELED) {
        (void)fprintf(stderr, "spar: this MPI does not support threads\n");
        return 1;
    }
    choose_threads();
    int status = spar__mail_rank() == 0 ? lead(argc, argv) : help(argc, argv);
    (void)MPI_Finalize();
    return status;
}
