/* cell_file.c - a cell's file is named after its key and holds it, so that only the same question finds it. */
#include "base/alloc.h"
#include "base/archive.h"
#include "base/file.h"
#include "base/hash.h"
#include "sim/cell.h"

#include <inttypes.h>
#include <string.h>

static const uint64_t magic = 0x326c6c6563727073; /* "sprcell2" in little-endian bytes */

static void archive(spar__cell *cell, spar__archive *ar)
{
    size_t n = cell->runs * (cell->n_checkpoints + 5 + cell->n_marks * cell->width);
    spar__archive_f64s(ar, cell->numbers, n);
    spar__archive_f64(ar, &cell->seconds);
    spar__archive_text(ar, &cell->note);
}

static void write_path(const spar__cell *cell, const char *dir, spar__buf *out)
{
    spar__buf_printf(out, "%s/%016" PRIx64 ".cell", dir, spar__hash_of(cell->key, strlen(cell->key)));
}

spar_status spar__cell_save(spar__cell *cell, const char *dir, spar_error *err)
{
    spar__archive ar = {.loading = false};
    spar__buf path = {0};
    uint64_t word = magic;
    spar__archive_u64(&ar, &word);
    spar__archive_text(&ar, &cell->key);
    archive(cell, &ar);
    uint64_t sum = ar.failed ? 0 : spar__hash_of(ar.out.text, ar.out.length);
    spar__archive_u64(&ar, &sum);
    write_path(cell, dir, &path);
    spar_status status = ar.failed || path.failed ? spar__fail_memory(err)
                                                  : spar__file_write(path.text, ar.out.text, ar.out.length, err);
    spar__buf_free(&path);
    spar__buf_free(&ar.out);
    return status;
}

/* SPAR_CORRUPT or SPAR_UNSUPPORTED: not usable, as err says. */
static spar_status read_numbers(spar__cell *cell, const char *path, const spar__buf *file, spar_error *err)
{
    enum { WORD = 8 };
    if (file->length < 2 * WORD)
        return spar__fail(err, SPAR_CORRUPT, "%s: not a whole cell", path);
    size_t body = file->length - WORD;
    spar__archive tail = {.loading = true, .in = (const unsigned char *)file->text + body, .left = WORD};
    uint64_t sum = 0, word = 0;
    spar__archive_u64(&tail, &sum);
    if (sum != spar__hash_of(file->text, body))
        return spar__fail(err, SPAR_CORRUPT, "%s: damaged", path);
    spar__archive ar = {.loading = true, .in = (const unsigned char *)file->text, .left = body};
    char *key = NULL;
    spar__archive_u64(&ar, &word);
    if (word != magic)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: written by another version", path);
    spar__archive_text(&ar, &key);
    bool same = key && strcmp(key, cell->key) == 0;
    spar__free(key);
    if (same)
        archive(cell, &ar);
    if (ar.no_memory)
        return spar__fail_memory(err);
    if (!same)
        return spar__fail(err, SPAR_CORRUPT, "%s: the numbers of another cell", path);
    return ar.failed || ar.left ? spar__fail(err, SPAR_CORRUPT, "%s: damaged", path) : SPAR_OK;
}

spar_status spar__cell_load(spar__cell *cell, const char *dir, spar_error *why)
{
    spar__buf path = {0}, file = {0};
    write_path(cell, dir, &path);
    if (path.failed)
        return SPAR_NOMEM;
    spar_status status = spar__file_read(path.text, 0, &file, NULL);
    if (!status)
        status = spar__cell_reset(cell);
    if (!status)
        status = read_numbers(cell, path.text, &file, why);
    cell->done = status == SPAR_OK;
    spar__buf_free(&path);
    spar__buf_free(&file);
    return status == SPAR_NOMEM ? SPAR_NOMEM : SPAR_OK;
}
