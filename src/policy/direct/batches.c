#include "policy/direct/batches.h"

#include "base/alloc.h"

#include <string.h>

#define POOL SPAR__BATCH_POOL
#define NONE SPAR__BATCH_NONE
#define NEVER SPAR__BATCH_NEVER

spar_status spar__batches_fit(spar__batches *self)
{
    if (self->arms->n <= self->room)
        return SPAR_OK;
    size_t room = self->arms->capacity, *home = spar__alloc(room, 4 * sizeof *home), *hidden = home ? home + room : NULL;
    if (!home)
        return SPAR_NOMEM;
    if (self->home) {
        memcpy(home, self->home, self->placed * sizeof *home);
        memcpy(hidden, self->hidden, self->n * sizeof *hidden);
    }
    spar__free(self->home);
    self->home = home;
    self->hidden = hidden;
    self->order = hidden + room;
    self->size = hidden + 2 * room;
    self->room = room;
    return SPAR_OK;
}

void spar__batches_fini(spar__batches *self)
{
    spar__free(self->home);
}

void spar__batches_make(spar__batches *self)
{
    const spar_arms *arms = self->arms;
    size_t entered = 0;
    self->visited = self->merges = 0;
    memset(self->hidden, 0, self->room * sizeof *self->hidden);
    for (size_t i = 0; i < arms->n; i++) {
        self->home[i] = arms->alive[i] ? POOL : NEVER;
        if (arms->alive[i])
            self->hidden[entered++ / self->full]++;
    }
    self->n = (entered + self->full - 1) / self->full;
    self->placed = arms->n;
    self->live = arms->live;
    self->turn++;
}

/* The number of arms in each batch, to self->size. */
static void count_sizes(spar__batches *self)
{
    memcpy(self->size, self->hidden, self->n * sizeof *self->size);
    for (size_t i = 0; i < self->placed; i++)
        if (self->home[i] < self->n)
            self->size[self->home[i]]++;
}

/* The smallest batch, of equal ones the last; of those with a hidden arm if `hiding`. Leaves all sizes in self->size.
 */
static size_t smallest(spar__batches *self, bool hiding)
{
    size_t best = SIZE_MAX;
    count_sizes(self);
    for (size_t b = 0; b < self->n; b++)
        if ((!hiding || self->hidden[b] > 0) && (best == SIZE_MAX || self->size[b] <= self->size[best]))
            best = b;
    return best;
}

static void place_new_arm(spar__batches *self)
{
    size_t b = smallest(self, false);
    if (self->merges == 0 && self->size[b] >= self->full) {
        b = self->n++;
        self->hidden[b] = 0;
    }
    self->home[self->placed++] = POOL;
    self->hidden[b]++;
    self->newest = b;
}

/* Drops a batch that has become empty; a question that it asked is out of date. */
static void drop_if_empty(spar__batches *self, size_t gone)
{
    count_sizes(self);
    if (self->size[gone] > 0)
        return;
    self->n--;
    memmove(self->hidden + gone, self->hidden + gone + 1, (self->n - gone) * sizeof *self->hidden);
    for (size_t i = 0; i < self->placed; i++)
        if (self->home[i] > gone && self->home[i] <= self->n)
            self->home[i]--;
    self->turn += self->visited == gone;
    if (self->visited > gone)
        self->visited--;
    if (self->visited == self->n)
        self->visited = 0;
}

static void drop_hidden(spar__batches *self, size_t batch)
{
    self->hidden[batch]--;
    drop_if_empty(self, batch);
}

static void retire_arm(spar__batches *self, size_t arm)
{
    size_t home = self->home[arm];
    if (home == POOL) {
        self->home[arm] = NEVER;
        drop_hidden(self, smallest(self, true));
    } else if (home < self->n) {
        self->home[arm] = NONE;
        drop_if_empty(self, home);
    }
}

bool spar__batches_follow(spar__batches *self)
{
    const spar_arms *arms = self->arms;
    bool retired = arms->n == self->placed && arms->live < self->live;
    if (self->placed > arms->n) {
        self->placed--;
        drop_hidden(self, self->newest);
    }
    while (self->placed < arms->n)
        place_new_arm(self);
    for (size_t i = 0; retired && i < arms->n; i++)
        if (!arms->alive[i])
            retire_arm(self, i);
    self->live = arms->live;
    if (self->n == 0) {
        self->n = 1;
        self->hidden[0] = 0;
    }
    return retired;
}

