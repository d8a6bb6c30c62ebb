#include "base/order.h"

#include "base/alloc.h"
#include "tap.h"

enum { KEYS = 5000 };

/* Keys with few and with many bits set. */
static uint64_t high_of(size_t i)
{
    return i % 3 ? i : i * 0x9e3779b97f4a7c15;
}

static uint64_t low_of(size_t i)
{
    return i % 5 ? (uint64_t)i << 40 : i;
}

static void fill(spar__key_table *table)
{
    bool good = true;
    for (size_t i = 0; i < KEYS; i++) {
        good = good && spar__key_find(table, high_of(i), low_of(i)) == SPAR__NO_KEY;
        good = good && spar__key_table_reserve(table, 1) == SPAR_OK;
        good = good && spar__key_get(table, high_of(i), low_of(i)) == i;
        table->entry[i].count = i * i;
    }
    for (size_t i = 0; i < KEYS; i++)
        good = good && spar__key_find(table, high_of(i), low_of(i)) == i &&
               spar__key_get(table, high_of(i), low_of(i)) == i;
    ok(good && table->n == KEYS, "every key is found under its number");
}

static void saved_and_loaded(spar__key_table *table)
{
    spar__key_table back = {0};
    spar__archive out = {0};
    spar__key_table_archive(table, &out);
    spar__archive in = {.loading = true, .in = (unsigned char *)out.out.text, .left = out.out.length};
    spar__key_table_archive(&back, &in);
    ok(!in.failed && in.left == 0 && back.n == KEYS && back.entry[77].count == 77 * 77 &&
           spar__key_find(&back, high_of(77), low_of(77)) == 77,
       "saved and loaded");
    memcpy(out.out.text + 8 + 24, out.out.text + 8, 24); /* the second key is the first */
    in = (spar__archive){.loading = true, .in = (unsigned char *)out.out.text, .left = out.out.length};
    spar__key_table_archive(&back, &in);
    ok(in.failed && !in.no_memory, "a key that stands twice is refused");
    memset(out.out.text, 0x7f, 8);
    in = (spar__archive){.loading = true, .in = (unsigned char *)out.out.text, .left = out.out.length};
    spar__key_table_archive(&back, &in);
    ok(in.failed && !in.no_memory, "so are more keys than there are bytes");
    spar__buf_free(&out.out);
    spar__key_table_fini(&back);
}

static void without_memory(void)
{
    spar__key_table table = {0};
    for (size_t k = 1; k <= 2; k++) {
        spar__alloc_fail_at(k);
        ok(spar__key_table_reserve(&table, 100) == SPAR_NOMEM, "allocation %zu fails", k);
    }
    spar__alloc_fail_at(0);
    ok(spar__key_table_reserve(&table, 100) == SPAR_OK && spar__key_get(&table, 1, 2) == 0, "and then works");
    ok(spar__key_table_reserve(&table, (size_t)-1) == SPAR_NOMEM, "too many keys");
    spar__key_table_fini(&table);
}

int main(void)
{
    spar__key_table table = {0};
    ok(spar__key_find(&table, 0, 0) == SPAR__NO_KEY, "nothing is in an empty table");
    fill(&table);
    saved_and_loaded(&table);
    size_t room = table.room;
    spar__key_table_clear(&table);
    ok(table.n == 0 && table.room == room && spar__key_find(&table, high_of(1), low_of(1)) == SPAR__NO_KEY,
       "cleared, with its room");
    fill(&table);
    spar__key_table_fini(&table);
    spar__key_table_clear(&table);
    without_memory();
    return done();
}
