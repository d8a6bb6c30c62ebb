/* alloc.c - memory: a checked pair of functions over the C library, and scratch stacks on top of them. Taking from a
 * scratch stack costs a few instructions; it allocates only until it has once been as large as it gets. */
#include "base/alloc.h"

#include "base/error.h"

#include <spar/status.h>

#include <stdatomic.h>
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

/* Pointers to objects all look alike, but have different types: they are copied, not cast. */
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

/* --- Scratch stacks. --- */

enum { FIRST_BLOCK = 4096 };

typedef struct block {
    struct block *below;
    size_t start, size; /* the block covers positions start .. start + size of the stack */
    unsigned char *bytes;
} block;

struct spar_scratch {
    block *top;  /* the first free byte lies in it or at its end */
    size_t used; /* position of that byte */
    size_t most; /* the largest size that all blocks together ever had */
};

static block *block_new(block *below, size_t start, size_t size)
{
    block *b = spar__alloc(1, sizeof *b);
    if (!b)
        return NULL;
    *b = (block){below, start, size, spar__alloc(size, 1)};
    if (!b->bytes) {
        spar__free(b);
        return NULL;
    }
    return b;
}

static block *block_pop(block *b)
{
    block *below = b->below;
    spar__free(b->bytes);
    spar__free(b);
    return below;
}

spar_status spar_scratch_new(spar_scratch **out)
{
    if (!SPAR__CLEAR(out))
        return SPAR_INVALID;
    spar_scratch *scratch = spar__alloc(1, sizeof *scratch);
    if (!scratch)
        return SPAR_NOMEM;
    scratch->top = block_new(NULL, 0, FIRST_BLOCK);
    if (!scratch->top) {
        spar__free(scratch);
        return SPAR_NOMEM;
    }
    *out = scratch;
    return SPAR_OK;
}

void spar_scratch_free(spar_scratch *scratch)
{
    if (!scratch)
        return;
    while (scratch->top)
        scratch->top = block_pop(scratch->top);
    spar__free(scratch);
}

size_t spar__scratch_mark(const spar_scratch *scratch)
{
    return scratch->used;
}

void *spar__scratch_take(spar_scratch *scratch, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX / 4) / size)
        return NULL;
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    block *top = scratch->top;
    if (bytes > top->start + top->size - scratch->used) {
        size_t room = bytes > 2 * top->size ? bytes : 2 * top->size;
        block *b = block_new(top, top->start + top->size, room);
        if (!b)
            return NULL;
        scratch->top = top = b;
        scratch->used = b->start;
        if (scratch->most < b->start + b->size)
            scratch->most = b->start + b->size;
    }
    void *piece = top->bytes + (scratch->used - top->start);
    scratch->used += bytes;
    return piece;
}

void spar__scratch_release(spar_scratch *scratch, size_t mark)
{
    scratch->used = mark;
    while (scratch->top->below && mark <= scratch->top->start)
        scratch->top = block_pop(scratch->top);
    if (mark > 0 || scratch->top->size >= scratch->most)
        return;
    /* Empty, and smaller than it has been: make it one block, so that the next use of this size does not allocate. If
     * that fails the lowest block alone still works. */
    block *one = block_new(NULL, 0, scratch->most);
    if (one) {
        (void)block_pop(scratch->top);
        scratch->top = one;
    }
}
