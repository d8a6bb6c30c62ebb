/* Votes become standings. */
#include "base/alloc.h"
#include "base/hash.h"
#include "base/order.h"
#include "cli/decide/decide.h"
#include "cli/decide/log.h"

#include <string.h>

/* A screen with room for its parts. */
typedef struct screen_maker {
    size_t *option, *place, *slot, *level;
    spar_answer *answer;
    spar__key_table seen; /* voters=first: who was asked about what */
} screen_maker;

static spar_status start(const spar__votes *votes, screen_maker *maker)
{
    size_t most = 0;
    for (size_t i = 0; i < votes->n; i++)
        most = votes->vote[i].m > most ? votes->vote[i].m : most;
    maker->option = spar__alloc(most, sizeof *maker->option);
    maker->place = spar__alloc(most, sizeof *maker->place);
    maker->slot = spar__alloc(most, sizeof *maker->slot);
    maker->level = spar__alloc(most, sizeof *maker->level);
    if (!maker->option || !maker->place || !maker->slot || !maker->level)
        return SPAR_NOMEM;
    return spar_answer_new(&maker->answer);
}

static void finish(screen_maker *maker)
{
    spar__free(maker->option);
    spar__free(maker->place);
    spar__free(maker->slot);
    spar__free(maker->level);
    spar_answer_free(maker->answer);
    spar__key_table_fini(&maker->seen);
}

/* The slots of a vote, best first; slots of one place keep their order. */
static void sort_slots(const spar__vote_slot *from, size_t m, size_t *slot, size_t *level)
{
    for (size_t j = 0; j < m; j++) {
        size_t at = j;
        for (; at > 0 && level[at - 1] > from[j].place; at--) {
            slot[at] = slot[at - 1];
            level[at] = level[at - 1];
        }
        slot[at] = j;
        level[at] = from[j].place;
    }
}

static spar_status make_answer(const spar__votes *votes, const spar__vote *vote, screen_maker *maker, spar_error *err)
{
    const spar__vote_slot *from = votes->slot + vote->first;
    for (size_t j = 0; j < vote->m; j++) {
        maker->option[j] = from[j].option;
        maker->place[j] = j;
    }
    if (vote->kind != SPAR__VOTE_ORDER) {
        (vote->kind == SPAR__VOTE_BAD ? spar_answer_set_bad : spar_answer_set_skip)(maker->answer);
        return SPAR_OK;
    }
    sort_slots(from, vote->m, maker->slot, maker->level);
    return spar_answer_set_ranking(maker->answer, vote->m, maker->slot, maker->level, err);
}

/* Has this voter voted on these options (and this item) before? */
static spar_status is_repeated(const spar__votes *votes, const spar__vote *vote, screen_maker *maker, bool *repeated)
{
    uint64_t sum = 0; /* in whatever order they stood */
    for (size_t j = 0; j < vote->m; j++) {
        uint64_t option = votes->slot[vote->first + j].option;
        sum += spar__hash_of(&option, sizeof option);
    }
    *repeated = false;
    if (spar__key_table_reserve(&maker->seen, 1))
        return SPAR_NOMEM;
    size_t before = maker->seen.n;
    (void)spar__key_get(&maker->seen, (uint64_t)vote->voter << 32 | vote->item, sum);
    *repeated = maker->seen.n == before;
    return SPAR_OK;
}

static spar_status add_votes(spar__decide_report *r, screen_maker *maker, spar_error *err)
{
    const spar__votes *votes = &r->votes;
    bool placed = strcmp(r->form, "rows") == 0;
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < votes->n && !status; i++) {
        const spar__vote *vote = &votes->vote[i];
        bool repeated = false;
        if (vote->m < 2)
            continue;
        if (r->settings.first_only && vote->voter && is_repeated(votes, vote, maker, &repeated))
            return spar__fail_memory(err);
        if (repeated)
            continue;
        status = make_answer(votes, vote, maker, err);
        if (!status)
            status = spar_standings_answer(r->standings.standings, vote->m, maker->option, placed ? maker->place : NULL,
                                           maker->answer, r->ties > 0, vote->times, err);
    }
    return status;
}

/* Nothing where no vote says anything. */
spar_status spar__decide_stand(spar__decide_report *r, spar__standings_how how, spar_error *err)
{
    screen_maker maker = {0};
    if (how == SPAR__STANDINGS_NONE || spar_decision_answers(r->decision) == 0)
        return SPAR_OK;
    spar_status status = spar_standings_new(spar_decision_options(r->decision), &r->standings.standings, err);
    if (!status && r->log)
        status = spar__decide_log_stand(r, err);
    else if (!status)
        status = start(&r->votes, &maker) ? spar__fail_memory(err) : add_votes(r, &maker, err);
    if (!status)
        status = spar__standings_look(&r->standings, how, r->settings.delta, err);
    finish(&maker);
    return status;
}
