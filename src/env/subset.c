#include "env/subset.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "prefer/prefer.h"

enum { MOST_TRIES = 100000 }; /* subsets drawn before giving up */

/* The preferences among the items order[0 .. k-1]; false without a Condorcet winner in every phase. */
static bool fill_phases(const spar__matrix *matrix, const size_t *order, spar_world *world)
{
    size_t k = world->n, with_winner = 0;
    for (size_t f = 0; f < world->phases; f++) {
        double *p = world->phase[f].p;
        for (size_t i = 0; i < k; i++)
            for (size_t j = 0; j < k; j++)
                p[i * k + j] = matrix[f].p[order[i] * matrix[f].n + order[j]];
        size_t best = SPAR_NO_ARM;
        with_winner += spar__condorcet(k, p, &best);
        spar__phase_set_best(&world->phase[f], k, best);
    }
    return with_winner == world->phases;
}

spar_status spar__subset_start(const spar__matrix *matrix, size_t matrices, size_t k, uint64_t every, uint64_t seed,
                               uint64_t run, bool winner, const char *what, size_t *order, spar_world *world,
                               spar_error *err)
{
    size_t n = matrix[0].n;
    world->n = k;
    if (spar__world_set_phases(world, matrices, every))
        return SPAR_NOMEM;
    spar_rng rng;
    spar__world_labels(&rng, seed, run, n, order);
    for (; !fill_phases(matrix, order, world) && winner; spar_rng_shuffle(&rng, order, n))
        if (++world->redrawn == MOST_TRIES)
            return spar__fail(err, SPAR_UNSUPPORTED,
                              "%s: none of %d random subsets of %zu arms has one that beats all others", what,
                              MOST_TRIES, k);
    return spar__world_set_arms(world, order, k, 0, NULL, matrix[0].names);
}

double spar__subset_share(const spar__matrix *matrix, size_t k)
{
    size_t n = matrix->n;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        size_t wins = 0;
        for (size_t j = 0; j < n; j++)
            wins += matrix->p[i * n + j] > 0.5;
        double share = (double)k / (double)n;
        for (size_t j = 0; j + 1 < k; j++)
            share *= j < wins ? (double)(wins - j) / (double)(n - 1 - j) : 0;
        sum += share;
    }
    return sum;
}

spar_status spar__cycle_text(const char *what, const spar__matrix *matrix, char **out, spar_error *err)
{
    *out = NULL;
    if (spar__condorcet(matrix->n, matrix->p, NULL))
        return SPAR_OK;
    spar__buf text = {0};
    size_t *member = spar__alloc(matrix->n, sizeof *member), i = 0;
    if (!member)
        return spar__fail_memory(err);
    size_t count = spar__top_cycle(matrix->n, matrix->p, member);
    spar__buf_printf(&text, "%.200s: no arm beats all others (the top cycle is the %zu arms ", what, count);
    size_t most = text.length + 120; /* an error holds more than this clause */
    for (; i < count && text.length < most; i++) {
        spar__buf_adds(&text, i ? ", " : "");
        if (matrix->names)
            spar__buf_printf(&text, "%.60s", matrix->names[member[i]]);
        else
            spar__buf_printf(&text, "%zu", member[i]);
    }
    spar__buf_printf(&text, "%s%s)", i < count ? ", ..." : "", matrix->names ? "" : ", counted from 0");
    spar__free(member);
    if (text.failed) {
        spar__buf_free(&text);
        return spar__fail_memory(err);
    }
    *out = text.text;
    return SPAR_OK;
}
