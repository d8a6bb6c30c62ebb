#include "base/nearest.h"
#include "env/env.h"

#include <string.h>

static spar_status find(const char *name, const char *what, const char *family, const spar_entry *(*entry)(size_t),
                        size_t *index, spar_error *err)
{
    spar__nearest nearest = spar__nearest_to(name);
    for (size_t i = 0; entry(i); i++) {
        if (strcmp(entry(i)->name, name) == 0) {
            *index = i;
            return SPAR_OK;
        }
        spar__nearest_offer(&nearest, entry(i)->name);
    }
    if (nearest.best)
        return spar__fail(err, SPAR_UNKNOWN, "unknown %s '%s'; did you mean '%s'? ('spar list %s' shows all)", what,
                          name, nearest.best, family);
    return spar__fail(err, SPAR_UNKNOWN, "unknown %s '%s' ('spar list %s' shows all)", what, name, family);
}

spar_status spar__bind_one(const char *text, const char *what, const char *family, const spar_entry *(*entry)(size_t),
                           size_t *index, spar__values *values, spar_error *err)
{
    *values = (spar__values){0};
    spar__spec spec;
    spar_status status = spar__spec_parse(text, &spec, err);
    if (status)
        return status;
    if (spec.n != 1)
        status = spar__fail(err, SPAR_PARSE, "%s: %s is one name, without '/'", text, what);
    if (!status)
        status = find(spec.stage[0].name, what, family, entry, index, err);
    if (!status)
        status = spar__values_bind(entry(*index), &spec.stage[0], values, err);
    spar__spec_free(&spec);
    return status;
}
