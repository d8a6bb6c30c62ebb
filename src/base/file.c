#include "base/file.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

spar_status spar__fail_file(spar_error *err, const char *path, const char *verb)
{
    return spar__fail(err, errno == ENOMEM ? SPAR_NOMEM : SPAR_IO, "%s: cannot %s: %s", path, verb, strerror(errno));
}

static spar_status fail_large(const char *path, size_t limit, spar_error *err)
{
    return spar__fail(err, SPAR_IO, "%s: larger than %zu bytes", path, limit);
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
            return fail_large(path, limit, err);
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
        return fail_large(path, limit, err);
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
