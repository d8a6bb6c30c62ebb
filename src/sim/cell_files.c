/* cell_files.c - where finished cells are kept: a directory of files *.cells, each written by one process.
 *
 * A file is frames (base/frame.h), one after the other: first one of the kind "swep", which says what sweep it belongs
 * to, then one of the kind "cell" for each finished cell. A file that was broken off ends within a frame; all before it
 * counts. Frames whose checksum is wrong are left out. The files *.cell of `spar paper` before there were sweeps, of
 * one cell each and without the first frame, are read, too.
 *
 *     swep   plan   version of the program; hash of the plan; its number of cells; part and parts (0: all of it); the
 *                   words of the command
 *     cell   key    what the cell is
 *            nums   its numbers: the same wherever it is played
 *            time   what it took. Version 1 had this within nums */
#include "sim/sweep.h"

#include "base/alloc.h"
#include "base/archive.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KEY, NUMBERS, TIME };

static const spar__frame_kind cell_kind = {
    .name = "cell", .tag = "cell", .version = 2, .section = {{"key ", 0}, {"nums", 0}, {"time", 0}}};
static const spar__frame_kind head_kind = {.name = "sweep", .tag = "swep", .version = 1, .section = {{"plan", 0}}};

/* Saving only reads: see archive.h. */
static void archive_head(spar__sweep_head *head, spar__archive *ar)
{
    spar__archive_text(ar, &head->version);
    spar__archive_check(ar, head->version);
    spar__archive_u64(ar, &head->plan);
    spar__archive_u64(ar, &head->cells);
    spar__archive_u32(ar, &head->part);
    spar__archive_u32(ar, &head->parts);
    spar__archive_check(ar, head->parts ? head->part < head->parts : !head->part);
    spar__archive_size(ar, &head->n_words);
    if (ar->loading && (!spar__archive_holds(ar, head->n_words) || ar->failed))
        head->n_words = 0;
    else if (ar->loading && !(head->word = spar__alloc(head->n_words, sizeof *head->word))) {
        head->n_words = 0;
        spar__archive_step(ar, SPAR_NOMEM);
    }
    for (size_t i = 0; i < head->n_words && !ar->failed; i++) {
        spar__archive_text(ar, &head->word[i]);
        spar__archive_check(ar, head->word[i]);
    }
}

void spar__sweep_head_write(const spar__sweep_head *head, spar__buf *out)
{
    spar__archive ar = {.loading = false};
    spar__frame_writer frame;
    spar__sweep_head copy = *head;
    archive_head(&copy, &ar);
    out->failed |= ar.failed;
    spar__frame_begin(&frame, &head_kind, out, NULL);
    spar__frame_section(&frame, 0, ar.out.length);
    spar__frame_add(&frame, ar.out.text, ar.out.length);
    spar__frame_end(&frame);
    spar__buf_free(&ar.out);
}

static void sweep_head_free(spar__sweep_head *head)
{
    for (size_t i = 0; i < head->n_words; i++)
        spar__free(head->word[i]);
    spar__free(head->word);
    spar__free(head->version);
    *head = (spar__sweep_head){0};
}

static spar_status sweep_head_read(const void *bytes, size_t length, spar__sweep_head *out, spar_error *err)
{
    spar__frame frame;
    *out = (spar__sweep_head){0};
    spar_status status = spar__frame_read(&head_kind, bytes, length, &frame, err);
    if (status)
        return status;
    spar__archive ar = {.loading = true, .in = frame.section[0].bytes, .left = frame.section[0].length};
    archive_head(out, &ar);
    spar__archive_check(&ar, ar.left == 0);
    if (!ar.failed)
        return SPAR_OK;
    sweep_head_free(out);
    return ar.no_memory ? spar__fail_memory(err) : spar__fail(err, SPAR_CORRUPT, "sweep: its contents make no sense");
}

