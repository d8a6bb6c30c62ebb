#include "cli/rank/rank.h"

#include "base/alloc.h"
#include "prefer/prefer.h"

#include <stdlib.h>

static spar__rank_standing stand(const spar__rank_result *r, size_t i)
{
    spar__rank_standing s = {.ranker = i, .hardest = i};
    double sum = 0;
    for (size_t j = 0; j < r->n; j++) {
        double p = r->p[i * r->n + j];
        if (j == i)
            continue;
        s.beats += p > 0.5;
        s.ties += p == 0.5;
        sum += p;
        if (s.hardest == i || p < r->p[i * r->n + s.hardest])
            s.hardest = j;
    }
    size_t at = i * r->n + s.hardest;
    s.mean = r->n > 1 ? sum / (double)(r->n - 1) : 0.5;
    s.margin = r->p[at] - 0.5;
    s.error = r->error[at];
    s.of_draws = r->of_draws ? r->of_draws[at] : 0;
    return s;
}

static int compare(const void *left, const void *right)
{
    const spar__rank_standing *a = left, *b = right;
    if (a->beats != b->beats)
        return a->beats > b->beats ? -1 : 1;
    if (a->mean != b->mean)
        return a->mean > b->mean ? -1 : 1;
    return (a->ranker > b->ranker) - (a->ranker < b->ranker);
}

spar_status spar__rank_result_make(const spar__rank_work *work, spar__rank_result *out, spar_error *err)
{
    size_t n = work->tally->rankers;
    *out = (spar__rank_result){.work = work, .n = n, .of_one = work->of_one};
    out->p = spar__alloc(n, n * sizeof *out->p);
    out->error = spar__alloc(n, n * sizeof *out->error);
    out->of_draws = work->draws ? spar__alloc(n, n * sizeof *out->of_draws) : NULL;
    out->standing = spar__alloc(n, sizeof *out->standing);
    size_t *members = spar__alloc(n, sizeof *members);
    if (!out->p || !out->error || (work->draws && !out->of_draws) || !out->standing || !members) {
        spar__free(members);
        spar__rank_result_free(out);
        return spar__fail_memory(err);
    }
    spar__tally_read(work->tally, out->p, out->error, out->of_draws);
    for (size_t i = 0; i < n; i++)
        out->standing[i] = stand(out, i);
    qsort(out->standing, n, sizeof *out->standing, compare);
    out->has_winner = spar__condorcet(n, out->p, NULL);
    out->cycle = spar__top_cycle(n, out->p, members);
    spar__free(members);
    return SPAR_OK;
}

bool spar__rank_told_apart(const spar__rank_result *r, size_t ranker)
{
    size_t at = r->standing[0].ranker * r->n + ranker;
    return r->work->tally->queries > 1 && r->p[at] - 0.5 > 2 * r->error[at];
}

void spar__rank_result_free(spar__rank_result *result)
{
    spar__free(result->p);
    spar__free(result->error);
    spar__free(result->of_draws);
    spar__free(result->standing);
    *result = (spar__rank_result){0};
}
