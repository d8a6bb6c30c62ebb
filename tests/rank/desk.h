/* desk.h - lists to mix, and the question that every way to mix must answer. */
#ifndef SPAR_TESTS_RANK_DESK_H
#define SPAR_TESTS_RANK_DESK_H

#include "rank/mix.h"
#include "sampler/rng.h"
#include "tap.h"

#include <stdlib.h>

enum { DESK_LISTS = 8, DESK_DOCS = 64 };

typedef struct desk {
    size_t m;
    uint64_t doc[DESK_LISTS][DESK_DOCS];
    const uint64_t *list[DESK_LISTS];
    size_t length[DESK_LISTS];
} desk;

static inline spar_rng desk_rng(uint64_t seed)
{
    spar_rng rng;
    spar_rng_seed(&rng, seed, 0, 0);
    return rng;
}

static inline void desk_add(desk *d, size_t length, const uint64_t *docs)
{
    for (size_t r = 0; r < length; r++)
        d->doc[d->m][r] = docs[r];
    d->length[d->m++] = length;
}

/* Lists of digits: "123" is the documents 1, 2, 3. */
static inline desk desk_of(size_t m, const char *const *text)
{
    desk d = {0};
    for (size_t j = 0; j < m; j++) {
        uint64_t docs[DESK_DOCS];
        for (size_t r = 0; text[j][r]; r++)
            docs[r] = (uint64_t)(text[j][r] - '0');
        desk_add(&d, strlen(text[j]), docs);
    }
    return d;
}

/* m random lists of the given length out of so many documents. */
static inline desk desk_random(size_t m, size_t length, size_t docs, spar_rng *rng)
{
    desk d = {0};
    for (size_t j = 0; j < m; j++) {
        size_t order[DESK_DOCS];
        uint64_t ids[DESK_DOCS];
        for (size_t k = 0; k < docs; k++)
            order[k] = k;
        spar_rng_shuffle(rng, order, docs);
        for (size_t k = 0; k < length; k++)
            ids[k] = 1000 + order[k];
        desk_add(&d, length, ids);
    }
    return d;
}

static inline const uint64_t *const *desk_lists(desk *d)
{
    for (size_t j = 0; j < d->m; j++)
        d->list[j] = d->doc[j];
    return d->list;
}

static inline spar_status desk_mix(desk *d, const char *how, size_t top, spar_rng *rng, spar_mix *mix)
{
    return spar_mix_lists(how, d->m, desk_lists(d), d->length, top, rng, mix, NULL);
}

static inline bool desk_start(desk *d, const char *how, size_t top, spar_rng *rng, spar__mixer *mixer,
                              spar__mixing *out)
{
    return !spar__mixer_new(how, mixer, NULL) &&
           !spar__mixing_start(mixer, d->m, desk_lists(d), d->length, top, rng, out, NULL);
}

/* The rank of a document in list j, or the length of the list. */
static inline size_t desk_rank(const desk *d, size_t j, uint64_t doc)
{
    size_t r = 0;
    while (r < d->length[j] && d->doc[j][r] != doc)
        r++;
    return r;
}

/* The largest standardised difference, over pairs and places that both reach, of the credit two slots get there. */
static inline double desk_bias(desk *d, const char *how, size_t top, size_t draws, uint64_t seed)
{
    spar_rng rng = desk_rng(seed);
    spar__mixer mixer;
    spar__mixing mixing;
    spar_mix *mix = NULL;
    double worst = 0;
    size_t m = d->m, cells = m * m * top;
    double *sum = calloc(cells, sizeof *sum), *square = calloc(cells, sizeof *square);
    if (!desk_start(d, how, top, &rng, &mixer, &mixing) || spar_mix_new(&mix))
        return INFINITY;
    for (size_t n = 0; n < draws; n++) {
        (void)spar__mixing_draw(&mixing, &rng, mix);
        for (size_t cell = 0; cell < m * m * mix->shown; cell++) {
            size_t place = cell / (m * m), j = cell / m % m, k = cell % m;
            if (place < mix->reach[j] && place < mix->reach[k]) {
                double x = mix->credit[place * m + j] - mix->credit[place * m + k];
                sum[cell] += x;
                square[cell] += x * x;
            }
        }
    }
    for (size_t cell = 0; cell < cells; cell++)
        if (square[cell] > 0)
            worst = fmax(worst, fabs(sum[cell]) / sqrt(square[cell]));
    spar_mix_free(mix);
    spar__mixing_end(&mixing);
    free(sum);
    free(square);
    return worst;
}

#endif
