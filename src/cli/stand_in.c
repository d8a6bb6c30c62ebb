/* stand_in.c - weak stand-ins for layers that are not there yet. */
#include "base/error.h"
#include "prefer/prefer.h"

#include <spar/spar.h>

#define WEAK __attribute__((weak))
WEAK size_t spar_catalog_count(spar_family family)
{
    (void)family;
    return 0;
}
WEAK const spar_entry *spar_catalog_entry(spar_family family, size_t index)
{
    (void)family;
    (void)index;
    return NULL;
}
WEAK spar_status spar_simulate(const spar_plan *plan, spar_results **out, spar_error *err)
{
    (void)plan;
    *out = NULL;
    return spar__fail(err, SPAR_IO, "not built in");
}
WEAK void spar_results_free(spar_results *results)
{
    (void)results;
}
WEAK spar_status spar_results_summary(const spar_results *r, size_t p, size_t c, spar_summary *out)
{
    (void)r;
    (void)p;
    (void)c;
    *out = (spar_summary){0};
    return SPAR_OK;
}
WEAK spar_status spar__prefer_analyse(size_t n, const double *p, spar__prefer_report *report, spar_error *err)
{
    (void)n;
    (void)p;
    (void)report;
    return spar__fail(err, SPAR_IO, "not built in");
}
WEAK void spar__prefer_report_free(spar__prefer_report *report)
{
    (void)report;
}
