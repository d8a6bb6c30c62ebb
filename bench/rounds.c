/* rounds.c - CPU time of one round, environment included: choose, answer, learn. Utilities arith, link linear.
 *
 * The first line is the base of all ratios: the plain loop that draws every arm's Beta by two scalar Marsaglia-Tsang
 * gammas and takes the argmax. Each figure is the least of several repeats, so that a busy machine does little harm. */
#include "sampler/sampler.h"

#include <spar/spar.h>

#include <stdio.h>
#include <time.h>

enum { ROUNDS = 100000, REPEATS = 5 };

static double cpu_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static size_t argmax_of_gammas(spar_rng *rng, size_t n, const double *a, const double *b)
{
    size_t best = 0;
    double top = -1;
    for (size_t i = 0; i < n; i++) {
        double x = spar__gamma(rng, a[i]), theta = x / (x + spar__gamma(rng, b[i]));
        if (theta > top) {
            top = theta;
            best = i;
        }
    }
    return best;
}

static double reference_loop(size_t m)
{
    enum { K = 16 };
    double a[K], b[K], value[K];
    size_t arm[8];
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 1);
    for (size_t i = 0; i < K; i++) {
        a[i] = b[i] = 1;
        value[i] = i == 0 ? 0.8 : 0.7 - 0.5 * (double)(i - 1) / 14;
    }
    double start = cpu_ns();
    for (int t = 0; t < ROUNDS; t++) {
        for (size_t j = 0; j < m; j++)
            arm[j] = argmax_of_gammas(&rng, K, a, b);
        for (size_t j = 0; j < m; j++) {
            for (size_t k = j + 1; k < m; k++) {
                int win = spar_rng_uniform(&rng) < (1 + value[arm[j]] - value[arm[k]]) / 2;
                a[arm[j]] += win;
                b[arm[j]] += !win;
                a[arm[k]] += !win;
                b[arm[k]] += win;
            }
        }
    }
    return (cpu_ns() - start) / ROUNDS;
}

static double policy_rounds(const char *spec, size_t k, size_t m)
{
    char text[64];
    spar_env *env = NULL;
    spar_world *world = NULL;
    spar_user *user = NULL;
    spar_policy *policy = NULL;
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    spar_scratch *scratch = NULL;
    spar_error err = {0};
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 1);
    (void)snprintf(text, sizeof text, "utility(set=arith,k=%zu,link=linear)", k);
    double ns = -1;
    if (spar_env_new(text, &env, &err) || spar_world_new(env, 1, 0, &world, &err) ||
        spar_user_new("all_pairs", env, &user, &err) ||
        spar_policy_new(spec, spar_world_arms(world), m, ROUNDS, &rng, &policy, &err) || spar_round_new(m, &round) ||
        spar_feedback_new(m, &feedback) || spar_scratch_new(&scratch)) {
        fprintf(stderr, "%s: %s\n", spec, err.text);
        goto end;
    }
    double start = cpu_ns();
    for (uint64_t t = 1; t <= ROUNDS; t++)
        if (spar_policy_choose(policy, scratch, &rng, round) || spar_user_answer(user, world, t, round, feedback) ||
            spar_policy_learn(policy, round, feedback))
            goto end;
    ns = (cpu_ns() - start) / ROUNDS;
end:
    spar_scratch_free(scratch);
    spar_feedback_free(feedback);
    spar_round_free(round);
    spar_policy_free(policy);
    spar_user_free(user);
    spar_world_free(world);
    spar_env_free(env);
    return ns;
}

static double least(const char *spec, size_t k, size_t m)
{
    double best = 1e30;
    for (int r = 0; r < REPEATS; r++) {
        double ns = spec ? policy_rounds(spec, k, m) : reference_loop(m);
        best = ns < best ? ns : best;
    }
    return best;
}

int main(void)
{
    static const struct {
        const char *spec;
        size_t k, m;
    } cases[] = {
        {"ind_self_sparring", 16, 2},
        {"ind_self_sparring", 16, 4},
        {"ind_self_sparring(eta=3.5)", 16, 2},
        {"sparring/thompson/beta", 16, 2},
        {"sparring/ucb1", 16, 2},
        {"sparring/ucb1", 16, 4},
        {"sparring/exp3", 16, 2},
        {"multi_sbm/ucb1", 16, 2},
        {"doubler/ucb1", 16, 2},
        {"random", 16, 2},
        {"rucb", 16, 2},
        {"merge_rucb", 16, 2},
        {"rmed1", 16, 2},
        {"rmed1", 136, 2},
        {"dts", 16, 2},
        {"dts(eta=2.5)", 16, 2},
        {"interleaved_filter", 16, 2},
        {"beat_the_mean", 16, 2},
        {"savage", 16, 2},
        {"mdb", 16, 4},
    };
    double base = least(NULL, 16, 4);
    printf("%-32s %4s %3s %12s %10s\n", "1e5 rounds", "K", "m", "ns/round", "x plain");
    printf("%-32s %4d %3d %12.0f %10.2f\n", "plain loop", 16, 4, base, 1.0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double ns = least(cases[i].spec, cases[i].k, cases[i].m);
        printf("%-32s %4zu %3zu %12.0f %10.2f\n", cases[i].spec, cases[i].k, cases[i].m, ns, base / ns);
    }
    return 0;
}
