/* Any bytes are a tree that can be walked, or an error with a sentence. */
#include "text/yaml.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t walk(const spar__yaml *node)
{
    double number;
    int64_t integer;
    bool flag;
    size_t members = 0, nodes = 1;
    (void)spar__yaml_number(node, &number, NULL);
    (void)spar__yaml_integer(node, &integer, NULL);
    (void)spar__yaml_boolean(node, &flag, NULL);
    for (const spar__yaml *item = node->first; item; item = item->next, members++) {
        nodes += walk(item);
        if (node->kind == SPAR__YAML_MAP && spar__yaml_get(node, item->key) != item)
            abort();
    }
    if (members != node->count || (node->kind == SPAR__YAML_SCALAR) != (node->text != NULL))
        abort();
    return nodes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    spar_error err = {0};
    spar__yaml *root = NULL;
    spar_status status = spar__yaml_parse("fuzz.yaml", (const char *)data, size, &root, &err);
    if (status) {
        if (root || err.status != status || strncmp(err.text, "fuzz.yaml:", 10) != 0)
            abort();
    } else if (walk(root) > SPAR__YAML_NODES) {
        abort();
    }
    spar__yaml_free(root);
    return 0;
}
