/* Does a file have the votes in the order they were given? One sorted by the winner does not, and the evidence along it
 * would be that of a long row of wins. Of w wins and l losses of a pair in any order equally likely, two neighbours
 * differ 2 w l / (w + l) times on average (Wald and Wolfowitz 1940). */
#include "base/alloc.h"
#include "cli/decide/decide.h"
#include "decide/decide.h"

#include <math.h>

static const double FAR = -3; /* standard deviations below the mean */

typedef struct pair_runs {
    uint32_t won[2], changes, last;
} pair_runs;

static void count(pair_runs *r, uint32_t winner)
{
    r->changes += r->won[0] + r->won[1] > 0 && r->last != winner;
    r->won[winner]++;
    r->last = winner;
}

static bool too_few_changes(size_t n, const pair_runs *runs)
{
    double surplus = 1, variance = 0; /* one change more: a single loss is at an end of the file easily enough */
    for (size_t i = 0; i < n; i++) {
        double w = runs[i].won[0], l = runs[i].won[1], all = w + l, wl = 2 * w * l;
        surplus += all > 0 ? runs[i].changes - wl / all : 0;
        variance += all > 1 ? wl * (wl - all) / (all * all * (all - 1)) : 0;
    }
    return variance > 0 && surplus < FAR * sqrt(variance);
}

spar_status spar__decide_looks_sorted(const spar_decision *d, bool *sorted)
{
    pair_runs *runs = spar__alloc(d->evidence.pairs.count, sizeof *runs);
    *sorted = false;
    if (!runs)
        return SPAR_NOMEM;
    for (size_t i = 0; i < d->log_count; i++)
        count(&runs[d->log[i].row & ~SPAR__JOINED], d->log[i].won < 0);
    *sorted = too_few_changes(d->evidence.pairs.count, runs);
    spar__free(runs);
    return SPAR_OK;
}
