/* The file of a cell, of every version of its format: tests/golden/cell-VERSION. The key is one of this test, as those
 * of real cells change with every release.
 *
 *     test_golden_cells --write   writes the file of the present version */
#include "base/alloc.h"
#include "sim/cell.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { VERSION = 1, RUNS = 3 };

static const spar__cell_spec spec = {
    .env = "utility(set=arith)", .policy = "random", .m = 2, .rounds = 100, .seed = 1, .runs = RUNS};

static spar__cell make(void)
{
    spar__cell cell = {.spec = spec, .key = spar__strdup("golden")};
    if (!cell.key || spar__cell_reset(&cell))
        abort();
    return cell;
}

static double wanted(size_t i)
{
    return (double)i / 3 - 1;
}

static size_t count(const spar__cell *cell)
{
    return cell->runs * (cell->n_checkpoints + 5);
}

static void write_it(const char *folder)
{
    spar__cell cell = make();
    spar_error err = {0};
    for (size_t i = 0; i < count(&cell); i++)
        cell.numbers[i] = wanted(i);
    cell.seconds = 0.25;
    cell.note = spar__strdup("a note");
    (void)mkdir(folder, 0777);
    ok(spar__cell_save(&cell, folder, &err) == SPAR_OK, "%s is written %s", folder, err.text);
    spar__cell_fini(&cell);
}

static void read_it(const char *folder)
{
    spar__cell cell = make();
    spar_error why = {0};
    bool same = ok(spar__cell_load(&cell, folder, &why) == SPAR_OK && cell.done, "%s loads %s", folder, why.text);
    for (size_t i = 0; same && i < count(&cell); i++)
        same = cell.numbers[i] == wanted(i);
    ok(same && cell.seconds == 0.25 && cell.note && strcmp(cell.note, "a note") == 0, "with its numbers");
    spar__cell_fini(&cell);
}

int main(int argc, char **argv)
{
    const char *tests = getenv("SPAR_TESTS");
    bool writes = argc > 1 && strcmp(argv[1], "--write") == 0;
    for (int version = writes ? VERSION : 1; version <= VERSION; version++) {
        char folder[4096];
        (void)snprintf(folder, sizeof folder, "%s/golden/cell-%d", tests ? tests : "tests", version);
        if (writes)
            write_it(folder);
        else
            read_it(folder);
    }
    return done();
}
