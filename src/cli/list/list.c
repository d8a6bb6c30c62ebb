/* list.c - spar list: the names and parameters of everything that can be chosen, from the registries
 * (spar_catalog_entry) as text, as JSON, as Markdown tables or as names alone; with one name, that entry and a command
 * line that shows it at work. */
#include "cli/list/list.h"

#include "base/buf.h"
#include "base/error.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "policy/policy.h"
#include "text/json.h"

#include <spar/policy.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- a command line that shows an entry at work ---
 *
 * What a policy, a bandit or a belief needs beside it is tried out: the first path that can be built is shown. */

/* Can the policy be built for four arms, with features or without? */
static bool is_built(const char *spec, size_t m, bool features)
{
    static const double x[] = {0, 0.3, 0.7, 1};
    spar_arms *arms = NULL;
    spar_rng *rng = NULL;
    spar_policy *policy = NULL;
    bool built = !spar_arms_new(4, features, features ? x : NULL, NULL, &arms) && !spar_rng_new(1, 0, 0, &rng) &&
                 !spar_policy_new(spec, arms, m, 100, rng, &policy, NULL);
    spar_policy_free(policy);
    spar_rng_free(rng);
    spar_arms_free(arms);
    return built;
}

static void add_run(const char *env, const char *policy, const char *more, spar__buf *out)
{
    spar__buf_printf(out, "spar run --env %s --policy %s%s", env, policy, more);
}

/* `before` NAME `after`, in quotes where the shell needs them. */
static bool try_path(const char *before, const char *name, const char *after, spar__buf *out)
{
    char spec[200], quoted[210];
    (void)snprintf(spec, sizeof spec, "%s%s%s", before, name, after);
    (void)snprintf(quoted, sizeof quoted, strchr(spec, '(') ? "'%s'" : "%s", spec);
    if (is_built(spec, 2, false))
        add_run("utility", quoted, "", out);
    else if (is_built(spec, 2, true))
        add_run("function", quoted, "", out);
    else if (is_built(spec, 1, false))
        add_run("'rewards(mu=0.8:0.5)'", quoted, " --m 1", out);
    else
        return false;
    return true;
}

static void add_example(const char *name, spar_family family, spar__buf *out)
{
    static const struct {
        spar_family family;
        const char *before, *after;
    } stack[] = {{SPAR_FAMILY_POLICY, "", ""},
                 {SPAR_FAMILY_POLICY, "", "/thompson/beta"},
                 {SPAR_FAMILY_POLICY, "", "/ucb1"},
                 {SPAR_FAMILY_POLICY, "", "/thompson/pl"},
                 {SPAR_FAMILY_POLICY, "", "/self_sparring(distinct=1)/thompson/beta"},
                 {SPAR_FAMILY_BANDIT, "sparring/", ""},
                 {SPAR_FAMILY_BANDIT, "sparring/", "/beta"},
                 {SPAR_FAMILY_BANDIT, "sparring/", "/gp"},
                 {SPAR_FAMILY_BELIEF, "self_sparring/thompson/", ""},
                 {SPAR_FAMILY_BELIEF, "sparring/thompson/", ""}};
    static const char *const own[][2] = {{"matrix", "'matrix(file=prefs.txt)'"}, /* with files of the user's own */
                                         {"rankers", "'rankers(data=train.txt)'"},
                                         {"voters", "'voters(file=ballots.soc)'"},
                                         {"votes", "'votes(file=votes.csv)'"},
                                         {"rewards", "'rewards(mu=0.8:0.5)'"},
                                         {"confusable", "function"},
                                         {"multileave", "'rankers(data=train.txt)'"}};
    family = family == SPAR_FAMILY_ALIAS ? SPAR_FAMILY_POLICY : family;
    for (size_t i = 0; i < sizeof stack / sizeof *stack; i++)
        if (stack[i].family == family && try_path(stack[i].before, name, stack[i].after, out))
            return;
    const char *env = family == SPAR_FAMILY_ENV ? name : "utility";
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i][0], name) == 0)
            env = own[i][1];
    if (family == SPAR_FAMILY_ENV && strcmp(name, "rewards") == 0) {
        add_run(env, "ucb1", " --m 1", out);
    } else if (family == SPAR_FAMILY_ENV) {
        add_run(env, "ind_self_sparring", "", out);
    } else if (family == SPAR_FAMILY_FEEDBACK) {
        add_run(env, "ind_self_sparring", " --m 4 --feedback ", out);
        spar__buf_adds(out, name);
    }
}

/* --- as text --- */

typedef struct entry_cursor {
    const spar_entry *entry;
    size_t index;
} entry_cursor;

static bool next_entry(const spar__list_family *family, entry_cursor *at)
{
    do
        at->entry = spar_catalog_entry(family->family, at->index++);
    while (at->entry && family->only && strcmp(at->entry->name, family->only) != 0);
    return at->entry;
}

