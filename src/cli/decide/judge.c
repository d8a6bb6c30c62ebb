/* Votes become a decision, and what is to be reported of it. */
#include "base/alloc.h"
#include "base/error.h"
#include "cli/decide/decide.h"
#include "cli/decide/log.h"

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

/* The sentence of a vote that was refused, behind its place in the file. */
static void name_line(const spar__decide_report *r, const spar__vote *vote, spar_error *err)
{
    spar_error why = *err;
    if (vote->line > 0)
        (void)spar__fail(err, SPAR_INVALID, "%s:%zu: %s", r->source, vote->line, why.text);
    else /* a count of a matrix */
        (void)spar__fail(err, SPAR_INVALID, "%s: %s", r->source, why.text);
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
        if (status == SPAR_INVALID)
            name_line(r, vote, err);
    }
    spar__free(maker.option);
    spar__free(maker.outcome);
    return status;
}

static const char *option_name(void *context, size_t option)
{
    const spar__decide_report *r = context;
    return spar__names_at(&r->votes.options, option);
}

static const char *voter_name(void *context, uint64_t voter)
{
    const spar__decide_report *r = context;
    return spar__names_at(&r->votes.voters, voter - 1);
}

static spar_status look(spar__decide_report *r)
{
    r->verdict = (spar__verdict_report){.decision = r->decision,
                                        .delta = r->settings.delta,
                                        .unit = "vote",
                                        .units = "votes",
                                        .option = option_name,
                                        .voter = voter_name,
                                        .context = r};
    return spar__verdict_look(&r->verdict);
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
    if (r->log)
        return spar__decide_log_judge(r, err);
    r->voters = r->votes.voters.n;
    spar_status status = fold(r, r->votes.unordered, err);
    if (!status && !r->votes.unordered && spar__decide_looks_sorted(r->decision, &r->sorted))
        status = spar__fail_memory(err);
    if (!status && r->sorted)
        status = fold(r, true, err);
    return status ? status : look(r) ? spar__fail_memory(err) : SPAR_OK;
}

void spar__decide_report_free(spar__decide_report *r)
{
    spar__verdict_free(&r->verdict);
    spar_decision_free(r->decision);
    spar__standings_report_free(&r->standings);
    spar__votes_free(&r->votes);
    spar__decide_log_free(r->log);
}
