/* multileave - the lists of the rankers shown are mixed into one, which is clicked; more credit wins.
 *
 * A round draws a query, mixes its m lists, has the mix clicked, and compares the credits of each two slots. Two slots
 * with the same ranker are two lists that happen to be equal. The query of a round depends on the luck of the run
 * alone; of team draft also the luck of each place, so that policies that show the same see the same.
 *
 * Schuth, Sietsma, Whiteson, Lefortier, de Rijke 2014. Team draft costs O(m + top) and O(m^2) comparisons; the other
 * ways to mix are prepared afresh in every round, by rank/mix.h. */
#include "base/alloc.h"
#include "env/env.h"
#include "rank/comparison.h"
#include "rank/queries.h"

#include <string.h>

enum { FEW = 64 /* slots for which there is room on the stack */, WORDS = (1 << 16) / 64 };

/* The mixed list. */
typedef struct mixed_list {
    size_t shown;
    uint32_t team[SPAR__TOP_MOST]; /* which slot added the document */
    uint8_t grade[SPAR__TOP_MOST];
    bool clicked[SPAR__TOP_MOST];
    uint64_t luck[SPAR__TOP_MOST];
    double u[SPAR__TOP_MOST];
} mixed_list;

typedef struct draft_slot {
    uint32_t order;  /* the slots in the order of the turn */
    uint32_t cursor; /* the documents before it are all shown; 0: the slot added none */
    uint32_t credit;
} draft_slot;

static double uniform(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

static void click(const spar_world *world, uint64_t t, mixed_list *s)
{
    spar__luck_fill(world->luck, t, SPAR__LUCK_CLICKS, s->shown, s->luck);
    for (size_t place = 0; place < s->shown; place++)
        s->u[place] = uniform(s->luck[place]);
    spar__click_simulate(world->lists->click, s->shown, s->grade, s->u, s->clicked);
}

static spar_status team_draft(const spar_world *world, uint64_t t, const spar_round *round, const spar__query *query,
                              mixed_list *s, spar_feedback *feedback)
{
    draft_slot few[FEW], *slots = round->m > FEW ? spar__alloc(round->m, sizeof *slots) : few;
    if (!slots)
        return SPAR_NOMEM;
    /* Lists are as long as the mix, so that none is used up before it is full. Each place takes one word of luck: who
     * of those that are left in the turn is next. */
    uint64_t taken[WORDS];
    size_t m = round->m, i = 0;
    memset(taken, 0, (query->docs + 63) / 64 * sizeof *taken);
    spar__luck_fill(world->luck, t, SPAR__LUCK_DRAFT, query->depth, s->luck);
    for (size_t j = 0; j < m; j++)
        slots[j] = (draft_slot){.order = (uint32_t)j};
    for (size_t place = 0; place < query->depth; place++, i = i + 1 < m ? i + 1 : 0) {
        size_t next = i + (size_t)(uniform(s->luck[place]) * (double)(m - i));
        uint32_t j = slots[next].order;
        slots[next].order = slots[i].order;
        slots[i].order = j;
        const uint16_t *list = query->first + world->ranker[round->arm[j]] * query->depth;
        size_t at = slots[j].cursor;
        while (taken[list[at] / 64] >> list[at] % 64 & 1)
            at++;
        taken[list[at] / 64] |= UINT64_C(1) << list[at] % 64;
        slots[j].cursor = (uint32_t)at + 1;
        s->team[place] = j;
        s->grade[place] = query->grade[list[at]];
    }
    s->shown = query->depth;
    click(world, t, s);
    for (size_t place = 0; place < s->shown; place++)
        slots[s->team[place]].credit += s->clicked[place];
    for (size_t k = 1; k < feedback->m; k++)
        for (size_t j = 0; j < k; j++) {
            uint32_t x = slots[j].credit, y = slots[k].credit;
            spar_outcome equal = world->tie_is_half ? SPAR_TIE : SPAR_MISSING;
            if (slots[j].cursor && slots[k].cursor)
                spar__feedback_put(feedback, j, k, x > y ? SPAR_WIN : x < y ? SPAR_LOSS : equal);
        }
    if (slots != few)
        spar__free(slots);
    return SPAR_OK;
}

static spar_status answer(const void *self, const spar_world *world, uint64_t t, const spar_round *round,
                          spar_feedback *feedback)
{
    (void)self;
    const spar__interleaving *lists = world->lists;
    if (round->m < 2)
        return SPAR_OK;
    size_t number = spar__luck_below(world->luck, t, 0, spar__queries_count(lists->queries));
    spar__query query = spar__queries_get(lists->queries, number);
    mixed_list s;
    if (lists->mixer.cls == &spar__mix_team_draft)
        return team_draft(world, t, round, &query, &s, feedback);
    /* The lists of the round, as a mixer takes them. */
    size_t m = round->m, depth = query.depth;
    uint64_t *doc = spar__alloc(m, depth * sizeof *doc);
    const uint64_t **list = spar__alloc(m, sizeof *list);
    size_t *length = spar__alloc(m, sizeof *length);
    spar_status status = doc && list && length ? SPAR_OK : SPAR_NOMEM;
    for (size_t j = 0; !status && j < m; j++) {
        list[j] = doc + j * depth;
        length[j] = depth;
        for (size_t r = 0; r < depth; r++)
            doc[j * depth + r] = query.first[world->ranker[round->arm[j]] * depth + r];
    }
    spar_mix *mix = NULL;
    spar__mixing mixing = {0};
    spar_rng rng;
    spar_rng_seed(&rng, world->luck.key, t, SPAR__LUCK_DRAFT);
    if (!status)
        status = spar_mix_new(&mix);
    if (!status)
        status = spar__mixing_start(&lists->mixer, m, list, length, depth, &rng, &mixing, NULL);
    if (!status)
        status = spar__mixing_draw(&mixing, &rng, mix);
    if (!status) {
        s.shown = mix->shown;
        for (size_t place = 0; place < s.shown; place++)
            s.grade[place] = query.grade[mix->doc[place]];
        click(world, t, &s);
        status = spar_mix_feedback(mix, s.clicked, world->tie_is_half, feedback);
    }
    spar__mixing_end(&mixing);
    spar_mix_free(mix);
    spar__free(doc);
    spar__free(list);
    spar__free(length);
    return status;
}

const spar__feedback_class spar__feedback_multileave = {
    .entry = {"multileave", "rankers only: their lists are mixed, and clicks decide", "Schuth et al. 2014", NULL},
    .needs_lists = true,
    .answer = answer,
};
