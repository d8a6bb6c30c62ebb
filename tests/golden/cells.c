/* The file of a cell, of every version of its format: tests/golden/cell-VERSION. The key is one of this test, as those
 * of real cells change with every release.
 *
 *     test_golden_cells --write   writes the file of the present version */
#include "base/alloc.h"
#include "sim/sweep.h"
#include "tap.h"

#include <stdlib.h>

enum { VERSION = 2, RUNS = 3 };

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
    spar__archive time = {0}, ar = {.cache = &time};
    spar__buf frame = {0};
    spar__append file;
    for (size_t i = 0; i < count(&cell); i++)
        cell.numbers[i] = wanted(i);
    cell.seconds = 0.25;
    cell.note = spar__strdup("a note");
    spar__cell_archive(&cell, &ar);
    spar__cell_frame_write(cell.key, &ar, &frame);
    ok(!spar__append_begin(&file, folder, ".cells", NULL) && !spar__append_add(&file, frame.text, frame.length, NULL) &&
           !spar__append_flush(&file, false, NULL),
       "%s is written", folder);
    spar__append_end(&file);
    spar__buf_free(&frame);
    spar__buf_free(&ar.out);
    spar__buf_free(&time.out);
    spar__cell_fini(&cell);
}

static void read_it(const char *folder)
{
    spar__cell cell = make();
    spar__cell_files files = {0};
    spar__archive ar, time;
    spar_error err = {0};
    size_t length = 0;
    ok(!spar__cell_files_add(&files, folder, &err) && !files.damaged, "%s is read %s", folder, err.text);
    const unsigned char *bytes = spar__cell_files_find(&files, cell.key, &length);
    ok(bytes && !spar__cell_frame_open(cell.key, bytes, length, &ar, &time, &err), "its cell is found %s", err.text);
    if (bytes)
        spar__cell_archive(&cell, &ar);
    bool same = ok(cell.done, "and loads");
    for (size_t i = 0; same && i < count(&cell); i++)
        same = cell.numbers[i] == wanted(i);
    ok(same && cell.seconds == 0.25 && cell.note && strcmp(cell.note, "a note") == 0, "with its numbers");
    spar__cell_files_free(&files);
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
