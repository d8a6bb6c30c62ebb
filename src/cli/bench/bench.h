/* bench.h - the reports of `spar bench`. They add to a buffer, whose owner checks buf->failed. */
#ifndef SPAR_CLI_BENCH_H
#define SPAR_CLI_BENCH_H

#include "base/buf.h"
#include "bench/bench.h"
#include "plot/plot.h"

/* What the numbers were measured on. */
typedef struct spar__bench_machine {
    const char *version; /* of spar */
    const char *cpu;     /* the instruction set in use */
    const char *compiler;
    size_t cores;
} spar__bench_machine;

spar__bench_machine spar__bench_machine_here(void);

/* How many times faster than the plain loop; NaN where there is nothing to compare. */
static inline double spar__bench_ratio(const spar__bench_case *item)
{
    return item->plain_ns / item->ns;
}

void spar__bench_text(const spar__bench_report *report, bool styled, spar__buf *out);
void spar__bench_json(const spar__bench_report *report, bool quick, spar__buf *out);
void spar__bench_csv(const spar__bench_report *report, spar__buf *out);

/* Cost against the number of arms (part ARMS) or against the round (part ROUNDS), as SVG; nothing if there are no such
 * numbers. */
spar_status spar__bench_plot(const spar__bench_report *report, spar__bench_part part, spar__drawing *out);

#endif
