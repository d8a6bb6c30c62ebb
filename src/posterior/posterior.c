#include "posterior/posterior.h"

#include "base/alloc.h"

#include <string.h>

#define SPAR_POSTERIOR(folder, name) extern const spar__posterior_class spar__posterior_##name;
#include "posterior/posteriors.def"
#undef SPAR_POSTERIOR

const spar__posterior_class *const spar__posterior_classes[] = {
#define SPAR_POSTERIOR(folder, name) &spar__posterior_##name,
#include "posterior/posteriors.def"
#undef SPAR_POSTERIOR
};
const size_t spar__n_posterior_classes = sizeof spar__posterior_classes / sizeof *spar__posterior_classes;

const spar__posterior_class *spar__posterior_find(const char *name)
{
    for (size_t i = 0; i < spar__n_posterior_classes; i++)
        if (strcmp(spar__posterior_classes[i]->entry.name, name) == 0)
            return spar__posterior_classes[i];
    return NULL;
}

spar_status spar__posterior_new(const spar__posterior_class *cls, const spar__values *values, const spar_arms *arms,
                                spar__posterior **out, spar_error *err)
{
    *out = NULL;
    spar__posterior *self = spar__alloc(1, cls->size);
    if (!self)
        return spar__fail_memory(err);
    self->cls = cls;
    self->arms = arms;
    spar_status status = cls->init(self, values, err);
    if (status) {
        spar__posterior_free(self);
        return status;
    }
    *out = self;
    return SPAR_OK;
}

void spar__posterior_free(spar__posterior *posterior)
{
    if (!posterior)
        return;
    posterior->cls->fini(posterior);
    spar__free(posterior);
}
