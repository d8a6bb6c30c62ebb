#include "rank/queries.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "rank/golden.h"
#include "sampler/rng.h"

#include <stdlib.h>

/* Three queries; the second and third know of fewer rankers than the first. */
static const uint8_t grades[] = {0, 2, 1, 0, 3};
static const uint16_t ties[] = {2, 0, 1}, lists[] = {1, 0, 0, 1, 2, 1};

static spar_status fill(spar__spool *spool, spar_error *err)
{
    const spar__record records[] = {
        {.id = 7, .docs = 5, .depth = 2, .lists = 3, .grade = grades, .tied = ties, .list = lists},
        {.id = 0, .docs = 1, .depth = 1, .lists = 1, .grade = grades + 1, .tied = lists + 1, .list = lists + 1},
        {.id = UINT64_MAX, .docs = 2, .depth = 2, .lists = 0, .grade = grades + 2, .tied = lists, .list = lists}};
    for (size_t i = 0; i < 3; i++) {
        spar_status status = spar__spool_add(spool, &records[i], err);
        if (status)
            return status;
    }
    return SPAR_OK;
}

static const spar__source sources[] = {
    {.path = "some/file.txt", .size = 10, .hash = 11, .seconds = -12, .nanoseconds = 13},
    {.path = "x", .size = 20, .fresh = true}};
static const spar__cache_key key = {.top = 2, .seed = 99, .rankers = 5};

static spar_status write_example(spar__buf *out, spar_error *err)
{
    char piece[4096];
    size_t got = 0;
    spar__spool spool = {.file = tmpfile()};
    FILE *file = tmpfile();
    if (!spool.file || !file)
        return SPAR_IO;
    spar_status status = fill(&spool, err);
    if (!status)
        status = spar__cache_write(file, &key, sources, 2, &spool, err);
    if (!status && !fseek(file, 0, SEEK_SET))
        got = fread(piece, 1, sizeof piece, file);
    spar__buf_add(out, piece, got);
    (void)fclose(spool.file);
    (void)fclose(file);
    spar__spool_free(&spool);
    return status;
}

static unsigned char *copy_of(const spar__buf *bytes)
{
    unsigned char *copy = spar__alloc(bytes->length, 1);
    memcpy(copy, bytes->text, bytes->length);
    return copy;
}

static const uint16_t *lists_of(const spar__cache *c, size_t q)
{
    size_t docs = spar__cache_docs(c, q);
    return (const uint16_t *)(const void *)(c->records + c->record[q] + docs + docs % 2);
}

static void check_contents(const spar__buf *image)
{
    spar__cache c;
    spar_error err = {0};
    unsigned char *bytes = copy_of(image);
    ok(!spar__cache_check(bytes, image->length, &c, &err), "what was written can be read %s", err.text);
    ok(c.queries == 3 && c.rankers == 3 && c.grades == 4 && c.key.top == 2 && c.key.seed == 99 && c.key.rankers == 5,
       "with its parameters");
    ok(c.sources == 2 && c.source[0].size == 10 && c.source[0].hash == 11 && c.source[0].seconds == -12 &&
           c.source[0].nanoseconds == 13 && !c.source[0].fresh && c.source[1].fresh,
       "its sources");
    ok(spar__cache_id(&c, 0) == 7 && spar__cache_id(&c, 1) == 0 && spar__cache_id(&c, 2) == UINT64_MAX &&
           spar__cache_docs(&c, 0) == 5 && spar__cache_docs(&c, 1) == 1 && spar__cache_docs(&c, 2) == 2,
       "its queries");
    ok(!memcmp(c.records + c.record[0], grades, 5) && c.records[c.record[1]] == 2 &&
           !memcmp(c.records + c.record[2], grades + 2, 2),
       "their grades");
    ok(!memcmp(lists_of(&c, 0), lists, sizeof lists), "the lists of the first");
    ok(lists_of(&c, 1)[0] == 0 && lists_of(&c, 1)[1] == 0 && lists_of(&c, 1)[2] == 0, "of the second");
    static const uint16_t last[] = {1, 0, 1, 0, 1, 0};
    ok(!memcmp(lists_of(&c, 2), last, sizeof last), "and the order of ties for rankers the third did not know");
    spar__cache_free(&c);
    spar__free(bytes);
}

