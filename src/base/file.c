/* file.c - files as a whole: read, replaced in one step, or appended to (file.h says what is promised). A file that is
 * replaced is written beside its place and takes it at the end. */
#include "base/file.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

spar_status spar__fail_file(spar_error *err, const char *path, const char *verb)
{
    return spar__fail(err, errno == ENOMEM ? SPAR_NOMEM : SPAR_IO, "%s: cannot %s: %s", path, verb, strerror(errno));
}

static spar_status read_stream(FILE *file, const char *path, size_t limit, spar__buf *out, spar_error *err)
{
    char chunk[1 << 14];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0) {
        spar__buf_add(out, chunk, got);
        if (out->failed)
            return spar__fail_memory(err);
        if (limit && out->length > limit)
            return spar__fail(err, SPAR_IO, "%s: larger than %zu bytes", path, limit);
    }
    if (ferror(file))
        return spar__fail_file(err, path, "read");
    spar__buf_add(out, "", 0); /* so that an empty file still gives a terminated text */
    return out->failed ? spar__fail_memory(err) : SPAR_OK;
}

spar_status spar__file_read(const char *path, size_t limit, spar__buf *out, spar_error *err)
{
    if (strcmp(path, "-") == 0)
        return read_stream(stdin, "standard input", limit, out, err);
    struct stat info;
    if (stat(path, &info) != 0)
        return spar__fail_file(err, path, "open");
    if (S_ISDIR(info.st_mode))
        return spar__fail(err, SPAR_IO, "%s: is a directory, expected a file", path);
    if (limit && S_ISREG(info.st_mode) && (uintmax_t)info.st_size > limit)
        return spar__fail(err, SPAR_IO, "%s: larger than %zu bytes", path, limit);
    FILE *file = fopen(path, "rbe");
    if (!file)
        return spar__fail_file(err, path, "open");
    spar_status status = read_stream(file, path, limit, out, err);
    (void)fclose(file);
    return status;
}

spar_status spar__file_write(const char *path, const char *bytes, size_t length, spar_error *err)
{
    spar__file file;
    spar_status status = spar__file_begin(&file, path, err);
    if (status)
        return status;
    if (fwrite(bytes, 1, length, file.stream) != length)
        file.error = errno;
    return spar__file_commit(&file, false, err);
}

/* Files that are written beside their place and take it at the end (file.h). */

#define PREFIX ".spar-"
#define SUFFIX ".tmp"

enum { DIGITS = 16, MOST_LINKS = 40 };

/* The directory part of a path, with its slash; empty for a bare name. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Replaces *path, a link, by what it points to. */
static bool follow(char **path)
{
    char target[4096];
    ssize_t length = readlink(*path, target, sizeof target);
    if (length < 0 || (size_t)length == sizeof target) {
        errno = length < 0 ? errno : ENAMETOOLONG;
        return false;
    }
    spar__buf joined = {0};
    if (target[0] != '/')
        spar__buf_add(&joined, *path, folder_length(*path));
    spar__buf_add(&joined, target, (size_t)length);
    if (joined.failed) {
        spar__buf_free(&joined);
        errno = ENOMEM;
        return false;
    }
    spar__free(*path);
    *path = joined.text;
    return true;
}

/* The number in /proc/self/fd/1 or /dev/fd/1, which is an open file of ours and no place in a directory; or -1. */
static int own_descriptor(const char *path)
{
    static const char *const folders[] = {"/proc/self/fd/", "/dev/fd/"};
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(folders[i]);
        char *end;
        if (strncmp(path, folders[i], length) == 0 && path[length] >= '0' && path[length] <= '9') {
            long fd = strtol(path + length, &end, 10);
            return *end || fd > 1 << 20 ? -1 : (int)fd;
        }
    }
    return -1;
}

/* Follows links at the end of the path. Gives what stands there: its mode, 0 if nothing; *fd is our descriptor if it is
 * one. False, with errno, when that cannot be told. */
static bool resolve(char **path, mode_t *mode, int *fd)
{
    struct stat info;
    *mode = 0;
    for (int links = 0; links < MOST_LINKS; links++) {
        *fd = own_descriptor(*path);
        if (*fd >= 0)
            return true;
        const char *rest = strncmp(*path, "/proc/", 6) == 0 ? strchr(*path + 6, '/') : NULL;
        if (rest && strncmp(rest, "/fd/", 4) == 0) { /* of another process: its link is no name in a directory */
            *mode = S_IFIFO;
            return true;
        }
        if (lstat(*path, &info) != 0)
            return errno == ENOENT;
        if (!S_ISLNK(info.st_mode)) {
            *mode = info.st_mode;
            return true;
        }
        if (!follow(path))
            return false;
    }
    errno = ELOOP;
    return false;
}

/* Removes temporaries whose owners are gone: they are not locked. Once per process while it writes into the same
 * directory: directories may be large. */
