#include "sim/gaps.h"

#include "base/alloc.h"
#include "prefer/prefer.h"

#include <math.h>

bool spar__gaps_needed(spar_regret kind)
{
    return kind == SPAR_REGRET_BORDA || kind == SPAR_REGRET_COPELAND || kind == SPAR_REGRET_VON_NEUMANN;
}

const char *spar__regret_name(spar_regret kind)
{
    static const char *const names[] = {
        [SPAR_REGRET_SUM] = "sum",     [SPAR_REGRET_WEAK] = "weak",         [SPAR_REGRET_BEST_FIXED] = "best_fixed",
        [SPAR_REGRET_BORDA] = "borda", [SPAR_REGRET_COPELAND] = "copeland", [SPAR_REGRET_VON_NEUMANN] = "von_neumann"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

const char *spar__regret_refuses(const spar_world *world, spar_regret kind)
{
    bool needs_list = spar__gaps_needed(kind) || kind == SPAR_REGRET_BEST_FIXED;
    if (needs_list && world->utility_at)
        return "it is continuous, and this kind needs a list of arms";
    if (spar__gaps_needed(kind) && world->plain)
        return "it gives rewards, and this kind compares arms";
    if (spar__gaps_needed(kind) && world->n > SPAR__GAPS_MOST)
        return "it has more than 4096 arms, and this kind looks at all pairs of them";
    return NULL;
}

/* What an arm has the more of the better: the mean chance to win, or the part of the others that it beats. */
static double merit(const spar_world *world, const spar__phase *phase, spar_regret kind, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < world->n; j++) {
        double p = spar__phase_prefer(world, phase, i, j);
        if (j != i)
            sum += kind == SPAR_REGRET_BORDA ? p : p > 0.5;
    }
    return world->n > 1 ? sum / (double)(world->n - 1) : 0;
}

static void fill_merits(const spar_world *world, const spar__phase *phase, spar_regret kind, double *gap)
{
    double best = 0;
    for (size_t i = 0; i < world->n; i++) {
        gap[i] = merit(world, phase, kind, i);
        best = fmax(best, gap[i]);
    }
    for (size_t i = 0; i < world->n; i++)
        gap[i] = best - gap[i];
}

/* What the optimal strategy wins against each arm; never less than nothing but for rounding. */
static bool fill_strategy(const spar_world *world, const spar__phase *phase, double *gap)
{
    size_t n = world->n;
    double *p = spar__alloc(n, n * sizeof *p), *w = spar__alloc(n, sizeof *w);
    bool good = p && w;
    for (size_t i = 0; good && i < n * n; i++)
        p[i] = spar__phase_prefer(world, phase, i / n, i % n);
    good = good && spar__von_neumann_even(n, p, w) == SPAR_OK;
    for (size_t j = 0; good && j < n; j++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += w[i] * (p[i * n + j] - 0.5);
        gap[j] = fmax(sum, 0);
    }
    spar__free(p);
    spar__free(w);
    return good;
}

double *spar__gaps_new(const spar_world *world, spar_regret kind)
{
    double *gap = spar__alloc(world->phases, world->n * sizeof *gap);
    for (size_t f = 0; gap && f < world->phases; f++) {
        const spar__phase *phase = &world->phase[f];
        if (kind != SPAR_REGRET_VON_NEUMANN) {
            fill_merits(world, phase, kind, gap + f * world->n);
        } else if (!fill_strategy(world, phase, gap + f * world->n)) {
            spar__free(gap);
            return NULL;
        }
    }
    return gap;
}
