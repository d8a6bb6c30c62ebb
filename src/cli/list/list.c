/* list.c - spar list: the names and parameters of everything that can be chosen. */
#include "cli/list/list.h"
#include "base/nearest.h"
#include "cli/options.h"
#include "cli/terminal.h"

#include <string.h>

static const spar__list_family families[] = {
    {"policies", "what shows m arms and learns from the answers", "unknown policy '", SPAR_FAMILY_POLICY, NULL},
    {"aliases", "short names for paths", "unknown alias '", SPAR_FAMILY_ALIAS, NULL},
    {"bandits", "what reductions are made of; alone, policies for m = 1", "unknown bandit '", SPAR_FAMILY_BANDIT, NULL},
    {"beliefs", "what a bandit thinks of its arms", "unknown belief '", SPAR_FAMILY_BELIEF, NULL},
    {"envs", "simulated users", "unknown environment '", SPAR_FAMILY_ENV, NULL},
    {"feedback", "what comes back when m arms are shown", "unknown kind of feedback '", SPAR_FAMILY_FEEDBACK, NULL},
};
enum { FAMILIES = sizeof families / sizeof *families };

const spar__list_family *spar__list_families(size_t *n)
{
    *n = FAMILIES;
    return families;
}

const char *spar__list_asked(const char *sentence)
{
    for (size_t i = 0; i < FAMILIES; i++)
        if (strncmp(sentence, families[i].unknown, strlen(families[i].unknown)) == 0)
            return families[i].name;
    return NULL;
}

/* The families that have an entry of this name, each with that entry alone; returns how many. */
static size_t select_entry(const char *name, spar__nearest *nearest, spar__list_family out[FAMILIES])
{
    size_t n = 0;
    for (size_t i = 0; i < FAMILIES; i++) {
        const spar_entry *entry;
        for (size_t k = 0; (entry = spar_catalog_entry(families[i].family, k)); k++) {
            spar__nearest_offer(nearest, entry->name);
            if (strcmp(entry->name, name) == 0) {
                out[n] = families[i];
                out[n++].only = entry->name;
            }
        }
    }
    return n;
}

/* All families, the one asked for ("policies" includes the aliases), or the entry asked for. */
static spar_status select(const spar__settings *settings, spar__list_family out[FAMILIES], size_t *n, spar_error *err)
{
    memcpy(out, families, sizeof families);
    *n = FAMILIES;
    if (!settings->n_operands)
        return SPAR_OK;
    const char *name = settings->operand[0];
    spar__nearest nearest = spar__nearest_to(name);
    for (size_t i = 0; i < FAMILIES; i++) {
        if (strcmp(families[i].name, name) == 0) {
            *n = i == 0 ? 2 : 1;
            memcpy(out, &families[i], *n * sizeof *out);
            return SPAR_OK;
        }
        spar__nearest_offer(&nearest, families[i].name);
    }
    *n = select_entry(name, &nearest, out);
    if (*n)
        return SPAR_OK;
    if (nearest.best)
        return spar__fail_unknown(err, "list", "name", &nearest);
    return spar__fail(err, SPAR_UNKNOWN,
                      "list: unknown name '%.80s'; the families are policies, aliases, bandits, beliefs, envs and "
                      "feedback, and 'spar list --names' shows all names",
                      name);
}

static spar_status list(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    bool json = spar__setting_number(settings, "json"), names = spar__setting_number(settings, "names"),
         markdown = spar__setting_number(settings, "markdown");
    if (json + names + markdown > 1)
        return spar__fail(err, SPAR_INVALID, "list: --json, --markdown and --names exclude each other");
    spar__list_family chosen[FAMILIES];
    size_t n;
    spar_status status = select(settings, chosen, &n, err);
    if (status)
        return status;
    if (json)
        spar__list_json(chosen, n, out);
    else if (markdown)
        spar__list_markdown(chosen, n, out);
    else if (names)
        spar__list_names(chosen, n, out);
    else
        spar__list_text(chosen, n, spar__output_styled(), out);
    return SPAR_OK;
}

static const spar__option options[] = {
    SPAR__SWITCH_OPTION("json", "print JSON: an object with a list for each family"),
    SPAR__SWITCH_OPTION("markdown", "print a Markdown table for each family"),
    SPAR__SWITCH_OPTION("names", "print names only, one a line"),
    {.name = NULL},
};

const spar__command spar__command_list = {
    .name = "list",
    .brief = "List policies, bandits, beliefs, environments and kinds of feedback",
    .operands = "[policies|aliases|bandits|beliefs|envs|feedback|NAME] [OPTIONS]",
    .max_operands = 1,
    .options = options,
    .notes = "NAME is one entry, shown with its parameters, its paper and an example.",
    .example = "spar list dts",
    .run = list,
};
