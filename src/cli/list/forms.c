#include "cli/list/list.h"
#include "cli/terminal.h"

#include "base/number.h"
#include "policy/policy.h"
#include "text/json.h"

#include <math.h>
#include <string.h>

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

static void add_range(const spar_param *param, spar__buf *out)
{
    if (isinf(param->low) && isinf(param->high)) {
        spar__buf_adds(out, "any");
    } else if (isinf(param->high)) {
        spar__buf_adds(out, "at least ");
        add_number(param->low, out);
    } else if (isinf(param->low)) {
        spar__buf_adds(out, "at most ");
        add_number(param->high, out);
    } else {
        add_number(param->low, out);
        spar__buf_adds(out, " to ");
        add_number(param->high, out);
    }
}

/* The values that a parameter takes. */
static void add_values(const spar_param *param, spar__buf *out)
{
    switch (param->kind) {
    case SPAR_PARAM_NUMBER:
        add_range(param, out);
        break;
    case SPAR_PARAM_INTEGER:
        spar__buf_adds(out, "whole, ");
        add_range(param, out);
        break;
    case SPAR_PARAM_NUMBERS:
        spar__buf_adds(out, "numbers x:y:..., each ");
        add_range(param, out);
        break;
    case SPAR_PARAM_CHOICE:
        spar__buf_adds(out, param->choices);
        break;
    case SPAR_PARAM_PATH:
        spar__buf_adds(out, "a file");
        break;
    case SPAR_PARAM_PATHS:
        spar__buf_adds(out, "files x:y:...");
        break;
    case SPAR_PARAM_TEXT:
        spar__buf_adds(out, "text");
        break;
    }
}

/* "alpha=0.51", or "file=" where there is no default. */
static void add_head(const spar_param *param, spar__buf *out)
{
    spar__buf_printf(out, "%s=%s", param->name, param->standard ? param->standard : "");
}

static size_t name_width(const spar__list_family *family)
{
    size_t width = 0;
    for (entry_cursor at = {0}; next_entry(family, &at);) {
        size_t length = strlen(at.entry->name);
        width = length > width ? length : width;
    }
    return width;
}

static size_t head_width(const spar_param *params)
{
    size_t width = 0;
    for (const spar_param *p = params; p && p->name; p++) {
        size_t length = strlen(p->name) + 1 + (p->standard ? strlen(p->standard) : 0);
        width = length > width ? length : width;
    }
    return width;
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
    size_t heads = head_width(entry->params);
    for (const spar_param *p = entry->params; p && p->name; p++) {
        spar__buf_printf(out, "  %*s    ", (int)width, "");
        size_t start = out->length;
        add_head(p, out);
        spar__buf_printf(out, "%*s  %s (", (int)(heads - (out->length - start)), "", p->help);
        add_values(p, out);
        spar__buf_adds(out, ")\n");
    }
}

void spar__list_text(const spar__list_family *families, size_t n, bool styled, spar__buf *out)
{
    size_t start = out->length;
    for (size_t i = 0; i < n; i++) {
        spar__buf_printf(out, "%s%s%s%s: %s\n\n", i ? "\n" : "", styled ? "\033[1m" : "", families[i].name,
                         styled ? "\033[0m" : "", families[i].brief);
        size_t width = name_width(&families[i]);
        for (entry_cursor at = {0}; next_entry(&families[i], &at);)
            add_entry(at.entry, families[i].family, width, out);
        if (families[i].only) {
            spar__buf_adds(out, "\nexample:\n  ");
            spar__list_example(families[i].only, families[i].family, out);
            spar__buf_adds(out, "\n");
        }
    }
    spar__fit(out, start, spar__output_width());
}

void spar__list_names(const spar__list_family *families, size_t n, spar__buf *out)
{
    for (size_t i = 0; i < n; i++)
        for (entry_cursor at = {0}; next_entry(&families[i], &at);)
            spar__buf_printf(out, "%s\n", at.entry->name);
}

void spar__list_line(const spar__list_family *family, spar__buf *out)
{
    spar__buf_printf(out, "%-12s", family->name);
    for (entry_cursor at = {0}; next_entry(family, &at);)
        spar__buf_printf(out, " %s", at.entry->name);
    spar__buf_adds(out, "\n");
}

/* Text of a Markdown cell, in which a bar must be escaped. */
static void add_cell(const char *text, spar__buf *out)
{
    for (; *text; text++) {
        if (*text == '|')
            spar__buf_adds(out, "\\");
        spar__buf_add(out, text, 1);
    }
}

static void add_row(const spar_entry *entry, spar_family family, spar__buf *out)
{
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

void spar__list_markdown(const spar__list_family *families, size_t n, spar__buf *out)
{
    for (size_t i = 0; i < n; i++) {
        spar__buf_printf(out, "%s### %s\n\n", i ? "\n" : "", families[i].name);
        spar__buf_printf(out, "| name | %s | paper | parameters |\n|---|---|---|---|\n",
                         families[i].family == SPAR_FAMILY_ALIAS ? "stands for" : "what");
        for (entry_cursor at = {0}; next_entry(&families[i], &at);)
            add_row(at.entry, families[i].family, out);
    }
}

static void add_choices(const char *choices, spar__json *json)
{
    spar__json_begin_array(json);
    for (const char *word = choices;; word++) {
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
        add_choices(param->choices, json);
    }
    spar__json_add_string(json, "help", param->help);
    spar__json_end_object(json);
}

static void add_entry_json(const spar_entry *entry, spar_family family, spar__json *json)
{
    bool alias = family == SPAR_FAMILY_ALIAS;
    spar__json_begin_object(json);
    spar__json_add_string(json, "name", entry->name);
    spar__json_add_string(json, alias ? "path" : "brief", entry->brief);
    spar__json_add_string(json, "paper", entry->paper);
    if (family == SPAR_FAMILY_POLICY)
        spar__json_add_boolean(json, "live_arms", !limits(entry, family));
    spar__json_key(json, "params");
    spar__json_begin_array(json);
    for (const spar_param *p = entry->params; p && p->name; p++)
        add_param_json(p, json);
    spar__json_end_array(json);
    spar__json_end_object(json);
}

void spar__list_json(const spar__list_family *families, size_t n, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    for (size_t i = 0; i < n; i++) {
        spar__json_key(&json, families[i].name);
        spar__json_begin_array(&json);
        for (entry_cursor at = {0}; next_entry(&families[i], &at);)
            add_entry_json(at.entry, families[i].family, &json);
        spar__json_end_array(&json);
    }
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}
