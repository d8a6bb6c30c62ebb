/* serves.c - which policies may ask people: those that never show an option twice on one screen. */
#include "live/setup.h"

#include "base/buf.h"

#include <spar/catalog.h>
#include <string.h>

static bool build(const char *policy, const spar_arms *arms, size_t m, spar_policy **out, spar_error *err,
                  spar_status *status)
{
    spar_rng *rng = NULL;
    *status = spar_rng_new(1, 0, 0, &rng);
    if (*status)
        (void)spar__fail_memory(err);
    else
        *status = spar_policy_new(policy, arms, m, 0, rng, out, err);
    spar_rng_free(rng);
    return !*status;
}

static bool is_distinct(const char *policy, const spar_arms *arms)
{
    spar_policy *built = NULL;
    spar_status status;
    bool good = build(policy, arms, 2, &built, NULL, &status) && spar_policy_distinct(built);
    spar_policy_free(built);
    return good;
}

static bool has_param(const spar_entry *entry, const char *name)
{
    for (size_t i = 0; i < spar_entry_params(entry); i++)
        if (strcmp(spar_param_name(spar_entry_param(entry, i)), name) == 0)
            return true;
    return false;
}

static void add_name(spar__buf *list, const char *policy)
{
    spar__buf_printf(list, "%s%s", list->length ? ", " : "", policy);
}

/* Asks every policy of the catalog: as it is, or with distinct=1 where it has that parameter. */
static void list_distinct(spar__buf *list, const spar_arms *arms)
{
    for (size_t i = 0; i < spar_catalog_count(SPAR_FAMILY_POLICY); i++) {
        const spar_entry *entry = spar_catalog_entry(SPAR_FAMILY_POLICY, i);
        spar__buf with = {0};
        spar__buf_printf(&with, "%s(distinct=1)", spar_entry_name(entry));
        if (is_distinct(spar_entry_name(entry), arms))
            add_name(list, spar_entry_name(entry));
        else if (has_param(entry, "distinct") && !with.failed && is_distinct(with.text, arms))
            add_name(list, with.text);
        spar__buf_free(&with);
    }
}

static spar_status refuse(const char *policy, const spar_arms *arms, spar_error *err)
{
    spar__buf list = {0};
    list_distinct(&list, arms);
    spar_status status = spar__fail(err, SPAR_UNSUPPORTED,
                                    "%s may show an option twice on one screen; people need distinct options, which "
                                    "these promise: %s",
                                    policy, list.failed || !list.text ? "" : list.text);
    spar__buf_free(&list);
    return status;
}

spar_status spar__policy_serves(const char *policy, const spar_arms *arms, size_t m, spar_error *err)
{
    spar_policy *built = NULL;
    spar_status status;
    if (!build(policy, arms, m, &built, err, &status))
        return status;
    bool distinct = spar_policy_distinct(built);
    spar_policy_free(built);
    return distinct ? SPAR_OK : refuse(policy, arms, err);
}
