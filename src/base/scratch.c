#include "base/scratch.h"

#include "base/alloc.h"
#include "base/error.h"

#include <stdint.h>

enum { ALIGNMENT = 64, FIRST_BLOCK = 4096 };

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
