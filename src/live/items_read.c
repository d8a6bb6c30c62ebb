/* items_read.c - see items_read.h. */
#include "live/items_read.h"

#include "base/alloc.h"
#include "base/file.h"
#include "text/json_read.h"
#include "text/csv.h"

#include <string.h>

enum { MOST_OUTPUTS = 1000, MOST_BYTES = 1 << 30 };

typedef struct item_source {
    const char *path;
    size_t line;
    spar__json_tree tree;
    spar__item_list *list;
} item_source;

void spar__item_list_free(spar__item_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        spar_item_free(list->item[i]);
    spar__free(list->item);
    spar__free(list->line);
    *list = (spar__item_list){0};
}

static spar_status reserve(spar__item_list *list, spar_error *err)
{
    if (list->n < list->room)
        return SPAR_OK;
    size_t room = list->room ? 2 * list->room : 64;
    spar_item **item = spar__realloc(list->item, list->room, room, sizeof(*item));
    list->item = item ? item : list->item;
    size_t *line = item ? spar__realloc(list->line, list->room, room, sizeof *line) : NULL;
    list->line = line ? line : list->line;
    if (!line)
        return spar__fail_memory(err);
    list->room = room; /* both have that many */
    return SPAR_OK;
}

static spar_status check_members(const item_source *source, spar_error *err)
{
    static const char *const known[] = {"id", "prompt", "group", "outputs"};
    const spar__json_tree *tree = &source->tree;
    const spar__json_node *root = spar__json_root(tree), *member = spar__json_first(tree, root);
    if (root->kind != SPAR__JSON_OBJECT)
        return spar__fail(err, SPAR_PARSE, "expected an object with id, prompt, group and outputs");
    for (; member; member = spar__json_next(tree, member)) {
        size_t i = 0;
        while (i < sizeof known / sizeof *known && strcmp(known[i], spar__json_key_of(tree, member)) != 0)
            i++;
        if (i == sizeof known / sizeof *known)
            return spar__fail(err, SPAR_PARSE, "'%.80s' is no part of an item, expected id, prompt, group or outputs",
                              spar__json_key_of(tree, member));
    }
    return SPAR_OK;
}

static spar_status read_outputs(const item_source *source, spar_item *item, spar_error *err)
{
    const spar__json_tree *tree = &source->tree;
    const spar__json_node *outputs = spar__json_member(tree, spar__json_root(tree), "outputs");
    const spar__json_node *output = spar__json_first(tree, outputs);
    if (!outputs || outputs->kind != SPAR__JSON_OBJECT || !output)
        return spar__fail(err, SPAR_PARSE, "'outputs' is %s, expected {\"option\": \"text\", ...}",
                          outputs && outputs->kind != SPAR__JSON_OBJECT ? "no object" : "not there or empty");
    spar_status status = SPAR_OK;
    for (; output && !status; output = spar__json_next(tree, output)) {
        const char *option = spar__json_key_of(tree, output), *text = spar__json_text(tree, output);
        spar_error why = {0};
        status = output->kind == SPAR__JSON_NULL ? SPAR_OK /* as if it were not there */
                 : !text                         ? spar__fail(&why, SPAR_PARSE, "it is no text")
                                                 : spar_item_set_output(item, option, text, &why);
        if (status)
            (void)spar__fail(err, status, "the output of '%.80s': %s", option, why.text);
    }
    return status;
}

static spar_status fill(const item_source *source, spar_item *item, spar_error *err)
{
    const char *prompt = NULL, *group = NULL;
    spar_status status = spar__json_read_text(&source->tree, "prompt", &prompt, err);
    if (!status)
        status = spar__json_read_text(&source->tree, "group", &group, err);
    if (!status && prompt)
        status = spar_item_set_prompt(item, prompt, err);
    if (!status && group)
        status = spar_item_set_group(item, group, err);
    return status ? status : read_outputs(source, item, err);
}

static spar_status make_item(const item_source *source, spar_item **out, spar_error *err)
{
    spar_error why = {0};
    const char *id = NULL;
    spar_status status = check_members(source, &why);
    if (!status)
        status = spar__json_read_text(&source->tree, "id", &id, &why);
    if (!status)
        status = id ? spar_item_new(id, out, &why) : spar__fail(&why, SPAR_PARSE, "'id' is not there");
    bool named = !status;
    if (!status)
        status = fill(source, *out, &why);
    if (!status)
        return SPAR_OK;
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    return named ? spar__fail(err, SPAR_PARSE, "%s:%zu: item '%.80s': %s", source->path, source->line, id, why.text)
                 : spar__fail(err, SPAR_PARSE, "%s:%zu: %s", source->path, source->line, why.text);
}

/* A list of items over many lines, or a table, is a usual slip. */
static spar_status parse_line(item_source *source, spar__piece line, spar_error *err)
{
    spar_error why = {0};
    spar_status status = spar__json_tree_parse(&source->tree, line.text, line.length, source->path, source->line, &why);
    if (status == SPAR_PARSE)
        return spar__fail(err, status, "%s; every line must be a JSON object of its own", why.text);
    return status ? spar__fail(err, status, "%s", why.text) : SPAR_OK;
}

static spar_status read_line(item_source *source, spar__piece line, spar_error *err)
{
    spar_item *item = NULL;
    spar_status status = parse_line(source, line, err);
    if (!status)
        status = make_item(source, &item, err);
    if (!status)
        status = reserve(source->list, err);
    if (status) {
        spar_item_free(item);
        return status;
    }
    source->list->line[source->list->n] = source->line;
    source->list->item[source->list->n++] = item;
    return SPAR_OK;
}

spar_status spar__items_read(const char *text, size_t length, const char *path, spar__item_list *list, spar_error *err)
{
    item_source source = {.path = path, .list = list, .tree = {.members = MOST_OUTPUTS}};
    spar__line_reader lines = spar__lines_of(text, length);
    spar__piece line;
    spar_status status = SPAR_OK;
    lines.comment = 0; /* texts may hold a # */
    while (!status && spar__line_next(&lines, &line)) {
        source.line = lines.number;
        status = read_line(&source, line, err);
    }
    if (!status && !list->n)
        status = spar__fail(err, SPAR_PARSE, "%s: there are no items, expected a JSON object a line", path);
    spar__json_tree_free(&source.tree);
    return status;
}

spar_status spar__items_load(const char *path, spar__item_list *list, spar_error *err)
{
    spar__buf bytes = {0};
    spar_status status = spar__file_read(path, MOST_BYTES, &bytes, err);
    if (!status)
        status = spar__items_read(bytes.text ? bytes.text : "", bytes.length,
                                  strcmp(path, "-") == 0 ? "standard input" : path, list, err);
    spar__buf_free(&bytes);
    return status;
}
