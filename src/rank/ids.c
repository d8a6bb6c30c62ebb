#include "rank/ids.h"

#include "base/alloc.h"
#include "sampler/rng.h"

/* The slot that holds id, or the empty one where it belongs; capacity is a power of two. */
static uint64_t *find(uint64_t *slot, size_t capacity, uint64_t id)
{
    uint64_t state = id;
    size_t i = (size_t)spar__splitmix(&state) & (capacity - 1);
    while (slot[i] && slot[i] != id)
        i = (i + 1) & (capacity - 1);
    return &slot[i];
}

static bool grow(spar__ids *ids)
{
    size_t capacity = ids->capacity ? 2 * ids->capacity : 1024;
    uint64_t *slot = spar__alloc(capacity, sizeof *slot);
    if (!slot)
        return false;
    for (size_t i = 0; i < ids->capacity; i++)
        if (ids->slot[i])
            *find(slot, capacity, ids->slot[i]) = ids->slot[i];
    spar__free(ids->slot);
    ids->slot = slot;
    ids->capacity = capacity;
    return true;
}

bool spar__ids_add(spar__ids *ids, uint64_t id, bool *fresh)
{
    if (id == 0) {
        *fresh = !ids->zero;
        ids->zero = true;
        return true;
    }
    if (2 * (ids->count + 1) > ids->capacity && !grow(ids))
        return false;
    uint64_t *slot = find(ids->slot, ids->capacity, id);
    *fresh = *slot == 0;
    ids->count += *slot == 0;
    *slot = id;
    return true;
}

void spar__ids_free(spar__ids *ids)
{
    spar__free(ids->slot);
    *ids = (spar__ids){0};
}
