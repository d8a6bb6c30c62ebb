/* forecast.h - the inside of a forecast. */
#ifndef SPAR_SIM_FORECAST_H
#define SPAR_SIM_FORECAST_H

#include "prefer/evidence.h"

#include <spar/forecast.h>

/* Where the truths come from. */
typedef enum spar__forecast_kind { SPAR__FORECAST_SD, SPAR__FORECAST_STEPS, SPAR__FORECAST_DRAWS } spar__forecast_kind;

typedef struct spar__forecast_case {
    char *policy;
    size_t m;
    double *screens; /* one a truth: where it was decided, infinity: open; NaN: not played */
    bool *wrong;
} spar__forecast_case;

struct spar_forecast {
    size_t options, truths;
    spar__forecast_kind kind;
    double width;  /* sd or gap */
    double *drawn; /* SPAR__FORECAST_DRAWS: draws x options */
    size_t draws;
    size_t *option; /* which option each of these is, of `known` in all */
    size_t known;
    spar_policy *policy; /* not NULL: it goes on from here, and with it */
    spar__evidence evidence;
    uint64_t answers, work, horizon;
    uint64_t limit, seed;
    size_t threads, n, played;
    double delta, silent;
    char *feedback;
    spar__forecast_case *list;
};

/* The strengths of a truth, evenly spread over the draws. */
static inline const double *spar__forecast_draw(const spar_forecast *f, size_t truth)
{
    return f->drawn + truth * f->draws / f->truths % f->draws * f->options;
}

/* Puts this case in the place of all others. */
spar_status spar__forecast_only_case(spar_forecast *f, const char *policy, size_t m, spar_error *err);

/* The screens of the cases: by rising number in front, as many as were played. */
spar_status spar__forecast_begin(spar_forecast *f);
void spar__forecast_finish(spar_forecast *f);

/* forecast_on.c: plays all truths from the start. */
spar_status spar__forecast_go_on(spar_forecast *f, spar_progress *progress, void *context, spar_error *err);

#endif
