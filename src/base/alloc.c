#include "base/alloc.h"

#include <spar/status.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = 64, /* a cache line, and the widest vector */
    SMALL = 256     /* bytes of an array; below that alignment costs more than it gives; nothing depends on it */
};

static atomic_bool watched; /* by a test; otherwise threads would contend for the counter */
static atomic_size_t fail_at, calls;

static int must_fail(void)
{
    if (!atomic_load_explicit(&watched, memory_order_relaxed))
        return 0;
    size_t call = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed) + 1;
    return call == atomic_load_explicit(&fail_at, memory_order_relaxed);
}

void *spar__alloc(size_t count, size_t size)
{
    if (must_fail() || (size && count > (SIZE_MAX - ALIGNMENT) / size))
        return NULL;
    size_t bytes = count * size > 0 ? count * size : 1;
    void *p = NULL;                    /* exactly the size asked for: the address sanitizer sees a step beyond it */
    if (bytes < SMALL || count == 1) { /* not by calloc, which passes by the cache of the thread in glibc */
        p = realloc(NULL, bytes);
    } else if (posix_memalign(&p, ALIGNMENT, bytes) != 0) {
        return NULL;
    }
    return p ? memset(p, 0, bytes) : NULL;
}

void *spar__realloc(void *p, size_t old_count, size_t count, size_t size)
{
    void *q = spar__alloc(count, size);
    if (!q)
        return NULL;
    if (p)
        memcpy(q, p, (old_count < count ? old_count : count) * size);
    free(p);
    return q;
}

void *spar__grow(void *p, size_t *room, size_t need, size_t least, size_t size)
{
    if (p && need <= *room)
        return p;
    size_t more = need < 2 * *room ? 2 * *room : need;
    more = more < least ? least : more;
    void *grown = spar__realloc(p, *room, more, size);
    if (grown)
        *room = more;
    return grown;
}

void *spar__grow_bytes(void *p, size_t bytes)
{
    return must_fail() ? NULL : realloc(p, bytes ? bytes : 1);
}

void spar__free(void *p)
{
    free(p);
}

char *spar__strdup(const char *text)
{
    size_t length = strlen(text) + 1;
    char *copy = spar__grow_bytes(NULL, length);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void spar__alloc_fail_at(size_t k)
{
    atomic_store(&calls, 0);
    atomic_store(&fail_at, k);
    atomic_store(&watched, true);
}

size_t spar__alloc_count(void)
{
    return atomic_load(&calls);
}

void spar_bytes_free(unsigned char *bytes)
{
    spar__free(bytes);
}

bool spar__resize(void *pointer, size_t old_count, size_t count, size_t size)
{
    void *array;
    memcpy(&array, pointer, sizeof array);
    array = spar__realloc(array, old_count, count, size);
    if (array)
        memcpy(pointer, &array, sizeof array);
    return array != NULL;
}

bool spar__reserve(void *pointer, size_t *room, size_t need, size_t least, size_t size)
{
    void *array;
    memcpy(&array, pointer, sizeof array);
    array = spar__grow(array, room, need, least, size);
    if (array)
        memcpy(pointer, &array, sizeof array);
    return array != NULL;
}
