#include "base/buf.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool reserve(spar__buf *buf, size_t extra)
{
    if (buf->failed || extra > SIZE_MAX / 4 - buf->length) {
        buf->failed = true;
        return false;
    }
    size_t need = buf->length + extra + 1;
    if (need <= buf->capacity)
        return true;
    size_t capacity = buf->capacity ? buf->capacity : 256;
    while (capacity < need)
        capacity *= 2;
    char *text = spar__realloc(buf->text, buf->capacity, capacity, 1);
    if (!text) {
        buf->failed = true;
        return false;
    }
    buf->text = text;
    buf->capacity = capacity;
    return true;
}

void spar__buf_add(spar__buf *buf, const char *bytes, size_t length)
{
    if (!reserve(buf, length))
        return;
    memcpy(buf->text + buf->length, bytes, length);
    buf->length += length;
    buf->text[buf->length] = '\0';
}

void spar__buf_adds(spar__buf *buf, const char *text)
{
    spar__buf_add(buf, text, strlen(text));
}

void spar__buf_printf(spar__buf *buf, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        buf->failed = true;
    else if (reserve(buf, (size_t)length)) {
        (void)vsnprintf(buf->text + buf->length, (size_t)length + 1, format, again);
        buf->length += (size_t)length;
    }
    va_end(again);
}

void spar__buf_clear(spar__buf *buf)
{
    buf->length = 0;
    buf->failed = false;
    if (buf->text)
        buf->text[0] = '\0';
}

void spar__buf_free(spar__buf *buf)
{
    spar__free(buf->text);
    *buf = (spar__buf){0};
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
        return spar__fail(err, SPAR_IO, "%s: cannot read: %s", path, strerror(errno));
    spar__buf_add(out, "", 0); /* so that an empty file still gives a terminated text */
    return out->failed ? spar__fail_memory(err) : SPAR_OK;
}

spar_status spar__file_read(const char *path, size_t limit, spar__buf *out, spar_error *err)
{
    if (strcmp(path, "-") == 0)
        return read_stream(stdin, "standard input", limit, out, err);
    struct stat info;
    if (stat(path, &info) != 0)
        return spar__fail(err, SPAR_IO, "%s: cannot open: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return spar__fail(err, SPAR_IO, "%s: is a directory, expected a file", path);
    if (limit && S_ISREG(info.st_mode) && (uintmax_t)info.st_size > limit)
        return fail_large(path, limit, err);
    FILE *file = fopen(path, "rb");
    if (!file)
        return spar__fail(err, SPAR_IO, "%s: cannot open: %s", path, strerror(errno));
    spar_status status = read_stream(file, path, limit, out, err);
    (void)fclose(file);
    return status;
}

static spar_status write_stream(FILE *file, const char *path, const char *bytes, size_t length, spar_error *err)
{
    if (fwrite(bytes, 1, length, file) != length || fflush(file) != 0)
        return spar__fail(err, SPAR_IO, "%s: cannot write: %s", path, strerror(errno));
    return SPAR_OK;
}

spar_status spar__file_write(const char *path, const char *bytes, size_t length, spar_error *err)
{
    if (strcmp(path, "-") == 0)
        return write_stream(stdout, "standard output", bytes, length, err);
    spar__buf name = {0};
    spar__buf_printf(&name, "%s.%ld.tmp", path, (long)getpid());
    if (name.failed)
        return spar__fail_memory(err);
    spar_status status = SPAR_OK;
    FILE *file = fopen(name.text, "wb");
    if (!file) {
        status = spar__fail(err, SPAR_IO, "%s: cannot write: %s", path, strerror(errno));
    } else {
        status = write_stream(file, path, bytes, length, err);
        if (fclose(file) != 0 && !status)
            status = spar__fail(err, SPAR_IO, "%s: cannot write: %s", path, strerror(errno));
        if (!status && rename(name.text, path) != 0)
            status = spar__fail(err, SPAR_IO, "%s: cannot write: %s", path, strerror(errno));
        if (status)
            (void)remove(name.text);
    }
    spar__buf_free(&name);
    return status;
}
