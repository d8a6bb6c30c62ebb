/* mab.c - the registry of bandits, and what a bandit and its belief do together. */
#include "mab/mab.h"

#include "base/alloc.h"

#include <string.h>

#define SPAR_MAB(name) extern const spar__mab_class spar__mab_##name;
#include "mab/mabs.def"
#undef SPAR_MAB

const spar__mab_class *const spar__mab_classes[] = {
#define SPAR_MAB(name) &spar__mab_##name,
#include "mab/mabs.def"
#undef SPAR_MAB
};
const size_t spar__n_mab_classes = sizeof spar__mab_classes / sizeof *spar__mab_classes;

const spar__mab_class *spar__mab_find(const char *name)
{
    for (size_t i = 0; i < spar__n_mab_classes; i++)
        if (strcmp(spar__mab_classes[i]->entry.name, name) == 0)
            return spar__mab_classes[i];
    return NULL;
}

spar_status spar__mab_new(const spar__mab_recipe *recipe, const spar_arms *arms, uint64_t horizon, spar__mab **out,
                          spar_error *err)
{
    *out = NULL;
    spar__mab *self = spar__alloc(1, recipe->cls->size);
    if (!self)
        return spar__fail_memory(err);
    self->cls = recipe->cls;
    self->arms = arms;
    self->horizon = horizon;
    spar_status status = SPAR_OK;
    if (recipe->posterior)
        status = spar__posterior_new(recipe->posterior, &recipe->posterior_values, arms, &self->posterior, err);
    if (!status && self->cls->init)
        status = self->cls->init(self, &recipe->values, err);
    if (status) {
        spar__mab_free(self);
        return status;
    }
    *out = self;
    return SPAR_OK;
}

void spar__mab_free(spar__mab *mab)
{
    if (!mab)
        return;
    if (mab->cls->fini)
        mab->cls->fini(mab);
    spar__posterior_free(mab->posterior);
    spar__free(mab);
}

spar_status spar__mab_resize(spar__mab *mab)
{
    spar_status status = mab->posterior ? mab->posterior->cls->resize(mab->posterior) : SPAR_OK;
    return status || !mab->cls->resize ? status : mab->cls->resize(mab);
}

void spar__mab_forget(spar__mab *mab)
{
    if (mab->posterior)
        mab->posterior->cls->forget(mab->posterior);
    if (mab->cls->forget)
        mab->cls->forget(mab);
}

spar_status spar__mab_reserve(spar__mab *mab, size_t slots)
{
    spar__posterior *posterior = mab->posterior;
    return posterior && posterior->cls->reserve ? posterior->cls->reserve(posterior, slots) : SPAR_OK;
}

void spar__mab_settle(spar__mab *mab)
{
    if (mab->posterior && mab->posterior->cls->settle)
        mab->posterior->cls->settle(mab->posterior);
    if (mab->cls->settle)
        mab->cls->settle(mab);
}

void spar__mab_archive(spar__mab *mab, spar__archive *ar)
{
    if (mab->posterior)
        mab->posterior->cls->archive(mab->posterior, ar);
    if (mab->cls->archive)
        mab->cls->archive(mab, ar);
}
