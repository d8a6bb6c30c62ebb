/* Squeezed bytes come back as they were; anything else is refused without a step outside. */
#include "live/log/snapshot.h"

#include "base/alloc.h"
#include "base/clock.h"
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
    if (spar__squeeze(bytes, n, NULL, &small, &length) || spar__unsqueeze(small, length, &again, &back) || back != n ||
        (n && memcmp(bytes, again, n) != 0))
        length = 0;
    spar__free(small);
    spar__free(again);
    return length;
}

/* CPU time of a snapshot whose thread is stopped as soon as it has begun; 0: it did not begin. */
static double stop_at_once(const unsigned char *bytes, size_t n)
{
    spar__fold_parts parts = {.has_items = false};
    spar__store_snapshot about = {.sequence = 1};
    parts.session = spar__alloc(n, 1);
    if (!parts.session)
        abort();
    memcpy(parts.session, bytes, n);
    parts.session_length = n;
    double start = spar__clock_process();
    spar__snapshot_work *work = spar__snapshot_work_new(&about, &parts);
    if (!work) {
        spar__fold_parts_free(&parts);
        return 0;
    }
    spar__snapshot_work_free(work);
    return spar__clock_process() - start;
}

/* The thread of a snapshot ends when it is freed, long before it is done; unless this one had to wait for a core
 * meanwhile, so there are some tries. */
static void test_work(void)
{
    enum { N = 4 << 20, TRIES = 20 };
    unsigned char *bytes = spar__alloc(N, 1);
    if (!bytes)
        abort();
    for (size_t i = 0; i < N; i++)
        bytes[i] = (unsigned char)random_byte();
    double start = spar__clock_process();
    size_t length = round_trip(bytes, N);
    double whole = spar__clock_process() - start, took = stop_at_once(bytes, N);
    ok(took > 0 && length, "a snapshot is under way");
    for (int i = 0; i < TRIES && took >= whole / 2; i++)
        took = stop_at_once(bytes, N);
    ok(took < whole / 2, "and ends after %.0f ms; all of it takes %.0f", 1e-6 * took, 1e-6 * whole);
    spar__free(bytes);
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
    ok(round_trip(bytes, N) > N && round_trip(bytes, N) < N + N / 200, "what cannot be squeezed");
    memset(bytes, 0, N);
    ok(round_trip(bytes, N) && round_trip(bytes, N) < N / 200, "zeros");
    for (size_t i = 0; i < N; i++)
        bytes[i] = i % 40 < 4 ? (unsigned char)random_byte() : (unsigned char)(i % 40);
    ok(round_trip(bytes, N) && round_trip(bytes, N) < N / 3, "records: %zu bytes of %d", round_trip(bytes, N), N);

    unsigned char *small = NULL, *again = NULL;
    size_t length = 0, back = 0, taken = 0;
    atomic_bool stop = true;
    ok(spar__squeeze(bytes, N, &stop, &small, &length) == SPAR_INTERRUPTED && !small, "it can be stopped");
    atomic_store(&stop, false);
    ok(!spar__squeeze(bytes, N, &stop, &small, &length) && length == round_trip(bytes, N), "and need not be");
    spar__free(small);
    if (spar__squeeze(bytes, 2000, NULL, &small, &length))
        abort();
    for (size_t n = 0; n < length; n++) {
        unsigned char *cut = malloc(n ? n : 1); /* of that size, so that a step outside is seen */
        memcpy(cut, small, n);
        taken += !spar__unsqueeze(cut, n, &again, &back) || again;
        free(cut);
    }
    ok(taken == 0, "cut off anywhere it is refused");
    for (size_t i = 0; i < 20000; i++) {
        size_t at = (random_byte() << 8 | random_byte()) % length;
        unsigned char was = small[at];
        small[at] = (unsigned char)random_byte();
        if (!spar__unsqueeze(small, length, &again, &back))
            spar__free(again);
        small[at] = was;
    }
    ok(round_trip(bytes, 2000), "changed anywhere it does no harm");
    spar__free(small);
    free(bytes);
    test_work();
    return done();
}
