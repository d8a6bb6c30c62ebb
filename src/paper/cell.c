/* cell.c - a cell's file is named after its setting and holds it, so that it is found again only for the very same
 * question; a checksum tells whether it is whole. */
#include "paper/cell.h"

#include "base/alloc.h"
#include "base/archive.h"
#include "base/file.h"
#include "base/hash.h"
#include "sim/stats.h"
#include "spar_version.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* To be raised when the same setting gives other numbers than before: cells of an older edition are computed again. */
enum { EDITION = 1 };

static const uint64_t magic = 0x316c6c6563727073; /* "sprcell1" in little-endian bytes */

static void write_setting(const spar__cell *cell, const spar__scene *scene, uint64_t seed, spar__buf *out)
{
    spar__buf_printf(out,
                     "spar %s edition %d; env %s; feedback %s; policy %s; m %zu; rounds %" PRIu64 "; runs %" PRIu64,
                     SPAR_VERSION, EDITION, scene->shown, scene->feedback ? scene->feedback : "-", cell->policy,
                     scene->m, scene->rounds, scene->runs);
    spar__buf_printf(out, "; seed %" PRIu64, seed);
    if (scene->feat)
        spar__buf_printf(out, "; feat %s", scene->feat_name);
    if (scene->probe)
        spar__buf_printf(out, "; probe %s", scene->probe->name);
    for (size_t i = 0; i < scene->n_marks; i++)
        spar__buf_printf(out, " %" PRIu64, scene->mark[i]);
}

spar_status spar__cell_init(spar__cell *cell, const spar__scene *scene, const char *label, const char *policy,
                            uint64_t seed)
{
    spar__buf setting = {0};
    cell->label = spar__strdup(label);
    cell->policy = spar__strdup(policy);
    if (!cell->label || !cell->policy)
        return SPAR_NOMEM;
    write_setting(cell, scene, seed, &setting);
    cell->setting = setting.text;
    return setting.failed ? SPAR_NOMEM : SPAR_OK;
}

/* Every array of numbers, and how many it has. */
enum { ARRAYS = 7 };

static void list_arrays(spar__cell *cell, double **array[ARRAYS], size_t size[ARRAYS])
{
    double **const all[ARRAYS] = {&cell->curve,      &cell->regret,   &cell->per_slot, &cell->best_share,
                                  &cell->best_pulls, &cell->set_size, &cell->probe};
    for (size_t i = 0; i < ARRAYS; i++) {
        array[i] = all[i];
        size[i] = cell->runs;
    }
    size[0] *= cell->n_checkpoints;
    size[ARRAYS - 1] *= cell->n_marks * cell->width;
}

static void free_numbers(spar__cell *cell)
{
    double **array[ARRAYS];
    size_t size[ARRAYS];
    list_arrays(cell, array, size);
    for (size_t i = 0; i < ARRAYS; i++) {
        spar__free(*array[i]);
        *array[i] = NULL;
    }
    spar__free(cell->checkpoint);
    spar__free(cell->note);
    cell->checkpoint = NULL;
    cell->note = NULL;
    cell->seconds = 0;
    cell->done = false;
}

void spar__cell_fini(spar__cell *cell)
{
    free_numbers(cell);
    spar__free(cell->label);
    spar__free(cell->policy);
    spar__free(cell->setting);
}

spar_status spar__cell_clear(spar__cell *cell, const spar__scene *scene)
{
    free_numbers(cell);
    cell->runs = (size_t)scene->runs;
    cell->n_marks = scene->n_marks;
    cell->width = scene->probe ? scene->probe->width : 0;
    cell->n_checkpoints = spar__checkpoints(scene->rounds, NULL);
    cell->checkpoint = spar__alloc(cell->n_checkpoints, sizeof *cell->checkpoint);
    if (!cell->checkpoint)
        return SPAR_NOMEM;
    (void)spar__checkpoints(scene->rounds, cell->checkpoint);
    double **array[ARRAYS];
    size_t size[ARRAYS];
    list_arrays(cell, array, size);
    for (size_t i = 0; i < ARRAYS; i++)
        if (!(*array[i] = spar__alloc(size[i], sizeof **array[i])))
            return SPAR_NOMEM;
    return SPAR_OK;
}

static void archive(spar__cell *cell, spar__archive *ar)
{
    double **array[ARRAYS];
    size_t size[ARRAYS];
    list_arrays(cell, array, size);
    for (size_t i = 0; i < ARRAYS; i++)
        spar__archive_f64s(ar, *array[i], size[i]);
    spar__archive_f64(ar, &cell->seconds);
    spar__archive_text(ar, &cell->note);
}

static void write_path(const spar__cell *cell, const char *dir, spar__buf *out)
{
    spar__buf_printf(out, "%s/%016" PRIx64 ".cell", dir, spar__hash_of(cell->setting, strlen(cell->setting)));
}

spar_status spar__cell_keep(spar__cell *cell, const char *dir, spar_error *err)
{
    spar__archive ar = {.loading = false};
    spar__buf path = {0};
    uint64_t word = magic;
    spar__archive_u64(&ar, &word);
    spar__archive_text(&ar, &cell->setting);
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

/* Is it whole, and for the same setting? */
static bool read_numbers(spar__cell *cell, const spar__buf *file)
{
    enum { WORD = 8 };
    if (file->length < 2 * WORD)
        return false;
    size_t body = file->length - WORD;
    spar__archive tail = {.loading = true, .in = (const unsigned char *)file->text + body, .left = WORD};
    uint64_t sum = 0, word = 0;
    spar__archive_u64(&tail, &sum);
    if (tail.failed || sum != spar__hash_of(file->text, body))
        return false;
    spar__archive ar = {.loading = true, .in = (const unsigned char *)file->text, .left = body};
    char *setting = NULL;
    spar__archive_u64(&ar, &word);
    if (word == magic)
        spar__archive_text(&ar, &setting);
    bool same = setting && strcmp(setting, cell->setting) == 0;
    spar__free(setting);
    if (same)
        archive(cell, &ar);
    return same && !ar.failed && ar.left == 0;
}

spar_status spar__cell_load(spar__cell *cell, const spar__scene *scene, const char *dir)
{
    spar__buf path = {0}, file = {0};
    write_path(cell, dir, &path);
    if (path.failed)
        return SPAR_NOMEM;
    bool found = !spar__file_read(path.text, 0, &file, NULL);
    spar_status status = found ? spar__cell_clear(cell, scene) : SPAR_OK;
    if (found && !status) {
        cell->done = read_numbers(cell, &file);
        if (!cell->done)
            free_numbers(cell);
    }
    spar__buf_free(&path);
    spar__buf_free(&file);
    return status;
}
