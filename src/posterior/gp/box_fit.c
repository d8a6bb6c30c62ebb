/* Lengths and variance of a belief that learns duels.
 *
 * They are those that the same duels say of a utility (num/taste.h): the means of the logarithms of length and scale
 * over a mixture by evidence, and the shape of each axis. In place of the mixture the likeliest pair alone was tried:
 * with few duels it is often far too long or too short, and what is asked then stays in one place.
 *
 * A fit follows when `fit` duels have come, and a quarter as many as the last one knew. So fits become rare, and all
 * fits of a log cost a few times what the last one does: 60 ms at 60 duels over three axes, 0.3 s from 250 on.
 *
 * Learning cannot fail, and how much memory a fit needs is known only when it is done. If there is too little, the
 * belief is behind: it answers as if it were not, by a fit for each question, or fails; and it learns nothing more
 * until the fit is made up for. So what is believed is the same with any memory. */
#include "posterior/gp/box.h"

#include "base/alloc.h"
#include "num/utility_gp.h"

#include <math.h>

#define SHORTEST 0.05
#define LONGEST 3
#define LEAST_VARIANCE 1

bool spar__gp_fit_due(const spar__gp_box *self)
{
    size_t more = self->fitted / 4 > self->fit ? self->fitted / 4 : self->fit;
    return self->n_duels - self->fitted >= more;
}

/* The axis of each feature. */
static void name_axes(const spar_space *space, size_t *axis)
{
    size_t d = 0;
    for (size_t a = 0; a < space->n_axes; a++)
        for (size_t i = spar__axis_features(&space->axis[a]); i > 0; i--)
            axis[d++] = a;
}

/* The first point is the one of reference: no length depends on which it is. */
static spar_status make_taste(const spar__gp_box *self, spar_taste **out)
{
    const spar_arms *arms = self->base.arms;
    size_t *axis = spar__alloc(arms->dim, sizeof *axis);
    if (!axis)
        return SPAR_NOMEM;
    name_axes(&arms->space, axis);
    spar_status status = spar_taste_new(arms->dim, axis, 1, arms->x, out);
    spar__free(axis);
    return status;
}

static spar_status tell(const spar__gp_box *self, spar_taste *taste)
{
    const double *x = self->base.arms->x;
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < self->n_duels && !status; i++) {
        const spar__gp_duel *duel = &self->duel[i];
        size_t a, b;
        status = spar__taste_point(taste, x + duel->a * self->kernel.dim, &a);
        if (!status)
            status = spar__taste_point(taste, x + duel->b * self->kernel.dim, &b);
        if (!status)
            status = spar__taste_duel_add(taste, a, b, duel->won, duel->lost);
    }
    return status;
}

spar_status spar__gp_duels_fit(const spar__gp_box *self, double *length, double *variance)
{
    spar_taste *taste = NULL;
    spar_status status = make_taste(self, &taste);
    if (!status)
        status = tell(self, taste);
    if (!status)
        status = spar_taste_compute(taste, NULL);
    if (!status) {
        double size = spar_taste_length(taste), scale = spar_taste_scale(taste);
        for (size_t d = 0; d < self->kernel.dim; d++)
            length[d] = fmin(fmax(size * taste->shape[taste->axis[d]], SHORTEST), LONGEST);
        *variance = fmax(scale * scale, LEAST_VARIANCE);
    }
    spar_taste_free(taste);
    return status;
}

/* All points that were seen, in the order of their arms; of duels that is all there is to learn (box.c). */
static spar_status see_again(const spar__gp_box *self, spar__growth *growth)
{
    static const double none[SPAR__GP_BATCH];
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < self->size.n && !status;) {
        size_t key[SPAR__GP_BATCH], some = 0;
        for (; i < self->size.n && some < SPAR__GP_BATCH; i++)
            if (self->count[i] > 0)
                key[some++] = i;
        status = spar__growth_reserve(growth, some);
        if (!status)
            spar__growth_learn(growth, self->base.arms->x, some, key, none, none);
    }
    return status;
}

spar_status spar__gp_box_fitted(const spar__gp_box *self, spar__gp_box *out)
{
    size_t spare = self->growth.weights.stride - self->growth.basis.r; /* which reserve has promised */
    *out = *self;
    out->growth = (spar__growth){0};
    out->length = spar__alloc(self->kernel.dim, sizeof *out->length);
    out->kernel.length = out->length;
    spar_status status = out->length ? spar__gp_duels_fit(self, out->length, &out->kernel.variance) : SPAR_NOMEM;
    if (!status)
        status = spar__growth_init(&out->growth, &out->kernel, self->growth.basis.tolerance, self->size.n);
    if (!status)
        status = see_again(self, &out->growth);
    if (!status && spar__growth_reserve(&out->growth, spare) == SPAR_NOMEM)
        status = SPAR_NOMEM;
    if (status)
        spar__gp_box_drop(out);
    return status;
}

void spar__gp_box_drop(spar__gp_box *fitted)
{
    spar__growth_fini(&fitted->growth);
    spar__free(fitted->length);
}

spar_status spar__gp_box_refit(spar__gp_box *self)
{
    spar__gp_box next;
    spar_status status = spar__gp_box_fitted(self, &next);
    self->behind = status == SPAR_NOMEM;
    if (status)
        return self->behind ? SPAR_NOMEM : SPAR_OK;
    spar__gp_box_drop(self);
    self->length = next.length;
    self->kernel = next.kernel;
    self->growth = next.growth;
    self->growth.kernel = &self->kernel;
    return SPAR_OK;
}
