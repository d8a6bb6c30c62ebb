/* votes_sound.h - what every reader of votes promises. */
#ifndef SPAR_TESTS_FUZZ_VOTES_H
#define SPAR_TESTS_FUZZ_VOTES_H

#include "fuzz.h"
#include "text/votes.h"

static void vote_sound(const spar__votes *votes, const spar__vote *vote)
{
    require(vote->m >= 2 || votes->options.n == 1);
    require(vote->first + vote->m <= votes->slots && vote->line > 0 && vote->times > 0);
    require(vote->voter <= votes->voters.n && vote->item <= votes->items.n);
    for (size_t i = 0; i < vote->m; i++) {
        const spar__vote_slot *slot = &votes->slot[vote->first + i];
        require(slot->option < votes->options.n && slot->place < vote->m);
        require(strlen(spar__names_at(&votes->options, slot->option)) > 0);
    }
}

/* Refused with a sentence and nothing to free, or sound; freed here. */
static void votes_sound(spar_status status, spar__votes *votes, const spar_error *err)
{
    fuzz_refused(status, err, "f:");
    require(!status || (!votes->vote && !votes->slot));
    for (size_t i = 0; i < votes->n; i++)
        vote_sound(votes, &votes->vote[i]);
    spar__votes_free(votes);
}

#endif
