/* env_check.h - any text as an environment and a kind of feedback: refused with a sentence, or a world whose
 * preferences are right and whose users answer.
 *
 * The first line is the feedback, the second the environment, in which @ stands for a file with the rest of the input.
 * Numbers above 40, other paths and caches are left out: they cost time and lead out of here. */
#ifndef SPAR_TESTS_FUZZ_ENV_CHECK_H
#define SPAR_TESTS_FUZZ_ENV_CHECK_H

#include "base/buf.h"
#include "fuzz.h"

#include "types/arms.h"
#include "types/round.h"

#include <math.h>

#include <spar/env.h>

enum { LARGEST = 40 };

/* Every number in it is small. */
static bool is_small(const char *text)
{
    for (const char *end; *text; text = end > text ? end : text + 1)
        if (!(spar__scan_double(text, &end) <= LARGEST))
            return false;
    return true;
}

static void add_spec(spar__buf *out, const char *text, const char *file)
{
    for (; *text; text++)
        if (*text == '@')
            spar__buf_adds(out, file);
        else
            spar__buf_add(out, text, 1);
}

static void check_world(const spar_world *world)
{
    size_t n = spar_arms_count(spar_world_arms(world));
    for (size_t i = 0; i < n && i < 6; i++)
        for (size_t j = 0; j < n && j < 6; j++) {
            double p = spar_world_prefer(world, 1, i, j);
            double other = spar_world_prefer(world, 1, j, i);
            require(p >= 0 && p <= 1 && fabs(p + other - 1) <= 1e-15); /* shares of votes are rounded */
        }
    size_t best = spar_world_best(world, 1);
    require(n == 0 || best < n || (best == SPAR_NO_ARM && isnan(spar_world_gap(world, 1, 0))));
}

static void ask(const spar_user *user, const spar_world *world)
{
    static spar_round *round;
    static spar_feedback *feedback;
    const spar_arms *arms = spar_world_arms(world);
    size_t n = spar_arms_count(arms);
    static const double x[64];
    if (!round)
        require(!spar_round_new(3, &round) && !spar_feedback_new(3, &feedback));
    if (n)
        require(!spar_round_set(round, 3, (size_t[]){0, n - 1, n / 2}));
    else if (arms->dim <= 16)
        require(!spar_round_set_points(round, 3, arms->dim, x));
    else
        return;
    for (uint64_t t = 1; t < 4; t++)
        (void)spar_user_answer(user, world, t, round, feedback);
}

static void try_specs(const char *env_spec, const char *user_spec)
{
    spar_env *env = NULL;
    spar_world *world = NULL;
    spar_user *user = NULL;
    spar_error err = {0};
    spar_status status = spar_env_new(env_spec, &env, &err);
    if (!status)
        status = spar_user_new(user_spec, env, &user, &err);
    if (!status)
        status = spar_world_new(env, 1, 1, &world, &err);
    fuzz_refused(status, &err, NULL);
    if (!status) {
        check_world(world);
        ask(user, world);
    }
    spar_world_free(world);
    spar_user_free(user);
    spar_env_free(env);
}

/* Environments that are rankers, or all others: rankers take a thousand times as long. */
static void env_check(const uint8_t *data, size_t size, bool rankers)
{
    char *text = fuzz_text(data, size), *env = strchr(text, '\n'), *file = NULL;
    spar__buf spec = {0};
    if (env) {
        *env++ = '\0';
        file = strchr(env, '\n');
    }
    if (file)
        *file++ = '\0';
    if (env && rankers == (strstr(env, "rankers") != NULL) && is_small(env) && is_small(text) && !strchr(env, '/') &&
        !strstr(env, "cache")) {
        add_spec(&spec, env, fuzz_file(file ? file : "", file ? size - (size_t)(file - text) : 0));
        try_specs(spec.text ? spec.text : "", *text ? text : NULL);
    }
    spar__buf_free(&spec);
    free(text);
}

#endif
