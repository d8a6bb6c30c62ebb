/* places.c - people answer in places, from left to right or top to bottom; the log has slots. */
#include "live/screen.h"

#include "base/alloc.h"

#include <inttypes.h>

/* The slot that stood in a place. */
static spar_status slot_of(const spar_event *screen, size_t place, size_t *slot, spar_error *err)
{
    size_t m = spar_event_slots(screen);
    for (*slot = 0; *slot < m; ++*slot)
        if (spar_event_place(screen, *slot) == place)
            return SPAR_OK;
    return spar__fail(err, SPAR_INVALID, "screen %" PRIu64 " shows %zu options, but the answer names number %zu",
                      spar_event_number(screen), m, place + 1);
}

static spar_status map_winner(const spar_event *screen, const spar_answer *answer, spar_answer *to, spar_error *err)
{
    size_t slot;
    spar_status status = slot_of(screen, spar_answer_winner(answer), &slot, err);
    if (!status)
        spar_answer_set_winner(to, slot);
    return status;
}

static spar_status map_ranking(const spar_event *screen, const spar_answer *answer, spar_answer *to, spar_error *err)
{
    size_t n = spar_answer_count(answer);
    size_t *slot = spar__alloc(2 * n, sizeof *slot);
    if (!slot)
        return spar__fail_memory(err);
    size_t *level = slot + n;
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < n && !status; i++) {
        level[i] = spar_answer_level(answer, i);
        status = slot_of(screen, spar_answer_slot(answer, i), &slot[i], err);
    }
    if (!status)
        status = spar_answer_set_ranking(to, n, slot, level, err);
    spar__free(slot);
    return status;
}

static spar_status map_pairs(const spar_event *screen, const spar_answer *answer, spar_answer *to, spar_error *err)
{
    spar_status status = SPAR_OK;
    spar_answer_set_skip(to);
    for (size_t i = 0; i < spar_answer_count(answer) && !status; i++) {
        size_t j, k;
        spar_outcome outcome;
        status = spar_answer_pair(answer, i, &j, &k, &outcome);
        if (!status)
            status = slot_of(screen, j, &j, err);
        if (!status)
            status = slot_of(screen, k, &k, err);
        if (!status)
            status = spar_answer_add_pair(to, j, k, outcome, err);
    }
    return status;
}

spar_status spar__answer_to_slots(const spar_event *screen, const spar_answer *answer, spar_answer *to, spar_error *err)
{
    switch (spar_answer_kind_of(answer)) {
    case SPAR_ANSWER_WINNER:
        return map_winner(screen, answer, to, err);
    case SPAR_ANSWER_RANKING:
        return map_ranking(screen, answer, to, err);
    case SPAR_ANSWER_PAIRS:
        return map_pairs(screen, answer, to, err);
    default:
        return spar_answer_copy(answer, to) ? spar__fail_memory(err) : SPAR_OK;
    }
}
