#include "rank/lists.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

static spar_status allocate(spar__lists *lists, size_t total)
{
    lists->length = spar__alloc(lists->m, sizeof *lists->length);
    lists->doc = spar__alloc(lists->m, sizeof *lists->doc);
    lists->id = spar__alloc(total, sizeof *lists->id);
    lists->from = spar__alloc(total + 1, sizeof *lists->from);
    lists->where = spar__alloc(total, sizeof *lists->where);
    lists->all = spar__alloc(total, sizeof *lists->all);
    return lists->length && lists->doc && lists->id && lists->from && lists->where && lists->all ? SPAR_OK : SPAR_NOMEM;
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
    spar_status status = SPAR_NOMEM;
    if (!items || allocate(out, total)) {
        (void)spar__fail_memory(err);
        goto fail;
    }
    for (size_t j = 0; j < m; j++) {
        out->length[j] = length[j];
        out->doc[j] = out->all + n;
        for (size_t r = 0; r < length[j]; r++)
            items[n++] = (item){list[j][r], {j, r}};
    }
    qsort(items, n, sizeof *items, by_document);
    status = number(out, items, n, err);
    if (status)
        goto fail;
    spar__free(items);
    return SPAR_OK;
fail:
    spar__free(items);
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
