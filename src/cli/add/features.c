/* features.c - see features.h.
 *
 * An experiment has the numbers of features, not the names of columns and categories. A file with other columns, or
 * with categories in another order, may have as many numbers, which then mean something else. Where it has all options
 * that are there, and each has the numbers it had, columns and categories are the same. */
#include "cli/add/features.h"

#include "base/alloc.h"

#include <string.h>

static spar_status check_row(const spar_option *option, const spar__option_rows *rows, size_t i, const char *path,
                             spar_error *err)
{
    size_t n = 0, line = rows->row[i].line;
    const double *x = spar_option_features(option, &n);
    if (n == rows->dim && memcmp(x, rows->x + i * n, n * sizeof *x) == 0)
        return SPAR_OK;
    if (n != rows->dim)
        return spar__fail(err, SPAR_INVALID,
                          "%s:%zu: the features of option '%s' are %zu numbers, and were %zu; columns and categories "
                          "cannot be added",
                          path, line, spar_option_id(option), rows->dim, n);
    return spar__fail(
        err, SPAR_INVALID,
        "%s:%zu: option '%s' has other features than it had; expected the same columns and options in the "
        "same order, new options last",
        path, line, spar_option_id(option));
}

/* False for a redacted one, which is NULL. */
static bool has_features(const spar_option *option)
{
    size_t n = 0;
    (void)spar_option_features(option, &n);
    return n > 0;
}

static spar_status check_missing(const spar_experiment *experiment, const bool *listed, const char *path,
                                 spar_error *err)
{
    for (size_t arm = 0; arm < spar_experiment_options(experiment); arm++) {
        const spar_option *option = spar_experiment_option(experiment, arm);
        if (has_features(option) && !listed[arm])
            return spar__fail(err, SPAR_INVALID,
                              "%s: option '%s' is missing; with features, expected all options that are there, the new "
                              "ones last",
                              path, spar_option_id(option));
    }
    return SPAR_OK;
}

spar_status spar__features_check(const spar_experiment *experiment, const spar__option_rows *rows, const char *path,
                                 spar_error *err)
{
    size_t n = spar_experiment_options(experiment);
    if (!rows->dim || !n)
        return SPAR_OK;
    bool *listed = spar__alloc(n, sizeof *listed);
    if (!listed)
        return spar__fail_memory(err);
    for (size_t i = 0; i < rows->n; i++) {
        size_t arm = spar_experiment_find(experiment, rows->row[i].id);
        if (arm < n)
            listed[arm] = true;
    }
    spar_status status = check_missing(experiment, listed, path, err);
    for (size_t i = 0; i < rows->n && !status; i++) {
        size_t arm = spar_experiment_find(experiment, rows->row[i].id);
        const spar_option *option = arm < n ? spar_experiment_option(experiment, arm) : NULL;
        if (has_features(option))
            status = check_row(option, rows, i, path, err);
    }
    spar__free(listed);
    return status;
}
