#include "num/half_beta.h"

#include "num/special.h"

double spar__beta_above_half(double a, double b)
{
    if (a == b)
        return 0.5;
    double small = a < b ? spar__beta_sf(a, b, 0.5) : spar__beta_sf(b, a, 0.5);
    return a < b ? small : 1 - small;
}
