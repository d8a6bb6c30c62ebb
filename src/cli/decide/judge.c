/* Votes become a decision, and what is to be reported of it. */
#include "base/alloc.h"
#include "base/utf8.h"
#include "cli/decide/decide.h"
#include "decide/decide.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 160 };

/* A ballot with room for its parts. */
typedef struct ballot_maker {
    spar_ballot ballot;
    size_t *option;
    unsigned char *outcome;
} ballot_maker;

static spar_status start_ballots(const spar__votes *votes, ballot_maker *maker)
{
    size_t most = 0;
    for (size_t i = 0; i < votes->n; i++)
        most = votes->vote[i].m > most ? votes->vote[i].m : most;
    maker->option = spar__alloc(most, sizeof *maker->option);
    maker->outcome = spar__alloc(most * most, 1);
    maker->ballot = (spar_ballot){.size = sizeof maker->ballot, .option = maker->option, .outcome = maker->outcome};
    return maker->option && maker->outcome ? SPAR_OK : SPAR_NOMEM;
}

static unsigned char outcome_of(const spar__vote *vote, uint32_t mine, uint32_t other)
{
    if (vote->kind != SPAR__VOTE_ORDER)
        return vote->kind == SPAR__VOTE_BAD ? 2 : 0;
    return mine == other ? 2 : mine < other ? 3 : 1;
}

static const spar_ballot *make_ballot(const spar__votes *votes, const spar__vote *vote, ballot_maker *maker)
{
    const spar__vote_slot *slot = votes->slot + vote->first;
    for (size_t j = 0; j < vote->m; j++) {
        maker->option[j] = slot[j].option;
        for (size_t k = 0; k < vote->m; k++)
            maker->outcome[j * vote->m + k] = j == k ? 0 : outcome_of(vote, slot[j].place, slot[k].place);
    }
    maker->ballot.m = vote->m;
    maker->ballot.voter = vote->voter;
    maker->ballot.item = vote->item;
    maker->ballot.times = vote->times;
    return &maker->ballot;
}

static bool is_tie(const spar__votes *votes, const spar__vote *vote)
{
    for (size_t i = 1; i < vote->m; i++)
        if (votes->slot[vote->first + i].place != votes->slot[vote->first].place)
            return false;
    return vote->kind == SPAR__VOTE_ORDER;
}

static spar_status answer_all(spar__decide_report *r, spar_error *err)
{
    ballot_maker maker = {0};
    r->total = r->ties = r->bad = 0;
    spar_status status = start_ballots(&r->votes, &maker) ? spar__fail_memory(err) : SPAR_OK;
    for (size_t i = 0; i < r->votes.n && !status; i++) {
        const spar__vote *vote = &r->votes.vote[i];
        r->total += vote->times;
        r->ties += is_tie(&r->votes, vote) ? vote->times : 0;
        r->bad += vote->kind == SPAR__VOTE_BAD ? vote->times : 0;
        status = spar_decision_answer(r->decision, make_ballot(&r->votes, vote, &maker), err);
    }
    spar__free(maker.option);
    spar__free(maker.outcome);
    return status;
}

static char *printable(const char *text)
{
    char out[LONGEST_NAME];
    (void)spar__printable(out, sizeof out, text, strlen(text));
    return spar__strdup(out);
}

/* In the running first, then by share of wins, then as in the file. */
typedef struct option_rank {
    size_t option;
    bool running;
    double share;
} option_rank;

static int compare_ranks(const void *x, const void *y)
{
    const option_rank *a = x, *b = y;
    if (a->running != b->running)
        return a->running ? -1 : 1;
    if (a->share != b->share)
        return a->share > b->share ? -1 : 1;
    return a->option < b->option ? -1 : 1;
}

