/* A ladder to bytes and back. Thresholds and survivals depend on the way they were reached, so they are saved; which
 * arm is in which group follows from the counts, the sums from the survivals. Groups come in the order of their first
 * arms. */
#include "base/alloc.h"
#include "posterior/beta/ladder.h"
#include "posterior/beta/survival.h"

#include <math.h>
#include <string.h>

enum { LEVELS = SPAR__LEVELS };

static void archive_group(spar__group *group, spar__archive *ar)
{
    spar__archive_f64s(ar, group->S, LEVELS);
    spar__archive_f64s(ar, group->D, LEVELS);
    spar__archive_f64s(ar, group->scale, LEVELS);
}

static bool sound(const spar__group *group, const double *c)
{
    if (group->cold) {
        bool nothing = spar__survival_rough(group->a, group->b, c[LEVELS - 1]) < 1e-25;
        for (size_t l = 0; l < LEVELS; l++)
            nothing &= group->S[l] == 0 && group->D[l] == 0 && group->scale[l] == 0;
        return nothing;
    }
    for (size_t l = 0; l < LEVELS; l++)
        if (!spar__survival_sound(group->a, group->b, c[l], group->S[l], group->D[l], group->scale[l]))
            return false;
    return true;
}

static void load_arm(spar__ladder *self, const spar__beta_view *view, size_t arm, spar__archive *ar)
{
    self->group[arm] = SPAR__NO_GROUP;
    if (!view->alive[arm])
        return;
    bool made;
    spar__archive_check(ar, view->a[arm] + view->b[arm] < SPAR__SURVIVAL_COUNT);
    if (!ar->failed)
        spar__archive_step(ar, spar__groups_reserve(&self->groups, 1));
    if (ar->failed)
        return;
    self->group[arm] = spar__groups_join(&self->groups, view->a[arm], view->b[arm], &made);
    if (!made)
        return;
    spar__group *group = &self->groups.group[self->group[arm]];
    archive_group(group, ar);
    group->cold = group->D[0] == 0;
    spar__archive_check(ar, !ar->failed && sound(group, self->c));
    if (!ar->failed)
        spar__group_rate(group);
}

static void load(spar__ladder *self, const spar__beta_view *view, spar__archive *ar)
{
    for (size_t l = 0; l < LEVELS; l++)
        spar__archive_check(ar, self->c[l] > 0 && self->c[l] < (l ? self->c[l - 1] : 1));
    spar__archive_check(ar, self->debt >= 0 && self->debt < 1e300);
    spar__groups_clear(&self->groups);
    self->n = view->n;
    self->inside = view->live;
    self->n_touched = 0;
    for (size_t i = 0; i < view->n && !ar->failed; i++)
        load_arm(self, view, i, ar);
    self->on = !ar->failed;
    if (self->on)
        spar__ladder_sum(self);
}

static void save(spar__ladder *self, spar__archive *ar)
{
    bool *saved = spar__alloc(self->groups.used, sizeof *saved);
    spar__archive_step(ar, saved ? SPAR_OK : SPAR_NOMEM);
    for (size_t i = 0; i < self->n && !ar->failed; i++) {
        uint32_t g = self->group[i];
        if (g == SPAR__NO_GROUP || saved[g])
            continue;
        archive_group(&self->groups.group[g], ar);
        saved[g] = true;
    }
    spar__free(saved);
}

void spar__ladder_archive(spar__ladder *self, const spar__beta_view *view, spar__archive *ar)
{
    size_t on = self->on;
    spar__archive_size(ar, &on);
    spar__archive_check(ar, on <= 1);
    if (ar->loading)
        self->on = false;
    spar__archive_f64(ar, &self->loss);
    spar__archive_f64(ar, &self->pause);
    spar__archive_f64(ar, &self->pauses);
    spar__archive_check(ar, self->loss >= 0 && self->loss < 1e300 && self->pause >= 0 && self->pause < 1e15 &&
                                self->pause == floor(self->pause) && !(on && self->pause > 0) && self->pauses >= 0 &&
                                self->pauses <= SPAR__LADDER_PAUSES && self->pauses == floor(self->pauses));
    if (!on || ar->failed)
        return;
    spar__archive_f64(ar, &self->debt);
    spar__archive_f64s(ar, self->c, LEVELS);
    if (ar->loading)
        load(self, view, ar);
    else
        save(self, ar);
}
