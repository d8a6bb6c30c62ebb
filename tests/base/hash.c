#include "base/hash.h"

#include "sampler/rng.h"

#include "tap.h"

static void check_pieces(void)
{
    unsigned char bytes[500];
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 1);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)spar_rng_next(&rng);
    bool same = true;
    for (int repeat = 0; repeat < 2000; repeat++) {
        size_t length = (size_t)spar_rng_below(&rng, sizeof bytes + 1);
        spar__hash hash = spar__hash_start();
        for (size_t at = 0; at < length;) {
            size_t piece = 1 + (size_t)spar_rng_below(&rng, 70);
            piece = piece > length - at ? length - at : piece;
            spar__hash_add(&hash, bytes + at, piece);
            at += piece;
        }
        same = same && spar__hash_end(&hash) == spar__hash_of(bytes, length) && hash.length == length;
    }
    ok(same, "the pieces in which bytes come do not matter");
}

static void check_changes(void)
{
    unsigned char bytes[200] = {0};
    uint64_t first = spar__hash_of(bytes, sizeof bytes);
    bool seen = true;
    int flipped = 0;
    for (size_t i = 0; i < 8 * sizeof bytes; i++) {
        bytes[i / 8] ^= (unsigned char)(1u << i % 8);
        uint64_t other = spar__hash_of(bytes, sizeof bytes);
        bytes[i / 8] ^= (unsigned char)(1u << i % 8);
        seen = seen && other != first;
        flipped += __builtin_popcountll(other ^ first);
    }
    ok(seen, "every bit matters");
    near((double)flipped / (8 * sizeof bytes), 32, 1, "and flips half of the bits");
    seen = true;
    for (size_t n = 0; n < sizeof bytes; n++)
        seen = seen && spar__hash_of(bytes, n) != spar__hash_of(bytes, n + 1);
    ok(seen, "so do zeros at the end");
    memcpy(bytes, "01234567890123456789012345678901abcdefghijklmnopqrstuvwxyzABCDEF", 64);
    first = spar__hash_of(bytes, 64);
    memcpy(bytes, "abcdefghijklmnopqrstuvwxyzABCDEF01234567890123456789012345678901", 64);
    ok(first != spar__hash_of(bytes, 64), "and the order of blocks");
}

/* The values are part of the file formats. */
static void check_values(void)
{
    static const struct {
        const char *text;
        uint64_t value;
    } known[] = {
        {"", UINT64_C(0x87798b3a60e79208)},
        {"spar", UINT64_C(0xbae87dbf9c42dfe2)},
        {"0123456789012345678901234567890", UINT64_C(0xe985fa31b3cc849e)},
        {"01234567890123456789012345678901", UINT64_C(0x064b7ede712d6fa3)},
        {"0123456789012345678901234567890123456789", UINT64_C(0x11e723b2219c4df3)},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint64_t got = spar__hash_of(known[i].text, strlen(known[i].text));
        if (!ok(got == known[i].value, "the value of '%s' never changes", known[i].text))
            printf("# got 0x%016llx\n", (unsigned long long)got);
    }
}

int main(void)
{
    check_values();
    check_pieces();
    check_changes();
    return done();
}
