/* The file of a cell (`spar paper`, `spar tune`): a file with the right frame gives all numbers of the cell or is put
 * aside with a sentence. */
#include "sim/cell.h"

#include "base/file.h"
#include "fuzz.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static spar_status measure(const spar_snapshot *snapshot, double *out)
{
    (void)snapshot;
    out[0] = out[1] = 0;
    return SPAR_OK;
}

static const spar__cell_probe probe = {"fuzz", 2, measure};
static const uint64_t mark[] = {4, 8};
static const spar__cell_spec spec = {
    .env = "utility", .policy = "random", .m = 2, .rounds = 8, .runs = 2, .probe = &probe, .mark = mark, .n_marks = 2};
static char folder[] = "/tmp/spar-fuzz-XXXXXX", path[64];
static bool linked;

static void remove_files(void)
{
    (void)unlink(path);
    (void)rmdir(folder);
}

/* The bytes of a good file, in a folder that is gone at the end. */
static fuzz_saved example(void)
{
    static fuzz_saved saved;
    spar__cell cell = {0};
    spar__buf bytes = {0};
    if (saved.bytes)
        return saved;
    require(mkdtemp(folder) != NULL && atexit(remove_files) == 0);
    require(!spar__cell_init(&cell, &spec) && !spar__cell_reset(&cell));
    for (size_t i = 0; i < cell.runs * cell.n_checkpoints; i++)
        cell.curve[i] = (double)i;
    cell.done = true;
    require(!spar__cell_save(&cell, folder, NULL));
    (void)snprintf(path, sizeof path, "%s/%016" PRIx64 ".cell", folder, spar__hash_of(cell.key, strlen(cell.key)));
    require(!spar__file_read(path, 0, &bytes, NULL));
    saved = (fuzz_saved){(unsigned char *)bytes.text, bytes.length};
    spar__cell_fini(&cell);
    return saved;
}

/* From now on the path is a link to the file of these bytes. */
static void place(const void *bytes, size_t length)
{
    const char *file = fuzz_file(bytes, length);
    if (!linked)
        require(unlink(path) == 0 && symlink(file, path) == 0);
    linked = true;
}

void fuzz_cell(const uint8_t *data, size_t size)
{
    static const spar__frame_kind kind = {
        .name = "cell", .tag = "cell", .version = 1, .section = {{"key ", 0}, {"nums", 0}}};
    spar__cell cell = {0};
    spar_error why = {0};
    spar__summary summary;
    fuzz_saved in = fuzz_damage(&kind, example(), data, size);
    place(in.bytes, in.length);
    require(!spar__cell_init(&cell, &spec) && !spar__cell_load(&cell, folder, &why));
    require(cell.done == !why.status && (cell.done || strncmp(why.text, path, strlen(path)) == 0));
    if (cell.done)
        require(!spar__cell_summary(&cell, cell.regret, &summary) &&
                !spar__cell_curve(&cell, cell.n_checkpoints - 1, &summary));
    spar__cell_fini(&cell);
    free(in.bytes);
}
