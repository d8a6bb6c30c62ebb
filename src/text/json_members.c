/* json_members.c - see json_members.h. */
#include "text/json_members.h"

#include <inttypes.h>

/* NULL where it is null or not there. */
static const spar__json_node *value_of(const spar__json_tree *tree, const char *key)
{
    const spar__json_node *node = spar__json_member(tree, spar__json_root(tree), key);
    return node && node->kind != SPAR__JSON_NULL ? node : NULL;
}

spar_status spar__json_read_text(const spar__json_tree *tree, const char *key, const char **out, spar_error *err)
{
    const spar__json_node *node = value_of(tree, key);
    *out = NULL;
    if (!node)
        return SPAR_OK;
    if (node->kind != SPAR__JSON_STRING && node->kind != SPAR__JSON_NUMBER)
        return spar__fail(err, SPAR_PARSE, "'%s' is not a text", key);
    *out = tree->text.text + node->text;
    return SPAR_OK;
}

spar_status spar__json_read_number(const spar__json_tree *tree, const char *key, uint64_t most, bool *has,
                                   uint64_t *out, spar_error *err)
{
    const spar__json_node *node = value_of(tree, key);
    *has = node != NULL;
    *out = 0;
    if (!node || (spar__json_get_unsigned(tree, node, out) && *out <= most))
        return SPAR_OK;
    return spar__fail(err, SPAR_PARSE, "'%s' is not a whole number from 0 to %" PRIu64, key, most);
}

spar_status spar__json_read_flag(const spar__json_tree *tree, const char *key, bool *out, spar_error *err)
{
    const spar__json_node *node = value_of(tree, key);
    *out = false;
    if (!node || spar__json_get_boolean(node, out))
        return SPAR_OK;
    return spar__fail(err, SPAR_PARSE, "'%s' is not true or false", key);
}
