#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/target.h"

#include "cli/outdir.h"

#include "base/buf.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The length of the folder of a path, with its slash. */
static size_t folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

static bool look_at_folder(const char *path, struct stat *info)
{
    spar__buf folder = {0};
    spar__buf_add(&folder, path, folder_of(path));
    spar__buf_adds(&folder, ".");
    bool found = !folder.failed && stat(folder.text, info) == 0;
    spar__buf_free(&folder);
    return found;
}

/* The same file, or two that are not there yet but would be the same. */
static bool same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    int missing = (stat(a, &of_a) != 0) + (stat(b, &of_b) != 0);
    if (!missing)
        return same_inode(&of_a, &of_b);
    return missing == 2 && strcmp(a + folder_of(a), b + folder_of(b)) == 0 && look_at_folder(a, &of_a) &&
           look_at_folder(b, &of_b) && same_inode(&of_a, &of_b);
}

/* The file, or one that SQLite keeps beside it; that is beside the target of a link. */
static bool belongs_to(const char *path, const char *file)
{
    static const char *const suffix[] = {"", "-wal", "-shm", "-journal"};
    char real[PATH_MAX];
    bool same = false;
    for (size_t i = 0; i < sizeof suffix / sizeof *suffix && !same && realpath(file, real); i++) {
        spar__buf name = {0};
        spar__buf_printf(&name, "%s%s", real, suffix[i]);
        same = !name.failed && same_file(name.text, path);
        spar__buf_free(&name);
    }
    return same;
}

/* With or without #NAME: a file may have a # of its own. */
static bool is_read(const char *path, const char *source)
{
    static const char scheme[] = "sqlite:";
    const char *file = strncmp(source, scheme, strlen(scheme)) == 0 ? source + strlen(scheme) : source;
    const char *hash = strrchr(file + folder_of(file), '#');
    spar__buf name = {0};
    spar__buf_add(&name, file, hash ? (size_t)(hash - file) : strlen(file));
    bool same = belongs_to(path, file) || (hash && !name.failed && belongs_to(path, name.text));
    spar__buf_free(&name);
    return same;
}

spar_status spar__target_check(const char *source, const char *path, spar_error *err)
{
    if (!source || !path || strcmp(source, "-") == 0 || strcmp(path, "-") == 0 || !is_read(path, source))
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID, "%s: cannot write: it belongs to %s, which is read; expected another file",
                      path, source);
}

spar_status spar__target_check_dir(const char *source, const char *dir, size_t n, const char *const *name,
                                   spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < n && !status && dir; i++) {
        spar__buf path = {0};
        status = spar__outdir_path(dir, name[i], &path, err);
        if (!status)
            status = spar__target_check(source, path.text, err);
        spar__buf_free(&path);
    }
    return status;
}
