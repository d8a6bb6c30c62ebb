#include "types/per_arm.h"

#include "base/alloc.h"

spar_status spar__per_arm_fit(spar__per_arm *size, const spar_arms *arms, size_t count, double **const array[])
{
    if (arms->n > size->capacity) {
        for (size_t k = 0; k < count; k++) {
            double *grown = spar__realloc(*array[k], size->n, arms->capacity, sizeof *grown);
            if (!grown)
                return SPAR_NOMEM;
            *array[k] = grown;
        }
        size->capacity = arms->capacity;
    }
    size->n = arms->n;
    return SPAR_OK;
}