static void add_number(double value, spar__buf *out)
{
    char text[SPAR__NUMBER_SIZE];
    (void)spar__number_print(text, value);
    spar__buf_adds(out, text);
}

/* The values that a parameter takes. */
static void add_values(const spar_param *param, spar__buf *out)
{
    static const char *const kind[] = {[SPAR_PARAM_NUMBER] = "",
                                       [SPAR_PARAM_INTEGER] = "whole, ",
                                       [SPAR_PARAM_NUMBERS] = "numbers x:y:..., each ",
                                       [SPAR_PARAM_PATH] = "a file",
                                       [SPAR_PARAM_PATHS] = "files x:y:...",
                                       [SPAR_PARAM_TEXT] = "text"};
    bool low = !isinf(param->low), high = !isinf(param->high);
    spar__buf_adds(out, param->kind == SPAR_PARAM_CHOICE ? param->choices : kind[param->kind]);
    if (param->kind > SPAR_PARAM_NUMBERS)
        return;
    if (!low || !high)
        spar__buf_adds(out, low ? "at least " : high ? "at most " : "any");
    if (low)
        add_number(param->low, out);
    if (low && high)
        spar__buf_adds(out, " to ");
    if (high)
        add_number(param->high, out);
}

/* "alpha=0.51", or "file=" where there is no default. */
static void add_head(const spar_param *param, spar__buf *out)
{
    spar__buf_printf(out, "%s=%s", param->name, param->standard ? param->standard : "");
}

/* What the flags of a policy's class say that a user should know; NULL: nothing, or no policy. */
static const char *limits(const spar_entry *entry, spar_family family)
{
    const spar__policy_class *cls = family == SPAR_FAMILY_POLICY ? spar__policy_find(entry->name) : NULL;
    if (!cls || cls->live_arms)
        return NULL;
    return cls->needs_horizon ? "its arms are fixed: the proof needs the numbers of arms and rounds in advance"
                              : "its arms are fixed when it is built";
}

static void add_entry(const spar_entry *entry, spar_family family, size_t width, spar__buf *out)
{
    const char *limit = limits(entry, family);
    spar__buf_printf(out, "  %-*s  %s\n", (int)width, entry->name, entry->brief);
    if (limit)
        spar__buf_printf(out, "  %*s  %s\n", (int)width, "", limit);
    if (entry->paper)
        spar__buf_printf(out, "  %*s  %s\n", (int)width, "", entry->paper);
    size_t heads = 0;
    for (const spar_param *p = entry->params; p && p->name; p++) {
        size_t length = strlen(p->name) + 1 + (p->standard ? strlen(p->standard) : 0);
        heads = length > heads ? length : heads;
    }
    for (const spar_param *p = entry->params; p && p->name; p++) {
        spar__buf_printf(out, "  %*s    ", (int)width, "");
        size_t start = out->length;
        add_head(p, out);
        spar__buf_printf(out, "%*s  %s (", (int)(heads - (out->length - start)), "", p->help);
        add_values(p, out);
        spar__buf_adds(out, ")\n");
    }
}

static void print_text(const spar__list_family *families, size_t n, bool styled, spar__buf *out)
{
    size_t start = out->length;
    for (size_t i = 0; i < n; i++) {
        const spar__list_family *family = &families[i];
        size_t width = 0;
        spar__buf_printf(out, "%s%s%s%s: %s\n\n", i ? "\n" : "", styled ? "\033[1m" : "", family->name,
                         styled ? "\033[0m" : "", family->brief);
        for (entry_cursor at = {0}; next_entry(family, &at);)
            width = strlen(at.entry->name) > width ? strlen(at.entry->name) : width;
        for (entry_cursor at = {0}; next_entry(family, &at);)
            add_entry(at.entry, family->family, width, out);
        if (family->only) {
            spar__buf_adds(out, "\nexample:\n  ");
            add_example(family->only, family->family, out);
            spar__buf_adds(out, "\n");
        }
    }
    spar__fit(out, start, spar__output_width());
}

void spar__list_line(const spar__list_family *family, spar__buf *out)
{
    spar__buf_printf(out, "%-12s", family->name);
    for (entry_cursor at = {0}; next_entry(family, &at);)
        spar__buf_printf(out, " %s", at.entry->name);
    spar__buf_adds(out, "\n");
}

/* --- as Markdown --- */

/* Text of a Markdown cell, in which a bar must be escaped. */
static void add_cell(const char *text, spar__buf *out)
{
    for (; *text; text++) {
        if (*text == '|')
            spar__buf_adds(out, "\\");
        spar__buf_add(out, text, 1);
    }
}

