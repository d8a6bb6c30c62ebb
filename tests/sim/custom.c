/* Policies and environments that are given by functions, in the simulator. */
#include <spar/sim.h>

#include "base/alloc.h"
#include "tap.h"

#include <stdlib.h>

enum { ITEMS = 5 };

static const double worth[ITEMS] = {0.9, 0.7, 0.5, 0.4, 0.1};

/* --- a policy that hands everything to one of the library's --- */

typedef struct copycat {
    spar_policy *inner;
    spar_scratch *scratch;
    spar_round *round;
} copycat;

static int begun, ended;

static spar_status begin(void *context, const spar_arms *arms, size_t m, uint64_t horizon, uint64_t key, void **state,
                         spar_error *err)
{
    copycat *cat = calloc(1, sizeof *cat);
    spar_rng *rng = NULL;
    if (!cat)
        return SPAR_NOMEM;
    spar_status status = spar_rng_new(key, 0, 0, &rng);
    status = status ? status : spar_policy_new(context, arms, m, horizon, rng, &cat->inner, err);
    status = status ? status : spar_scratch_new(&cat->scratch);
    status = status ? status : spar_round_new(m, &cat->round);
    spar_rng_free(rng);
    if (status) {
        spar_policy_free(cat->inner);
        spar_scratch_free(cat->scratch);
        free(cat);
        return status;
    }
    __atomic_add_fetch(&begun, 1, __ATOMIC_SEQ_CST);
    *state = cat;
    return SPAR_OK;
}

static spar_status choose(const void *state, spar_rng *rng, size_t m, size_t *arm, spar_error *err)
{
    const copycat *cat = state;
    spar_status status = spar_policy_choose(cat->inner, cat->scratch, rng, cat->round, err);
    for (size_t j = 0; !status && j < m; j++)
        arm[j] = spar_round_arm(cat->round, j);
    return status;
}

static spar_status learn(void *state, const spar_round *round, const spar_feedback *feedback, spar_error *err)
{
    return spar_policy_learn(((copycat *)state)->inner, round, feedback, err);
}

static void end(void *state)
{
    copycat *cat = state;
    spar_policy_free(cat->inner);
    spar_scratch_free(cat->scratch);
    spar_round_free(cat->round);
    free(cat);
    __atomic_add_fetch(&ended, 1, __ATOMIC_SEQ_CST);
}

static char inner_spec[] = "ind_self_sparring";
static const spar_policy_functions copy = {
    .size = sizeof copy, .context = inner_spec, .begin = begin, .choose = choose, .learn = learn, .end = end};

/* --- policies that go wrong --- */

static spar_status choose_none(const void *state, spar_rng *rng, size_t m, size_t *arm, spar_error *err)
{
    (void)state, (void)rng, (void)err;
    for (size_t j = 0; j < m; j++)
        arm[j] = 77;
    return SPAR_OK;
}

static spar_status fail_to_learn(void *state, const spar_round *round, const spar_feedback *feedback, spar_error *err)
{
    (void)state, (void)round, (void)feedback;
    err->status = SPAR_CONFLICT;
    (void)snprintf(err->text, sizeof err->text, "I do not like it");
    return SPAR_CONFLICT;
}

static spar_results *simulate(const spar_env *env, const char *name, const spar_policy_functions *functions,
                              size_t threads, spar_error *err)
{
    const char *policies[] = {"ind_self_sparring", name};
    const spar_policy_functions *custom[] = {NULL, functions};
    spar_plan plan = {.size = sizeof plan,
                      .env = "mine",
                      .made = env,
                      .policies = policies,
                      .n_policies = functions ? 2 : 1,
                      .custom = functions ? custom : NULL,
                      .m = 3,
                      .rounds = 300,
                      .runs = 6,
                      .seed = 4,
                      .threads = threads};
    spar_results *results = NULL;
    (void)spar_simulate(&plan, &results, err);
    return results;
}

static void test_policy(void)
{
    spar_env *env = NULL;
    spar_error err = {0};
    (void)spar_env_new("utility(set=arith,k=6)", &env, NULL);
    for (size_t threads = 1; threads <= 2; threads++) {
        begun = ended = 0;
        spar_results *results = simulate(env, "copycat", &copy, threads, &err);
        bool same = results != NULL;
        for (size_t r = 0; same && r < 6; r++)
            same = spar_results_run(results, 0, r, SPAR_RUN_REGRET) == spar_results_run(results, 1, r, SPAR_RUN_REGRET);
        ok(same, "a policy of functions plays as the one it copies, %zu threads", threads);
        ok(begun == 7 && ended == 7, "each state is begun and ended: one to check, six runs");
        spar_results_free(results);
    }
    spar_policy_functions wrong = copy;
    wrong.choose = choose_none;
    ok(!simulate(env, "wrong", &wrong, 1, &err) && strstr(err.text, "wrong: slot 0 was given no live arm"),
       "an arm that is none is refused: %s", err.text);
    wrong = copy;
    wrong.learn = fail_to_learn;
    ok(!simulate(env, "wrong", &wrong, 1, &err) && err.status == SPAR_CONFLICT && strstr(err.text, "I do not like it"),
       "the reason of a function comes through: %s", err.text);
    wrong = copy;
    wrong.begin = NULL;
    ok(!simulate(env, "wrong", &wrong, 1, &err) && err.status == SPAR_INVALID, "no begin: %s", err.text);
    ok(begun == ended, "and nothing is left");
    spar_env_free(env);
}

