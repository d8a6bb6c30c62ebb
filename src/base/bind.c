#include "base/bind.h"

#include "base/buf.h"
#include "base/nearest.h"

#include <string.h>

static spar_status fail_listing(const char *name, const char *what, const spar_entry *(*entry)(size_t), spar_error *err)
{
    spar__buf known = {0};
    for (size_t i = 0; entry(i); i++)
        spar__buf_printf(&known, "%s%s", i ? ", " : "", entry(i)->name);
    spar_status status =
        known.failed ? spar__fail_memory(err)
                     : spar__fail(err, SPAR_UNKNOWN, "unknown %s '%.80s'; there are %s", what, name, known.text);
    spar__buf_free(&known);
    return status;
}

static spar_status fail_unknown(const char *name, const char *what, const char *family,
                                const spar_entry *(*entry)(size_t), spar_error *err)
{
    if (!family)
        return fail_listing(name, what, entry, err);
    spar__nearest nearest = spar__nearest_to(name);
    for (size_t i = 0; entry(i); i++)
        spar__nearest_offer(&nearest, entry(i)->name);
    if (nearest.best)
        return spar__fail(err, SPAR_UNKNOWN, "unknown %s '%.80s'; did you mean '%s'? ('spar list %s' shows all)", what,
                          name, nearest.best, family);
    return spar__fail(err, SPAR_UNKNOWN, "unknown %s '%.80s' ('spar list %s' shows all)", what, name, family);
}

spar_status spar__bind_one(const char *text, const char *what, const char *family, const spar_entry *(*entry)(size_t),
                           size_t *index, spar__values *values, spar_error *err)
{
    *values = (spar__values){0};
    spar__spec spec;
    spar_status status = spar__spec_parse(text, &spec, err);
    if (status)
        return status;
    const char *name = spec.stage[0].name;
    *index = 0;
    while (entry(*index) && strcmp(entry(*index)->name, name))
        ++*index;
    if (spec.n != 1)
        status = spar__fail(err, SPAR_PARSE, "%.200s: expected one %s, without '/'", text, what);
    else if (!entry(*index))
        status = fail_unknown(name, what, family, entry, err);
    else
        status = spar__values_bind(entry(*index), &spec.stage[0], values, err);
    spar__spec_free(&spec);
    return status;
}
