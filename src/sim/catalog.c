/* catalog.c - every family of names that the library knows, for lists and help. */
#include "base/spec.h"
#include "env/env.h"
#include "policy/policy.h"
#include "spar_version.h"

size_t spar_catalog_count(spar_family family)
{
    switch (family) {
    case SPAR_FAMILY_POLICY:
        return spar__n_policy_classes;
    case SPAR_FAMILY_BANDIT:
        return spar__n_mab_classes;
    case SPAR_FAMILY_BELIEF:
        return spar__n_posterior_classes;
    case SPAR_FAMILY_ENV:
        return spar__n_env_classes;
    case SPAR_FAMILY_FEEDBACK:
        return spar__n_feedback_classes;
    case SPAR_FAMILY_ALIAS:
        return spar__n_policy_aliases;
    case SPAR_FAMILIES:
        break;
    }
    return 0;
}

const spar_entry *spar_catalog_entry(spar_family family, size_t index)
{
    if (index >= spar_catalog_count(family))
        return NULL;
    switch (family) {
    case SPAR_FAMILY_POLICY:
        return &spar__policy_classes[index]->entry;
    case SPAR_FAMILY_BANDIT:
        return &spar__mab_classes[index]->entry;
    case SPAR_FAMILY_BELIEF:
        return &spar__posterior_classes[index]->entry;
    case SPAR_FAMILY_ENV:
        return &spar__env_classes[index]->entry;
    case SPAR_FAMILY_FEEDBACK:
        return &spar__feedback_classes[index]->entry;
    case SPAR_FAMILY_ALIAS:
        return &spar__policy_aliases[index];
    case SPAR_FAMILIES:
        break;
    }
    return NULL;
}

const char *spar_version(void)
{
    return SPAR_VERSION;
}
