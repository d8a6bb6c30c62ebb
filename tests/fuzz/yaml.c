/* Any bytes are values with keys and places, or an error with a sentence. */
#include "text/yaml.h"

#include "fuzz.h"

static spar_status take(void *context, const spar__yaml_value *value, spar_error *err)
{
    (void)err;
    size_t *bytes = context;
    require(value->depth <= SPAR__YAML_DEPTH && value->line > 0 && value->column > 0);
    for (size_t i = 0; i < value->depth; i++)
        *bytes += value->in[i].key ? strlen(value->in[i].key) : 1;
    *bytes += value->text ? strlen(value->text) : 0;
    return SPAR_OK;
}

void fuzz_yaml(const uint8_t *data, size_t size)
{
    spar_error err = {0};
    size_t bytes = 0;
    fuzz_refused(spar__yaml_parse("fuzz.yaml", (const char *)data, size, take, &bytes, &err), &err, "fuzz.yaml:");
}
