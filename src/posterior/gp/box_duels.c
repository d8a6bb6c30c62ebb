/* Duels in a continuous space: the belief of box.h with a logistic law in place of rewards.
 *
 *     f ~ GP(0, kernel),     P(x is preferred to y) = 1 / (1 + exp(f(y) - f(x)))
 *
 * A reward says how often a point won, which depends on whom it met; a duel says who of two is better, whomever they
 * met before. The posterior of the weights is Laplace's approximation (num/laplace.h), computed from the list of
 * duels whenever the belief is asked, so that its bits depend on that list alone. With r points seen and n duels this
 * takes about 5 n r^2 operations; learning takes none.
 *
 * Chu and Ghahramani, Preference learning with Gaussian processes, ICML 2005. */
#include "posterior/gp/box.h"

#include "base/alloc.h"
#include "num/laplace.h"

#include <string.h>

spar_status spar__gp_duels_reserve(spar__gp_box *self, size_t arms)
{
    size_t need = self->n_duels + arms * (arms - (arms > 0)) / 2;
    spar__gp_duel *duel = spar__grow(self->duel, &self->duel_room, need, 0, sizeof *duel);
    if (!duel)
        return SPAR_NOMEM;
    self->duel = duel;
    return SPAR_OK;
}

/* Who won more of his answers in this round is preferred; of two that are level nothing is known, unless they were
 * alone: then it was a tie. Each of k arms counts 2 / k: a choice of one from k says as much as that. */
void spar__gp_duels_take(spar__gp_box *self)
{
    const spar__gp_pending *pending = &self->pending;
    size_t n = pending->n_touched;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            size_t a = pending->touched[i], b = pending->touched[k];
            double x = pending->sum[a] / pending->count[a], y = pending->sum[b] / pending->count[b];
            double won = x > y ? 1 : x < y ? 0 : 0.5, weight = 2 / (double)n;
            if ((n == 2 || x != y) && self->n_duels < self->duel_room)
                self->duel[self->n_duels++] = (spar__gp_duel){a, b, weight * won, weight * (1 - won)};
        }
}

void spar__gp_duels_archive(spar__gp_box *self, spar__archive *ar)
{
    size_t n = self->n_duels;
    spar__archive_size(ar, &n);
    if (ar->loading && spar__archive_holds(ar, n)) {
        spar__free(self->duel);
        self->duel = spar__alloc(n, sizeof *self->duel);
        self->n_duels = self->duel_room = self->duel ? n : 0;
        spar__archive_step(ar, self->duel ? SPAR_OK : SPAR_NOMEM);
    }
    for (size_t i = 0; i < n && !ar->failed; i++) {
        spar__gp_duel *duel = &self->duel[i];
        spar__archive_size(ar, &duel->a);
        spar__archive_size(ar, &duel->b);
        spar__archive_f64(ar, &duel->won);
        spar__archive_f64(ar, &duel->lost);
        spar__archive_check(ar, duel->a < self->size.n && duel->b < self->size.n && duel->a != duel->b);
        spar__archive_check(ar, duel->won >= 0 && duel->won <= 1 && duel->lost >= 0 && duel->lost <= 1);
    }
}

/* row += sign times the coordinates of an arm that was seen. */
static void add_coordinates(const spar__gp_box *self, size_t arm, double sign, double *work, double *row)
{
    const spar__newton *basis = &self->growth.basis;
    size_t at = self->growth.place[arm];
    if (at < basis->r)
        for (size_t k = 0; k <= at; k++)
            row[k] += sign * basis->T[k * basis->stride + at];
    else {
        (void)spar__newton_at(basis, &self->kernel, self->base.arms->x + arm * self->kernel.dim, work);
        for (size_t k = 0; k < basis->r; k++)
            row[k] += sign * work[k];
    }
}

/* The posterior of the weights, as growth.h has it: R and z = R mode. */
static spar_status fit(const spar__gp_box *self, spar_scratch *scratch, spar__laplace *l)
{
    size_t r = self->growth.basis.r, n = self->n_duels, mark = spar__scratch_mark(scratch);
    double *work = spar__scratch_take(scratch, r, sizeof *work);
    if (!work || spar__laplace_reserve(l, (r > n ? r : n) + 1))
        return SPAR_NOMEM;
    for (size_t k = 0; k < r; k++)
        spar__laplace_add_column(l);
    for (size_t i = 0; i < n; i++) {
        double *row = spar__laplace_add_row(l);
        add_coordinates(self, self->duel[i].a, 1, work, row);
        add_coordinates(self, self->duel[i].b, -1, work, row);
        l->won[i] = self->duel[i].won;
        l->lost[i] = self->duel[i].lost;
    }
    spar__laplace_settle(l);
    for (size_t i = 0; i < r; i++) {
        l->root.z[i] = 0;
        for (size_t k = i; k < r; k++)
            l->root.z[i] += l->root.R[i * l->root.stride + k] * l->mode[k];
    }
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

/* The same belief with that posterior. */
typedef struct duels_view {
    spar__gp_box box;
    spar__laplace laplace; /* holds its weights */
    spar__weights weights; /* those of the box before */
    bool fitted;           /* for this look alone: the belief is behind (box_fit.c) */
} duels_view;

static spar_status look(const spar__posterior *base, spar_scratch *scratch, duels_view *view)
{
    const spar__gp_box *self = (const spar__gp_box *)base;
    *view = (duels_view){.box = *self};
    spar_status status = self->behind ? spar__gp_box_fitted(self, &view->box) : SPAR_OK;
    view->fitted = self->behind && !status;
    if (status && status != SPAR_NOMEM) { /* as in spar__gp_box_refit */
        view->box = *self;
        status = SPAR_OK;
    }
    if (!status)
        status = fit(&view->box, scratch, &view->laplace);
    view->weights = view->box.growth.weights;
    view->box.growth.weights = view->laplace.root;
    return status;
}

/* Ends a look; returns the status. */
static spar_status end(duels_view *view, spar_status status)
{
    view->box.growth.weights = view->weights;
    if (view->fitted)
        spar__gp_box_drop(&view->box);
    spar__laplace_free(&view->laplace);
    return status;
}

spar_status spar__gp_duels_draw(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, double *theta)
{
    duels_view view;
    spar_status status = look(base, scratch, &view);
    return end(&view, status ? status : spar__gp_box_draw(&view.box.base, scratch, rng, theta));
}

spar_status spar__gp_duels_best(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, size_t m,
                                size_t *arm, double *x)
{
    duels_view view;
    spar_status status = look(base, scratch, &view);
    return end(&view, status ? status : spar__gp_box_best(&view.box.base, scratch, rng, m, arm, x));
}

spar_status spar__gp_duels_peak(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, double *x)
{
    duels_view view;
    spar_status status = look(base, scratch, &view);
    return end(&view, status ? status : spar__gp_box_peak(&view.box.base, scratch, rng, x));
}

spar_status spar__gp_duels_moments(const spar__posterior *base, spar_scratch *scratch, double *mean, double *sd)
{
    duels_view view;
    spar_status status = look(base, scratch, &view);
    return end(&view, status ? status : spar__gp_box_moments(&view.box.base, scratch, mean, sd));
}

spar_status spar__gp_duels_moments_at(const spar__posterior *base, spar_scratch *scratch, const double *x, double *mean,
                                      double *sd)
{
    duels_view view;
    spar_status status = look(base, scratch, &view);
    return end(&view, status ? status : spar__gp_box_moments_at(&view.box.base, scratch, x, mean, sd));
}