void spar__cell_frame_write(const char *key, const spar__archive *ar, spar__buf *out)
{
    spar__frame_writer frame;
    out->failed |= ar->failed || ar->cache->failed;
    spar__frame_begin(&frame, &cell_kind, out, NULL);
    spar__frame_section(&frame, KEY, strlen(key));
    spar__frame_add(&frame, key, strlen(key));
    for (size_t i = NUMBERS; i <= TIME; i++) {
        const spar__buf *contents = i == NUMBERS ? &ar->out : &ar->cache->out;
        spar__frame_section(&frame, i, contents->length);
        spar__frame_add(&frame, contents->text ? contents->text : "", contents->length);
    }
    spar__frame_end(&frame);
}

spar_status spar__cell_frame_open(const char *key, const unsigned char *bytes, size_t length, spar__archive *ar,
                                  spar__archive *time, spar_error *err)
{
    spar__frame frame;
    *ar = *time = (spar__archive){.loading = true};
    spar_status status = spar__frame_read(&cell_kind, bytes, length, &frame, err);
    if (status)
        return status;
    if (frame.section[KEY].length != strlen(key) || memcmp(frame.section[KEY].bytes, key, strlen(key)) != 0)
        return spar__fail(err, SPAR_CORRUPT, "cell: it has the numbers of another key");
    ar->in = frame.section[NUMBERS].bytes;
    ar->left = frame.section[NUMBERS].length;
    time->in = frame.section[TIME].bytes;
    time->left = frame.section[TIME].length;
    ar->cache = frame.version > 1 ? time : NULL;
    return SPAR_OK;
}

static const unsigned char *bytes_of(const spar__cell_files *files, const spar__kept_cell *cell)
{
    return (const unsigned char *)files->file[cell->file].bytes.text + cell->at;
}

static void note_damage(spar__cell_files *files, const char *path, const spar_error *why)
{
    if (files->damaged++ == 0)
        (void)spar__fail(&files->reason, why->status, "%s: %s", path, why->text);
}

/* The same key again: are the numbers the same? */
static void compare(spar__cell_files *files, const spar__kept_cell *first, const spar__frame *again)
{
    spar__frame frame;
    const char *one = files->file[first->file].path, *other = files->file[files->n_files - 1].path;
    if (spar__frame_read(&cell_kind, bytes_of(files, first), first->length, &frame, NULL) || files->differ.status)
        return;
    size_t length = frame.section[NUMBERS].length;
    if (frame.version != again->version || again->version < 2) /* with its time: never the same */
        return;
    if (length != again->section[NUMBERS].length ||
        memcmp(frame.section[NUMBERS].bytes, again->section[NUMBERS].bytes, length) != 0)
        (void)spar__fail(&files->differ, SPAR_CORRUPT, "%s and %s have other numbers for the same cell: %.*s", one,
                         other, (int)(frame.section[KEY].length > 300 ? 300 : frame.section[KEY].length),
                         (const char *)frame.section[KEY].bytes);
}

