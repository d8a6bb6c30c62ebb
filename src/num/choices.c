/* The list: answers come in. choices_value.c evaluates it. */
#include "num/choices_inside.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <string.h>

void spar__choices_fini(spar__choices *l)
{
    void *const arrays[] = {l->a,    l->b,      l->won,    l->lost,  l->gap,   l->share, l->first,
                            l->kind, l->weight, l->option, l->place, l->level, l->work};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        spar__free(arrays[i]);
    spar__key_table_fini(&l->pair_key);
    spar__key_table_fini(&l->stage_key);
    *l = (spar__choices){0};
}

static void clear_keys(spar__key_table *table)
{
    if (table->slot)
        memset(table->slot, 0, table->slots * sizeof *table->slot);
    table->n = 0;
}

void spar__choices_clear(spar__choices *l)
{
    clear_keys(&l->pair_key);
    clear_keys(&l->stage_key);
    l->pairs = l->stages = 0;
}

/* Grows an array of objects; what has grown may stay so when the next one fails. */
static bool grow(void *array, size_t old, size_t room, size_t size)
{
    void *held;
    memcpy(&held, array, sizeof held);
    held = spar__realloc(held, old, room, size);
    if (held)
        memcpy(array, &held, sizeof held);
    return held != NULL;
}

static size_t larger(size_t wanted, size_t room)
{
    return wanted < 2 * room ? 2 * room : wanted;
}

static spar_status reserve_pairs(spar__choices *l, size_t more)
{
    size_t wanted = l->pairs + more, room = larger(wanted, l->pair_room);
    if (spar__key_table_reserve(&l->pair_key, more))
        return SPAR_NOMEM;
    if (wanted <= l->pair_room)
        return SPAR_OK;
    if (!grow(&l->a, l->pair_room, room, sizeof *l->a) || !grow(&l->b, l->pair_room, room, sizeof *l->b) ||
        !grow(&l->won, l->pair_room, room, sizeof *l->won) || !grow(&l->lost, l->pair_room, room, sizeof *l->lost) ||
        !grow(&l->gap, l->pair_room, room, sizeof *l->gap) || !grow(&l->share, l->pair_room, room, sizeof *l->share))
        return SPAR_NOMEM;
    l->pair_room = room;
    return SPAR_OK;
}

static spar_status reserve_stages(spar__choices *l, size_t more)
{
    size_t wanted = l->stages + more, room = larger(wanted, l->stage_room);
    if (spar__key_table_reserve(&l->stage_key, more))
        return SPAR_NOMEM;
    if (l->first && wanted <= l->stage_room)
        return SPAR_OK;
    if (!grow(&l->first, l->first ? l->stage_room + 1 : 0, room + 1, sizeof *l->first) ||
        !grow(&l->kind, l->stage_room, room, 1) || !grow(&l->weight, l->stage_room, room, sizeof *l->weight))
        return SPAR_NOMEM;
    l->stage_room = room;
    return SPAR_OK;
}

static spar_status reserve_alternatives(spar__choices *l, size_t more)
{
    size_t wanted = (l->stages ? l->first[l->stages] : 0) + more, room = larger(wanted, l->room);
    if (wanted <= l->room)
        return SPAR_OK;
    if (!grow(&l->option, l->room, room, sizeof *l->option) || !grow(&l->place, l->room, room, sizeof *l->place) ||
        !grow(&l->level, l->room, room, sizeof *l->level))
        return SPAR_NOMEM;
    l->room = room;
    return SPAR_OK;
}

static spar_status reserve_work(spar__choices *l, size_t widest)
{
    if (l->work && widest <= l->widest)
        return SPAR_OK;
    double *work = spar__alloc(spar__choices_work(widest), sizeof *work);
    if (!work)
        return SPAR_NOMEM;
    spar__free(l->work);
    l->work = work;
    l->widest = widest;
    return SPAR_OK;
}

spar_status spar__choices_reserve(spar__choices *l, size_t m, size_t count)
{
    spar_status status =
        reserve_pairs(l, count * m); /* a shared level before the last slot has a pair for each of it */
    if (!status)
        status = reserve_stages(l, count * m);
    if (!status)
        status = reserve_alternatives(l, count * (m * (m + 1) / 2));
    return status ? status : reserve_work(l, m);
}

