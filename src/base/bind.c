#include "base/bind.h"

#include "base/nearest.h"

#include <string.h>

static spar_status fail_unknown(const char *name, const char *kind, const spar_entry *(*entry)(size_t), spar_error *err)
{
    spar__nearest nearest = spar__nearest_to(name);
    for (size_t i = 0; entry(i); i++)
        spar__nearest_offer(&nearest, entry(i)->name);
    return spar__fail_unknown(err, NULL, kind, &nearest);
}

spar_status spar__bind_one(const char *text, const char *kind, const spar_entry *(*entry)(size_t), size_t *index,
                           spar__values *values, spar_error *err)
{
    *values = (spar__values){0};
    spar__spec spec;
    spar_status status = spar__spec_parse(text, &spec, err);
    if (status)
        return status;
    const char *name = spec.stage[0].name;
    *index = 0;
    while (entry(*index) && strcmp(entry(*index)->name, name) != 0)
        ++*index;
    if (spec.n != 1)
        status = spar__fail(err, SPAR_PARSE, "%.200s: expected one %s, without '/'", text, kind);
    else if (!entry(*index))
        status = fail_unknown(name, kind, entry, err);
    else
        status = spar__values_bind(entry(*index), &spec.stage[0], values, err);
    spar__spec_free(&spec);
    return status;
}
