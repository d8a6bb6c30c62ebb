#include "rank/allowed.h"

#include "base/alloc.h"

#include <string.h>

static bool among(const size_t *docs, size_t n, size_t doc)
{
    for (size_t i = 0; i < n; i++)
        if (docs[i] == doc)
            return true;
    return false;
}

/* The documents that may follow a prefix, each once, into next (of m); returns how many. */
static size_t followers(spar__mixing *mixing, const size_t *prefix, size_t length, size_t *next)
{
    const spar__lists *lists = &mixing->lists;
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        mixing->taken[prefix[i]] = true;
    for (size_t j = 0; j < lists->m; j++) {
        size_t r = 0;
        while (r < lists->length[j] && mixing->taken[lists->doc[j][r]])
            r++;
        if (r < lists->length[j] && !among(next, n, lists->doc[j][r]))
            next[n++] = lists->doc[j][r];
    }
    for (size_t i = 0; i < length; i++)
        mixing->taken[prefix[i]] = false;
    return n;
}

/* Place by place, all prefixes of the length; false when there are more than limit. */
static bool enumerate(spar__mixing *mixing, size_t limit, size_t *from, size_t *to, spar__allowed *out)
{
    size_t shown = mixing->shown, *next = mixing->order;
    out->n = 1; /* the empty prefix */
    for (size_t place = 0; place < shown; place++) {
        size_t n = 0;
        for (size_t l = 0; l < out->n; l++) {
            size_t options = followers(mixing, from + l * shown, place, next);
            if (n + options > limit)
                return false;
            for (size_t i = 0; i < options; i++, n++) {
                memcpy(to + n * shown, from + l * shown, place * sizeof *to);
                to[n * shown + place] = next[i];
            }
        }
        size_t *swap = from;
        from = to;
        to = swap;
        out->n = n;
    }
    out->doc = from;
    return true;
}

static void sample_one(spar__mixing *mixing, spar_rng *rng, size_t *doc)
{
    const spar__lists *lists = &mixing->lists;
    memset(mixing->taken, 0, lists->docs * sizeof *mixing->taken);
    for (size_t j = 0; j < lists->m; j++) {
        mixing->left[j] = lists->length[j];
        mixing->cursor[j] = 0;
    }
    for (size_t place = 0; place < mixing->shown; place++) {
        size_t live = spar__mixing_live(mixing);
        doc[place] = spar__mixing_best(mixing, mixing->order[spar_rng_below(rng, live)]);
        mixing->taken[doc[place]] = true;
        for (size_t i = lists->from[doc[place]]; i < lists->from[doc[place] + 1]; i++)
            mixing->left[lists->where[i].list]--;
    }
}

static bool drawn_before(const size_t *doc, size_t n, size_t shown)
{
    for (size_t l = 0; l < n; l++)
        if (memcmp(doc + l * shown, doc + n * shown, shown * sizeof *doc) == 0)
            return true;
    return false;
}

spar_status spar__allowed_make(spar__mixing *mixing, size_t limit, spar_rng *rng, spar__allowed *out)
{
    *out = (spar__allowed){0};
    size_t shown = mixing->shown;
    size_t *one = spar__alloc(limit, shown * sizeof *one), *two = spar__alloc(limit, shown * sizeof *two);
    if (!one || !two) {
        spar__free(one);
        spar__free(two);
        return SPAR_NOMEM;
    }
    if (!enumerate(mixing, limit, one, two, out)) {
        out->doc = one;
        out->n = 0;
        for (size_t tries = 0; tries < limit; tries++) {
            sample_one(mixing, rng, one + out->n * shown);
            out->n += !drawn_before(one, out->n, shown);
        }
    }
    spar__free(out->doc == one ? two : one);
    return SPAR_OK;
}

void spar__allowed_free(spar__allowed *allowed)
{
    spar__free(allowed->doc);
    *allowed = (spar__allowed){0};
}
