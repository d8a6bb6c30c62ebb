/* progress.h - a progress line on a terminal, a line every 10 seconds elsewhere, and whether the user wants to stop. */
#ifndef SPAR_CLI_PROGRESS_H
#define SPAR_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct spar__progress_line {
    bool shown;         /* standard error is a terminal */
    bool dirty;         /* there is a line to erase */
    const char *what;   /* written in front; may be "" */
    const char *unit;   /* of the rate, "rounds" by default; NULL: no rate is shown */
    double per;         /* steps in one unit, 1 by default */
    double start, last; /* nanoseconds: the first and the latest line */
} spar__progress_line;

/* From now on the first SIGINT or SIGTERM sets spar__stop_wanted; a second one ends the process. */
void spar__stop_catch(void);
bool spar__stop_wanted(void);

/* Has the time passed in which one should have stopped? Reports that may be large ask this while they are made. */
bool spar__stop_due(void);

/* From now on a signal ends the process: there is nothing left to do but to print, perhaps to someone who reads slowly.
 */
void spar__stop_release(void);

void spar__progress_begin(spar__progress_line *progress, const char *what);

/* The first lines where there is no terminal come after one second, then two, four ... */
void spar__progress_soon(void);

/* A spar_progress whose context is a spar__progress_line. A total of 0 is unknown. False when the user wants to stop.
 */
bool spar__progress_show(void *context, uint64_t done, uint64_t total);

/* Erases the line. */
void spar__progress_end(spar__progress_line *progress);

#endif
