/* SQLite gets no memory at one of its requests: no false acknowledgement, no damage, and then it goes on. (Our own
 * requests are in tests/contract/stores.c.) */
#include "store/fault_life.h"

static sqlite3_mem_methods real;
static size_t requests, fail_at; /* 0: none */

static bool must_fail(void)
{
    return ++requests == fail_at;
}

static void *m_malloc(int size)
{
    return must_fail() ? NULL : real.xMalloc(size);
}

static void *m_realloc(void *p, int size)
{
    return must_fail() ? NULL : real.xRealloc(p, size);
}

static bool live_without(size_t k)
{
    char folder[64];
    fault_life life = {0};
    (void)snprintf(life.path, sizeof life.path, "%s/memory.db", new_folder(folder));
    requests = 0;
    fail_at = k;
    live_on(&life);
    bool reached = requests >= k;
    fail_at = 0;
    look(&life);
    if (life.fault[0]) {
        ok(false, "request %zu: %s", k, life.fault);
        reached = false;
    }
    fault_forget();
    remove_folder(folder);
    return reached;
}

int main(void)
{
    need(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real) == SQLITE_OK);
    sqlite3_mem_methods mine = real;
    mine.xMalloc = m_malloc;
    mine.xRealloc = m_realloc;
    need(sqlite3_config(SQLITE_CONFIG_MALLOC, &mine) == SQLITE_OK && sqlite3_initialize() == SQLITE_OK);
    fault_start();
    size_t k = 1, tried = 0;
    while (live_without(k)) {
        tried++;
        k += k < 20 ? 1 : 61; /* all would take minutes */
    }
    ok(tap_failed == 0 && tried > 50, "%zu of %zu requests of SQLite for memory fail, one at a time", tried, k);
    return done();
}
