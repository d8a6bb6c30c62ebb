/* kernels.c - CPU time of one round of dependent arms, environment included: 4 draws, 12 answers. Two columns, the
 * first and the last tenth of the rounds: the cost must not grow with the rounds past. Then the peak memory of the
 * process, which the largest case decides. Each figure is the least of several repeats. */
#define _DEFAULT_SOURCE
#include <spar/spar.h>

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

typedef struct bench_case {
    const char *what, *env, *policy;
    uint64_t rounds;
    int repeats;
    double limit_us; /* 0: none */
} bench_case;

static const bench_case cases[] = {
    {"1-D, 30 points", "function(name=forrester,points=30)", "kernel_self_sparring", 10000, 5, 15},
    {"1-D, 1000 points", "function(name=forrester,points=1000)", "kernel_self_sparring", 2000, 3, 0},
    {"8 x 8", "function(name=camel,points=8)", "kernel_self_sparring", 5000, 5, 40},
    {"100 x 100", "function(name=camel,points=100)", "kernel_self_sparring", 1000, 3, 500},
    {"1000 x 1000", "function(name=camel,points=1000)", "kernel_self_sparring", 50, 2, 10000},
    {"8 x 8, GP-UCB", "function(name=camel,points=8)", "gp_sparring", 2000, 3, 0},
};

static double cpu_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static double megabytes(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* Microseconds a round: all rounds, the first tenth, the last tenth. */
static bool run(const bench_case *c, double us[3])
{
    enum { SLOTS = 4 };
    spar_env *env = NULL;
    spar_world *world = NULL;
    spar_user *user = NULL;
    spar_policy *policy = NULL;
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    spar_scratch *scratch = NULL;
    spar_error err = {0};
    bool good = false;
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 1);
    if (spar_env_new(c->env, &env, &err) || spar_world_new(env, 1, 0, &world, &err) ||
        spar_user_new("all_pairs", env, &user, &err) ||
        spar_policy_new(c->policy, spar_world_arms(world), SLOTS, c->rounds, &rng, &policy, &err) ||
        spar_round_new(SLOTS, &round) || spar_feedback_new(SLOTS, &feedback) || spar_scratch_new(&scratch)) {
        fprintf(stderr, "%s: %s\n", c->env, err.text);
        goto end;
    }
    double start = cpu_us(), early = 0, late = 0;
    for (uint64_t t = 1; t <= c->rounds; t++) {
        if (spar_policy_choose(policy, scratch, &rng, round) || spar_user_answer(user, world, t, round, feedback) ||
            spar_policy_learn(policy, round, feedback))
            goto end;
        if (t == c->rounds / 10)
            early = cpu_us();
        if (t == c->rounds - c->rounds / 10)
            late = cpu_us();
    }
    double stop = cpu_us(), tenth = (double)(c->rounds / 10);
    us[0] = (stop - start) / (double)c->rounds;
    us[1] = (early - start) / tenth;
    us[2] = (stop - late) / tenth;
    good = true;
end:
    spar_scratch_free(scratch);
    spar_feedback_free(feedback);
    spar_round_free(round);
    spar_policy_free(policy);
    spar_user_free(user);
    spar_world_free(world);
    spar_env_free(env);
    return good;
}

int main(void)
{
    printf("%-20s %8s %12s %14s %14s %12s %10s\n", "m = 4", "rounds", "us/round", "first tenth", "last tenth",
           "wanted us", "peak MB");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double least[3] = {1e30, 1e30, 1e30};
        for (int r = 0; r < cases[i].repeats; r++) {
            double us[3];
            if (!run(&cases[i], us))
                return 1;
            for (int k = 0; k < 3; k++)
                least[k] = us[k] < least[k] ? us[k] : least[k];
        }
        printf("%-20s %8llu %12.1f %14.1f %14.1f %12.0f %10.1f\n", cases[i].what, (unsigned long long)cases[i].rounds,
               least[0], least[1], least[2], cases[i].limit_us, megabytes());
        (void)fflush(stdout);
    }
    return 0;
}