static void add_pair(spar__choices *l, uint32_t chosen, uint32_t other, double weight)
{
    uint32_t a = chosen < other ? chosen : other, b = chosen < other ? other : chosen;
    size_t at = spar__key_get(&l->pair_key, a, b);
    if (at == l->pairs) {
        l->a[at] = a;
        l->b[at] = b;
        l->won[at] = l->lost[at] = 0;
        l->pairs++;
    }
    *(a == chosen ? &l->won[at] : &l->lost[at]) += weight;
}

static bool before(const spar__choices *l, size_t x, uint32_t option, uint32_t place, uint32_t level)
{
    if (l->option[x] != option)
        return l->option[x] < option;
    return l->place[x] != place ? l->place[x] < place : l->level[x] <= level;
}

static void swap_words(uint32_t *x, uint32_t *y)
{
    uint32_t held = *x;
    *x = *y;
    *y = held;
}

/* Puts the alternatives from `from` on in one order, so that equal stages are equal. */
static void sort(spar__choices *l, size_t from, size_t end)
{
    for (size_t i = from + 1; i < end; i++)
        for (size_t k = i; k > from && !before(l, k - 1, l->option[k], l->place[k], l->level[k]); k--) {
            swap_words(&l->option[k - 1], &l->option[k]);
            swap_words(&l->place[k - 1], &l->place[k]);
            swap_words(&l->level[k - 1], &l->level[k]);
        }
}

static bool same_stage(const spar__choices *l, size_t x, size_t y)
{
    size_t n = l->first[x + 1] - l->first[x], bytes = n * sizeof *l->option;
    return l->first[y + 1] - l->first[y] == n && l->kind[x] == l->kind[y] &&
           memcmp(l->option + l->first[x], l->option + l->first[y], bytes) == 0 &&
           memcmp(l->place + l->first[x], l->place + l->first[y], bytes) == 0 &&
           memcmp(l->level + l->first[x], l->level + l->first[y], bytes) == 0;
}

/* The stage that was written behind the last one comes into the list, unless it is there. */
static void finish_stage(spar__choices *l, unsigned char kind, double weight)
{
    size_t at = l->stages, from = l->first[at], n = l->first[at + 1] - from;
    l->kind[at] = kind;
    l->weight[at] = weight;
    sort(l, kind & (SPAR__STAGE_TIED | SPAR__STAGE_LEVELS) ? from : from + 1, from + n);
    spar__hash hash = spar__hash_start();
    spar__hash_add(&hash, l->option + from, n * sizeof *l->option);
    spar__hash_add(&hash, l->place + from, n * sizeof *l->place);
    spar__hash_add(&hash, l->level + from, n * sizeof *l->level);
    spar__hash_add(&hash, &kind, 1);
    for (uint64_t salt = 0;; salt++) {
        size_t number = spar__key_get(&l->stage_key, spar__hash_end(&hash), salt);
        if (number == at) {
            l->stages++;
            return;
        }
        if (same_stage(l, number, at)) {
            l->weight[number] += weight;
            return;
        }
    }
}

static void add_alternative(spar__choices *l, uint32_t option, uint32_t place, uint32_t level)
{
    size_t at = l->first[l->stages + 1]++;
    l->option[at] = option;
    l->place[at] = place;
    l->level[at] = level;
}

/* An answer being taken apart. */
typedef struct answer_parts {
    spar__choices *list;
    const spar__choice_answer *choice;
    const uint32_t *option, *place;
    double weight;
    bool may_tie;
} answer_parts;

static void start_stage(spar__choices *l)
{
    if (l->stages == 0)
        l->first[0] = 0;
    l->first[l->stages + 1] = l->first[l->stages];
}

static void add_slot(const answer_parts *p, size_t slot, uint32_t level)
{
    add_alternative(p->list, p->option[slot], p->place ? p->place[slot] : 0, level);
}

/* One choice of `chosen` from the slots with at least `level`; for the worst, from those above level 0. */
static void add_stage(answer_parts *p, size_t chosen, unsigned level, unsigned char kind)
{
    const spar__choice_answer *c = p->choice;
    size_t other = 0, n = 0;
    for (size_t j = 0; j < c->m; j++)
        if (j != chosen && c->level[j] >= level) {
            other = j;
            n++;
        }
    kind |= p->may_tie ? SPAR__STAGE_MAY_TIE : 0;
    p->may_tie = false;
    if (n == 0 && kind == 0)
        return;
    if (n == 1 && kind == 0 && !p->place) {
        if (p->option[chosen] != p->option[other])
            add_pair(p->list, p->option[chosen], p->option[other], p->weight);
        return;
    }
    start_stage(p->list);
    add_slot(p, chosen, 0);
    for (size_t j = 0; j < c->m; j++)
        if (j != chosen && c->level[j] >= level)
            add_slot(p, j, 0);
    finish_stage(p->list, kind, p->weight);
}

