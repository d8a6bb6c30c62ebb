/* order.c - order among numbers, and keys in the order they came: an open-addressing table of indices into an array of
 * entries, at most half full, so that finding and adding cost constant time. */
#include "base/order.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

int spar__by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

size_t spar__distinct(size_t n, double *value)
{
    size_t kept = 0;
    qsort(value, n, sizeof *value, spar__by_value);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || value[i] != value[kept - 1])
            value[kept++] = value[i];
    return kept;
}

static int by_rank(const void *a, const void *b)
{
    const spar__ranked *p = a, *q = b;
    if (p->value != q->value)
        return p->value < q->value ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

void spar__rank(size_t n, spar__ranked *item)
{
    qsort(item, n, sizeof *item, by_rank);
}

void spar__key_table_fini(spar__key_table *table)
{
    spar__free(table->entry);
    spar__free(table->slot);
    *table = (spar__key_table){0};
}

void spar__key_table_clear(spar__key_table *table)
{
    table->n = 0;
    if (table->slots)
        memset(table->slot, 0, table->slots * sizeof *table->slot);
}

/* The slot of the key, or the free one where it belongs. */
static uint32_t *slot_of(const spar__key_table *table, uint64_t high, uint64_t low)
{
    uint64_t key = (high ^ low >> 29 ^ low * 0xd1342543de82ef95) * 0x9e3779b97f4a7c15;
    size_t mask = table->slots - 1, at = (size_t)(key ^ key >> 32) & mask;
    for (;; at = (at + 1) & mask) {
        uint32_t held = table->slot[at];
        if (held == 0 || (table->entry[held - 1].high == high && table->entry[held - 1].low == low))
            return &table->slot[at];
    }
}

spar_status spar__key_table_reserve(spar__key_table *table, size_t more)
{
    size_t wanted = table->n + more, slots = table->slots ? table->slots : 16;
    if (more > UINT32_MAX - 1 || wanted > UINT32_MAX - 1 ||
        !spar__reserve(&table->entry, &table->room, wanted, 8, sizeof *table->entry))
        return SPAR_NOMEM;
    while (slots < 2 * wanted)
        slots *= 2;
    if (slots == table->slots)
        return SPAR_OK;
    uint32_t *slot = spar__alloc(slots, sizeof *slot);
    if (!slot)
        return SPAR_NOMEM;
    spar__free(table->slot);
    table->slot = slot;
    table->slots = slots;
    for (size_t i = 0; i < table->n; i++)
        *slot_of(table, table->entry[i].high, table->entry[i].low) = (uint32_t)(i + 1);
    return SPAR_OK;
}

size_t spar__key_find(const spar__key_table *table, uint64_t high, uint64_t low)
{
    uint32_t held = table->n ? *slot_of(table, high, low) : 0;
    return held ? held - 1 : SPAR__NO_KEY;
}

size_t spar__key_get(spar__key_table *table, uint64_t high, uint64_t low)
{
    uint32_t *slot = slot_of(table, high, low);
    if (*slot == 0) {
        table->entry[table->n] = (spar__keyed){high, low, 0};
        *slot = (uint32_t)++table->n;
    }
    return *slot - 1;
}

static void archive_entry(spar__keyed *e, spar__archive *ar)
{
    spar__archive_u64(ar, &e->high);
    spar__archive_u64(ar, &e->low);
    spar__archive_u64(ar, &e->count);
}

void spar__key_table_archive(spar__key_table *table, spar__archive *ar)
{
    size_t n = table->n;
    spar__archive_size(ar, &n);
    for (size_t i = 0; i < n && !ar->loading; i++)
        archive_entry(&table->entry[i], ar);
    if (!ar->loading || !spar__archive_holds(ar, n))
        return;
    spar__key_table_fini(table);
    spar__archive_step(ar, spar__key_table_reserve(table, n));
    for (size_t i = 0; i < n && !ar->failed; i++) {
        spar__keyed e = {0};
        archive_entry(&e, ar);
        size_t at = spar__key_get(table, e.high, e.low);
        spar__archive_check(ar, at == i); /* no key twice */
        table->entry[at].count = e.count;
    }
}
