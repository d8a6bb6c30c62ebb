/* Any bytes as JSON: refused with a sentence, or a tree whose parts are sound. */
#include "fuzz.h"

#include "text/json_read.h"

#include <stdlib.h>
#include <string.h>

static void walk(const spar__json_tree *tree, const spar__json_node *node, size_t depth)
{
    uint64_t u;
    int64_t i;
    double x;
    size_t inside = 0;
    require(depth <= SPAR__JSON_TREE_DEPTH);
    (void)spar__json_get_unsigned(tree, node, &u);
    (void)spar__json_get_integer(tree, node, &i);
    (void)spar__json_get_number(tree, node, &x);
    const char *text = spar__json_text(tree, node);
    require(!text || strlen(text) == node->length);
    for (const spar__json_node *in = spar__json_first(tree, node); in; in = spar__json_next(tree, in), inside++) {
        if (node->kind == SPAR__JSON_OBJECT)
            require(spar__json_member(tree, node, spar__json_key_of(tree, in)) == in);
        walk(tree, in, depth + 1);
    }
    require(inside == node->count);
}

void fuzz_json_tree(const uint8_t *data, size_t size)
{
    spar__json_tree tree = {0};
    spar_error err = {0};
    spar_status status = spar__json_tree_parse(&tree, (const char *)data, size, "f", 1, &err);
    require(!status || strncmp(err.text, "f:", 2) == 0);
    if (!status)
        walk(&tree, spar__json_root(&tree), 0);
    else
        require(!spar__json_root(&tree));
    spar__json_tree_free(&tree);
}