static void add_whole(const answer_parts *p, unsigned char kind)
{
    const spar__choice_answer *c = p->choice;
    start_stage(p->list);
    for (size_t j = 0; j < c->m; j++)
        add_slot(p, j, kind & SPAR__STAGE_LEVELS ? c->level[j] : 0);
    finish_stage(p->list, kind, p->weight);
}

/* The choices of one level, whose slots are left out of each other's. */
static void add_level(answer_parts *p, unsigned level)
{
    for (size_t j = 0; j < p->choice->m; j++)
        if (p->choice->level[j] == level)
            add_stage(p, j, level + 1, 0);
}

static unsigned last_level(const spar__choice_answer *c)
{
    unsigned last = 0;
    for (size_t j = 0; j < c->m; j++)
        last = c->level[j] > last ? c->level[j] : last;
    return last;
}

static bool is_shared(const spar__choice_answer *c, unsigned below)
{
    for (size_t j = 0; j < c->m; j++)
        for (size_t k = 0; k < j; k++)
            if (c->level[j] == c->level[k] && c->level[j] < below)
                return true;
    return false;
}

void spar__choices_add(spar__choices *l, const spar__choice_answer *c, const uint32_t *option, const uint32_t *place,
                       double weight, bool split)
{
    answer_parts p = {l, c, option, place, weight, c->may_tie};
    if (c->kind == SPAR__CHOICE_TIE) {
        add_whole(&p, SPAR__STAGE_TIED | SPAR__STAGE_MAY_TIE);
        return;
    }
    bool worst = c->kind == SPAR__CHOICE_BEST_WORST;
    unsigned last = worst ? 1 : last_level(c);
    if (!split && !worst && c->m <= SPAR__CHOICE_ORDERS && is_shared(c, last)) {
        add_whole(&p, SPAR__STAGE_LEVELS | (c->may_tie ? SPAR__STAGE_MAY_TIE : 0));
        return;
    }
    for (unsigned level = 0; level < last; level++)
        add_level(&p, level);
    for (size_t j = 0; worst && j < c->m; j++)
        if (c->level[j] == 2)
            add_stage(&p, j, 1, SPAR__STAGE_WORST);
}

spar_status spar__choices_reserve_join(spar__choices *l, const spar__choices *other, size_t m)
{
    size_t pairs = other->pairs + m * (m + 1) / 2, stages = other->stages + m;
    spar_status status = reserve_pairs(l, pairs);
    if (!status)
        status = reserve_stages(l, stages);
    if (!status)
        status = reserve_alternatives(l, (other->stages ? other->first[other->stages] : 0) + m * (m + 1) / 2);
    return status ? status : reserve_work(l, other->widest > m ? other->widest : m);
}

void spar__choices_join(spar__choices *l, const spar__choices *other)
{
    for (size_t i = 0; i < other->pairs; i++) {
        add_pair(l, other->a[i], other->b[i], other->won[i]);
        add_pair(l, other->b[i], other->a[i], other->lost[i]);
    }
    for (size_t i = 0; i < other->stages; i++) {
        start_stage(l);
        for (size_t k = other->first[i]; k < other->first[i + 1]; k++)
            add_alternative(l, other->option[k], other->place[k], other->level[k]);
        finish_stage(l, other->kind[i], other->weight[i]);
    }
}

void spar__choices_load_pair(spar__choices *l, uint32_t a, uint32_t b, double won, double lost)
{
    add_pair(l, a, b, won);
    add_pair(l, b, a, lost);
}

void spar__choices_load_start(spar__choices *l)
{
    start_stage(l);
}

void spar__choices_load_alternative(spar__choices *l, uint32_t option, uint32_t place, uint32_t level)
{
    add_alternative(l, option, place, level);
}

bool spar__choices_load_finish(spar__choices *l, unsigned char kind, double weight)
{
    size_t stages = l->stages;
    finish_stage(l, kind, weight);
    return l->stages > stages;
}