static void collect(const char *folder)
{
    static _Atomic uint64_t last;
    struct stat info;
    if (stat(folder, &info) != 0)
        return;
    uint64_t id = (uint64_t)info.st_ino * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)info.st_dev + 1;
    if (atomic_exchange(&last, id) == id)
        return;
    DIR *entries = opendir(folder);
    struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        const char *name = entry->d_name, *digits = name + strlen(PREFIX);
        if (strncmp(name, PREFIX, strlen(PREFIX)) != 0 || strspn(digits, "0123456789abcdef") != DIGITS ||
            strcmp(digits + DIGITS, SUFFIX) != 0)
            continue;
        int fd = openat(dirfd(entries), name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
            flock(fd, LOCK_EX | LOCK_NB) == 0)
            (void)unlinkat(dirfd(entries), name, 0);
        if (fd >= 0)
            (void)close(fd);
    }
    if (entries)
        (void)closedir(entries);
}

/* Makes a file whose name is what *name holds, 16 random digits and the suffix. -1, with errno, when it cannot. */
static int make_file(spar__buf *name, const char *suffix, int flags, mode_t mode)
{
    for (size_t length = name->length;;) {
        uint64_t random;
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
            return -1;
        name->length = length;
        spar__buf_printf(name, "%016llx%s", (unsigned long long)random, suffix);
        errno = ENOMEM;
        int fd = name->failed ? -1 : open(name->text, flags | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
}

/* A new locked file in the directory of path, which others may not read before it has its final mode; its name is added
 * to *name. -1, with errno, when it cannot be made. */
static int make_temporary(const char *path, mode_t mode, spar__buf *name)
{
    for (;;) {
        struct stat info;
        spar__buf_clear(name);
        spar__buf_add(name, path, folder_length(path));
        spar__buf_adds(name, PREFIX);
        int fd = make_file(name, SUFFIX, O_RDWR | O_NOFOLLOW, mode);
        if (fd < 0 || flock(fd, LOCK_EX) != 0 || fstat(fd, &info) != 0 || info.st_nlink > 0)
            return fd;   /* a file system without locks has no collection either */
        (void)close(fd); /* collected between open and lock: again */
    }
}

/* mode: of the file that is replaced, 0 for a new one. */
static FILE *make_stream(const char *path, mode_t mode, spar__buf *name)
{
    int fd = make_temporary(path, mode ? 0600 : 0666, name);
    if (fd >= 0 && mode)
        (void)fchmod(fd, mode & 0777); /* as the file had that is replaced */
    FILE *stream = fd < 0 ? NULL : fdopen(fd, "w+b");
    if (fd >= 0 && !stream) {
        int error = errno;
        (void)close(fd);
        (void)unlink(name->text);
        errno = error;
    }
    return stream;
}

FILE *spar__file_unnamed(const char *path)
{
    spar__buf folder = {0}, name = {0};
    const char *tmp = getenv("TMPDIR");
    spar__buf_printf(&folder, "%s/", tmp && *tmp ? tmp : "/tmp");
    errno = ENOMEM;
    FILE *stream = folder.failed ? NULL : make_stream(path ? path : folder.text, 0600, &name);
    int error = errno;
    if (stream)
        (void)unlink(name.text);
    spar__buf_free(&folder);
    spar__buf_free(&name);
    errno = error;
    return stream;
}

/* Sets stream, and temporary unless the file is written through; on failure neither, and errno. */
static void open_stream(spar__file *file)
{
    mode_t mode;
    int fd;
    if (!resolve(&file->target, &mode, &fd))
        return;
    if (fd >= 0 || (mode && !S_ISREG(mode))) {
        (void)fflush(stdout); /* so that what was printed before comes before */
        errno = EISDIR;
        int own = S_ISDIR(mode) ? -1
                  : fd >= 0     ? fcntl(fd, F_DUPFD_CLOEXEC, 3)
                                : open(file->target, O_WRONLY | O_NOCTTY | O_CLOEXEC);
        file->stream = own < 0 ? NULL : fdopen(own, "wb");
        if (own >= 0 && !file->stream)
            (void)close(own);
        spar__free(file->target);
        file->target = NULL;
        return;
    }
    if (mode && access(file->target, W_OK) != 0)
        return;
    spar__buf name = {0}, folder = {0};
    file->stream = make_stream(file->target, mode, &name);
    int error = errno;
    file->temporary = name.text;
    spar__buf_add(&folder, file->target, folder_length(file->target));
    spar__buf_adds(&folder, ".");
    if (file->stream && !folder.failed)
        collect(folder.text);
    spar__buf_free(&folder);
    errno = error;
}

/* A database holds what no command can bring back, and nothing that is written here is one. (Whoever has opened the
 * database itself must not come here with it: closing the file would drop SQLite's locks.) */
static bool is_database(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    struct stat info;
    int fd = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    bool same = fd >= 0 && read(fd, head, sizeof head) == (ssize_t)sizeof head && !memcmp(head, magic, sizeof head);
    if (fd >= 0)
        (void)close(fd);
    return same;
}

static void forget(spar__file *file)
{
    spar__free(file->target);
    spar__free(file->temporary);
    *file = (spar__file){0};
}

spar_status spar__file_begin(spar__file *file, const char *path, spar_error *err)
{
    *file = (spar__file){.shown = path};
    if (strcmp(path, "-") == 0) {
        *file = (spar__file){.shown = "standard output", .stream = stdout};
        return SPAR_OK;
    }
    if (is_database(path)) {
        forget(file);
        return spar__fail(err, SPAR_INVALID, "%s: cannot write: it is a database (SQLite), expected another file",
                          path);
    }
    file->target = spar__strdup(path);
    errno = ENOMEM;
    if (file->target)
        open_stream(file);
    if (file->stream)
        return SPAR_OK;
    spar_status status = spar__fail_file(err, path, "write");
    forget(file);
    return status;
}

void spar__file_abandon(spar__file *file)
{
    if (file->temporary)
        (void)unlink(file->temporary);
    if (file->stream && file->stream != stdout)
        (void)fclose(file->stream);
    forget(file);
}

spar_status spar__file_commit(spar__file *file, bool sync, spar_error *err)
{
    sync = sync && file->target;
    int lock = file->target ? fcntl(fileno(file->stream), F_DUPFD_CLOEXEC, 3) : -1; /* held until the rename */
    /* The stream is flushed and closed, which may find errors. It does not keep its errno. Standard output stays open.
     */
    int error = file->error ? file->error : ferror(file->stream) ? EIO : 0;
    if (fflush(file->stream) != 0 || (sync && fsync(fileno(file->stream)) != 0))
        error = errno;
    if (file->stream != stdout && fclose(file->stream) != 0 && !error)
        error = errno;
    file->stream = NULL;
    errno = error;
    bool good = !error;
    if (good && file->target && rename(file->temporary, file->target) != 0)
        good = false;
    else if (good && sync) {
        /* The directory too, so that a new name is as lasting as the contents. */
        spar__buf folder = {0};
        spar__buf_add(&folder, file->target, folder_length(file->target));
        spar__buf_adds(&folder, ".");
        errno = ENOMEM;
        int fd = folder.failed ? -1 : open(folder.text, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        good = fd >= 0 && fsync(fd) == 0;
        error = errno;
        if (fd >= 0)
            (void)close(fd);
        spar__buf_free(&folder);
        errno = error;
    }
    spar_status status = good ? SPAR_OK : spar__fail_file(err, file->shown, "write");
    if (good)
        forget(file);
    else
        spar__file_abandon(file);
    if (lock >= 0)
        (void)close(lock);
    return status;
}

enum { FLUSH = 50000000, MOST = 1 << 16 }; /* nanoseconds; bytes that wait */

spar_status spar__append_begin(spar__append *file, const char *dir, const char *suffix, spar_error *err)
{
    spar__buf path = {0};
    *file = (spar__append){.fd = -1};
    bool there = mkdir(dir, 0777) == 0 || errno == EEXIST;
    spar__buf_printf(&path, "%s/", dir);
    int fd = there ? make_file(&path, suffix, O_WRONLY | O_APPEND, 0666) : -1;
    if (fd < 0) {
        spar__buf_free(&path);
        return spar__fail_file(err, dir, "write");
    }
    *file = (spar__append){.fd = fd, .path = path.text, .written = spar__clock_wall()};
    return SPAR_OK;
}

spar_status spar__append_flush(spar__append *file, bool sync, spar_error *err)
{
    const char *at = file->waiting.text;
    for (size_t left = file->waiting.length; left;) {
        ssize_t n = write(file->fd, at, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return spar__fail_file(err, file->path, "write");
        at += n;
        left -= (size_t)n;
    }
    spar__buf_clear(&file->waiting);
    file->written = spar__clock_wall();
    return sync && file->path && fsync(file->fd) != 0 ? spar__fail_file(err, file->path, "write") : SPAR_OK;
}

spar_status spar__append_add(spar__append *file, const char *bytes, size_t length, spar_error *err)
{
    spar__buf_add(&file->waiting, bytes, length);
    if (file->waiting.failed)
        return spar__fail_memory(err);
    bool due = file->waiting.length >= MOST || spar__clock_wall() - file->written >= FLUSH;
    return due ? spar__append_flush(file, false, err) : SPAR_OK;
}

void spar__append_end(spar__append *file)
{
    if (file->path)
        (void)close(file->fd);
    spar__free(file->path);
    spar__buf_free(&file->waiting);
    *file = (spar__append){0};
}
