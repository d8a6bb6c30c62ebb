/* logs.h - random logs of answers for the tests of evidence and decide, as events of the reference. */
#ifndef SPAR_TESTS_PREFER_LOGS_H
#define SPAR_TESTS_PREFER_LOGS_H

#include "reference/evidence.h"

#include <math.h>
#include <string.h>

static uint64_t logs_state = 1;

static double logs_uniform(void)
{
    uint64_t z = logs_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

__attribute__((unused)) static size_t logs_below(size_t n)
{
    return (size_t)(logs_uniform() * (double)n);
}

/* What kind of log: strengths are drawn with this spread; chances of the rest. */
typedef struct logs_kind {
    const char *name;
    size_t options, most; /* at first, and ever */
    size_t m;             /* at most */
    double spread, add, retire, copy, tie, skip, weigh;
    size_t voters; /* 0: unknown */
    bool duels;
} logs_kind;

static void logs_set(ref_event *e, size_t j, size_t k, int outcome)
{
    e->outcome[j][k] = outcome;
    e->outcome[k][j] = outcome ? 4 - outcome : 0;
}

static void logs_screen(const logs_kind *kind, size_t n, const bool *alive, ref_event *e)
{
    e->m = 2 + logs_below(kind->m - 1);
    for (size_t j = 0; j < e->m;) {
        size_t option = logs_below(n);
        bool fresh = alive[option] || logs_uniform() < 0.02; /* a late answer of a retired one */
        for (size_t k = 0; k < j; k++)
            fresh = fresh && (e->slot[k] != option || logs_uniform() < kind->copy);
        if (fresh)
            e->slot[j++] = option;
        else if (logs_uniform() < 0.01)
            e->m = j > 1 ? j : e->m; /* too few are alive */
    }
}

/* A winner, a ranking, or pairs: slots are ordered by strength plus noise. */
static void logs_outcome(const logs_kind *kind, const double *strength, ref_event *e)
{
    double worth[REF_SLOTS], form = logs_uniform();
    for (size_t j = 0; j < e->m; j++)
        worth[j] = strength[e->slot[j]] - log(-log(fmax(1e-300, logs_uniform())));
    size_t top = 0;
    for (size_t j = 0; j < e->m; j++)
        top = worth[j] > worth[top] ? j : top;
    for (size_t j = 0; j < e->m; j++)
        for (size_t k = 0; k < j; k++) {
            bool told = form < 0.4 ? j == top || k == top : form < 0.8 || logs_uniform() < 0.5;
            if (told)
                logs_set(e, j, k, logs_uniform() < kind->tie ? 2 : worth[j] > worth[k] ? 3 : 1);
        }
}

static void logs_answer(const logs_kind *kind, size_t n, const bool *alive, const double *strength, ref_event *e)
{
    e->kind = REF_EVENT_ANSWER;
    e->weight = logs_uniform() < kind->weigh ? 1 - 0.9 * logs_uniform() : 1;
    e->duels = kind->duels;
    e->voter = kind->voters ? logs_below(kind->voters + 1) : 0;
    e->item = kind->voters ? logs_below(2) : 0;
    logs_screen(kind, n, alive, e);
    if (logs_uniform() >= kind->skip)
        logs_outcome(kind, strength, e);
}

/* `count` events; none is retired when only two are left. */
__attribute__((unused)) static void logs_make(const logs_kind *kind, size_t count, ref_event *event)
{
    size_t n = kind->options, live = n;
    bool alive[REF_OPTIONS];
    double strength[REF_OPTIONS];
    memset(event, 0, count * sizeof *event);
    for (size_t i = 0; i < REF_OPTIONS; i++) {
        alive[i] = i < n;
        strength[i] = kind->spread * -(double)logs_below(4);
    }
    for (size_t t = 0; t < count; t++) {
        size_t option = logs_below(n);
        double often = t < 3 ? 6 : 1; /* also before the first answer */
        if (n < kind->most && logs_uniform() < often * kind->add) {
            event[t].kind = REF_EVENT_ADD;
            alive[n++] = true;
            live++;
        } else if (live > 2 && alive[option] && logs_uniform() < often * kind->retire) {
            event[t] = (ref_event){.kind = REF_EVENT_RETIRE, .option = option};
            alive[option] = false;
            live--;
        } else
            logs_answer(kind, n, alive, strength, &event[t]);
    }
}

#endif
