/* progress.h - how far a long command is, on a terminal only, and whether the user wants it to stop. */
#ifndef SPAR_CLI_PROGRESS_H
#define SPAR_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct spar__progress_line {
    bool shown;         /* standard error is a terminal */
    bool dirty;         /* there is a line to erase */
    const char *what;   /* written in front; may be "" */
    const char *unit;   /* of the rate, "rounds" until somebody says otherwise; NULL: no rate, the total is known */
    double per;         /* so many make one of the unit: 1 */
    double start, last; /* nanoseconds: the first and the latest line */
} spar__progress_line;

/* From now on the first SIGINT or SIGTERM only asks to stop; a second one ends the process at once. */
void spar__stop_catch(void);
bool spar__stop_wanted(void);

void spar__progress_begin(spar__progress_line *progress, const char *what);

/* Fits spar_plan.progress, with a spar__progress_line as its context. A total of 0 is not known. False when the user
 * wants to stop. */
bool spar__progress_show(void *context, uint64_t done, uint64_t total);

/* Erases the line. */
void spar__progress_end(spar__progress_line *progress);

#endif
