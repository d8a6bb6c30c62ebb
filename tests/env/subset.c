#include "env/data.h"

#include "base/alloc.h"
#include "prefer/prefer.h"
#include "tap.h"

#include <stdlib.h>

enum { N = 8 };

/* Preferences with some ties and circles. */
static void draw_matrix(spar_rng *rng, double *p)
{
    for (size_t i = 0; i < N; i++) {
        p[i * N + i] = 0.5;
        for (size_t j = 0; j < i; j++) {
            double bias = (double)(i + 2) / (double)(i + j + 4), u = spar_rng_uniform(rng);
            p[i * N + j] = u < 0.1 ? 0.5 : spar_rng_uniform(rng) < bias ? 0.75 : 0.25;
            p[j * N + i] = 1 - p[i * N + j];
        }
    }
}

/* By looking at all subsets. */
static double count_share(const double *p, size_t k)
{
    size_t all = 0, good = 0;
    for (size_t set = 0; set < (size_t)1 << N; set++) {
        size_t member[N], n = 0;
        double q[N * N];
        for (size_t i = 0; i < N; i++)
            if (set >> i & 1)
                member[n++] = i;
        if (n != k)
            continue;
        for (size_t i = 0; i < k; i++)
            for (size_t j = 0; j < k; j++)
                q[i * k + j] = p[member[i] * N + member[j]];
        all++;
        good += spar__condorcet(k, q, NULL);
    }
    return (double)good / (double)all;
}

static void check_share(void)
{
    spar_rng rng;
    spar_rng_seed(&rng, 3, 0, 0);
    double worst = 0, p[N * N];
    size_t between = 0;
    for (size_t trial = 0; trial < 40; trial++) {
        draw_matrix(&rng, p);
        for (size_t k = 1; k <= N; k++) {
            double share = spar__subset_share(&(spar__matrix){N, p, NULL}, k), counted = count_share(p, k);
            worst = fmax(worst, fabs(share - counted));
            between += counted > 0 && counted < 1;
        }
    }
    ok(worst < 1e-14 && between > 100, "the share of subsets with a winner, as counted one by one");
}

/* The number of redrawn subsets is geometric; every subset with a winner comes equally often. */
static void check_draws(void)
{
    enum { RUNS = 20000, K = 4 };
    spar_rng rng;
    spar_rng_seed(&rng, 4, 0, 0);
    double p[N * N], sum = 0, seen[1 << N] = {0};
    draw_matrix(&rng, p);
    spar__matrix matrix = {N, p, NULL};
    double share = spar__subset_share(&matrix, K), expected = (1 - share) / share;
    size_t order[N], again[N], kinds = 0, wrong = 0;
    for (uint64_t run = 0; run < RUNS; run++) {
        spar_world world = {0}, other = {0};
        spar_error err = {0};
        if (spar__subset_start(&matrix, 1, K, 0, 5, run, true, "x", order, &world, &err) ||
            spar__subset_start(&matrix, 1, K, 0, 5, run, true, "x", again, &other, &err))
            exit(1);
        size_t set = 0, best = world.phase->best;
        for (size_t i = 0; i < K; i++) {
            set |= (size_t)1 << order[i];
            wrong += order[i] != again[i] || (i != best && !(p[order[best] * N + order[i]] > 0.5)) ||
                     world.phase->gap[i] != p[order[best] * N + order[i]] - 0.5;
        }
        kinds += seen[set]++ == 0;
        sum += (double)world.redrawn;
        wrong += world.redrawn != other.redrawn;
        for (size_t w = 0; w < 2; w++) {
            spar_world *made = w ? &other : &world;
            spar__free(made->phase->p);
            spar__free(made->phase->gap);
            spar__free(made->phase);
            spar_arms_free(made->arms);
        }
    }
    ok(wrong == 0, "subsets have their winner, and follow from seed and run");
    ok(share > 0.1 && share < 0.9, "%.3g of the subsets have a winner", share);
    near(sum / RUNS, expected, 5 * sqrt(expected / share / RUNS), "and the others are drawn and counted at their rate");
    double chi = 0, each = RUNS / (share * 70); /* C(8,4) */
    for (size_t set = 0; set < 1 << N; set++)
        if (seen[set] > 0)
            chi += (seen[set] - each) * (seen[set] - each) / each;
    ok(fabs((double)kinds - share * 70) < 1e-9, "all %zu of them come", kinds);
    ok(chi < (double)kinds + 5 * sqrt(2 * (double)kinds) + 14, "equally often (chi-square %.1f)", chi);
}

static void check_hopeless(void)
{
    double p[9] = {0.5, 0.9, 0.1, 0.1, 0.5, 0.9, 0.9, 0.1, 0.5};
    char *names[3] = {(char[]){"rock"}, (char[]){"paper"}, (char[]){"scissors"}};
    spar__matrix matrix = {3, p, NULL}, named = {3, p, names};
    spar_world *world = spar__alloc(1, sizeof *world);
    spar_error err = {0};
    size_t order[3];
    ok(spar__subset_share(&matrix, 3) == 0 && spar__subset_share(&matrix, 2) == 1,
       "a circle has winners in pairs only");
    ok(spar__subset_start(&matrix, 1, 3, 0, 1, 1, true, "ring", order, world, &err) == SPAR_UNSUPPORTED,
       "drawing gives up: %s", err.text);
    same_text(err.text, "ring: none of 100000 random subsets of 3 arms has one that beats all others", "with a reason");
    spar_world_free(world);
    world = spar__alloc(1, sizeof *world);
    ok(world && spar__subset_start(&matrix, 1, 3, 0, 1, 1, false, NULL, order, world, &err) == SPAR_OK &&
           world->phase->best == SPAR_NO_ARM && isnan(world->phase->gap[0]) && world->redrawn == 0,
       "where none is wanted, there is no winner");
    spar_world_free(world);
    char *said = NULL;
    ok(spar__cycle_text("ring", &named, &said, &err) == SPAR_OK && strstr(said, "3 arms rock, paper, scissors"),
       "the circle is named: %s", said ? said : "");
    spar__free(said);
}

int main(void)
{
    check_share();
    check_draws();
    check_hopeless();
    return done();
}
