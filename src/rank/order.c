/* The first documents of every ranker.
 *
 * Documents are scored in the order of ties, so that the first of equal scores is the one to keep: a list of the best
 * so far takes in only what is greater. The order is random, whatever the file's was, so that of n documents about
 * depth (1 + log(n / depth)) enter the list: the cost is that of looking at each score once. */
#include "rank/ranker.h"

#include "base/alloc.h"
#include "sampler/rng.h"

#include <math.h>
#include <string.h>

enum { PURPOSE_TIES = 0x726b74 }; /* apart from the streams of simulated users, whose seeds may be the same */

struct ranking_cell {
    double value;
    uint32_t place;
};

/* Room for count objects; the old contents are lost. NULL when out of memory. */
static void *fit(void *array, size_t *capacity, size_t count, size_t size)
{
    if (array && count <= *capacity)
        return array;
    size_t wanted = count < 2 * *capacity ? 2 * *capacity : count;
    spar__free(array);
    array = spar__alloc(wanted, size);
    *capacity = array ? wanted : 0;
    return array;
}

static bool fit_all(spar__ranking *w, const spar__letor_rows *rows)
{
    size_t *room = w->capacity;
    w->tied = fit(w->tied, &room[0], rows->docs, sizeof *w->tied);
    w->place = fit(w->place, &room[1], rows->docs, sizeof *w->place);
    w->score = fit(w->score, &room[2], rows->docs, sizeof *w->score);
    w->column = fit(w->column, &room[3], rows->features + 1, sizeof *w->column);
    w->cell = fit(w->cell, &room[4], rows->entries, sizeof *w->cell);
    w->best = fit(w->best, &room[5], w->depth, sizeof *w->best);
    w->list = fit(w->list, &room[6], w->lists * w->depth, sizeof *w->list);
    return w->tied && w->place && w->score && w->column && w->cell && w->best && w->list;
}

static void draw_ties(spar__ranking *w, const spar__letor_rows *rows, uint64_t seed)
{
    spar__luck luck = spar__luck_make(seed, 0, PURPOSE_TIES);
    for (size_t i = 0; i < rows->docs; i++) {
        size_t j = (size_t)(spar__luck_uniform(luck, rows->id, 0, (uint32_t)i) * (double)(i + 1));
        w->tied[i] = w->tied[j];
        w->tied[j] = (uint16_t)i;
    }
    for (size_t i = 0; i < rows->docs; i++)
        w->place[w->tied[i]] = (uint16_t)i;
}

/* Sorts the entries by feature. */
static void make_columns(spar__ranking *w, const spar__letor_rows *rows)
{
    memset(w->column, 0, (rows->features + 1) * sizeof *w->column);
    for (size_t i = 0; i < rows->entries; i++)
        w->column[rows->entry[i].feature]++;
    size_t sum = 0;
    for (size_t f = 0; f <= rows->features; f++) {
        size_t count = w->column[f];
        w->column[f] = sum;
        sum += count;
    }
    /* Each start, used as a cursor, ends up as the start of the next feature. */
    for (size_t i = 0; i < rows->entries; i++) {
        const spar__letor_entry *e = &rows->entry[i];
        w->cell[w->column[e->feature]++] = (struct ranking_cell){e->value, w->place[e->doc]};
    }
}

static void select_best(spar__ranking *w, size_t docs, uint16_t *list)
{
    size_t depth = w->depth, held = 0;
    for (size_t i = 0; i < docs; i++) {
        double score = w->score[i];
        if (held == depth && !(score > w->best[depth - 1]))
            continue;
        size_t at = held < depth ? held++ : depth - 1;
        for (; at > 0 && w->best[at - 1] < score; at--) {
            w->best[at] = w->best[at - 1];
            list[at] = list[at - 1];
        }
        w->best[at] = score;
        list[at] = w->tied[i];
    }
}

static void add_column(spar__ranking *w, const spar__letor_rows *rows, uint32_t feature, double weight)
{
    if (feature > rows->features)
        return;
    for (size_t c = w->column[feature - 1]; c < w->column[feature]; c++)
        w->score[w->cell[c].place] += weight * w->cell[c].value;
}

static void rank_feature(spar__ranking *w, const spar__letor_rows *rows, uint32_t feature, uint16_t *list)
{
    if (w->column[feature - 1] == w->column[feature]) {
        memcpy(list, w->tied, w->depth * sizeof *list);
        return;
    }
    memset(w->score, 0, rows->docs * sizeof *w->score);
    for (size_t c = w->column[feature - 1]; c < w->column[feature]; c++)
        w->score[w->cell[c].place] = w->cell[c].value;
    select_best(w, rows->docs, list);
}

static void rank_sum(spar__ranking *w, const spar__letor_rows *rows, const spar__rankers *k, size_t r, uint16_t *list)
{
    memset(w->score, 0, rows->docs * sizeof *w->score);
    for (size_t i = k->start[r]; i < k->start[r + 1]; i++)
        add_column(w, rows, k->feature[i], k->weight[i]);
    for (size_t i = 0; i < rows->docs; i++)
        if (isnan(w->score[i])) /* of infinite sums with both signs */
            w->score[i] = -INFINITY;
    select_best(w, rows->docs, list);
}

spar_status spar__rankers_rank(const spar__rankers *rankers, const spar__letor_rows *rows, uint64_t seed, size_t top,
                               spar__ranking *out)
{
    spar__ranking *w = out;
    w->depth = top < rows->docs ? top : rows->docs;
    w->lists = rankers->n ? rankers->n : rows->features;
    if (rankers->most && w->lists > rankers->most)
        w->lists = rankers->most;
    if (!fit_all(w, rows))
        return SPAR_NOMEM;
    draw_ties(w, rows, seed);
    make_columns(w, rows);
    for (size_t r = 0; r < w->lists; r++) {
        if (rankers->n)
            rank_sum(w, rows, rankers, r, w->list + r * w->depth);
        else
            rank_feature(w, rows, (uint32_t)r + 1, w->list + r * w->depth);
    }
    return SPAR_OK;
}

void spar__ranking_free(spar__ranking *w)
{
    spar__free(w->list);
    spar__free(w->tied);
    spar__free(w->place);
    spar__free(w->column);
    spar__free(w->score);
    spar__free(w->best);
    spar__free(w->cell);
    *w = (spar__ranking){0};
}