size_t spar__batches_complete(const spar__batches *self, spar_rng *rng, size_t *member, size_t *pool)
{
    size_t size = 0, waiting = 0;
    for (size_t i = 0; i < self->placed; i++) {
        if (self->home[i] == self->visited)
            member[size++] = i;
        else if (self->home[i] == POOL)
            pool[waiting++] = i;
    }
    for (size_t h = self->hidden[self->visited]; h > 0; h--) {
        size_t at = (size_t)spar_rng_below(rng, waiting);
        member[size++] = pool[at];
        pool[at] = pool[--waiting];
    }
    return size;
}

void spar__batches_show(spar__batches *self, size_t arm)
{
    if (self->home[arm] != POOL || self->hidden[self->visited] == 0)
        return;
    self->home[arm] = self->visited;
    self->hidden[self->visited]--;
}

void spar__batches_return(spar__batches *self, size_t arm)
{
    self->home[arm] = smallest(self, false);
}

size_t spar__batches_left(const spar__batches *self)
{
    size_t left = 0;
    for (size_t i = 0; i < self->placed; i++)
        left += self->home[i] < self->n || self->home[i] == POOL;
    return left;
}

size_t spar__batches_entered(const spar__batches *self)
{
    size_t entered = 0;
    for (size_t i = 0; i < self->placed; i++)
        entered += self->home[i] != NEVER;
    return entered;
}

bool spar__batches_few_left(const spar__batches *self)
{
    size_t left = spar__batches_left(self);
    return left == self->n || left <= spar__batches_entered(self) >> (self->merges + 1); /* K / 2^s, rounded down */
}

/* Batches by size, equal ones in a random order. */
static void sort_batches(spar__batches *self, spar_rng *rng)
{
    size_t *order = self->order;
    for (size_t b = 0; b < self->n; b++)
        order[b] = b;
    spar_rng_shuffle(rng, order, self->n);
    count_sizes(self);
    for (size_t b = 1; b < self->n; b++) {
        size_t at = b, moved = order[b];
        for (; at > 0 && self->size[order[at - 1]] > self->size[moved]; at--)
            order[at] = order[at - 1];
        order[at] = moved;
    }
}

/* The k-th smallest and the k-th largest batch become batch k. */
void spar__batches_merge(spar__batches *self, spar_rng *rng)
{
    size_t n_old = self->n, n_new = (n_old + 1) / 2;
    sort_batches(self, rng);
    size_t *target = self->size; /* the sizes have served */
    for (size_t k = 0; k < n_new; k++)
        target[self->order[k]] = target[self->order[n_old - 1 - k]] = k;
    for (size_t i = 0; i < self->placed; i++)
        if (self->home[i] < n_old)
            self->home[i] = target[self->home[i]];
    size_t *hidden = self->order; /* and so has the order, once the targets are known */
    for (size_t k = 0; k < n_new; k++)
        hidden[k] = 0;
    for (size_t b = 0; b < n_old; b++)
        hidden[target[b]] += self->hidden[b];
    self->order = self->hidden;
    self->hidden = hidden;
    self->n = n_new;
    self->visited = 0;
    self->merges++;
}

/* Every batch has an arm, every arm has a place. */
static bool sound(spar__batches *self)
{
    size_t pool = 0, hidden = 0, n = self->placed;
    bool good = self->visited < self->n && self->merges < 32 && self->turn > 0 && self->turn < INT64_MAX;
    for (size_t i = 0; good && i < n; i++) {
        size_t home = self->home[i];
        good = home == NONE || (self->arms->alive[i] ? home == POOL || home < self->n : home == NEVER);
        pool += home == POOL;
    }
    for (size_t b = 0; good && b < self->n; b++) {
        good = self->hidden[b] <= n;
        hidden += self->hidden[b];
    }
    return good && pool == hidden && self->size[smallest(self, false)] > 0;
}

void spar__batches_archive(spar__batches *self, spar__archive *ar)
{
    spar__archive_size(ar, &self->n);
    spar__archive_size(ar, &self->visited);
    spar__archive_size(ar, &self->merges);
    spar__archive_u64(ar, &self->turn);
    spar__archive_sizes(ar, self->home, self->placed);
    spar__archive_check(ar, self->n > 0 && self->n <= self->placed);
    if (!ar->failed)
        spar__archive_sizes(ar, self->hidden, self->n);
    if (ar->loading && !ar->failed)
        spar__archive_check(ar, sound(self));
}
