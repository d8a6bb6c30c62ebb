/* mix.h - lists of documents mixed into one: the lists, what a mix is from the inside, and the ways to mix. */
#ifndef SPAR_RANK_MIX_H
#define SPAR_RANK_MIX_H

#include "base/error.h"
#include "base/spec.h"

#include <spar/rank.h>

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

/* M ranked lists of documents, with the documents numbered 0, 1, ... and each knowing where it stands. */

typedef struct spar__list_rank {
    size_t list, rank; /* rank 0 is the best */
} spar__list_rank;

typedef struct spar__lists {
    size_t m, docs;
    size_t *length;         /* m */
    size_t **doc;           /* m lists of document numbers */
    uint64_t *id;           /* docs, rising */
    size_t *from;           /* docs + 1: document d stands at where[from[d]] .. where[from[d + 1] - 1], */
    spar__list_rank *where; /* by rising list */
    size_t *all;            /* what doc points into */
} spar__lists;

/* Refuses a document that stands twice in a list. */
spar_status spar__lists_make(size_t m, const uint64_t *const *list, const size_t *length, spar__lists *out,
                             spar_error *err);
void spar__lists_free(spar__lists *lists);

/* The inside of a mixed list. */

struct spar_mix {
    size_t m;       /* lists that were mixed */
    size_t shown;   /* documents in the mixed list */
    uint64_t *doc;  /* the documents, from the top */
    double *credit; /* shown x m: what a click on a place is worth to each slot */
    size_t *reach;  /* m: the slot is compared on the first reach[j] places; 0: it has no part in the mix */
    size_t doc_room, credit_room, reach_room;
};

/* Room for m slots and that many shown documents. Changes neither m nor shown, but what credit held may be lost. */
spar_status spar__mix_reserve(spar_mix *mix, size_t m, size_t shown);

/* The ways to mix lists: one const struct at the foot of each file, one line in mixes.def.
 *
 * A mixer is a way to mix with its parameters; a mixing applies it to given lists, and any number of mixes can be drawn
 * from it. */

enum { SPAR__MIX_SELF = 32 };

struct spar__mixing;

typedef struct spar__mix_class {
    spar_entry entry;
    size_t size; /* of self; at most SPAR__MIX_SELF */
    void (*init)(void *self, const spar__values *values);
    /* Computes what all draws share into mixing->plan. NULL: nothing. */
    spar_status (*prepare)(struct spar__mixing *mixing, spar_rng *rng);
    void (*release)(void *plan); /* of a plan that is not NULL */
    /* Fills in doc, credit and reach of a mix in which credit is zeroed. */
    void (*draw)(struct spar__mixing *mixing, spar_rng *rng, spar_mix *out);
} spar__mix_class;

typedef struct spar__mixer {
    const spar__mix_class *cls;
    alignas(max_align_t) unsigned char self[SPAR__MIX_SELF];
} spar__mixer;

typedef struct spar__mixing {
    const spar__mixer *mixer;
    spar__lists lists;
    size_t shown; /* the length of the mixed list */
    void *plan;
    /* The draw so far. */
    bool *taken;    /* docs: is it shown */
    size_t *left;   /* m: documents of the list that are not shown */
    size_t *cursor; /* m: the documents before it are all shown */
    size_t *order;  /* m: scratch */
} spar__mixing;

spar_status spar__mixer_new(const char *how, spar__mixer *out, spar_error *err);

/* The mixer must outlive the mixing. */
spar_status spar__mixing_start(const spar__mixer *mixer, size_t m, const uint64_t *const *list, const size_t *length,
                               size_t top, spar_rng *rng, spar__mixing *out, spar_error *err);
void spar__mixing_end(spar__mixing *mixing);

/* Fails only when out of memory, and only while `out` grows. */
spar_status spar__mixing_draw(spar__mixing *mixing, spar_rng *rng, spar_mix *out);

/* For the draws: the lists with documents left, into order; the best document left of one of them; and a document at
 * the next place, which also sets the reach of lists that it uses up. */
size_t spar__mixing_live(spar__mixing *mixing);
size_t spar__mixing_best(spar__mixing *mixing, size_t list);
void spar__mixing_show(spar__mixing *mixing, spar_mix *out, size_t place, size_t doc);

/* How slot j did against slot k; equal credit is SPAR_TIE. */
spar_outcome spar__mix_compare(const spar_mix *mix, const bool *clicked, size_t j, size_t k);

#define SPAR_MIX(name) extern const spar__mix_class spar__mix_##name;
#include "rank/mixes.def"
#undef SPAR_MIX

extern const spar__mix_class *const spar__mix_classes[];
extern const size_t spar__n_mix_classes;

#endif
