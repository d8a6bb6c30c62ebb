#include "posterior/gp.h"

spar_status spar__gp_fit(const spar__gp_model *model, double *length, double *variance, double *noise)
{
    (void)model, (void)length, (void)variance, (void)noise;
    return SPAR_UNSUPPORTED;
}
