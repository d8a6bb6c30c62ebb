/* A command line that shows an entry at work. What a policy, a bandit or a belief needs beside it is tried out: the
 * first path that can be built is shown. */
#include "base/error.h"
#include "cli/list/list.h"

#include <spar/policy.h>

#include <stdio.h>
#include <string.h>

/* Can the policy be built for four arms, with features or without? */
static bool is_built(const char *spec, size_t m, bool features)
{
    static const double x[] = {0, 0.3, 0.7, 1};
    spar_arms *arms = NULL;
    spar_rng *rng = NULL;
    spar_policy *policy = NULL;
    bool built = !spar_arms_new(4, features, features ? x : NULL, NULL, &arms) && !spar_rng_new(1, 0, 0, &rng) &&
                 !spar_policy_new(spec, arms, m, 100, rng, &policy, NULL);
    spar_policy_free(policy);
    spar_rng_free(rng);
    spar_arms_free(arms);
    return built;
}

static void add_run(const char *env, const char *policy, const char *more, spar__buf *out)
{
    spar__buf_printf(out, "spar run --env %s --policy %s%s", env, policy, more);
}

/* `before` NAME `after`, in quotes where the shell needs them. */
static bool try_path(const char *before, const char *name, const char *after, spar__buf *out)
{
    char spec[200], quoted[210];
    (void)snprintf(spec, sizeof spec, "%s%s%s", before, name, after);
    (void)snprintf(quoted, sizeof quoted, strchr(spec, '(') ? "'%s'" : "%s", spec);
    if (is_built(spec, 2, false))
        add_run("utility", quoted, "", out);
    else if (is_built(spec, 2, true))
        add_run("function", quoted, "", out);
    else if (is_built(spec, 1, false))
        add_run("'rewards(mu=0.8:0.5)'", quoted, " --m 1", out);
    else
        return false;
    return true;
}

static void add_policy(const char *name, spar__buf *out)
{
    static const char *const after[] = {"", "/thompson/beta", "/ucb1", "/thompson/pl",
                                        "/self_sparring(distinct=1)/thompson/beta"};
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        if (try_path("", name, after[i], out))
            return;
}

static void add_bandit(const char *name, spar__buf *out)
{
    static const char *const after[] = {"", "/beta", "/gp"};
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        if (try_path("sparring/", name, after[i], out))
            return;
}

/* With files of the user's own where it needs some. */
static void add_env(const char *name, spar__buf *out)
{
    static const char *const own[][2] = {{"matrix", "'matrix(file=prefs.txt)'"},
                                         {"rankers", "'rankers(data=train.txt)'"},
                                         {"voters", "'voters(file=ballots.soc)'"},
                                         {"votes", "'votes(file=votes.csv)'"}};
    const char *spec = name;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i][0], name) == 0)
            spec = own[i][1];
    if (strcmp(name, "rewards") == 0)
        add_run("'rewards(mu=0.8:0.5)'", "ucb1", " --m 1", out);
    else
        add_run(spec, "ind_self_sparring", "", out);
}

static void add_feedback(const char *name, spar__buf *out)
{
    bool features = strcmp(name, "confusable") == 0, lists = strcmp(name, "multileave") == 0;
    add_run(features ? "function"
            : lists  ? "'rankers(data=train.txt)'"
                     : "utility",
            "ind_self_sparring", " --m 4 --feedback ", out);
    spar__buf_adds(out, name);
}

void spar__list_example(const char *name, spar_family family, spar__buf *out)
{
    switch (family) {
    case SPAR_FAMILY_POLICY:
    case SPAR_FAMILY_ALIAS:
        add_policy(name, out);
        break;
    case SPAR_FAMILY_BANDIT:
        add_bandit(name, out);
        break;
    case SPAR_FAMILY_BELIEF:
        if (!try_path("self_sparring/thompson/", name, "", out))
            (void)try_path("sparring/thompson/", name, "", out);
        break;
    case SPAR_FAMILY_ENV:
        add_env(name, out);
        break;
    default:
        add_feedback(name, out);
    }
}
