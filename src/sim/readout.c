/* readout.c - who beats most opponents so far, and was that right? O(m^2) a round, and O(arms) where a pair turns. */
#include "base/alloc.h"
#include "sim/watch.h"

spar_status spar__readout_init(spar__readout *readout, size_t n, bool strongest)
{
    *readout = (spar__readout){.n = n, .named = SPAR__NO_OPTION, .beats = spar__alloc(n, sizeof *readout->beats)};
    if (!readout->beats)
        return SPAR_NOMEM;
    return strongest ? spar__strongest_new(n, &readout->strongest) : SPAR_OK;
}

void spar__readout_fini(spar__readout *readout)
{
    spar__pair_table_fini(&readout->pairs);
    spar__free(readout->beats);
    spar__free(readout->flip);
    spar__free(readout->stated);
    spar__strongest_free(readout->strongest);
}

static spar_status reserve(spar__readout *readout, size_t m)
{
    size_t pairs = m < 2 ? 1 : m * (m - 1) / 2;
    if (pairs > readout->stated_room) {
        spar__stated *stated = spar__alloc(pairs, sizeof *stated);
        if (!stated)
            return SPAR_NOMEM;
        spar__free(readout->stated);
        readout->stated = stated;
        readout->stated_room = pairs;
    }
    uint64_t *flip = spar__grow(readout->flip, &readout->room, readout->flips + 1, 16, sizeof *flip);
    if (!flip)
        return SPAR_NOMEM;
    readout->flip = flip;
    return SPAR_OK;
}

/* The arm of a pair that is ahead; SPAR__NO_OPTION at evens. */
static size_t ahead(const spar__pair_row *row)
{
    return row->won[0] > row->won[1] ? row->a : row->won[1] > row->won[0] ? row->b : SPAR__NO_OPTION;
}

/* Did another arm of the pair come ahead? */
static bool count(spar__readout *readout, const spar__stated *s)
{
    spar__pair_row *row = spar__pair_get(&readout->pairs, s->a, s->b);
    size_t before = ahead(row);
    row->won[0] += s->won[0];
    row->won[1] += s->won[1]; /* a tie is half a win to each and moves neither above 1/2 */
    size_t after = ahead(row);
    if (before == after)
        return false;
    if (before != SPAR__NO_OPTION)
        readout->beats[before]--;
    if (after != SPAR__NO_OPTION)
        readout->beats[after]++;
    return true;
}

static size_t leader(const spar__readout *readout)
{
    size_t best = 0;
    for (size_t i = 1; i < readout->n; i++)
        if (readout->beats[i] > readout->beats[best])
            best = i;
    return readout->beats[best] ? best : SPAR__NO_OPTION;
}

/* The pairs of a round; does another arm beat most opponents now, perhaps? */
static spar_status count_round(spar__readout *readout, const spar_round *round, const unsigned char *outcome,
                               bool independent, bool *turned)
{
    size_t pairs = spar__stated_of(round->m, round->arm, outcome, independent, 1, readout->stated);
    *turned = false;
    if (spar__pair_table_reserve(&readout->pairs, pairs))
        return SPAR_NOMEM;
    for (size_t i = 0; i < pairs; i++)
        *turned |= count(readout, &readout->stated[i]);
    if (*turned)
        readout->named = leader(readout);
    return SPAR_OK;
}

spar_status spar__readout_answer(spar__readout *readout, const spar_world *world, uint64_t t, const spar_round *round,
                                 const spar_feedback *feedback, bool independent)
{
    bool turned = true;
    if (reserve(readout, round->m))
        return SPAR_NOMEM;
    spar_status status = readout->strongest
                             ? spar__strongest_answer(readout->strongest, round, feedback, &readout->named)
                             : count_round(readout, round, feedback->outcome, independent, &turned);
    if (status || !turned)
        return status;
    bool right = readout->named != SPAR__NO_OPTION && spar_world_gap(world, t, readout->named) == 0;
    if (right != readout->right)
        readout->flip[readout->flips++] = t;
    readout->right = right;
    return SPAR_OK;
}
