#include "posterior/gp_box.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

enum { BATCH = 16 }; /* arms learned at a time */

spar_status spar__gp_box_init(spar__gp_box *box, const spar_arms *arms, const spar__kernel *kernel, double noise,
                              double offset)
{
    box->arms = arms;
    box->kernel = kernel;
    box->noise = noise;
    box->offset = offset;
    spar_status status = spar__growth_init(&box->growth, kernel, SPAR__NEWTON_KNOWN, arms->n);
    return status ? status : spar__gp_box_resize(box);
}

void spar__gp_box_fini(spar__gp_box *box)
{
    spar__growth_fini(&box->growth);
    spar__free(box->count);
    spar__free(box->sum);
    spar__free(box->new_count);
    spar__free(box->new_sum);
    spar__free(box->touched);
}

spar_status spar__gp_box_resize(spar__gp_box *box)
{
    double **const arrays[] = {&box->count, &box->sum, &box->new_count, &box->new_sum};
    if (box->arms->n > box->room) {
        size_t *touched = spar__realloc(box->touched, box->n_touched, box->arms->capacity, sizeof *touched);
        if (!touched)
            return SPAR_NOMEM;
        box->touched = touched;
        box->room = box->arms->capacity;
    }
    if (spar__per_arm_fit(&box->size, box->arms, sizeof arrays / sizeof *arrays, arrays))
        return SPAR_NOMEM;
    return spar__growth_resize(&box->growth, box->arms->n);
}

void spar__gp_box_forget(spar__gp_box *box)
{
    spar__growth_forget(&box->growth);
    memset(box->count, 0, box->size.n * sizeof *box->count);
    memset(box->sum, 0, box->size.n * sizeof *box->sum);
}

spar_status spar__gp_box_reserve(spar__gp_box *box, size_t arms)
{
    return spar__growth_reserve(&box->growth, arms);
}

void spar__gp_box_observe(spar__gp_box *box, size_t arm, double reward, double weight)
{
    if (box->new_count[arm] == 0)
        box->touched[box->n_touched++] = arm;
    box->new_count[arm] += weight;
    box->new_sum[arm] += weight * reward;
}

void spar__gp_box_settle(spar__gp_box *box)
{
    double weight[BATCH], y[BATCH];
    for (size_t done = 0; done < box->n_touched; done += BATCH) {
        size_t some = box->n_touched - done < BATCH ? box->n_touched - done : BATCH;
        for (size_t i = 0; i < some; i++) {
            size_t arm = box->touched[done + i];
            weight[i] = box->new_count[arm] / box->noise;
            y[i] = box->new_sum[arm] / box->new_count[arm] - box->offset;
            box->count[arm] += box->new_count[arm];
            box->sum[arm] += box->new_sum[arm];
            box->new_count[arm] = box->new_sum[arm] = 0;
        }
        spar__growth_learn(&box->growth, box->arms->x, some, box->touched + done, weight, y);
    }
    box->n_touched = 0;
}

spar_status spar__gp_box_moments(const spar__gp_box *box, spar_scratch *scratch, double *mean, double *sd)
{
    spar_status status = spar__growth_moments(&box->growth, box->arms->x, scratch, mean, sd);
    for (size_t i = 0; !status && mean && i < box->arms->n; i++)
        mean[i] += box->offset;
    return status;
}

void spar__gp_box_archive(spar__gp_box *box, spar__archive *ar)
{
    spar__archive_f64s(ar, box->count, box->size.n);
    spar__archive_f64s(ar, box->sum, box->size.n);
    for (size_t i = 0; ar->loading && i < box->size.n; i++)
        spar__archive_check(ar, box->count[i] >= 0 && isfinite(box->count[i]) && isfinite(box->sum[i]));
    spar__growth_archive(&box->growth, box->arms->x, ar);
}
