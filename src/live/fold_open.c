/* fold_open.c - the open screens of a state (fold.h): by number, and those of each voter linked with each other.
 * Screens that nobody will ever answer add up, and a server looks for those of a voter all the time. */
#include "live/fold.h"

#include "base/alloc.h"

#include <string.h>

enum { FEW = 16 }; /* screens: a voter who has more is looked for among all */

size_t spar__fold_find_open(const spar__fold *state, uint64_t number)
{
    size_t from = 0, to = state->n_open;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (state->open[middle].number < number)
            from = middle + 1;
        else
            to = middle;
    }
    return from < state->n_open && state->open[from].number == number ? from : state->n_open;
}

spar_status spar__fold_reserve_open(spar__fold *state)
{
    if (spar__key_table_reserve(&state->asked, 1))
        return SPAR_NOMEM;
    if (state->open_gap + state->n_open < state->open_room)
        return SPAR_OK;
    bool half = state->open_gap > state->open_room / 2; /* free: a move is paid for by as many removals */
    size_t room = half ? state->open_room : state->open_room ? 2 * state->open_room : 16;
    spar__open_screen *old = state->open ? state->open - state->open_gap : NULL;
    spar__open_screen *grown = half ? old : spar__alloc(room, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    if (state->n_open)
        memmove(grown, state->open, state->n_open * sizeof *grown);
    if (!half)
        spar__free(old);
    state->open = grown;
    state->open_gap = 0;
    state->open_room = room;
    return SPAR_OK;
}

static spar__open_screen *find(const spar__fold *state, uint64_t number)
{
    return &state->open[spar__fold_find_open(state, number)];
}

/* For which there is room in `asked`. */
static void link_screen(spar__fold *state, spar__open_screen *screen)
{
    if (!screen->voter)
        return;
    uint64_t *last = &state->asked.entry[spar__key_get(&state->asked, screen->voter, 0)].count;
    screen->before = *last;
    if (*last)
        find(state, *last)->after = screen->number;
    *last = screen->number;
}

static void unlink_screen(spar__fold *state, const spar__open_screen *screen)
{
    if (!screen->voter)
        return;
    if (screen->before)
        find(state, screen->before)->after = screen->after;
    if (screen->after)
        find(state, screen->after)->before = screen->before;
    else
        state->asked.entry[spar__key_find(&state->asked, screen->voter, 0)].count = screen->before;
}

void spar__fold_add_open(spar__fold *state, uint64_t number, uint64_t voter)
{
    size_t i = state->n_open++;
    for (; i > 0 && state->open[i - 1].number > number; i--)
        state->open[i] = state->open[i - 1];
    state->open[i] = (spar__open_screen){.number = number, .voter = voter};
    link_screen(state, &state->open[i]);
}

void spar__fold_remove_open(spar__fold *state, uint64_t number)
{
    size_t i = spar__fold_find_open(state, number);
    if (i == state->n_open)
        return;
    unlink_screen(state, &state->open[i]);
    if (i < state->n_open / 2) { /* the shorter side moves */
        memmove(state->open + 1, state->open, i * sizeof *state->open);
        state->open++;
        state->open_gap++;
    } else {
        memmove(state->open + i, state->open + i + 1, (state->n_open - i - 1) * sizeof *state->open);
    }
    state->n_open--;
}

static size_t scan(const spar__fold *state, uint64_t voter, size_t most, uint64_t *number)
{
    size_t n = 0;
    for (size_t i = 0; i < state->n_open; i++) {
        if (state->open[i].voter != voter)
            continue;
        if (n < most && number)
            number[n] = state->open[i].number;
        n++;
    }
    return n;
}

/* The screens of a voter into few, rising; how many? FEW if there may be more. */
static size_t follow(const spar__fold *state, uint64_t voter, uint64_t few[FEW])
{
    size_t n = 0, i = spar__key_find(&state->asked, voter, 0);
    uint64_t at = i == SPAR__NO_KEY ? 0 : state->asked.entry[i].count;
    for (; at && n < FEW; at = find(state, at)->before) {
        for (i = n++; i > 0 && few[i - 1] > at; i--)
            few[i] = few[i - 1];
        few[i] = at;
    }
    return n;
}

size_t spar__fold_open_of(const spar__fold *state, uint64_t voter, size_t most, uint64_t *number)
{
    uint64_t few[FEW];
    size_t n = voter ? follow(state, voter, few) : FEW;
    if (n == FEW)
        return scan(state, voter, most, number);
    for (size_t i = 0; i < n && i < most && number; i++)
        number[i] = few[i];
    return n;
}

spar_status spar__fold_link_open(spar__fold *state)
{
    if (spar__key_table_reserve(&state->asked, state->n_open))
        return SPAR_NOMEM;
    for (size_t i = 0; i < state->n_open; i++)
        link_screen(state, &state->open[i]);
    return SPAR_OK;
}
