#include "posterior/gp/gp.h"

#include "sampler/sampler.h"

#include <math.h>

/* w = R^-1 (z + normals), for up to SPAR__WIDTH draws in one sweep over R. */
spar_status spar__gp_draw_weights(const spar__weights *w, spar_scratch *scratch, spar_rng *rng, size_t m, double *out)
{
    size_t r = w->r, mark = spar__scratch_mark(scratch);
    double *rhs = spar__scratch_take(scratch, r * SPAR__WIDTH, sizeof *rhs);
    if (!rhs)
        return SPAR_NOMEM;
    spar__normal_batch(rng, m * r, out);
    for (size_t done = 0; done < m; done += SPAR__WIDTH) {
        size_t count = m - done < SPAR__WIDTH ? m - done : SPAR__WIDTH;
        double *block = out + done * r;
        for (size_t i = 0; i < r; i++)
            for (size_t j = 0; j < SPAR__WIDTH; j++)
                rhs[i * SPAR__WIDTH + j] = j < count ? w->z[i] + block[j * r + i] : 0;
        spar__weights_solve(w, SPAR__WIDTH, rhs);
        for (size_t i = 0; i < r; i++)
            for (size_t j = 0; j < count; j++)
                block[j * r + i] = rhs[i * SPAR__WIDTH + j];
    }
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

void spar__gp_learn_rows(spar__weights *w, const double *phi, size_t count, const size_t *point, const double *weight,
                         const double *y, double *work)
{
    for (size_t done = 0; done < count; done += SPAR__GP_ROWS) {
        size_t some = count - done < SPAR__GP_ROWS ? count - done : SPAR__GP_ROWS;
        const double *row[SPAR__GP_ROWS];
        for (size_t i = 0; i < some; i++)
            row[i] = phi + point[done + i] * w->r;
        spar__weights_add(w, some, row, weight + done, y + done, work);
    }
}

void spar__gp_lengths(const spar__weights *w, double *phi, size_t count, double *sd)
{
    double sum[SPAR__WIDTH] = {0};
    spar__weights_half(w, SPAR__WIDTH, phi);
    for (size_t i = 0; i < w->r; i++)
        for (size_t j = 0; j < SPAR__WIDTH; j++)
            sum[j] += phi[i * SPAR__WIDTH + j] * phi[i * SPAR__WIDTH + j];
    for (size_t j = 0; j < count; j++)
        sd[j] = sqrt(sum[j]);
}

void spar__gp_weigh(const spar__weights *w, double *phi, double *leak)
{
    spar__weights_half(w, 1, phi);
    spar__weights_solve(w, 1, phi);
    double sum = 0;
    for (size_t i = 0; i < w->r; i++)
        sum += phi[i] * phi[i] * w->lost[i];
    *leak = 6e-15 * sqrt(sum);
}

void spar__gp_archive_weights(spar__weights *w, spar__archive *ar)
{
    size_t r = w->r;
    spar__archive_size(ar, &r);
    spar__archive_check(ar, r == w->r);
    if (ar->failed)
        return;
    spar__archive_f64s(ar, w->z, r);
    spar__archive_f64s(ar, w->lost, r);
    for (size_t i = 0; i < r; i++)
        spar__archive_f64s(ar, w->R + i * w->stride + i, r - i);
    for (size_t i = 0; ar->loading && !ar->failed && i < r; i++) {
        bool good = fabs(w->z[i]) <= SPAR__GP_LARGEST && w->lost[i] >= 0 &&
                    w->lost[i] <= SPAR__GP_LARGEST * SPAR__GP_LARGEST && w->R[i * w->stride + i] >= 1;
        for (size_t j = i; j < r; j++)
            good &= fabs(w->R[i * w->stride + j]) <= SPAR__GP_LARGEST;
        spar__archive_check(ar, good);
    }
}
