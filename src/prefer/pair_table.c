#include "prefer/pair_table.h"

#include "base/alloc.h"

void spar__pair_table_fini(spar__pair_table *table)
{
    spar__free(table->row);
    spar__free(table->slot);
    *table = (spar__pair_table){0};
}

static size_t hash_of(uint32_t a, uint32_t b)
{
    uint64_t key = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15;
    return (size_t)(key ^ key >> 32);
}

/* The slot of the pair, or the free one where it belongs. */
static uint32_t *slot_of(const spar__pair_table *table, uint32_t a, uint32_t b)
{
    size_t mask = table->slots - 1, at = hash_of(a, b) & mask;
    for (;; at = (at + 1) & mask) {
        uint32_t held = table->slot[at];
        if (held == 0 || (table->row[held - 1].a == a && table->row[held - 1].b == b))
            return &table->slot[at];
    }
}

static spar_status grow_rows(spar__pair_table *table, size_t room)
{
    spar__pair_row *row = spar__realloc(table->row, table->room, room, sizeof *row);
    if (!row)
        return SPAR_NOMEM;
    table->row = row;
    table->room = room;
    return SPAR_OK;
}

static spar_status grow_slots(spar__pair_table *table, size_t slots)
{
    uint32_t *slot = spar__alloc(slots, sizeof *slot);
    if (!slot)
        return SPAR_NOMEM;
    spar__free(table->slot);
    table->slot = slot;
    table->slots = slots;
    for (size_t r = 0; r < table->count; r++)
        *slot_of(table, table->row[r].a, table->row[r].b) = (uint32_t)(r + 1);
    return SPAR_OK;
}

spar_status spar__pair_table_reserve(spar__pair_table *table, size_t more)
{
    size_t wanted = table->count + more, slots = table->slots ? table->slots : 16;
    if (more > UINT32_MAX - 1 || wanted > UINT32_MAX - 1)
        return SPAR_NOMEM;
    size_t doubled = wanted < 2 * table->room ? 2 * table->room : wanted;
    if (wanted > table->room && grow_rows(table, doubled < 8 ? 8 : doubled))
        return SPAR_NOMEM;
    while (slots < 2 * wanted)
        slots *= 2;
    return slots > table->slots ? grow_slots(table, slots) : SPAR_OK;
}

spar__pair_row *spar__pair_find(const spar__pair_table *table, size_t x, size_t y)
{
    if (table->count == 0)
        return NULL;
    uint32_t held = *slot_of(table, (uint32_t)(x < y ? x : y), (uint32_t)(x < y ? y : x));
    return held ? &table->row[held - 1] : NULL;
}

spar__pair_row *spar__pair_get(spar__pair_table *table, size_t x, size_t y)
{
    uint32_t a = (uint32_t)(x < y ? x : y), b = (uint32_t)(x < y ? y : x), *slot = slot_of(table, a, b);
    if (*slot == 0) {
        table->row[table->count] = (spar__pair_row){.a = a, .b = b};
        *slot = (uint32_t)++table->count;
    }
    return &table->row[*slot - 1];
}
