/* cell_file.c - a cell's file is a frame (base/frame.h), named after the hash of its key, with the key in it: only a
 * cell with the same key finds it. */
#include "base/alloc.h"
#include "base/archive.h"
#include "base/file.h"
#include "base/frame.h"
#include "sim/cell.h"

#include <inttypes.h>
#include <string.h>

enum { KEY, NUMBERS };

static const spar__frame_kind kind = {
    .name = "cell", .tag = "cell", .version = 1, .section = {{"key ", 0}, {"nums", 0}}};

static void archive(spar__cell *cell, spar__archive *ar)
{
    spar__archive_f64s(ar, cell->numbers, cell->runs * (cell->n_checkpoints + 5 + cell->n_marks * cell->width));
    spar__archive_f64(ar, &cell->seconds);
    spar__archive_text(ar, &cell->note);
}

static void write_path(const spar__cell *cell, const char *dir, spar__buf *out)
{
    spar__buf_printf(out, "%s/%016" PRIx64 ".cell", dir, spar__hash_of(cell->key, strlen(cell->key)));
}

spar_status spar__cell_save(spar__cell *cell, const char *dir, spar_error *err)
{
    spar__archive numbers = {.loading = false};
    spar__buf path = {0}, file = {0};
    spar__frame_writer frame;
    archive(cell, &numbers);
    spar__frame_begin(&frame, &kind, &file, NULL);
    spar__frame_section(&frame, KEY, strlen(cell->key));
    spar__frame_add(&frame, cell->key, strlen(cell->key));
    spar__frame_section(&frame, NUMBERS, numbers.out.length);
    spar__frame_add(&frame, numbers.out.text, numbers.out.length);
    spar__frame_end(&frame);
    write_path(cell, dir, &path);
    spar_status status = numbers.failed || path.failed || file.failed
                             ? spar__fail_memory(err)
                             : spar__file_write(path.text, file.text, file.length, err);
    spar__buf_free(&numbers.out);
    spar__buf_free(&path);
    spar__buf_free(&file);
    return status;
}

static spar_status read_numbers(spar__cell *cell, const spar__buf *file, spar_error *err)
{
    spar__frame frame;
    spar_status status = spar__frame_read(&kind, file->length ? file->text : "", file->length, &frame, err);
    if (status)
        return status;
    if (frame.section[KEY].length != strlen(cell->key) ||
        memcmp(frame.section[KEY].bytes, cell->key, frame.section[KEY].length) != 0)
        return spar__fail(err, SPAR_CORRUPT, "cell: it has the numbers of another key");
    spar__archive ar = {.loading = true, .in = frame.section[NUMBERS].bytes, .left = frame.section[NUMBERS].length};
    archive(cell, &ar);
    if (ar.no_memory)
        return spar__fail_memory(err);
    return ar.failed || ar.left ? spar__fail(err, SPAR_CORRUPT, "cell: it has another number of numbers") : SPAR_OK;
}

spar_status spar__cell_load(spar__cell *cell, const char *dir, spar_error *why)
{
    spar__buf path = {0}, file = {0};
    spar_error found = {0};
    write_path(cell, dir, &path);
    spar_status status = path.failed ? SPAR_NOMEM : spar__file_read(path.text, 0, &file, NULL);
    if (!status)
        status = spar__cell_reset(cell);
    if (!status)
        status = read_numbers(cell, &file, &found);
    cell->done = status == SPAR_OK;
    if (found.status)
        (void)spar__fail(why, found.status, "%s: %s", path.text, found.text);
    spar__buf_free(&path);
    spar__buf_free(&file);
    return status == SPAR_NOMEM ? SPAR_NOMEM : SPAR_OK;
}
