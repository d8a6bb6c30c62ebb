#include "live/source.h"

#include "text/json.h"

void spar__source_print(const spar__row_source *source, spar__buf *out)
{
    spar__json json = {.out = out};
    if (!source->screen && !source->taken && !source->flags && !source->item && !source->comment)
        return;
    spar__json_begin_object(&json);
    if (source->screen)
        spar__json_add_unsigned(&json, "screen", source->screen);
    if (source->taken)
        spar__json_add_unsigned(&json, "taken", source->taken);
    if (source->flags)
        spar__json_add_unsigned(&json, "flags", source->flags);
    if (source->item)
        spar__json_add_string(&json, "item", source->item);
    if (source->comment)
        spar__json_add_string(&json, "comment", source->comment);
    spar__json_end_object(&json);
}

/* A number of at most 32 bits; 0 if it is not there. */
static bool get_number(const spar__json_tree *tree, const char *key, uint64_t most, uint64_t *out)
{
    const spar__json_node *node = spar__json_member(tree, spar__json_root(tree), key);
    *out = 0;
    return !node || (spar__json_get_unsigned(tree, node, out) && *out <= most);
}

bool spar__source_read(spar__json_tree *tree, const char *text, size_t length, spar__row_source *out)
{
    uint64_t taken, flags;
    *out = (spar__row_source){0};
    if (spar__json_tree_parse(tree, text, length, "source", 1, NULL))
        return false;
    const spar__json_node *root = spar__json_root(tree);
    bool good = root->kind == SPAR__JSON_OBJECT && get_number(tree, "screen", UINT64_MAX, &out->screen) &&
                get_number(tree, "taken", UINT32_MAX, &taken) && get_number(tree, "flags", UINT32_MAX, &flags);
    if (!good)
        return false;
    out->taken = (uint32_t)taken;
    out->flags = (uint32_t)flags;
    out->item = spar__json_text(tree, spar__json_member(tree, root, "item"));
    out->comment = spar__json_text(tree, spar__json_member(tree, root, "comment"));
    int known = (out->screen > 0) + (taken > 0) + (flags > 0) + (out->item != NULL) + (out->comment != NULL);
    return root->count == (size_t)known;
}
