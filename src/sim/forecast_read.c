/* forecast_read.c - what a forecast says. */
#include "sim/forecast.h"

#include <math.h>

size_t spar_forecast_cases(const spar_forecast *f)
{
    return f ? f->n : 0;
}

const char *spar_forecast_policy(const spar_forecast *f, size_t index)
{
    return f && index < f->n ? f->list[index].policy : NULL;
}

size_t spar_forecast_slots(const spar_forecast *f, size_t index)
{
    return f && index < f->n ? f->list[index].m : 0;
}

size_t spar_forecast_played(const spar_forecast *f)
{
    return f ? f->played : 0;
}

uint64_t spar_forecast_horizon(const spar_forecast *f)
{
    return f ? f->policy ? f->horizon : f->limit : 0;
}

double spar_forecast_screens(const spar_forecast *f, size_t index, double share)
{
    if (!f || index >= f->n || f->played == 0 || !(share >= 0 && share <= 1))
        return NAN;
    size_t at = (size_t)ceil(share * (double)f->played);
    return f->list[index].screens[at ? at - 1 : 0];
}

double spar_forecast_decided(const spar_forecast *f, size_t index, double screens)
{
    if (!f)
        return NAN;
    size_t count = 0;
    for (size_t t = 0; index < f->n && t < f->played; t++)
        count += f->list[index].screens[t] <= screens;
    return index < f->n && f->played ? (double)count / (double)f->played : NAN;
}

double spar_forecast_wrong(const spar_forecast *f, size_t index)
{
    if (!f)
        return NAN;
    size_t count = 0;
    for (size_t t = 0; index < f->n && t < f->played; t++)
        count += f->list[index].wrong[t];
    return index < f->n && f->played ? (double)count / (double)f->played : NAN;
}
