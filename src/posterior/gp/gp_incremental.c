/* gp_incremental.c - the posterior on a basis that takes in every point when it is first seen: see gp.h.
 *
 * Used by matheron and by the belief over a box. O(r^2) an observation, for r points seen. */
#include "base/alloc.h"
#include "posterior/gp/gp.h"

#include <math.h>
#include <string.h>

enum { ROWS = SPAR__GP_ROWS };

spar_status spar__growth_init(spar__growth *growth, const spar__kernel *kernel, double tolerance, size_t keys)
{
    growth->kernel = kernel;
    growth->basis.tolerance = tolerance;
    if (spar__weights_init(&growth->weights, 0) || spar__growth_resize(growth, keys))
        return SPAR_NOMEM;
    return spar__growth_reserve(growth, 0);
}

void spar__growth_fini(spar__growth *growth)
{
    spar__newton_free(&growth->basis);
    spar__weights_free(&growth->weights);
    spar__free(growth->owner);
    spar__free(growth->place);
    spar__free(growth->work);
}

void spar__growth_forget(spar__growth *growth)
{
    for (size_t i = 0; i < growth->keys; i++)
        growth->place[i] = SPAR__GROWTH_UNSEEN;
    growth->seen = 0;
    growth->lost = 0;
    growth->weights.r = 0;
    spar__newton_forget(&growth->basis);
}

spar_status spar__growth_resize(spar__growth *growth, size_t keys)
{
    size_t *place = spar__grow(growth->place, &growth->room, keys, 0, sizeof *place);
    if (!place)
        return SPAR_NOMEM;
    growth->place = place;
    for (size_t i = growth->keys; i < keys; i++)
        growth->place[i] = SPAR__GROWTH_UNSEEN;
    growth->keys = keys;
    return SPAR_OK;
}

spar_status spar__growth_reserve(spar__growth *growth, size_t more)
{
    size_t unseen = growth->keys - growth->seen, need = growth->basis.r + (more < unseen ? more : unseen);
    size_t stride = growth->weights.stride, least = 8;
    if (need > SPAR__GROWTH_MOST)
        return SPAR_UNSUPPORTED;
    if (growth->work && need <= stride)
        return SPAR_OK;
    size_t room = need > stride + stride / 2 ? need : stride + stride / 2;
    room = room > SPAR__GROWTH_MOST ? SPAR__GROWTH_MOST : spar__padded(room > least ? room : least);
    double *work = spar__alloc(ROWS * (2 * room + 1), sizeof *work);
    size_t *owner = work ? spar__realloc(growth->owner, growth->basis.r, room, sizeof *owner) : NULL;
    if (!owner) {
        spar__free(work);
        return SPAR_NOMEM;
    }
    growth->owner = owner;
    if (spar__newton_grow(&growth->basis, growth->kernel->dim, room) || spar__weights_grow(&growth->weights, room)) {
        spar__free(work);
        return SPAR_NOMEM;
    }
    spar__free(growth->work);
    growth->work = work;
    return SPAR_OK;
}

/* The coordinates of a point that has just been seen, which enters the basis if it is new. A rest as small as the
 * nugget is no loss. */
static void enter(spar__growth *growth, const double *x, size_t key, double weight, double *phi)
{
    spar__newton *basis = &growth->basis;
    size_t r = basis->r, at = growth->place[key];
    const double *point = x + key * growth->kernel->dim;
    if (at < r) {
        for (size_t i = 0; i <= at; i++)
            phi[i] = basis->T[i * basis->stride + at];
        return;
    }
    double rest = at == SPAR__GROWTH_MERGED ? spar__newton_at(basis, growth->kernel, point, phi)
                                            : spar__newton_append(basis, growth->kernel, point, phi);
    rest -= 2 * SPAR__NEWTON_NUGGET * spar__kernel_at(growth->kernel, point, point);
    growth->lost += fmax(rest, 0) * weight;
    if (at == SPAR__GROWTH_MERGED)
        return;
    growth->place[key] = basis->r > r ? r : SPAR__GROWTH_MERGED;
    growth->seen++;
    if (basis->r > r) {
        growth->owner[r] = key;
        spar__weights_append(&growth->weights);
    }
}

void spar__growth_learn(spar__growth *growth, const double *x, size_t count, const size_t *key, const double *weight,
                        const double *y)
{
    size_t stride = growth->weights.stride;
    double *phi = growth->work + ROWS * (stride + 1);
    for (size_t done = 0; done < count; done += ROWS) {
        size_t some = count - done < ROWS ? count - done : ROWS;
        const double *row[ROWS];
        memset(phi, 0, some * stride * sizeof *phi);
        for (size_t i = 0; i < some; i++) {
            enter(growth, x, key[done + i], weight[done + i], phi + i * stride);
            row[i] = phi + i * stride;
        }
        spar__weights_add(&growth->weights, some, row, weight + done, y + done, growth->work);
    }
}

