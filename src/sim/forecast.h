/* forecast.h - the inside of a forecast. */
#ifndef SPAR_SIM_FORECAST_H
#define SPAR_SIM_FORECAST_H

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
    uint64_t limit, seed;
    size_t threads, n, played;
    double delta, silent;
    char *feedback;
    spar__forecast_case *list;
};

#endif
