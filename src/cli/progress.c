/* progress.c - a progress line on a terminal, a line every 10 seconds elsewhere, and whether the user wants to stop. */
#include "cli/progress.h"

#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double GRACE = 5e8;    /* nanoseconds for a report after a signal */
static const double LONGEST = 1e10; /* nanoseconds between two lines where there is no terminal */

static atomic_int stop; /* set in a signal handler, read by any thread */

/* Only the first signal, of either kind, is handled; the next one has its default action. */
static void ask_to_stop(int number)
{
    (void)number;
    int before = errno;
    atomic_store(&stop, 1);
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
    errno = before;
}

static void catch_one(int number, const struct sigaction *action)
{
    struct sigaction before;
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* as under nohup */
        (void)sigaction(number, action, NULL);
}

void spar__stop_catch(void)
{
    struct sigaction action = {.sa_handler = ask_to_stop, .sa_flags = SA_RESTART};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaddset(&action.sa_mask, SIGINT);
    (void)sigaddset(&action.sa_mask, SIGTERM);
    catch_one(SIGINT, &action);
    catch_one(SIGTERM, &action);
}

bool spar__stop_wanted(void)
{
    return atomic_load(&stop) != 0;
}

/* The time starts when the signal is first noticed. */
bool spar__stop_due(void)
{
    static double noticed;
    if (!spar__stop_wanted())
        return false;
    if (noticed == 0)
        noticed = spar__clock_wall();
    return spar__clock_wall() - noticed > GRACE;
}

static void release_one(int number)
{
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler == ask_to_stop)
        (void)signal(number, SIG_DFL);
}

void spar__stop_release(void)
{
    release_one(SIGINT);
    release_one(SIGTERM);
}

void spar__progress_begin(spar__progress_line *progress, const char *what)
{
    const char *terminal = getenv("TERM");
    *progress = (spar__progress_line){.what = what, .unit = "rounds", .per = 1};
    progress->shown = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    progress->start = progress->last = spar__clock_wall();
}

static double silence = 1e10; /* ... and now */

void spar__progress_soon(void)
{
    silence = 1e9;
}

static void write_line(const spar__progress_line *progress, double done, double total, double spent)
{
    double rate = progress->unit ? done / spent / progress->per : 0;
    unsigned long left = total > 0 ? (unsigned long)(spent * (total / done - 1) + 0.5) : 0;
    const char *begin = progress->shown ? "\r" : "spar: ", *end = progress->shown ? "\033[K" : "\n";
    if (!progress->unit) {
        (void)fprintf(stderr, "%s%s%3.0f %%  %lu:%02lu left%s", begin, progress->what, 100 * done / total, left / 60,
                      left % 60, end);
    } else if (total > 0) {
        (void)fprintf(stderr, "%s%s%3.0f %%  %.3g %s/s  %lu:%02lu left%s", begin, progress->what, 100 * done / total,
                      rate, progress->unit, left / 60, left % 60, end);
    } else {
        (void)fprintf(stderr, "%s%s%.0f %s  %.3g %s/s%s", begin, progress->what, done / progress->per, progress->unit,
                      rate, progress->unit, end);
    }
}

bool spar__progress_show(void *context, uint64_t done, uint64_t total)
{
    spar__progress_line *progress = context;
    double now = spar__clock_wall();
    if (!done) /* what comes before does not count: it is the rate that tells how much time is left */
        progress->start = progress->last = now;
    double wait = progress->shown ? 1e8 : silence;
    if (done && (done < total || !total) && now - progress->last > wait) {
        progress->last = now;
        progress->dirty = progress->shown;
        write_line(progress, (double)done, (double)total, 1e-9 * (now - progress->start));
        if (!progress->shown && silence < LONGEST)
            silence *= 2;
    }
    return !stop;
}

void spar__progress_end(spar__progress_line *progress)
{
    if (progress->dirty)
        (void)fputs("\r\033[K", stderr);
    progress->dirty = false;
}