static spar_status add_cell(spar__cell_files *files, size_t at, size_t size)
{
    spar__frame frame;
    spar_error why = {0};
    spar__kept_cell cell = {files->n_files - 1, at, size};
    if (spar__frame_read(&cell_kind, bytes_of(files, &cell), size, &frame, &why)) {
        note_damage(files, files->file[cell.file].path, &why);
        return SPAR_OK;
    }
    if (!frame.section[KEY].bytes || !frame.section[NUMBERS].bytes)
        return SPAR_OK;
    if (spar__key_table_reserve(&files->keys, 1))
        return SPAR_NOMEM;
    spar__kept_cell *grown = spar__grow(files->cell, &files->room, files->keys.n + 1, 64, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    files->cell = grown;
    size_t before = files->keys.n, length = frame.section[KEY].length;
    size_t number = spar__key_get(&files->keys, spar__hash_of(frame.section[KEY].bytes, length), length);
    if (number == before)
        files->cell[number] = cell;
    else
        compare(files, &files->cell[number], &frame);
    return SPAR_OK;
}

/* All frames of the last file. What is no whole frame is where the writer was broken off, or is damaged. */
static spar_status add_frames(spar__cell_files *files)
{
    spar__cell_file *file = &files->file[files->n_files - 1];
    spar_status status = SPAR_OK;
    spar_error why = {0};
    size_t at = 0, size;
    for (; !status && (size = spar__frame_size(file->bytes.text + at, file->bytes.length - at)) > 0; at += size) {
        if (at == 0 && spar__frame_is(&head_kind, file->bytes.text, size)) {
            status = sweep_head_read(file->bytes.text, size, &file->head, &why);
            file->has_head = !status;
            if (status && status != SPAR_NOMEM) { /* whose cells these are cannot be told */
                note_damage(files, file->path, &why);
                return SPAR_OK;
            }
        } else {
            status = add_cell(files, at, size);
        }
    }
    if (!status && at == 0 && file->bytes.length) {
        (void)spar__fail(&why, SPAR_CORRUPT, "not a file of cells");
        note_damage(files, file->path, &why);
    }
    return status;
}

spar_status spar__cell_files_take(spar__cell_files *files, const char *path, spar__buf *bytes, spar_error *err)
{
    spar__cell_file *grown = spar__realloc(files->file, files->n_files, files->n_files + 1, sizeof *grown);
    if (grown)
        files->file = grown;
    char *copy = spar__strdup(path);
    if (!grown || !copy) {
        spar__free(copy);
        spar__buf_free(bytes);
        return spar__fail_memory(err);
    }
    spar__buf_add(bytes, "", 0); /* an empty file has a text, too */
    files->file[files->n_files++] = (spar__cell_file){.path = copy, .bytes = *bytes};
    *bytes = (spar__buf){0};
    return files->file[files->n_files - 1].bytes.failed || add_frames(files) ? spar__fail_memory(err) : SPAR_OK;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The paths of the files of cells in a directory. */
static spar_status list(const char *dir, char ***path, size_t *n, spar_error *err)
{
    DIR *folder = opendir(dir);
    if (!folder && errno == ENOENT)
        return SPAR_OK;
    spar_status status = folder ? SPAR_OK : spar__fail_file(err, dir, "read");
    while (!status) {
        spar__buf name = {0};
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (!entry && errno)
            status = spar__fail_file(err, dir, "read");
        if (!entry)
            break;
        const char *end = strrchr(entry->d_name, '.');
        if (!end || end == entry->d_name || (strcmp(end, ".cells") != 0 && strcmp(end, ".cell") != 0))
            continue;
        spar__buf_printf(&name, "%s/%s", dir, entry->d_name);
        char **grown = name.failed ? NULL : spar__realloc(*path, *n, *n + 1, sizeof *grown);
        if (grown) {
            *path = grown;
            (*path)[(*n)++] = name.text;
        } else {
            spar__buf_free(&name);
            status = spar__fail_memory(err);
        }
    }
    if (folder)
        (void)closedir(folder);
    if (*n)
        qsort(*path, *n, sizeof **path, compare_texts);
    return status;
}

spar_status spar__cell_files_add(spar__cell_files *files, const char *dir, spar_error *err)
{
    char **path = NULL;
    size_t n = 0;
    spar_status status = list(dir, &path, &n, err);
    for (size_t i = 0; i < n; i++) {
        spar__buf bytes = {0};
        if (!status)
            status = spar__file_read(path[i], 0, &bytes, err);
        if (!status)
            status = spar__cell_files_take(files, path[i], &bytes, err);
        spar__buf_free(&bytes);
        spar__free(path[i]);
    }
    spar__free(path);
    return status;
}

void spar__cell_files_free(spar__cell_files *files)
{
    for (size_t i = 0; i < files->n_files; i++) {
        spar__free(files->file[i].path);
        spar__buf_free(&files->file[i].bytes);
        sweep_head_free(&files->file[i].head);
    }
    spar__free(files->file);
    spar__free(files->cell);
    spar__key_table_fini(&files->keys);
    *files = (spar__cell_files){0};
}

const unsigned char *spar__cell_files_find(const spar__cell_files *files, const char *key, size_t *length)
{
    size_t n = strlen(key),
           number = files->keys.n ? spar__key_find(&files->keys, spar__hash_of(key, n), n) : SPAR__NO_KEY;
    *length = 0;
    if (number == SPAR__NO_KEY)
        return NULL;
    *length = files->cell[number].length;
    return bytes_of(files, &files->cell[number]);
}
