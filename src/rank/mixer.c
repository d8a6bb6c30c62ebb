#include "rank/mixer.h"

#include "base/alloc.h"
#include "base/spec.h"

#include <assert.h>
#include <string.h>

const spar__mix_class *const spar__mix_classes[] = {
#define SPAR_MIX(name) &spar__mix_##name,
#include "rank/mixes.def"
#undef SPAR_MIX
};
const size_t spar__n_mix_classes = sizeof spar__mix_classes / sizeof *spar__mix_classes;

static const spar_entry *entry(size_t i)
{
    return i < spar__n_mix_classes ? &spar__mix_classes[i]->entry : NULL;
}

spar_status spar__mixer_new(const char *how, spar__mixer *out, spar_error *err)
{
    size_t index;
    spar__values values;
    *out = (spar__mixer){0};
    spar_status status = spar__bind_one(how, "way to mix lists", entry, &index, &values, err);
    if (status)
        return status;
    out->cls = spar__mix_classes[index];
    assert(out->cls->size <= SPAR__MIX_SELF);
    if (out->cls->init)
        out->cls->init(out->self, &values);
    spar__values_free(&values);
    return SPAR_OK;
}

spar_status spar__mixing_start(const spar__mixer *mixer, size_t m, const uint64_t *const *list, const size_t *length,
                               size_t top, spar_rng *rng, spar__mixing *out, spar_error *err)
{
    *out = (spar__mixing){.mixer = mixer};
    if (!m || !top)
        return spar__fail(err, SPAR_INVALID, "%zu lists mixed into one of %zu documents: both must be at least 1", m,
                          top);
    spar_status status = spar__lists_make(m, list, length, &out->lists, err);
    if (status)
        return status;
    out->shown = top < out->lists.docs ? top : out->lists.docs;
    out->taken = spar__alloc(out->lists.docs, sizeof *out->taken);
    out->left = spar__alloc(m, sizeof *out->left);
    out->cursor = spar__alloc(m, sizeof *out->cursor);
    out->order = spar__alloc(m, sizeof *out->order);
    status = out->taken && out->left && out->cursor && out->order ? SPAR_OK : SPAR_NOMEM;
    if (!status && mixer->cls->prepare && out->shown)
        status = mixer->cls->prepare(out, rng);
    if (status) {
        spar__mixing_end(out);
        return spar__fail_memory(err); /* nothing else can go wrong by now */
    }
    return SPAR_OK;
}

void spar__mixing_end(spar__mixing *mixing)
{
    if (mixing->plan)
        mixing->mixer->cls->release(mixing->plan);
    spar__lists_free(&mixing->lists);
    spar__free(mixing->taken);
    spar__free(mixing->left);
    spar__free(mixing->cursor);
    spar__free(mixing->order);
    *mixing = (spar__mixing){0};
}

spar_status spar__mixing_draw(spar__mixing *mixing, spar_rng *rng, spar_mix *out)
{
    const spar__lists *lists = &mixing->lists;
    out->m = out->shown = 0;
    if (spar__mix_reserve(out, lists->m, mixing->shown))
        return SPAR_NOMEM;
    memset(mixing->taken, 0, lists->docs * sizeof *mixing->taken);
    for (size_t j = 0; j < lists->m; j++) {
        mixing->left[j] = lists->length[j];
        mixing->cursor[j] = 0;
        out->reach[j] = lists->length[j] ? mixing->shown : 0;
    }
    out->m = lists->m;
    out->shown = mixing->shown;
    if (out->shown) { /* else there may be no room for credit at all */
        memset(out->credit, 0, lists->m * mixing->shown * sizeof *out->credit);
        mixing->mixer->cls->draw(mixing, rng, out);
    }
    return SPAR_OK;
}

size_t spar__mixing_live(spar__mixing *mixing)
{
    size_t n = 0;
    for (size_t j = 0; j < mixing->lists.m; j++)
        if (mixing->left[j])
            mixing->order[n++] = j;
    return n;
}

size_t spar__mixing_best(spar__mixing *mixing, size_t list)
{
    const size_t *doc = mixing->lists.doc[list];
    while (mixing->taken[doc[mixing->cursor[list]]])
        mixing->cursor[list]++;
    return doc[mixing->cursor[list]];
}

void spar__mixing_show(spar__mixing *mixing, spar_mix *out, size_t place, size_t doc)
{
    const spar__lists *lists = &mixing->lists;
    out->doc[place] = lists->id[doc];
    mixing->taken[doc] = true;
    for (size_t i = lists->from[doc]; i < lists->from[doc + 1]; i++) {
        size_t j = lists->where[i].list;
        if (--mixing->left[j] == 0)
            out->reach[j] = place + 1;
    }
}
