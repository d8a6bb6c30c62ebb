/* mix.c - lists of documents mixed into one: the registry of ways to mix (mixes.def), a mixing, which applies one of
 * them to given lists and from which any number of mixes can be drawn, and a mix: what is shown, what a click on each
 * place is worth to each list, and how two lists compare by it. Lists take O(n log n) to prepare. */
#include "rank/mix.h"

#include "base/alloc.h"
#include "base/archive.h"
#include "base/spec.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- lists with their documents numbered --- */

typedef struct item {
    uint64_t id;
    spar__list_rank at;
} item;

static int by_document(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    if (x->at.list != y->at.list)
        return x->at.list < y->at.list ? -1 : 1;
    return x->at.rank < y->at.rank ? -1 : x->at.rank > y->at.rank;
}

/* Numbers the documents in the order of their ids. */
static spar_status number(spar__lists *lists, const item *items, size_t total, spar_error *err)
{
    for (size_t i = 0; i < total; i++) {
        const item *it = &items[i];
        bool again = i && it->id == it[-1].id;
        if (again && it->at.list == it[-1].at.list)
            return spar__fail(err, SPAR_INVALID,
                              "list[%zu]: document %" PRIu64 " stands there twice, at [%zu] and [%zu]", it->at.list,
                              it->id, it[-1].at.rank, it->at.rank);
        if (!again) {
            lists->from[lists->docs] = i;
            lists->id[lists->docs++] = it->id;
        }
        lists->where[i] = it->at;
        lists->doc[it->at.list][it->at.rank] = lists->docs - 1;
    }
    lists->from[lists->docs] = total;
    return SPAR_OK;
}

spar_status spar__lists_make(size_t m, const uint64_t *const *list, const size_t *length, spar__lists *out,
                             spar_error *err)
{
    *out = (spar__lists){.m = m};
    size_t total = 0, n = 0;
    for (size_t j = 0; j < m; j++)
        total += length[j];
    item *items = spar__alloc(total, sizeof *items);
    out->length = spar__alloc(m, sizeof *out->length);
    out->doc = spar__alloc(m, sizeof *out->doc);
    out->id = spar__alloc(total, sizeof *out->id);
    out->from = spar__alloc(total + 1, sizeof *out->from);
    out->where = spar__alloc(total, sizeof *out->where);
    out->all = spar__alloc(total, sizeof *out->all);
    bool room = items && out->length && out->doc && out->id && out->from && out->where && out->all;
    for (size_t j = 0; room && j < m; j++) {
        out->length[j] = length[j];
        out->doc[j] = out->all + n;
        for (size_t r = 0; r < length[j]; r++)
            items[n++] = (item){list[j][r], {j, r}};
    }
    if (room)
        qsort(items, n, sizeof *items, by_document);
    spar_status status = room ? number(out, items, n, err) : spar__fail_memory(err);
    spar__free(items);
    if (status)
        spar__lists_free(out);
    return status;
}

void spar__lists_free(spar__lists *lists)
{
    spar__free(lists->length);
    spar__free(lists->doc);
    spar__free(lists->id);
    spar__free(lists->from);
    spar__free(lists->where);
    spar__free(lists->all);
    *lists = (spar__lists){0};
}

/* --- a mix --- */

spar_status spar_mix_new(spar_mix **out)
{
    if (!SPAR__CLEAR(out))
        return SPAR_INVALID;
    *out = spar__alloc(1, sizeof **out);
    return *out ? SPAR_OK : SPAR_NOMEM;
}

void spar_mix_free(spar_mix *mix)
{
    if (!mix)
        return;
    spar__free(mix->doc);
    spar__free(mix->credit);
    spar__free(mix->reach);
    spar__free(mix);
}

spar_status spar__mix_reserve(spar_mix *mix, size_t m, size_t shown)
{
    if (m && shown > SIZE_MAX / m)
        return SPAR_NOMEM;
    size_t *reach = spar__grow(mix->reach, &mix->reach_room, m, 0, sizeof *reach);
    if (!reach)
        return SPAR_NOMEM;
    mix->reach = reach;
    uint64_t *doc = spar__grow(mix->doc, &mix->doc_room, shown, 0, sizeof *doc);
    if (!doc)
        return SPAR_NOMEM;
    mix->doc = doc;
    double *credit = spar__grow(mix->credit, &mix->credit_room, m * shown, 0, sizeof *credit);
    if (!credit)
        return SPAR_NOMEM;
    mix->credit = credit;
    return SPAR_OK;
}

spar_status spar_mix_copy(const spar_mix *from, spar_mix *to)
{
    if (!from || !to)
        return SPAR_INVALID;
    if (to == from)
        return SPAR_OK;
    if (spar__mix_reserve(to, from->m, from->shown))
        return SPAR_NOMEM;
    to->m = from->m;
    to->shown = from->shown;
    if (to->m)
        memcpy(to->reach, from->reach, to->m * sizeof *to->reach);
    if (to->shown)
        memcpy(to->doc, from->doc, to->shown * sizeof *to->doc);
    if (to->m && to->shown)
        memcpy(to->credit, from->credit, to->m * to->shown * sizeof *to->credit);
    return SPAR_OK;
}

spar_status spar_mix_dup(const spar_mix *mix, spar_mix **out)
{
    if (!SPAR__CLEAR(out) || !mix)
        return SPAR_INVALID;
    spar_status status = spar_mix_new(out);
    if (!status && spar_mix_copy(mix, *out)) {
        spar_mix_free(*out);
        *out = NULL;
        status = SPAR_NOMEM;
    }
    return status;
}

