/* list.c - spar list: the names and parameters of everything that can be chosen. */
#include "cli/list/list.h"
#include "base/nearest.h"
#include "cli/options.h"
#include "cli/table.h"

#include <string.h>

static const spar__list_family families[] = {
    {"policies", "what shows m arms and learns from the answers", "unknown policy '", SPAR_FAMILY_POLICY},
    {"aliases", "short names for paths", "unknown alias '", SPAR_FAMILY_ALIAS},
    {"bandits", "what reductions are made of; alone, policies for m = 1", "unknown bandit '", SPAR_FAMILY_BANDIT},
    {"beliefs", "what a bandit thinks of its arms", "unknown belief '", SPAR_FAMILY_BELIEF},
    {"envs", "simulated users", "unknown environment '", SPAR_FAMILY_ENV},
    {"feedback", "what comes back when m arms are shown", "unknown kind of feedback '", SPAR_FAMILY_FEEDBACK},
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

/* All families, or the one asked for; "policies" includes the aliases. */
static spar_status select(const spar__settings *settings, const spar__list_family **first, size_t *n, spar_error *err)
{
    *first = families;
    *n = FAMILIES;
    if (!settings->n_operands)
        return SPAR_OK;
    const char *name = settings->operand[0];
    spar__nearest nearest = spar__nearest_to(name);
    for (size_t i = 0; i < FAMILIES; i++) {
        if (strcmp(families[i].name, name) == 0) {
            *first = &families[i];
            *n = i == 0 ? 2 : 1;
            return SPAR_OK;
        }
        spar__nearest_offer(&nearest, families[i].name);
    }
    return spar__fail_unknown(err, "list", "family", &nearest);
}

static spar_status list(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    bool json = spar__setting_number(settings, "json"), names = spar__setting_number(settings, "names"),
         markdown = spar__setting_number(settings, "markdown");
    if (json + names + markdown > 1)
        return spar__fail(err, SPAR_INVALID, "list: --json, --markdown and --names exclude each other");
    const spar__list_family *first;
    size_t n;
    spar_status status = select(settings, &first, &n, err);
    if (status)
        return status;
    if (json)
        spar__list_json(first, n, out);
    else if (markdown)
        spar__list_markdown(first, n, out);
    else if (names)
        spar__list_names(first, n, out);
    else
        spar__list_text(first, n, spar__output_styled(), out);
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
    .operands = "[policies|aliases|bandits|beliefs|envs|feedback] [OPTIONS]",
    .max_operands = 1,
    .options = options,
    .example = "spar list policies",
    .run = list,
};