static void print_markdown(const spar__list_family *families, size_t n, spar__buf *out)
{
    for (size_t i = 0; i < n; i++) {
        spar__buf_printf(out, "%s### %s\n\n", i ? "\n" : "", families[i].name);
        spar__buf_printf(out, "| name | %s | paper | parameters |\n|---|---|---|---|\n",
                         families[i].family == SPAR_FAMILY_ALIAS ? "stands for" : "what");
        for (entry_cursor at = {0}; next_entry(&families[i], &at);) {
            const spar_entry *entry = at.entry;
            spar_family family = families[i].family;
            const char *limit = limits(entry, family);
            spar__buf_printf(out, "| `%s` | ", entry->name);
            add_cell(entry->brief, out);
            if (limit)
                spar__buf_printf(out, "; %s", limit);
            spar__buf_adds(out, " | ");
            add_cell(entry->paper ? entry->paper : "", out);
            spar__buf_adds(out, " | ");
            spar__buf values = {0};
            for (const spar_param *p = entry->params; p && p->name; p++) {
                spar__buf_adds(out, p == entry->params ? "`" : "<br>`");
                add_head(p, out);
                spar__buf_adds(out, "` ");
                add_cell(p->help, out);
                spar__buf_clear(&values);
                add_values(p, &values);
                spar__buf_adds(out, " (");
                add_cell(values.text ? values.text : "", out);
                spar__buf_adds(out, ")");
            }
            out->failed |= values.failed;
            spar__buf_free(&values);
            spar__buf_adds(out, " |\n");
        }
    }
}

/* --- as JSON --- */

static void add_param_json(const spar_param *param, spar__json *json)
{
    static const char *const kinds[] = {
        [SPAR_PARAM_NUMBER] = "number", [SPAR_PARAM_INTEGER] = "integer", [SPAR_PARAM_NUMBERS] = "numbers",
        [SPAR_PARAM_CHOICE] = "choice", [SPAR_PARAM_PATH] = "path",       [SPAR_PARAM_PATHS] = "paths",
        [SPAR_PARAM_TEXT] = "text"};
    spar__json_begin_object(json);
    spar__json_add_string(json, "name", param->name);
    spar__json_add_string(json, "kind", kinds[param->kind]);
    spar__json_add_string(json, "default", param->standard);
    if (param->kind <= SPAR_PARAM_NUMBERS) {
        spar__json_add_number(json, "low", param->low); /* infinite: null */
        spar__json_add_number(json, "high", param->high);
    }
    if (param->kind == SPAR_PARAM_CHOICE) {
        spar__json_key(json, "choices");
        spar__json_begin_array(json);
        for (const char *word = param->choices;; word++) {
            char text[64] = "";
            size_t length = strcspn(word, "|");
            memcpy(text, word, length < sizeof text ? length : sizeof text - 1);
            spar__json_string(json, text);
            word += length;
            if (!*word)
                break;
        }
        spar__json_end_array(json);
    }
    spar__json_add_string(json, "help", param->help);
    spar__json_end_object(json);
}

/* an object with a list per family */
static void print_json(const spar__list_family *families, size_t n, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    for (size_t i = 0; i < n; i++) {
        spar__json_key(&json, families[i].name);
        spar__json_begin_array(&json);
        for (entry_cursor at = {0}; next_entry(&families[i], &at);) {
            const spar_entry *entry = at.entry;
            spar_family family = families[i].family;
            bool alias = family == SPAR_FAMILY_ALIAS;
            spar__json_begin_object(&json);
            spar__json_add_string(&json, "name", entry->name);
            spar__json_add_string(&json, alias ? "path" : "brief", entry->brief);
            spar__json_add_string(&json, "paper", entry->paper);
            if (family == SPAR_FAMILY_POLICY)
                spar__json_add_boolean(&json, "live_arms", !limits(entry, family));
            spar__json_key(&json, "params");
            spar__json_begin_array(&json);
            for (const spar_param *p = entry->params; p && p->name; p++)
                add_param_json(p, &json);
            spar__json_end_array(&json);
            spar__json_end_object(&json);
        }
        spar__json_end_array(&json);
    }
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

/* --- the command --- */

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

/* All families, the one asked for ("policies" includes the aliases), or those that have an entry of this name, each
 * with that entry alone. */
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
    *n = 0;
    for (size_t i = 0; i < FAMILIES; i++) {
        const spar_entry *entry;
        for (size_t k = 0; (entry = spar_catalog_entry(families[i].family, k)); k++) {
            spar__nearest_offer(&nearest, entry->name);
            if (strcmp(entry->name, name) == 0) {
                out[*n] = families[i];
                out[(*n)++].only = entry->name;
            }
        }
    }
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
        print_json(chosen, n, out);
    else if (markdown)
        print_markdown(chosen, n, out);
    else if (!names)
        print_text(chosen, n, spar__output_styled(), out);
    for (size_t i = 0; names && i < n; i++)
        for (entry_cursor at = {0}; next_entry(&chosen[i], &at);)
            spar__buf_printf(out, "%s\n", at.entry->name);
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