static spar_status order_options(spar__decide_report *r)
{
    size_t n = r->votes.options.n;
    option_rank *rank = spar__alloc(n, sizeof *rank);
    r->order = spar__alloc(n, sizeof *r->order);
    for (size_t i = 0; i < n && rank; i++) {
        const spar__option_evidence *o = &r->decision->evidence.option[i];
        rank[i] = (option_rank){i, spar_decision_in_running(r->decision, i), (o->won + 1) / (o->won + o->lost + 2)};
    }
    if (rank)
        qsort(rank, n, sizeof *rank, compare_ranks);
    for (size_t i = 0; i < n && rank && r->order; i++)
        r->order[i] = rank[i].option;
    spar_status status = rank && r->order ? SPAR_OK : SPAR_NOMEM;
    spar__free(rank);
    return status;
}

static spar_status name_options(spar__decide_report *r)
{
    size_t n = r->votes.options.n;
    r->name = spar__alloc(n, sizeof *r->name);
    for (size_t i = 0; i < n && r->name; i++)
        if (!(r->name[i] = printable(spar__names_at(&r->votes.options, i))))
            return SPAR_NOMEM;
    return r->name ? SPAR_OK : SPAR_NOMEM;
}

static const char *option_name(void *context, size_t option)
{
    const spar__decide_report *r = context;
    return r->name[option];
}

/* A name for each call: warnings name one voter at most. */
static const char *voter_name(void *context, uint64_t voter)
{
    const spar__decide_report *r = context;
    static char text[LONGEST_NAME];
    (void)spar__printable(text, sizeof text, spar__names_at(&r->votes.voters, voter - 1),
                          strlen(spar__names_at(&r->votes.voters, voter - 1)));
    return text;
}

static spar_status say(spar__decide_report *r)
{
    spar_decision_names names = {sizeof names, r, option_name, voter_name};
    size_t length = spar_decision_sentence(r->decision, &names, NULL, 0);
    if (!(r->sentence = spar__alloc(length + 1, 1)))
        return SPAR_NOMEM;
    (void)spar_decision_sentence(r->decision, &names, r->sentence, length + 1);
    for (int w = 0; w < SPAR_WARNINGS; w++) {
        char text[2000];
        spar_status status = spar_decision_warning(r->decision, (spar_warning)w, &names, text, sizeof text, &length);
        if (status || (length > 0 && !(r->warning[w] = spar__strdup(text))))
            return SPAR_NOMEM;
    }
    return SPAR_OK;
}

static spar_status look(spar__decide_report *r)
{
    if (name_options(r) || order_options(r) || say(r))
        return SPAR_NOMEM;
    r->leader = spar_decision_leader(r->decision);
    r->closest.n = spar_decision_closest(r->decision, SPAR__DECIDE_PAIRS, r->closest.a, r->closest.b);
    r->next.n = spar_decision_next(r->decision, SPAR__DECIDE_PAIRS, r->next.a, r->next.b);
    return SPAR_OK;
}

static spar_status fold(spar__decide_report *r, bool unordered, spar_error *err)
{
    spar_decision_free(r->decision);
    r->settings.unordered = unordered;
    spar_status status = spar_decision_new(r->votes.options.n, &r->settings, &r->decision, err);
    return status ? status : answer_all(r, err);
}

spar_status spar__decide_judge(spar__decide_report *r, spar_error *err)
{
    spar_status status = fold(r, r->votes.unordered, err);
    if (!status && !r->votes.unordered && spar__decide_looks_sorted(r->decision, &r->sorted))
        status = spar__fail_memory(err);
    if (!status && r->sorted)
        status = fold(r, true, err);
    return status ? status : look(r) ? spar__fail_memory(err) : SPAR_OK;
}

void spar__decide_report_free(spar__decide_report *r)
{
    for (size_t i = 0; r->name && i < r->votes.options.n; i++)
        spar__free(r->name[i]);
    for (int w = 0; w < SPAR_WARNINGS; w++)
        spar__free(r->warning[w]);
    spar__free(r->name);
    spar__free(r->order);
    spar__free(r->sentence);
    spar_decision_free(r->decision);
    spar_standings_free(r->standings);
    spar__votes_free(&r->votes);
}
