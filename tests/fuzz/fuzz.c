#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include "base/hash.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_require(bool good, const char *what, const char *file, int line)
{
    if (good)
        return;
    (void)fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    abort();
}

uint8_t fuzz_byte(fuzz_input *in)
{
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->at++;
}

size_t fuzz_below(fuzz_input *in, size_t n)
{
    return fuzz_byte(in) % n;
}

uint64_t fuzz_word(fuzz_input *in)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = fuzz_byte(in);
    return spar__get_u64(bytes);
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    require(text != NULL);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

FILE *fuzz_stream(FILE **kept)
{
    if (!*kept) {
        int fd = memfd_create("fuzz", MFD_CLOEXEC);
        *kept = fd < 0 ? tmpfile() : fdopen(fd, "w+");
    }
    require(*kept && fseek(*kept, 0, SEEK_SET) == 0 && ftruncate(fileno(*kept), 0) == 0);
    return *kept;
}

const char *fuzz_file(const void *bytes, size_t size)
{
    static FILE *kept;
    static char path[40];
    int fd = fileno(fuzz_stream(&kept));
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    require(pwrite(fd, bytes, size, 0) == (ssize_t)size);
    return path;
}

static fuzz_saved take_sections(const spar__frame_kind *kind, fuzz_input in)
{
    spar__buf out = {0};
    spar__frame_writer frame;
    size_t n = 0;
    while (n < SPAR__FRAME_SECTIONS && kind->section[n].tag[0])
        n++;
    spar__frame_begin(&frame, kind, &out, NULL);
    for (size_t i = 0; i < n; i++) {
        size_t length = in.left;
        if (i + 1 < n) {
            length = fuzz_byte(&in);
            length |= (size_t)fuzz_byte(&in) << 8;
            length = length < in.left ? length : in.left;
        }
        spar__frame_section(&frame, i, length);
        if (length)
            spar__frame_add(&frame, in.at, length);
        in = (fuzz_input){in.at + length, in.left - length};
    }
    spar__frame_end(&frame);
    return (fuzz_saved){(unsigned char *)out.text, out.length};
}

static fuzz_saved write_words(fuzz_saved good, fuzz_input in)
{
    enum { HEAD = 16, END = 24 };
    unsigned char *bytes = malloc(good.length);
    require(bytes && good.length > HEAD + END + 8);
    memcpy(bytes, good.bytes, good.length);
    while (in.left >= 10) {
        size_t where = fuzz_byte(&in);
        where |= (size_t)fuzz_byte(&in) << 8;
        spar__put_u64(bytes + HEAD + where % (good.length - HEAD - END - 7), fuzz_word(&in));
    }
    spar__put_u64(bytes + good.length - 8, spar__hash_of(bytes, good.length - 8));
    return (fuzz_saved){bytes, good.length};
}

static fuzz_saved seal(const uint8_t *data, size_t size)
{
    unsigned char *bytes = malloc(size);
    require(bytes != NULL);
    memcpy(bytes, data, size);
    spar__put_u64(bytes + size - 8, spar__hash_of(bytes, size - 8));
    return (fuzz_saved){bytes, size};
}

fuzz_saved fuzz_damage(const spar__frame_kind *kind, fuzz_saved good, const uint8_t *data, size_t size)
{
    if (size >= 40 && spar__frame_is(kind, data, size))
        return seal(data, size);
    fuzz_input in = {data, size};
    return fuzz_byte(&in) == 255 ? take_sections(kind, in) : write_words(good, in);
}

void fuzz_refused(spar_status status, const spar_error *err, const char *name)
{
    if (status == SPAR_OK)
        return;
    require(err->status == status && err->text[0] != '\0');
    require(!name || strncmp(err->text, name, strlen(name)) == 0);
}

void fuzz_accepted(spar_status status, const spar_error *err)
{
    if (status)
        (void)fprintf(stderr, "%s\n", err->text);
    require(status == SPAR_OK);
}
