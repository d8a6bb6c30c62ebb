/* serves.c - which policies may ask people: those that never show an option twice on one screen. */
#include "live/setup.h"

#include "base/buf.h"

#include <spar/catalog.h>
#include <string.h>

static spar_status ask_once(const spar_policy *policy, spar_rng *rng, size_t *shown, spar_error *err)
{
    spar_scratch *scratch = NULL;
    spar_round *round = NULL;
    spar_status status = spar_scratch_new(&scratch) || spar_round_new(4, &round) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar_policy_choose(policy, scratch, rng, round, err);
    *shown = status ? 0 : spar_round_slots(round);
    spar_scratch_free(scratch);
    spar_round_free(round);
    return status;
}

/* What the policy promises, and how many options it shows where m were to be shown. */
static spar_status probe(const char *policy, const spar_arms *arms, size_t m, bool *distinct, size_t *shown,
                         spar_error *err)
{
    spar_rng *rng = NULL;
    spar_policy *built = NULL;
    spar_status status = spar_rng_new(1, 0, 0, &rng) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar_policy_new(policy, arms, m, 0, rng, &built, err);
    if (!status)
        status = ask_once(built, rng, shown, err);
    *distinct = !status && spar_policy_distinct(built);
    spar_policy_free(built);
    spar_rng_free(rng);
    return status;
}

static bool is_distinct(const char *policy, const spar_arms *arms)
{
    bool distinct;
    size_t shown;
    return !probe(policy, arms, 2, &distinct, &shown, NULL) && distinct && shown == 2;
}

static bool has_param(const spar_entry *entry, const char *name)
{
    for (size_t i = 0; i < spar_entry_params(entry); i++)
        if (strcmp(spar_param_name(spar_entry_param(entry, i)), name) == 0)
            return true;
    return false;
}

/* Adds the policy if it promises distinct options, and says so. */
static bool add(spar__buf *list, const char *policy, const spar_arms *arms)
{
    bool good = is_distinct(policy, arms);
    if (good)
        spar__buf_printf(list, "%s%s", list->length ? ", " : "", policy);
    return good;
}

/* Asks every policy of the catalog: as it is, with distinct=1 where it has that parameter, over one that is distinct.
 */
static void list_distinct(spar__buf *list, const spar_arms *arms)
{
    for (size_t i = 0; i < spar_catalog_count(SPAR_FAMILY_POLICY); i++) {
        const spar_entry *entry = spar_catalog_entry(SPAR_FAMILY_POLICY, i);
        spar__buf text = {0};
        const char *with = has_param(entry, "distinct") ? "(distinct=1)" : "/self_sparring(distinct=1)";
        spar__buf_printf(&text, "%s%s", spar_entry_name(entry), with);
        if (!add(list, spar_entry_name(entry), arms) && !text.failed)
            (void)add(list, text.text, arms);
        spar__buf_free(&text);
    }
}

static spar_status refuse(const char *policy, const char *why, const spar_arms *arms, spar_error *err)
{
    spar__buf list = {0};
    list_distinct(&list, arms);
    spar_status status =
        spar__fail(err, SPAR_UNSUPPORTED, "%s %s; people need m distinct options, which these promise: %s", policy, why,
                   list.failed || !list.text ? "" : list.text);
    spar__buf_free(&list);
    return status;
}

spar_status spar__policy_serves(const char *policy, const spar_arms *arms, size_t m, spar_error *err)
{
    bool distinct;
    size_t shown, live = spar_arms_live(arms);
    spar_status status = probe(policy, arms, m, &distinct, &shown, err);
    if (status)
        return status;
    if (!distinct)
        return refuse(policy, "may show an option twice on one screen", arms, err);
    return shown == (m < live ? m : live) ? SPAR_OK
                                          : refuse(policy, "chooses itself how many options it shows", arms, err);
}