size_t spar_mix_slots(const spar_mix *mix)
{
    return mix ? mix->m : 0;
}

size_t spar_mix_shown(const spar_mix *mix)
{
    return mix ? mix->shown : 0;
}

const uint64_t *spar_mix_docs(const spar_mix *mix)
{
    return mix ? mix->doc : NULL;
}

spar_status spar_mix_lists(const char *how, size_t m, const uint64_t *const *list, const size_t *length, size_t top,
                           spar_rng *rng, spar_mix *out, spar_error *err)
{
    if (!how || (m && !list) || (m && !length) || !rng || !out)
        return spar__fail_null(err);
    out->m = out->shown = 0;
    for (size_t j = 0; j < m; j++)
        if (!list[j] && length[j])
            return spar__fail_null(err);
    spar__mixer mixer;
    spar__mixing mixing;
    spar_status status = spar__mixer_new(how, &mixer, err);
    if (!status)
        status = spar__mixing_start(&mixer, m, list, length, top, rng, &mixing, err);
    if (status)
        return status;
    if (spar__mixing_draw(&mixing, rng, out))
        status = spar__fail_memory(err);
    spar__mixing_end(&mixing);
    return status;
}

void spar_mix_credit(const spar_mix *mix, const bool *clicked, double *credit)
{
    if (!mix || (mix->shown && !clicked) || (mix->m && !credit))
        return;
    for (size_t j = 0; j < mix->m; j++)
        credit[j] = 0;
    for (size_t place = 0; place < mix->shown; place++)
        for (size_t j = 0; clicked[place] && j < mix->m; j++)
            credit[j] += mix->credit[place * mix->m + j];
}

spar_outcome spar__mix_compare(const spar_mix *mix, const bool *clicked, size_t j, size_t k)
{
    size_t reach = mix->reach[j] < mix->reach[k] ? mix->reach[j] : mix->reach[k];
    if (!reach)
        return SPAR_MISSING;
    double ahead = 0, size = 0;
    for (size_t place = 0; place < reach && place < mix->shown; place++)
        if (clicked[place]) {
            const double *credit = mix->credit + place * mix->m;
            ahead += credit[j] - credit[k];
            size += fabs(credit[j]) + fabs(credit[k]);
        }
    /* Shares that add up to the same are equal, however they were rounded. */
    if (fabs(ahead) <= 1e-12 * size)
        return SPAR_TIE;
    return ahead > 0 ? SPAR_WIN : SPAR_LOSS;
}

spar_status spar_mix_feedback(const spar_mix *mix, const bool *clicked, bool tie_is_half, spar_feedback *out)
{
    if (!mix || (mix->shown && !clicked) || !out)
        return SPAR_INVALID;
    if (spar_feedback_reset(out, mix->m))
        return SPAR_NOMEM;
    for (size_t k = 1; k < mix->m; k++)
        for (size_t j = 0; j < k; j++) {
            spar_outcome answer = spar__mix_compare(mix, clicked, j, k);
            if (answer == SPAR_TIE && !tie_is_half)
                answer = SPAR_MISSING;
            (void)spar_feedback_set(out, j, k, answer); /* slots in range */
        }
    return SPAR_OK;
}

/* --- a mix to bytes and back --- */

static const spar__frame_kind kind = {.name = "saved mix", .tag = "mix ", .version = 1, .section = {{"list", 0}}};

static void archive(spar_mix *mix, spar__archive *ar)
{
    spar__archive_size(ar, &mix->m);
    spar__archive_size(ar, &mix->shown);
    if (ar->loading) {
        bool fits = spar__archive_holds(ar, mix->m) && spar__archive_holds(ar, mix->shown) &&
                    (!mix->m || mix->shown <= SIZE_MAX / mix->m) && spar__archive_holds(ar, mix->m * mix->shown);
        spar__archive_check(ar, fits);
        if (!ar->failed)
            spar__archive_step(ar, spar__mix_reserve(mix, mix->m, mix->shown));
        if (ar->failed)
            mix->m = mix->shown = 0;
    }
    for (size_t place = 0; place < mix->shown; place++)
        spar__archive_u64(ar, &mix->doc[place]);
    spar__archive_sizes(ar, mix->reach, mix->m);
    spar__archive_f64s(ar, mix->credit, mix->m * mix->shown);
    for (size_t i = 0; i < mix->m * mix->shown; i++)
        spar__archive_check(ar, isfinite(mix->credit[i]) != 0);
}

spar_status spar_mix_save(const spar_mix *mix, unsigned char **bytes, size_t *length)
{
    if (!SPAR__CLEAR(bytes) || !mix || !length)
        return SPAR_INVALID;
    spar__archive ar = {.loading = false};
    archive((spar_mix *)(uintptr_t)mix, &ar); /* the archive only reads when it saves */
    return spar__saved_write(&kind, &ar, bytes, length);
}

spar_status spar_mix_load(const unsigned char *bytes, size_t length, spar_mix **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !bytes)
        return spar__fail_null(err);
    spar__archive ar;
    spar_status status = spar__saved_open(&kind, bytes, length, &ar, err);
    if (status)
        return status;
    spar_mix *mix = NULL;
    if (spar_mix_new(&mix))
        return spar__fail_memory(err);
    archive(mix, &ar);
    status = spar__saved_close(&kind, &ar, err);
    if (status)
        spar_mix_free(mix);
    else
        *out = mix;
    return status;
}

/* --- ways to mix, and mixings --- */

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
