/* Statements from the counts that evidence.c keeps. */
#include "prefer/evidence.h"

#include <math.h>

spar__against spar__evidence_against(const spar__evidence *ev, size_t x, size_t j)
{
    const spar__pair_row *row = x == j ? NULL : spar__pair_find(&ev->pairs, x, j);
    if (!row)
        return (spar__against){0};
    int s = x > j;
    double threshold = spar__evidence_threshold(ev, x, j);
    return (spar__against){.won = row->won[s],
                           .lost = row->won[1 - s],
                           .ties = row->ties,
                           .log_e = row->log_e[s],
                           .log_max = row->log_max[s],
                           .log_near = row->log_near[s],
                           .settled = row->log_max[s] >= threshold,
                           .near = row->log_near[s] >= threshold};
}

static double least_against(const spar__evidence *ev, size_t x, bool near)
{
    double least = INFINITY;
    for (size_t j = 0; j < ev->n; j++)
        if (j != x && ev->option[j].live) {
            spar__against a = spar__evidence_against(ev, x, j);
            least = fmin(least, near ? a.log_near : a.log_max);
        }
    return least;
}

static size_t over_all(const spar__evidence *ev, bool near)
{
    size_t best = SPAR__NO_OPTION;
    double best_least = 0;
    for (size_t x = 0; x < ev->n && ev->live > 1; x++) {
        const spar__option_evidence *o = &ev->option[x];
        if (!o->live || (near ? o->near : o->over) < ev->live - 1)
            continue;
        double least = least_against(ev, x, near);
        if (best == SPAR__NO_OPTION || least > best_least) {
            best = x;
            best_least = least;
        }
    }
    return best;
}

size_t spar__evidence_best(const spar__evidence *ev)
{
    return over_all(ev, false);
}

size_t spar__evidence_practical(const spar__evidence *ev)
{
    return over_all(ev, true);
}

bool spar__evidence_running(const spar__evidence *ev, size_t option)
{
    return ev->option[option].live && ev->option[option].under == 0;
}

size_t spar__evidence_running_count(const spar__evidence *ev)
{
    size_t count = 0;
    for (size_t i = 0; i < ev->n; i++)
        count += spar__evidence_running(ev, i);
    return count;
}

/* Is x at the level of every other that is in the running? */
static bool level_with_all(const spar__evidence *ev, size_t x)
{
    for (size_t j = 0; j < ev->n; j++) {
        if (j == x || !spar__evidence_running(ev, j))
            continue;
        double bar = spar__evidence_threshold(ev, x, j) + ev->log_level;
        if (!(spar__evidence_against(ev, x, j).log_near >= bar))
            return false;
    }
    return true;
}

bool spar__evidence_equal(const spar__evidence *ev)
{
    size_t count = spar__evidence_running_count(ev);
    for (size_t x = 0; x < ev->n && count > 1; x++) /* cheap, and mostly enough */
        if (spar__evidence_running(ev, x) && ev->option[x].level < count - 1)
            return false;
    for (size_t x = 0; x < ev->n && count > 1; x++)
        if (spar__evidence_running(ev, x) && !level_with_all(ev, x))
            return false;
    return count > 1;
}
