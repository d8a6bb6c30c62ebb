#include "cli/tune/tune.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/order.h"
#include "num/elementary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000, FEW = 16, AROUND = 6 };

/* To a few digits, for the reader; the search does not depend on them. */
static double rounded(double value, int digits)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%.*g", digits, value);
    return strtod(text, NULL);
}

/* Adds the default, sorts, removes duplicates. */
static spar_status add_default(const spar_param *param, spar__tune_values *values, spar_error *err)
{
    double standard;
    bool has_standard = param->standard && spar__parse_double(param->standard, &standard);
    if (has_standard) {
        double *grown = spar__realloc(values->value, values->n, values->n + 1, sizeof *grown);
        if (!grown)
            return spar__fail_memory(err);
        values->value = grown;
        values->value[values->n++] = standard;
        values->log &= standard > 0;
    }
    values->n = spar__distinct(values->n, values->value);
    values->standard = 0;
    while (values->standard < values->n && !(has_standard && values->value[values->standard] == standard))
        values->standard++;
    return SPAR_OK;
}

static spar_status make_room(size_t n, spar__tune_values *values, spar_error *err)
{
    values->value = spar__alloc(n, sizeof *values->value);
    return values->value ? SPAR_OK : spar__fail_memory(err);
}

static spar_status from_list(const char *text, spar__tune_values *values, spar_error *err)
{
    size_t n = 1;
    for (const char *c = text; *c; c++)
        n += *c == ':';
    if (n > MOST)
        return spar__fail(err, SPAR_INVALID, "tune: %zu values are more than %d", n, MOST);
    spar_status status = make_room(n, values, err);
    char item[64];
    for (; !status && values->n < n; values->n++) {
        size_t length = strcspn(text, ":");
        (void)snprintf(item, sizeof item, "%.*s", (int)(length < sizeof item ? length : sizeof item - 1), text);
        if (!spar__parse_double(item, &values->value[values->n]))
            return spar__fail(err, SPAR_INVALID, "--values: '%s' is not a number; expected numbers such as 0.5:1:2.5",
                              item);
        text += length + 1;
    }
    return status;
}

/* Steps between two ends, which are not rounded. */
static spar_status between(double from, double to, size_t steps, bool whole, spar__tune_values *values, spar_error *err)
{
    spar_status status = make_room(steps, values, err);
    for (size_t i = 0; !status && i < steps; i++) {
        double share = (double)i / (double)(steps - 1);
        double value = values->log ? from * spar__pow(to / from, share) : from + share * (to - from);
        value = i == 0 ? from : i == steps - 1 ? to : rounded(value, 4);
        values->value[values->n++] = whole ? rint(value) : value;
    }
    return status;
}

static spar_status read_end(const spar__settings *settings, const char *name, double *out, spar_error *err)
{
    const char *text = spar__setting_text(settings, name);
    if (!text)
        return spar__fail(err, SPAR_INVALID, "tune: --from A and --to B go together; --%s is missing", name);
    if (!spar__parse_double(text, out))
        return spar__fail(err, SPAR_INVALID, "--%s: '%.80s' is not a number", name, text);
    return SPAR_OK;
}

static spar_status from_ends(const spar__settings *settings, const spar_param *param, spar__tune_values *values,
                             spar_error *err)
{
    double from, to;
    spar_status status = read_end(settings, "from", &from, err);
    if (!status)
        status = read_end(settings, "to", &to, err);
    if (status)
        return status;
    if (!(from < to))
        return spar__fail(err, SPAR_INVALID, "tune: --from %g is not below --to %g", from, to);
    if (values->log && from <= 0)
        return spar__fail(err, SPAR_INVALID, "tune: with --log both ends must be above 0, but --from is %g", from);
    return between(from, to, (size_t)spar__setting_number(settings, "steps"), param->kind == SPAR_PARAM_INTEGER, values,
                   err);
}

/* All integers of a short range; else an eighth to eight times the default, in steps of sqrt(2). */
static spar_status from_registry(const spar_param *param, spar__tune_values *values, spar_error *err)
{
    bool whole = param->kind == SPAR_PARAM_INTEGER;
    double standard = 0;
    if (whole && param->high - param->low < FEW) {
        spar_status status = make_room(FEW, values, err);
        for (double value = param->low; !status && value <= param->high; value++)
            values->value[values->n++] = value;
        return status;
    }
    if (!param->standard || !spar__parse_double(param->standard, &standard) || standard <= 0)
        return spar__fail(err, SPAR_INVALID,
                          "tune: %s has no positive default to search around; give --values, or --from and --to",
                          param->name);
    values->log = true;
    spar_status status = make_room(2 * AROUND + 1, values, err);
    for (int k = -AROUND; !status && k <= AROUND; k++) {
        double value = rounded(standard * spar__pow(2, 0.5 * k), 3);
        value = whole ? rint(value) : value;
        if (value >= param->low && value <= param->high)
            values->value[values->n++] = value;
    }
    return status;
}

spar_status spar__tune_values_make(const spar__settings *settings, const spar_param *param, spar__tune_values *out,
                                   spar_error *err)
{
    *out = (spar__tune_values){.log = spar__setting_number(settings, "log")};
    const char *values = spar__setting_text(settings, "values");
    bool ends = spar__setting_text(settings, "from") || spar__setting_text(settings, "to");
    spar_status status;
    if (param->kind != SPAR_PARAM_NUMBER && param->kind != SPAR_PARAM_INTEGER)
        status = spar__fail(err, SPAR_UNSUPPORTED, "tune: %s is not a number; compare its values with 'spar run'",
                            param->name);
    else if (values && ends)
        status = spar__fail(err, SPAR_INVALID, "tune: --values and --from, --to exclude each other");
    else if (!ends && spar__setting_of(settings, "steps")->source != SPAR__SOURCE_DEFAULT)
        status = spar__fail(err, SPAR_INVALID, "tune: --steps goes with --from and --to");
    else if (values)
        status = from_list(values, out, err);
    else if (ends)
        status = from_ends(settings, param, out, err);
    else
        status = from_registry(param, out, err);
    if (!status)
        status = add_default(param, out, err);
    if (!status && out->value[0] <= 0)
        out->log = false;
    if (status)
        spar__tune_values_free(out);
    return status;
}

void spar__tune_values_free(spar__tune_values *values)
{
    spar__free(values->value);
    *values = (spar__tune_values){0};
}
