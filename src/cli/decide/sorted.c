/* Does a file have the votes in the order they were given? One sorted by the winner does not, and the evidence along it
 * would be that of a long row of wins. Of w wins and l losses of a pair in any order equally likely, two neighbours
 * differ 2 w l / (w + l) times on average (Wald and Wolfowitz 1940). */
#include "base/alloc.h"
#include "cli/decide/decide.h"

#include <math.h>

static const double FAR = -3; /* standard deviations below the mean */

typedef struct pair_runs {
    double won[2], changes;
    size_t last;
} pair_runs;

typedef struct run_table {
    spar__key_table keys;
    pair_runs *runs;
    size_t room;
} run_table;

static spar_status reserve(run_table *t)
{
    if (spar__key_table_reserve(&t->keys, 1))
        return SPAR_NOMEM;
    if (t->keys.n < t->room)
        return SPAR_OK;
    size_t room = t->room ? 2 * t->room : 64;
    pair_runs *runs = spar__realloc(t->runs, t->room, room, sizeof *runs);
    if (!runs)
        return SPAR_NOMEM;
    t->runs = runs;
    t->room = room;
    return SPAR_OK;
}

static spar_status count(run_table *t, const spar__vote_slot slot[2])
{
    if (reserve(t))
        return SPAR_NOMEM;
    bool turned = slot[0].option > slot[1].option;
    size_t winner = (slot[0].place < slot[1].place) == turned; /* 0: the option of the lesser number */
    size_t at = spar__key_get(&t->keys, slot[turned].option, slot[!turned].option);
    pair_runs *r = &t->runs[at];
    r->changes += r->won[0] + r->won[1] > 0 && r->last != winner;
    r->won[winner]++;
    r->last = winner;
    return SPAR_OK;
}

static bool too_few_changes(const run_table *t)
{
    double surplus = 0, variance = 0;
    for (size_t i = 0; i < t->keys.n; i++) {
        double w = t->runs[i].won[0], l = t->runs[i].won[1], n = w + l, wl = 2 * w * l;
        surplus += t->runs[i].changes - wl / n;
        variance += n > 1 ? wl * (wl - n) / (n * n * (n - 1)) : 0;
    }
    return variance > 0 && surplus < FAR * sqrt(variance);
}

spar_status spar__votes_look_sorted(const spar__votes *votes, bool *sorted)
{
    run_table t = {0};
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < votes->n && !status; i++) {
        const spar__vote *vote = &votes->vote[i];
        const spar__vote_slot *slot = votes->slot + vote->first;
        if (vote->m == 2 && vote->kind == SPAR__VOTE_ORDER && slot[0].place != slot[1].place &&
            slot[0].option != slot[1].option)
            status = count(&t, slot);
    }
    *sorted = !status && too_few_changes(&t);
    spar__key_table_fini(&t.keys);
    spar__free(t.runs);
    return status;
}
