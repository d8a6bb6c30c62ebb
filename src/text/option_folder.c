/* A folder of images: an option each, named after its file. */
#include "text/option_maker.h"

#include "base/alloc.h"
#include "base/file.h"
#include "text/image_type.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 4096 }; /* bytes in which an image must show what it is */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef struct file_names {
    char **name;
    size_t n;
} file_names;

static spar_status add_name(file_names *names, const char *name)
{
    char **grown = spar__realloc(names->name, names->n, names->n + 1, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    names->name = grown;
    names->name[names->n] = spar__strdup(name);
    return names->name[names->n] && ++names->n ? SPAR_OK : SPAR_NOMEM;
}

/* Sorted, without hidden ones. */
static spar_status list_names(const spar__option_maker *m, file_names *names)
{
    DIR *folder = opendir(m->path);
    if (!folder)
        return spar__fail_file(m->err, m->path, "read");
    spar_status status = SPAR_OK;
    errno = 0;
    for (struct dirent *entry; !status && (entry = readdir(folder)); errno = 0)
        if (names->n > SPAR__OPTION_ROWS)
            status = spar__fail(m->err, SPAR_PARSE, "%s: more than %d files", m->path, SPAR__OPTION_ROWS);
        else if (entry->d_name[0] != '.' && add_name(names, entry->d_name))
            status = spar__fail_memory(m->err);
    if (!status && errno)
        status = spar__fail_file(m->err, m->path, "read");
    (void)closedir(folder);
    if (names->n)
        qsort(names->name, names->n, sizeof *names->name, compare_names);
    return status;
}

static spar_status check_image(const spar__option_maker *m, const char *path)
{
    char head[HEAD];
    FILE *file = fopen(path, "rb");
    if (!file)
        return spar__fail_file(m->err, path, "open");
    size_t length = fread(head, 1, sizeof head, file);
    bool failed = ferror(file) != 0;
    spar_status status = failed ? spar__fail_file(m->err, path, "read") : SPAR_OK;
    (void)fclose(file);
    if (!status && !spar__image_type(head, length))
        status = spar__fail(m->err, SPAR_PARSE, "%s: expected an image (PNG, JPEG, GIF, WebP or SVG)", path);
    return status;
}

/* The id is the name without its ending. */
static spar_status add_image(spar__option_maker *m, char *name)
{
    spar__buf path = {0};
    spar__buf_printf(&path, "%s/%s", m->path, name);
    spar_status status = path.failed ? spar__fail_memory(m->err) : check_image(m, path.text);
    char *dot = strrchr(name, '.');
    if (dot && dot > name)
        *dot = '\0';
    if (!status)
        status = spar__option_maker_row(m, 0);
    if (!status)
        status = spar__option_maker_cell(m, "id", name);
    if (!status)
        status = spar__option_maker_cell(m, "image", path.text);
    spar__buf_free(&path);
    return status;
}

spar_status spar__option_folder(spar__option_maker *m)
{
    file_names names = {0};
    spar_status status = list_names(m, &names);
    for (size_t i = 0; i < names.n && !status; i++)
        status = add_image(m, names.name[i]);
    for (size_t i = 0; i < names.n; i++)
        spar__free(names.name[i]);
    spar__free(names.name);
    return status;
}
