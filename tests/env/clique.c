#include "env/data.h"

#include "base/alloc.h"
#include "sampler/rng.h"
#include "tap.h"

#include <string.h>

enum { N = 12 };

/* How good a set of options is, by all subsets: size, a winner, answers; -1 where a pair has none. */
static double value_of(unsigned set, const double *won, const double *ties)
{
    double answers = 0, size = 0;
    bool winner = false;
    for (size_t i = 0; i < N; i++) {
        if (!(set >> i & 1))
            continue;
        size_t beaten = 0, others = 0;
        size++;
        for (size_t j = 0; j < N; j++) {
            if (j == i || !(set >> j & 1))
                continue;
            double here = won[i * N + j] + won[j * N + i] + ties[i * N + j];
            if (here == 0)
                return -1;
            answers += here / 2;
            others++;
            beaten += won[i * N + j] > won[j * N + i];
        }
        winner |= beaten == others;
    }
    return 1e6 * size + 1e5 * winner + answers;
}

static void check_random(void)
{
    spar_rng rng;
    spar_rng_seed(&rng, 5, 6, 7);
    size_t same = 0, tries = 40;
    for (size_t try = 0; try < tries; try++) {
        double won[N * N] = {0}, ties[N * N] = {0}, most = 0, dense = 0.4 + 0.5 * spar_rng_uniform(&rng);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < i; j++)
                if (spar_rng_uniform(&rng) < dense) {
                    won[i * N + j] = (double)(spar_rng_next(&rng) % 4);
                    won[j * N + i] = (double)(spar_rng_next(&rng) % 4);
                    ties[i * N + j] = ties[j * N + i] = (double)(spar_rng_next(&rng) % 3);
                }
        for (unsigned set = 1; set < 1u << N; set++)
            most = fmax(most, value_of(set, won, ties));
        size_t member[N];
        unsigned found = 0;
        spar_status status;
        size_t size = spar__largest_complete(N, won, ties, 100000, member, &status);
        for (size_t i = 0; i < size; i++)
            found |= 1u << member[i];
        same += !status && value_of(found, won, ties) == most;
    }
    ok(same == tries, "%zu of %zu random graphs: the best of all subsets", same, tries);
}

static void check_limits(void)
{
    double won[N * N] = {0}, ties[N * N] = {0};
    size_t member[N];
    spar_status status;
    ok(spar__largest_complete(N, won, ties, 1000, member, &status) == 1 && !status, "without answers: one option");
    for (size_t i = 0; i < N * N; i++)
        won[i] = 1;
    ok(spar__largest_complete(N, won, ties, 1000, member, &status) == N && !status, "with all of them: all");
    ok(spar__largest_complete(N, won, ties, 3, member, &status) == 0 && status == SPAR_UNSUPPORTED, "too few steps");
    size_t k = 1;
    for (; k < 10; k++) {
        spar__alloc_fail_at(k);
        (void)spar__largest_complete(N, won, ties, 1000, member, &status);
        spar__alloc_fail_at(0);
        if (status != SPAR_NOMEM)
            break;
    }
    ok(k == 5, "each of four allocations may fail");
}

int main(void)
{
    check_random();
    check_limits();
    return done();
}
