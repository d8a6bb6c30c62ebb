/* Bytes with a right checksum are a cache, all of which lies inside of it, or are refused.
 *
 * A first byte of 255 takes the rest as the sections. Otherwise each group of six bytes writes a 32-bit
 * word over a small good cache (two bytes say where), and the checksum is made good. */
#include "rank/queries.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "fuzz.h"

enum { OPEN = 16, END = 24 }; /* bytes before and behind the sections */

/* Two queries with two rankers, in the memory that is given; its length. */
static size_t example(unsigned char *out, size_t size)
{
    static const uint8_t grade[] = {0, 1, 2};
    static const uint16_t list[] = {2, 0, 1, 0, 1};
    const spar__source source = {.path = "data.txt", .size = 1, .hash = 2};
    const spar__cache_key key = {.top = 2, .seed = 1};
    const spar__record records[] = {{1, 3, 2, 2, grade, list, list}, {2, 1, 1, 1, grade, list + 1, list + 1}};
    spar__spool spool = {.file = tmpfile()};
    FILE *file = tmpfile();
    require(spool.file && file && !spar__spool_add(&spool, &records[0], NULL) &&
            !spar__spool_add(&spool, &records[1], NULL) && !spar__cache_write(file, &key, &source, 1, &spool, NULL));
    require(fseek(file, 0, SEEK_SET) == 0);
    size_t length = fread(out, 1, size, file);
    (void)fclose(file);
    (void)fclose(spool.file);
    spar__spool_free(&spool);
    return length;
}

/* Head, end and checksum around the sections. */
static void seal(unsigned char *bytes, size_t length)
{
    static const unsigned char end[16] = {'e', 'n', 'd', ' ', 0, 0, 0, 0, 8};
    memset(bytes, 0, OPEN);
    memcpy(bytes, "sparrank", 8);
    spar__put_u32(bytes + 8, spar__cache_kind.version);
    memcpy(bytes + length - END, end, sizeof end);
    spar__put_u64(bytes + length - 8, spar__hash_of(bytes, length - 8));
}

static void check(const unsigned char *bytes, size_t length)
{
    spar__cache c;
    spar_error err = {0};
    if (spar__cache_check(bytes, length, &c, &err)) {
        require(err.status == SPAR_CORRUPT && err.text[0] && !c.record && !c.source);
        return;
    }
    for (size_t q = 0; q < c.queries; q++) {
        size_t docs = spar__cache_docs(&c, q), depth = c.key.top < docs ? (size_t)c.key.top : docs;
        const unsigned char *record = c.records + c.record[q];
        const uint16_t *list = (const uint16_t *)(const void *)(record + docs + docs % 2);
        require(record + spar__record_size(docs, c.rankers, depth) <= bytes + length);
        for (size_t d = 0; d < docs; d++)
            require(record[d] < c.grades);
        for (size_t i = 0; i < c.rankers * depth; i++)
            require(list[i] < docs);
    }
    spar__cache_free(&c);
}

void fuzz_cache(const uint8_t *data, size_t size)
{
    static unsigned char good[1024];
    static size_t good_length;
    if (size == 0)
        return;
    if (!good_length)
        good_length = example(good, sizeof good);
    size_t length = data[0] == 255 ? OPEN + (size - 1) / 8 * 8 + END : good_length;
    unsigned char *bytes = spar__alloc(length, 1);
    if (!bytes)
        return;
    if (data[0] == 255) {
        memcpy(bytes + OPEN, data + 1, (size - 1) / 8 * 8);
    } else {
        memcpy(bytes, good, length);
        for (size_t at = 1; at + 6 <= size; at += 6)
            memcpy(bytes + OPEN + (size_t)(data[at] | data[at + 1] << 8) % (length - OPEN - END - 3), data + at + 2, 4);
    }
    seal(bytes, length);
    check(bytes, length);
    spar__free(bytes);
}