/* Offsets: of the version, and of the numbers of the head. */
enum { VERSION = 8, TOP = 32, QUERIES = 56, RANKERS = 64, GRADES = 72, SOURCES = 80 };

static void seal(unsigned char *bytes, size_t length)
{
    spar__put_u64(bytes + length - 8, spar__hash_of(bytes, length - 8));
}

static void check_damage(const spar__buf *image)
{
    spar__cache c;
    spar_error err = {0};
    size_t taken = 0;
    for (size_t length = 0; length < image->length; length++) {
        unsigned char *bytes = spar__alloc(length, 1); /* of exactly this size, for the address sanitizer */
        memcpy(bytes, image->text, length);
        taken += spar__cache_check(bytes, length, &c, &err) != SPAR_CORRUPT || c.source || c.record;
        spar__free(bytes);
    }
    ok(taken == 0, "no part of it is taken for the whole");
    unsigned char *bytes = copy_of(image);
    for (size_t bit = 0; bit < 8 * image->length; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        taken += spar__cache_check(bytes, image->length, &c, &err) == SPAR_OK;
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    ok(taken == 0, "every flipped bit is found");
    spar__free(bytes);
}

/* Whatever a file with a right checksum says, it is refused, or all that it says lies inside of it. */
static void check_malice(const spar__buf *image)
{
    spar_rng rng;
    spar_rng_seed(&rng, 5, 1, 1);
    size_t good = 0, bad = 0, wrong = 0;
    for (int i = 0; i < 50000; i++) {
        unsigned char *bytes = copy_of(image);
        for (uint64_t changes = 1 + spar_rng_below(&rng, 3); changes > 0; changes--) {
            size_t at = TOP + (size_t)spar_rng_below(&rng, image->length - TOP);
            bytes[at] = (unsigned char)(spar_rng_below(&rng, 2) ? spar_rng_below(&rng, 4) : spar_rng_next(&rng));
        }
        seal(bytes, image->length);
        spar__cache c;
        if (spar__cache_check(bytes, image->length, &c, NULL)) {
            bad++;
        } else {
            good++;
            for (size_t q = 0; q < c.queries; q++) {
                size_t docs = spar__cache_docs(&c, q), depth = c.key.top < docs ? (size_t)c.key.top : docs;
                wrong += c.records + c.record[q] + spar__record_size(docs, c.rankers, depth) > bytes + image->length;
                for (size_t w = 0; w < c.rankers * depth; w++)
                    wrong += lists_of(&c, q)[w] >= docs;
            }
        }
        spar__cache_free(&c);
        spar__free(bytes);
    }
    ok(wrong == 0 && good > 1000 && bad > 1000, "of sealed damage %zu are refused, %zu are harmless", bad, good);
}

static void refuses(const spar__buf *image, size_t at, uint64_t value, size_t size, const char *why)
{
    unsigned char *bytes = copy_of(image);
    spar__cache c;
    spar_error err = {0};
    for (size_t i = 0; i < size; i++)
        bytes[at + i] = (unsigned char)(value >> 8 * i);
    if (at >= TOP && at < image->length - 8)
        seal(bytes, image->length);
    ok(spar__cache_check(bytes, image->length, &c, &err) == SPAR_CORRUPT, "%zu at byte %zu is refused", (size_t)value,
       at);
    same_text(err.text, why, "because %s", why);
    spar__free(bytes);
}

static void check_reasons(const spar__buf *image)
{
    spar__cache c;
    unsigned char *bytes = copy_of(image);
    (void)spar__cache_check(bytes, image->length, &c, NULL);
    size_t docs = (size_t)(c.docs - bytes), grade = (size_t)(c.records - bytes) + c.record[0],
           list = (size_t)((const unsigned char *)lists_of(&c, 0) - bytes), end = image->length;
    spar__cache_free(&c);
    spar__free(bytes);
    refuses(image, 0, 'S', 1, "not a cache of spar");
    refuses(image, VERSION, 1, 4, "it has version 1 of the format, not 2");
    refuses(image, VERSION, 3, 4, "it has version 3 of the format, not 2");
    refuses(image, end - 8, 1, 8, "cache: its checksum is wrong");
    refuses(image, TOP, 0, 8, "its head makes no sense");
    refuses(image, TOP, 1001, 8, "its head makes no sense");
    refuses(image, QUERIES, UINT64_MAX, 8, "its list of queries makes no sense");
    refuses(image, QUERIES, 0, 8, "its head makes no sense");
    refuses(image, QUERIES, 2, 8, "its list of queries makes no sense");
    refuses(image, RANKERS, 0, 8, "its head makes no sense");
    refuses(image, RANKERS, 65536, 8, "its head makes no sense");
    refuses(image, RANKERS, 2, 8, "a list of its query 1 makes no sense");
    refuses(image, SOURCES, 0, 8, "its head makes no sense");
    refuses(image, SOURCES, 1, 8, "its head makes no sense");
    refuses(image, SOURCES, 4, 8, "its head makes no sense");
    refuses(image, SOURCES, UINT64_MAX, 8, "its head makes no sense");
    refuses(image, GRADES, 5, 8, "its queries are not those of its head");
    refuses(image, docs, 0, 4, "its query 0 makes no sense");
    refuses(image, docs, UINT32_MAX, 4, "its query 0 makes no sense");
    refuses(image, grade, 4, 1, "its queries are not those of its head");
    refuses(image, list, 5, 2, "a list of its query 0 makes no sense");
    refuses(image, list, 0, 2, "a list of its query 0 makes no sense");
}

static void check_starved(void)
{
    size_t k = 1, refused = 0;
    for (bool whole = false; !whole; k++) {
        spar__buf image = {.text = spar__alloc(4096, 1), .capacity = 4096};
        spar__cache c = {0};
        spar__alloc_fail_at(k);
        spar_status status = write_example(&image, NULL);
        if (!status)
            status = spar__cache_check((const unsigned char *)image.text, image.length, &c, NULL);
        whole = spar__alloc_count() < k;
        spar__alloc_fail_at(0);
        refused += status == SPAR_NOMEM;
        spar__cache_free(&c);
        spar__buf_free(&image);
    }
    ok(refused == k - 2 && refused == 6, "each of %zu allocations may fail", refused);
}

static void check_full(void)
{
    FILE *full = fopen("/dev/full", "r+b");
    spar__spool spool = {.file = tmpfile(), .name = "f"};
    spar_error err = {0};
    if (!full || !spool.file) {
        skip("no /dev/full");
    } else {
        (void)fill(&spool, &err);
        ok(spar__cache_write(full, &key, sources, 2, &spool, &err) == SPAR_IO &&
               strstr(err.text, "f: cannot write: No space"),
           "a full disk: %s", err.text);
    }
    if (full)
        (void)fclose(full);
    if (spool.file)
        (void)fclose(spool.file);
    spar__spool_free(&spool);
}

int main(void)
{
    spar__buf image = {0};
    spar_error err = {0};
    ok(!write_example(&image, &err) && image.length > 200, "an example of %zu bytes", image.length);
    ok(golden_same("cache-2", &image), "the bytes of version 2 are as they were");
    check_contents(&image);
    check_damage(&image);
    check_malice(&image);
    check_reasons(&image);
    check_starved();
    check_full();
    spar__buf_free(&image);
    return done();
}
