/* Lengths and variance of a belief that learns duels.
 *
 * They are those that the same duels say of a utility (num/taste.h): the means of the logarithms of length and scale
 * over a mixture by evidence, and the shape of each axis. In place of the mixture the likeliest pair alone was tried:
 * with few duels it is often far too long or too short, and what is asked then stays in one place.
 *
 * A fit follows when `fit` duels have come, and a quarter as many as the last one knew. So fits become rare, and all
 * fits of a log cost a few times what the last one does: 60 ms at 60 duels over three axes, 0.3 s from 250 on. */
#include "posterior/gp/box.h"

#include "base/alloc.h"
#include "num/taste.h"

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
