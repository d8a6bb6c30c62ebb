/* Compressed bytes come back as they were; anything else is refused without a step outside. */
#include "live/live.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdint.h>
#include <stdlib.h>

static uint64_t luck = 1;

static unsigned random_byte(void)
{
    luck = luck * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(luck >> 56);
}

/* 0 on success: how long it became. */
static size_t round_trip(const unsigned char *bytes, size_t n)
{
    unsigned char *small = NULL, *again = NULL;
    size_t length = 0, back = 0;
    if (spar__lz4_compress(bytes, n, &small, &length) || spar__lz4_decompress(small, length, &again, &back) ||
        back != n || (n && memcmp(bytes, again, n) != 0))
        length = 0;
    spar__free(small);
    spar__free(again);
    return length;
}

int main(void)
{
    enum { N = 300000 };
    unsigned char *bytes = calloc(N, 1);
    size_t lost = 0;
    if (!bytes)
        abort();
    for (size_t n = 0; n < 300; n++) {
        for (size_t i = 0; i < n; i++)
            bytes[i] = (unsigned char)(random_byte() % (1 + n % 7));
        lost += !round_trip(bytes, n);
    }
    ok(lost == 0, "short ones");
    for (size_t i = 0; i < N; i++)
        bytes[i] = (unsigned char)random_byte();
    ok(round_trip(bytes, N) > N && round_trip(bytes, N) < N + N / 200, "what cannot be shortened");
    memset(bytes, 0, N);
    ok(round_trip(bytes, N) && round_trip(bytes, N) < N / 200, "zeros");
    for (size_t i = 0; i < N; i++)
        bytes[i] = i % 40 < 4 ? (unsigned char)random_byte() : (unsigned char)(i % 40);
    ok(round_trip(bytes, N) && round_trip(bytes, N) < N / 3, "records: %zu bytes of %d", round_trip(bytes, N), N);

    unsigned char *small = NULL, *again = NULL;
    size_t length = 0, back = 0, taken = 0;
    if (spar__lz4_compress(bytes, 2000, &small, &length))
        abort();
    for (size_t n = 0; n < length; n++) {
        unsigned char *cut = malloc(n ? n : 1); /* of that size, so that a step outside is seen */
        memcpy(cut, small, n);
        taken += !spar__lz4_decompress(cut, n, &again, &back) || again;
        free(cut);
    }
    ok(taken == 0, "cut off anywhere it is refused");
    for (size_t i = 0; i < 20000; i++) {
        size_t at = (random_byte() << 8 | random_byte()) % length;
        unsigned char was = small[at];
        small[at] = (unsigned char)random_byte();
        if (!spar__lz4_decompress(small, length, &again, &back))
            spar__free(again);
        small[at] = was;
    }
    ok(round_trip(bytes, 2000), "changed anywhere it does no harm");
    spar__free(small);
    free(bytes);
    return done();
}
