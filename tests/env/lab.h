/* lab.h - what the tests of environments share: a world and its user from two specs, rounds, and a chi-square. */
#ifndef SPAR_TESTS_ENV_LAB_H
#define SPAR_TESTS_ENV_LAB_H

#include "base/alloc.h"
#include "env/env.h"
#include "tap.h"

#include <stdlib.h>

typedef struct lab {
    spar_env *env;
    spar_user *user;
    spar_world *world;
    spar_round *round;
    spar_feedback *feedback;
} lab;

__attribute__((unused)) static void lab_close(lab *l)
{
    spar_feedback_free(l->feedback);
    spar_round_free(l->round);
    spar_world_free(l->world);
    spar_user_free(l->user);
    spar_env_free(l->env);
    *l = (lab){0};
}

__attribute__((unused)) static spar_status lab_try(lab *l, const char *env, const char *feedback, spar_error *err)
{
    *l = (lab){0};
    spar_status status = spar_env_new(env, &l->env, err);
    if (!status)
        status = spar_user_new(feedback, l->env, &l->user, err);
    if (!status)
        status = spar_world_new(l->env, 7, 3, &l->world, err);
    if (!status)
        status = spar_round_new(2, &l->round);
    if (!status)
        status = spar_feedback_new(2, &l->feedback);
    if (status)
        lab_close(l);
    return status;
}

__attribute__((unused)) static lab lab_open(const char *env, const char *feedback)
{
    lab l;
    spar_error err = {0};
    if (lab_try(&l, env, feedback, &err)) {
        printf("Bail out! %s with %s: %s\n", env, feedback, err.text);
        exit(1);
    }
    return l;
}

/* The refusal of a pair of specs; "" when there is none. */
__attribute__((unused)) static const char *lab_refusal(const char *env, const char *feedback)
{
    static spar_error err;
    err = (spar_error){0};
    lab l;
    (void)lab_try(&l, env, feedback, &err);
    lab_close(&l);
    return err.text;
}

/* Plays arms in the slots of round t. */
__attribute__((unused)) static spar_status lab_ask(lab *l, uint64_t t, size_t m, const size_t *arm)
{
    if (spar__round_reserve(l->round, m))
        return SPAR_NOMEM;
    l->round->m = m;
    memcpy(l->round->arm, arm, m * sizeof *arm);
    return spar_user_answer(l->user, l->world, t, l->round, l->feedback);
}

__attribute__((unused)) static spar_outcome lab_answer(const lab *l, size_t j, size_t k)
{
    return spar_feedback_get(l->feedback, j, k);
}

/* The arm with a given utility; arms->n when there is none. */
__attribute__((unused)) static size_t lab_arm(const lab *l, double utility)
{
    size_t i = 0;
    while (i < l->world->n && l->world->utility[i] != utility)
        i++;
    return i;
}

/* Counts against probabilities, about 5 sigma wide. A count where the probability is 0 is an error at once. */
__attribute__((unused)) static bool fits(size_t n, const double *count, const double *p)
{
    double total = 0, sum = 0, freedom = -1;
    for (size_t i = 0; i < n; i++)
        total += count[i];
    for (size_t i = 0; i < n; i++) {
        if (p[i] == 0) {
            if (count[i] > 0)
                return false;
            continue;
        }
        double expected = total * p[i];
        sum += (count[i] - expected) * (count[i] - expected) / expected;
        freedom++;
    }
    bool good = sum <= freedom + 5 * sqrt(2 * freedom) + 14;
    if (!good) {
        printf("# chi-square %.1f with %g degrees of freedom\n", sum, freedom);
        for (size_t i = 0; i < n; i++)
            printf("#   %zu: %g, expected %g\n", i, count[i], total * p[i]);
    }
    return good;
}

/* Every allocation of opening, asking and closing fails once; leaks show under the address sanitizer. */
__attribute__((unused)) static void lab_starve(const char *env, const char *feedback)
{
    size_t arms[3] = {0, 0, 0}, k = 1, refused = 0;
    for (bool whole = false; !whole; k++) {
        lab l;
        spar_error err = {0};
        spar__alloc_fail_at(k);
        spar_status status = lab_try(&l, env, feedback, &err);
        if (!status)
            status = lab_ask(&l, 1, 3, arms);
        whole = spar__alloc_count() < k;
        spar__alloc_fail_at(0);
        lab_close(&l);
        if (whole)
            ok(status == SPAR_OK, "%s, %s: works with all its memory", env, feedback);
        else
            refused += status == SPAR_NOMEM;
    }
    ok(k > 5 && refused == k - 2, "%s, %s: each of %zu allocations may fail", env, feedback, k - 2);
}

#endif
