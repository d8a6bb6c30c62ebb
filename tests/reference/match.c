/* match.c - a match in the words of the library. */
#include "reference/versus.h"

#include <stdio.h>
#include <stdlib.h>

bool feedback_possible(const arena *w, ref_feedback_kind kind)
{
    switch (kind) {
    case REF_WINNER_LUCE:
    case REF_RANKING:
    case REF_CONFUSABLE_MISSING:
    case REF_CONFUSABLE_COIN:
        return w->link != LINK_NONE; /* a matrix has neither utilities nor features */
    default:
        return true;
    }
}

void match_feedback(const match *m, char *text, size_t size)
{
    static const char *const fixed[REF_MISSING] = {
        "all_pairs", "winner(rule=most_wins)", "winner(rule=pair)", "winner(rule=luce)", "ranking", "pair"};
    if (m->feedback < REF_MISSING)
        (void)snprintf(text, size, "%s", fixed[m->feedback]);
    else if (m->feedback == REF_MISSING)
        (void)snprintf(text, size, "missing(p=%g)", m->param);
    else
        (void)snprintf(text, size, "confusable(scale=%g,mode=%s)", m->param,
                       m->feedback == REF_CONFUSABLE_COIN ? "coin" : "missing");
}

static void match_bandit(const match *m, char *text, size_t size)
{
    if (m->bandit == REF_UCB1)
        (void)snprintf(text, size, "ucb1(alpha=%g)", m->alpha);
    else
        (void)snprintf(text, size, "%s", m->bandit == REF_EXP3 ? "exp3" : "thompson/beta");
}

void match_policy(const match *m, char *text, size_t size)
{
    char bandit[64];
    match_bandit(m, bandit, sizeof bandit);
    switch (m->family) {
    case SELF_SPARRING:
        (void)snprintf(text, size, "self_sparring(eta=%g%s)/thompson/beta", m->eta,
                       m->self_duels == REF_COUNT    ? ""
                       : m->self_duels == REF_IGNORE ? ",self_duels=ignore"
                                                     : ",distinct=1");
        break;
    case SPARRING:
        (void)snprintf(text, size, "sparring%s/%s", m->reward == REF_EACH ? "(reward=each)" : "", bandit);
        break;
    case MULTI_SBM:
    case DOUBLER:
        (void)snprintf(text, size, "%s/%s", m->family == DOUBLER ? "doubler" : "multi_sbm", bandit);
        break;
    case PLAIN:
        (void)snprintf(text, size, "%s", bandit);
        break;
    case DIRECT:
        (void)snprintf(text, size, "%s", m->spec);
        break;
    }
}

static void numbers(const double *x, size_t n, const char *name, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "%s=", name);
    for (size_t i = 0; i < n && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%.17g", i ? ":" : "", x[i]);
    if (length >= size)
        abort();
}

void match_env(const match *m, char *text, size_t size)
{
    static const char *const link[] = {"linear", "logit", "natural"};
    const arena *w = m->arena;
    char values[MOST_ARMS * 32], x[MOST_ARMS * 32], path[1024];
    if (w->env) {
        (void)snprintf(text, size, "%s", w->env);
        return;
    }
    numbers(w->utility, w->k, m->family == PLAIN ? "mu" : "values", values, sizeof values);
    numbers(w->x, w->k, "x", x, sizeof x);
    if (w->set)
        (void)snprintf(values, sizeof values, "set=%s,k=%zu", w->set, w->k);
    if (m->family == PLAIN) {
        (void)snprintf(text, size, "rewards(%s)", values);
    } else if (w->link == LINK_NONE) {
        matrix_path(w, path, sizeof path);
        (void)snprintf(text, size, "matrix(file=\"%s\",ties=%g)", path, m->ties);
    } else {
        (void)snprintf(text, size, "utility(%s,%s,link=%s,ties=%g)", values, x, link[w->link], m->ties);
    }
}

/* FNV-1a over what is played, so that a match keeps its luck when others come and go. */
uint64_t match_seed(const match *m)
{
    char text[192], feedback[128];
    match_policy(m, text, sizeof text);
    match_feedback(m, feedback, sizeof feedback);
    uint64_t hash = UINT64_C(14695981039346656037);
    const char *const parts[] = {text, feedback, m->arena->name};
    for (size_t i = 0; i < 3; i++)
        for (const char *c = parts[i]; *c; c++)
            hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    return (hash ^ m->m ^ (m->ties > 0 ? 64 : 0)) * UINT64_C(1099511628211);
}
