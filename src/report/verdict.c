#include "report/verdict.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "decide/decide.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 160 };

static char *printable(const spar__verdict_report *v, size_t option)
{
    char out[LONGEST_NAME];
    const char *name = v->option(v->context, option);
    if (name)
        (void)spar__printable(out, sizeof out, name, strlen(name));
    else
        (void)snprintf(out, sizeof out, "option %zu (removed)", option + 1);
    return spar__strdup(out);
}

static spar_status name_options(spar__verdict_report *v)
{
    v->name = spar__alloc(v->n, sizeof *v->name);
    for (size_t i = 0; i < v->n && v->name; i++)
        if (!(v->name[i] = printable(v, i)))
            return SPAR_NOMEM;
    return v->name ? SPAR_OK : SPAR_NOMEM;
}

/* In the running first, then by share of wins, then as they came; retired ones last. */
typedef struct option_rank {
    size_t option;
    int class;
    double share;
} option_rank;

static int compare_ranks(const void *x, const void *y)
{
    const option_rank *a = x, *b = y;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    if (a->share != b->share)
        return a->share > b->share ? -1 : 1;
    return a->option < b->option ? -1 : 1;
}

static option_rank rank_of(const spar__verdict_report *v, size_t option)
{
    const spar__option_evidence *o = &v->decision->evidence.option[option];
    int class = !spar_decision_is_live(v->decision, option) ? 2 : !spar_decision_in_running(v->decision, option);
    return (option_rank){option, class, (o->won + 1) / (o->won + o->lost + 2)};
}

static spar_status order_options(spar__verdict_report *v)
{
    option_rank *rank = spar__alloc(v->n, sizeof *rank);
    v->order = spar__alloc(v->n, sizeof *v->order);
    for (size_t i = 0; i < v->n && rank; i++)
        rank[i] = rank_of(v, i);
    if (rank)
        qsort(rank, v->n, sizeof *rank, compare_ranks);
    for (size_t i = 0; i < v->n && rank && v->order; i++)
        v->order[i] = rank[i].option;
    spar_status status = rank && v->order ? SPAR_OK : SPAR_NOMEM;
    spar__free(rank);
    return status;
}

static const char *option_name(void *context, size_t option)
{
    const spar__verdict_report *v = context;
    return v->name[option];
}

/* A name for each call: warnings name one voter at most. */
static const char *voter_name(void *context, uint64_t voter)
{
    const spar__verdict_report *v = context;
    static char text[LONGEST_NAME];
    const char *name = v->voter ? v->voter(v->context, voter) : NULL;
    if (name)
        (void)spar__printable(text, sizeof text, name, strlen(name));
    return name ? text : NULL;
}

static spar_status say(spar__verdict_report *v)
{
    spar_decision_names names = {sizeof names, v, option_name, voter_name};
    size_t length = spar_decision_sentence(v->decision, &names, NULL, 0);
    if (!(v->sentence = spar__alloc(length + 1, 1)))
        return SPAR_NOMEM;
    (void)spar_decision_sentence(v->decision, &names, v->sentence, length + 1);
    for (int w = 0; w < SPAR_WARNINGS; w++) {
        char text[2000];
        spar_status status = spar_decision_warning(v->decision, (spar_warning)w, &names, text, sizeof text, &length);
        if (status || (length > 0 && !(v->warning[w] = spar__strdup(text))))
            return SPAR_NOMEM;
    }
    return SPAR_OK;
}

spar_status spar__verdict_look(spar__verdict_report *v)
{
    v->n = spar_decision_options(v->decision);
    if (name_options(v) || order_options(v) || say(v))
        return SPAR_NOMEM;
    v->leader = spar_decision_leader(v->decision);
    v->closest.n = spar_decision_closest(v->decision, SPAR__VERDICT_PAIRS, v->closest.a, v->closest.b);
    v->next.n = spar_decision_next(v->decision, SPAR__VERDICT_PAIRS, v->next.a, v->next.b);
    return SPAR_OK;
}

spar_status spar__verdict_say_more(spar__verdict_report *v, const char *words)
{
    size_t length = strlen(v->sentence), more = strlen(words);
    char *sentence = spar__alloc(length + more + 1, 1);
    if (!sentence)
        return SPAR_NOMEM;
    memcpy(sentence, v->sentence, length);
    memcpy(sentence + length, words, more);
    spar__free(v->sentence);
    v->sentence = sentence;
    return SPAR_OK;
}

spar_status spar__verdict_say(spar__verdict_report *v, const char *sentence)
{
    char *copy = spar__strdup(sentence);
    if (!copy)
        return SPAR_NOMEM;
    spar__free(v->sentence);
    v->sentence = copy;
    return SPAR_OK;
}

void spar__verdict_free(spar__verdict_report *v)
{
    for (size_t i = 0; v->name && i < v->n; i++)
        spar__free(v->name[i]);
    for (int w = 0; w < SPAR_WARNINGS; w++)
        spar__free(v->warning[w]);
    spar__free(v->name);
    spar__free(v->order);
    spar__free(v->sentence);
}
