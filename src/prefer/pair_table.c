#include "prefer/pair_table.h"

#include "base/alloc.h"

void spar__pair_table_fini(spar__pair_table *table)
{
    spar__free(table->row);
    spar__key_table_fini(&table->keys);
    *table = (spar__pair_table){0};
}

spar_status spar__pair_table_reserve(spar__pair_table *table, size_t more)
{
    if (spar__key_table_reserve(&table->keys, more))
        return SPAR_NOMEM;
    size_t room = table->keys.room;
    if (room == table->room)
        return SPAR_OK;
    spar__pair_row *row = spar__realloc(table->row, table->room, room, sizeof *row);
    if (!row)
        return SPAR_NOMEM;
    table->row = row;
    table->room = room;
    return SPAR_OK;
}

spar__pair_row *spar__pair_find(const spar__pair_table *table, size_t x, size_t y)
{
    size_t at = spar__key_find(&table->keys, x < y ? x : y, x < y ? y : x);
    return at == SPAR__NO_KEY ? NULL : &table->row[at];
}

spar__pair_row *spar__pair_get(spar__pair_table *table, size_t x, size_t y)
{
    size_t a = x < y ? x : y, b = x < y ? y : x, at = spar__key_get(&table->keys, a, b);
    if (at == table->count)
        table->row[table->count++] = (spar__pair_row){.a = (uint32_t)a, .b = (uint32_t)b};
    return &table->row[at];
}
