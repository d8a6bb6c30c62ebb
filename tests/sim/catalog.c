#include "base/spec.h"

#include "tap.h"

static bool has(spar_family family, const char *name)
{
    for (size_t i = 0; i < spar_catalog_count(family); i++)
        if (strcmp(spar_catalog_entry(family, i)->name, name) == 0)
            return true;
    return false;
}

/* Every entry has a name and a line about it, no two the same name; parameters are described. */
static bool sound(spar_family family)
{
    bool good = spar_catalog_count(family) > 0;
    for (size_t i = 0; i < spar_catalog_count(family); i++) {
        const spar_entry *entry = spar_catalog_entry(family, i);
        good = good && entry && entry->name && *entry->name && entry->brief && *entry->brief;
        for (size_t j = 0; good && j < i; j++)
            good = strcmp(entry->name, spar_catalog_entry(family, j)->name) != 0;
        for (const spar_param *p = good ? entry->params : NULL; p && p->name; p++)
            good = good && p->help && (p->kind != SPAR_PARAM_CHOICE || p->choices);
    }
    return good;
}

int main(void)
{
    static const char *const family[] = {"policies", "bandits", "beliefs", "envs", "feedback", "aliases"};
    for (int f = 0; f < SPAR_FAMILIES; f++) {
        ok(sound((spar_family)f), "%s are described", family[f]);
        ok(!spar_catalog_entry((spar_family)f, spar_catalog_count((spar_family)f)), "%s end", family[f]);
    }
    ok(has(SPAR_FAMILY_POLICY, "random") && has(SPAR_FAMILY_BANDIT, "ucb1") && has(SPAR_FAMILY_BELIEF, "beta") &&
           has(SPAR_FAMILY_ENV, "utility") && has(SPAR_FAMILY_FEEDBACK, "all_pairs") &&
           has(SPAR_FAMILY_ALIAS, "ind_self_sparring"),
       "each name is in its family");
    ok(spar_catalog_count(SPAR_FAMILIES) == 0 && !spar_catalog_entry(SPAR_FAMILIES, 0), "no such family");
    ok(*spar_version() >= '0' && *spar_version() <= '9' && strchr(spar_version(), '.'), "version %s", spar_version());
    return done();
}
