/* Every open, read, write, sync, truncate ... under SQLite fails once; the disk is full; and then it goes on. */
#include "store/fault_life.h"

static void test_each(fault_op op)
{
    uint64_t k = 0;
    size_t failures = 0, hits = 0;
    bool good = true;
    do {
        char folder[64];
        fault_life life = {0};
        (void)snprintf(life.path, sizeof life.path, "%s/faults.db", new_folder(folder));
        fault_at((int)op, ++k);
        live_on(&life);
        bool hit = fault.hit;
        fault_at(-1, 0);
        look(&life);
        failures += life.failures;
        hits += hit;
        if (life.fault[0])
            printf("# %s %llu: %s\n", fault_names[op], (unsigned long long)k, life.fault);
        good = !life.fault[0];
        fault_forget();
        remove_folder(folder);
        if (!hit)
            break;
    } while (good);
    ok(good && hits > 0, "each of %zu calls of %s may fail (%zu were told)", hits, fault_names[op], failures);
}

static void test_full(void)
{
    char folder[64];
    fault_life life = {0};
    spar_error err = {0};
    (void)snprintf(life.path, sizeof life.path, "%s/full.db", new_folder(folder));
    need(!try_begin(&life, &err) && !try_append(&life, 1, 2, &err));
    fault.full = true;
    for (int i = 0; i < 3; i++)
        ok(try_append(&life, 3, 3, &err) == SPAR_FULL && strstr(err.text, "no space left") && !life.acknowledged[3],
           "a full disk: %s", err.text);
    ok(((spar__sqlite *)life.store)->broken, "it will be opened again");
    follower f = {.event = new_event(), .whole = true};
    ok(!spar__store_read(life.store, life.e, 1, 0, follow, &f, &err) && f.whole && f.n == 2,
       "what is there can be read");
    spar__store *other;
    ok(!spar__store_open(life.path, SPAR__STORE_READ, &other, &err), "and opened %s", err.text);
    spar__store_close(other);
    fault.full = false;
    ok(!try_append(&life, 3, 3, &err) && life.acknowledged[3], "space is back: it goes on %s", err.text);
    spar__store_close(life.store);
    life.store = NULL;
    look(&life);
    ok(!life.fault[0], "nothing is lost or doubled %s", life.fault);
    spar_event_free(f.event);
    fault_forget();
    remove_folder(folder);
}

int main(void)
{
    fault_start();
    test_full();
    for (int op = 0; op < FAULT_OPS; op++)
        test_each((fault_op)op);
    return done();
}