void spar__growth_means(const spar__growth *growth, double *work, double *mean)
{
    spar__weights_mean(&growth->weights, work);
    spar__newton_values(&growth->basis, 1, work, mean);
}

spar_status spar__growth_moments(const spar__growth *growth, const double *x, spar_scratch *scratch, double *mean,
                                 double *sd)
{
    const spar__newton *basis = &growth->basis;
    size_t r = basis->r, mark = spar__scratch_mark(scratch);
    double *work = spar__scratch_take(scratch, r * SPAR__WIDTH, sizeof *work);
    if (work && mean) {
        /* Points that are not in the basis have the mean k(x, U) T^-1 E w. */
        double *coef = work, *row = work + r, *value = row + r;
        spar__growth_means(growth, coef, value);
        spar__triangle_back(r, basis->stride, basis->T, 1, coef);
        for (size_t i = 0; i < growth->keys; i++) {
            if (growth->place[i] < r) {
                mean[i] = value[growth->place[i]];
                continue;
            }
            spar__kernel_row(growth->kernel, x + i * growth->kernel->dim, r, basis->u, row);
            mean[i] = 0;
            for (size_t k = 0; k < r; k++)
                mean[i] += row[k] * coef[k];
        }
    }
    /* The variance is that of the rest and that of phi.w, |R^-T phi|^2. */
    for (size_t start = 0; work && sd && start < growth->keys; start += SPAR__WIDTH) {
        size_t count = growth->keys - start < SPAR__WIDTH ? growth->keys - start : SPAR__WIDTH;
        spar__newton_columns(basis, growth->kernel, count, x + start * growth->kernel->dim, work, sd + start);
        for (size_t j = 0; j < count; j++) {
            size_t at = growth->place[start + j];
            if (at >= r)
                continue;
            sd[start + j] = 0;
            for (size_t i = 0; i < r; i++)
                work[i * SPAR__WIDTH + j] = basis->T[i * basis->stride + at];
        }
        spar__weights_half(&growth->weights, SPAR__WIDTH, work);
        for (size_t j = 0; j < count; j++) {
            for (size_t i = 0; i < r; i++)
                sd[start + j] += work[i * SPAR__WIDTH + j] * work[i * SPAR__WIDTH + j];
            sd[start + j] = sqrt(sd[start + j]);
        }
    }
    spar__scratch_release(scratch, mark);
    return work ? SPAR_OK : SPAR_NOMEM;
}

double spar__growth_accuracy(const spar__growth *growth)
{
    return sqrt(growth->kernel->variance * growth->lost);
}

void spar__growth_archive(spar__growth *growth, const double *x, spar__archive *ar)
{
    /* The points of the basis, which loading takes in again in the same order. */
    size_t r = growth->basis.r;
    spar__archive_size(ar, &r);
    if (!ar->loading) {
        spar__archive_sizes(ar, growth->owner, r);
    } else {
        spar__growth_forget(growth);
        spar__archive_check(ar, r <= growth->keys && r <= SPAR__GROWTH_MOST);
        if (!ar->failed)
            spar__archive_step(ar, spar__growth_reserve(growth, r));
    }
    for (size_t i = 0; ar->loading && !ar->failed && i < r; i++) {
        size_t key = 0;
        spar__archive_size(ar, &key);
        spar__archive_check(ar, key < growth->keys && growth->place[key] == SPAR__GROWTH_UNSEEN);
        if (!ar->failed)
            enter(growth, x, key, 0, growth->work);
        spar__archive_check(ar, growth->basis.r == i + 1);
    }
    /* Those that were merged, and what that has cost. */
    size_t merged = growth->seen - growth->basis.r;
    spar__archive_size(ar, &merged);
    spar__archive_f64(ar, &growth->lost);
    spar__archive_check(ar, merged <= growth->keys && growth->lost >= 0 &&
                                growth->lost <= SPAR__GP_LARGEST * SPAR__GP_LARGEST);
    for (size_t i = 0; !ar->loading && i < growth->keys; i++)
        if (growth->place[i] == SPAR__GROWTH_MERGED)
            spar__archive_size(ar, &i);
    for (size_t i = 0; ar->loading && !ar->failed && i < merged; i++) {
        size_t key = 0;
        spar__archive_size(ar, &key);
        spar__archive_check(ar, key < growth->keys && growth->place[key] == SPAR__GROWTH_UNSEEN);
        if (ar->failed)
            break;
        growth->place[key] = SPAR__GROWTH_MERGED;
        growth->seen++;
    }
    if (!ar->failed)
        spar__gp_archive_weights(&growth->weights, ar);
}