/* --- an environment --- */

static spar_status prefer(void *context, uint64_t seed, uint64_t run, size_t phase, size_t n, double *p,
                          spar_error *err)
{
    (void)seed, (void)run, (void)err;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            p[i * n + j] = phase ? 1 - (0.5 + (worth[i] - worth[j]) / 2) : 0.5 + (worth[i] - worth[j]) / 2;
    if (context && *(int *)context == 1)
        p[1] = p[1 * n + 2] = 0.9, p[2] = 0.1; /* a circle */
    if (context && *(int *)context == 2)
        p[1] = 1.5;
    return SPAR_OK;
}

/* The item of the lower number always wins. */
static spar_status answer(void *context, uint64_t run, uint64_t t, size_t m, const size_t *item, spar_rng *rng,
                          spar_feedback *feedback)
{
    (void)context, (void)run, (void)t, (void)spar_rng_next(rng);
    for (size_t j = 0; j < m; j++)
        for (size_t k = j + 1; k < m; k++)
            (void)spar_feedback_set(feedback, j, k,
                                    item[j] < item[k]   ? SPAR_WIN
                                    : item[j] > item[k] ? SPAR_LOSS
                                                        : SPAR_TIE);
    return SPAR_OK;
}

static size_t failing; /* the allocation that fails, from the environment on; 0: none */

static spar_env *make(spar_env_functions *functions, spar_error *err)
{
    spar_arms *arms = NULL;
    spar_env *env = NULL;
    (void)spar_arms_new(ITEMS, 0, NULL, (const char *const[]){"a", "b", "c", "d", "e"}, &arms);
    functions->size = sizeof *functions;
    functions->arms = arms;
    functions->prefer = prefer;
    spar__alloc_fail_at(failing);
    (void)spar_env_new_custom("mine", functions, &env, err);
    spar_arms_free(arms);
    return env;
}

static void test_env(void)
{
    spar_error err = {0};
    spar_env *mine = make(&(spar_env_functions){0}, &err), *theirs = NULL;
    (void)spar_env_new("utility(values=0.9:0.7:0.5:0.4:0.1,link=linear)", &theirs, NULL);
    spar_results *a = simulate(mine, "copycat", &copy, 2, &err), *b = simulate(theirs, "copycat", &copy, 1, &err);
    bool same = a && b;
    for (size_t r = 0; same && r < 6; r++)
        near(spar_results_run(a, 0, r, SPAR_RUN_REGRET), spar_results_run(b, 0, r, SPAR_RUN_REGRET), 1e-9,
             "the same preferences, labels and luck: the same regret, run %zu", r);
    ok(same, "an environment of functions");
    spar_results_free(a);
    spar_results_free(b);
    spar_env_free(mine);
    spar_env_free(theirs);

    mine = make(&(spar_env_functions){.phases = 2, .every = 10}, &err);
    spar_world *world = NULL;
    (void)spar_world_new(mine, 1, 0, &world, &err);
    size_t first = spar_world_best(world, 1), last = spar_world_best(world, 11);
    same_text(spar_arms_name(spar_world_arms(world), first), "a", "the best in the first phase");
    same_text(spar_arms_name(spar_world_arms(world), last), "e", "and in the second");
    ok(spar_world_prefer(world, 1, first, last) + spar_world_prefer(world, 1, last, first) == 1, "exact opposites");
    spar_world_free(world);
    spar_env_free(mine);

    mine = make(&(spar_env_functions){.answer = answer}, &err);
    a = simulate(mine, "copycat", &copy, 1, &err);
    ok(a && spar_results_run(a, 0, 0, SPAR_RUN_BEST_SHARE) > 0.95, "its own answers teach: the best item is found");
    spar_results_free(a);
    spar_env_free(mine);

    static const char *const reason[] = {"no item beats all others", "expected a probability"};
    for (int kind = 1; kind <= 2; kind++) {
        mine = make(&(spar_env_functions){.context = &kind}, &err);
        ok(!simulate(mine, "copycat", NULL, 1, &err) && strstr(err.text, reason[kind - 1]), "refused: %s", err.text);
        spar_env_free(mine);
    }
    ok(!make(&(spar_env_functions){.phases = 2}, &err), "phases of no length: %s", err.text);
}

static void test_hardship(void)
{
    spar_error err = {0};
    spar_results *results = NULL;
    bool clean = true;
    for (size_t k = 1; !results && k < 2000; k++) {
        begun = ended = 0;
        failing = k;
        spar_env *env = make(&(spar_env_functions){.answer = answer}, &err);
        results = env ? simulate(env, "copycat", &copy, 1, &err) : NULL;
        failing = 0;
        spar__alloc_fail_at(0);
        clean &= begun == ended && (results || err.status == SPAR_NOMEM);
        spar_env_free(env);
    }
    ok(results && clean, "every allocation may fail");
    spar_results_free(results);
}

int main(void)
{
    test_policy();
    test_env();
    test_hardship();
    return done();
}
