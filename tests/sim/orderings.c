/* Who is better than whom, at full length: the orders that the papers report. */
#include "sim/lab.h"

#include <spar/env.h>

typedef struct field {
    const char *const *policy;
    size_t n;
    spar__summary *final;
} field;

static void play_out(const char *env, uint64_t rounds, uint64_t runs, field *f)
{
    spar_plan plan = {.size = sizeof(spar_plan),
                      .env = env,
                      .policies = f->policy,
                      .n_policies = f->n,
                      .m = 2,
                      .rounds = rounds,
                      .runs = runs,
                      .seed = 1,
                      .horizon = SPAR_HORIZON_ROUNDS};
    spar_results *results = simulate(&plan);
    printf("# %s, %llu rounds, %llu runs\n", env, (unsigned long long)rounds, (unsigned long long)runs);
    for (size_t i = 0; i < f->n; i++) {
        if (spar__results_summary(results, i, results->n_checkpoints, &f->final[i]))
            abort();
        printf("# %-28s median %8.1f  mean %8.1f  se %6.1f\n", f->policy[i], f->final[i].median, f->final[i].mean,
               f->final[i].se);
    }
    spar_results_free(results);
}

static const spar__summary *of(const field *f, const char *policy)
{
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->policy[i], policy) == 0)
            return &f->final[i];
    abort();
}

static void beats(const field *f, const char *better, const char *worse)
{
    ok(of(f, better)->median < of(f, worse)->median, "%s has a lower median than %s", better, worse);
}

static void on_sixteen_utilities(void)
{
    static const char *const policies[] = {
        "ind_self_sparring(eta=3.5)", "dts(eta=2.5)",  "rmed1",         "rucb",         "merge_rucb", "savage",
        "interleaved_filter",         "beat_the_mean", "sparring/ucb1", "sparring/exp3"};
    enum { N = sizeof policies / sizeof *policies };
    spar__summary final[N];
    field f = {policies, N, final};
    play_out("utility(set=arith,link=logit)", 20000, 100, &f);
    for (size_t i = 2; i < N; i++) {
        beats(&f, policies[0], policies[i]);
        beats(&f, policies[1], policies[i]);
    }
    beats(&f, "rmed1", "rucb");
    for (size_t i = 5; i < 8; i++)
        beats(&f, "rucb", policies[i]);
}

static void on_real_rankers(void)
{
    static const char *const policies[] = {"ind_self_sparring", "dts", "rmed1", "rucb"};
    spar__summary final[4];
    field f = {policies, 4, final};
    const char *data = getenv("SPAR_DATA");
    char env[4200];
    spar_env *there = NULL;
    (void)snprintf(env, sizeof env, "matrix(file=\"%s/mslr/MSLR-Perfect.txt\")", data ? data : "");
    if (!data || spar_env_new(env, &there, NULL)) {
        skip("no mslr/MSLR-Perfect.txt in SPAR_DATA");
        return;
    }
    spar_env_free(there);
    play_out(env, 20000, 20, &f);
    for (size_t i = 0; i < 3; i++) {
        size_t next = i < 2 ? 2 : 3;
        beats(&f, policies[i], policies[next]);
        ok(final[i].mean < final[next].mean, "%s has a lower mean than %s", policies[i], policies[next]);
    }
}

int main(void)
{
    on_sixteen_utilities();
    on_real_rankers();
    return done();
}
