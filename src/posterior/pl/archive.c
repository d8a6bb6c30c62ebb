/* The Plackett-Luce beliefs as bytes: the arms in the order of their positions, the answers, and what cannot be
 * computed from these. After a refit the mean is a cache (only its last bits are not a function of the answers) and R
 * follows from it; after rounds learned online both are state. */
#include "posterior/pl/state.h"

#include <math.h>

static void archive_positions(spar__pl *self, spar__archive *ar)
{
    size_t n = self->seen;
    spar__archive_size(ar, &n);
    if (ar->loading) {
        spar__archive_check(ar, n <= self->base.arms->n);
        if (ar->failed || !spar__archive_holds(ar, n))
            return;
        spar__archive_step(ar, spar__pl_reserve_parameters(self, n > 1 ? n : 1));
    }
    for (size_t i = 0; i < n && !ar->failed; i++) {
        size_t arm = ar->loading ? 0 : self->arm[i];
        spar__archive_size(ar, &arm);
        if (!ar->loading)
            continue;
        spar__archive_check(ar, arm < self->base.arms->n && self->position[arm] == 0);
        if (!ar->failed)
            (void)spar__pl_position(self, arm);
    }
}

static void archive_mean(spar__pl *self, spar__archive *ar)
{
    spar__archive_f64s(ar, self->mean, self->r);
    for (size_t k = 0; ar->loading && k < self->r; k++)
        spar__archive_check(ar, isfinite(self->mean[k]));
}

static void archive_factor(spar__pl *self, spar__archive *ar)
{
    for (size_t k = 0; k < self->r && !ar->failed; k++) {
        double *row = self->R + k * self->stride;
        spar__archive_f64s(ar, row + k, self->r - k);
        spar__archive_check(ar, !ar->loading || (row[k] > 0 && isfinite(row[k])));
        for (size_t j = k; ar->loading && j < self->r; j++)
            spar__archive_check(ar, isfinite(row[j]));
    }
}

/* Widths of choices: the rows of one must have a place when it is learned again. */
static void reserve_rows(spar__pl *self, spar__archive *ar)
{
    size_t widest = self->done.widest > self->recent.widest ? self->done.widest : self->recent.widest;
    if (ar->loading && !ar->failed && widest > 1)
        spar__archive_step(ar, spar__pl_reserve(&self->base, widest));
}

static void archive_belief(spar__pl *self, spar__archive *ar)
{
    if (self->online) {
        archive_mean(self, ar);
        archive_factor(self, ar);
        return;
    }
    if (ar->cache)
        archive_mean(self, ar->cache);
    if (!ar->loading || ar->failed || (ar->cache && ar->cache->failed))
        return;
    if (ar->cache || self->done.pairs + self->done.stages == 0) {
        spar__pl_factor(self);
        return;
    }
    uint64_t refitted = self->refitted;
    spar__pl_refit(self);
    self->refitted = refitted;
}

void spar__pl_archive(spar__posterior *base, spar__archive *ar)
{
    spar__pl *self = (spar__pl *)base;
    if (ar->loading)
        spar__pl_forget(base);
    archive_positions(self, ar);
    if (ar->failed)
        return;
    spar__choices_archive(&self->done, ar, self->seen, 0);
    spar__choices_archive(&self->recent, ar, self->seen, 0);
    spar__archive_u64(ar, &self->rounds);
    spar__archive_u64(ar, &self->refitted);
    spar__archive_bool(ar, &self->online);
    spar__archive_check(ar, self->refitted <= self->rounds);
    for (size_t i = 0; ar->loading && !ar->failed && i < 2; i++) {
        const spar__choices *list = i ? &self->recent : &self->done;
        for (size_t k = 0; k < list->stages; k++)
            spar__archive_check(ar, (list->kind[k] & ~SPAR__STAGE_WORST) == 0);
    }
    reserve_rows(self, ar);
    if (!ar->failed)
        archive_belief(self, ar);
}
